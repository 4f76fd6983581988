target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
target triple = "riscv32-unknown-linux-gnu"
define i32 @f(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
