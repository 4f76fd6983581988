/* rt_untrain.c - makes branch predictors lose what they have learned. The bench links this file alone. */
#include "rt.h"

/* Makes branch predictors lose what they know about the program. They remember what earlier launches of the same
 * program, at the same addresses with the same data, have taught them, until other work replaces it; for a sort of 100
 * numbers that saves 10,000 or 20,000 cycles. Two million branches at 8192 places are executed, taken or not by the
 * output bit of a 64-bit Galois shift register (x^64 + x^63 + x^61 + x^60 + 1, which has the longest period). On a Zen
 * 5, a quarter of them left large tables half trained. */
void rt_untrain(void)
{
    uint64_t x = UINT64_C(0x9e3779b97f4a7c15);
    for (int pass = 0; pass < 256; pass++) {
#if defined(__x86_64__)
        __asm__ volatile(".rept 8192\n\tshrq $1, %0\n\tjnc 1f\n\txorq %1, %0\n1:\n\t.endr"
                         : "+r"(x)
                         : "r"(UINT64_C(0xd800000000000000))
                         : "cc");
#elif defined(__aarch64__) /* the mask rotated left by one: it clears the bit that the rotation brings to the top */
        __asm__ volatile(".rept 8192\n\ttbz %0, #0, 1f\n\teor %0, %0, %1\n1:\n\tror %0, %0, #1\n\t.endr"
                         : "+r"(x)
                         : "r"(UINT64_C(0xb000000000000001)));
#elif defined(__riscv) && __riscv_xlen == 64
        /* nop: SiFive's 7 series does not predict a branch across one instruction */
        uint64_t bit;
        __asm__ volatile(
            ".rept 8192\n\tandi %1, %0, 1\n\tsrli %0, %0, 1\n\tbeqz %1, 1f\n\txor %0, %0, %2\n\tnop\n1:\n\t.endr"
            : "+r"(x), "=&r"(bit)
            : "r"(UINT64_C(0xd800000000000000)));
#endif
    }
    __asm__ volatile("" : : "r"(x));
}
