/* report_loop.c - how often loops were entered and iterated, and what was executed in them, inner loops included. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/str.h"
#include "irprof/report/formats.h"

struct row {
    const struct irprof_loop *loop;
    uint64_t entries, iterations, instructions;
    const uint64_t *events; /* borrowed from rows */
};
struct rows {
    VEC(struct row) all;
    uint64_t *inside; /* owned; for each loop of the profile: instructions, then each event */
};

static void add_part(uint64_t *sums, const struct irprof_profile *p, const struct irprof_part *part,
                     const struct irprof_region *r, uint64_t executions)
{
    for (size_t i = part->first_item; i < part->first_item + part->n_items; i++)
        sums[0] += p->items[i].times * executions;
    for (size_t i = part->first_event_site; i < part->first_event_site + part->n_event_sites; i++)
        sums[1 + p->event_sites[i].event] += r->event_counts[i];
}

/* Counts of each loop: instructions and events. The caller frees. */
static uint64_t *sum_inside(const struct irprof_profile *p, const struct irprof_region *r)
{
    size_t n = 1 + p->n_events;
    uint64_t *inside = xcalloc(p->n_loops, n * sizeof *inside);
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *s = &p->segments[i];
        for (size_t k = s->first_part; s->loop != IRPROF_NONE && k < s->first_part + s->n_parts; k++)
            add_part(inside + s->loop * n, p, &p->parts[k], r, r->executions[i]);
    }
    for (size_t i = p->n_loops; i-- > 0;) /* a loop comes after the one around it */
        for (size_t k = 0; p->loops[i].parent != IRPROF_NONE && k < n; k++)
            inside[p->loops[i].parent * n + k] += inside[i * n + k];
    return inside;
}

static struct rows list_loops(const struct section *s)
{
    const struct irprof_profile *p = s->profile;
    const struct irprof_region *r = section_region(s);
    struct rows rows = {.inside = sum_inside(p, r)};
    for (size_t i = 0; i < p->n_loops; i++) {
        const uint64_t *inside = rows.inside + i * (1 + p->n_events);
        if (r->iterations[i])
            vec_push(&rows.all, (struct row){&p->loops[i], r->iterations[i] - r->repeats[i], r->iterations[i],
                                             inside[0], inside + 1});
    }
    return rows;
}

static void free_rows(struct rows *rows)
{
    vec_release(&rows->all);
    free(rows->inside);
}

/* Iterations per entry. Only for loops that were entered: a region may begin inside one. */
static double trips(const struct row *row)
{
    return (double)row->iterations / (double)row->entries;
}

/* The one with the most instructions first; ties in the program's order. */
static int by_instructions(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->instructions != y->instructions)
        return x->instructions < y->instructions ? 1 : -1;
    return (x->loop > y->loop) - (x->loop < y->loop);
}

void loops_text(const struct section *s, FILE *f)
{
    struct rows rows = list_loops(s);
    if (rows.all.n)
        qsort(rows.all.at, rows.all.n, sizeof *rows.all.at, by_instructions);
    const struct irprof_profile *p = s->profile;
    fprintf(f, "%16s %7s %14s %14s %10s  ", "instructions", "%", "entries", "iterations", "per entry");
    for (size_t k = 0; k < p->n_events; k++)
        fprintf(f, "%*s  ", event_width(p->events[k]), p->events[k]);
    fputs("loop\n", f);
    for (size_t i = 0; i < rows.all.n; i++) {
        const struct row *row = &rows.all.at[i];
        char *place = section_place(s, row->loop->file, row->loop->line);
        fprintf(f, "%16" PRIu64 " %6.2f%% %14" PRIu64 " %14" PRIu64 " ", row->instructions,
                s->total ? 100.0 * (double)row->instructions / (double)s->total : 0, row->entries, row->iterations);
        if (row->entries)
            fprintf(f, "%10.2f", trips(row));
        else
            fprintf(f, "%10s", "-");
        for (size_t k = 0; k < p->n_events; k++)
            fprintf(f, "  %*" PRIu64, event_width(p->events[k]), row->events[k]);
        char *function = section_words(s, row->loop->function);
        fprintf(f, "  %s block %" PRIu32 " depth %" PRIu32 "  %s\n", function, row->loop->header, row->loop->depth,
                place);
        free(function);
        free(place);
    }
    free_rows(&rows);
}

void loops_csv_header(FILE *f)
{
    fputs("function,header,depth,file,line,entries,iterations,trips,instructions", f);
}

void loops_csv(const struct sections *all, const struct section *s, FILE *f)
{
    struct rows rows = list_loops(s);
    for (size_t i = 0; i < rows.all.n; i++) {
        const struct row *row = &rows.all.at[i];
        char *mean = row->entries ? format_double(trips(row)) : xstrdup("");
        csv_start(s, f);
        csv_text(f, section_function(s, row->loop->function));
        fprintf(f, ",%" PRIu32 ",%" PRIu32, row->loop->header, row->loop->depth);
        csv_text(f, section_file(s, row->loop->file));
        csv_line(f, row->loop->line);
        fprintf(f, ",%" PRIu64 ",%" PRIu64 ",%s,%" PRIu64, row->entries, row->iterations, mean, row->instructions);
        csv_events(all, s, row->events, f);
        csv_readable(s, row->loop->function, f);
        fputc('\n', f);
        free(mean);
    }
    free_rows(&rows);
}

json_t *loops_json(const struct section *s)
{
    struct rows rows = list_loops(s);
    json_t *array = json_array();
    for (size_t i = 0; i < rows.all.n; i++) {
        const struct row *row = &rows.all.at[i];
        json_t *o = json_object();
        json_function(o, s, row->loop->function);
        json_object_set_new(o, "header", json_count(row->loop->header));
        json_object_set_new(o, "depth", json_count(row->loop->depth));
        json_place(o, s, row->loop->file, row->loop->line);
        json_object_set_new(o, "entries", json_count(row->entries));
        json_object_set_new(o, "iterations", json_count(row->iterations));
        if (row->entries)
            json_object_set_new(o, "trips", json_real(trips(row)));
        json_object_set_new(o, "instructions", json_count(row->instructions));
        json_events(o, s, row->events);
        json_array_append_new(array, o);
    }
    free_rows(&rows);
    return array;
}
