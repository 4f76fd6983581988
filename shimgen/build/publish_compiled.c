/* publish_compiled.c - what the target of a build's SHIM file is, and how far estimates by `compiled` are off whose core is
 * made of the file's values: annotations of the file. Part of publish.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/progress.h"
#include "regress/validate/conformal.h"
#include "shim-xml/shimxml.h"
#include "shimgen/build/publish.h"
#include "shimgen/core/values/values_core.h"
#include "shimgen/estimate/tune/roles.h"
#include "shimgen/estimate/tune/tune.h"
#include "shimgen/values/compiled_rows.h"

/* The processor that the compiler's flags name; NULL: they name none. */
static const char *cpu_of(const struct board *b)
{
    static const char *const options[] = {"-mcpu=", "-mtune="};
    const char *found = NULL;
    for (size_t i = 0; b->n_levels && i < sizeof options / sizeof *options && !found; i++)
        for (char **flag = b->levels[0].flags; *flag; flag++)
            if (strncmp(*flag, options[i], strlen(options[i])) == 0)
                found = *flag + strlen(options[i]);
    return found;
}

/* ---- the interval ---- */

/* Whether the programs of the build were counted with simulated misses and mispredictions. */
static bool counts_events(const struct regress_data *d, const char *work)
{
    struct irprof_profile *p = NULL;
    struct error none = ERROR_INIT;
    char *path = xasprintf("%s/%s/profile", work, d->programs[0]);
    bool events = !irprof_read(&p, path, &none) && schedule_events_in(p) == SCHEDULE_EVENTS;
    irprof_free(p);
    error_release(&none);
    free(path);
    return events;
}

/* As many times the estimate as the measurement of nine in ten training programs is. n: how many kinds of code. */
static size_t intervals_of(struct shimxml_interval *to, const double *cycles, const struct regress_data *d,
                           size_t cycle, bool events)
{
    size_t n = 0;
    double *errors = xcalloc(d->n, sizeof *errors);
    for (enum regress_code code = REGRESS_UNOPTIMISED; code <= REGRESS_OPTIMISED; code++) {
        for (size_t i = 0; i < d->n; i++) {
            double measured = d->values[i * d->cols + cycle];
            bool counts = regress_code_of(d->programs[i]) == code && !roles_test(d, i) && measured > 0;
            errors[i] = counts ? (cycles[i] - measured) / measured : (double)NAN;
        }
        struct conformal c = conformal_of(errors, d->groups, d->n, d->n_groups);
        double low, high;
        conformal_bound(1, &c, &low, &high);
        if (!(c.level > 0))
            continue;
        to[n++] = (struct shimxml_interval){.code = code == REGRESS_OPTIMISED ? SHIMXML_OPTIMISED : SHIMXML_UNOPTIMISED,
                                            .events = events,
                                            .below = INFINITY,
                                            .level = c.level,
                                            .low = isnan(low) ? 0 : low,
                                            .high = isnan(high) ? INFINITY : high};
    }
    free(errors);
    return n;
}

/* *text: NULL if nothing can be estimated. */
static enum status interval_of_core(char **text, const struct board *b, const struct outputs *o, const char *timing,
                                    struct error *e)
{
    struct regress_data *d = NULL;
    struct shimxml_interval list[2];
    *text = NULL;
    enum status s = regress_data_read(&d, o->dataset, e);
    if (!s)
        s = roles_describe(d, NULL, e);
    size_t cycle;
    const char *event = s ? NULL : tune_cycle_event(d);
    double *cycles = s ? NULL : xcalloc(d->n, sizeof *cycles);
    if (event && regress_data_column(d, event, &cycle)) {
        const struct compiled_rows rows = {.board = b, .timing = timing, .shim = o->shim, .work = o->work, .data = d};
        s = compiled_rows_estimate(cycles, &rows, e);
        size_t n = s ? 0 : intervals_of(list, cycles, d, cycle, counts_events(d, o->work));
        *text = n ? shimxml_intervals_text(list, n) : NULL;
    }
    free(cycles);
    regress_data_free(d);
    return s;
}

/* ---- annotations ---- */

static enum status annotate(const char *shim, const char *name, const char *value, struct error *e)
{
    struct shimxml_doc *d = NULL;
    enum status s = shimxml_read(&d, shim, e);
    if (!s) {
        shimxml_annotate(d, name, value);
        s = shimxml_write(d, shim, e);
    }
    shimxml_free(d);
    return s;
}

/* A core that no values tell (out of order, of another architecture, a quick build) is no loss: *timing is NULL then. */
static enum status core_of(const char **timing, const struct outputs *o, const char *target, const char *cpu,
                           struct error *e)
{
    struct str text = STR_INIT;
    struct error why = ERROR_INIT;
    *timing = NULL;
    enum status s = remove_tree(o->core, e), told = OK;
    if (!s)
        told = values_core_text(&text, &(struct values_core){.shim = o->shim, .target = target, .cpu = cpu}, &why);
    if (!s && !told) {
        *timing = o->core;
        s = core_text_write(&text, o->core, e);
    } else if (!s && told != ERR_INPUT && told != ERR_UNSUPPORTED) {
        s = error_set(e, told, NOWHERE, "%s", why.message);
    }
    error_release(&why);
    str_release(&text);
    return s;
}

enum status publish_compiled(const struct board *b, const struct outputs *o, struct error *e)
{
    const char *target = board_target(b), *cpu = cpu_of(b);
    const char *timing = NULL;
    char *interval = NULL;
    if (!*target || !cpu)
        return OK;
    char *both = xasprintf("%s %s", target, cpu);
    enum status s = annotate(o->shim, "target", both, e);
    if (!s)
        s = core_of(&timing, o, target, cpu, e);
    if (!s && timing)
        s = interval_of_core(&interval, b, o, timing, e);
    if (!s && interval)
        s = annotate(o->shim, "compiled-interval", interval, e);
    else if (!s && timing)
        progress_note("%s: no interval of estimates by compiled: too few programs could be estimated",
                      path_basename(o->shim));
    free(interval);
    free(both);
    return s;
}
