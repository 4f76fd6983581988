/*
 * The schedule-aware estimator: each block is put in a compiler's order and issued on a
 * core that the SHIM file's values describe, after the blocks that most often lead to it,
 * so that what is still underway there is waited for here. docs/method/estimating.md.
 */
#include "shimgen/estimate/schedule/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* What the time is spent on when an instruction issues [cycles]. */
struct spent {
    double issue;                   /* in its issue slots */
    double waits;                   /* then waiting for operands ... */
    double unit;                    /* then waiting for its unit */
    double own;                     /* until its last instruction has what its first one makes */
    double call;                    /* until its callee is done */
    enum estimate_cause waited_for; /* ... by the kind of the latest operand */
};

/* State of the core. Times are absolute within a run; a run is a few blocks. */
struct core {
    const struct schedule *s;
    double now;
    double (*ready)[USES]; /* of each instruction: when its result is ready, by use ... */
    uint32_t *run;         /* ... in which run; another number: long ago */
    uint32_t number;       /* number of the current run */
    double *unit_free;     /* when each unit is free */
    uint32_t *unit_run;
    double *cost;          /* of each instruction: the time until its latest issue; 0 if it makes no code */
    struct spent *spent;   /* what that time was spent on */
    double (*began)[USES]; /* of each phi in the current block: when its incoming value is ready */
    /* of each instruction, beside `ready`, and of each phi: what a wait for it counts as */
    unsigned char (*maker)[USES], (*began_maker)[USES];
};

/* How the instruction uses an operand. An instruction without code passes on how it is used itself. */
static enum use use_of(const struct core *c, uint32_t i, const struct irprof_operand *o, enum use handed)
{
    const struct code *code = &c->s->code[i];
    if (code->load || code->store)
        return o->address ? USE_ADDRESS : USE_VALUE;
    return code->slots > 0 ? USE_VALUE : handed;
}

/* When the operands are ready. *maker: what waiting for the latest one counts as; unchanged if there is none. */
static double operand_ready(const struct core *c, uint32_t i, enum use handed, unsigned char *maker)
{
    const struct irprof_profile *p = c->s->p;
    const struct irprof_instruction *in = &p->instructions[i];
    double ready = 0;
    for (uint32_t k = in->first_operand; k < in->first_operand + in->n_operands; k++) {
        uint32_t producer = p->operands[k].producer;
        if (producer == IRPROF_NONE || c->run[producer] != c->number)
            continue;
        enum use use = use_of(c, i, &p->operands[k], handed);
        double at = c->ready[producer][use] - (double)c->s->code[i].reads_late;
        if (at > ready)
            *maker = c->maker[producer][use];
        ready = fmax(ready, at);
    }
    return ready;
}

/* An instruction without code: its result is ready with its operands, or with that of the access that it was combined
 * with. */
static void hand_on(struct core *c, uint32_t i)
{
    const struct code *code = &c->s->code[i];
    bool paired = code->pair && c->run[code->pair - 1] == c->number;
    for (int use = 0; use < USES; use++) {
        unsigned char maker = (unsigned char)cause_of_class(schedule_key(c->s, i)->class);
        double ready = operand_ready(c, i, (enum use)use, &maker);
        if (paired && c->ready[code->pair - 1][use] > ready)
            maker = c->maker[code->pair - 1][use];
        c->maker[i][use] = maker;
        c->ready[i][use] = paired ? fmax(ready, c->ready[code->pair - 1][use]) : ready + code->latency;
    }
    c->run[i] = c->number;
}

