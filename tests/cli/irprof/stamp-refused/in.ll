target triple = "x86_64-unknown-linux-gnu"
@table = global [4 x i32] zeroinitializer
declare void @seen(ptr)
declare i32 @strcmp(ptr, ptr)

define void @alias(ptr %a, ptr %c) {
  %x = load i32, ptr %a
  store i32 %x, ptr %c
  ret void
}
define void @inplace(ptr noalias %c) {
  %x = load i32, ptr %c
  %y = add i32 %x, 1
  store i32 %y, ptr %c
  ret void
}
define void @narrow(ptr noalias %c, i16 %x) {
  store i16 %x, ptr %c
  ret void
}
define void @pointer(ptr noalias %c, ptr %x) {
  store ptr %x, ptr %c
  ret void
}
define void @volatile(ptr noalias %c, i32 %x) {
  store volatile i32 %x, ptr %c
  ret void
}
define void @called(ptr %c, i32 %x) {
  store i32 %x, ptr %c
  call void @seen(ptr %c)
  ret void
}
define void @unknown(ptr %where, i32 %x) {
  %c = load ptr, ptr %where
  store i32 %x, ptr %c
  ret void
}
define void @two(ptr noalias %a, ptr noalias %c, i32 %x) {
  %y = load i32, ptr %a
  store i32 %y, ptr %c
  store i32 %x, ptr %a
  ret void
}
define void @none(i32 %x) {
  ret void
}
define void @globals(ptr noalias %a) {
  %x = load i32, ptr %a
  store i32 %x, ptr @table
  ret void
}
