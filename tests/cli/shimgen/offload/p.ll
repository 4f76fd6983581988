target triple = "x86_64-pc-linux-gnu"
@x = global [16 x double] zeroinitializer, align 64
declare void @free(ptr)
define double @dot(ptr %a, i32 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr double, ptr %a, i32 %i
  %v = load double, ptr %p
  %m = fmul double %v, %v
  %t = fadd double %s, %m
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, %n
  br i1 %c, label %out, label %loop
out:
  ret double %t
}
define i32 @main() {
  %a = call double @dot(ptr @x, i32 10)
  %b = call double @dot(ptr @x, i32 10)
  call void @free(ptr null)
  ret i32 0
}
