/* m4.c - sequences of which Arm's manual says what a Cortex-M4 takes for them. Each is written twice, with 16 and
 * with 48 copies of what is measured: the difference is free of the loop. What flash memory costs is seen in code
 * that is run once. m4.test reads the regions' cycles, m4.expected says what they must be. */
#ifdef __arm__ /* nothing for others: tools that look at all sources compile it for this machine */
#include <shim_region.h>

#include <stdint.h>

#define ROUNDS 1000

#define STRING_(x) #x
#define STRING(x)  STRING_(x)
/* r0: an address of 64 bytes, the first word of which is itself; r1: 1; r4: constants; r5: 0; r6: r0; r9: 100; r10: 7; r11: -1; s0 to s7:
 * reals, s1 1.0; everything else but r7 is free. */
#define RUN(name, copies, rounds, body)                                                                                \
    do {                                                                                                               \
        shim_region_begin(name "/" STRING(copies));                                                                    \
        __asm__ volatile("mov r0, %0\n\tmovs r1, #1\n\tmovs r5, #0\n\tmov r6, r0\n\tmov.w r9, #100\n\t"                \
                         "movw r4, :lower16:constants\n\tmovt r4, :upper16:constants\n\t"                              \
                         "mov.w r10, #7\n\tmov.w r11, #-1\n\tvmov.f32 s1, #1.0\n\tvmov.f32 s2, #2.0\n\t"               \
                         "vmov.f32 s3, #3.0\n\tvmov.f32 s0, s1\n\tvmov.f32 s4, s2\n\tvmov.f32 s5, s1\n\t"              \
                         "movw r8, #" STRING(rounds) "\n\t.p2align 5\n"                                                \
                                                     "9:\n\t.rept " STRING(copies) "\n\t" body "\n\t.endr\n\t"         \
                                                                                   "subs.w r8, r8, #1\n\tbne.w 9b"     \
                         :                                                                                             \
                         : "r"(self)                                                                                   \
                         : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", "lr", "s0",      \
                           "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "cc", "memory");        \
        shim_region_end(name "/" STRING(copies));                                                                      \
    } while (0)
#define LOOP(name, body)                                                                                               \
    RUN(name, 16, ROUNDS, body);                                                                                       \
    RUN(name, 48, ROUNDS, body)
#define ONCE(name, body)                                                                                               \
    RUN(name, 16, 1, body);                                                                                            \
    RUN(name, 48, 1, body)

static uint32_t memory[16] __attribute__((aligned(64)));
static const uint32_t constants[64] __attribute__((aligned(64), used)) = {1}; /* nine lines and more of the flash */

static void integer(uint32_t *self)
{
    LOOP("add", "adds r2, r2, r1");
    LOOP("add-wide", "add.w r2, r2, r1");
    LOOP("add-wide-unaligned", "nop.n\n\tadd.w r2, r2, r1\n\tadd.w r3, r3, r1\n\tnop.n");
    LOOP("add-shifted", "add.w r2, r2, r1, lsl #3");
    LOOP("mul", "muls r2, r1, r2");
    LOOP("mla", "mla r2, r1, r1, r2");
    LOOP("umull", "umull r2, r3, r1, r2");
    LOOP("smlal", "smlal r2, r3, r1, r1");
    LOOP("smlad", "smlad r2, r1, r1, r2");
    LOOP("udiv-0-bits", "udiv r2, r1, r9");
    LOOP("udiv-4-bits", "udiv r2, r9, r10");
    LOOP("udiv-32-bits", "udiv r2, r11, r1");
    LOOP("sdiv-negative", "sdiv r2, r11, r1");
    LOOP("sdiv-7-bits", "sdiv r2, r9, r11");
}

