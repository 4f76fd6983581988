/* map_rates.c - step functions of several rates, and how often each one runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "shimgen/blocks/loads.h"
#include "shimgen/map/program/program_graph.h"

static const char form[] =
    "--period %s: a time and its unit is needed, such as 10ms, or one for each step function, such as "
    "step0=1ms,step1=10ms";

static enum status read_one(struct map_rates *out, double *seconds, const char *text, struct error *e)
{
    const char *is = strchr(text, '=');
    if (!blocks_period(is ? is + 1 : text, seconds) || is == text)
        return usage_error(e, form, text);
    for (size_t i = 0; is && i < out->at.n; i++)
        if (strncmp(out->at.at[i].step, text, (size_t)(is - text)) == 0 && !out->at.at[i].step[is - text])
            return usage_error(e, "--period names '%s' twice", out->at.at[i].step);
    if (is)
        vec_push(&out->at, (struct map_rate){xstrndup(text, (size_t)(is - text)), 1});
    out->period_s = out->period_s > 0 ? fmin(out->period_s, *seconds) : *seconds;
    return OK;
}

/* Expresses each period as a multiple of the shortest. */
static enum status take_multiples(struct map_rates *out, const double *seconds, struct error *e)
{
    enum { MOST = 1000000 };
    for (size_t i = 0; i < out->at.n; i++) {
        double times = seconds[i] / out->period_s;
        out->at.at[i].every = times < MOST ? lround(times) : MOST;
        if (!(fabs(times - (double)out->at.at[i].every) < 1e-6 * times))
            return usage_error(
                e, "--period: that of '%s' is not a multiple of the shortest: a step has all rates that begin in it",
                out->at.at[i].step);
    }
    return OK;
}

/* The fastest first, which is the order in which they run. */
static int compare_rates(const void *a, const void *b)
{
    const struct map_rate *x = a, *y = b;
    return x->every < y->every ? -1 : x->every > y->every;
}

enum status map_rates_read(struct map_rates *out, const char *text, struct error *e)
{
    char **list = 0;
    size_t n = 0;
    *out = (struct map_rates){0};
    enum status s = split_list(text, "--period", &list, &n, e);
    double *seconds = xcalloc(n + 1, sizeof *seconds);
    for (size_t i = 0; i < n && !s; i++)
        s = read_one(out, &seconds[i], list[i], e);
    if (!s && out->at.n != n && n > 1)
        s = usage_error(e, form, text);
    if (!s && out->at.n)
        s = take_multiples(out, seconds, e);
    if (!s && out->at.n)
        qsort(out->at.at, out->at.n, sizeof *out->at.at, compare_rates);
    free(seconds);
    free(list);
    return s;
}

void map_rates_release(struct map_rates *r)
{
    for (size_t i = 0; i < r->at.n; i++)
        free(r->at.at[i].step);
    vec_release(&r->at);
    *r = (struct map_rates){0};
}
