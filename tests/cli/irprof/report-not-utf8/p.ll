define void @"a\FFb"() {
  ret void
}
define i32 @main() {
  call void @"a\FFb"()
  ret i32 0
}
