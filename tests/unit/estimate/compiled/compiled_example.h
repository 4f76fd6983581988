/* compiled_example.h - machine code written down as nodes, for tests of the method compiled. */
#ifndef TESTS_UNIT_ESTIMATE_COMPILED_EXAMPLE_H
#define TESTS_UNIT_ESTIMATE_COMPILED_EXAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "irprof/irprof.h"
#include "shimgen/estimate/compiled/compiled_flow.h"

enum { MOST = 16 };

/* Node i has one instruction, of instruction of[i] of the IR; the IR's instruction k + 1 is in block k. */
static struct {
    struct iss_step steps[MOST];
    uint32_t of[MOST];
    struct node nodes[MOST];
    struct irprof_spot spots[MOST + 1];
    struct irprof_label_segment segments[MOST];
    double executions[MOST], mispredicted[MOST];
    struct machine_function function;
    struct irprof_label_function labels;
} code;

static inline void begin(uint32_t n_blocks, const double *executions)
{
    memset(&code, 0, sizeof code);
    code.spots[0] = (struct irprof_spot){IRPROF_NONE, IRPROF_NONE, IRPROF_NONE};
    for (uint32_t b = 0; b < n_blocks; b++) {
        code.spots[b + 1] = (struct irprof_spot){b, b, 0};
        code.segments[b] = (struct irprof_label_segment){b, 0, 1};
        code.executions[b] = executions[b];
    }
    code.labels = (struct irprof_label_function){.n_blocks = n_blocks,
                                                 .segments = code.segments,
                                                 .n_segments = n_blocks,
                                                 .spots = code.spots,
                                                 .n_spots = n_blocks + 1};
    code.function.nodes = code.nodes;
}

/* A node for `block` (ELF_NO_BLOCK: the code generator's own) whose instruction is of block `of`. */
static inline void put(uint32_t block, uint32_t of, enum node_end end, size_t target)
{
    size_t i = code.function.n++;
    code.of[i] = of + 1;
    code.nodes[i] = (struct node){.steps = &code.steps[i],
                                  .n = 1,
                                  .address = 4 * i,
                                  .end = end,
                                  .labelled = true,
                                  .target = target,
                                  .of = &code.of[i],
                                  .number = block};
}

#endif
