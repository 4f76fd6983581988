/* read_profile.c - reads an irprof profile as a table of functions and calls, with times by a SHIM file. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "irprof/irprof.h"
#include "shimgen/offload/arcs.h"
#include "shimgen/offload/profile_costs.h"

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

/* Does the instruction become a call to the maths library, whose operations are not counted? */
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

static void say_caches(struct reading *r)
{
    const struct offload_cache *c = &r->a->local;
    if (!offload_knows(r->t, OFFLOAD_BYTES))
        offload_note(r->t,
                     "the bytes demanded are unknown: no cache of the accelerator's local memory was simulated; "
                     "instrument with --l1d %" PRIu64 "K:%u:%u:lru --l2 none",
                     c->size / 1024, c->ways, c->line);
}

static enum status read_costs(struct reading *r, const struct profile_costs *c, struct error *e)
{
    size_t n = r->p->n_functions;
    double(*self)[OFFLOAD_COSTS] = xcalloc(n, sizeof *self);
    struct operations *operations = xcalloc(n, sizeof *operations);
    struct profile_sums sums = {self, operations, r->t};
    enum status s = profile_costs_sum(&sums, c, r->p, r->region, e);
    for (size_t i = 0; i < n; i++) {
        memcpy(r->t->functions.at[i].self, self[i], sizeof self[i]);
        r->t->functions.at[i].operations = operations[i];
    }
    r->t->known |= c->known;
    if (c->flops < r->p->n_events)
        offload_note(r->t, "floating-point operations are those of the machine code, as its instructions do them "
                           "(irprof --spills)");
    say_caches(r);
    free(self);
    free(operations);
    return s;
}

/* How often each function was called, and which ones call the maths library. */
static enum status read_entries(struct reading *r, struct error *e)
{
    struct irprof_groups *g = NULL;
    enum status s = irprof_group(&g, r->p, r->region, IRPROF_BY_FUNCTION, e);
    bool *maths = xcalloc(r->p->n_keys, sizeof *maths);
    for (size_t i = 0; i < r->p->n_keys; i++) {
        struct ir_key key = ir_key(r->p->keys[i]);
        maths[i] = is_mathematics(&key);
    }
    for (size_t i = 0; !s && i < g->n_rows; i++) {
        struct offload_function *f = &r->t->functions.at[g->rows[i].function];
        f->calls = (double)g->rows[i].entries;
        for (size_t k = 0; k < g->rows[i].n_counts; k++)
            f->obstacles |= maths[g->rows[i].counts[k].key] ? OFFLOAD_MATHS : 0;
    }
    free(maths);
    irprof_groups_free(g);
    return s;
}

/* ---- functions, calls, loops ---- */

static void add_functions(struct reading *r)
{
    for (size_t i = 0; i < r->p->n_functions; i++) {
        const struct irprof_function *f = &r->p->functions[i];
        struct offload_function add = {.name = xstrdup(f->name), .file = file_of(r->p, f->file), .line = f->line};
        offload_add_function(r->t, add);
    }
}

static void add_footprint(struct reading *r)
{
    const struct irprof_footprint *f = r->p->footprint;
    if (f && f->flaws)
        offload_note(r->t, "the bytes that functions touch are not known: %s",
                     f->flaws & IRPROF_FOOTPRINT_THREADS ? "several threads took part"
                                                         : "there was more memory than --footprint can follow");
    for (size_t i = 0; f && !f->flaws && i < f->n_rows; i++) {
        double *bytes = r->t->functions.at[f->rows[i].function].footprint;
        bytes[OFFLOAD_TOUCHED] = (double)f->rows[i].touched;
        bytes[OFFLOAD_WRITTEN] = (double)f->rows[i].written;
        bytes[OFFLOAD_NEEDED] = (double)f->rows[i].needed;
        bytes[OFFLOAD_LEFT] = (double)f->rows[i].left;
    }
}

static uint32_t library_function(struct reading *r, const char *name)
{
    size_t n = r->libraries.n, number = map_number(&r->libraries, name);
    if (number == n)
        offload_add_function(
            r->t, (struct offload_function){.name = xstrdup(name), .obstacles = offload_library_obstacles(name)});
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

/* ---- pointer chasing: the address of a load in a loop-carried chain was loaded by that chain ---- */

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

static enum status fill(struct reading *r, const struct offload_timing *timing, struct error *e)
{
    struct profile_costs costs;
    enum status s = irprof_region_usable(r->p, r->region, e);
    if (s)
        return s;
    r->t->program = xstrdup(r->p->program);
    add_functions(r);
    add_footprint(r);
    s = profile_costs_make(&costs, r->p, r->a, timing, e);
    if (!s)
        s = read_costs(r, &costs, e);
    if (!s)
        s = read_entries(r, e);
    if (!s)
        s = profile_costs_windows(r->t, &costs, e);
    profile_costs_release(&costs);
    if (s)
        return s;
    for (size_t i = 0; i < r->p->n_calls; i++)
        add_call(r, &r->p->calls[i]);
    offload_join_arcs(r->t);
    add_loops(r);
    find_chases(r);
    if (!timing->shim)
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
