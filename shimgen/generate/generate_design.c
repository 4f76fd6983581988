/* generate_design.c - counts the candidates of a design in a temporary folder, as samples are counted; regress chooses
 * among them. */
#include "shimgen/generate/generate_samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "shimgen/units/count_units.h"
#include "samples/manifest.h"

/* Limits on instructions in a region. Below, its begin and end weigh too much; above, an emulated board takes
 * minutes. */
#define FEWEST_COUNTS 2000
#define MOST_COUNTS   2e7

static enum status count(const struct candidates *c, const struct design_order *o, const char *table, struct error *e)
{
    char *folder = 0, *samples_folder = 0, *work = 0;
    struct samples samples = {0};
    struct units units = {0};
    const struct counting how = {.jobs = o->jobs};
    uint64_t tools = 0;
    enum status s = temp_directory(&folder, "shimgen-generate", e);
    if (!s) {
        samples_folder = path_join(folder, "samples");
        work = path_join(folder, "work");
        s = candidates_write(c, 0, samples_folder, o->set, "generated", e);
    }
    if (!s)
        s = make_directories(work, e);
    if (!s)
        s = samples_read(&samples, samples_folder, 0, e);
    if (!s)
        units_plan(&units, &samples, o->board, work, 0);
    if (!s)
        s = unit_tools_hash(&tools, o->board, work, e);
    if (!s)
        s = count_units(&units, o->board, work, tools, &how, e);
    if (!s)
        s = counts_write(&units, 0, table, e);
    units_release(&units);
    samples_release(&samples);
    if (folder) {
        struct error ignored = ERROR_INIT;
        if (remove_tree(folder, &ignored))
            error_release(&ignored);
    }
    free(work);
    free(samples_folder);
    free(folder);
    return s;
}

static double counts_of(const struct regress_data *d, size_t row)
{
    double sum = 0;
    for (size_t j = 0; j < d->cols; j++)
        if (d->kinds[j] == REGRESS_KEY)
            sum += d->values[row * d->cols + j];
    return sum;
}

/* Rows of programs that execute enough, but not too much, at every level. */
static struct regress_rows useful_rows(const struct regress_data *d, size_t *left_out)
{
    struct regress_rows rows = {xcalloc(d->n, sizeof *rows.at), 0};
    bool *out = xcalloc(d->n_groups, sizeof *out);
    for (size_t i = 0; i < d->n; i++) {
        double counts = counts_of(d, i);
        if (strcmp(d->regions[i], "(program)") != 0 && (counts < FEWEST_COUNTS || counts > MOST_COUNTS))
            out[d->groups[i]] = true;
    }
    *left_out = 0;
    for (size_t g = 0; g < d->n_groups; g++)
        *left_out += out[g];
    for (size_t i = 0; i < d->n; i++)
        if (!out[d->groups[i]])
            rows.at[rows.n++] = i;
    free(out);
    return rows;
}

/* Rows that a model is fitted to: not those of programs that are samples for testing. */
static enum status training_rows(struct regress_rows *rows, const struct regress_data *d, struct error *e)
{
    struct samples samples = {0};
    char *folder = resource_share("samples");
    enum status s = samples_read(&samples, folder, 0, e);
    *rows = (struct regress_rows){xcalloc(d->n, sizeof *rows->at), 0};
    for (size_t i = 0; !s && i < d->n; i++) {
        const struct sample *sample = samples_find(&samples, d->programs[i]);
        if (!sample || !sample->test)
            rows->at[rows->n++] = i;
    }
    samples_release(&samples);
    free(folder);
    return s;
}

static void mark(struct design_result *out, const struct candidates *c, const struct regress_data *d)
{
    struct map numbers = {0};
    out->marked = xcalloc(c->n, sizeof *out->marked);
    for (size_t i = 0; i < c->n; i++)
        map_put(&numbers, c->at[i].name, i);
    for (size_t k = 0; k < out->design->n; k++) {
        size_t i = 0;
        if (map_get(&numbers, path_basename(d->group_names[out->design->groups[k]]), &i))
            out->marked[i] = true;
    }
    map_release(&numbers);
}

static enum status choose(struct design_result *out, const struct candidates *c, const struct design_order *o,
                          const char *table, struct error *e)
{
    struct regress_data *counted = 0, *given = 0;
    struct regress_classes *classes = 0;
    struct regress_rows rows = {0}, given_rows = {0};
    enum status s = regress_classes_load(&classes, o->classes, e);
    if (!s)
        s = regress_data_read(&counted, table, e);
    if (!s && o->given)
        s = regress_data_read(&given, o->given, e);
    if (!s && given)
        s = training_rows(&given_rows, given, e);
    if (!s) {
        rows = useful_rows(counted, &out->too_short);
        const struct regress_table pool = {counted, &rows}, base = {given, &given_rows};
        s = regress_design(&out->design, &pool, &base, classes, o->n, o->seed, e);
    }
    if (!s)
        mark(out, c, counted);
    free(rows.at);
    free(given_rows.at);
    regress_classes_free(classes);
    regress_data_free(counted);
    regress_data_free(given);
    return s;
}

/* Refuses what is wrong before minutes of counting. */
static enum status check_order(const struct design_order *o, struct error *e)
{
    struct regress_classes *classes = 0;
    struct regress_data *given = 0;
    enum status s = regress_classes_load(&classes, o->classes, e);
    if (!s && o->given)
        s = regress_data_read(&given, o->given, e);
    regress_classes_free(classes);
    regress_data_free(given);
    return s;
}

enum status design_candidates(struct design_result *out, const struct candidates *c, const struct design_order *o,
                              struct error *e)
{
    char *folder = 0, *table = o->counts ? xstrdup(o->counts) : 0;
    *out = (struct design_result){0};
    enum status s = check_order(o, e);
    if (!s && !table) {
        s = temp_directory(&folder, "shimgen-counts", e);
        table = s ? 0 : path_join(folder, "counts.csv");
    }
    if (!s)
        s = count(c, o, table, e);
    if (!s)
        s = choose(out, c, o, table, e);
    free(table);
    free(folder); /* the folder is removed at exit */
    return s;
}

void design_result_release(struct design_result *r)
{
    regress_design_free(r->design);
    free(r->marked);
    *r = (struct design_result){0};
}
