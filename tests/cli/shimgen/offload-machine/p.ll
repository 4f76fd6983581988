target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@x = global [16 x <2 x float>] zeroinitializer, align 64
declare double @sqrt(double)

define <2 x float> @pairs(ptr %a) noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi <2 x float> [ zeroinitializer, %entry ], [ %t, %loop ]
  %p = getelementptr <2 x float>, ptr %a, i64 %i
  %v = load <2 x float>, ptr %p
  %t = fadd <2 x float> %s, %v
  %j = add i64 %i, 1
  %c = icmp eq i64 %j, 10
  br i1 %c, label %out, label %loop
out:
  ret <2 x float> %t
}

define double @root(double %a) noinline {
  %r = call double @sqrt(double %a)
  ret double %r
}

define i32 @main() {
  %a = call <2 x float> @pairs(ptr @x)
  %b = call double @root(double 2.0)
  %c = call double @root(double 3.0)
  %d = fadd double %b, %c
  %e = fptosi double %d to i32
  %f = sub i32 %e, 3
  ret i32 %f
}
