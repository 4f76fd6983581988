/* effects_x86_64.c - effects_x86_64 <INSTRUCTIONS: what the decoder says that an instruction of x86-64 reads and
 * writes, against the processor. Each line of the input is the instruction's bytes in hexadecimal, and a text for
 * messages. The instruction is executed with random contents of all registers, flags and memory, then once more
 * with each of them changed: what it was changed by it has written, and what changes with another one it has read
 * that from. Everything that it has read and written must be among what the decoder says. What the decoder says
 * and no execution showed is counted: false dependences are as wrong as missing ones, but some need luck to be
 * seen. Not executed: branches, system and string instructions, x87, AVX-512, what is relative to its own address. */
#include "sim/core/op.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

enum { GENERAL = 16, VECTORS = 16, VECTOR = 32, CARRY_FLAG = 1, OTHERS = 0x8c4 /* overflow, sign, zero, parity */ };
enum { FLAGS = GENERAL + VECTORS, CARRY, MEMORY, PLACES }; /* registers first */
enum { SCRATCH = 1 << 16, TRIALS = 12, RSP = 4 };

struct state {
    uint64_t general[GENERAL], flags;
    uint8_t vector[VECTORS][VECTOR];
};
static struct state in, out;
static uint64_t saved_stack;
static uint8_t *scratch, *code;
static size_t n_code;
static sigjmp_buf back;
static uint64_t seed = 88172645463325252u;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

/* ---- the code around the instruction ---- */

static void emit(const void *bytes, size_t n)
{
    memcpy(code + n_code, bytes, n);
    n_code += n;
}
#define EMIT(...) emit((const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

static void emit_address(const void *to) /* mov rax, to */
{
    uint64_t address = (uint64_t)(uintptr_t)to;
    EMIT(0x48, 0xb8);
    emit(&address, sizeof address);
}
static void emit_general(uint8_t opcode, unsigned reg) /* mov reg, [rax + 8 reg], or the other way */
{
    EMIT((uint8_t)(0x48 | (reg >= 8) << 2), opcode, (uint8_t)(0x40 | (reg & 7) << 3), (uint8_t)(8 * reg));
}
static void emit_vector(uint8_t opcode, unsigned reg) /* vmovdqu */
{
    uint32_t at = (uint32_t)(offsetof(struct state, vector) + VECTOR * reg);
    EMIT(0xc5, (uint8_t)(reg >= 8 ? 0x7e : 0xfe), opcode, (uint8_t)(0x80 | (reg & 7) << 3));
    emit(&at, sizeof at);
}

static void surround(const uint8_t *bytes, size_t n)
{
    uint32_t at = (uint32_t)offsetof(struct state, flags);
    const void *result = &out.general[0];
    n_code = 0;
    EMIT(0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57); /* push rbx, rbp, r12 ... r15 */
    emit_address(&saved_stack);
    EMIT(0x48, 0x89, 0x20); /* mov [rax], rsp */
    emit_address(&in);
    for (unsigned i = 0; i < VECTORS; i++)
        emit_vector(0x6f, i);
    EMIT(0xff, 0xb0); /* push [rax + flags] */
    emit(&at, sizeof at);
    EMIT(0x9d); /* popfq */
    for (unsigned i = GENERAL; i-- > 0;)
        emit_general(0x8b, i);
    emit(bytes, n);
    EMIT(0x48, 0xa3); /* movabs [result], rax */
    emit(&result, sizeof result);
    emit_address(&out);
    for (unsigned i = 1; i < GENERAL; i++)
        emit_general(0x89, i);
    for (unsigned i = 0; i < VECTORS; i++)
        emit_vector(0x7f, i);
    EMIT(0x48, 0xb9); /* mov rcx, &saved_stack */
    const void *stack = &saved_stack;
    emit(&stack, sizeof stack);
    EMIT(0x48, 0x8b, 0x21, 0x9c, 0x8f, 0x80); /* mov rsp, [rcx]; pushfq; pop [rax + flags] */
    emit(&at, sizeof at);
    EMIT(0xc5, 0xf8, 0x77);                                                 /* vzeroupper */
    EMIT(0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b, 0xc3); /* pop r15 ... rbx, ret */
}

static void caught(int number)
{
    siglongjmp(back, number);
}

/* False: it faulted, or this processor does not know it (*illegal). */
static bool execute(bool *illegal)
{
    int number = sigsetjmp(back, 1);
    *illegal = number == SIGILL;
    if (number)
        return false;
    ((void (*)(void))(uintptr_t)code)();
    return true;
}

/* ---- one instruction ---- */

struct seen {
    bool reads[PLACES], writes[PLACES];
    unsigned trials;
};
struct said {
    bool reads[PLACES], writes[PLACES];
};

static int place_of(unsigned reg)
{
    return reg < GENERAL                                     ? (int)reg
           : reg == GENERAL                                  ? CARRY
           : reg >= ISS_REG_FP && reg < ISS_REG_FP + VECTORS ? GENERAL + (int)(reg - ISS_REG_FP)
           : reg == ISS_REG_FLAGS                            ? FLAGS
                                                             : -1;
}

