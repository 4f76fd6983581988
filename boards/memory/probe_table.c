/* probe_table.c - computes the cost of one access from the regions of the probes (points.h). */
#include "boards/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "boards/memory/points.h"

struct part {
    const struct measurements *m;
    const char *event;
    struct memory_table *into;
    int core;
    struct error *e;
};

static bool has_program(const struct measurements *m, const char *program)
{
    for (size_t i = 0; i < m->rows.n; i++)
        if (strcmp(m->rows.at[i].program, program) == 0)
            return true;
    return false;
}

/* [cycles] per access; runs 0: not measured */
struct figure {
    double value, least, spread;
    unsigned runs;
};

static struct figure figure_of(const struct part *p, const char *program, const char *region, double accesses)
{
    const struct measurement *m = measurements_find(p->m, program, region, p->event);
    if (!m || !m->runs)
        return (struct figure){NAN, NAN, NAN, 0};
    double least = isfinite(m->minimum) ? m->minimum : m->value;
    return (struct figure){m->value / accesses, fmin(least, m->value) / accesses, m->stddev / accesses, m->runs};
}

static struct figure point(const struct part *p, const char *program, const char *place, const char *order,
                           const char *quantity, char access, int bytes)
{
    char region[POINT_NAME];
    snprintf(region, sizeof region, "%s %s %s %c %d", place, order, quantity, access, bytes);
    return figure_of(p, program, region, POINT_ACCESSES);
}

/* The cost of adding an address and an offset, where the board's loads cannot do it. */
static double addition(const struct part *p, const char *first)
{
    double with = point(p, MEMORY_ACCESS_IDLE, first, "near", "chain", 'R', 8).value,
           without = point(p, MEMORY_ACCESS_IDLE, first, "near", "pointer", 'R', 8).value;
    return fmax(with - without, 0);
}

/* Cycles in each link of a latency's chain besides the access itself, with other cores idle: for loads the address
 * computation, for stores the fence. Known from the first level, where the load is also measured alone. */
static double beside(const struct part *p, const char *first, char access, int bytes)
{
    if (!first)
        return NAN;
    if (access == 'W')
        return point(p, MEMORY_ACCESS_IDLE, first, "near", "fence", 'W', 0).value;
    return point(p, MEMORY_ACCESS_IDLE, first, "near", "latency", 'R', bytes).value -
           point(p, MEMORY_ACCESS_IDLE, first, "near", "chain", 'R', bytes).value + addition(p, first);
}

static struct figure less(struct figure f, double off)
{
    f.value = fmax(f.value - off, 0);
    f.least = fmax(f.least - off, 0);
    return f;
}

static struct figure measured(const struct part *p, const char *program, const char *first, const char *place,
                              const char *order, enum memory_quantity quantity, char access, int bytes)
{
    if (quantity == MEMORY_PITCH)
        return point(p, program, place, order, "pitch", access, bytes);
    if (access == 'R' && first && strcmp(place, first) == 0)
        return less(point(p, program, place, order, "chain", 'R', bytes), addition(p, first));
    struct figure f = point(p, program, place, order, "latency", access, bytes);
    double off = beside(p, first, access, bytes);
    if (isnan(off)) /* there is no cache: nothing is known to be fast, and memory takes long */
        off = access == 'W' ? point(p, program, place, order, "fence", 'W', 0).value : 0;
    return less(f, isnan(off) ? 0 : off);
}

static void note(struct memory_table *t, char *owned)
{
    vec_push(&t->notes, owned);
}

static void add_row(struct part *p, struct memory_row row, const struct figure *idle, const struct figure *busy)
{
    row.core = p->core;
    row.best = idle->least;
    row.typical = idle->value;
    row.worst = busy->runs ? fmax(busy->value, idle->value) : (double)NAN;
    row.spread = idle->spread;
    row.runs = idle->runs;
    vec_push(&p->into->rows, row);
}

/* A latency is at least the pitch: if the difference is lost in the spread, it is set to that. */
static void at_least_the_pitch(struct memory_table *t, size_t latency, size_t pitch)
{
    struct memory_row *l = &t->rows.at[latency];
    const struct memory_row *s = &t->rows.at[pitch];
    if (s->typical > l->typical)
        l->spread = s->spread;
    l->best = fmax(l->best, s->best);
    l->typical = fmax(l->typical, s->typical);
    l->worst = fmax(l->worst, s->worst); /* NAN stays NAN: both were measured or neither */
}

