/*
 * schedule_sizes.c - cycles of C library calls by the amount of work. The file has cycles for several sizes
 * ("call.library.memcpy:256"), the profile the sum of sizes of a part's calls (SIZE_memcpy). Between two sizes the
 * cycles are interpolated linearly; beyond the last one, the last two are extrapolated.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule/schedule.h"

struct point {
    double size, cycles;
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
            vec_push(&out->all, (struct point){size, cycles_pick(&c->pitch[i], bound)});
    }
    if (out->all.n)
        qsort(out->all.at, out->all.n, sizeof *out->all.at, by_size);
}

static double cycles_at(const struct points *p, double size)
{
    const struct point *at = p->all.at;
    size_t n = p->all.n, k = 1;
    if (n == 1 || size <= at[0].size)
        return at[0].cycles;
    while (k + 1 < n && at[k].size < size)
        k++;
    double slope = (at[k].cycles - at[k - 1].cycles) / (at[k].size - at[k - 1].size);
    return at[k].cycles + (size - at[k].size) * (size > at[k].size ? fmax(slope, 0) : slope);
}

/* The cycles of a call with so much work. Returns false if the file has none, or only smaller sizes. */
static bool cycles_of(double *cycles, const struct schedule *s, const char *key, double size, bool further,
                      enum bound bound)
{
    struct points p = {0};
    points_find(&p, s->est->costs, key, bound);
    bool known = p.all.n && (further || size <= p.all.at[p.all.n - 1].size);
    *cycles = known ? cycles_at(&p, size) : 0;
    vec_release(&p.all);
    return known;
}

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
    double size, cycles;
    bool constant;
    if (key->opcode != IR_CALL || !key->name || !s->p->n_events || !size_of(&size, &constant, s, i, segment))
        return;
    /* for constant sizes, up to a limit, compilers make loads and stores */
    char *intrinsic = ir_call_key(key, IR_INTRINSIC), *library = ir_call_key(key, IR_LIBRARY);
    bool expanded = key->form == IR_INTRINSIC && constant && cycles_of(&cycles, s, intrinsic, size, false, bound);
    if (expanded || cycles_of(&cycles, s, library, size, true, bound)) {
        c->pitch = c->latency = (float)cycles;
        c->barrier = !expanded;
    }
    free(intrinsic);
    free(library);
}
