/*
 * pipeline.c - a core that issues in order: one pass over the executed instructions. Fetch runs ahead in aligned groups
 * until its queue is full or a branch was mispredicted. An instruction issues in the first cycle, not before its
 * predecessor's, in which it has been fetched, its operands are ready, its unit is free and the cycle has a free slot.
 * Its result can be used after the number of cycles that producer and use require.
 */
#include "sim/core/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/branch_unit.h"
#include "sim/core/flash.h"
#include "sim/core/registers.h"

enum { QUEUE = 64, STORED = 256, IN_FLIGHT = 16 };

struct result {
    int64_t time;       /* when the instruction that makes it was executed */
    const int16_t *row; /* cycles after `time` until it can be used, by need */
    uint8_t wait;       /* enum iss_wait: what cycles spent waiting for it count as */
};
struct stored {
    uint64_t word; /* address / 8 */
    int64_t time;
    uint8_t bytes; /* which bytes were stored, one bit each */
};

struct iss_core {
    const struct iss_model *model;
    bool ideal;
    struct iss_memory *memory;       /* NULL: an ideal core, or one without caches */
    struct iss_predictor *predictor; /* NULL: an ideal core, or one that predicts nothing */
    struct iss_flash *flash;         /* NULL: an ideal core, or one without it */
    uint64_t constants;              /* addresses below this one are in the flash */
    bool mispredict;                 /* the ideal core mispredicts its next branch */
    int64_t delay;                   /* extra cycles of the ideal core's next load */
    enum iss_quotient quotient;      /* what the ideal core assumes for divisions of unknown operands */
    int64_t in_flight[IN_FLIGHT];    /* when delayed loads are done; a ring buffer */
    size_t next_in_flight;
    struct iss_counts counts;

    int64_t *each;  /* cycles of each step of a run; borrowed; NULL: not wanted */
    int64_t *waits; /* cycles by what they were spent on; borrowed; NULL: not wanted */
    int64_t cycle;  /* of the latest issue */
    int64_t issued; /* instructions issued in `cycle` */
    bool closed;    /* no other instruction may issue in `cycle` */
    /* The first cycle in which any instruction may issue; then the same for those that chain as loads, and as
     * stores. */
    int64_t hold[ISS_HOLDS];
    uint64_t narrow_end; /* end address of the latest instruction if it has 2 bytes and is no branch; else UINT64_MAX */
    int64_t done;        /* when all results so far are ready */
    struct result reg[ISS_REG_N];
    int64_t unit[ISS_UNIT_N][ISS_UNIT_COPIES]; /* when each copy is free again */

    int64_t fetched;      /* when the current group has been fetched */
    uint64_t group, line; /* the current ones; UINT64_MAX: none */
    bool branched;        /* the current group has had a branch */
    unsigned group_shift, line_shift;
    int64_t queue[QUEUE]; /* cycles of the latest issues; a ring buffer */
    size_t next_queue;
    uint64_t taken_from, taken_to; /* the last taken branch */
    uint64_t in_pair; /* address of an instruction that has been executed with the branch before it; UINT64_MAX: none */

    struct stored stored[STORED];
    struct iss_values values;
};

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* No instruction issues before `cycle`. */
static void hold_all(struct iss_core *c, int64_t cycle)
{
    for (int i = 0; i < ISS_HOLDS; i++)
        c->hold[i] = later(c->hold[i], cycle);
}

/* The first cycle in which an instruction of this class may issue, as far as earlier ones hold the core. */
static int64_t held(const struct iss_core *c, const struct iss_timing *t)
{
    if (t->chain == ISS_CHAIN_LOAD_ALONE)
        return later(c->hold[ISS_CHAIN_NONE], c->hold[ISS_CHAIN_LOAD]);
    return c->hold[t->chain];
}

/* ---- steps ---- */