/* Issues an instruction: after the previous one, when its operands and its unit are ready. */
static void issue(struct core *c, uint32_t i)
{
    const struct code *code = &c->s->code[i];
    double before = c->now;
    if (code->slots <= 0) {
        hand_on(c, i);
        return;
    }
    unsigned char own = (unsigned char)cause_of_class(schedule_key(c->s, i)->class), maker = own;
    double start = fmax(c->now, operand_ready(c, i, USE_VALUE, &maker));
    struct spent spent = {.issue = code->slots, .waits = start - before, .waited_for = (enum estimate_cause)maker};
    c->run[i] = c->number;
    if (c->unit_run[code->unit] == c->number)
        start = fmax(start, c->unit_free[code->unit]);
    spent.unit = start - before - spent.waits;
    c->unit_run[code->unit] = c->number;
    c->unit_free[code->unit] = start + code->pitch;
    for (int use = 0; use < USES; use++) {
        c->ready[i][use] = start + code->latency + code->later[use];
        c->maker[i][use] = own;
    }
    c->s->when[i] = (float)start;
    spent.own = code->holds;
    c->now = start + code->holds + code->slots;
    if (code->barrier) {
        /* whatever was in flight is done when the call returns */
        c->now = start + (code->pitch > code->slots ? code->pitch : code->slots);
        spent.call = code->pitch > code->slots ? code->pitch - code->slots : 0;
        c->number++;
    }
    c->cost[i] = c->now - before;
    c->spent[i] = spent;
}

bool schedule_is_phi(const struct schedule *s, uint32_t i)
{
    return schedule_key(s, i)->opcode == IR_PHI;
}

/* Evaluates the phis at the block's begin at once. A phi that takes another phi takes that one's value in the previous
 * iteration. Returns their number. */
static uint32_t issue_phis(struct core *c, const struct block *b)
{
    const uint32_t *order = c->s->order + b->first;
    uint32_t n = 0;
    for (; n < b->n && schedule_is_phi(c->s, order[n]); n++)
        for (int use = 0; use < USES; use++) {
            c->began_maker[order[n]][use] = CAUSE_INTEGER;
            c->began[order[n]][use] = operand_ready(c, order[n], (enum use)use, &c->began_maker[order[n]][use]);
        }
    for (uint32_t k = 0; k < n; k++) {
        memcpy(c->ready[order[k]], c->began[order[k]], sizeof *c->ready);
        memcpy(c->maker[order[k]], c->began_maker[order[k]], sizeof *c->maker);
        c->run[order[k]] = c->number;
    }
    return n;
}

static void issue_block(struct core *c, const struct block *b)
{
    for (uint32_t k = issue_phis(c, b); k < b->n; k++)
        issue(c, c->s->order[b->first + k]);
}

/* How many blocks are issued before the one that is looked at. */
enum { BLOCKS_BEFORE = 3 };

/* Runs a block after those that most often lead to it, which may be the block itself: each is the one that the next was
 * most often entered from. So it waits for what they have begun, also where a loop's values go through several blocks. */
static void run_block(struct core *c, uint32_t b)
{
    uint32_t path[BLOCKS_BEFORE + 1] = {b}, n = 1;
    for (; n <= BLOCKS_BEFORE && c->s->blocks[path[n - 1]].before != IRPROF_NONE; n++)
        path[n] = c->s->blocks[path[n - 1]].before;
    c->number++;
    c->now = 0;
    while (n-- > 0)
        issue_block(c, &c->s->blocks[path[n]]);
}

/* kind: what a wait for the instruction's own result counts as. */
static void charge_causes(struct causes *to, const struct spent *spent, enum estimate_cause kind, double times)
{
    to->at[CAUSE_ISSUE] += times * spent->issue;
    to->at[spent->waited_for] += times * spent->waits;
    to->at[kind] += times * spent->own;
    to->at[CAUSE_UNITS] += times * spent->unit;
}

/* Time between two issues belongs to the second instruction. So a call is charged for its issue. What it takes beyond
 * that belongs to the callee's first instruction, if the profile has the callee. */
static void charge(struct estimate *out, const struct core *c, const struct block *b, enum bound bound)
{
    const struct schedule *s = c->s;
    const struct irprof_profile *p = s->p;
    for (uint32_t g = b->first_segment; g < b->first_segment + b->n_segments; g++) {
        double times = (double)s->region->executions[g];
        const struct irprof_segment *segment = &p->segments[g];
        for (uint32_t i = segment->first_instruction; i < segment->first_instruction + segment->n_instructions; i++) {
            uint32_t part = p->instructions[i].part, called = s->entry[i] == IRPROF_NONE ? part : s->entry[i];
            cycles_charge(&out->parts[part], bound, times * (c->cost[i] - c->spent[i].call));
            cycles_charge(&out->parts[called], bound, times * c->spent[i].call);
            if (bound != BOUND_TYPICAL)
                continue;
            charge_causes(&out->causes[part], &c->spent[i], cause_of_class(schedule_key(s, i)->class), times);
            out->causes[called].at[CAUSE_CALLS] += times * c->spent[i].call;
        }
    }
}

