/* start_riscv.c - start-up of RISC-V parts in machine mode, for images that bring their own. C89. */
#include "shim_kit.h"

extern unsigned long __shim_data_load[], __shim_data[], __shim_data_end[], __shim_bss[], __shim_bss_end[];

void shim_begin(void);

/* Only hart 0 runs. */
__asm__(".section .vectors, \"ax\"\n"
        ".globl shim_start\n"
        "shim_start:\n\t"
        ".option push\n\t.option norelax\n\t"
        "csrr t0, mhartid\n"
        "1:\tbnez t0, 1b\n\t"
        "la gp, __global_pointer$\n\t"
        ".option pop\n\t"
        "la sp, __shim_stack_top\n\t"
        "la t0, shim_trap\n\t"
        "csrw mtvec, t0\n\t"
        "li t0, 0x2000\n\t"
        "csrs mstatus, t0\n\t" /* FS: enables the FPU, if there is one */
        "j shim_begin\n\t"
        ".balign 4\n"
        /* a trap is the running program's; if everything is printed it is SHIM_PORT_END's, and the part waits */
        "shim_trap:\n\t"
        "la t0, shim_kit_done\n\t"
        "lw t0, 0(t0)\n"
        "1:\tbnez t0, 1b\n\t"
        "j shim_start\n"
        ".text\n");

void shim_begin(void)
{
    unsigned long *to = __shim_data;
    const unsigned long *from = __shim_data_load;
    while (to < __shim_data_end)
        *to++ = *from++;
    for (to = __shim_bss; to < __shim_bss_end;)
        *to++ = 0;
    (void)shim_kit_run();
    for (;;)
        ;
}
