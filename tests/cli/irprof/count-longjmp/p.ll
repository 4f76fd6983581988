@buffer = global [64 x i64] zeroinitializer
declare i32 @_setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn
define void @jump(i32 %x) {
  %y = add i32 %x, 1
  call void @longjmp(ptr @buffer, i32 %y)
  ret void
}
define i32 @main() {
  %a = add i32 1, 2
  %r = call i32 @_setjmp(ptr @buffer) returns_twice
  %z = icmp eq i32 %r, 0
  br i1 %z, label %first, label %second
first:
  call void @jump(i32 %a)
  unreachable
second:
  ret i32 0
}
