@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @early, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @last, ptr null }]
declare i32 @atexit(ptr)
define void @early() {
  fence seq_cst
  ret void
}
define void @late() {
  fence seq_cst
  ret void
}
define void @last() {
  fence seq_cst
  ret void
}
define i32 @main() {
  %r = call i32 @atexit(ptr @late)
  ret i32 0
}
