@d = constant [6 x i8] c"there\00"
declare i32 @chdir(ptr)
define i32 @main() {
  %r = call i32 @chdir(ptr @d)
  ret i32 0
}
