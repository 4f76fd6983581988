/* u74.c - loops of which the data file of the simulated SiFive U74 says what they take. Each is written twice, with 32
 * and with 64 copies of what is measured: the difference is free of the loop. u74.test reads the regions' cycles. */
#ifdef __riscv /* nothing for others: tools that look at all sources compile it for this machine */
#include <shim_region.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 5000

#define STRING_(x) #x
#define STRING(x)  STRING_(x)
/* a0: a pointer to itself; a1: 1; a2 to a5: integers; fa0 1.0; fa1 to fa7 reals; everything else is free. */
#define RUN(name, copies, body)                                                                                        \
    do {                                                                                                               \
        shim_region_begin(name "/" STRING(copies));                                                                    \
        __asm__ volatile("mv a0, %0\n\tli a1, 1\n\tli a2, 12345\n\tli a3, 678\n\tli a4, 9\n\tli a5, 10\n\t"            \
                         "fcvt.d.l fa0, a1\n\tfcvt.d.l fa1, a2\n\tfcvt.d.l fa2, a3\n\tfcvt.d.l fa3, a4\n\t"            \
                         "fmv.d fa4, fa1\n\tfmv.d fa5, fa2\n\tfmv.d fa6, fa3\n\tfmv.d fa7, fa1\n\t"                    \
                         "li t6, " STRING(ROUNDS) "\n\t.p2align 3\n"                                                   \
                                                  "9:\n\t.rept " STRING(copies) "\n\t" body "\n\t.endr\n\t"            \
                                                                                "addi t6, t6, -1\n\tbnez t6, 9b"       \
                         :                                                                                             \
                         : "r"(self)                                                                                   \
                         : "ra", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4", "t6",   \
                           "fa0", "fa1", "fa2", "fa3", "fa4", "fa5", "fa6", "fa7", "ft0", "ft1", "memory");            \
        shim_region_end(name "/" STRING(copies));                                                                      \
    } while (0)
#define LOOP(name, body)                                                                                               \
    RUN(name, 32, body);                                                                                               \
    RUN(name, 64, body)

static void *memory[8] __attribute__((aligned(64)));

static void integer(void **self)
{
    LOOP("add", "add a2, a2, a1");
    LOOP("add-independent", "add a2, a2, a1\n\tadd a3, a3, a1");
    LOOP("add-three", "add a2, a2, a1\n\tadd a3, a3, a1\n\tadd a4, a4, a1");
    LOOP("shift-add", "sll a2, a2, a1\n\tadd a2, a2, a1");
    LOOP("mul", "mul a2, a2, a3");
    LOOP("mul-independent", "mul a2, a3, a4\n\tmul t0, a3, a5");
    LOOP("mul-add", "mul a2, a2, a3\n\tadd a2, a2, a1");
    LOOP("mul-branch", "mul a2, a3, a4\n\tbeqz a1, 1f\n1:");
    LOOP("divu-4-bits", "divu t0, a5, a1\n\tand t0, t0, zero\n\tadd a1, a1, t0");
    LOOP("divu-64-bits", "li t0, -1\n\tdivu t0, t0, a1\n\tand t0, t0, zero\n\tadd a1, a1, t0");
    LOOP("div-negative", "li t0, -1000\n\tdiv t0, t0, a1\n\tand t0, t0, zero\n\tadd a1, a1, t0");
    LOOP("divw-7-bits", "li t0, 100\n\tdivw t0, t0, a1\n\tsubw a1, t0, a1\n\tslli a1, a1, 32\n\tsrai a1, a1, 63\n\t"
                        "addi a1, a1, 1");
    LOOP("remu-0-bits", "li t0, 5\n\tremu t0, a1, t0\n\tor a1, t0, t0");
}

static void access(void **self)
{
    LOOP("load", "ld a0, 0(a0)");
    LOOP("load-add-address", "ld a0, 0(a0)\n\tadd a0, a0, zero");
    LOOP("load-use", "ld t0, 8(a0)\n\tadd a2, a2, t0");
    LOOP("load-mul", "ld t0, 8(a0)\n\tmul a2, t0, t0");
    LOOP("load-two", "ld t0, 8(a0)\n\tld t1, 16(a0)");
    LOOP("load-store", "ld t0, 8(a0)\n\tsd a2, 16(a0)");
    LOOP("store-add", "sd a2, 16(a0)\n\tadd a3, a3, a1");
    LOOP("through-memory", "ld t0, 24(a0)\n\tsd t0, 24(a0)");
    LOOP("fp-load-use", "fld ft0, 32(a0)\n\tfadd.d fa1, fa1, ft0");
}

static void real(void **self)
{
    LOOP("fadd.d", "fadd.d fa1, fa1, fa0");
    LOOP("fadd.s", "fadd.s fa1, fa1, fa0");
    LOOP("fmul.d", "fmul.d fa1, fa1, fa0");
    LOOP("fmadd.d", "fmadd.d fa1, fa1, fa0, fa2");
    LOOP("fmadd.s", "fmadd.s fa1, fa1, fa0, fa2");
    LOOP("fmadd.d-sum", "fmadd.d fa1, fa2, fa0, fa1");
    LOOP("fdiv.d", "fdiv.d fa1, fa1, fa0");
    LOOP("fdiv.s", "fdiv.s fa1, fa1, fa0");
    LOOP("fsqrt.d", "fsqrt.d fa1, fa1");
    LOOP("fadd-independent", "fadd.d fa1, fa2, fa0\n\tfadd.d fa3, fa4, fa0");
    LOOP("fadd-add", "fadd.d fa1, fa2, fa0\n\tadd a2, a2, a1");
    LOOP("fsgnj.d", "fneg.d fa1, fa1");
    LOOP("fmv", "fmv.x.d a2, fa1\n\tfmv.d.x fa1, a2");
    LOOP("fcvt", "fcvt.l.d a2, fa1\n\tfcvt.d.l fa1, a2");
    LOOP("flt-branch", "flt.d t0, fa1, fa0\n\tbnez t0, 1f\n1:");
}

static void branches(void **self)
{
    LOOP("not-taken", "beqz a1, 1f\n1:\n\tadd a2, a2, a1");
    LOOP("not-taken-two", "beqz a1, 1f\n1:\n\tbeqz a1, 1f\n1:");
    LOOP("across", "beqz a1, 1f\n\tadd a2, a2, a1\n1:");
    LOOP("across-taken", "bnez a1, 1f\n\tadd a2, a2, a1\n1:");
    LOOP("across-compressed", "bnez a1, 1f\n\tc.mv a2, a3\n1:");
    LOOP("across-li", "bnez a1, 1f\n\tli a2, 5\n1:");
    LOOP("across-add", "add a2, a2, a1\n\tbnez a1, 1f\n\tadd a3, a3, a1\n1:");
    LOOP("across-chain", "bnez a2, 1f\n\tadd a2, a2, a1\n1:\n\tadd a2, a2, a1");
    LOOP("across-load", "ld t0, 8(a0)\n\tbnez t0, 1f\n\tadd a2, a2, a1\n1:");
    LOOP("across-address", "bnez a1, 1f\n\tadd a0, a0, a1\n1:\n\tld a0, 0(a0)");
    LOOP("across-mul", "bnez a1, 1f\n\tmul a2, a3, a4\n1:");
    LOOP("across-two", "bnez a1, 1f\n\tadd a2, a2, a1\n\tadd a3, a3, a1\n1:");
    LOOP("jump", ".p2align 3\n\tj 1f\n\t.p2align 3\n1:");
    LOOP("call", "call empty");
}
__asm__(".text\n\t.p2align 3\nempty:\tret");

/* A branch on each of `n` bytes. */
static void decide(const char *region, const uint8_t *bytes, size_t n)
{
    shim_region_begin(region);
    __asm__ volatile(
        ".p2align 3\n1:\n\tlbu t0, 0(%0)\n\taddi %0, %0, 1\n\tadd t2, t2, t1\n\tadd t2, t2, t1\n\tadd t2, t2, t1\n\t"
        "beqz t0, 2f\n\tadd t1, t1, t1\n\tadd t3, t3, t3\n2:\n\tbne %0, %1, 1b"
        : "+r"(bytes)
        : "r"(bytes + n)
        : "t0", "t1", "t2", "t3", "memory");
    shim_region_end(region);
}

/* A branch on each of `n` bytes across a single addition. */
static void predicate(const char *region, const uint8_t *bytes, size_t n)
{
    shim_region_begin(region);
    __asm__ volatile(".p2align 3\n1:\n\tlbu t0, 0(%0)\n\taddi %0, %0, 1\n\tadd t2, t2, t1\n\tadd t2, t2, t1\n\t"
                     "add t2, t2, t1\n\tbeqz t0, 2f\n\tadd t1, t1, t1\n2:\n\tbne %0, %1, 1b"
                     : "+r"(bytes)
                     : "r"(bytes + n)
                     : "t0", "t1", "t2", "memory");
    shim_region_end(region);
}

static void mispredictions(void)
{
    static uint8_t same[20000], random[20000];
    uint32_t x = 1;
    for (size_t i = 0; i < sizeof random; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        random[i] = x >> 9 & 1;
    }
    decide("decide/same", same, sizeof same);
    decide("decide/same-again", same, sizeof same);
    decide("decide/random", random, sizeof random);
    decide("decide/random-again", random, sizeof random);
    predicate("predicate/random", random, sizeof random);
}

/* A chase of pointers through all lines of `bytes` bytes in random order; `steps` of them after some iterations. */
static void chase(const char *region, size_t bytes, size_t steps)
{
    size_t n = bytes / 64;
    char *from = aligned_alloc(4096, bytes);
    uint32_t *order = malloc(n * sizeof *order);
    uint64_t x = 88172645463325252u;
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = n - 1; i > 0; i--) { /* Sattolo: one cycle */
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        size_t k = x % i;
        uint32_t o = order[i];
        order[i] = order[k];
        order[k] = o;
    }
    for (size_t i = 0; i < n; i++)
        *(void **)(void *)(from + 64 * (size_t)order[i]) = from + 64 * (size_t)order[(i + 1) % n];
    void *at = from;
    char warm[32];
    snprintf(warm, sizeof warm, "warm%s", region);
    shim_region_begin(strdup(warm));
    for (size_t i = 0; i < (4 * n < 200000 ? 4 * n : 200000); i++)
        at = *(void **)at;
    __asm__ volatile("" : "+r"(at));
    shim_region_end(strdup(warm));
    shim_region_begin(region);
    __asm__ volatile("1:\n\tld %0, 0(%0)\n\taddi %1, %1, -1\n\tbnez %1, 1b" : "+r"(at), "+r"(steps) : : "memory");
    shim_region_end(region);
    free(order);
    free(from);
}

static void read_all(const char *region, const char *p, const char *end)
{
    shim_region_begin(region);
    __asm__ volatile("1:\n\tld t0, 0(%0)\n\tld t0, 8(%0)\n\tld t0, 16(%0)\n\tld t0, 24(%0)\n\tld t0, 32(%0)\n\t"
                     "ld t0, 40(%0)\n\tld t0, 48(%0)\n\tld t0, 56(%0)\n\taddi %0, %0, 64\n\tbne %0, %1, 1b"
                     : "+r"(p)
                     : "r"(end)
                     : "t0", "memory");
    shim_region_end(region);
}

static void stream(void)
{
    size_t bytes = 8 << 20;
    char *from = aligned_alloc(4096, bytes);
    memset(from, 1, bytes);
    const char *end = from + bytes;
    read_all("stream/first", from, end); /* takes the written lines out of the caches */
    read_all("stream/read", from, end);
    const char *p = from;
    shim_region_begin("stream/fill");
    __asm__ volatile(
        "1:\n\tsd zero, 0(%0)\n\tsd zero, 8(%0)\n\tsd zero, 16(%0)\n\tsd zero, 24(%0)\n\tsd zero, 32(%0)\n\t"
        "sd zero, 40(%0)\n\tsd zero, 48(%0)\n\tsd zero, 56(%0)\n\taddi %0, %0, 64\n\tbne %0, %1, 1b"
        : "+r"(p)
        : "r"(end)
        : "memory");
    shim_region_end("stream/fill");
    free(from);
}

int main(void)
{
    memory[0] = memory;
    integer(memory);
    access(memory);
    real(memory);
    branches(memory);
    mispredictions();
    chase("chase/16K", 16 << 10, 50000);
    chase("chase/128K", 128 << 10, 50000);
    chase("chase/256K", 256 << 10, 50000);
    chase("chase/512K", 512 << 10, 50000);
    chase("chase/1M", 1 << 20, 50000);
    chase("chase/8M", 8 << 20, 50000);
    chase("chase/32M", 32 << 20, 50000);
    stream();
    return 0;
}
#else
int main(void)
{
    return 1;
}
#endif