static enum status add_point(struct part *p, const char *first, const char *place, const char *order, char access,
                             int bytes)
{
    for (int q = MEMORY_LATENCY; q <= MEMORY_PITCH; q++) {
        enum memory_quantity quantity = (enum memory_quantity)q;
        struct figure idle = measured(p, MEMORY_ACCESS_IDLE, first, place, order, quantity, access, bytes),
                      busy = measured(p, MEMORY_ACCESS_BUSY, first, place, order, quantity, access, bytes);
        if (!idle.runs)
            return error_set(p->e, ERR_INPUT, NOWHERE,
                             "the probe of memory has no result for '%s %s %s %c %d'; measure again", place, order,
                             quantity == MEMORY_PITCH ? "pitch" : "latency", access, bytes);
        add_row(p,
                (struct memory_row){.place = xstrdup(place),
                                    .order = xstrdup(order),
                                    .access = access,
                                    .bytes = bytes,
                                    .quantity = quantity},
                &idle, &busy);
    }
    at_least_the_pitch(p->into, p->into->rows.n - 2, p->into->rows.n - 1);
    return OK;
}

static enum status add_place(struct part *p, const char *first, const char *place, const char *order)
{
    static const int sizes[] = {1, 2, 4, 8};
    enum status s = OK;
    for (size_t k = 0; !s && k < 8; k++)
        s = add_point(p, first, place, order, k < 4 ? 'R' : 'W', sizes[k % 4]);
    return s;
}

/* The cache levels that were measured are those whose pitch of loads was: "L1", "L2" ... in the order of the rows. */
static bool is_level(const struct measurement *row, const struct part *p, char *place)
{
    char order[8], rest[POINT_NAME];
    int ends = 0;
    return strcmp(row->program, MEMORY_ACCESS_IDLE) == 0 && strcmp(row->event, p->event) == 0 &&
           strlen(row->region) < POINT_NAME &&
           sscanf(row->region, "%15s %7s %n%47[^\n]", place, order, &ends, rest) == 3 &&
           strcmp(rest, "pitch R 1") == 0 && strcmp(place, POINT_MEMORY) != 0;
}

static enum status add_accesses(struct part *p)
{
    char *first = 0, place[16];
    enum status s = OK;
    for (size_t i = 0; !s && i < p->m->rows.n; i++) {
        if (!is_level(&p->m->rows.at[i], p, place))
            continue;
        if (!first)
            first = xstrdup(place);
        s = add_place(p, first, place, "near");
    }
    if (!s)
        s = add_place(p, first, POINT_MEMORY, "near");
    if (!s)
        s = add_place(p, first, POINT_MEMORY, "far");
    free(first);
    return s;
}

/* ---- messages ---- */

static bool is_partner(const struct measurement *row, const struct part *p, int *core)
{
    char rest[POINT_NAME];
    return strcmp(row->program, MEMORY_PAIR_IDLE) == 0 && strcmp(row->event, p->event) == 0 &&
           strlen(row->region) < POINT_NAME && sscanf(row->region, "core %d %47s", core, rest) == 2 &&
           strcmp(rest, "latency") == 0;
}

static struct figure message(const struct part *p, const char *program, int core, enum memory_quantity quantity)
{
    char region[POINT_NAME];
    snprintf(region, sizeof region, "core %d %s", core, quantity == MEMORY_PITCH ? "pitch" : "latency");
    /* a message and its answer take half each */
    return figure_of(p, program, region, quantity == MEMORY_PITCH ? PAIR_MESSAGES : 2.0 * PAIR_MESSAGES);
}

static enum status add_messages(struct part *p)
{
    enum status s = OK;
    for (size_t i = 0; !s && i < p->m->rows.n; i++) {
        int core;
        if (!is_partner(&p->m->rows.at[i], p, &core))
            continue;
        for (int q = MEMORY_LATENCY; !s && q <= MEMORY_PITCH; q++) {
            enum memory_quantity quantity = (enum memory_quantity)q;
            struct figure idle = message(p, MEMORY_PAIR_IDLE, core, quantity),
                          busy = message(p, MEMORY_PAIR_BUSY, core, quantity);
            if (!idle.runs)
                s = error_set(p->e, ERR_INPUT, NOWHERE,
                              "the probe of messages has no result for 'core %d'; measure again", core);
            else
                add_row(p,
                        (struct memory_row){.place = xasprintf("core %d", core),
                                            .order = xstrdup(""),
                                            .access = 'M',
                                            .bytes = 8,
                                            .quantity = quantity},
                        &idle, &busy);
        }
    }
    return s;
}

/* ---- remarks ---- */

static bool was_measured(const struct part *p, const char *program, const char *region)
{
    return measurements_find(p->m, program, region, p->event) != 0;
}

static void note_absent(struct part *p)
{
    if (!has_program(p->m, MEMORY_ACCESS_BUSY))
        note(p->into,
             xasprintf("core %d: accesses were not measured while other cores are busy: no worst values", p->core));
    else if (!was_measured(p, MEMORY_ACCESS_BUSY, POINT_OTHERS))
        note(p->into, xasprintf("core %d: there is no other core that could be kept busy: no worst values", p->core));
    if (was_measured(p, MEMORY_PAIR_IDLE, POINT_ALONE))
        note(p->into, xasprintf("core %d: there is no other core: no messages between cores", p->core));
    else if (!has_program(p->m, MEMORY_PAIR_IDLE))
        note(p->into, xasprintf("core %d: messages between cores were not measured", p->core));
}

