/* micro_evaluate.c - cycles of instructions, from measured regions of microbenchmarks. */
#include "shimgen/probes/micro_evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "shimgen/probes/micro_fit.h"

struct evaluation_of {
    const struct micro_set *set;
    const struct measurements *m;
    const char *event;
    struct map regions; /* name -> row of the measurements */
    struct micro_table *into;
};

static void index_regions(struct evaluation_of *v)
{
    for (size_t i = 0; i < v->m->rows.n; i++)
        if (strcmp(v->m->rows.at[i].event, v->event) == 0)
            map_put(&v->regions, v->m->rows.at[i].region, i);
}

/* The measured points of a case [cycles per pass]. */
static size_t points_of(const struct evaluation_of *v, const struct micro_case *c, struct micro_point *out,
                        unsigned *runs)
{
    size_t n = 0, row;
    *runs = 0;
    for (size_t k = 0; k < MICRO_COPIES; k++) {
        char *region = micro_region(c, c->copies[k]);
        if (map_get(&v->regions, region, &row)) {
            const struct measurement *x = &v->m->rows.at[row];
            out[n++] = (struct micro_point){c->copies[k], x->value / c->trips, x->stddev / c->trips, x->runs};
            *runs = *runs && *runs < x->runs ? *runs : x->runs;
        }
        free(region);
    }
    return n;
}

static void note(struct micro_table *t, char *owned)
{
    vec_push(&t->notes, owned);
}

static struct micro_row row_of(const struct micro_case *c, const struct micro_code *code, const char *event)
{
    return (struct micro_row){.key = xstrdup(c->key),
                              .condition = xstrdup(c->condition),
                              .quantity = c->quantity,
                              .event = xstrdup(event),
                              .with = xstrdup(c->with ? c->with : ""),
                              .share = c->share,
                              .instructions = code->folded ? 0 : code->instructions,
                              .code = xstrdup(code->mnemonics ? code->mnemonics : ""),
                              .calls = xstrdup(code->calls ? code->calls : ""),
                              .even = code->even,
                              .use = c->apart     ? MICRO_APART
                                     : c->typical ? MICRO_TYPICAL
                                                  : MICRO_RANGE};
}

/* A copy without any machine instruction takes no time: the code shows that, and its slope is noise. */
static void set_copy(struct micro_row *r, const struct micro_slope *f, bool folded)
{
    double half = r->share == MICRO_HALF ? 0.5 : 1;
    r->copy = folded ? 0 : f->value;
    r->loop = f->loop;
    r->value = folded ? 0 : fmax(half * f->value, 0);
    r->low = folded ? 0 : fmax(half * f->low, 0);
    r->high = folded ? 0 : fmax(half * f->high, 0);
}

static void add_case(struct evaluation_of *v, const struct micro_case *c, const struct micro_code *code)
{
    struct micro_point points[MICRO_COPIES];
    struct micro_slope slope;
    unsigned runs;
    size_t n = points_of(v, c, points, &runs);
    if (!code->found) {
        note(v->into, xasprintf("%s, %s: the compiled module has no such loop", c->key, c->condition));
        return;
    }
    if (!micro_fit(&slope, points, n)) {
        note(v->into, xasprintf("%s, %s: no result", c->key, c->condition));
        return;
    }
    struct micro_row r = row_of(c, code, v->event);
    r.runs = runs;
    set_copy(&r, &slope, code->folded && code->even);
    vec_push(&v->into->rows, r);
}

/* ---- what else a copy executes ---- */

/* The row with the cost of a companion key: its typical case of the same quantity. A key that makes no code costs
 * nothing in any case. If nothing can wait for it (a branch), its cost is its pitch. */
static const struct micro_row *companion(const struct micro_table *t, const char *key, const struct micro_row *of)
{
    enum micro_quantity q = of->quantity, p = q == MICRO_LATENCY ? MICRO_PITCH : MICRO_LATENCY;
    const struct micro_row *same = micro_table_find(t, key, 0, q, of->event),
                           *other = micro_table_find(t, key, 0, p, of->event);
    return !same || (other && other->instructions == 0) ? other : same;
}

