@t = global [10 x i32] zeroinitializer
@g = global i32 0
define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr i32, ptr @t, i64 %i
  %v = load i32, ptr %a
  %p = mul i32 %v, 3
  %n = add i32 %s, %p
  %j = add i64 %i, 1
  %c = icmp eq i64 %j, 10
  br i1 %c, label %out, label %loop
out:
  %r = srem i32 %n, 7
  store i32 %r, ptr @g
  ret i32 0
}
