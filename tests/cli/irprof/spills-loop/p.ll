target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @callee(i64 %a) noinline nounwind {
  ret i64 %a
}

define i64 @across(i64 %a, i64 %b) noinline nounwind {
  %r = call i64 @callee(i64 %a)
  %s = add i64 %r, %b
  ret i64 %s
}

define i64 @ninth(i64, i64, i64, i64, i64, i64, i64, i64, i64 %i) noinline nounwind {
  ret i64 %i
}

define double @tenth(double %a) noinline nounwind {
  %p = fmul double %a, 0.1
  ret double %p
}

; half of the calls come back at once
define i64 @now_and_then(i64 %a, i64 %b) noinline nounwind {
start:
  %odd = trunc i64 %a to i1
  br i1 %odd, label %work, label %out
work:
  %r = call i64 @callee(i64 %a)
  %s = add i64 %r, %b
  br label %out
out:
  %t = phi i64 [ 0, %start ], [ %s, %work ]
  ret i64 %t
}

define i32 @main() nounwind {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %a = call i64 @across(i64 %i, i64 1)
  %n = call i64 @ninth(i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 %i)
  %t = call double @tenth(double 1.0)
  %w = call i64 @now_and_then(i64 %i, i64 1)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 1000
  br i1 %more, label %loop, label %done
done:
  ret i32 0
}
