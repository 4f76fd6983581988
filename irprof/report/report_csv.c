/* report_csv.c - reports as CSV. Events are the last columns; a profile without an event has an empty cell. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "irprof/report/formats.h"

void csv_start(const struct section *s, FILE *f)
{
    csv_put(f, s->program);
    fputc(',', f);
    csv_put(f, section_region(s)->name);
}

void csv_text(FILE *f, const char *text)
{
    fputc(',', f);
    csv_put(f, text);
}

void csv_line(FILE *f, uint32_t line)
{
    fputc(',', f);
    if (line)
        fprintf(f, "%" PRIu32, line);
}

void csv_events(const struct sections *all, const struct section *s, const uint64_t *counts, FILE *f)
{
    size_t own = 0;
    for (size_t i = 0; i < all->n_events; i++) {
        fputc(',', f);
        if (own < s->profile->n_events && strcmp(s->profile->events[own], all->events[i]) == 0)
            fprintf(f, "%" PRIu64, counts[own++]);
    }
}

void csv_readable(const struct section *s, uint32_t function, FILE *f)
{
    char *name = section_readable(s, function);
    csv_text(f, name ? name : "");
    free(name);
}

/* Keys, then events: a row each. */
static void put_keys(const struct section *s, FILE *f)
{
    for (size_t i = 0; i < s->groups->n_rows; i++) {
        const struct irprof_row *row = &s->groups->rows[i];
        for (size_t k = 0; k < row->n_counts; k++) {
            csv_start(s, f);
            csv_text(f, s->profile->keys[row->counts[k].key]);
            fprintf(f, ",%" PRIu64 "\n", row->counts[k].count);
        }
    }
    for (size_t i = 0; i < s->profile->n_events; i++) {
        csv_start(s, f);
        csv_text(f, s->profile->events[i]);
        fprintf(f, ",%" PRIu64 "\n", s->events[i]);
    }
}

static void put_rows(const struct sections *all, const struct section *s, FILE *f)
{
    for (size_t i = 0; i < s->groups->n_rows; i++) {
        const struct irprof_row *row = &s->groups->rows[i];
        csv_start(s, f);
        if (all->by != REPORT_LINE)
            csv_text(f, section_function(s, row->function));
        if (all->by == REPORT_BLOCK)
            fprintf(f, ",%" PRIu32, row->block);
        csv_text(f, section_file(s, row->file));
        csv_line(f, row->line);
        if (all->by != REPORT_LINE)
            fprintf(f, ",%" PRIu64, row->entries);
        fprintf(f, ",%" PRIu64, row->total);
        csv_events(all, s, row->events, f);
        if (all->by != REPORT_LINE)
            csv_readable(s, row->function, f);
        fputc('\n', f);
    }
}

static void put_region(const struct sections *all, const struct section *s, FILE *f)
{
    csv_start(s, f);
    fprintf(f, ",%" PRIu64 ",%" PRIu64, section_region(s)->entries, s->total);
    csv_events(all, s, s->events, f);
    fputc('\n', f);
}

/* Events are not known by key. For branches there is only one, which has its own column. */
static bool has_event_columns(enum report_by by)
{
    return by != REPORT_OPCODE && by != REPORT_BRANCH;
}

static bool has_function(enum report_by by)
{
    return by == REPORT_FUNCTION || by == REPORT_BLOCK || by == REPORT_BRANCH || by == REPORT_LOOP;
}

static void put_header(const struct sections *s, FILE *f)
{
    static const char *const headers[] = {
        [REPORT_OPCODE] = "key,count",
        [REPORT_FUNCTION] = "function,file,line,calls,instructions",
        [REPORT_LINE] = "file,line,instructions",
        [REPORT_BLOCK] = "function,block,file,line,entries,instructions",
        [REPORT_REGION] = "entries,instructions",
        [REPORT_BRANCH] = "",
        [REPORT_LOOP] = "",
    };
    fprintf(f, "program,region,%s", headers[s->by]);
    if (s->by == REPORT_BRANCH)
        branches_csv_header(s, f);
    else if (s->by == REPORT_LOOP)
        loops_csv_header(f);
    for (size_t i = 0; has_event_columns(s->by) && i < s->n_events; i++)
        csv_text(f, s->events[i]);
    if (has_function(s->by))
        csv_text(f, "readable");
    fputc('\n', f);
}

void report_csv(const struct sections *s, FILE *f)
{
    put_header(s, f);
    for (size_t i = 0; i < s->all.n; i++) {
        const struct section *one = &s->all.at[i];
        switch (s->by) {
        case REPORT_OPCODE:
            put_keys(one, f);
            break;
        case REPORT_REGION:
            put_region(s, one, f);
            break;
        case REPORT_BRANCH:
            branches_csv(s, one, f);
            break;
        case REPORT_LOOP:
            loops_csv(s, one, f);
            break;
        default:
            put_rows(s, one, f);
        }
    }
}