void iss_step_make(const struct iss_model *m, const struct iss_op *op, uint64_t address, struct iss_step *to)
{
    memset(to, 0, sizeof *to);
    to->op = *op;
    to->address = address;
    to->timing = iss_model_timing(m, op);
    for (unsigned i = 0; i < op->n_sources; i++)
        if (op->source[i].reg < ISS_REG_N) {
            to->source[to->n_sources].reg = op->source[i].reg;
            to->source[to->n_sources++].need = op->source[i].need;
        }
    for (unsigned i = 0; i < op->n_dests; i++)
        if (op->dest[i] < ISS_REG_N) {
            to->dest[to->n_dests].reg = op->dest[i];
            to->dest[to->n_dests++].row = (int)i >= op->n_dests - op->n_address ? 2 : i > 0;
        }
}

static void add_source(struct iss_step *s, unsigned reg, unsigned need)
{
    if (reg >= ISS_REG_N || s->n_sources == ISS_SOURCES)
        return;
    s->source[s->n_sources].reg = (uint8_t)reg;
    s->source[s->n_sources++].need = (uint8_t)need;
}

/* Two sources of the branch, and of a simple instruction two sources and one destination: they fit. */
void iss_step_across(const struct iss_model *m, struct iss_step *s, const struct iss_op *next)
{
    const struct iss_timing *t = iss_model_timing(m, next);
    uint64_t passed = s->address + s->op.size + next->size;
    bool simple = t->predicated && !next->branch && !next->memory && !next->conditional && next->n_dests <= 1;
    if (!simple || s->op.branch != ISS_CONDITIONAL || (uint64_t)s->op.constant != passed || m->window.reorder)
        return;
    s->across = t;
    for (unsigned i = 0; i < next->n_sources; i++)
        add_source(s, next->source[i].reg, next->source[i].need);
    for (unsigned i = 0; i < next->n_dests; i++) {
        add_source(s, next->dest[i], ISS_NEED_OPERAND);
        if (next->dest[i] < ISS_REG_N)
            s->dest[s->n_dests++].reg = next->dest[i];
    }
}

/* ---- fetch ---- */

static void fetch_group(struct iss_core *c, uint64_t address)
{
    uint64_t group = address >> c->group_shift;
    if (group == c->group)
        return;
    if (c->group != UINT64_MAX)
        c->fetched++;
    c->group = group;
    c->branched = false;
    int64_t room = c->queue[(c->next_queue + QUEUE - (size_t)c->model->fetch.queue) % QUEUE];
    c->fetched = later(c->fetched, room);
    if (c->flash)
        c->fetched += iss_flash_fetch(c->flash, address, c->fetched);
    uint64_t line = address >> c->line_shift;
    if (line == c->line)
        return;
    c->line = line;
    if (c->memory)
        c->fetched += iss_memory_fetch(c->memory, address, c->fetched);
}

static void fetch(struct iss_core *c, const struct iss_step *s)
{
    fetch_group(c, s->address);
    if (c->model->fetch.whole)
        fetch_group(c, s->address + s->op.size - 1);
    if (s->across)
        fetch_group(c, s->address + s->op.size);
}

/* Is the branch taken? For a conditional branch to the next instruction the trace does not tell, so the condition
 * decides. */
static bool is_taken(const struct iss_step *s, uint64_t next, int condition)
{
    if (next != s->address + s->op.size || (s->op.branch != ISS_CONDITIONAL && !s->op.conditional))
        return true;
    if (s->op.branch != ISS_CONDITIONAL)
        return false;
    return (uint64_t)s->op.constant == next && condition == 1;
}

static bool is_mispredicted(struct iss_core *c, const struct iss_step *s, uint64_t next, bool taken)
{
    bool wrong = c->mispredict;
    c->mispredict = false;
    return c->predictor ? iss_predictor_branch(c->predictor, &s->op, s->address, next, taken) : wrong;
}

