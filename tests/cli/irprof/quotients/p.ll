target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; 60 / 1, 60 / 2, 60 / 3: 60, 30 and 20
define i32 @unsigned(i32 %n) noinline nounwind {
  %q = udiv i32 60, %n
  ret i32 %q
}

; -9 / 1, -9 / 2, -9 / 3: -9, -4 and -3
define i8 @signed(i64 %n) noinline nounwind {
  %d = trunc i64 %n to i8
  %q = sdiv i8 -9, %d
  ret i8 %q
}

; the quotients are 2^63 / -1, / -2, / -3, and 5 / 1, 5 / 2, 5 / 3
define i64 @remainders(i64 %n) noinline nounwind {
  %m = sub i64 0, %n
  %r = urem i64 -9223372036854775808, %n
  %s = srem i64 -5, %m
  %t = add i64 %r, %s
  ret i64 %t
}

; by constants, of vectors, and of more than 64 bits: none
define i64 @others(i64 %n) noinline nounwind {
  %a = udiv i64 %n, 10
  %w = zext i64 %n to i128
  %b = udiv i128 1000, %w
  %v = insertelement <2 x i64> <i64 3, i64 3>, i64 %n, i32 0
  %c = udiv <2 x i64> <i64 99, i64 99>, %v
  %e = extractelement <2 x i64> %c, i32 0
  %f = trunc i128 %b to i64
  %s = add i64 %e, %f
  %t = add i64 %s, %a
  ret i64 %t
}

define i32 @main() nounwind {
start:
  br label %loop
loop:
  %i = phi i64 [ 1, %start ], [ %next, %loop ]
  %t = trunc i64 %i to i32
  %a = call i32 @unsigned(i32 %t)
  %b = call i8 @signed(i64 %i)
  %c = call i64 @remainders(i64 %i)
  %d = call i64 @others(i64 %i)
  %e = call i32 @unoptimised(i32 %t)
  %next = add i64 %i, 1
  %done = icmp sgt i64 %next, 3
  br i1 %done, label %out, label %loop
out:
  ret i32 0
}

; code that is not optimised divides by constants, too: 1000 / 10 is 100, 1001 % 10 leaves 100 behind
define i32 @unoptimised(i32 %n) noinline optnone nounwind {
  %q = udiv i32 1000, 10
  %m = add i32 %n, 1000
  %r = urem i32 %m, 10
  %v = udiv i32 %m, %n
  %s = add i32 %q, %r
  ret i32 %s
}