static void what_it_says(struct said *s, const struct iss_op *op)
{
    *s = (struct said){.reads = {0}};
    for (unsigned i = 0; i < op->n_sources; i++)
        if (place_of(op->source[i].reg) >= 0)
            s->reads[place_of(op->source[i].reg)] = true;
    for (unsigned i = 0; i < op->n_dests; i++)
        if (place_of(op->dest[i]) >= 0)
            s->writes[place_of(op->dest[i])] = true;
    s->reads[MEMORY] = op->memory & ISS_READ_MEMORY;
    s->writes[MEMORY] = op->memory & ISS_WRITE_MEMORY;
}

static void fill(uint8_t *memory, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t r = draw();
        memcpy(memory + i, &r, 8);
    }
}

/* A base is in the middle of the scratch memory, an index small; dividends are less than 2^63 of the divisor. */
static void draw_register(const struct iss_op *op, unsigned reg)
{
    unsigned nth = 0;
    in.general[reg] = draw();
    if (op->class >= ISS_SDIV32 && op->class <= ISS_UDIV64)
        in.general[reg] = reg == 2 ? 0 : reg == 0 ? draw() >> 34 : draw() >> 40 | 1;
    for (unsigned i = 0; i < op->n_sources; i++) {
        if (op->source[i].need != ISS_NEED_ADDRESS)
            continue;
        if (op->source[i].reg == reg)
            in.general[reg] = nth ? draw() % 8 * 64 : (uint64_t)(uintptr_t)scratch + SCRATCH / 2 + draw() % 32 * 64;
        nth++;
    }
}

static void draw_state(const struct iss_op *op)
{
    for (unsigned i = 0; i < GENERAL; i++)
        draw_register(op, i);
    if (in.general[RSP] < (uint64_t)(uintptr_t)scratch || in.general[RSP] >= (uint64_t)(uintptr_t)scratch + SCRATCH)
        in.general[RSP] = (uint64_t)(uintptr_t)scratch + SCRATCH / 2;
    in.flags = (draw() & (OTHERS | CARRY_FLAG)) | 0x202;
    fill(in.vector[0], sizeof in.vector);
}

static void change(const struct iss_op *op, unsigned place, uint8_t *memory)
{
    if (place < GENERAL && place != RSP)
        draw_register(op, place);
    else if (place == RSP)
        in.general[RSP] += 64;
    else if (place < FLAGS)
        fill(in.vector[place - GENERAL], VECTOR);
    else if (place == MEMORY)
        fill(memory, SCRATCH);
    else
        in.flags ^= place == CARRY ? CARRY_FLAG : OTHERS;
}

/* Do two states differ there? Of vectors, the upper half counts for AVX alone: SSE leaves it as it is. */
static bool differ(const struct state *a, const struct state *b, unsigned place, bool avx)
{
    if (place < GENERAL)
        return a->general[place] != b->general[place];
    if (place < FLAGS)
        return memcmp(a->vector[place - GENERAL], b->vector[place - GENERAL], avx ? VECTOR : VECTOR / 2) != 0;
    return (a->flags ^ b->flags) & (unsigned)(place == CARRY ? CARRY_FLAG : OTHERS);
}

static void compare(struct seen *s, const struct said *said, unsigned changed, const struct state *first_out, bool avx)
{
    for (unsigned i = 0; i < MEMORY; i++) {
        bool other = differ(&out, first_out, i, avx);
        if (i != changed && other)
            s->reads[changed] = true;
        if (i == changed && said->writes[i] && other && i < FLAGS) /* else it goes through unseen */
            s->reads[i] = true;
        if (i == changed && !said->writes[i] && differ(&out, &in, i, avx))
            s->writes[i] = true;
    }
}

static bool trial(struct seen *s, const struct said *said, const struct iss_op *op, bool avx, bool *illegal)
{
    static uint8_t memory[SCRATCH], after[SCRATCH], others[SCRATCH];
    draw_state(op);
    fill(memory, SCRATCH);
    memcpy(scratch, memory, SCRATCH);
    if (!execute(illegal))
        return false;
    const struct state first_in = in, first_out = out;
    memcpy(after, scratch, SCRATCH);
    for (unsigned i = 0; i < MEMORY; i++)
        s->writes[i] |= differ(&out, &in, i, avx);
    s->writes[MEMORY] |= memcmp(after, memory, SCRATCH) != 0;
    for (unsigned i = 0; i < PLACES; i++) {
        in = first_in;
        memcpy(others, memory, SCRATCH);
        change(op, i, others);
        memcpy(scratch, others, SCRATCH);
        if (!execute(illegal)) {
            s->reads[i] = true;
            continue;
        }
        compare(s, said, i, &first_out, avx);
        s->reads[i] |= i != MEMORY && memcmp(scratch, after, SCRATCH) != 0;
    }
    s->trials++;
    return true;
}

