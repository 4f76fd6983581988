@v = global i32 0
@outer = constant [6 x i8] c"outer\00"
@inner = constant [6 x i8] c"inner\00"
declare void @shim_region_begin(ptr)
declare void @shim_region_end(ptr)
declare void @exit(i32)
define void @f(i32 %k) {
  call void @shim_region_begin(ptr @outer)
  %j = sub i32 %k, 1
  %z = icmp eq i32 %k, 0
  br i1 %z, label %out, label %in
in:
  call void @f(i32 %j)
  br label %out
out:
  call void @shim_region_end(ptr @outer)
  ret void
}
define i32 @main() {
  call void @f(i32 2)
  ret i32 0
}
