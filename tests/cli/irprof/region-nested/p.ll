@v = global i32 0
@outer = constant [6 x i8] c"outer\00"
@inner = constant [6 x i8] c"inner\00"
declare void @shim_region_begin(ptr)
declare void @shim_region_end(ptr)
declare void @exit(i32)
define i32 @main() {
  store i32 1, ptr @v
  call void @shim_region_begin(ptr @outer)
  store i32 2, ptr @v
  call void @shim_region_begin(ptr @inner)
  store i32 3, ptr @v
  store i32 4, ptr @v
  call void @shim_region_end(ptr @inner)
  store i32 5, ptr @v
  call void @shim_region_begin(ptr @inner)
  store i32 6, ptr @v
  call void @shim_region_end(ptr @inner)
  call void @shim_region_end(ptr @outer)
  store i32 7, ptr @v
  ret i32 0
}
