/* shim-xml diff A B */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"
#include "shim-xml/text.h"

struct options {
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
        print(&c);
        s = c.n ? ERR_FOUND : OK;
    }
    shimxml_comparison_release(&c);
    shimxml_free(a);
    shimxml_free(b);
    return s;
}

static const struct cli_option options[] = {
    {CLI_REAL, "tolerance", 0, "REL", "0", "relative difference of numbers that is not listed",
     offsetof(struct options, tolerance)},
    {0},
};
const struct cli_command cmd_diff = {
    .name = "diff",
    .synopsis = "diff A.xml B.xml [--tolerance REL]",
    .summary = "Compares two SHIM files by meaning: ids renamed and comments are no difference. Exit 1: they differ.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
