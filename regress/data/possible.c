/*
 * possible.c - finds counts that no run can have: events beyond what other events allow; in a table of counts alone,
 * whose events are simulated, more mispredictions than branches or more refills than accesses; a region with more than
 * its program.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/events/event_limits.h"
#include "base/key.h"
#include "base/map.h"
#include "regress/data/data.h"

/* The row of the whole program, next to those of its regions (irprof table --total). */
static const char whole[] = "(program)";
/* A thread may be stopped between a counter and its event. At most so many threads are. */
static const double stopped = 4096;

struct checked {
    const struct regress_data *d;
    double *branches; /* for each column: branches per execution */
    bool simulated;   /* no column has cycles */
    bool *key;        /* for each column: does it count an instruction of the IR? */
};

struct row {
    const struct regress_data *d;
    size_t i;
};

static double count_of(const void *context, const char *event)
{
    const struct row *r = context;
    size_t column;
    return regress_data_column(r->d, event, &column) ? r->d->values[r->i * r->d->cols + column] : (double)NAN;
}

static enum status impossible(const struct regress_data *d, size_t i, const char *what, struct error *e)
{
    return error_set(e, ERR_INPUT, AT(d->path, d->lines[i]),
                     "impossible counts: '%s' has %s; count and measure it again, or take the row out", d->labels[i],
                     what);
}

static enum status check_pair(const struct regress_data *d, size_t i, const char *event, double most,
                              const char *of_what, struct error *e)
{
    const struct row r = {d, i};
    double n = count_of(&r, event);
    if (!(n > most + stopped))
        return OK;
    char *what = xasprintf("%.15g %s, but only %.15g %s", n, event, most, of_what);
    enum status s = impossible(d, i, what, e);
    free(what);
    return s;
}

static enum status check_simulated(const struct checked *c, size_t i, struct error *e)
{
    static const char *const pairs[][2] = {{"L1D_CACHE_REFILL", "L1D_CACHE"}, {"L2D_CACHE_REFILL", "L2D_CACHE"}};
    const struct row r = {c->d, i};
    double branches = 0;
    bool any = false;
    for (size_t j = 0; j < c->d->cols; j++) {
        any |= c->branches[j] > 0;
        branches += c->branches[j] > 0 ? c->branches[j] * c->d->values[i * c->d->cols + j] : 0;
    }
    enum status s = any ? check_pair(c->d, i, "BR_MIS_PRED", branches, "branches", e) : OK;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs && !s; k++)
        s = check_pair(c->d, i, pairs[k][0], count_of(&r, pairs[k][1]), pairs[k][1], e);
    return s;
}

static enum status check_keys(const struct checked *c, size_t i, struct error *e)
{
    for (size_t j = 0; j < c->d->cols; j++) {
        double n = c->d->values[i * c->d->cols + j];
        if (!c->key[j] || n <= EVENT_MOST)
            continue;
        char *what = xasprintf("%.15g %s: more than any run can have", n, c->d->names[j]);
        enum status s = impossible(c->d, i, what, e);
        free(what);
        return s;
    }
    return OK;
}

static enum status check_row(const struct checked *c, size_t i, struct error *e)
{
    const struct row r = {c->d, i};
    char *what = event_limits_broken(count_of, &r);
    enum status s = what ? impossible(c->d, i, what, e) : check_keys(c, i, e);
    free(what);
    return s || !c->simulated ? s : check_simulated(c, i, e);
}

static enum status check_part(const struct checked *c, size_t part, size_t all, struct error *e)
{
    for (size_t j = 0; j < c->d->cols; j++) {
        double n = c->d->values[part * c->d->cols + j], most = c->d->values[all * c->d->cols + j];
        if (!c->key[j] || n <= most)
            continue;
        char *what = xasprintf("%.15g %s, but the whole program, in line %lu, only %.15g", n, c->d->names[j],
                               c->d->lines[all], most);
        enum status s = impossible(c->d, part, what, e);
        free(what);
        return s;
    }
    return OK;
}

static enum status check_regions(const struct checked *c, struct error *e)
{
    struct map programs = {0};
    enum status s = OK;
    for (size_t i = 0; i < c->d->n; i++)
        if (strcmp(c->d->regions[i], whole) == 0)
            map_put(&programs, c->d->programs[i], i);
    for (size_t i = 0; i < c->d->n && !s; i++) {
        size_t all;
        if (map_get(&programs, c->d->programs[i], &all))
            s = check_part(c, i, all, e);
    }
    map_release(&programs);
    return s;
}

enum status data_refuse_impossible(const struct regress_data *d, struct error *e)
{
    struct checked c = {
        .d = d, .simulated = true, .branches = xcalloc(d->cols, sizeof(double)), .key = xcalloc(d->cols, sizeof(bool))};
    enum status s = OK;
    for (size_t j = 0; j < d->cols; j++) {
        struct ir_key k = ir_key(d->names[j]);
        c.simulated &= d->kinds[j] != REGRESS_CYCLES;
        c.key[j] = d->kinds[j] == REGRESS_KEY && k.opcode != IR_NONE;
        c.branches[j] = c.key[j] ? ir_key_branches(&k) : 0;
    }
    for (size_t i = 0; i < d->n && !s; i++)
        s = check_row(&c, i, e);
    if (!s)
        s = check_regions(&c, e);
    free(c.branches);
    free(c.key);
    return s;
}
