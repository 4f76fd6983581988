/* schedule_example.h - profiles written down instruction by instruction, so that the cycles of each can be derived by
 * hand. Each instruction is a part of its own: its cycles are those of the part with its number.
 *
 *     begin();
 *     block(0, 0, NO, 10);                      function 0, block 0, in no loop, executed 10 times
 *     uint32_t l = put("load.i32", NO, NO);
 *     put("add.i32", l, NO);                    its operand is what l loaded
 *     struct estimate *est = estimated(&costs);
 */
#ifndef TESTS_UNIT_ESTIMATE_SCHEDULE_EXAMPLE_H
#define TESTS_UNIT_ESTIMATE_SCHEDULE_EXAMPLE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/estimate/schedule/schedule.h"

enum { MOST = 5100, BLOCKS = 16, FUNCTIONS = 3, KEYS = 128 };
#define NO      IRPROF_NONE
#define ADDRESS 0x40000000u /* ADDRESS | i as an operand: i says where the access goes */

static struct {
    struct irprof_profile p;
    char *keys[KEYS], *events[4];
    struct irprof_instruction instructions[MOST];
    struct irprof_operand operands[3 * MOST];
    struct irprof_access accesses[BLOCKS];
    struct irprof_base bases[BLOCKS];
    struct irprof_part parts[MOST];
    struct irprof_segment segments[BLOCKS];
    struct irprof_edge edges[BLOCKS];
    struct irprof_loop loops[BLOCKS];
    struct irprof_event_site event_sites[BLOCKS];
    struct irprof_function functions[FUNCTIONS];
    struct irprof_call calls[BLOCKS];
    struct irprof_module module;
    struct irprof_region region;
    uint64_t executions[BLOCKS], taken[BLOCKS], iterations[BLOCKS], repeats[BLOCKS], event_counts[BLOCKS];
    bool same_line; /* the next instruction goes into the part of the one before */
} x;

static inline void begin(void)
{
    memset(&x, 0, sizeof x);
    for (size_t f = 0; f < FUNCTIONS; f++)
        x.functions[f] = (struct irprof_function){.name = (char *)"f", .file = NO};
    x.module.target = (char *)"";
    x.region = (struct irprof_region){.name = (char *)"main",
                                      .entries = 1,
                                      .executions = x.executions,
                                      .taken = x.taken,
                                      .iterations = x.iterations,
                                      .repeats = x.repeats,
                                      .event_counts = x.event_counts};
    x.p = (struct irprof_profile){.keys = x.keys,
                                  .instructions = x.instructions,
                                  .operands = x.operands,
                                  .accesses = x.accesses,
                                  .bases = x.bases,
                                  .parts = x.parts,
                                  .segments = x.segments,
                                  .edges = x.edges,
                                  .loops = x.loops,
                                  .event_sites = x.event_sites,
                                  .events = x.events,
                                  .functions = x.functions,
                                  .calls = x.calls,
                                  .n_functions = FUNCTIONS,
                                  .modules = &x.module,
                                  .n_modules = 1,
                                  .regions = &x.region,
                                  .n_regions = 1};
}

/* What follows goes into this block. Functions and, within them, blocks come in ascending order. */
static inline void block(uint32_t function, uint32_t number, uint32_t loop, uint64_t times)
{
    struct irprof_profile *p = &x.p;
    struct irprof_segment *before = p->n_segments ? &x.segments[p->n_segments - 1] : 0;
    bool same = before && before->function == function && before->block == number;
    x.executions[p->n_segments] = times;
    x.segments[p->n_segments++] = (struct irprof_segment){
        function, number, same ? before->number + 1 : 0, loop, (uint32_t)p->n_parts, 0, (uint32_t)p->n_instructions, 0};
}

/* The block's next segment. */
static inline void half(uint64_t times)
{
    const struct irprof_segment *g = &x.segments[x.p.n_segments - 1];
    block(g->function, g->block, g->loop, times);
}

static inline uint32_t key_number(const char *key)
{
    size_t i = 0;
    while (i < x.p.n_keys && strcmp(x.keys[i], key) != 0)
        i++;
    assert_true(i < KEYS);
    if (i == x.p.n_keys)
        x.keys[x.p.n_keys++] = (char *)key;
    return (uint32_t)i;
}

static inline void operand(uint32_t from)
{
    struct irprof_profile *p = &x.p;
    x.operands[p->n_operands++] = (struct irprof_operand){from & ~ADDRESS, (from & ADDRESS) != 0};
    x.instructions[p->n_instructions - 1].n_operands++;
}

