/* read_profile.c - an irprof profile as a table of functions and calls, with times from a SHIM file. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "irprof/irprof.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/offload/arcs.h"

struct reading {
    struct offload_table *t;
    const struct irprof_profile *p;
    const struct accelerator *a;
    size_t region;
    struct map libraries; /* functions without IR -> index in the table */
};

static char *file_of(const struct irprof_profile *p, uint32_t file)
{
    return file == IRPROF_NONE ? NULL : xstrdup(p->files[file]);
}

/* ---- costs ---- */

/* Becomes the instruction a call of the mathematical library, whose operations are not counted? */
static bool is_mathematics(const struct ir_key *k)
{
    char *library = k->opcode == IR_FREM ? NULL : ir_library_key_of(k);
    struct ir_key key = ir_key(library ? library : "");
    char *name = xstrndup(key.name ? key.name : "", key.name ? key.n_name : 0);
    bool is = k->opcode == IR_FREM || (!arithmetic_of_key(k).each && offload_library_obstacles(name) & OFFLOAD_MATHS);
    free(name);
    free(library);
    return is;
}

static void add_row(struct reading *r, const struct irprof_row *row, const struct arithmetic *does, const bool *maths)
{
    struct offload_function *f = &r->t->functions.at[row->function];
    for (size_t i = 0; i < row->n_counts; i++) {
        operations_count(&f->operations, &does[row->counts[i].key], (double)row->counts[i].count);
        f->obstacles |= maths[row->counts[i].key] ? OFFLOAD_MATHS : 0;
    }
    f->calls = (double)row->entries;
    f->self[OFFLOAD_INSTRUCTIONS] = (double)row->total;
    f->self[OFFLOAD_FLOPS] = operations_flops(&f->operations);
    f->self[OFFLOAD_INTEGERS] = f->operations.integers;
}

/* What one level of the simulated caches is: "l1d=262144:8:64:lru". False: it was not simulated. */
static bool simulated(struct offload_cache *out, const struct irprof_profile *p, const char *level)
{
    *out = (struct offload_cache){0};
    for (size_t i = 0; i < p->n_modules; i++) {
        const char *at = strstr(p->modules[i].settings, level);
        if (at && sscanf(at + strlen(level), "%" SCNu64 ":%u:%u", &out->size, &out->ways, &out->line) == 3)
            return true;
    }
    return false;
}

/* The event that counts the lines demanded from beyond a cache of this size; NULL: none was simulated. */
static const char *event_beyond(const struct irprof_profile *p, uint64_t size, unsigned *line)
{
    static const struct {
        const char *level, *event;
    } levels[] = {{"l1d=", "L1D_CACHE_REFILL"}, {"l2=", "L2D_CACHE_REFILL"}};
    struct offload_cache c;
    for (size_t i = 0; i < 2; i++)
        if (simulated(&c, p, levels[i].level) && c.size == size && irprof_event(p, levels[i].event) < p->n_events) {
            *line = c.line;
            return levels[i].event;
        }
    return NULL;
}

static void add_bytes(struct reading *r, const struct irprof_groups *g, uint64_t size, enum offload_cost cost)
{
    unsigned line = 0;
    const char *event = size ? event_beyond(r->p, size, &line) : NULL;
    if (!event)
        return;
    size_t number = irprof_event(r->p, event);
    for (size_t i = 0; i < g->n_rows; i++)
        r->t->functions.at[g->rows[i].function].self[cost] = (double)g->rows[i].events[number] * line;
    r->t->known |= 1U << cost;
}

/* The operations of the machine code instead of those of the IR, if they were counted (irprof --spills). */
static void take_machine_flops(struct reading *r, const struct irprof_groups *g)
{
    size_t number = irprof_event(r->p, "TARGET_FLOPS");
    if (number >= r->p->n_events)
        return;
    for (size_t i = 0; i < g->n_rows; i++)
        r->t->functions.at[g->rows[i].function].self[OFFLOAD_FLOPS] = (double)g->rows[i].events[number];
    offload_note(r->t, "floating-point operations are those of the machine code, as its instructions do them "
                       "(irprof --spills)");
}

