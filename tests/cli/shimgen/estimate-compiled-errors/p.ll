source_filename = "p.c"
target triple = "aarch64-linux-gnu"

define i32 @main(i32 %argc, ptr %argv) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, %argc
  %again = icmp slt i32 %next, 10
  br i1 %again, label %loop, label %end
end:
  ret i32 0
}
