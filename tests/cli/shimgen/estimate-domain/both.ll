define i32 @main(i32 %n, ptr %v) {
  %a = add i32 %n, 1
  %b = mul i32 %a, %a
  ret i32 0
}