/* Cycles from a taken branch to its target. */
static int64_t cycles_to_target(const struct iss_model *m, enum iss_branch branch)
{
    return branch == ISS_JUMP_INDIRECT   ? m->fetch.jump_register
           : branch == ISS_CALL_INDIRECT ? m->fetch.call_register
           : branch == ISS_RETURN_TO     ? m->fetch.back
                                         : m->fetch.taken;
}

/* Without a predictor the target is fetched when the branch is done, and whatever holds the core because of it. */
static void refill(struct iss_core *c, const struct iss_step *s, int64_t at)
{
    c->fetched = later(at, c->hold[ISS_CHAIN_NONE] - 1) + cycles_to_target(c->model, s->op.branch);
    c->group = UINT64_MAX;
}

static void count_branch(struct iss_core *c, const struct iss_step *s, bool taken)
{
    c->counts.branches++;
    c->counts.returns += s->op.branch == ISS_RETURN_TO;
    c->counts.branches_immediate +=
        s->op.branch == ISS_JUMP || s->op.branch == ISS_CONDITIONAL || s->op.branch == ISS_CALL_DIRECT;
    c->counts.taken += taken;
}

/* Handles the branch that ends the run; it is executed at `at`. `condition`: whether its condition held
 * (registers.h). */
static void steer(struct iss_core *c, const struct iss_step *s, uint64_t next, int64_t at, int condition)
{
    const struct iss_model *m = c->model;
    bool taken = is_taken(s, next, condition);
    count_branch(c, s, taken);
    if (s->across) { /* nothing to predict: fetch goes on with what follows either way */
        c->mispredict = false;
        return;
    }
    if (!m->predictor.none)
        c->fetched += c->branched; /* one branch is predicted per cycle */
    c->branched = true;
    if (m->predictor.none) {
        if (taken)
            refill(c, s, at);
        return;
    }
    if (is_mispredicted(c, s, next, taken)) {
        c->counts.mispredicted++;
        c->fetched = at + m->fetch.mispredicted;
        c->group = UINT64_MAX;
        if (taken) {
            c->taken_from = s->address;
            c->taken_to = next;
        }
        return;
    }
    if (!taken)
        return;
    int64_t step = cycles_to_target(m, s->op.branch);
    if (c->taken_from == s->address && c->taken_to == next)
        step = m->fetch.same_taken;
    c->taken_from = s->address;
    c->taken_to = next;
    c->fetched += step;
    c->group = UINT64_MAX;
}

/* ---- issue ---- */

/* The copy of a unit that is free first. Copies in the bit set `without` are left out. */
static unsigned first_free(const struct iss_core *c, unsigned unit, unsigned without)
{
    const int64_t *copies = c->unit[unit];
    unsigned n = (unsigned)c->model->units[unit], first = n;
    for (unsigned i = 0; i < n; i++)
        if (!(without >> i & 1) && (first == n || copies[i] < copies[first]))
            first = i;
    return first;
}

/* When `take` copies of a unit are free. */
static int64_t unit_free(const struct iss_core *c, unsigned unit, unsigned take)
{
    unsigned used = 0, last = 0;
    for (unsigned i = 0; i < take; i++) {
        last = first_free(c, unit, used);
        used |= 1u << last;
    }
    return c->unit[unit][last];
}

static void unit_use(struct iss_core *c, unsigned unit, unsigned take, int64_t until)
{
    unsigned used = 0;
    for (unsigned i = 0; i < take; i++)
        used |= 1u << first_free(c, unit, used);
    for (unsigned i = 0; i < ISS_UNIT_COPIES; i++)
        if (used >> i & 1)
            c->unit[unit][i] = until;
}

static int64_t all_done(const struct iss_core *c)
{
    return c->memory ? iss_memory_done(c->memory, c->done) : c->done;
}

/* A branch and the instruction that it is executed as one with read their operands when they issue. */
static int64_t late_of(const struct iss_step *s)
{
    return s->across ? 0 : s->timing->late;
}

