target triple = "x86_64-unknown-linux-gnu"
define i32 @filter(i32 %x) {
  ret i32 %x
}
define i32 @main() {
  ret i32 0
}
