@v = global i32 0
declare i32 @fork()
declare i32 @wait(ptr)
define i32 @main() {
  store i32 1, ptr @v
  %p = call i32 @fork()
  %c = icmp eq i32 %p, 0
  br i1 %c, label %child, label %parent
child:
  ret i32 0
parent:
  %w = call i32 @wait(ptr null)
  ret i32 0
}
