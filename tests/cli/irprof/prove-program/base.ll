; Sums of squares of 1 ... n into a variable, which main prints; n is the number of arguments, plus 9.
@out = global i64 0
@text = private constant [6 x i8] c"%lld\0A\00"
declare i32 @printf(ptr, ...)
define void @work(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %square = mul i64 %i, %i
  %more = add i64 %sum, %square
  %next = add i64 %i, 1
  %again = icmp sle i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  store i64 %more, ptr @out
  ret void
}
define i32 @main(i32 %c, ptr %v) {
  %wide = zext i32 %c to i64
  %n = add i64 %wide, 9
  call void @work(i64 %n)
  %r = load i64, ptr @out
  %p = call i32 (ptr, ...) @printf(ptr @text, i64 %r)
  ret i32 3
}
