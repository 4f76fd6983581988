/*
 * wide.c - a core that issues out of order: one pass over the executed instructions, each through these stages:
 *
 *     fetch      aligned groups. A taken branch ends a group. After a misprediction the next group waits until the
 *                branch has executed.
 *     dispatch   in order, `width` slots a cycle, while the window, the scheduler and the load and store queues have
 *                room
 *     issue      each operation in the first cycle in which its operands are ready and one of its ports is free
 *     retire     in order, `retire` a cycle
 *
 * Registers are renamed, so an operation waits for what it reads and for nothing else. An operation without ports is
 * done by renaming alone. An instruction with an operand in memory is a load, the operation and a store. Instructions
 * come in program order and each takes the ports that earlier ones have left, so the oldest ready operation goes first.
 */
#include "sim/core/wide.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/ports.h"

enum { STORED = 256, LATE = 16 };

struct result {
    int64_t time;       /* when the operation that makes it was executed */
    const int16_t *row; /* cycles after `time` until it can be used, by need */
    uint8_t wait;       /* enum iss_wait: what cycles spent waiting for it count as */
};
struct stored {
    uint64_t word; /* address / 8 */
    int64_t time;  /* when the stored value can be read */
};
/* When each of the latest entries left the queue. */
struct queue {
    int64_t out[ISS_REORDER];
    uint64_t n;
};

struct iss_wide {
    const struct iss_model *model;
    int64_t *waits;
    bool mispredict;
    int64_t delay;
    int64_t late[LATE]; /* when delayed loads are done; a ring buffer */
    uint64_t n_late;

    int64_t fetched; /* when the current group has been fetched */
    uint64_t group;  /* UINT64_MAX: none */
    unsigned group_shift;
    uint64_t taken_from, taken_to; /* the last taken branch */
    bool compares;                 /* the latest instruction may be fused with a branch */

    int64_t dispatched, places; /* the cycle of the latest dispatch, and the slots used in it */
    struct queue fetch, window, loads, stores;
    int64_t waiting[ISS_QUEUED]; /* when each operation leaves the scheduler, in no order */
    size_t n_waiting;
    int64_t retired, leaving; /* the cycle of the latest retirement, and how many retired in it */

    struct result reg[ISS_REG_N];
    struct stored stored[STORED];
    struct ports ports;
};

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- queues ---- */

/* When the queue has room for another entry: the cycle after the one `size` entries before has left. */
static int64_t room(const struct queue *q, int64_t size)
{
    return q->n < (uint64_t)size ? 0 : q->out[(q->n - (uint64_t)size) % ISS_REORDER] + 1;
}

static void enter(struct queue *q, int64_t out)
{
    q->out[q->n++ % ISS_REORDER] = out;
}

static size_t still_waiting(struct iss_wide *w, int64_t at, int64_t *first)
{
    size_t n = 0;
    *first = INT64_MAX;
    for (size_t i = 0; i < w->n_waiting; i++)
        if (w->waiting[i] >= at) {
            *first = w->waiting[i] < *first ? w->waiting[i] : *first;
            w->waiting[n++] = w->waiting[i];
        }
    return n;
}

/* When the scheduler has room: `at` or later. */
static int64_t scheduler_room(struct iss_wide *w, int64_t at)
{
    int64_t first;
    if (w->n_waiting < (size_t)w->model->window.scheduler)
        return at;
    w->n_waiting = still_waiting(w, at, &first);
    if (w->n_waiting < (size_t)w->model->window.scheduler)
        return at;
    return scheduler_room(w, first + 1);
}

/* ---- fetch ---- */

static void fetch(struct iss_wide *w, const struct iss_step *s)
{
    uint64_t group = s->address >> w->group_shift;
    if (group == w->group)
        return;
    if (w->group != UINT64_MAX)
        w->fetched++;
    w->group = group;
    w->fetched = later(w->fetched, room(&w->fetch, w->model->fetch.queue));
}

/* Cycles from a correctly predicted branch to its target. */
static int64_t cycles_to_target(const struct iss_wide *w, const struct iss_step *s, uint64_t next)
{
    if (w->taken_from == s->address && w->taken_to == next)
        return w->model->fetch.same_taken;
    switch (s->op.branch) {
    case ISS_JUMP_INDIRECT:
        return w->model->fetch.jump_register;
    case ISS_CALL_INDIRECT:
        return w->model->fetch.call_register;
    case ISS_RETURN_TO:
        return w->model->fetch.back;
    default:
        return w->model->fetch.taken;
    }
}

