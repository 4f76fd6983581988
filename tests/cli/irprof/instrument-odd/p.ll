target triple = "x86_64-pc-linux-gnu"
@slots = global [2 x ptr] [ptr blockaddress(@jumps, %a), ptr blockaddress(@jumps, %b)]
@picked = ifunc i32 (), ptr @resolver
define i32 @chosen() {
  ret i32 1
}
define ptr @resolver() {
  ret ptr @chosen
}
define void @told() noprofile {
  ret void
}
define i32 @bare() naked {
  call void asm sideeffect "movl $$7, %eax; ret", ""()
  unreachable
}
define i32 @pure(i32 %x) memory(none) willreturn nounwind {
  %r = mul i32 %x, 3
  ret i32 %r
}
define i32 @jumps(i64 %i) {
entry:
  %p = getelementptr [2 x ptr], ptr @slots, i64 0, i64 %i
  %t = load ptr, ptr %p
  indirectbr ptr %t, [label %a, label %b]
a:
  br label %b
b:
  %r = phi i32 [ 10, %a ], [ 20, %entry ]
  ret i32 %r
}
define i32 @even(i32 %n) {
  %z = icmp eq i32 %n, 0
  br i1 %z, label %yes, label %on
yes:
  ret i32 5
on:
  %m = sub i32 %n, 1
  %r = musttail call i32 @odd(i32 %m)
  ret i32 %r
}
define i32 @odd(i32 %n) {
  %z = icmp eq i32 %n, 0
  br i1 %z, label %yes, label %on
yes:
  ret i32 6
on:
  %m = sub i32 %n, 1
  %r = musttail call i32 @even(i32 %m)
  ret i32 %r
}
define i32 @asmgoto() {
  callbr void asm sideeffect "jmp ${0:l}", "!i"() to label %through [label %away]
through:
  ret i32 1
away:
  ret i32 2
}
define i32 @main() {
  %a = call i32 @picked()
  %b = call i32 @bare()
  call void @told()
  %c = call i32 @pure(i32 2)
  %d = call i32 @jumps(i64 0)
  %e = call i32 @even(i32 3)
  %f = call i32 @asmgoto()
  %s = add i32 %a, %b
  %t = add i32 %s, %c
  %u = add i32 %t, %d
  %w = add i32 %u, %e
  %x = add i32 %w, %f
  ret i32 %x
}
