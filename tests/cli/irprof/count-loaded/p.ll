target triple = "x86_64-pc-linux-gnu"
@file = constant [12 x i8] c"./plugin.so\00"
@name = constant [5 x i8] c"work\00"
declare ptr @dlopen(ptr, i32)
declare ptr @dlsym(ptr, ptr)
declare i32 @dlclose(ptr)
define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %h = call ptr @dlopen(ptr @file, i32 2)
  %f = call ptr @dlsym(ptr %h, ptr @name)
  call void %f()
  %r = call i32 @dlclose(ptr %h)
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, 2
  br i1 %c, label %out, label %loop
out:
  ret i32 0
}
