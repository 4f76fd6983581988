@v = global i32 0
declare void @exit(i32) noreturn
define void @f(i32 %n) {
  %z = icmp eq i32 %n, 0
  br i1 %z, label %leave, label %deeper
leave:
  call void @exit(i32 7)
  unreachable
deeper:
  %m = sub i32 %n, 1
  call void @f(i32 %m)
  store i32 %m, ptr @v
  ret void
}
define i32 @main() {
  %two = add i32 1, 1
  call void @f(i32 %two)
  store i32 1, ptr @v
  ret i32 0
}
