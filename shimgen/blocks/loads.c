/* loads.c - computes how much of a core's time the steps of each rate take. */
#include "shimgen/blocks/loads.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/str.h"
#include "shimgen/blocks/block_steps.h"

/* Parses "10ms", "250us" or "0.5s". */
bool blocks_period(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"\xc2\xb5s", 1e-6}, {"\xce\xbcs", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    size_t n = strspn(text, "0123456789.eE+-");
    char *number = xstrndup(text, n);
    bool fits = n && parse_double(number, seconds) && *seconds > 0;
    const char *unit = text + n + strspn(text + n, " ");
    bool known = false;
    for (size_t i = 0; i < sizeof units / sizeof *units && !known; i++)
        if (strcmp(unit, units[i].name) == 0) {
            *seconds *= units[i].seconds;
            known = true;
        }
    free(number);
    return fits && known && *seconds < 1e9;
}

static bool is_steps_of(const struct irprof_region *r, const char *function)
{
    return r->step == IRPROF_STEP_ALL && r->entries && !r->flaws && strlen(function) == r->n_function &&
           memcmp(r->name, function, r->n_function) == 0;
}

static enum status cycles_of(double *cycles, const struct blocks *b, size_t region, size_t core, struct error *e)
{
    struct estimate *est = 0;
    enum status s = blocks_estimate(&est, b->request, region, core, e);
    if (!s)
        *cycles = est->total.typical / (double)b->request->profile->regions[region].entries;
    estimate_free(est);
    return s;
}

static enum status measure(struct blocks_rate *r, const struct blocks *b, size_t all, size_t core, struct error *e)
{
    const struct irprof_profile *p = b->request->profile;
    enum status s = cycles_of(&r->mean[core], b, all, core, e);
    r->worst[core] = r->mean[core];
    for (size_t i = 0; i + 1 < p->n_regions && !s; i++) {
        const struct irprof_region *way = &p->regions[i];
        double cycles = 0;
        if (way->step != IRPROF_STEP_PATH || !irprof_same_steps(way, &p->regions[all]) || way->flaws || !way->entries)
            continue;
        s = cycles_of(&cycles, b, i, core, e);
        if (cycles > r->worst[core])
            r->worst[core] = cycles;
    }
    return s;
}

static enum status add_rate(struct blocks_loads *out, const struct blocks *b, const char *function, const char *period,
                            struct error *e)
{
    const struct irprof_profile *p = b->request->profile;
    size_t cores = b->request->n_cores, all = 0;
    double seconds;
    if (!blocks_period(period, &seconds))
        return usage_error(e, "--period %s: a time and its unit is needed, such as 10ms, 250us or 0.5s", period);
    while (all < p->n_regions && !is_steps_of(&p->regions[all], function))
        all++;
    if (all == p->n_regions)
        return error_set(e, ERR_INPUT, AT_FILE(p->path),
                         "has no steps of '%s', so its load is not known: 'shimgen profile --steps %s' counts them",
                         function, function);
    out->at = xreallocarray(out->at, out->n + 1, sizeof *out->at);
    struct blocks_rate *r = &out->at[out->n++];
    *r = (struct blocks_rate){xstrdup(function), seconds, xcalloc(cores, sizeof(double)),
                              xcalloc(cores, sizeof(double))};
    enum status s = OK;
    for (size_t core = 0; core < cores && !s; core++)
        s = measure(r, b, all, core, e);
    return s;
}

static enum status check(const struct blocks *b, struct error *e)
{
    for (size_t i = 0; i < b->request->n_cores; i++)
        if (!(b->request->cores[i].clock_hz > 0))
            return error_set(
                e, ERR_INPUT, NOWHERE,
                "core '%s' has no clock in its SHIM file, so no load can be computed: add a ClockFrequency",
                b->request->cores[i].core);
    return b->step ? OK
                   : error_set(e, ERR_INPUT, AT_FILE(b->request->profile->path),
                               "has no steps, so no load is known: 'shimgen profile --steps FUNCTION' counts them");
}

enum status blocks_loads_make(struct blocks_loads *out, const struct blocks *b, const char *periods, struct error *e)
{
    char **list = 0;
    size_t n = 0;
    *out = (struct blocks_loads){0};
    enum status s = check(b, e);
    if (!s)
        s = split_list(periods, "--period", &list, &n, e);
    for (size_t i = 0; i < n && !s; i++) {
        char *period = strchr(list[i], '=');
        char *function =
            period ? xstrndup(list[i], (size_t)(period - list[i])) : xstrndup(b->step->name, b->step->n_function);
        s = add_rate(out, b, function, period ? period + 1 : list[i], e);
        free(function);
    }
    free(list);
    return s;
}

void blocks_loads_release(struct blocks_loads *l)
{
    for (size_t i = 0; i < l->n; i++) {
        free(l->at[i].function);
        free(l->at[i].mean);
        free(l->at[i].worst);
    }
    free(l->at);
    *l = (struct blocks_loads){0};
}

double blocks_load(const struct blocks *b, const struct blocks_rate *r, size_t core, double cycles)
{
    return cycles / b->request->cores[core].clock_hz / r->period_s;
}