static const char *name_of(unsigned place)
{
    static const char *const general[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                          "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
    static char vector[8];
    if (place < GENERAL)
        return general[place];
    snprintf(vector, sizeof vector, "v%u", place - GENERAL);
    return place < FLAGS ? vector : place == FLAGS ? "flags" : place == CARRY ? "carry" : "memory";
}

struct totals {
    unsigned executed, skipped, illegal, faulted, unknown, wrong, claims, unseen;
};

static void judge(struct totals *t, const struct seen *s, const struct said *said, const char *text)
{
    for (unsigned i = 0; i < PLACES; i++) {
        if (s->reads[i] && !said->reads[i])
            printf("wrong: %s reads %s\n", text, name_of(i));
        if (s->writes[i] && !said->writes[i])
            printf("wrong: %s writes %s\n", text, name_of(i));
        t->wrong += (s->reads[i] && !said->reads[i]) + (s->writes[i] && !said->writes[i]);
        t->claims += said->reads[i] + said->writes[i];
        t->unseen += (said->reads[i] && !s->reads[i]) + (said->writes[i] && !s->writes[i]);
        if (said->reads[i] && !s->reads[i])
            printf("unseen: %s reads %s\n", text, name_of(i));
        if (said->writes[i] && !s->writes[i])
            printf("unseen: %s writes %s\n", text, name_of(i));
    }
}

static bool is_executed(const struct iss_op *op, const uint8_t *bytes)
{
    bool addressed = false, x87 = false;
    for (unsigned i = 0; i < op->n_sources; i++) {
        addressed |= op->source[i].need == ISS_NEED_ADDRESS && op->source[i].reg != ISS_REG_NONE;
        x87 |= op->source[i].reg > GENERAL && op->source[i].reg < ISS_REG_FP;
    }
    for (unsigned i = 0; i < op->n_dests; i++)
        x87 |= op->dest[i] > GENERAL && op->dest[i] < ISS_REG_FP;
    bool special = op->class == ISS_SYSTEM || op->class == ISS_BARRIER || op->class == ISS_LOAD_MANY ||
                   op->class == ISS_STORE_MANY || op->class == ISS_FP_LOAD_MANY || op->class == ISS_PREFETCH;
    special |= op->class == ISS_NOP && bytes[0] == 0xc5; /* vzeroupper: of upper halves alone */
    return !op->branch && !special && !x87 && (addressed || !op->memory) && bytes[0] != 0x62 && bytes[0] != 0x64 &&
           bytes[0] != 0x65;
}

static void test(struct totals *t, const struct iss_op *op, const uint8_t *bytes, size_t n, const char *text)
{
    struct seen seen = {.trials = 0};
    struct said said;
    bool illegal = false;
    if (!is_executed(op, bytes)) {
        t->skipped++;
        return;
    }
    what_it_says(&said, op);
    surround(bytes, n);
    for (unsigned i = 0; i < TRIALS && !illegal; i++)
        trial(&seen, &said, op, bytes[0] == 0xc4 || bytes[0] == 0xc5, &illegal);
    t->illegal += illegal;
    t->faulted += !illegal && !seen.trials;
    if (!illegal && !seen.trials)
        printf("faulted: %s\n", text);
    if (!seen.trials)
        return;
    t->executed++;
    judge(t, &seen, &said, text);
}

int main(void)
{
    if (!__builtin_cpu_supports("avx")) {
        printf("skip: this processor has no AVX\n");
        return 0;
    }
    struct sigaction action = {.sa_handler = caught, .sa_flags = SA_ONSTACK};
    static uint8_t stack[1 << 16];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    scratch = mmap(NULL, SCRATCH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    code = mmap(NULL, 1 << 12, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *decoder = iss_decode_x86_64.open();
    if (scratch == MAP_FAILED || code == MAP_FAILED || !decoder) {
        fprintf(stderr, "effects_x86_64: no memory that may be executed\n");
        return 2;
    }
    struct totals t = {0};
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        uint8_t bytes[15] = {0};
        size_t n = 0;
        char *at = line;
        unsigned byte;
        int taken;
        for (; n < sizeof bytes && sscanf(at, "%2x%n", &byte, &taken) == 1 && taken == 2 &&
               (at[2] == ' ' || at[2] == '\n');
             at += 3)
            bytes[n++] = (uint8_t)byte;
        at[strcspn(at, "\n")] = 0;
        struct iss_op op;
        if (!iss_decode_x86_64.decode(decoder, bytes, n, 0x100000, &op) || op.size != n) {
            printf("unknown: %s\n", at);
            t.unknown++;
        } else {
            test(&t, &op, bytes, n, at);
        }
    }
    iss_decode_x86_64.close(decoder);
    printf(
        "executed %u, not executed %u, not of this processor %u, faulted %u, unknown %u, wrong %u, unseen %u of %u\n",
        t.executed, t.skipped, t.illegal, t.faulted, t.unknown, t.wrong, t.unseen, t.claims);
    return t.wrong || t.unknown;
}
#else
int main(void)
{
    printf("skip: this processor is no x86-64\n");
    return 0;
}
#endif
