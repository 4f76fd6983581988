define i64 @f() {
  %r = call i64 asm "nop", "={rax}"()
  ret i64 %r
}
