/* shim-xml diff A B */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"
#include "shim-xml/document/text.h"

struct options {
    const char *format;
    double tolerance;
};

static void print_text(const char *text)
{
    char *clean = text_printable(text, TEXT_LIMIT);
    fputs(clean, stdout);
    free(clean);
}

static void print(const struct shimxml_comparison *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct shimxml_difference *x = &c->at[i];
        print_text(x->what);
        fputs(": ", stdout);
        print_text(x->a ? x->a : "(absent)");
        fputs(" -> ", stdout);
        print_text(x->b ? x->b : "(absent)");
        if (!isnan(x->relative))
            printf("  (%.3g %%)", 100 * x->relative);
        putchar('\n');
    }
    printf("%zu difference%s; %zu numbers compared", c->n, c->n == 1 ? "" : "s", c->compared);
    if (c->typical)
        printf("; of %zu typical values: relative difference median %.3g %%, worst %.3g %%", c->typical,
               100 * c->median_relative, 100 * c->worst_relative);
    putchar('\n');
}

static json_t *number(double v)
{
    return isnan(v) ? json_null() : json_real(v);
}

static json_t *text(const char *value)
{
    char *clean = value ? text_printable(value, TEXT_LIMIT) : 0;
    json_t *out = clean ? json_string(clean) : json_null();
    free(clean);
    return out;
}

static enum status print_json(const struct shimxml_comparison *c, const char *a, const char *b, struct error *e)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->n; i++) {
        const struct shimxml_difference *x = &c->at[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "what", text(x->what), "a", text(x->a), "b",
                                              text(x->b), "relative", number(x->relative)));
    }
    json_t *all =
        json_pack("{s:o, s:o, s:I, s:I, s:o, s:o, s:o}", "a", text(a), "b", text(b), "compared",
                  (json_int_t)c->compared, "typical", (json_int_t)c->typical, "median_relative",
                  number(c->median_relative), "worst_relative", number(c->worst_relative), "differences", list);
    enum status s = json_write(all, 0, e);
    json_decref(all);
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    if (o->tolerance < 0)
        return usage_error(e, "--tolerance: %g is less than 0", o->tolerance);
    struct shimxml_doc *a = 0, *b = 0;
    struct shimxml_comparison c = {0};
    enum status s = shimxml_read(&a, args->argv[0], e);
    if (!s)
        s = shimxml_read(&b, args->argv[1], e);
    if (!s)
        s = shimxml_diff(&c, a, b, o->tolerance, e);
    if (!s) {
        if (strcmp(o->format, "json") == 0)
            s = print_json(&c, args->argv[0], args->argv[1], e);
        else
            print(&c);
        s = s ? s : c.n ? ERR_FOUND : OK;
    }
    shimxml_comparison_release(&c);
    shimxml_free(a);
    shimxml_free(b);
    return s;
}

static const struct cli_option options[] = {
    {CLI_CHOICE, "format", 'f', "text|json", "text", "output format", offsetof(struct options, format)},
    {CLI_REAL, "tolerance", 0, "REL", "0", "largest relative difference of numbers that is not listed",
     offsetof(struct options, tolerance)},
    {0},
};
const struct cli_command cmd_diff = {
    .name = "diff",
    .synopsis = "diff A.xml B.xml [options]",
    .summary = "Compares two SHIM files by meaning: ids and comments do not count. Exit 1: they differ.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
