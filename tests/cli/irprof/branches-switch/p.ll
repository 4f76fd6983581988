; Each loop of 1000 rounds ends with one branch that is always taken, but at the end.
define void @chain() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %v = and i32 %i, 1
  switch i32 %v, label %latch [ i32 0, label %a
                                i32 1, label %b ]
a:
  br label %latch
b:
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %out
out:
  ret void
}

define void @table() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %half = lshr i32 %i, 1
  %v = and i32 %half, 7
  switch i32 %v, label %latch [ i32 0, label %a
                                i32 1, label %b
                                i32 2, label %a
                                i32 3, label %b ]
a:
  br label %latch
b:
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %out
out:
  ret void
}

define void @negative() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %v = sub i32 0, %i
  switch i32 %v, label %latch [ i32 -999, label %a ]
a:
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %out
out:
  ret void
}

define i32 @main() {
  call void @chain()
  call void @table()
  call void @negative()
  ret i32 0
}
