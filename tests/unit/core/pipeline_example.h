/* pipeline_example.h - programs for the pipeline, written down instruction by instruction, and a core that runs them.
 */
#ifndef TESTS_UNIT_CORE_PIPELINE_EXAMPLE_H
#define TESTS_UNIT_CORE_PIPELINE_EXAMPLE_H

#include "tests/unit/core/core_fixture.h"

#include "sim/core/pipeline.h"

enum { MOST = 512 };

/* A program is written down with these, then run as often as wanted. */
static struct {
    struct iss_op ops[MOST];
    struct iss_access_at accesses[MOST];
    size_t n, n_accesses;
} program;

static inline struct iss_op *put(enum iss_class class)
{
    struct iss_op *op = &program.ops[program.n++];
    assert_true(program.n <= MOST);
    memset(op, 0, sizeof *op);
    op->class = (uint8_t) class;
    op->size = 4;
    op->repeat = 1;
    op->width = 64;
    return op;
}

static inline struct iss_op *from(struct iss_op *op, unsigned reg, enum iss_need need)
{
    op->source[op->n_sources].reg = (uint8_t)reg;
    op->source[op->n_sources++].need = (uint8_t)need;
    return op;
}

static inline struct iss_op *to(struct iss_op *op, unsigned reg)
{
    op->dest[op->n_dests++] = (uint8_t)reg;
    return op;
}

static inline struct iss_op *access_memory(struct iss_op *op, enum iss_access kind, uint64_t address, unsigned bytes)
{
    op->memory = (uint8_t)kind;
    op->bytes = (uint16_t)bytes;
    program.accesses[program.n_accesses++] =
        (struct iss_access_at){.address = address, .step = (uint32_t)program.n - 1};
    return op;
}

static struct iss_core *core;
static struct iss_model *model;

static inline void open_core(const char *was, const char *is)
{
    memset(&program, 0, sizeof program);
    model = small_model(was, is);
    core = iss_core_new(model);
}

static inline void close_core(void)
{
    iss_core_free(core);
    iss_model_free(model);
}

static inline struct iss_counts counts(void)
{
    struct iss_counts c;
    iss_core_counts(core, &c);
    return c;
}

static inline void run(uint64_t address, uint64_t next)
{
    static struct iss_step steps[MOST];
    for (size_t i = 0; i < program.n; i++)
        iss_step_make(model, &program.ops[i], address + 4 * i, &steps[i]);
    iss_core_run(core, steps, program.n, program.accesses, program.n_accesses, next);
}

#endif
