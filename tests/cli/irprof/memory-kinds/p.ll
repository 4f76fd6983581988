target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@a = internal global [1024 x i8] zeroinitializer, align 64
@b = internal global [1024 x i8] zeroinitializer, align 64
@c = internal global [1024 x i8] zeroinitializer, align 64
@d = internal global [4096 x i8] zeroinitializer, align 64
@size = internal global i64 200, align 64

define internal void @straddle() noinline {
  %p = getelementptr i8, ptr @a, i64 60
  %v = load volatile i64, ptr %p, align 4
  %w = load volatile i64, ptr %p, align 4
  ret void
}
define internal void @same_line() noinline {
  %p = getelementptr i8, ptr @a, i64 512
  %v = load volatile i32, ptr %p, align 4
  store volatile i32 1, ptr %p, align 4
  %q = getelementptr i8, ptr @a, i64 516
  store volatile i32 1, ptr %q, align 4
  ret void
}
define internal void @atomics() noinline {
  %p = getelementptr i8, ptr @a, i64 576
  %old = atomicrmw add ptr %p, i32 1 seq_cst, align 4
  %pair = cmpxchg ptr %p, i32 7, i32 8 seq_cst seq_cst, align 4
  ret void
}
define internal void @copy_small() noinline {
  %p = getelementptr i8, ptr @a, i64 640
  %q = getelementptr i8, ptr @a, i64 704
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %q, ptr align 16 %p, i64 16, i1 false)
  ret void
}
define internal void @copy_constant() noinline {
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 @c, ptr align 64 @b, i64 256, i1 false)
  ret void
}
define internal void @set_variable(i64 %n) noinline {
  %p = getelementptr i8, ptr @b, i64 500
  call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 %n, i1 false)
  ret void
}
define internal void @set_nothing(i64 %n) noinline {
  call void @llvm.memset.p0.i64(ptr @c, i8 1, i64 %n, i1 false)
  ret void
}
define internal void @masked(<8 x i1> %m) noinline {
  %p = getelementptr i8, ptr @c, i64 496
  %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %p, i32 4, <8 x i1> %m, <8 x i32> zeroinitializer)
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr %p, i32 4, <8 x i1> %m)
  ret void
}
define internal void @lanes(<4 x i1> %m) noinline {
  %p = getelementptr i8, ptr @c, <4 x i64> <i64 600, i64 604, i64 700, i64 800>
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %p, i32 4, <4 x i1> %m, <4 x i32> zeroinitializer)
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %v, <4 x ptr> %p, i32 4, <4 x i1> %m)
  ret void
}
define internal void @packed(<4 x i1> %m) noinline {
  %p = getelementptr i8, ptr @c, i64 888
  %v = call <4 x i32> @llvm.masked.expandload.v4i32(ptr %p, <4 x i1> %m, <4 x i32> zeroinitializer)
  ret void
}
define internal void @other_space() noinline {
  %v = load volatile i64, ptr @a, align 8
  %w = load volatile i64, ptr addrspace(257) null, align 8
  ret void
}
define internal void @push_out() noinline {
  call void @llvm.memset.p0.i64(ptr align 64 @d, i8 1, i64 4096, i1 false)
  ret void
}
define internal void @around_a_call() noinline {
  %v = load volatile i64, ptr @a, align 8
  call void @push_out()
  %w = load volatile i64, ptr @a, align 8
  ret void
}
define i32 @main() {
  call void @straddle()
  call void @same_line()
  call void @atomics()
  call void @copy_small()
  call void @copy_constant()
  %n = load i64, ptr @size
  call void @set_variable(i64 %n)
  call void @set_nothing(i64 0)
  call void @masked(<8 x i1> <i1 true, i1 false, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false>)
  call void @lanes(<4 x i1> <i1 true, i1 true, i1 false, i1 true>)
  call void @packed(<4 x i1> <i1 true, i1 false, i1 true, i1 true>)
  call void @other_space()
  call void @around_a_call()
  ret i32 0
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.expandload.v4i32(ptr, <4 x i1>, <4 x i32>)