/* An instruction with up to two operands that instructions made; its number. */
static inline uint32_t put(const char *key, uint32_t a, uint32_t b)
{
    struct irprof_profile *p = &x.p;
    struct irprof_segment *g = &x.segments[p->n_segments - 1];
    if (!x.same_line || !g->n_parts) {
        x.parts[p->n_parts++] = (struct irprof_part){IRPROF_NONE, 0, 0, 0, (uint32_t)p->n_event_sites, 0};
        g->n_parts++;
    }
    uint32_t i = (uint32_t)p->n_instructions++;
    x.instructions[i] =
        (struct irprof_instruction){key_number(key), (uint32_t)p->n_parts - 1, (uint32_t)p->n_operands, 0, 0};
    g->n_instructions++;
    if (a != NO)
        operand(a);
    if (b != NO)
        operand(b);
    return i;
}

/* The same with constants among its operands. */
static inline uint32_t put_constant(const char *key, uint32_t a, uint32_t b, unsigned constants)
{
    uint32_t i = put(key, a, b);
    x.instructions[i].constants = constants;
    return i;
}

/* The last instruction accesses `size` bytes at an offset from a base; the so many before it write nothing of them. */
static inline void at(uint32_t base, int64_t offset, uint32_t size, uint32_t clear)
{
    struct irprof_profile *p = &x.p;
    while (p->n_bases <= base) {
        x.bases[p->n_bases] = (struct irprof_base){.object = (uint32_t)p->n_bases};
        p->n_bases++;
    }
    x.accesses[p->n_accesses++] = (struct irprof_access){.instruction = (uint32_t)p->n_instructions - 1,
                                                         .base = base,
                                                         .offset = offset,
                                                         .size = size,
                                                         .write = IRPROF_WRITE_BLOCK,
                                                         .clear = clear};
}

/* The function keeps a variable in memory: code that is not optimised stays in its order. */
static inline void keeps_variables(uint32_t function)
{
    block(function, 1000, NO, 0);
    uint32_t variable = put("alloca.ptr", NO, NO);
    put("load.i32", ADDRESS | variable, NO);
}

static inline void edge(uint32_t function, uint32_t from, uint32_t to, enum irprof_edge_kind kind, uint64_t taken)
{
    x.taken[x.p.n_edges] = taken;
    x.edges[x.p.n_edges++] = (struct irprof_edge){function, from, to, NO, 0, kind};
}

static inline uint32_t loop(uint32_t header, uint32_t parent, uint64_t iterations, uint64_t repeats)
{
    uint32_t l = (uint32_t)x.p.n_loops++;
    x.iterations[l] = iterations;
    x.repeats[l] = repeats;
    x.loops[l] = (struct irprof_loop){0, header, parent == NO ? 1 : 2, parent, NO, 0};
    return l;
}

/* The last instruction calls this function; NO: one that is not in the profile. */
static inline void calls(uint32_t function)
{
    x.calls[x.p.n_calls++] =
        (struct irprof_call){.segment = (uint32_t)x.p.n_segments - 1, .callee = function, .name = "f", .file = NO};
}

/* The profile has an event. */
static inline uint32_t event(const char *name)
{
    x.events[x.p.n_events] = (char *)name;
    return (uint32_t)x.p.n_events++;
}

/* It happens so often in the part of the last instruction. */
static inline void happens(uint32_t e, uint64_t times)
{
    x.event_counts[x.p.n_event_sites] = times;
    x.event_sites[x.p.n_event_sites++] = (struct irprof_event_site){.event = e};
    x.parts[x.p.n_parts - 1].n_event_sites++;
}

/* The same, as often in each execution. */
static inline void happens_always(uint32_t e, uint64_t times)
{
    happens(e, times);
    x.event_sites[x.p.n_event_sites - 1].constant = true;
}

/* Pitch and Latency, the same at best and at worst. */
static inline void value(struct costs *c, const char *name, double pitch, double latency)
{
    costs_add(c, name, (struct cycles){pitch, pitch, pitch}, (struct cycles){latency, latency, latency});
}