static void say_caches(struct reading *r)
{
    const struct offload_cache *c = &r->a->local;
    if (!offload_knows(r->t, OFFLOAD_BYTES))
        offload_note(r->t,
                     "the bytes demanded are unknown: no cache of the accelerator's local memory was simulated; "
                     "instrument with --l1d %" PRIu64 "K:%u:%u:lru --l2 none",
                     c->size / 1024, c->ways, c->line);
}

static enum status read_costs(struct reading *r, struct error *e)
{
    struct irprof_groups *g = NULL;
    enum status s = irprof_group(&g, r->p, r->region, IRPROF_BY_FUNCTION, e);
    if (s)
        return s;
    struct arithmetic *does = xcalloc(r->p->n_keys, sizeof *does);
    bool *maths = xcalloc(r->p->n_keys, sizeof *maths);
    for (size_t i = 0; i < r->p->n_keys; i++) {
        struct ir_key key = ir_key(r->p->keys[i]);
        does[i] = arithmetic_of_key(&key);
        maths[i] = is_mathematics(&key);
    }
    for (size_t i = 0; i < g->n_rows; i++)
        add_row(r, &g->rows[i], does, maths);
    take_machine_flops(r, g);
    r->t->known |= 1U << OFFLOAD_INSTRUCTIONS | 1U << OFFLOAD_FLOPS | 1U << OFFLOAD_INTEGERS;
    add_bytes(r, g, r->a->local.size, OFFLOAD_BYTES);
    add_bytes(r, g, r->a->host_l2.size, OFFLOAD_BYTES_L2);
    say_caches(r);
    free(does);
    free(maths);
    irprof_groups_free(g);
    return OK;
}

/* ---- functions, calls, loops ---- */

static void add_functions(struct reading *r)
{
    for (size_t i = 0; i < r->p->n_functions; i++) {
        const struct irprof_function *f = &r->p->functions[i];
        struct offload_function add = {.name = xstrdup(f->name), .file = file_of(r->p, f->file), .line = f->line};
        vec_push(&r->t->functions, add);
    }
}

static uint32_t library_function(struct reading *r, const char *name)
{
    size_t n = r->libraries.n, number = map_number(&r->libraries, name);
    if (number == n)
        vec_push(&r->t->functions,
                 (struct offload_function){.name = xstrdup(name), .obstacles = offload_library_obstacles(name)});
    return (uint32_t)(r->p->n_functions + number);
}

static void add_call(struct reading *r, const struct irprof_call *call)
{
    const struct irprof_region *region = &r->p->regions[r->region];
    uint64_t calls = region->executions[call->segment];
    uint32_t caller = r->p->segments[call->segment].function;
    if (!calls)
        return;
    if (!call->name) {
        r->t->functions.at[caller].obstacles |= OFFLOAD_INDIRECT;
        return;
    }
    uint32_t callee = call->callee;
    if (callee == IRPROF_NONE) {
        callee = library_function(r, call->name);
        r->t->functions.at[callee].calls += (double)calls;
    }
    vec_push(&r->t->arcs, (struct offload_arc){caller, callee, (double)calls, NAN});
}

static void add_loops(struct reading *r)
{
    const struct irprof_region *region = &r->p->regions[r->region];
    for (size_t i = 0; i < r->p->n_loops; i++) {
        const struct irprof_loop *l = &r->p->loops[i];
        struct offload_loop loop = {.line = l->line, .depth = l->depth, .iterations = (double)region->iterations[i]};
        loop.entered = loop.iterations - (double)region->repeats[i];
        if (loop.iterations <= 0)
            continue;
        loop.file = file_of(r->p, l->file);
        vec_push(&r->t->functions.at[l->function].loops, loop);
    }
}

/* ---- pointers chased: the address of a load in a loop-carried chain was loaded by the chain ---- */

static bool in_chain(const struct irprof_chain *c, uint32_t instruction)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->instructions[i] == instruction)
            return true;
    return false;
}