/* The first cycle in which the step may issue. *operands: when its last operand is ready. */
static int64_t issue_cycle(const struct iss_core *c, const struct iss_step *s, int64_t *operands)
{
    const struct iss_timing *t = s->timing;
    int64_t at = later(later(c->fetched, held(c, t)), c->cycle), latest = 0;
    for (unsigned i = 0; i < s->n_sources; i++) {
        const struct result *r = &c->reg[s->source[i].reg];
        latest = later(latest, r->time + r->row[s->source[i].need]);
    }
    *operands = latest;
    at = later(at, latest - late_of(s));
    if (t->unit)
        at = later(at, unit_free(c, t->unit, t->take));
    if (s->across && s->across->unit)
        at = later(at, unit_free(c, s->across->unit, s->across->take));
    if (t->second_unit)
        at = later(at, unit_free(c, t->second_unit, 1));
    if (t->drains)
        at = later(at, all_done(c));
    bool together = c->issued + (s->across != NULL) < c->model->width && !c->closed &&
                    !(c->issued > 0 && (t->issue == ISS_ISSUE_FIRST || t->issue == ISS_ISSUE_ALONE));
    return at == c->cycle && !together ? at + 1 : at;
}

enum iss_wait iss_wait_of(enum iss_class class)
{
    if ((class >= ISS_LOAD && class <= ISS_PREFETCH) || (class >= ISS_FP_LOAD && class <= ISS_FP_STORE_MANY))
        return ISS_WAIT_LOAD_STORE;
    return class >= ISS_FP_MOVE && class <= ISS_CRYPTO ? ISS_WAIT_FP : ISS_WAIT_INTEGER;
}

/* Attributes the cycles from *explained to `until` to `wait`. */
static void explain(struct iss_core *c, enum iss_wait wait, int64_t until, int64_t *explained)
{
    if (until > *explained) {
        c->waits[wait] += until - *explained;
        *explained = until;
    }
}

/* What waiting for the latest operand counts as. */
static enum iss_wait wait_for_operands(const struct iss_core *c, const struct iss_step *s)
{
    enum iss_wait wait = ISS_WAIT_INTEGER;
    int64_t latest = INT64_MIN;
    for (unsigned i = 0; i < s->n_sources; i++) {
        const struct result *r = &c->reg[s->source[i].reg];
        int64_t ready = r->time + r->row[s->source[i].need];
        if (ready > latest) {
            latest = ready;
            wait = (enum iss_wait)r->wait;
        }
    }
    return wait;
}

/* Explains why the step issues at `at` and not in its predecessor's cycle. `stores`: when it would issue if no earlier
 * store were in its way. */
static void explain_issue(struct iss_core *c, const struct iss_step *s, int64_t operands, int64_t stores, int64_t at)
{
    int64_t explained = c->cycle;
    if (at == c->cycle)
        return;
    explain(c, ISS_WAIT_ISSUE, c->cycle + 1, &explained);
    explain(c, ISS_WAIT_FETCH, c->fetched, &explained);
    explain(c, wait_for_operands(c, s), operands - late_of(s), &explained);
    explain(c, ISS_WAIT_UNIT, stores, &explained);
    explain(c, ISS_WAIT_LOAD_STORE, at, &explained);
}

static void issue(struct iss_core *c, const struct iss_timing *t, int64_t at)
{
    if (at > c->cycle) {
        c->cycle = at;
        c->issued = 0;
    }
    c->issued++;
    c->closed = t->issue == ISS_ISSUE_LAST || t->issue == ISS_ISSUE_ALONE;
    c->queue[c->next_queue] = at;
    c->next_queue = (c->next_queue + 1) % QUEUE;
}

/* ---- memory ---- */

/* Bit mask of an access that does not leave its word of 8 bytes. */
static uint8_t bytes_in_word(uint64_t address, unsigned bytes)
{
    return (uint8_t)(((1u << bytes) - 1) << (address & 7));
}

