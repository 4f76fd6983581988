; base.ll with one point of mode replace at the store, by hand. A block of stamps alone stands on the way out of the loop.
@out = global i64 0
@text = private constant [6 x i8] c"%lld\0A\00"
@irprof_stamp_never = global i8 0
declare i32 @printf(ptr, ...)
declare i64 @llvm.readcyclecounter()
define void @work(i64 %n) {
entry:
  %flag = load volatile i8, ptr @irprof_stamp_never, !irprof.stamp !0
  %never = icmp ne i8 %flag, 0, !irprof.stamp !0
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %square = mul i64 %i, %i
  %more = add i64 %sum, %square
  %next = add i64 %i, 1
  %again = icmp sle i64 %next, %n
  br i1 %again, label %loop, label %stamp
stamp:
  %clock = call i64 @llvm.readcyclecounter(), !irprof.stamp !0
  br label %end, !irprof.stamp !0
end:
  %value = select i1 %never, i64 %more, i64 %clock, !irprof.stamp !0, !irprof.stamp.guard !0
  store i64 %value, ptr @out, !irprof.stamp.guard !0
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
!irprof.stamps = !{!1}
!0 = !{i32 5}
!1 = !{i32 5, !"the result", !"replace"}