static bool chases(const struct irprof_profile *p, const struct irprof_chain *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct irprof_instruction *in = &p->instructions[c->instructions[i]];
        struct ir_key key = ir_key(p->keys[in->key]);
        if (key.class != IR_CLASS_LOAD)
            continue;
        for (uint32_t o = 0; o < in->n_operands; o++) {
            const struct irprof_operand *operand = &p->operands[in->first_operand + o];
            if (operand->address && operand->producer != IRPROF_NONE && in_chain(c, operand->producer))
                return true;
        }
    }
    return false;
}

static void find_chases(struct reading *r)
{
    const struct irprof_profile *p = r->p;
    struct irprof_chain *chains = xcalloc(p->n_loops, sizeof *chains);
    double *weights = xcalloc(p->n_instructions, sizeof *weights);
    for (size_t i = 0; i < p->n_instructions; i++)
        weights[i] = 1;
    irprof_chains(p, weights, chains);
    for (size_t i = 0; i < p->n_loops; i++)
        if (p->regions[r->region].repeats[i] && chases(p, &chains[i]))
            r->t->functions.at[p->loops[i].function].obstacles |= OFFLOAD_CHASE;
    irprof_chains_release(p, chains);
    free(chains);
    free(weights);
}

/* ---- time ---- */

static void add_times(struct reading *r, const struct estimate *est, double hertz)
{
    struct estimate_row *rows;
    size_t n;
    estimate_rows(&rows, &n, est, ESTIMATE_BY_FUNCTION);
    for (size_t i = 0; i < n; i++) {
        double *self = r->t->functions.at[rows[i].function].self;
        self[OFFLOAD_TIME] = rows[i].cycles.typical / hertz;
        self[OFFLOAD_TIME_LOW] = rows[i].cycles.best / hertz;
        self[OFFLOAD_TIME_HIGH] = rows[i].cycles.worst / hertz;
    }
    r->t->known |= 1U << OFFLOAD_TIME | 1U << OFFLOAD_TIME_LOW | 1U << OFFLOAD_TIME_HIGH;
    for (size_t i = 0; i < est->n_notes; i++)
        offload_note(r->t, "%s", est->notes[i]);
    free(rows);
}

static enum status estimate_times(struct reading *r, const struct offload_timing *timing, struct error *e)
{
    struct costs costs = {0};
    struct estimate *est = NULL;
    enum status s = costs_from_shim(&costs, timing->shim, timing->core, timing->method, e);
    if (s)
        return s;
    double hertz = costs.clock_hz > 0 ? costs.clock_hz : r->a->host_clock;
    struct estimate_request q = {.profile = r->p, .region = r->region, .costs = &costs};
    if (isnan(hertz))
        s = error_set(e, ERR_INPUT, AT_FILE(timing->shim),
                      "the core has no ClockFrequency; give one in the accelerator's file: [host] clock = HERTZ");
    if (!s)
        s = estimate_run(&est, estimator_choose(timing->method, &costs), &q, e);
    if (!s)
        add_times(r, est, hertz);
    estimate_free(est);
    costs_release(&costs);
    return s;
}

static enum status fill(struct reading *r, const struct offload_timing *timing, struct error *e)
{
    enum status s = irprof_region_usable(r->p, r->region, e);
    if (s)
        return s;
    r->t->program = xstrdup(r->p->program);
    add_functions(r);
    s = read_costs(r, e);
    if (s)
        return s;
    for (size_t i = 0; i < r->p->n_calls; i++)
        add_call(r, &r->p->calls[i]);
    offload_join_arcs(r->t);
    add_loops(r);
    find_chases(r);
    if (timing->shim)
        return estimate_times(r, timing, e);
    offload_note(r->t, "no times: shares are of executed instructions; --shim FILE gives times");
    return OK;
}

enum status offload_read_profile(struct offload_table *out, const char *path, const struct accelerator *a,
                                 const struct offload_timing *timing, struct error *e)
{
    struct irprof_profile *p = NULL;
    *out = (struct offload_table){.path = xstrdup(path), .kind = xstrdup("irprof profile")};
    enum status s = irprof_read(&p, path, e);
    if (s)
        return s;
    struct reading r = {.t = out, .p = p, .a = a, .region = p->n_regions - 1};
    s = fill(&r, timing, e);
    map_release(&r.libraries);
    irprof_free(p);
    return s;
}
