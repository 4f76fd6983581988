@sink = internal global i32 0

define internal void @once(i32 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
define internal void @five(i32 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %k = phi i32 [ 0, %loop ], [ %k2, %inner ]
  %k2 = add i32 %k, 1
  %again = icmp slt i32 %k2, 5
  br i1 %again, label %inner, label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
define internal void @alternate(i32 %n) noinline {
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
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
define i32 @main() {
  call void @once(i32 1000)
  call void @five(i32 100)
  call void @alternate(i32 1000)
  %c = icmp eq ptr @sink, null
  br i1 %c, label %done, label %done
done:
  ret i32 0
}