/* Handles a branch that was executed at `at`. */
static void steer(struct iss_wide *w, const struct iss_step *s, uint64_t next, int64_t at)
{
    bool taken = next && next != s->address + s->op.size;
    if (w->mispredict) {
        w->fetched = at + w->model->fetch.mispredicted; /* fetched before it was executed */
        w->group = UINT64_MAX;
    } else if (taken) {
        w->fetched += cycles_to_target(w, s, next);
        w->group = UINT64_MAX;
    }
    w->mispredict = false;
    if (taken) {
        w->taken_from = s->address;
        w->taken_to = next;
    }
}

/* ---- dispatch ---- */

static bool is_fused(const struct iss_wide *w, const struct iss_step *s)
{
    return w->model->window.fuses && w->compares && s->op.branch == ISS_CONDITIONAL;
}

/* Can it be fused with a branch? It sets the flags from registers and constants, and writes a register or nothing. */
static bool may_fuse(const struct iss_op *op)
{
    bool flags = false;
    for (unsigned i = 0; i < op->n_dests; i++)
        flags |= op->dest[i] == ISS_REG_FLAGS;
    return flags && (op->class == ISS_COMPARE || op->class == ISS_ALU) && !(op->memory & ISS_WRITE_MEMORY);
}

/* Takes `slots` dispatch slots from cycle `at` on, over several cycles if there are many. Returns the cycle. */
static int64_t take_places(struct iss_wide *w, int64_t at, int64_t slots)
{
    int64_t width = w->model->width;
    if (at > w->dispatched)
        w->places = 0;
    else if (w->places + slots > width && w->places > 0) {
        at = w->dispatched + 1;
        w->places = 0;
    }
    w->places += slots;
    int64_t more = w->places > width ? (w->places - 1) / width : 0;
    w->places -= more * width;
    w->dispatched = at + more;
    return at;
}

static int64_t dispatch(struct iss_wide *w, const struct iss_step *s)
{
    const struct iss_model *m = w->model;
    int64_t at = later(later(w->fetched, w->dispatched), room(&w->window, m->window.reorder));
    if (s->op.memory & ISS_READ_MEMORY)
        at = later(at, room(&w->loads, m->window.loads));
    if (s->op.memory & ISS_WRITE_MEMORY)
        at = later(at, room(&w->stores, m->window.stores));
    if (s->timing->drains)
        at = later(at, w->retired + 1);
    if (s->timing->n_uses || s->op.memory)
        at = scheduler_room(w, at);
    at = take_places(w, at, is_fused(w, s) ? 0 : s->timing->slots);
    enter(&w->fetch, at);
    ports_advance(&w->ports, at);
    return at;
}

/* ---- operations ---- */

static bool is_address(const struct iss_step *s, unsigned source)
{
    return s->source[source].need == ISS_NEED_ADDRESS;
}

/* When the operands are ready, either those of the address or the others; `at` at the earliest. *wait: what the latest
 * one counts as. */
static int64_t operands(const struct iss_wide *w, const struct iss_step *s, bool address, int64_t at, unsigned *wait)
{
    for (unsigned i = 0; i < s->n_sources; i++) {
        const struct result *r = &w->reg[s->source[i].reg];
        if (is_address(s, i) != address || r->time + r->row[s->source[i].need] <= at)
            continue;
        at = r->time + r->row[s->source[i].need];
        *wait = r->wait;
    }
    return at;
}

/* Issues all operations of a class; returns when the last one begins. An operation without ports never waits. */
static int64_t issue(struct iss_wide *w, const struct iss_timing *t, unsigned repeat, int64_t ready)
{
    int64_t at = ready;
    for (unsigned i = 0; i < t->n_uses; i++) {
        struct iss_use use = t->use[i];
        use.busy += (repeat > 1 ? (int64_t)repeat - 1 : 0) * t->repeat;
        at = later(at, ports_take(&w->ports, &use, ready));
    }
    if (t->n_uses && w->n_waiting < ISS_QUEUED)
        w->waiting[w->n_waiting++] = at;
    return at;
}

/* Is it a load? An atomic access counts as one: its figures are for the whole access. */
static bool is_load(unsigned class)
{
    return class == ISS_ATOMIC || (class >= ISS_LOAD && class <= ISS_LOAD_EXCLUSIVE) ||
           (class >= ISS_FP_LOAD && class <= ISS_FP_LOAD_MANY);
}

static bool is_store(unsigned class)
{
    return (class >= ISS_STORE && class <= ISS_STORE_EXCLUSIVE) ||
           (class >= ISS_FP_STORE && class <= ISS_FP_STORE_MANY);
}

static bool is_vector(const struct iss_op *op)
{
    return iss_wait_of((enum iss_class)op->class) == ISS_WAIT_FP;
}

/* The class of the load by which an instruction gets an operand from memory. */
static enum iss_class load_class(const struct iss_op *op)
{
    return !is_vector(op) ? ISS_LOAD : op->bytes < 16 ? ISS_FP_LOAD : ISS_FP_LOAD_128;
}

