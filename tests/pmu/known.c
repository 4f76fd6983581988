/* known.c - regions whose executed instructions are known: a thousand and ten thousand additions one after the other,
 * and a loop of 100000 iterations, three instructions each. */
#include <shim_region.h>

#if defined(__aarch64__)
#define CHANGES "x9", "x10", "cc"
#else
#define CHANGES "cc" /* only looked at, by clang-tidy */
#endif

int main(void)
{
    shim_region_begin("1000");
    __asm__ volatile(".rept 1000\n\tadd x9, x9, #1\n\t.endr" : : : CHANGES);
    shim_region_end("1000");
    shim_region_begin("10000");
    __asm__ volatile(".rept 10000\n\tadd x9, x9, #1\n\t.endr" : : : CHANGES);
    shim_region_end("10000");
    shim_region_begin("300000");
    __asm__ volatile("mov w9, #0x86a0\n\tmovk w9, #1, lsl #16\n1:\tadd x10, x10, #1\n\tsubs w9, w9, #1\n\tb.ne 1b"
                     :
                     :
                     : CHANGES);
    shim_region_end("300000");
    return 0;
}