/* The cost of the keys in `with`. Returns false if one of them is not known (yet). `open`: rows whose own value is not
 * known yet. */
static bool cost_of_with(const struct micro_table *t, const struct micro_row *r, const bool *open, double *cost,
                         double *variance)
{
    bool known = true;
    *cost = *variance = 0;
    for (const char *p = r->with; known && *(p += strspn(p, " ")); p += strcspn(p, " ")) {
        char *key = xstrndup(p, strcspn(p, " "));
        const struct micro_row *x = companion(t, key, r);
        known = x && !open[x - t->rows.at];
        if (known) {
            double half = (x->high - x->low) / 2;
            *cost += x->value;
            *variance += half * half;
        }
        free(key);
    }
    return known;
}

static void take_off(struct micro_row *r, double cost, double variance)
{
    double half = (r->high - r->low) / 2;
    half = sqrt(half * half + variance);
    r->value = fmax(r->value - cost, 0);
    r->low = fmax(r->value - half, 0);
    r->high = r->value + half;
}

static void remove_row(struct micro_table *t, size_t i)
{
    struct micro_row r = t->rows.at[i];
    memmove(&t->rows.at[i], &t->rows.at[i + 1], (t->rows.n - i - 1) * sizeof r);
    t->rows.n--;
    struct micro_table one = {0};
    vec_push(&one.rows, r);
    micro_table_release(&one);
}

/* Iterates, since a companion may itself have companions. Rows that stay open are dropped: their values would be too
 * large. */
static void settle(struct micro_table *t, size_t from)
{
    bool *open = xcalloc(t->rows.n + 1, sizeof *open), changed = true;
    for (size_t i = from; i < t->rows.n; i++)
        open[i] = t->rows.at[i].share == MICRO_MINUS && t->rows.at[i].copy != 0;
    while (changed) {
        changed = false;
        for (size_t i = from; i < t->rows.n; i++) {
            double cost, variance;
            if (open[i] && cost_of_with(t, &t->rows.at[i], open, &cost, &variance)) {
                take_off(&t->rows.at[i], cost, variance);
                open[i] = false;
                changed = true;
            }
        }
    }
    for (size_t i = t->rows.n; i-- > from;) {
        if (!open[i])
            continue;
        note(t, xasprintf("%s, %s: the cost of its '%s' is not known", t->rows.at[i].key, t->rows.at[i].condition,
                          t->rows.at[i].with));
        remove_row(t, i);
    }
    free(open);
}

static bool has_event(const struct measurements *m, const char *event)
{
    for (size_t i = 0; i < m->rows.n; i++)
        if (strcmp(m->rows.at[i].event, event) == 0)
            return true;
    return false;
}

enum status micro_evaluate(struct micro_table *out, const struct micro_set *set, const size_t *which, size_t n,
                           const struct micro_code *codes, const struct measurements *m, struct error *e)
{
    const char *cycles = measurements_cycle_event(m);
    *out = (struct micro_table){0};
    if (!cycles)
        return error_set(e, ERR_INPUT, NOWHERE, "the microbenchmarks counted no cycles");
    const char *const events[] = {cycles, BOARD_CORE_ESTIMATE};
    for (size_t k = 0; k < 2 && has_event(m, events[k]); k++) {
        struct evaluation_of v = {.set = set, .m = m, .event = events[k], .into = out};
        size_t from = out->rows.n, notes = out->notes.n;
        index_regions(&v);
        for (size_t i = 0; i < n; i++)
            add_case(&v, &set->at[which[i]], &codes[i]);
        settle(out, from);
        map_release(&v.regions);
        while (k && out->notes.n > notes) /* the same notes as for the first event */
            free(out->notes.at[--out->notes.n]);
    }
    if (out->rows.n)
        return OK;
    micro_table_release(out);
    return error_set(e, ERR_INPUT, NOWHERE, "no microbenchmark has a result; measure again");
}
