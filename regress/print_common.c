/* print_common.c - options and output that the regress commands share. */
#include "regress/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/progress.h"
#include "base/str.h"

enum status fit_settings(struct regress_settings *out, const struct fit_options *options, struct error *e)
{
    if (options->seed < 0)
        return usage_error(e, "--seed: %ld is below 0", options->seed);
    if (options->jobs < 0)
        return usage_error(e, "--jobs: %ld is below 0", options->jobs);
    *out = (struct regress_settings)REGRESS_SETTINGS_INIT;
    out->jobs = (size_t)options->jobs;
    out->target = options->target;
    out->absolute = strcmp(options->scale, "none") == 0;
    out->seed = (uint64_t)options->seed;
    return OK;
}

/* Rows that the other table lacks have no target; a fit that uses them refuses and names them. */
static enum status retarget(struct regress_data *d, const struct fit_options *options, struct error *e)
{
    struct regress_data *other = 0;
    size_t without = 0;
    enum status s = regress_data_read(&other, options->target_from, e);
    if (!s)
        s = regress_data_retarget(d, other, options->target, &without, e);
    if (!s && without)
        progress_note("regress: %zu rows have no %s in %s", without, options->target, options->target_from);
    regress_data_free(other);
    return s;
}

enum status fit_data(struct regress_data **out, const char *path, const struct fit_options *options, struct error *e)
{
    struct regress_data *d = 0;
    enum status s = regress_data_read(&d, path, e);
    if (!s && options->domains)
        s = regress_data_read_domains(d, options->domains, e);
    if (!s && options->target_from)
        s = retarget(d, options, e);
    if (s)
        regress_data_free(d);
    else
        *out = d;
    return s;
}

void put_percent(FILE *f, double fraction, int width, bool sign)
{
    if (isnan(fraction))
        fprintf(f, "%*s", width, "-");
    else if (fabs(fraction) >= 1e6)
        fprintf(f, sign ? "%+*.1e" : "%*.1e", width, 100 * fraction);
    else
        fprintf(f, sign ? "%+*.1f" : "%*.1f", width, 100 * fraction);
}

void put_number(FILE *f, double value)
{
    if (isnan(value))
        return;
    char *text = format_double(value);
    fputs(text, f);
    free(text);
}

int text_width(const char *const *texts, size_t n, int least)
{
    int width = least;
    for (size_t i = 0; i < n; i++)
        if ((int)strlen(texts[i]) > width)
            width = (int)strlen(texts[i]);
    return width;
}

void put_json_text(FILE *f, const char *text)
{
    json_t *value = json_string(text);
    char *dumped = value ? json_dumps(value, JSON_ENCODE_ANY) : 0;
    fputs(dumped ? dumped : "null", f);
    free(dumped);
    json_decref(value);
}

void put_json_number(FILE *f, double value)
{
    if (isfinite(value))
        put_number(f, value);
    else
        fputs("null", f);
}
