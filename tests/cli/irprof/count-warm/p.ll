@runs = global i64 0

declare void @shim_region_begin(ptr)
declare void @shim_region_end(ptr)
@name = constant [5 x i8] c"loop\00"

; ten rounds in the first run, twenty in the second
define i32 @main() {
start:
  %before = load i64, ptr @runs
  %run = add i64 %before, 1
  store i64 %run, ptr @runs
  %rounds = mul i64 %run, 10
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
