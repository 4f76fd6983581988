/*
 * code_schedule.c - schedules straight-line code on an ideal core. A register of unknown value gets an address of its
 * own, far from all others and the same in each iteration. So two accesses overlap exactly if they would for any values
 * of the registers, or if one address was computed from the other.
 */
#include "sim/core/code_schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/registers.h"
#include "sim/core/wide.h"

/* ---- code ---- */

typedef VEC(struct iss_step) step_list;

static void decode_piece(step_list *to, struct iss_code *code, const struct iss_model *model,
                         const struct iss_decoder *d, void *state, const struct iss_piece *piece)
{
    for (size_t at = 0, size; at < piece->n; at += size) {
        struct iss_op op;
        struct iss_step step;
        size = !d->size ? piece->n - at : at + 2 <= piece->n ? d->size(piece->bytes + at) : 2;
        if (size > piece->n - at)
            break;
        code->n_unknown += !d->decode(state, piece->bytes + at, size, piece->address + at, &op);
        iss_step_make(model, &op, piece->address + at, &step);
        vec_push(to, step);
        size = d->size ? size : op.size;
    }
}

/* Branches that are executed as one with the instruction after them. */
static void make_pairs(step_list *list, const struct iss_model *model)
{
    for (size_t i = 0; model->predicates && i + 1 < list->n; i++) {
        struct iss_step *s = &list->at[i];
        if (s[1].address == s->address + s->op.size)
            iss_step_across(model, s, &s[1].op);
    }
}

enum status iss_code_of_pieces(struct iss_code **out, const struct iss_model *model, const struct iss_piece *pieces,
                               size_t n, struct error *e)
{
    const struct iss_decoder *d = iss_decoder_find(model->architecture);
    void *state = d ? d->open() : 0;
    *out = 0;
    if (!state)
        return error_set(e, ERR_UNSUPPORTED, NOWHERE, "there is no decoder for %s", model->architecture);
    struct iss_code *code = xcalloc(1, sizeof *code);
    step_list list = {0};
    for (size_t i = 0; i < n; i++)
        decode_piece(&list, code, model, d, state, &pieces[i]);
    d->close(state);
    make_pairs(&list, model);
    code->steps = list.at;
    code->n = list.n;
    *out = code;
    return OK;
}

enum status iss_code_new(struct iss_code **out, const struct iss_model *model, const uint8_t *bytes, size_t n,
                         uint64_t address, struct error *e)
{
    const struct iss_decoder *d = iss_decoder_find(model->architecture);
    const struct iss_piece all = {bytes, n, address};
    *out = 0;
    if (d && !d->plain)
        return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                         "code for %s is judged by running it alone: constants stand among its instructions, and "
                         "conditional ones may end a function; use another method",
                         model->architecture);
    return iss_code_of_pieces(out, model, &all, 1, e);
}

void iss_code_free(struct iss_code *code)
{
    if (!code)
        return;
    free(code->steps);
    free(code);
}

static int by_address(const void *wanted, const void *step)
{
    uint64_t a = *(const uint64_t *)wanted, b = ((const struct iss_step *)step)->address;
    return (a > b) - (a < b);
}

size_t iss_code_find(const struct iss_code *code, uint64_t address)
{
    const struct iss_step *found =
        code->n ? bsearch(&address, code->steps, code->n, sizeof *code->steps, by_address) : 0;
    return found ? (size_t)(found - code->steps) : code->n;
}