/* Records a store, word by word. `at`: when it is in the store buffer. */
static void remember_store(struct iss_core *c, uint64_t address, unsigned bytes, int64_t at)
{
    uint64_t line = address >> c->line_shift;
    if (bytes > 8)
        at += c->model->data.forward_wide - c->model->data.forward;
    while (bytes > 0) {
        unsigned n = 8 - (address & 7);
        n = n > bytes ? bytes : n;
        struct stored *s = &c->stored[(address >> 3) % STORED];
        *s = (struct stored){address >> 3, at + (address >> c->line_shift != line), bytes_in_word(address, n)};
        address += n;
        bytes -= n;
    }
}

static bool crosses(uint64_t address, unsigned bytes, uint64_t unit)
{
    return (address & (unit - 1)) + bytes > unit;
}

/* The first cycle from `at` on in which a load can issue without overtaking stores to the same bytes. Its words are
 * read one after the other. */
static int64_t after_stores(const struct iss_core *c, uint64_t address, unsigned bytes, int64_t at)
{
    uint64_t granule = (uint64_t)c->model->data.granule;
    bool split = (address & (granule - 1)) && crosses(address, bytes, granule) &&
                 !crosses(address, bytes, (uint64_t)1 << c->line_shift);
    int64_t from = at;
    for (int64_t word = 0; bytes > 0; word++) {
        unsigned n = 8 - (address & 7);
        n = n > bytes ? bytes : n;
        const struct stored *s = &c->stored[(address >> 3) % STORED];
        if (s->word == address >> 3 && (s->bytes & bytes_in_word(address, n)))
            at = later(at, s->time + c->model->data.forward - word);
        address += n;
        bytes -= n;
    }
    return split && at > from ? at + c->model->data.forward_split : at;
}

/* Number of aligned accesses, each at most a granule, that an access is split into. */
static int64_t pieces(uint64_t address, unsigned bytes, uint64_t granule)
{
    int64_t n = 0;
    for (; bytes > 0; n++) {
        uint64_t most = granule;
        while (most > 1 && (address & (most - 1) || most > bytes))
            most /= 2;
        address += most;
        bytes -= (unsigned)most;
    }
    return n;
}

/* Extra cycles of an unaligned access on a core that splits it into aligned ones. */
static int64_t more_pieces(struct iss_core *c, uint64_t address, unsigned bytes)
{
    uint64_t granule = (uint64_t)c->model->data.granule;
    if (c->ideal || !c->model->data.pieces || bytes < 2 || !(address & (bytes - 1) & (granule - 1)))
        return 0;
    int64_t more = pieces(address, bytes, granule) - pieces(0, bytes, granule);
    c->counts.memory.unaligned += more > 0;
    return more * c->model->data.load_split;
}

/* Is the load from flash? An address without a register is relative to the program counter, so it is. */
static bool in_flash(const struct iss_core *c, const struct iss_step *s, uint64_t address)
{
    return c->flash && (address < c->constants || !s->n_sources);
}

/* Extra cycles until the loaded value is ready. Extra cycles of the unit are added to *busy. */
static int64_t load(struct iss_core *c, const struct iss_step *s, uint64_t address, int64_t at, int64_t *busy)
{
    const struct iss_model *m = c->model;
    unsigned bytes = s->op.bytes;
    uint64_t granule = (uint64_t)m->data.granule;
    c->counts.loads++;
    int64_t split = more_pieces(c, address, bytes);
    if (in_flash(c, s, address))
        split += iss_flash_load(c->flash, address, at);
    if (!c->ideal && !m->data.pieces && (address & (granule - 1)) && crosses(address, bytes, granule)) {
        c->counts.memory.unaligned++;
        split = m->data.load_split;
        *busy += m->data.load_split_busy;
        hold_all(c, at + m->data.load_split_busy);
        int64_t most = later(0, m->data.load_split_most - s->timing->after[ISS_NEED_ADDRESS]);
        split = split > most ? most : split;
    }
    return split + (c->memory ? iss_memory_load(c->memory, address, bytes, at) : 0);
}

