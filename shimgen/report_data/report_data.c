/* report_data.c - writes the report page of a build, section by section. */
#include "shimgen/report_data/report_data.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "shimgen/report_data/report_fill.h"

/* A section of the page that could not be filled is a loss. */
static enum status section(struct losses *l, const char *name, enum status s, struct error *e)
{
    char *what = xasprintf("section '%s' of the report", name);
    s = losses_take(l, "report", what, s, e);
    free(what);
    return s;
}

static enum status fill_sections(struct fill *f, const struct board *b, const struct outputs *o,
                                 const struct regress_data *d, const struct measurements *m,
                                 const struct samples *samples, const struct evaluation *v,
                                 const struct evidence *evidence, const struct schedule_model *schedule,
                                 struct losses *l, struct error *e)
{
    enum status s =
        section(l, "machine", report_fill_machine(f, o->shim, m->conditions.core, v->model, evidence, e), e);
    if (!s)
        s = section(l, "memory", report_fill_memory(f, o->memory, e), e);
    if (!s)
        s = section(l, "coverage", report_fill_coverage(f, o->directory, d, samples, v->model, e), e);
    if (!s)
        s = section(l, "estimates", report_fill_estimators(f, b, o, d, schedule, e), e);
    if (!s)
        s = section(l, "accounting", report_fill_accounting(f, d, v, e), e);
    if (!s)
        s = section(l, "simulated events", report_fill_simulated(f, o, e), e);
    if (!s)
        report_fill_micro(f, &evidence->table);
    return s;
}

enum status publish_report(const struct board *b, const struct outputs *o, const struct regress_data *d,
                           const struct samples *samples, const struct evaluation *v, const struct evidence *evidence,
                           const struct schedule_model *schedule, const char *quick, struct losses *losses,
                           struct error *e)
{
    struct measurements *m = 0;
    struct fill f = {0};
    enum status s = measurements_read(&m, o->measurements, o->conditions, e);
    if (!s)
        s = report_fill(&f, b, o, d, m, samples, v, e);
    if (!s)
        s = fill_sections(&f, b, o, d, m, samples, v, evidence, schedule, losses, e);
    if (!s) {
        report_fill_losses(&f, quick, losses);
        s = report_write(&f.report, o->report, e);
    }
    fill_release(&f);
    measurements_free(m);
    return s;
}