static enum iss_class store_class(const struct iss_op *op)
{
    return !is_vector(op) ? ISS_STORE : op->bytes < 16 ? ISS_FP_STORE : ISS_FP_STORE_128;
}

static const struct iss_timing *load_of(const struct iss_wide *w, const struct iss_step *s)
{
    return is_load(s->op.class) ? s->timing : &w->model->timing[load_class(&s->op)];
}

static const struct iss_timing *store_of(const struct iss_wide *w, const struct iss_step *s)
{
    return is_store(s->op.class) ? s->timing : &w->model->timing[store_class(&s->op)];
}

unsigned iss_wide_classes(const struct iss_op *op, enum iss_class classes[ISS_WIDE_CLASSES])
{
    unsigned n = 0;
    classes[n++] = (enum iss_class)op->class;
    if (op->memory & ISS_READ_MEMORY && !is_load(op->class))
        classes[n++] = load_class(op);
    if (op->memory & ISS_WRITE_MEMORY && !is_store(op->class))
        classes[n++] = store_class(op);
    return n;
}

/* ---- memory ---- */

static struct stored *slot(struct iss_wide *w, uint64_t word)
{
    return &w->stored[word % STORED];
}

static void remember_store(struct iss_wide *w, uint64_t address, unsigned bytes, int64_t time)
{
    for (uint64_t word = address >> 3; word <= (address + bytes - 1) >> 3; word++)
        *slot(w, word) = (struct stored){word, time};
}

/* When the stored value that a load reads can be read; 0: no recorded store wrote it. */
static int64_t forwarded(struct iss_wide *w, uint64_t address, unsigned bytes)
{
    int64_t time = 0;
    for (uint64_t word = address >> 3; word <= (address + bytes - 1) >> 3; word++)
        if (slot(w, word)->word == word)
            time = later(time, slot(w, word)->time + w->model->window.forward);
    return time;
}

/* Extra cycles of a delayed load. At most as many as the model says are in flight. */
static int64_t delayed(struct iss_wide *w, int64_t at)
{
    uint64_t most = (uint64_t)w->model->data.outstanding;
    int64_t delay = w->delay;
    w->delay = 0;
    if (!delay)
        return 0;
    int64_t start = w->n_late < most ? at : later(at, w->late[(w->n_late - most) % LATE]);
    w->late[w->n_late++ % LATE] = start + delay;
    return start + delay - at;
}

/* Issues the load of a step whose address is ready at `ready`. Returns a nominal issue time: the loaded value is ready
 * its latency later. */
static int64_t load(struct iss_wide *w, const struct iss_step *s, const struct iss_access_at *access, int64_t ready)
{
    const struct iss_timing *t = load_of(w, s);
    int64_t at = issue(w, t, is_load(s->op.class) ? s->op.repeat : 1, ready), more = delayed(w, at);
    if (access)
        at = later(at, forwarded(w, access->address, s->op.bytes) - t->latency);
    return at + more;
}

/* ---- one step ---- */

/* Times of a step: its dispatch, its operands, its execution, its end. */
struct times {
    int64_t dispatched, address, ready, executed, done;
    unsigned wait; /* enum iss_wait */
};

/* The loaded value is an operand of the operation like any other: this is its need. */
static enum iss_need need_of_loaded(const struct iss_step *s)
{
    if (s->op.branch)
        return ISS_NEED_TARGET;
    return is_vector(&s->op) ? ISS_NEED_FP : ISS_NEED_OPERAND;
}

/* A fused branch is part of the comparison's operation. */
static int64_t work(struct iss_wide *w, const struct iss_step *s, const struct times *x)
{
    return is_fused(w, s) ? x->ready : issue(w, s->timing, s->op.repeat, x->ready);
}

static void execute(struct iss_wide *w, const struct iss_step *s, const struct iss_access_at *access, struct times *x)
{
    const struct iss_op *op = &s->op;
    const struct iss_timing *t = s->timing;
    int64_t from = x->dispatched + 1;
    x->wait = ISS_WAIT_INTEGER;
    x->address = operands(w, s, true, from, &x->wait);
    x->ready = operands(w, s, false, from, &x->wait);
    if (op->memory & ISS_READ_MEMORY) {
        int64_t loaded = load(w, s, access, x->address);
        x->executed = later(loaded, is_load(op->class) ? x->ready : 0);
        if (!is_load(op->class) && loaded + load_of(w, s)->after[need_of_loaded(s)] > x->ready) {
            x->ready = loaded + load_of(w, s)->after[need_of_loaded(s)];
            x->wait = ISS_WAIT_LOAD_STORE;
        }
    }
    bool works = !is_load(op->class) && !is_store(op->class);
    if (works)
        x->executed = work(w, s, x);
    x->done = x->executed + t->latency;
    if (op->memory & ISS_WRITE_MEMORY) {
        int64_t data = works ? x->executed + t->after[ISS_NEED_DATA] : x->ready;
        int64_t at = issue(w, store_of(w, s), 1, later(x->address, op->branch ? from : data));
        x->executed = works ? x->executed : at;
        x->done = later(x->done, at);
        if (access)
            remember_store(w, access->address, op->bytes, at);
    }
}