/* Extra cycles of a delayed load on an ideal core. */
static int64_t delayed(struct iss_core *c, int64_t at)
{
    int64_t delay = c->delay, most = c->model->data.outstanding;
    c->delay = 0;
    if (!delay)
        return 0;
    int64_t room = c->in_flight[(c->next_in_flight + IN_FLIGHT - (size_t)most) % IN_FLIGHT];
    int64_t done = later(room, at) + delay;
    c->in_flight[c->next_in_flight++ % IN_FLIGHT] = done;
    return done - at;
}

static void store(struct iss_core *c, const struct iss_step *s, uint64_t address, int64_t at, int64_t *busy)
{
    c->counts.stores++;
    *busy += more_pieces(c, address, s->op.bytes);
    if (c->memory && crosses(address, s->op.bytes, c->model->l1d.geometry.line)) {
        c->counts.memory.unaligned++;
        *busy += c->model->data.store_split_busy;
    }
    remember_store(c, address, s->op.bytes, at);
    int64_t wait = c->memory ? iss_memory_store(c->memory, address, s->op.bytes, at) : 0;
    hold_all(c, at + wait);
}

/* ---- one step ---- */

/* Cycles of a division whose quotient has `bits` bits. */
static int64_t division(const struct iss_timing *t, int bits)
{
    int64_t cycles = t->divide_base + (bits + t->divide_bits - 1) / t->divide_bits;
    return cycles < t->divide_max ? cycles : t->divide_max;
}

int iss_quotient_bits(enum iss_quotient q, int width)
{
    return q == ISS_QUOTIENT_SHORT ? 0 : q == ISS_QUOTIENT_LONG ? width : width / 6;
}

/* Extra cycles of a division beyond the latency of its class; 0 if the bits of its quotient are not known. */
static int64_t longer_division(struct iss_core *c, const struct iss_step *s)
{
    int bits = iss_values_quotient_bits(&c->values, &s->op);
    if (bits < 0 && c->ideal)
        bits = iss_quotient_bits(c->quotient, s->op.width);
    return bits < 0 ? 0 : division(s->timing, bits) - s->timing->latency;
}

/* A written-back address (row 2) is ready relative to the issue, results relative to the execution. */
static void write_results(struct iss_core *c, const struct iss_step *s, int64_t issued, int64_t executed)
{
    const struct iss_timing *t = s->across ? s->across : s->timing;
    for (unsigned i = 0; i < s->n_dests; i++) {
        struct result *r = &c->reg[s->dest[i].reg];
        unsigned row = s->dest[i].row;
        r->time = row == 2 ? issued : executed;
        r->row = row == 0 ? t->after : row == 1 ? t->after2 : c->model->write_back;
        r->wait = (uint8_t)(row == 2 ? ISS_WAIT_INTEGER : iss_wait_of((enum iss_class)s->op.class));
    }
}

/* Was a conditional instruction not executed? Either it made no access, or its condition is known to be false. */
static bool is_passed_over(const struct iss_core *c, const struct iss_step *s, const struct iss_access_at *access)
{
    if (!s->op.conditional || s->op.branch)
        return false;
    if (s->op.memory && !c->ideal)
        return !access;
    return !s->op.memory && iss_values_condition(&c->values, &s->op) == 0;
}

/* An instruction that is not executed only takes its slot in the pipeline. */
static int64_t pass_over(struct iss_core *c)
{
    const struct iss_timing *t = &c->model->timing[ISS_NOP];
    int64_t at = later(later(c->fetched, held(c, t)), c->cycle + 1);
    issue(c, t, at);
    c->counts.instructions++;
    return at;
}

static bool is_folded(const struct iss_core *c, const struct iss_step *s)
{
    return s->timing->folds && c->narrow_end == s->address;
}

/* On a core without caches, whatever takes longer also holds the core longer. With caches, a miss proceeds while later
 * instructions issue. */