/* ---- a core that issues out of order ---- */

/* Cycles of a block in which nothing waits: those of the busiest unit, or of issuing. */
static double busy(const struct core *c, const struct block *b)
{
    double slots = 0, most = 0;
    bool calls = false;
    for (uint32_t i = b->first; i < b->first + b->n; i++) {
        const struct code *code = &c->s->code[i];
        slots += code->slots;
        c->unit_free[code->unit] = 0;
    }
    for (uint32_t i = b->first; i < b->first + b->n; i++) {
        const struct code *code = &c->s->code[i];
        c->unit_free[code->unit] += code->pitch;
        calls = c->unit_free[code->unit] > most ? code->barrier : calls;
        most = fmax(most, c->unit_free[code->unit]);
    }
    for (uint32_t i = b->first; i < b->first + b->n; i++) {
        c->cost[i] = slots > 0 ? c->s->code[i].slots / slots * fmax(slots, most) : 0;
        double more = c->cost[i] - c->s->code[i].slots;
        c->spent[i] = (struct spent){.issue = c->cost[i] - more, .unit = calls ? 0 : more, .call = calls ? more : 0};
    }
    return fmax(slots, most);
}

/* At least 1, since it is a divisor: a loop that is never entered has no iterations. */
static double iterations_of(const struct schedule *s, size_t loop)
{
    return fmax(1, (double)s->region->iterations[loop]);
}

/* Latencies of instructions in loops, reduced for those that are not executed in every iteration. A value that a
 * variable in memory hands on takes its store's Latency, which includes the load. */
static void weigh(const struct schedule *s, double *weights)
{
    const struct irprof_profile *p = s->p;
    for (size_t g = 0; g < p->n_segments; g++) {
        const struct irprof_segment *segment = &p->segments[g];
        if (segment->loop == IRPROF_NONE)
            continue;
        double share = fmin(1, (double)s->region->executions[g] / iterations_of(s, segment->loop));
        for (uint32_t i = segment->first_instruction; i < segment->first_instruction + segment->n_instructions; i++)
            weights[i] = share * (s->variable[i] != IRPROF_NONE && s->code[i].load ? 0 : s->code[i].latency);
    }
}

/* Iterations of a loop cannot start faster than the values that they hand on become ready. */
static void charge_chains(struct estimate *out, const struct schedule *s, const double *iteration, enum bound bound)
{
    const struct irprof_profile *p = s->p;
    double *weights = xcalloc(p->n_instructions, sizeof *weights);
    struct irprof_chain *chains = xcalloc(p->n_loops, sizeof *chains);
    weigh(s, weights);
    irprof_chains(p, weights, chains);
    for (size_t l = 0; l < p->n_loops; l++) {
        double repeats = (double)s->region->repeats[l], length = chains[l].length;
        double wait = length - iteration[l] / iterations_of(s, l);
        for (size_t k = 0; wait > 0 && k < chains[l].n; k++) {
            uint32_t i = chains[l].instructions[k];
            causes_charge(&out->causes[p->instructions[i].part], &out->parts[p->instructions[i].part],
                          cause_of_class(schedule_key(s, i)->class), bound, repeats * wait * weights[i] / length);
        }
    }
    irprof_chains_release(p, chains);
    free(chains);
    free(weights);
}

/* ---- blocks ---- */

static void list_blocks(struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    s->blocks = xcalloc(p->n_segments, sizeof *s->blocks);
    for (uint32_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *g = &p->segments[i];
        struct block *b = s->n_blocks ? &s->blocks[s->n_blocks - 1] : 0;
        if (!b || g->function != b->function || g->block != p->segments[b->first_segment].block) {
            b = &s->blocks[s->n_blocks++];
            *b = (struct block){g->function, i, 0, g->first_instruction, 0, IRPROF_NONE, 0};
        }
        b->n_segments++;
        b->n += g->n_instructions;
    }
}