static const char *quantity_name(enum memory_quantity q)
{
    return q == MEMORY_PITCH ? "pitch" : "latency";
}

/* One sentence for each place: about its largest spread. */
static void note_spreads(struct part *p, size_t from)
{
    struct memory_table *t = p->into;
    for (size_t i = from, end; i < t->rows.n; i = end) {
        size_t worst = i;
        for (end = i; end < t->rows.n && strcmp(t->rows.at[end].place, t->rows.at[i].place) == 0 &&
                      strcmp(t->rows.at[end].order, t->rows.at[i].order) == 0;
             end++)
            if (t->rows.at[end].spread * t->rows.at[worst].typical > t->rows.at[worst].spread * t->rows.at[end].typical)
                worst = end;
        const struct memory_row *r = &t->rows.at[worst];
        if (r->spread > MEMORY_SPREADS * r->typical)
            note(t, xasprintf("core %d, %s%s%s: the runs spread by up to %.0f %% (%s of %c, %d bytes); other work, or "
                              "other guests of a virtual machine, use the same caches and memory",
                              p->core, r->place, *r->order ? " " : "", r->order, 100 * r->spread / r->typical,
                              quantity_name(r->quantity), r->access, r->bytes));
    }
}

/* If a level farther out seems faster, its size is not the one in the board's description. */
static void note_order(struct part *p, size_t from)
{
    const struct memory_row *before = 0;
    for (size_t i = from; i < p->into->rows.n; i++) {
        const struct memory_row *r = &p->into->rows.at[i];
        if (r->access != 'R' || r->bytes != 8 || r->quantity != MEMORY_LATENCY)
            continue;
        if (before && r->typical < before->typical)
            note(p->into,
                 xasprintf("core %d: %s is not slower than %s (%.1f, %.1f cycles); are the sizes of the caches right?",
                           p->core, r->place, before->place, r->typical, before->typical));
        before = r;
    }
}

/* ---- the whole ---- */

static void drop_from(struct memory_table *t, size_t from)
{
    while (t->rows.n > from) {
        struct memory_row *r = &t->rows.at[--t->rows.n];
        free(r->place);
        free(r->order);
    }
}

/* Without another core, "busy" is the same as idle, so there is no worst case. */
static void drop_worst_if_alone(struct part *p, size_t from)
{
    bool accesses = was_measured(p, MEMORY_ACCESS_BUSY, POINT_OTHERS),
         messages = was_measured(p, MEMORY_PAIR_BUSY, POINT_OTHERS);
    for (size_t i = from; i < p->into->rows.n; i++) {
        struct memory_row *r = &p->into->rows.at[i];
        if (!(r->access == 'M' ? messages : accesses))
            r->worst = NAN;
    }
}

enum status memory_evaluate(struct memory_table *into, const struct measurements *m, int core, struct error *e)
{
    struct part p = {.m = m, .event = measurements_cycle_event(m), .into = into, .core = core, .e = e};
    size_t from = into->rows.n;
    if (!p.event)
        return error_set(e, ERR_INPUT, NOWHERE, "the probe of memory counted no cycles");
    if (into->event && strcmp(into->event, p.event) != 0)
        return error_set(e, ERR_INPUT, NOWHERE, "core %d was measured in %s, those before in %s: measure all again",
                         core, p.event, into->event);
    bool accesses = has_program(m, MEMORY_ACCESS_IDLE);
    enum status s = accesses || !has_program(m, MEMORY_PAIR_IDLE) ? add_accesses(&p) : OK;
    if (!s)
        s = add_messages(&p);
    if (s) {
        drop_from(into, from);
        return s;
    }
    if (!into->event)
        into->event = xstrdup(p.event);
    drop_worst_if_alone(&p, from);
    if (accesses)
        note_absent(&p);
    note_spreads(&p, from);
    note_order(&p, from);
    return OK;
}

static void put_number(FILE *f, double value)
{
    if (isfinite(value))
        fprintf(f, ",%.6g", value);
    else
        fputc(',', f);
}

enum status memory_write(const struct memory_table *t, const char *path, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    fputs("core,place,order,access,bytes,quantity,event,best,typical,worst,spread,runs\n", o.f);
    for (size_t i = 0; i < t->rows.n; i++) {
        const struct memory_row *r = &t->rows.at[i];
        fprintf(o.f, "%d,%s,%s,%c,%d,%s,%s", r->core, r->place, r->order, r->access, r->bytes,
                quantity_name(r->quantity), t->event);
        put_number(o.f, r->best);
        put_number(o.f, r->typical);
        put_number(o.f, r->worst);
        put_number(o.f, r->spread);
        fprintf(o.f, ",%u\n", r->runs);
    }
    return outfile_commit(&o, e);
}

void memory_release(struct memory_table *t)
{
    drop_from(t, 0);
    for (size_t i = 0; i < t->notes.n; i++)
        free(t->notes.at[i]);
    vec_release(&t->rows);
    vec_release(&t->notes);
    free(t->event);
    *t = (struct memory_table){0};
}
