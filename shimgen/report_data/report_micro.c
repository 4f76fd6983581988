/* report_micro.c - for the report: the table of microbenchmarks, with a line for each key and condition. */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "shimgen/report_data/report_fill.h"

static char *keep(struct fill *f, char *owned)
{
    vec_push(&f->texts, owned);
    return owned;
}

/* Makes "udiv, large" of "stream,large": chain and stream of a condition are latency and pitch in one line. */
static char *name_of(const struct micro_row *r)
{
    const char *rest = strchr(r->condition, ',');
    if (strncmp(r->condition, "chain", 5) != 0 && strncmp(r->condition, "stream", 6) != 0)
        return xasprintf("%s: %s", r->key, r->condition);
    return rest ? xasprintf("%s: %s", r->key, rest + 1) : xstrdup(r->key);
}

static char *code_of(const struct micro_row *r)
{
    if (r->instructions == 0)
        return xstrdup("no code, as was seen");
    return xasprintf("%s%s%s%s", r->code, *r->calls ? "; calls " : "", r->calls, r->even ? "" : "; copies differ");
}

void report_fill_micro(struct fill *f, const struct micro_table *t)
{
    struct map lines = {0};
    f->report.micro = xcalloc(t->rows.n + 1, sizeof *f->report.micro);
    for (size_t i = 0; i < t->rows.n; i++) {
        const struct micro_row *r = &t->rows.at[i];
        if (strcmp(r->event, t->rows.at[0].event) != 0)
            continue;
        char *name = keep(f, name_of(r));
        size_t line = map_number(&lines, name);
        struct report_instruction *x = &f->report.micro[line];
        if (line == f->report.n_micro) {
            *x = (struct report_instruction)REPORT_INSTRUCTION_INIT;
            x->name = name;
            x->evidence = keep(f, code_of(r));
            f->report.n_micro++;
        }
        struct report_cycles *to = r->quantity == MICRO_PITCH ? &x->pitch : &x->latency;
        *to = (struct report_cycles){r->low, r->value, r->high};
    }
    map_release(&lines);
}