static void hold_after(struct iss_core *c, const struct iss_timing *t, int64_t at, int64_t takes_longer)
{
    const int16_t holds[] = {t->hold, t->hold_load, t->hold_store};
    int64_t longer = c->model->no_caches ? takes_longer : 0;
    for (int i = 0; i < ISS_HOLDS; i++)
        if (holds[i])
            c->hold[i] = later(c->hold[i], at + holds[i] + longer);
}

/* The instruction after a branch that is executed as one with it takes its place and its unit, whether or not the branch
 * is taken. */
static void issue_next(struct iss_core *c, const struct iss_step *s, int64_t at)
{
    const struct iss_timing *t = s->across;
    issue(c, t, at);
    if (t->unit)
        unit_use(c, t->unit, t->take, at + t->busy);
    c->done = later(c->done, at + t->latency);
    c->in_pair = s->address + s->op.size;
}

static int64_t run_step(struct iss_core *c, const struct iss_step *s, const struct iss_access_at *access)
{
    const struct iss_timing *t = s->timing;
    int64_t operands, extra = 0;
    bool in_pair = c->in_pair == s->address;
    c->in_pair = UINT64_MAX;
    if (in_pair) {
        c->counts.instructions++;
        return c->cycle;
    }
    fetch(c, s);
    if (is_passed_over(c, s, access))
        return pass_over(c);
    if (is_folded(c, s)) {
        c->counts.instructions++;
        return c->cycle;
    }
    int64_t at = issue_cycle(c, s, &operands), stores = at;
    if (access && (s->op.memory & ISS_READ_MEMORY))
        at = after_stores(c, access->address, s->op.bytes, at);
    if (c->waits)
        explain_issue(c, s, operands, stores, at);
    issue(c, t, at);
    int64_t executed = later(operands, at), busy = t->busy;
    int64_t longer = t->divide_bits ? longer_division(c, s) : 0;
    if (s->op.repeat > 1)
        longer += (s->op.repeat - 1) * t->repeat;
    extra += longer;
    busy += longer;
    if (access) {
        if (s->op.memory & ISS_READ_MEMORY)
            extra += load(c, s, access->address, at, &busy);
        if (s->op.memory & ISS_WRITE_MEMORY)
            store(c, s, access->address, at, &busy);
    }
    if (c->delay && (s->op.memory & ISS_READ_MEMORY))
        extra += delayed(c, at);
    if (t->unit)
        unit_use(c, t->unit, t->take, at + busy);
    if (t->second_unit)
        unit_use(c, t->second_unit, 1, at + busy);
    if (s->across)
        issue_next(c, s, at);
    hold_after(c, t, at, later(extra, busy - t->busy));
    write_results(c, s, at, executed + extra);
    c->done = later(c->done, executed + extra + t->latency);
    c->counts.instructions++;
    c->counts.unknown += s->op.class == ISS_UNKNOWN;
    return executed;
}

void iss_core_run(struct iss_core *c, const struct iss_step *steps, size_t n, const struct iss_access_at *accesses,
                  size_t n_accesses, uint64_t next)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        while (k < n_accesses && accesses[k].step < i)
            k++;
        const struct iss_access_at *access = k < n_accesses && accesses[k].step == i ? &accesses[k] : 0;
        const struct iss_step *s = &steps[i];
        if (s->skip)
            continue;
        int64_t before = c->cycle, at = run_step(c, s, access);
        c->narrow_end = s->op.size == 2 && !s->op.branch ? s->address + 2 : UINT64_MAX;
        if (c->each)
            c->each[i] += c->cycle - before;
        if (s->op.branch && i == n - 1 && next)
            steer(c, s, next, at, s->op.branch == ISS_CONDITIONAL ? iss_values_condition(&c->values, &s->op) : -1);
        iss_values_step(&c->values, &s->op, access && access->loaded ? &access->value : 0);
    }
}

void iss_core_attribute(struct iss_core *c, int64_t *cycles)
{
    c->each = cycles;
}

