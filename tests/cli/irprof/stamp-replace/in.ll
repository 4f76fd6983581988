target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %c) {
entry:
  %x = load float, ptr %a
  %y = fmul float %x, 2.0
  store float %y, ptr %c
  ret void
}
