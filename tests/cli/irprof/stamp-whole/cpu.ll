target triple = "x86_64-unknown-linux-gnu"
@out = global [4 x float] zeroinitializer
@wide = global i64 0
@name = private constant [5 x i8] c"rows\00"
declare void @shim_region_begin(ptr)
declare void @shim_region_end(ptr)

define float @f(ptr noalias %a, i32 %n) memory(argmem: read) {
entry:
  %x = alloca i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %v = load float, ptr %a
  store float %v, ptr @out
  store i64 5, ptr @wide
  ret float %v
}

define void @g(i1 %c) {
  call void @shim_region_begin(ptr @name)
  br i1 %c, label %one, label %two
one:
  call void @shim_region_end(ptr @name)
  ret void
two:
  call void @shim_region_end(ptr @name)
  %r = call float @f(ptr @out, i32 3)
  ret void
}
