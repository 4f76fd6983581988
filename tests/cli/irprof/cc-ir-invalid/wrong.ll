define i32 @f(i32 %x, i1 %c) {
  br i1 %c, label %a, label %b
a:
  %y = add i32 %x, 1
  br label %b
b:
  ret i32 %y
}
