@v = global i32 0
@outer = constant [6 x i8] c"outer\00"
@inner = constant [6 x i8] c"inner\00"
declare void @shim_region_begin(ptr)
declare void @shim_region_end(ptr)
declare void @exit(i32)
define i32 @main() {
  call void @shim_region_begin(ptr @outer)
  store i32 1, ptr @v
  call void @exit(i32 0)
  unreachable
}
