@sink = internal global i32 0

define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %set, label %latch
set:
  store volatile i32 %i, ptr @sink
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 1000
  br i1 %more, label %loop, label %done
done:
  ret i32 0
}
