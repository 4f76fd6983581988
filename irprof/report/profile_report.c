/* profile_report.c - collects the sections of a report and has them printed in its format. */
#include "irprof/report/profile_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "irprof/report/formats.h"

static enum irprof_by grouping(enum report_by by)
{
    static const enum irprof_by groupings[] = {
        [REPORT_OPCODE] = IRPROF_BY_KEY,  [REPORT_FUNCTION] = IRPROF_BY_FUNCTION, [REPORT_LINE] = IRPROF_BY_LINE,
        [REPORT_BLOCK] = IRPROF_BY_BLOCK, [REPORT_REGION] = IRPROF_BY_KEY,        [REPORT_BRANCH] = IRPROF_BY_KEY,
        [REPORT_LOOP] = IRPROF_BY_KEY,
    };
    return groupings[by];
}

static enum status add_section(struct sections *s, const struct report_program *program, size_t region, bool mangled,
                               struct error *e)
{
    struct section one = {.mangled = mangled, .program = program->name, .profile = program->profile, .region = region};
    enum status status = irprof_group(&one.groups, program->profile, region, grouping(s->by), e);
    if (status)
        return status;
    for (size_t i = 0; i < one.groups->n_rows; i++)
        one.total += one.groups->rows[i].total;
    one.events = xcalloc(program->profile->n_events, sizeof *one.events);
    irprof_event_counts(program->profile, region, one.events);
    vec_push(&s->all, one);
    return OK;
}

bool is_usable(const struct irprof_profile *p, size_t region, struct error *flawed)
{
    struct error why = ERROR_INIT;
    bool usable = !irprof_region_usable(p, region, &why);
    if (!usable)
        error_collect(flawed, &why);
    error_release(&why);
    return usable;
}

/* Unusable regions are left out unless they were asked for by name. *flawed says which. */
static enum status collect(struct sections *s, const struct report *r, struct error *flawed, struct error *e)
{
    for (size_t i = 0; i < r->n_programs; i++) {
        const struct report_program *program = &r->programs[i];
        size_t from = 0, to = program->profile->n_regions;
        enum status status = OK;
        if (r->region) {
            status = irprof_region(&from, program->profile, r->region, e);
            to = from + 1;
        }
        for (size_t k = from; k < to && !status; k++)
            if (r->region || is_usable(program->profile, k, flawed))
                status = add_section(s, program, k, r->mangled, e);
        if (status)
            return status;
    }
    return OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void collect_events(struct sections *s, const struct report *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_programs; i++)
        n += r->programs[i].profile->n_events;
    s->events = xcalloc(n, sizeof *s->events);
    n = 0;
    for (size_t i = 0; i < r->n_programs; i++)
        for (size_t k = 0; k < r->programs[i].profile->n_events; k++)
            s->events[n++] = r->programs[i].profile->events[k];
    qsort(s->events, n, sizeof *s->events, compare_names);
    for (size_t i = 0; i < n; i++)
        if (!s->n_events || strcmp(s->events[s->n_events - 1], s->events[i]) != 0)
            s->events[s->n_events++] = s->events[i];
}

/* Lines were asked for, so there must be line information. */
static enum status check_lines(const struct report *r, struct error *e)
{
    for (size_t i = 0; i < r->n_programs && r->by == REPORT_LINE; i++)
        if (!r->programs[i].profile->n_files)
            return error_set(e, ERR_INPUT, AT_FILE(r->programs[i].profile->path),
                             "has no source lines: compile the program with -g");
    return OK;
}

static enum status write_callgrind(const struct report *r, FILE *f, struct error *e)
{
    if (r->n_programs != 1)
        return usage_error(e,
                           "--format callgrind takes one profile: add up the runs of one program with 'irprof merge'");
    const struct irprof_profile *p = r->programs[0].profile;
    size_t region = p->n_regions - 1;
    enum status s = r->region ? irprof_region(&region, p, r->region, e) : OK;
    return s ? s : callgrind_write(&r->programs[0], region, r->mangled, f, e);
}

enum status profile_report_write(const struct report *r, FILE *f, struct error *flawed, struct error *e)
{
    struct sections s = {.by = r->by};
    if (r->format == REPORT_CALLGRIND)
        return write_callgrind(r, f, e);
    enum status status = check_lines(r, e);
    if (!status)
        status = collect(&s, r, flawed, e);
    if (!status) {
        collect_events(&s, r);
        if (r->format == REPORT_TEXT)
            report_text(&s, f);
        else if (r->format == REPORT_CSV)
            report_csv(&s, f);
        else
            status = sections_json(&s, f, e);
    }
    for (size_t i = 0; i < s.all.n; i++) {
        irprof_groups_free(s.all.at[i].groups);
        free(s.all.at[i].events);
    }
    vec_release(&s.all);
    free(s.events);
    return status;
}
