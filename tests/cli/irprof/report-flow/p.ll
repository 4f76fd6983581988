define i32 @main() {
  br label %outer
outer:
  %i = phi i32 [ 0, %0 ], [ %i2, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j2, %inner ]
  %j2 = add i32 %j, 1
  %go = icmp ult i32 %j2, 4
  br i1 %go, label %inner, label %choose
choose:
  switch i32 %i, label %latch [ i32 0, label %a
                                i32 1, label %b
                                i32 5, label %b ]
a:
  br label %latch
b:
  br label %latch
latch:
  %i2 = add i32 %i, 1
  %more = icmp ult i32 %i2, 3
  br i1 %more, label %outer, label %done
done:
  ret i32 0
}
