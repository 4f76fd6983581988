#include "shimgen/estimate/trust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"

/* A value that fewer programs than this have shown is hardly known. */
static const size_t few_groups = 3;
/* Shares of the instructions below this are not worth a word. */
static const double negligible = 0.001;

void trust_interval(double *low, double *high, const struct regress_model *m, double cycles)
{
    *low = *high = NAN;
    if (!(m->level > 0))
        return;
    if (m->error_high > -1)
        *low = cycles / (1 + m->error_high);
    if (m->error_low > -1)
        *high = cycles / (1 + m->error_low);
}

/* Names of keys and the share of the instructions that they are. */
struct list {
    struct str names;
    size_t n;
    double share;
};

static void list_add(struct list *l, const char *name, double share)
{
    if (share < negligible)
        return;
    if (l->n < 5)
        str_addf(&l->names, "%s%s", l->n ? ", " : "", name);
    l->n++;
    l->share += share;
}

static void note(struct estimate *est, struct list *l, const char *what)
{
    if (l->n)
        estimate_note(est, "%s: %s%s; %.2g %% of what was executed", what, str_text(&l->names),
                      l->n > 5 ? " and others" : "", 100 * l->share);
    str_release(&l->names);
}

void trust_domain(struct estimate *est, const struct regress_model *m)
{
    const struct irprof_profile *p = est->profile;
    struct list unseen = {.names = STR_INIT}, rare = {.names = STR_INIT};
    struct map keys = {0};
    uint64_t *counts = xcalloc(p->n_keys, sizeof *counts);
    double total = 0;
    irprof_key_counts(p, est->region, counts);
    for (size_t i = 0; i < m->n_keys; i++)
        map_put(&keys, m->keys[i].key, i);
    for (size_t i = 0; i < p->n_keys; i++)
        total += (double)counts[i];
    for (size_t i = 0; i < p->n_keys; i++) {
        size_t at;
        bool there = map_get(&keys, p->keys[i], &at);
        double share = total > 0 ? (double)counts[i] / total : 0;
        if (!there || m->keys[at].count == 0)
            list_add(&unseen, p->keys[i], share);
        else if (m->keys[at].variable != REGRESS_NONE && m->values[m->keys[at].variable].groups < few_groups)
            list_add(&rare, p->keys[i], share);
    }
    note(est, &unseen, "outside what the model was fitted on: no program had");
    note(est, &rare, "hardly in what the model was fitted on: fewer than 3 programs had");
    map_release(&keys);
    free(counts);
}
