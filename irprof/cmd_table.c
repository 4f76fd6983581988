#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/map.h"
#include "irprof/commands.h"

struct options {
    const char *out;
    bool total;
};

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write here (standard output without it)", offsetof(struct options, out)},
    {CLI_BOOL, "total", 0, 0, 0, "a row \"(program)\" too, for programs that mark regions",
     offsetof(struct options, total)},
    {0},
};

/* A row in the making: counts by column, where columns are keys in the order they were met. */
struct row {
    const char *program, *region; /* borrowed */
    uint64_t *counts;             /* owned */
    size_t n;
};
struct table {
    struct map columns, names; /* keys; "program\nregion" for finding doubles */
    VEC(struct row) rows;
};

static enum status add_row(struct table *t, const struct operand *o, size_t region, struct error *e)
{
    const struct irprof_profile *p = o->profile;
    struct row row = {.program = o->name, .region = p->regions[region].name};
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
    uint64_t *counts = xcalloc(p->n_keys, sizeof *counts);
    irprof_key_counts(p, region, counts);
    for (size_t i = 0; i < p->n_keys; i++)
        if (counts[i])
            map_number(&t->columns, p->keys[i]);
    row.n = t->columns.n;
    row.counts = xcalloc(row.n, sizeof *row.counts);
    for (size_t i = 0; i < p->n_keys; i++)
        if (counts[i])
            row.counts[map_number(&t->columns, p->keys[i])] = counts[i];
    free(counts);
    vec_push(&t->rows, row);
    return OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void write_rows(const struct table *t, FILE *f)
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
    for (size_t r = 0; r < t->rows.n; r++) {
        const struct row *row = &t->rows.at[r];
        csv_put(f, row->program);
        fputc(',', f);
        csv_put(f, row->region);
        for (size_t i = 0; i < n; i++) {
            size_t column = 0;
            map_get(&t->columns, sorted[i], &column);
            fprintf(f, ",%" PRIu64, column < row->n ? row->counts[column] : 0);
        }
        fputc('\n', f);
    }
    free(sorted);
}

static enum status fill(struct table *t, const struct operand *operands, size_t n, bool total, struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        const struct irprof_profile *p = operands[i].profile;
        /* The last region is the total; alone, it is "main". */
        size_t n_regions = p->n_regions > 1 && !total ? p->n_regions - 1 : p->n_regions;
        for (size_t r = 0; r < n_regions; r++) {
            enum status s = add_row(t, &operands[i], r, e);
            if (s)
                return s;
        }
    }
    return OK;
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct operand *operands;
    enum status s = operands_read(&operands, args, e);
    if (s)
        return s;
    struct table t = {0};
    struct outfile out = {0};
    s = fill(&t, operands, (size_t)args->argc, o->total, e);
    if (!s)
        s = outfile_open(&out, o->out, e);
    if (!s) {
        write_rows(&t, out.f);
        s = outfile_commit(&out, e);
    }
    for (size_t i = 0; i < t.rows.n; i++)
        free(t.rows.at[i].counts);
    vec_release(&t.rows);
    map_release(&t.columns);
    map_release(&t.names);
    operands_free(operands, (size_t)args->argc);
    return s;
}

const struct cli_command cmd_table = {
    .name = "table",
    .synopsis = "table [NAME=]PROFILE... [-o FILE] [options]",
    .summary = "Writes counts as one wide CSV: a row per program and region, a column per key.",
    .details = "NAME stands in the column 'program' instead of the name that the program was run by.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
