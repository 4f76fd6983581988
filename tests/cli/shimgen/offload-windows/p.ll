target triple = "x86_64-pc-linux-gnu"
@big = global [524288 x i8] zeroinitializer, align 64
@one = global double 1.0, align 64
define i64 @stream(i64 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %p = getelementptr [64 x i8], ptr @big, i64 %i
  %v = load i64, ptr %p
  %t = add i64 %s, %v
  %j = add i64 %i, 1
  %c = icmp eq i64 %j, %n
  br i1 %c, label %out, label %loop
out:
  ret i64 %t
}
define double @compute(i64 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %v = load double, ptr @one
  %m = fmul double %v, %v
  %t = fadd double %s, %m
  %j = add i64 %i, 1
  %c = icmp eq i64 %j, %n
  br i1 %c, label %out, label %loop
out:
  ret double %t
}
define i32 @main() {
  %a = call i64 @stream(i64 8192)
  %b = call double @compute(i64 40000)
  ret i32 0
}
