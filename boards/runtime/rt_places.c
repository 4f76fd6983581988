/* rt_places.c - does this launch run at addresses that no earlier one had, and do the branch predictors tell addresses
 * apart? Then they know nothing from earlier launches, and need not be untrained. */
#include "rt.h"
#include "clock.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64)

/* A branch for each byte, taken if it is 0. The code runs wherever it is copied to. RISC-V: across two instructions, since
 * SiFive's 7 series does not predict a branch across one. */
typedef void branches(const unsigned char *bytes, long n);
extern const char rt_branches_from[], rt_branches_to[];
__asm__(".pushsection .text\n"
        ".balign 64\n"
        ".hidden rt_branches_from\n.hidden rt_branches_to\n.globl rt_branches_from\n.globl rt_branches_to\n"
        "rt_branches_from:\n"
#if defined(__x86_64__)
        "xorl %eax, %eax\n"
        "1: cmpb $0, (%rdi)\n je 2f\n addq $1, %rax\n"
        "2: addq $1, %rdi\n subq $1, %rsi\n jne 1b\n ret\n"
#elif defined(__aarch64__)
        "mov x2, #0\n"
        "1: ldrb w3, [x0], #1\n cbz w3, 2f\n add x2, x2, #1\n"
        "2: subs x1, x1, #1\n b.ne 1b\n ret\n"
#else
        "li t1, 0\n"
        "1: lbu t0, 0(a0)\n beqz t0, 2f\n addi t1, t1, 1\n addi t2, t2, 1\n"
        "2: addi a0, a0, 1\n addi a1, a1, -1\n bnez a1, 1b\n ret\n"
#endif
        "rt_branches_to:\n.popsection");

enum { BRANCHES = 1024, PASSES = 60, LEARNT = 8, FRESH = 4, COPIES = 4 };
/* Offsets from the first copy. The kernel randomises addresses from bit 12 on. */
static const size_t places[COPIES] = {0, 1u << 16, 1u << 20, 1u << 24};
#define SPACE ((1u << 24) + 4096u)

static uint64_t random_bits = UINT64_C(0x9e3779b97f4a7c15);

static void fill(unsigned char *bytes)
{
    for (int i = 0; i < BRANCHES; i++) {
        random_bits = random_bits >> 1 ^ (random_bits & 1 ? UINT64_C(0xd800000000000000) : 0);
        bytes[i] = random_bits & 1;
    }
}

static uint64_t ticks(branches *f, const unsigned char *bytes)
{
    uint64_t t = rt_clock();
    f(bytes, BRANCHES);
    return rt_clock() - t;
}

/* The time of the fastest of the last passes. */
static uint64_t learn(branches *f, const unsigned char *bytes)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < PASSES; i++) {
        uint64_t t = ticks(f, bytes);
        if (i >= PASSES - LEARNT && t < best)
            best = t;
    }
    return best;
}

/* What is learnt at the first place must help there and nowhere else. An interrupt can only make the answer no, or make
 * one of the three other places look unknown. */
static int told_apart(char *space)
{
    unsigned char known[BRANCHES], fresh[BRANCHES];
    size_t size = (size_t)(rt_branches_to - rt_branches_from);
    for (int i = 0; i < COPIES; i++) {
        memcpy(space + places[i], rt_branches_from, size);
        __builtin___clear_cache(space + places[i], space + places[i] + size);
    }
    branches *at[COPIES];
    for (int i = 0; i < COPIES; i++) {
        char *p = space + places[i];
        memcpy(&at[i], &p, sizeof p); /* C has no conversion from a data pointer to a function pointer */
    }
    fill(known);
    uint64_t unknown = UINT64_MAX, learnt = learn(at[0], known);
    for (int i = 0; i < FRESH; i++) {
        fill(fresh);
        uint64_t t = ticks(at[0], fresh);
        unknown = t < unknown ? t : unknown;
    }
    if (unknown < 256 || 10 * learnt > 7 * unknown)
        return 0; /* the counter is too slow, or the predictor cannot learn so much */
    for (int i = 1; i < COPIES; i++) {
        (void)learn(at[0], known);
        if (10 * ticks(at[i], known) < 8 * unknown)
            return 0;
    }
    return 1;
}

/* The kernel chooses the address only of programs that can run anywhere. */
static int stands_anywhere(void)
{
    extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));
    int persona = personality(0xffffffff), fd = open("/proc/sys/kernel/randomize_va_space", O_RDONLY | O_CLOEXEC);
    char how = '0';
    if (fd >= 0) {
        if (read(fd, &how, 1) != 1)
            how = '0';
        close(fd);
    }
    return __ehdr_start.e_type == ET_DYN && persona >= 0 && !(persona & ADDR_NO_RANDOMIZE) && how != '0';
}

int rt_unknown_place(void)
{
    if (!stands_anywhere())
        return 0;
    char *space = mmap(0, SPACE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED)
        return 0;
    int fine = 1;
    for (int i = 0; i < COPIES; i++)
        fine = fine && !mprotect(space + places[i], 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    fine = fine && told_apart(space);
    munmap(space, SPACE);
    return fine;
}

#else
int rt_unknown_place(void)
{
    return 0;
}
#endif