struct block_name {
    const struct schedule *s;
    uint32_t function, number;
};

static int by_name(const void *wanted, const void *block)
{
    const struct block_name *a = wanted;
    const struct block *b = block;
    uint32_t number = a->s->p->segments[b->first_segment].block;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return (a->number > number) - (a->number < number);
}

uint32_t schedule_find_block(const struct schedule *s, uint32_t function, uint32_t number)
{
    struct block_name wanted = {s, function, number};
    const struct block *b = s->n_blocks ? bsearch(&wanted, s->blocks, s->n_blocks, sizeof *s->blocks, by_name) : 0;
    return b ? (uint32_t)(b - s->blocks) : IRPROF_NONE;
}

bool schedule_first_part(size_t *part, const struct schedule *s, uint32_t function, uint32_t number)
{
    uint32_t b = schedule_find_block(s, function, number);
    if (b == IRPROF_NONE)
        return false;
    for (uint32_t k = s->blocks[b].first; k < s->blocks[b].first + s->blocks[b].n; k++)
        if (s->code[s->order[k]].slots > 0) {
            *part = s->p->instructions[s->order[k]].part;
            return true;
        }
    return false;
}

static bool is_call(const struct schedule *s, uint32_t i)
{
    return s->code[i].barrier && schedule_key(s, i)->opcode == IR_CALL;
}

/* A segment's calling instructions and its callees are listed in the same order. If one list is longer, an instruction
 * calls the compiler's library, and no call can be matched with certainty. */
static void find_segment_entries(struct schedule *s, const struct irprof_segment *g, const struct irprof_call *calls,
                                 size_t n)
{
    size_t part, at = 0, n_calls = 0;
    uint32_t end = g->first_instruction + g->n_instructions;
    for (uint32_t i = g->first_instruction; i < end; i++)
        n_calls += is_call(s, i);
    for (uint32_t i = g->first_instruction; i < end && n_calls == n; i++) {
        const struct irprof_call *call = is_call(s, i) ? &calls[at++] : 0;
        if (call && call->callee != IRPROF_NONE && schedule_first_part(&part, s, call->callee, 0))
            s->entry[i] = (uint32_t)part;
    }
}

static void find_entries(struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    for (size_t i = 0; i < p->n_instructions; i++)
        s->entry[i] = IRPROF_NONE;
    for (size_t k = 0, end; k < p->n_calls && !s->out_of_order; k = end) {
        for (end = k + 1; end < p->n_calls && p->calls[end].segment == p->calls[k].segment; end++)
            ;
        find_segment_entries(s, &p->segments[p->calls[k].segment], &p->calls[k], end - k);
    }
}

static void find_longest_paths(struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    for (size_t i = 0; i < p->n_edges; i++) {
        const struct irprof_edge *edge = &p->edges[i];
        uint32_t to = schedule_find_block(s, edge->function, edge->to),
                 from = schedule_find_block(s, edge->function, edge->from);
        if (to == IRPROF_NONE || from == IRPROF_NONE || s->region->taken[i] <= s->blocks[to].entered)
            continue;
        s->blocks[to].entered = s->region->taken[i];
        s->blocks[to].before = from;
    }
}

double schedule_times(const struct schedule *s, const struct block *b)
{
    uint64_t most = 0;
    for (uint32_t i = b->first_segment; i < b->first_segment + b->n_segments; i++)
        most = s->region->executions[i] > most ? s->region->executions[i] : most;
    return (double)most;
}

/* ---- everything together ---- */