size_t iss_code_from(const struct iss_code *code, uint64_t address)
{
    size_t low = 0, high = code->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code->steps[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- addresses ---- */

enum { ACCESSES = 256 };

struct accessed {
    uint64_t step, now, before; /* addresses: of the instruction, of its latest access, of the one before */
    unsigned times;
};
struct iss_schedule {
    struct iss_core *core; /* a core that issues in order; NULL: out of order */
    struct iss_wide *wide; /* a core that issues out of order; NULL: in order */
    struct iss_values values;
    uint64_t places; /* number of addresses given so far */
    struct accessed accessed[ACCESSES];
};

/* A new address, aligned to a line, with room for offsets on both sides. Its lower half also differs from the others',
 * since that is all that is left when it is used as a 32-bit index. */
static uint64_t new_place(struct iss_schedule *s)
{
    uint64_t n = s->places++;
    return (UINT64_C(1) << 62) + (n << 36) + (n * UINT64_C(0x9e3779b1) & UINT64_C(0xffffffc0));
}

static void hold_place(struct iss_schedule *s, unsigned reg)
{
    s->values.reg[reg] = new_place(s);
    s->values.known |= UINT32_C(1) << reg;
}

/* Returns false if the address is not known. An offset without a register is an absolute address. */
static bool address_of(const struct iss_schedule *s, const struct iss_op *op, uint64_t *address)
{
    unsigned n = 0;
    *address = (uint64_t)(int64_t)op->offset;
    for (unsigned i = 0; i < op->n_sources; i++) {
        if (op->source[i].need != ISS_NEED_ADDRESS)
            continue;
        if (op->source[i].reg < 32)
            *address += s->values.reg[op->source[i].reg] << (n ? op->index_shift : 0);
        n++;
    }
    return n > 0 || op->offset;
}

static const struct accessed *slot(const struct iss_schedule *s, const struct iss_step *step)
{
    return &s->accessed[step->address / 2 % ACCESSES];
}

static void remember(struct iss_schedule *s, const struct iss_step *step, uint64_t address)
{
    struct accessed *a = &s->accessed[slot(s, step) - s->accessed];
    if (a->step != step->address)
        *a = (struct accessed){.step = step->address};
    a->before = a->now;
    a->now = address;
    a->times++;
}

bool iss_schedule_stride(const struct iss_schedule *s, const struct iss_step *step, int64_t *bytes)
{
    static const int64_t far = INT64_C(1) << 32;
    const struct accessed *a = slot(s, step);
    *bytes = (int64_t)(a->now - a->before);
    return a->step == step->address && a->times > 1 && *bytes > -far && *bytes < far;
}

static void follow(struct iss_schedule *s, const struct iss_op *op)
{
    unsigned base = op->n_address ? op->dest[op->n_dests - 1] : ISS_REG_NONE;
    uint64_t written_back = base < 32 ? s->values.reg[base] + (uint64_t)(int64_t)op->back : 0;
    iss_values_step(&s->values, op, 0);
    for (unsigned i = 0; i < op->n_dests; i++)
        if (op->dest[i] < 32 && !(s->values.known >> op->dest[i] & 1))
            hold_place(s, op->dest[i]);
    for (unsigned reg = 0; reg < 32; reg++)
        if (op->lost >> reg & 1)
            hold_place(s, reg);
    if (base < 32)
        s->values.reg[base] = written_back;
}

/* ---- schedule ---- */

struct iss_schedule *iss_schedule_new(const struct iss_model *model)
{
    struct iss_schedule *s = xcalloc(1, sizeof *s);
    if (model->window.reorder)
        s->wide = iss_wide_new(model);
    else
        s->core = iss_core_new_ideal(model);
    iss_schedule_restart(s);
    return s;
}

void iss_schedule_quotients(struct iss_schedule *s, enum iss_quotient q)
{
    if (s->core)
        iss_core_quotients(s->core, q);
}

void iss_schedule_free(struct iss_schedule *s)
{
    if (!s)
        return;
    iss_core_free(s->core);
    iss_wide_free(s->wide);
    free(s);
}

void iss_schedule_restart(struct iss_schedule *s)
{
    if (s->wide)
        iss_wide_restart(s->wide);
    else
        iss_core_restart(s->core);
    iss_values_reset(&s->values);
    s->places = 0;
    memset(s->accessed, 0, sizeof s->accessed);
    for (unsigned reg = 0; reg < 32; reg++)
        hold_place(s, reg);
}

void iss_schedule_run(struct iss_schedule *s, const struct iss_step *steps, size_t n, uint64_t next)
{
    for (size_t i = 0; i < n; i++) {
        const struct iss_op *op = &steps[i].op;
        struct iss_access_at access = {.step = 0};
        bool known = op->memory && address_of(s, op, &access.address);
        if (known)
            remember(s, &steps[i], access.address);
        uint64_t after = i + 1 < n ? steps[i + 1].address : next;
        if (s->wide)
            iss_wide_run(s->wide, &steps[i], known ? &access : NULL, after);
        else
            iss_core_run(s->core, &steps[i], 1, &access, known, after);
        follow(s, op);
    }
}

void iss_schedule_mispredict(struct iss_schedule *s)
{
    if (s->wide)
        iss_wide_mispredict(s->wide);
    else
        iss_core_mispredict(s->core);
}

void iss_schedule_delay(struct iss_schedule *s, int64_t cycles)
{
    if (s->wide)
        iss_wide_delay(s->wide, cycles);
    else
        iss_core_delay(s->core, cycles);
}

int64_t iss_schedule_cycle(const struct iss_schedule *s)
{
    return s->wide ? iss_wide_cycle(s->wide) : iss_core_cycle(s->core);
}

void iss_schedule_explain(struct iss_schedule *s, int64_t *waits)
{
    if (s->wide)
        iss_wide_explain(s->wide, waits);
    else
        iss_core_explain(s->core, waits);
}

void iss_schedule_copy(struct iss_schedule *to, const struct iss_schedule *from)
{
    if (to->wide)
        iss_wide_copy(to->wide, from->wide);
    else
        iss_core_copy(to->core, from->core);
    to->values = from->values;
    to->places = from->places;
    memcpy(to->accessed, from->accessed, sizeof to->accessed);
}
