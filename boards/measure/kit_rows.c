/* kit_rows.c - rows of measurements from a part's log. Runs are judged as launches are. */
#include "boards/measure/kit_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "boards/measure/series.h"

/* Cycles that an empty region measures, and that one more region costs the region around it. */
static struct run_event cost_of(const struct kit_session *s)
{
    const double n = s->empties, inside = s->inside / n;
    double pair = s->around > inside ? (s->around - inside) / n : 0;
    return (struct run_event){(char *)"CPU_CYCLES", inside, pair};
}

/* Adds a run as a launch would report it. raw: one entry for each of its regions. */
static enum status add_run(struct campaign *c, const struct kit_program *p, const struct kit_session *s, size_t first,
                           size_t n, struct error *e)
{
    struct run_result r = {.pmu = true, .cold = s->cold};
    double(*raw)[2] = xcalloc(n, sizeof *raw); /* the event's value, and the end of the list */
    vec_push(&r.events, cost_of(s));
    for (size_t i = 0; i < n; i++) {
        const struct kit_region *g = &p->regions.at[first + i];
        raw[i][0] = g->cycles;
        vec_push(&r.regions, (struct run_region){.name = g->name,
                                                 .outer = g->name,
                                                 .entries = g->entries,
                                                 .pairs = g->pairs,
                                                 .interrupts = s->interrupts ? -1 : 0,
                                                 .raw = raw[i]});
    }
    enum status status = campaign_add(c, &r, e);
    vec_release(&r.events);
    vec_release(&r.regions);
    free(raw);
    return status;
}

enum status kit_rows_add(const struct kit_log *log, const struct kit_program *p, const char *name,
                         struct measurements *into, struct error *e)
{
    const struct kit_session *s = &log->sessions.at[p->session];
    const size_t each = p->regions.n / p->runs;
    const struct goal goal = {p->runs, p->runs, 0};
    struct campaign c;
    enum status status = OK;
    campaign_init(&c, name, 0);
    for (size_t i = 0; i < p->regions.n && !status; i += each)
        status = add_run(&c, p, s, i, each, e);
    if (!status)
        campaign_finish(&c, &goal, 0, into);
    campaign_release(&c);
    return status;
}

static void set(char **to, char *owned)
{
    free(*to);
    *to = owned;
}

void kit_rows_describe(const struct kit_log *log, struct measurements *into)
{
    const struct kit_program *first = log->programs.n ? &log->programs.at[0] : 0;
    struct conditions *c = &into->conditions;
    if (!first)
        return;
    const struct kit_session *s = &log->sessions.at[first->session];
    char *text = kit_session_text(s);
    set(&c->cpu, xstrdup(s->name));
    set(&c->cycle_event, xstrdup("CPU_CYCLES"));
    set(&c->cycle_nature, xasprintf("cycles of the part's counter: %s", text));
    set(&c->clock_source, xstrdup(s->has_clocks ? "the part's log, checked by its second clock" : "the part's log"));
    set(&c->cache, xstrdup(s->cold ? "cold" : "warm"));
    set(&c->cache_method, xstrdup(s->cold ? "emptied by the part's own code before a region's first entry"
                                          : "main is run once before, unmeasured"));
    set(&c->priority, xstrdup(s->interrupts ? "interrupts not masked" : "interrupts masked"));
    set(&c->memory, xstrdup("the part's own"));
    c->clock_hz = s->hz;
    c->runs = s->runs;
    c->overhead_cycles = cost_of(s).inside;
    free(text);
}

size_t kit_rows_from_c(const struct kit_log *log)
{
    size_t n = 0;
    for (size_t i = 0; i < log->programs.n; i++)
        n += strcmp(log->programs.at[i].origin, "c") == 0;
    return n;
}
