@ready = constant [6 x i8] c"ready\00"
declare i32 @creat(ptr, i32)
define i32 @main() {
entry:
  %r = call i32 @creat(ptr @ready, i32 384)
  br label %loop
loop:
  fence seq_cst
  br label %loop
}
