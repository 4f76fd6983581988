@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @latest, ptr null }]
define void @latest() {
  fence seq_cst
  ret void
}
