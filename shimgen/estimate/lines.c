/* lines.c - turns rows of estimates into lines with names of functions, loops and source lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/file.h"
#include "shimgen/estimate/print_estimate.h"
#include "shimgen/estimate/intervals/trust.h"

static char *place(const struct irprof_profile *p, uint32_t file, uint32_t line)
{
    const char *name = file == IRPROF_NONE ? "(no debug information)" : path_basename(p->files[file]);
    return line ? xasprintf("%s:%u", name, line) : xstrdup(name);
}

static char *describe_loop(const struct irprof_profile *p, const struct estimate_row *row, const char *function)
{
    if (row->loop == IRPROF_NONE)
        return xasprintf("%s (in no loop)", function);
    char *at = place(p, row->file, row->line);
    char *text =
        xasprintf("%s %s depth %u block %u", function, at, p->loops[row->loop].depth, p->loops[row->loop].header);
    free(at);
    return text;
}

/* `function`: its name, in either form. */
static char *describe(const struct irprof_profile *p, const struct estimate_row *row, enum estimate_by by,
                      const char *function)
{
    switch (by) {
    case ESTIMATE_BY_FUNCTION:
        return xstrdup(function);
    case ESTIMATE_BY_LINE:
        return place(p, row->file, row->line);
    case ESTIMATE_BY_BLOCK:
        return xasprintf("%s %u", function, row->block);
    case ESTIMATE_BY_LOOP:
        return describe_loop(p, row, function);
    case ESTIMATE_BY_PROGRAM:
        break;
    }
    return xstrdup("");
}

static bool names_function(enum estimate_by by)
{
    return by == ESTIMATE_BY_FUNCTION || by == ESTIMATE_BY_BLOCK || by == ESTIMATE_BY_LOOP;
}

static void set_texts(struct estimate_line *l, const struct irprof_profile *p, const struct estimate_row *row,
                      enum estimate_by by)
{
    const char *name = names_function(by) ? p->functions[row->function].name : "";
    char *spoken = demangle(name);
    l->what = describe(p, row, by, name);
    l->readable = strcmp(name, spoken) == 0 ? 0 : describe(p, row, by, spoken);
    free(spoken);
}

void estimate_lines_add(estimate_lines *lines, const struct estimate *est, size_t core, enum estimate_by by,
                        const struct trust *trust)
{
    const struct irprof_profile *p = est->profile;
    struct estimate_row *rows;
    size_t n;
    struct trust_kind kind = trust_kind_of(p, est->region, est->total.typical);
    estimate_rows(&rows, &n, est, by);
    for (size_t i = 0; i < n; i++) {
        const struct estimate_row *r = &rows[i];
        struct estimate_line l = {.program = xstrdup(p->program),
                                  .region = xstrdup(p->regions[est->region].name),
                                  .core = core,
                                  .instructions = r->instructions,
                                  .cycles = r->cycles,
                                  .with_callees = r->with_callees,
                                  .causes = r->causes,
                                  .known_causes = est->known_causes,
                                  .share = est->total.typical > 0 ? r->cycles.typical / est->total.typical : 0};
        set_texts(&l, p, r, by);
        l.level = trust_interval(&l.low, &l.high, trust, &kind, r->cycles.typical);
        vec_push(lines, l);
    }
    free(rows);
}

void estimate_lines_release(estimate_lines *lines)
{
    for (size_t i = 0; i < lines->n; i++) {
        free(lines->at[i].program);
        free(lines->at[i].region);
        free(lines->at[i].what);
        free(lines->at[i].readable);
    }
    vec_release(lines);
}

void estimate_lacks_add(estimate_lacks *lacks, const struct estimate *est, size_t core)
{
    for (size_t i = 0; i < est->n_unmeasured; i++) {
        struct unmeasured of = est->unmeasured[i];
        of.instruction = xstrdup(of.instruction);
        of.as = xstrdup(of.as);
        vec_push(lacks, (struct estimate_lack){xstrdup(est->profile->program),
                                               xstrdup(est->profile->regions[est->region].name), core, of});
    }
}

void estimate_lacks_release(estimate_lacks *lacks)
{
    for (size_t i = 0; i < lacks->n; i++) {
        free(lacks->at[i].program);
        free(lacks->at[i].region);
        free(lacks->at[i].of.instruction);
        free(lacks->at[i].of.as);
    }
    vec_release(lacks);
}
