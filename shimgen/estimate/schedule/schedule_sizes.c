/*
 * schedule_sizes.c - cycles by the amount of work. The file has cycles for several sizes of a C library call
 * ("call.library.memcpy:256") and lengths of a division's quotient ("udiv.i64:20"); the profile has the sums of a part's
 * sizes (SIZE_memcpy) and lengths (QUOTIENT_BITS). Between two sizes the cycles are interpolated linearly; beyond the
 * last one, the last two are extrapolated.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule/schedule.h"

struct point {
    double size, pitch, latency;
};
struct points {
    VEC(struct point) all;
};

static int by_size(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    return (x->size > y->size) - (x->size < y->size);
}

/* The file's values for "KEY:SIZE", by size. */
static void points_find(struct points *out, const struct costs *c, const char *key, enum bound bound)
{
    size_t n = strlen(key);
    for (size_t i = 0; i < c->names.n; i++) {
        const char *name = c->names.keys[i];
        if (strncmp(name, key, n) != 0 || name[n] != ':')
            continue;
        char *end;
        double size = strtod(name + n + 1, &end);
        if (end > name + n + 1 && !*end && size >= 0)
            vec_push(&out->all,
                     (struct point){size, cycles_pick(&c->pitch[i], bound), cycles_pick(&c->latency[i], bound)});
    }
    if (out->all.n)
        qsort(out->all.at, out->all.n, sizeof *out->all.at, by_size);
}

/* On the line through two points. Beyond them it does not fall. */
static double on_line(double size, double a, double b, double at_a, double at_b)
{
    double slope = (at_b - at_a) / (b - a);
    return at_b + (size - b) * (size > b ? fmax(slope, 0) : slope);
}

static struct point values_at(const struct points *p, double size)
{
    const struct point *at = p->all.at;
    size_t n = p->all.n, k = 1;
    if (n == 1 || size <= at[0].size)
        return at[0];
    while (k + 1 < n && at[k].size < size)
        k++;
    const struct point *a = &at[k - 1], *b = &at[k];
    return (struct point){size, on_line(size, a->size, b->size, a->pitch, b->pitch),
                          on_line(size, a->size, b->size, a->latency, b->latency)};
}

/* The values for so much work. Returns false if the file has none, or only smaller sizes. */
static bool values_of(struct point *values, const struct schedule *s, const char *key, double size, bool further,
                      enum bound bound)
{
    struct points p = {0};
    points_find(&p, s->est->costs, key, bound);
    bool known = p.all.n && (further || size <= p.all.at[p.all.n - 1].size);
    if (known)
        *values = values_at(&p, size);
    vec_release(&p.all);
    return known;
}

/* ---- calls of the C library ---- */

static bool calls_same(const struct ir_key *a, const struct ir_key *b)
{
    return a->opcode == IR_CALL && a->name && a->n_name == b->n_name && memcmp(a->name, b->name, a->n_name) == 0;
}

/* Calls of the function per execution of the part. */
static double calls_in(const struct schedule *s, const struct irprof_segment *g, uint32_t part,
                       const struct ir_key *key)
{
    double calls = 0;
    for (uint32_t i = g->first_instruction; i < g->first_instruction + g->n_instructions; i++)
        if (s->p->instructions[i].part == part && calls_same(schedule_key(s, i), key))
            calls++;
    return calls;
}

/* The mean size of a part's calls of the function. Returns false if the profile does not tell. */
static bool size_of(double *size, bool *constant, const struct schedule *s, uint32_t i, uint32_t segment)
{
    const struct ir_key *key = schedule_key(s, i);
    const struct irprof_part *part = &s->p->parts[s->p->instructions[i].part];
    char *name = xasprintf(IRPROF_SIZE "%.*s", (int)key->n_name, key->name);
    size_t event = irprof_event(s->p, name);
    free(name);
    double sum = 0, calls = calls_in(s, &s->p->segments[segment], s->p->instructions[i].part, key);
    calls *= (double)s->region->executions[segment];
    bool any = false;
    *constant = true;
    for (uint32_t k = part->first_event_site; k < part->first_event_site + part->n_event_sites; k++) {
        if (s->p->event_sites[k].event != event)
            continue;
        any = true;
        sum += (double)s->region->event_counts[k];
        *constant &= s->p->event_sites[k].constant;
    }
    *size = calls > 0 ? sum / calls : 0;
    return any && calls > 0;
}

void schedule_sizes(struct code *c, const struct schedule *s, uint32_t i, uint32_t segment, enum bound bound)
{
    const struct ir_key *key = schedule_key(s, i);
    double size;
    struct point values;
    bool constant;
    if (key->opcode != IR_CALL || !key->name || !s->p->n_events || !size_of(&size, &constant, s, i, segment))
        return;
    /* for constant sizes, up to a limit, compilers make loads and stores */
    char *intrinsic = ir_call_key(key, IR_INTRINSIC), *library = ir_call_key(key, IR_LIBRARY);
    bool expanded = key->form == IR_INTRINSIC && constant && values_of(&values, s, intrinsic, size, false, bound);
    if (expanded || values_of(&values, s, library, size, true, bound)) {
        c->pitch = c->latency = (float)values.pitch;
        c->barrier = !expanded;
    }
    free(intrinsic);
    free(library);
}

/* ---- divisions ---- */

/* A remainder is what is left of a division: the divider is busy as long, and its result is later by as much as in the mean. */
static double later_than_division(const struct schedule *s, const struct ir_key *k, enum ir_opcode division,
                                  const char *type, enum bound bound)
{
    struct cycles pitch, remainder, quotient;
    costs_of_typed(&pitch, &remainder, s->est->costs, k->opcode, type);
    costs_of_typed(&pitch, &quotient, s->est->costs, division, type);
    return k->opcode == division ? 0 : fmax(0, cycles_pick(&remainder, bound) - cycles_pick(&quotient, bound));
}

bool schedule_quotient(struct code *c, const struct schedule *s, uint32_t i, enum bound bound)
{
    const struct irprof_instruction *in = &s->p->instructions[i];
    const struct ir_key *k = schedule_key(s, i);
    enum irprof_divisor by = in->constants & IRPROF_CONSTANT ? IRPROF_DIVISOR_CONSTANT : IRPROF_DIVISOR_VARIABLE;
    double bits = s->quotients[by][in->part];
    if (!irprof_quotient_counts(in, k, by) || isnan(bits))
        return false;
    enum ir_opcode division = k->opcode == IR_SDIV || k->opcode == IR_SREM ? IR_SDIV : IR_UDIV;
    char *type = ir_type_text(&k->type), *key = xasprintf("%s.%s", ir_instruction(division)->name, type);
    struct point values;
    bool known = values_of(&values, s, key, bits, true, bound);
    if (known) {
        c->pitch = (float)values.pitch;
        c->latency = (float)(values.latency + later_than_division(s, k, division, type, bound));
    }
    free(type);
    free(key);
    return known;
}
