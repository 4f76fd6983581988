target triple = "x86_64-pc-linux-gnu"
define i32 @main() naked {
  call void asm sideeffect "xorl %eax, %eax; ret", ""()
  unreachable
}
