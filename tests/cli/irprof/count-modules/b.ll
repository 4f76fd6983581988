define internal void @hidden() {
  ret void
}
define void @b() {
  fence seq_cst
  call void @hidden()
  ret void
}
