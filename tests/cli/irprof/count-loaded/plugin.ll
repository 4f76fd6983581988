target triple = "x86_64-pc-linux-gnu"
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @bye, ptr null }]
define void @work() {
  fence seq_cst
  ret void
}
define void @bye() {
  ret void
}