static void memory_access(uint32_t *self)
{
    LOOP("load-add", "ldr r2, [r0]\n\tadds r3, r3, r1");
    LOOP("load-use", "ldr r2, [r0]\n\tadds r2, r2, r1");
    LOOP("load-two", "ldr r2, [r0]\n\tldr r3, [r0, #4]\n\tadds r4, r4, r1");
    LOOP("load-three", "ldr r2, [r0]\n\tldr r3, [r0, #4]\n\tldr r4, [r0, #8]\n\tadds r2, r2, r1");
    LOOP("load-register", "ldr r2, [r0, r5]\n\tldrb r3, [r0, r5]\n\tadds r4, r4, r1");
    LOOP("load-chain", "ldr r0, [r0]");
    LOOP("address", "adds r4, r0, r5\n\tldr r2, [r4]\n\tadds r3, r3, r1");
    LOOP("address-later", "adds r4, r0, r5\n\tadds r3, r3, r1\n\tldr r2, [r4]\n\tadds r3, r3, r1");
    LOOP("store", "str r1, [r0, #8]");
    LOOP("store-add", "str r1, [r0, #8]\n\tadds r2, r2, r1");
    LOOP("store-register", "str r1, [r6, r5]\n\tadds r2, r2, r1");
    LOOP("load-store", "ldr r2, [r0, #4]\n\tstr r2, [r0, #8]\n\tadds r3, r3, r1");
    LOOP("store-load", "str r1, [r0, #8]\n\tldr r2, [r0, #4]\n\tadds r3, r3, r1");
    LOOP("copy", "ldr r2, [r0, #4]\n\tstr r2, [r0, #8]");
    LOOP("post-index", "ldr r2, [r6], #4\n\tldr r3, [r6], #-4");
    LOOP("post-index-two", "ldr r2, [r6], #0\n\tldr r3, [r0], #0");
    LOOP("ldrd", "ldrd r2, r3, [r0, #8]");
    LOOP("strd", "strd r1, r5, [r0, #8]");
    LOOP("ldm", "ldm r0, {r2, r3, r4, r12}");
    LOOP("stm", "add.w r12, r0, #16\n\tnop\n\tstm r12, {r1, r2, r3, r4}");
    LOOP("store-ldm", "str r1, [r0, #8]\n\tldm r0, {r2, r3}");
    LOOP("load-ldm", "ldr r12, [r0, #8]\n\tldm r0, {r2, r3}");
    LOOP("push-pop", "push {r2, r3, r4}\n\tpop {r2, r3, r4}");
    LOOP("unaligned-word-2", "ldr r2, [r0, #6]\n\tadds r3, r3, r1");
    LOOP("unaligned-word-1", "ldr r2, [r0, #5]\n\tadds r3, r3, r1");
    LOOP("unaligned-half", "ldrh r2, [r0, #5]\n\tadds r3, r3, r1");
    LOOP("aligned-half", "ldrh r2, [r0, #6]\n\tadds r3, r3, r1");
}

static void control(uint32_t *self)
{
    LOOP("branch", "b.n 1f\n1:\tadds r2, r2, r1");
    LOOP("branch-to-wide", ".p2align 2\n\tb.n 1f\n1:\tadd.w r2, r2, r1\n\tadds r3, r3, r1");
    LOOP("branch-to-aligned-wide", ".p2align 2\n\tb.n 1f\n\tnop.n\n1:\tadd.w r2, r2, r1");
    LOOP("not-taken", "cmp r1, #0\n\tbeq.n 1f\n\tadds r2, r2, r1\n1:\tadds r3, r3, r1");
    LOOP("taken", "cmp r1, #1\n\tbeq.n 1f\n\tadds r2, r2, r1\n1:\tadds r3, r3, r1");
    LOOP("cbz-taken", "cbz r5, 1f\n\tadds r2, r2, r1\n1:\tadds r3, r3, r1");
    LOOP("count-down", "movs r2, #10\n1:\tsubs r2, r2, #1\n\tbne.n 1b");
    LOOP("call", ".p2align 2\n\tbl 1f\n\tb.n 2f\n1:\tbx lr\n2:");
    LOOP("pop-pc", ".p2align 2\n\tbl 1f\n\tb.n 2f\n1:\tpush {r4, lr}\n\tpop {r4, pc}\n2:");
    LOOP("load-pc",
         ".p2align 2\n\tadr r2, 1f\n\tadds r2, #1\n\tstr r2, [r0, #8]\n\tldr pc, [r0, #8]\n\t.p2align 2\n1:");
    LOOP("table", ".p2align 2\n\ttbb [pc, r5]\n\t.byte 1, 1\n1:\tadds r2, r2, r1");
    LOOP("it-folded", "cmp r1, #1\n\tit eq\n\taddeq r2, r2, r1");
    LOOP("it-after-wide", "cmp.w r1, #1\n\tit eq\n\taddeq r2, r2, r1");
    LOOP("it-not-met", "cmp r1, #0\n\titte eq\n\tmuleq r2, r1, r2\n\taddeq r2, r2, r1\n\taddne r3, r3, r1");
    LOOP("it-load", "cmp r1, #1\n\tit eq\n\tldreq r2, [r0]");
    LOOP("it-no-load", "cmp r1, #0\n\tit eq\n\tldreq r2, [r0]");
    LOOP("it-no-divide", "cmp r1, #0\n\tit eq\n\tudiveq r2, r11, r1");
}