static void write_results(struct iss_wide *w, const struct iss_step *s, const struct times *x)
{
    for (unsigned i = 0; i < s->n_dests; i++) {
        struct result *r = &w->reg[s->dest[i].reg];
        unsigned row = s->dest[i].row;
        r->time = row == 2 ? x->address : x->executed;
        r->row = row == 0 ? s->timing->after : row == 1 ? s->timing->after2 : w->model->write_back;
        r->wait = (uint8_t)(row == 2 ? ISS_WAIT_INTEGER
                            : s->op.memory & ISS_READ_MEMORY && is_load(s->op.class)
                                ? ISS_WAIT_LOAD_STORE
                                : iss_wait_of((enum iss_class)s->op.class));
    }
}

static void explain(struct iss_wide *w, enum iss_wait wait, int64_t cycles, int64_t *left)
{
    cycles = cycles < 0 ? 0 : cycles > *left ? *left : cycles;
    w->waits[wait] += cycles;
    *left -= cycles;
}

/* Attributes the cycles since the previous retirement to what they were spent on, the latest ones first. */
static void explain_all(struct iss_wide *w, const struct times *x, int64_t cycles)
{
    if (!w->waits || cycles <= 0)
        return;
    explain(w, ISS_WAIT_ISSUE, 1, &cycles);
    explain(w, ISS_WAIT_UNIT, x->executed - later(x->ready, x->address), &cycles);
    explain(w, (enum iss_wait)x->wait, later(x->ready, x->address) - x->dispatched - 1, &cycles);
    explain(w, ISS_WAIT_FETCH, cycles, &cycles);
}

static void retire(struct iss_wide *w, const struct times *x)
{
    int64_t at = later(w->retired, x->done);
    if (at == w->retired && w->leaving >= w->model->window.retire)
        at++;
    explain_all(w, x, at - w->retired);
    w->leaving = at == w->retired ? w->leaving + 1 : 1;
    w->retired = at;
    enter(&w->window, at);
}

void iss_wide_run(struct iss_wide *w, const struct iss_step *step, const struct iss_access_at *access, uint64_t next)
{
    struct times x = {0};
    if (step->skip)
        return;
    fetch(w, step);
    x.dispatched = dispatch(w, step);
    execute(w, step, access, &x);
    write_results(w, step, &x);
    retire(w, &x);
    if (step->op.memory & ISS_READ_MEMORY)
        enter(&w->loads, w->retired);
    if (step->op.memory & ISS_WRITE_MEMORY)
        enter(&w->stores, w->retired);
    w->compares = may_fuse(&step->op);
    if (step->op.branch)
        steer(w, step, next, x.executed);
}

/* ---- the whole ---- */

static void begin(struct iss_wide *w)
{
    static const int16_t at_once[ISS_NEED_N];
    for (int i = 0; i < ISS_REG_N; i++)
        w->reg[i] = (struct result){INT32_MIN, at_once, ISS_WAIT_INTEGER};
    memset(w->stored, 0xff, sizeof w->stored); /* no address has this word number */
    w->group = UINT64_MAX;
    for (uint64_t bytes = (uint64_t)w->model->fetch.bytes; bytes >>= 1;)
        w->group_shift++;
}

struct iss_wide *iss_wide_new(const struct iss_model *m)
{
    struct iss_wide *w = xcalloc(1, sizeof *w);
    w->model = m;
    begin(w);
    return w;
}

void iss_wide_free(struct iss_wide *w)
{
    free(w);
}

void iss_wide_restart(struct iss_wide *w)
{
    const struct iss_model *m = w->model;
    memset(w, 0, sizeof *w);
    w->model = m;
    begin(w);
}

void iss_wide_copy(struct iss_wide *to, const struct iss_wide *from)
{
    *to = *from;
}

void iss_wide_mispredict(struct iss_wide *w)
{
    w->mispredict = true;
}

void iss_wide_delay(struct iss_wide *w, int64_t cycles)
{
    w->delay = cycles;
}

void iss_wide_explain(struct iss_wide *w, int64_t *waits)
{
    w->waits = waits;
}

int64_t iss_wide_cycle(const struct iss_wide *w)
{
    return w->retired;
}
