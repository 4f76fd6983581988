define i32 @main(i32 %n, ptr %v) {
  %a = add i32 %n, 1
  %b = add i32 %a, %a
  %c = add i32 %b, %n
  ret i32 0
}
