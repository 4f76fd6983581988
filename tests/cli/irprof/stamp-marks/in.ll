target triple = "x86_64-unknown-linux-gnu"
@rows = private unnamed_addr constant [5 x i8] c"rows\00"
declare void @shim_region_begin(ptr)
declare void @shim_region_end(ptr)

define i32 @f(i32 %x) memory(none) {
entry:
  call void @shim_region_begin(ptr @rows)
  %odd = and i32 %x, 1
  %is = icmp ne i32 %odd, 0
  br i1 %is, label %one, label %two
one:
  call void @shim_region_end(ptr @rows)
  ret i32 %x
two:
  %half = lshr i32 %x, 1
  call void @shim_region_end(ptr @rows)
  ret i32 %half
}

define i32 @g(i32 %x) memory(none) {
  %y = call i32 @f(i32 %x) memory(none)
  ret i32 %y
}
