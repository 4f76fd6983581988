; Each loop of 1000 rounds ends with one branch that is always taken, but at the end.
@both = global [2 x ptr] [ptr @one, ptr @two]
@pattern = constant [8 x i8] c"\00\00\01\00\01\01\00\01"
@labels = constant [2 x ptr] [ptr blockaddress(@computed, %a), ptr blockaddress(@computed, %b)]

define i32 @one(i32 %x) noinline {
  ret i32 %x
}

define i32 @two(i32 %x) noinline {
  %y = add i32 %x, 1
  ret i32 %y
}

define void @alternate() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = and i32 %i, 1
  %p = getelementptr [2 x ptr], ptr @both, i32 0, i32 %v
  %f = load ptr, ptr %p
  %r = call i32 %f(i32 %i)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %out
out:
  ret void
}

define void @same() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %f = load ptr, ptr @both
  %r = call i32 %f(i32 %i)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %out
out:
  ret void
}

define void @random() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = and i32 %i, 7
  %k = getelementptr [8 x i8], ptr @pattern, i32 0, i32 %v
  %n = load i8, ptr %k
  %p = getelementptr [2 x ptr], ptr @both, i32 0, i8 %n
  %f = load ptr, ptr %p
  %r = call i32 %f(i32 %i)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %out
out:
  ret void
}

define void @two_places() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %f = load ptr, ptr @both
  %r = call i32 %f(i32 %i)
  %p = getelementptr [2 x ptr], ptr @both, i32 0, i32 1
  %g = load ptr, ptr %p
  %s = call i32 %g(i32 %i)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %out
out:
  ret void
}

define i32 @down(i32 %n, ptr %self) {
entry:
  %end = icmp eq i32 %n, 0
  br i1 %end, label %out, label %more
more:
  %m = sub i32 %n, 1
  %r = call i32 %self(i32 %m, ptr %self)
  %s = add i32 %r, 1
  ret i32 %s
out:
  ret i32 0
}

define void @computed() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %half = lshr i32 %i, 1
  %v = and i32 %half, 1
  %p = getelementptr [2 x ptr], ptr @labels, i32 0, i32 %v
  %to = load ptr, ptr %p
  indirectbr ptr %to, [label %a, label %b]
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

define i32 @main() {
  call void @alternate()
  call void @same()
  call void @random()
  call void @two_places()
  %r = call i32 @down(i32 20, ptr @down)
  call void @computed()
  ret i32 0
}
