define i32 @twice(i32 %x) noinline {
  %y = mul i32 %x, 2
  %z = freeze i32 %y
  ret i32 %z
}
define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %t = call i32 @twice(i32 %i)
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, 10
  br i1 %c, label %out, label %loop
out:
  ret i32 0
}