/* Two instructions a cycle in order; with `ahead` four, so that the core is one that executes out of order. */
static inline struct costs some_costs(bool ahead)
{
    static const char *const simple[] = {"add",  "sub",  "and",  "or",   "xor", "shl",
                                         "lshr", "ashr", "sext", "zext", "icmp"};
    struct costs c = {.core = xstrdup("Core"), .n_refills = 2};
    double pitch = ahead ? 0.25 : 0.5;
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        value(&c, simple[i], pitch, 1);
    value(&c, "br", pitch, 1);
    value(&c, "ret", pitch, 1);
    value(&c, "load", 1, 3);
    value(&c, "store", 1, 5);
    value(&c, "mul", 1, 4);
    value(&c, "sdiv", 8, 10);
    value(&c, "call", 6, 20);
    c.refills[0] = (struct cycles){10, 10, 10};
    c.streams[0] = (struct cycles){4, 4, 4};
    c.refills[1] = (struct cycles){100, 100, 100};
    c.streams[1] = (struct cycles){40, 40, 40};
    return c;
}

static inline struct estimate *estimated(const struct costs *c)
{
    struct estimate *est;
    struct error e = ERROR_INIT;
    struct estimate_request q = {.profile = &x.p, .costs = c};
    if (estimate_run(&est, &estimator_schedule, &q, &e))
        fail_msg("%s", e.message);
    return est;
}

/* The cycles of instructions `first` and following, each execution of them (`times`). */
static inline void cycles_are(const struct estimate *est, size_t first, const double *each, size_t n, double times)
{
    for (size_t i = 0; i < n; i++)
        if (est->parts[first + i].typical != times * each[i])
            fail_msg("instruction %zu (%s): %g cycles, not %g", first + i, x.keys[x.instructions[first + i].key],
                     est->parts[first + i].typical / times, each[i]);
}
#define CYCLES_ARE(est, first, times, ...)                                                                             \
    cycles_are(est, first, (const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double), times)

/* The profile as it is, estimated with the usual values of a core in order. */
#define IN_ORDER_ARE(first, times, ...)                                                                                \
    do {                                                                                                               \
        struct costs in_order_costs = some_costs(false);                                                               \
        struct estimate *in_order_est = estimated(&in_order_costs);                                                    \
        CYCLES_ARE(in_order_est, first, times, __VA_ARGS__);                                                           \
        estimate_free(in_order_est);                                                                                   \
        costs_release(&in_order_costs);                                                                                \
    } while (0)

/* ---- the schedule's own data, for those who look at what is between profile and cycles ---- */

static struct estimate bare;
static struct block blocks[BLOCKS];
static struct ir_key parsed[KEYS];

/* Of the profile as it is; close_schedule. */
static inline void open_schedule(struct schedule *s, const struct costs *c)
{
    const struct irprof_profile *p = &x.p;
    bare = (struct estimate){.profile = p, .costs = c};
    key_costs_init(&bare.keys, p, c);
    for (size_t i = 0; i < p->n_keys; i++)
        parsed[i] = ir_key(p->keys[i]);
    *s = (struct schedule){
        .p = p, .region = &x.region, .est = &bare, .keys = parsed, .issue = costs_issue(c), .blocks = blocks};
    s->out_of_order = costs_out_of_order(c);
    s->folds = xcalloc(p->n_instructions, sizeof *s->folds);
    s->code = xcalloc(p->n_instructions, sizeof *s->code);
    s->order = xcalloc(p->n_instructions, sizeof *s->order);
    s->variable = xcalloc(p->n_instructions, sizeof *s->variable);
    s->access = xcalloc(p->n_instructions, sizeof *s->access);
    s->optimised = xcalloc(p->n_functions, sizeof *s->optimised);
    for (enum irprof_divisor by = 0; by < IRPROF_DIVISORS; by++)
        s->quotients[by] = irprof_quotient_bits(p, &x.region, by);
    irprof_folds(p, s->folds);
    schedule_optimised(s);
    schedule_variables(s);
    schedule_accesses(s);
    for (uint32_t g = 0; g < p->n_segments; g++) {
        const struct irprof_segment *segment = &p->segments[g];
        if (!segment->number)
            blocks[s->n_blocks++] = (struct block){segment->function, g, 0, segment->first_instruction, 0, NO, 0};
        blocks[s->n_blocks - 1].n_segments++;
        blocks[s->n_blocks - 1].n += segment->n_instructions;
    }
}

static inline void close_schedule(struct schedule *s)
{
    free(s->folds);
    free(s->code);
    free(s->order);
    free(s->variable);
    free(s->access);
    free(s->optimised);
    for (enum irprof_divisor by = 0; by < IRPROF_DIVISORS; by++)
        free(s->quotients[by]);
    key_costs_release(&bare.keys);
}

#endif
