@v = global i32 4
define i32 @main() {
  %x = load i32, ptr @v
  %y = mul i32 %x, 3
  %a = add i32 %x, 1
  %s = sub i32 %y, %a
  store i32 %s, ptr @v
  ret i32 0
}
