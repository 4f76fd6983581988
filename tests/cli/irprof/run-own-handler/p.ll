declare ptr @signal(i32, ptr)
declare i32 @raise(i32)
define void @handler(i32 %n) {
  fence seq_cst
  ret void
}
define i32 @main() {
  %o = call ptr @signal(i32 15, ptr @handler)
  %r = call i32 @raise(i32 15)
  ret i32 0
}
