/* wide_table.c - collects counts of several profiles in one wide table. */
#include "irprof/report/wide_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "irprof/report/columns.h"

/* no count: counts fit in 63 bits */
static const uint64_t absent = UINT64_MAX;

/* Cells by column. Columns that were added later are missing. */
struct table_row {
    const char *program, *region; /* borrowed */
    uint64_t *cells;              /* owned */
    size_t n;
};

void table_init(struct table *t, const struct table_extras *extras)
{
    *t = (struct table){.extras = *extras};
}

void table_release(struct table *t)
{
    for (size_t i = 0; i < t->rows.n; i++)
        free(t->rows.at[i].cells);
    vec_release(&t->rows);
    map_release(&t->columns);
    map_release(&t->names);
}

static void set(struct table *t, struct table_row *row, const char *column, uint64_t value)
{
    size_t i = map_number(&t->columns, column);
    if (i >= row->n) {
        row->cells = xreallocarray(row->cells, i + 1, sizeof *row->cells);
        while (row->n <= i)
            row->cells[row->n++] = absent;
    }
    row->cells[i] = value;
}

static bool is_further_predictor(const char *event)
{
    static const char prefix[] = IRPROF_MISPREDICTED ":";
    return strncmp(event, prefix, sizeof prefix - 1) == 0;
}

/* Programs call different functions, so columns of sizes are there only if they are asked for. */
static bool is_wanted(const struct table_extras *x, const char *event)
{
    if (strncmp(event, IRPROF_SIZE, sizeof IRPROF_SIZE - 1) == 0)
        return x->sizes;
    return is_further_predictor(event) ? x->predictors : x->events;
}

/* Keys that were not executed make no column; events that did not happen do. */
static void add_counts(struct table *t, struct table_row *row, const struct irprof_profile *p, size_t region)
{
    uint64_t *counts = xcalloc(p->n_keys + p->n_events, sizeof *counts);
    irprof_key_counts(p, region, counts);
    for (size_t i = 0; i < p->n_keys; i++)
        if (counts[i])
            set(t, row, p->keys[i], counts[i]);
    bool any = t->extras.events || t->extras.sizes || t->extras.predictors;
    if (any)
        irprof_event_counts(p, region, counts);
    for (size_t i = 0; any && i < p->n_events; i++)
        if (is_wanted(&t->extras, p->events[i]))
            set(t, row, p->events[i], counts[i]);
    free(counts);
}

static void add_branches(struct table *t, struct table_row *row, const struct irprof_profile *p, size_t region)
{
    static const char *const names[IRPROF_EDGE_N] = {
        [IRPROF_EDGE_TRUE] = "branch.taken",
        [IRPROF_EDGE_FALSE] = "branch.not_taken",
        [IRPROF_EDGE_CASE] = "branch.case",
        [IRPROF_EDGE_DEFAULT] = "branch.default",
    };
    uint64_t sums[IRPROF_EDGE_N] = {0};
    for (size_t i = 0; i < p->n_edges; i++)
        sums[p->edges[i].kind] += p->regions[region].taken[i];
    for (size_t k = 0; k < IRPROF_EDGE_N; k++)
        if (names[k])
            set(t, row, names[k], sums[k]);
}

static void add_loops(struct table *t, struct table_row *row, const struct irprof_profile *p, size_t region)
{
    const struct irprof_region *r = &p->regions[region];
    uint64_t entries = 0, iterations = 0;
    for (size_t i = 0; i < p->n_loops; i++) {
        entries += r->iterations[i] - r->repeats[i];
        iterations += r->iterations[i];
    }
    set(t, row, "loop.entries", entries);
    set(t, row, "loop.iterations", iterations);
}

static void add_dataflow(struct table *t, struct table_row *row, const struct irprof_profile *p, size_t region)
{
    uint64_t values[COLUMNS_MAX];
    columns_count(p, region, values);
    for (size_t i = 0; columns_name(i); i++)
        set(t, row, columns_name(i), values[i]);
}

enum status table_add(struct table *t, const char *program, const struct irprof_profile *p, size_t region,
                      struct error *e)
{
    struct table_row row = {.program = program, .region = p->regions[region].name};
    enum status s = irprof_region_usable(p, region, e);
    if (s)
        return s;
    char *name = xasprintf("%s\n%s", row.program, row.region);
    bool doubled = map_get(&t->names, name, 0);
    map_put(&t->names, name, 0);
    free(name);
    if (doubled)
        return error_set(e, ERR_INPUT, AT_FILE(p->path),
                         "a second row for program '%s', region '%s': add the runs with 'irprof merge', or name them "
                         "apart as NAME=PROFILE",
                         row.program, row.region);
    add_counts(t, &row, p, region);
    if (t->extras.branches)
        add_branches(t, &row, p, region);
    if (t->extras.loops)
        add_loops(t, &row, p, region);
    if (t->extras.dataflow)
        add_dataflow(t, &row, p, region);
    vec_push(&t->rows, row);
    return OK;
}

/* ---- writing ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Is it an event? They are in capitals, keys are not. */
static bool is_event(const char *column)
{
    return *column >= 'A' && *column <= 'Z';
}

static void write_row(const struct table *t, const struct table_row *row, char *const *columns, FILE *f)
{
    csv_put(f, row->program);
    fputc(',', f);
    csv_put(f, row->region);
    for (size_t i = 0; i < t->columns.n; i++) {
        size_t number = 0;
        map_get(&t->columns, columns[i], &number);
        uint64_t cell = number < row->n ? row->cells[number] : absent;
        fputc(',', f);
        if (cell != absent || !is_event(columns[i]))
            fprintf(f, "%" PRIu64, cell == absent ? 0 : cell);
    }
    fputc('\n', f);
}

void table_write(const struct table *t, FILE *f)
{
    size_t n = t->columns.n;
    char **sorted = xcalloc(n, sizeof *sorted);
    if (n)
        memcpy(sorted, t->columns.keys, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_names);
    fputs("program,region", f);
    for (size_t i = 0; i < n; i++) {
        fputc(',', f);
        csv_put(f, sorted[i]);
    }
    fputc('\n', f);
    for (size_t i = 0; i < t->rows.n; i++)
        write_row(t, &t->rows.at[i], sorted, f);
    free(sorted);
}
