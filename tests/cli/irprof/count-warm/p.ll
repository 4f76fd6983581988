@runs = global i64 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @before, ptr null }]

define internal void @before() {
  store i64 0, ptr @runs
  ret void
}

declare void @shim_region_begin(ptr)
declare void @shim_region_end(ptr)
@name = constant [5 x i8] c"loop\00"

; ten rounds in each run
define i32 @main() {
start:
  %before = load i64, ptr @runs
  %run = add i64 %before, 1
  store i64 %run, ptr @runs
  %rounds = select i1 true, i64 10, i64 %run
  call void @shim_region_begin(ptr @name)
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %rounds
  br i1 %more, label %loop, label %done
done:
  call void @shim_region_end(ptr @name)
  ret i32 0
}