static void run_all(struct estimate *out, struct schedule *s, struct core *c)
{
    schedule_code(s, BOUND_TYPICAL);
    schedule_order(s);
    find_entries(s);
    for (int bound = BOUND_BEST; bound < BOUNDS; bound++) {
        schedule_code(s, (enum bound)bound);
        double *iteration = xcalloc(s->p->n_loops, sizeof *iteration);
        for (uint32_t b = 0; b < s->n_blocks; b++) {
            const struct block *block = &s->blocks[b];
            double times = schedule_times(s, block);
            uint32_t loop = s->p->segments[block->first_segment].loop;
            if (times == 0)
                continue;
            if (s->out_of_order) {
                double cycles = busy(c, block);
                for (; loop != IRPROF_NONE; loop = s->p->loops[loop].parent)
                    iteration[loop] += times * cycles;
            } else {
                run_block(c, b);
            }
            charge(out, c, block, (enum bound)bound);
        }
        if (s->out_of_order)
            charge_chains(out, s, iteration, (enum bound)bound);
        free(iteration);
    }
}

static double pitch_of(const struct costs *c, enum ir_opcode opcode, double otherwise)
{
    size_t at;
    return costs_has(c, opcode, &at) ? c->pitch[at].typical : otherwise;
}

static enum status run_schedule(struct estimate *out, const struct estimate_request *q, struct error *e)
{
    (void)e;
    const struct irprof_profile *p = q->profile;
    size_t n = p->n_instructions;
    struct ir_key *keys = ir_keys(p->keys, p->n_keys);
    struct schedule s = {
        .p = p, .region = &p->regions[q->region], .est = out, .keys = keys, .issue = costs_issue(q->costs)};
    struct core c = {.s = &s};
    s.folds = xcalloc(n, 1);
    s.code = xcalloc(n, sizeof *s.code);
    s.order = xcalloc(n, sizeof *s.order);
    s.entry = xcalloc(n, sizeof *s.entry);
    s.when = xcalloc(n, sizeof *s.when);
    s.variable = xcalloc(n, sizeof *s.variable);
    s.access = xcalloc(n, sizeof *s.access);
    s.optimised = xcalloc(p->n_functions, sizeof *s.optimised);
    c.ready = xcalloc(n, sizeof *c.ready);
    c.run = xcalloc(n, sizeof *c.run);
    c.cost = xcalloc(n, sizeof *c.cost);
    c.spent = xcalloc(n, sizeof *c.spent);
    c.began = xcalloc(n, sizeof *c.began);
    c.maker = xcalloc(n, sizeof *c.maker);
    c.began_maker = xcalloc(n, sizeof *c.began_maker);
    size_t units = schedule_units(&s);
    c.unit_free = xcalloc(units, sizeof *c.unit_free);
    c.unit_run = xcalloc(units, sizeof *c.unit_run);
    s.load_pitch = pitch_of(q->costs, IR_LOAD, s.issue);
    s.store_pitch = pitch_of(q->costs, IR_STORE, s.issue);
    s.out_of_order = costs_out_of_order(q->costs);
    for (enum irprof_divisor by = 0; by < IRPROF_DIVISORS; by++)
        s.quotients[by] = irprof_quotient_bits(p, s.region, by);
    irprof_folds(p, s.folds);
    schedule_optimised(&s);
    schedule_variables(&s);
    schedule_accesses(&s);
    list_blocks(&s);
    find_longest_paths(&s);
    run_all(out, &s, &c);
    out->known_causes = 1u << CAUSE_ISSUE | 1u << CAUSE_UNITS | 1u << CAUSE_INTEGER | 1u << CAUSE_FP |
                        1u << CAUSE_LOAD_STORE | 1u << CAUSE_CALLS;
    if (!q->without_events)
        schedule_events(out, &s);
    free(keys);
    free(s.folds);
    free(s.code);
    free(s.order);
    free(s.entry);
    free(s.when);
    free(s.variable);
    free(s.access);
    free(s.optimised);
    for (enum irprof_divisor by = 0; by < IRPROF_DIVISORS; by++)
        free(s.quotients[by]);
    free(s.blocks);
    free(c.ready);
    free(c.run);
    free(c.cost);
    free(c.spent);
    free(c.began);
    free(c.maker);
    free(c.began_maker);
    free(c.unit_free);
    free(c.unit_run);
    return OK;
}

const struct estimator estimator_schedule = {
    "schedule", "instructions issue by their Pitch, block by block, and wait for what they need by its Latency",
    run_schedule};
