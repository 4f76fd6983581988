define i32 @main() {
a:
  br label %b
b:
  %x = phi i32 [ 1, %a ], [ 2, %c ]
  ret i32 %x
c:
  ret i32 1
}
