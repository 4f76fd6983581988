/* operands.c - operands ARCHITECTURE <INSTRUCTIONS: what a decoder of sim/core makes of machine code, in words that
 * another's disassembly can be brought into (operands_*.awk). Each line of the input is "ADDRESS CODE", both
 * hexadecimal, the code as one number; of the output "ADDRESS CODE from REGISTERS to REGISTERS MEMORY BRANCH". */
#include "sim/core/op.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

/* Each register once, in order: x0 ... x31, f0 ... f31, flags. */
static void print_registers(const char *word, uint8_t *regs, size_t n)
{
    qsort(regs, n, 1, by_number);
    printf(" %s", word);
    for (size_t i = 0; i < n; i++) {
        if (i && regs[i] == regs[i - 1])
            continue;
        if (regs[i] == ISS_REG_FLAGS)
            printf(" flags");
        else
            printf(" %c%d", regs[i] < ISS_REG_FP ? 'x' : 'f', regs[i] % ISS_REG_FP);
    }
}

static void print_op(const struct iss_op *op)
{
    static const char *const branches[] = {"", " jump", " if", " jump-register", " call", " call-register", " return"};
    static const char *const memory[] = {"", " read", " write", " both"};
    uint8_t sources[ISS_SOURCES], dests[ISS_DESTS + 32];
    size_t n_sources = 0, n_dests = 0;
    for (size_t i = 0; i < op->n_sources; i++)
        if (op->source[i].reg != ISS_REG_NONE)
            sources[n_sources++] = op->source[i].reg;
    for (size_t i = 0; i < op->n_dests; i++)
        if (op->dest[i] != ISS_REG_NONE)
            dests[n_dests++] = op->dest[i];
    for (uint8_t reg = 0; reg < 32; reg++)
        if (op->lost >> reg & 1)
            dests[n_dests++] = reg;
    print_registers("from", sources, n_sources);
    print_registers("to", dests, n_dests);
    if (op->memory)
        printf("%s%u", memory[op->memory], op->bytes);
    printf("%s", branches[op->branch]);
    if (op->branch == ISS_JUMP || op->branch == ISS_CONDITIONAL || op->branch == ISS_CALL_DIRECT)
        printf(" %" PRIx64, (uint64_t)op->constant);
}

int main(int argc, char **argv)
{
    const struct iss_decoder *d = argc == 2 ? iss_decoder_find(argv[1]) : NULL;
    void *state = d ? d->open() : NULL;
    if (!state) {
        fprintf(stderr, "operands: one argument is needed, an architecture that there is a decoder for\n");
        return 2;
    }
    char code_text[32];
    uint64_t address;
    while (scanf("%" SCNx64 " %31s", &address, code_text) == 2) {
        uint64_t word = strtoull(code_text, NULL, 16);
        size_t size = strlen(code_text) / 2;
        uint8_t code[8];
        for (size_t i = 0; i < sizeof code; i++)
            code[i] = (uint8_t)(word >> 8 * i);
        struct iss_op op;
        bool known = d->decode(state, code, size, address, &op);
        printf("%" PRIx64 " %s", address, code_text);
        if (known)
            print_op(&op);
        else
            printf(" unknown");
        printf("\n");
    }
    d->close(state);
    return 0;
}
