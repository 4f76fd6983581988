define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, 10
  br i1 %c, label %out, label %loop
out:
  ret i32 0
}
