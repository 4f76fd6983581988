/* cost_example.h - machine code of a few words of RISC-V as functions of a program, with flows written down: what the
 * tests of costs share. The core is that of core_fixture.h, made to issue one instruction a cycle and to fetch all. */
#ifndef TESTS_UNIT_ESTIMATE_COST_EXAMPLE_H
#define TESTS_UNIT_ESTIMATE_COST_EXAMPLE_H

#include "tests/unit/core/core_fixture.h"

#include "shimgen/estimate/compiled/compiled_cost.h"

/* Words by the manual's formats (RISC-V unprivileged ISA, chapter 2 and "M"). */
#define ADDI(to, from, value) ((uint32_t)(value) << 20 | (from) << 15 | (to) << 7 | 0x13u)
#define MUL(to, a, b)         (1u << 25 | (b) << 20 | (a) << 15 | (to) << 7 | 0x33u)
#define MULW(to, a, b)        (1u << 25 | (b) << 20 | (a) << 15 | (to) << 7 | 0x3bu)
#define DIVUW(to, a, b)       (1u << 25 | (b) << 20 | (a) << 15 | 5u << 12 | (to) << 7 | 0x3bu)
#define LD(to, base, offset)  ((uint32_t)(offset) << 20 | (base) << 15 | 3u << 12 | (to) << 7 | 0x03u)
#define SD(from, base)        ((from) << 20 | (base) << 15 | 3u << 12 | 0x23u)
#define BNE(a, b, back)                                                                                                \
    (0x7fu << 25 | (b) << 20 | (a) << 15 | 1u << 12 | ((32u - (back)) & 0x1eu) << 7 | 1u << 7 | 0x63u)
#define CALL(ahead)  ((uint32_t)(ahead) << 20 | 1u << 7 | 0x6fu)
#define JUMP(ahead)  ((uint32_t)(ahead) << 20 | 0x6fu)
#define CALL_REG(in) ((in) << 15 | 1u << 7 | 0x67u)
#define RET          0x00008067u

enum { FUNCTIONS = 8, NODES = 6, FUNCTION_BYTES = 64, FIRST_ADDRESS = 0x10000 };

static struct {
    struct iss_model *model;
    struct elf_function symbols[FUNCTIONS];
    struct machine_function functions[FUNCTIONS];
    struct node nodes[FUNCTIONS][NODES];
    uint32_t of[16];
    struct flow flows[FUNCTIONS];
    struct step_costs costs[FUNCTIONS];
    struct machine machine;
} it;

static inline uint64_t address_of(size_t function)
{
    return FIRST_ADDRESS + FUNCTION_BYTES * function;
}

static inline void begin_program(void)
{
    memset(&it, 0, sizeof it);
    it.model = small_model("architecture = none", "architecture = riscv64");
    it.model->width = 1;
    it.model->fetch.bytes = 64;
    it.model->fetch.taken = it.model->fetch.same_taken = it.model->fetch.back = 1;
    it.model->fetch.jump_register = it.model->fetch.call_register = 1;
    it.machine.functions = it.functions;
}

/* A function of these words, so far without nodes. Returns its number. */
static inline size_t add_function(const uint32_t *words, size_t n)
{
    struct error e = ERROR_INIT;
    size_t i = it.machine.n++;
    it.symbols[i] = (struct elf_function){.address = address_of(i), .size = FUNCTION_BYTES};
    it.functions[i] = (struct machine_function){.symbol = &it.symbols[i], .nodes = it.nodes[i]};
    const uint8_t *bytes = (const uint8_t *)words;
    assert_int_equal(iss_code_new(&it.functions[i].code, it.model, bytes, n * sizeof *words, address_of(i), &e), OK);
    assert_int_equal(it.functions[i].code->n, n);
    assert_int_equal(it.functions[i].code->n_unknown, 0);
    return i;
}
#define FUNCTION(...)                                                                                                  \
    add_function((const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

/* The next `n` instructions of the last function are a node; `times` it is executed. */
static inline size_t add_node_of(size_t n, enum node_end end, double times)
{
    struct machine_function *f = &it.functions[it.machine.n - 1];
    size_t first = f->n ? (size_t)(f->nodes[f->n - 1].steps - f->code->steps) + f->nodes[f->n - 1].n : 0;
    if (!f->n)
        it.flows[it.machine.n - 1].nodes = xcalloc(NODES, sizeof(double));
    assert_true(f->n < NODES && first + n <= f->code->n);
    it.flows[it.machine.n - 1].nodes[f->n] = times;
    f->nodes[f->n] = (struct node){.steps = f->code->steps + first,
                                   .n = n,
                                   .address = f->code->steps[first].address,
                                   .end = end,
                                   .target = NODE_NONE,
                                   .of = it.of};
    return f->n++;
}

/* Of the last function. */
static inline struct flow_move *add_move(size_t from, size_t to, double flow)
{
    struct flow *w = &it.flows[it.machine.n - 1];
    if (!w->first)
        w->first = xcalloc(NODES, sizeof *w->first);
    struct flow_move *m = flow_move(w, from, to);
    m->flow = flow;
    return m;
}

static inline void find_costs(enum iss_quotient quotient)
{
    cost_program(it.costs, &it.machine, it.flows, it.model, quotient);
}

static inline void end_program(void)
{
    for (size_t i = 0; i < it.machine.n; i++) {
        if (it.costs[i].cycles)
            step_costs_release(&it.costs[i]);
        flow_release(&it.flows[i]);
        iss_code_free(it.functions[i].code);
    }
    iss_model_free(it.model);
}

#endif
