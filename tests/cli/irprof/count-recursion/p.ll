define i32 @fib(i32 %n) {
  %c = icmp slt i32 %n, 2
  br i1 %c, label %leaf, label %inner
leaf:
  ret i32 1
inner:
  %a = sub i32 %n, 1
  %x = call i32 @fib(i32 %a)
  %b = sub i32 %n, 2
  %y = call i32 @fib(i32 %b)
  %s = add i32 %x, %y
  ret i32 %s
}
define i32 @main() {
  %r = call i32 @fib(i32 10)
  ret i32 0
}