static void reals(uint32_t *self)
{
    LOOP("vadd-chain", "vadd.f32 s0, s0, s1");
    LOOP("vadd-independent", "vadd.f32 s6, s1, s2\n\tvadd.f32 s7, s1, s3");
    LOOP("vmul-vmla", "vmul.f32 s6, s1, s2\n\tvmla.f32 s6, s1, s3");
    LOOP("vmla-chain", "vmla.f32 s0, s1, s1");
    LOOP("vfma-factor", "vfma.f32 s0, s0, s5");
    LOOP("vdiv", "vdiv.f32 s6, s1, s2");
    LOOP("vdiv-beside", "vdiv.f32 s6, s1, s2\n\tadds r2, r2, r1\n\tadds r3, r3, r1\n\tudiv r4, r1, r9");
    LOOP("vdiv-use", "vdiv.f32 s6, s1, s2\n\tvadd.f32 s7, s6, s6");
    LOOP("vsqrt", "vsqrt.f32 s6, s2");
    LOOP("vldr", "vldr s6, [r0, #4]\n\tvadd.f32 s7, s6, s1");
    LOOP("vldr-double", "vldr d4, [r0, #8]");
    LOOP("vldm", "vldm r0, {s6, s7, s8}");
    LOOP("vstr", "vstr s1, [r0, #8]");
    LOOP("vmov-core", "vmov r2, s1");
    LOOP("vmov-two", "vmov r2, r3, d0");
    LOOP("vcmp", "vcmp.f32 s1, s2\n\tvmrs APSR_nzcv, fpscr");
    LOOP("vcvt-use", "vcvt.s32.f32 s6, s1\n\tvcvt.f32.s32 s7, s6");
}

/* Lines of 16 bytes. */
static void flash(uint32_t *self)
{
    ONCE("once-wide", "add.w r2, r2, r1\n\tadd.w r3, r3, r1\n\tadd.w r2, r2, r1\n\tadd.w r3, r3, r1");
    ONCE("once-narrow", ".rept 8\n\tadds r2, r2, r1\n\t.endr");
    ONCE("once-every-second", "b.n 1f\n\t.p2align 5\n1:");
    RUN("again-wide", 16, ROUNDS, "add.w r2, r2, r1\n\tadd.w r3, r3, r1");
    RUN("again-wide", 48, ROUNDS, "add.w r2, r2, r1\n\tadd.w r3, r3, r1");
    LOOP("constant-again", "ldr r2, [r4]\n\tadds r3, r3, r1");
    LOOP("constants", "ldr r2, [r4]\n\tldr r2, [r4, #16]\n\tldr r2, [r4, #32]\n\tldr r2, [r4, #48]\n\t"
                      "ldr r2, [r4, #64]\n\tldr r2, [r4, #80]\n\tldr r2, [r4, #96]\n\tldr r2, [r4, #112]\n\t"
                      "ldr.w r2, [r4, #128]");
}

int main(void)
{
    memory[0] = (uint32_t)(uintptr_t)memory;
    integer(memory);
    memory_access(memory);
    control(memory);
    reals(memory);
    flash(memory);
    return 0;
}
#endif
