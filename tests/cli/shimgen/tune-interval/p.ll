@a = global [8192 x i64] zeroinitializer
define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  %p = getelementptr [8192 x i64], ptr @a, i64 0, i64 %i
  %v = load i64, ptr %p
  %odd = trunc i64 %i to i1
  br i1 %odd, label %write, label %next
write:
  %w = add i64 %v, %i
  store i64 %w, ptr %p
  br label %next
next:
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, TIMES
  br i1 %c, label %loop, label %out
out:
  ret i32 0
}
