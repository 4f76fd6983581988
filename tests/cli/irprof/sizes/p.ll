target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@a = global [4096 x i8] zeroinitializer
@b = global [4096 x i8] zeroinitializer
@seven = private constant [8 x i8] c"%d more\00"

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
declare i64 @strlen(ptr)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare void @qsort(ptr, i64, i64, ptr)
declare i32 @memcmp(ptr, ptr, i64)

define internal i32 @same(ptr %x, ptr %y) noinline nounwind {
  ret i32 0
}

; constant: 16 and 8 bytes a call, 3 calls
define void @constants() noinline nounwind {
  call void @llvm.memcpy.p0.p0.i64(ptr @a, ptr @b, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr @a, ptr @b, i64 8, i1 false)
  %p = call ptr @calloc(i64 10, i64 4)
  call void @free(ptr %p)
  ret void
}

; 1 + 2 + 3 bytes copied, twice as many set
define void @values(i64 %n) noinline nounwind {
  call void @llvm.memcpy.p0.p0.i64(ptr @a, ptr @b, i64 %n, i1 false)
  %t = trunc i64 %n to i32
  %d = mul i32 %t, 2
  call void @llvm.memset.p0.i32(ptr @a, i8 120, i32 %d, i1 false)
  %l = call i64 @strlen(ptr @a)
  ret void
}

; 18 letters in all, 6 elements; a size that malloc cannot have is none, 0 bytes to compare are none
define void @odd(i64 %n) noinline nounwind {
  %s = call i32 (ptr, i64, ptr, ...) @snprintf(ptr @b, i64 64, ptr @seven, i64 %n)
  %huge = sub i64 0, %n
  %p = call ptr @malloc(i64 %huge)
  call void @free(ptr %p)
  call void @qsort(ptr @a, i64 %n, i64 4, ptr @same)
  %c = call i32 @memcmp(ptr @a, ptr @b, i64 0)
  ret void
}

define i32 @main() nounwind {
start:
  br label %loop
loop:
  %i = phi i64 [ 1, %start ], [ %next, %loop ]
  call void @constants()
  call void @values(i64 %i)
  call void @odd(i64 %i)
  %next = add i64 %i, 1
  %done = icmp sgt i64 %next, 3
  br i1 %done, label %out, label %loop
out:
  ret i32 0
}
