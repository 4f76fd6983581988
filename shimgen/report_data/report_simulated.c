/* report_simulated.c - for the report: simulated misses and mispredictions beside measured ones. Part of publish.h. */
#include <stdlib.h>

#include "base/alloc.h"
#include "shimgen/predictor/event_ratios.h"
#include "shimgen/report_data/report_fill.h"

static char *keep(struct fill *f, const char *text)
{
    char *owned = text ? xstrdup(text) : 0;
    vec_push(&f->texts, owned);
    return owned;
}

static struct report_ratio ratio(const struct events_ratio *r)
{
    return (struct report_ratio){r->n, r->median, r->low, r->high};
}

enum status report_fill_simulated(struct fill *f, const struct outputs *o, struct error *e)
{
    struct events_table t;
    enum status s = events_compare(&t, o, e);
    if (s)
        return s;
    f->report.predictor = keep(f, t.why);
    f->report.simulated = xcalloc(t.rows.n + 1, sizeof *f->report.simulated);
    f->report.n_simulated = t.rows.n;
    for (size_t i = 0; i < t.rows.n; i++) {
        const struct events_row *r = &t.rows.at[i];
        f->report.simulated[i] = (struct report_simulated){r->event,
                                                           keep(f, r->predictor),
                                                           r->chosen,
                                                           ratio(&r->ratios[EVENTS_ALL]),
                                                           ratio(&r->ratios[EVENTS_UNSEEN]),
                                                           ratio(&r->ratios[EVENTS_TEST])};
    }
    events_release(&t);
    return OK;
}
