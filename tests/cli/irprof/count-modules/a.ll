declare void @b()
define internal void @hidden() {
  ret void
}
define i32 @main() {
  call void @b()
  call void @b()
  call void @hidden()
  ret i32 0
}
