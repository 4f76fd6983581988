@table = global [2 x ptr] [ptr @one, ptr @two]
define void @one() {
  fence seq_cst
  ret void
}
define void @two() {
  ret void
}
define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %k = urem i64 %i, 2
  %p = getelementptr ptr, ptr @table, i64 %k
  %f = load ptr, ptr %p
  call void %f()
  %n = add i64 %i, 1
  %c = icmp eq i64 %n, 7
  br i1 %c, label %out, label %loop
out:
  ret i32 0
}
