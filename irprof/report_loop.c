/* How often loops were entered and went round, and what was executed in them, inner loops and all. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/str.h"
#include "irprof/report_private.h"

struct row {
    const struct irprof_loop *loop;
    uint64_t entries, iterations, instructions;
};
struct rows {
    VEC(struct row) all;
};

static uint64_t instructions_of(const struct irprof_profile *p, const struct irprof_segment *s, uint64_t executions)
{
    uint64_t n = 0;
    for (size_t k = s->first_part; k < s->first_part + s->n_parts; k++)
        for (size_t i = p->parts[k].first_item; i < p->parts[k].first_item + p->parts[k].n_items; i++)
            n += p->items[i].times * executions;
    return n;
}

/* Instructions executed in each loop; the caller frees. */
static uint64_t *instructions_inside(const struct irprof_profile *p, const struct irprof_region *r)
{
    uint64_t *inside = xcalloc(p->n_loops, sizeof *inside);
    for (size_t i = 0; i < p->n_segments; i++)
        if (p->segments[i].loop != IRPROF_NONE)
            inside[p->segments[i].loop] += instructions_of(p, &p->segments[i], r->executions[i]);
    for (size_t i = p->n_loops; i-- > 0;) /* a loop stands behind the one around it */
        if (p->loops[i].parent != IRPROF_NONE)
            inside[p->loops[i].parent] += inside[i];
    return inside;
}

static struct rows list_loops(const struct section *s)
{
    struct rows rows = {0};
    const struct irprof_region *r = section_region(s);
    uint64_t *inside = instructions_inside(s->profile, r);
    for (size_t i = 0; i < s->profile->n_loops; i++)
        if (r->iterations[i])
            vec_push(&rows.all, (struct row){&s->profile->loops[i], r->iterations[i] - r->repeats[i], r->iterations[i],
                                             inside[i]});
    free(inside);
    return rows;
}

/* Only of a loop that was entered: a region may begin inside one. */
static double trips(const struct row *row)
{
    return (double)row->iterations / (double)row->entries;
}

/* The one with the most instructions first, otherwise as in the program. */
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
    fprintf(f, "%16s %7s %14s %14s %10s  %s\n", "instructions", "%", "entries", "iterations", "per entry", "loop");
    for (size_t i = 0; i < rows.all.n; i++) {
        const struct row *row = &rows.all.at[i];
        char *place = section_place(s, row->loop->file, row->loop->line);
        fprintf(f, "%16" PRIu64 " %6.2f%% %14" PRIu64 " %14" PRIu64 " ", row->instructions,
                s->total ? 100.0 * (double)row->instructions / (double)s->total : 0, row->entries, row->iterations);
        if (row->entries)
            fprintf(f, "%10.2f", trips(row));
        else
            fprintf(f, "%10s", "-");
        fprintf(f, "  %s block %" PRIu32 " depth %" PRIu32 "  %s\n", section_function(s, row->loop->function),
                row->loop->header, row->loop->depth, place);
        free(place);
    }
    vec_release(&rows.all);
}

const char loops_csv_header[] = "function,header,depth,file,line,entries,iterations,trips,instructions";

void loops_csv(const struct section *s, FILE *f)
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
        fprintf(f, ",%" PRIu64 ",%" PRIu64 ",%s,%" PRIu64 "\n", row->entries, row->iterations, mean, row->instructions);
        free(mean);
    }
    vec_release(&rows.all);
}

json_t *loops_json(const struct section *s)
{
    struct rows rows = list_loops(s);
    json_t *array = json_array();
    for (size_t i = 0; i < rows.all.n; i++) {
        const struct row *row = &rows.all.at[i];
        json_t *o = json_object();
        json_object_set_new(o, "function", json_string_nocheck(section_function(s, row->loop->function)));
        json_object_set_new(o, "header", json_count(row->loop->header));
        json_object_set_new(o, "depth", json_count(row->loop->depth));
        json_place(o, s, row->loop->file, row->loop->line);
        json_object_set_new(o, "entries", json_count(row->entries));
        json_object_set_new(o, "iterations", json_count(row->iterations));
        if (row->entries)
            json_object_set_new(o, "trips", json_real(trips(row)));
        json_object_set_new(o, "instructions", json_count(row->instructions));
        json_array_append_new(array, o);
    }
    vec_release(&rows.all);
    return array;
}