void iss_core_explain(struct iss_core *c, int64_t *waits)
{
    c->waits = waits;
}

/* ---- the whole ---- */

void iss_core_drain(struct iss_core *c)
{
    int64_t done = all_done(c);
    if (done > c->cycle) {
        c->cycle = done;
        c->issued = 0;
        c->closed = false;
    }
    c->fetched = later(c->fetched, c->cycle);
    c->group = UINT64_MAX;
}

static void nothing_in_flight(struct iss_core *c)
{
    static const int16_t at_once[ISS_NEED_N];
    for (int i = 0; i < ISS_REG_N; i++)
        c->reg[i] = (struct result){c->cycle, at_once, ISS_WAIT_INTEGER};
    memset(c->stored, 0xff, sizeof c->stored); /* no address has this word number */
    c->group = c->line = c->narrow_end = c->in_pair = UINT64_MAX;
    c->taken_from = c->taken_to = 0;
}

void iss_core_reset(struct iss_core *c, bool everything)
{
    iss_core_drain(c);
    if (c->memory)
        iss_memory_flush(c->memory, everything);
    if (c->flash)
        iss_flash_reset(c->flash);
    if (everything && c->predictor)
        iss_predictor_reset(c->predictor);
    nothing_in_flight(c);
}

void iss_core_constants(struct iss_core *c, uint64_t end)
{
    c->constants = end;
}

void iss_core_lost_sight(struct iss_core *c)
{
    iss_values_reset(&c->values);
}

static unsigned logarithm(uint64_t v)
{
    unsigned n = 0;
    while (v >>= 1)
        n++;
    return n;
}

static void begin(struct iss_core *c)
{
    const struct iss_model *m = c->model;
    c->group_shift = logarithm((uint64_t)m->fetch.bytes);
    c->line_shift = logarithm(m->l1i.geometry.line);
    nothing_in_flight(c);
}

struct iss_core *iss_core_new_ideal(const struct iss_model *m)
{
    struct iss_core *c = xcalloc(1, sizeof *c);
    c->model = m;
    c->ideal = true;
    begin(c);
    return c;
}

static struct iss_flash *flash_new(const struct iss_model *m)
{
    struct iss_flash *f = xcalloc(1, sizeof *f);
    iss_flash_init(f, m);
    return f;
}

struct iss_core *iss_core_new(const struct iss_model *m)
{
    struct iss_core *c = iss_core_new_ideal(m);
    c->ideal = false;
    c->memory = m->no_caches ? 0 : iss_memory_new(m);
    c->predictor = m->predictor.none ? 0 : iss_predictor_new(m);
    c->flash = m->flash.wait_states ? flash_new(m) : 0;
    return c;
}

void iss_core_restart(struct iss_core *c)
{
    *c = (struct iss_core){.model = c->model, .ideal = true, .quotient = c->quotient};
    begin(c);
}

void iss_core_copy(struct iss_core *to, const struct iss_core *from)
{
    *to = *from;
}

void iss_core_quotients(struct iss_core *c, enum iss_quotient q)
{
    c->quotient = q;
}

void iss_core_delay(struct iss_core *c, int64_t cycles)
{
    c->delay = cycles;
}

void iss_core_mispredict(struct iss_core *c)
{
    c->mispredict = true;
}

int64_t iss_core_cycle(const struct iss_core *c)
{
    return c->cycle;
}

void iss_core_free(struct iss_core *c)
{
    if (!c)
        return;
    if (c->memory)
        iss_memory_free(c->memory);
    if (c->predictor)
        iss_predictor_free(c->predictor);
    free(c->flash);
    free(c);
}

void iss_core_counts(const struct iss_core *c, struct iss_counts *to)
{
    *to = c->counts;
    uint64_t unaligned = to->memory.unaligned;
    if (c->memory)
        to->memory = *iss_memory_counts(c->memory);
    to->memory.unaligned = unaligned;
    to->cycles = (uint64_t)c->cycle;
}
