/* data.c - datasets in memory: columns, groups, reading, writing. */
#include "regress/regress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/map.h"
#include "base/program_name.h"
#include "base/str.h"
#include "regress/data/data.h"

static const char *const cycle_events[] = {"CPU_CYCLES", "TSC_CYCLES", "CNTVCT_CYCLES", "RDTIME_CYCLES", 0};

const char *const *data_cycle_events(void)
{
    return cycle_events;
}

const char *data_flow_prefix(const char *text)
{
    static const char *const prefixes[] = {"branch.", "loop.", "near.", "folded.", "constant.", "chain."};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
            return prefixes[i];
    return 0;
}

enum regress_column data_column_kind(const char *name)
{
    if (strcmp(name, "cycles") == 0)
        return REGRESS_CYCLES;
    if (data_flow_prefix(name))
        return REGRESS_FLOW;
    bool letter = name[0] >= 'A' && name[0] <= 'Z';
    if (!letter || name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")])
        return REGRESS_KEY;
    /* anything that counts cycles is another form of the target: CPU_CYCLES, TSC_CYCLES, estimated core cycles */
    return strstr(name, "CYCLES") ? REGRESS_CYCLES : REGRESS_EVENT;
}

char *data_label(const char *program, const char *region)
{
    struct program_name p = program_name(program, strlen(program));
    bool same = strlen(region) == p.n_base && memcmp(p.base, region, p.n_base) == 0;
    bool whole = same || !*region || strcmp(region, "main") == 0;
    return whole ? xstrdup(program) : xasprintf("%s:%s", program, region);
}

struct regress_data *data_new(const char *path, size_t n, size_t cols)
{
    struct regress_data *d = xcalloc(1, sizeof *d);
    d->path = xstrdup(path);
    d->n = n;
    d->cols = cols;
    d->programs = xcalloc(n, sizeof *d->programs);
    d->regions = xcalloc(n, sizeof *d->regions);
    d->labels = xcalloc(n, sizeof *d->labels);
    d->lines = xcalloc(n, sizeof *d->lines);
    d->groups = xcalloc(n, sizeof *d->groups);
    d->names = xcalloc(cols, sizeof *d->names);
    d->kinds = xcalloc(cols, sizeof *d->kinds);
    d->values = xcalloc(n * cols, sizeof *d->values);
    return d;
}

static void free_texts(char **texts, size_t n)
{
    for (size_t i = 0; texts && i < n; i++)
        free(texts[i]);
    free(texts);
}

void regress_data_free(struct regress_data *d)
{
    if (!d)
        return;
    free(d->path);
    free_texts(d->programs, d->n);
    free_texts(d->regions, d->n);
    free_texts(d->labels, d->n);
    free_texts(d->names, d->cols);
    free_texts(d->group_names, d->n_groups);
    free_texts(d->domains, d->n);
    free_texts(d->roles, d->n);
    free(d->lines);
    free(d->kinds);
    free(d->values);
    free(d->groups);
    free(d);
}

/* Numbers groups in the order of their first rows. A group is a program's name up to '@'. */
static void number_groups(struct regress_data *d)
{
    struct map groups = {0};
    for (size_t i = 0; i < d->n; i++) {
        char *name = program_without_level(d->programs[i]);
        d->groups[i] = map_number(&groups, name);
        free(name);
    }
    d->n_groups = groups.n;
    d->group_names = xcalloc(groups.n, sizeof *d->group_names);
    for (size_t g = 0; g < groups.n; g++)
        d->group_names[g] = xstrdup(groups.keys[g]);
    map_release(&groups);
}

/* -0 and 0 have the same hash, and so have all NANs; so equal tables have equal hashes. */
static uint64_t hash_values(uint64_t h, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double v = isnan(values[i]) ? (double)NAN : values[i] == 0 ? 0 : values[i];
        h = hash_bytes(h, &v, sizeof v);
    }
    return h;
}

void data_finish(struct regress_data *d)
{
    number_groups(d);
    uint64_t h = HASH_START;
    for (size_t j = 0; j < d->cols; j++)
        h = hash_text(h, d->names[j]);
    for (size_t i = 0; i < d->n; i++) {
        h = hash_text(h, d->programs[i]);
        h = hash_text(h, d->regions[i]);
        h = hash_values(h, d->values + i * d->cols, d->cols);
    }
    d->hash = h;
}

/* Indices of columns in the file. */
struct columns {
    size_t program, region, domain, role; /* REGRESS_NONE: the file has no such column */
    size_t *numeric;                      /* for each numeric column, its index in the file */
    size_t n;
};

static struct columns find_columns(const struct csv *c)
{
    struct columns k = {REGRESS_NONE, REGRESS_NONE, REGRESS_NONE, REGRESS_NONE, 0, 0};
    k.numeric = xcalloc(c->n_columns, sizeof *k.numeric);
    for (size_t j = 0; j < c->n_columns; j++) {
        const char *name = c->columns[j];
        size_t *text = strcmp(name, "program") == 0  ? &k.program
                       : strcmp(name, "region") == 0 ? &k.region
                       : strcmp(name, "domain") == 0 ? &k.domain
                       : strcmp(name, "role") == 0   ? &k.role
                                                     : 0;
        if (text)
            *text = j;
        else
            k.numeric[k.n++] = j;
    }
    return k;
}

static bool is_text_column(const struct csv *c, size_t column)
{
    double v;
    for (size_t i = 0; i < c->n_rows; i++)
        if (parse_double(csv_cell(c, i, column), &v))
            return false;
    return true;
}

static enum status no_number(const struct csv *c, size_t i, size_t column, struct error *e)
{
    double number;
    if (!is_text_column(c, column))
        return csv_number(c, i, column, &number, e);
    return error_set(e, ERR_INPUT, AT(c->path, c->lines[i]),
                     "column '%s': '%.60s' is not a finite number; only the columns program, region, domain and role "
                     "have texts: give it the name 'program', or take it out",
                     c->columns[column], csv_cell(c, i, column));
}

static enum status take_cell(struct regress_data *d, const struct csv *c, size_t i, size_t j, size_t column,
                             struct error *e)
{
    double *to = &d->values[i * d->cols + j];
    bool may_miss = d->kinds[j] == REGRESS_CYCLES || d->kinds[j] == REGRESS_EVENT;
    if (may_miss && !*csv_cell(c, i, column)) {
        *to = NAN;
        return OK;
    }
    return csv_number(c, i, column, to, 0) ? no_number(c, i, column, e) : OK;
}

static enum status take_row(struct regress_data *d, const struct csv *c, const struct columns *k, size_t i,
                            struct error *e)
{
    d->lines[i] = c->lines[i];
    bool named = k->program != REGRESS_NONE;
    d->programs[i] = named ? xstrdup(csv_cell(c, i, k->program)) : xasprintf("row %zu", i + 1);
    d->regions[i] = xstrdup(k->region != REGRESS_NONE ? csv_cell(c, i, k->region) : "");
    regress_data_describe(d, i, k->domain != REGRESS_NONE ? csv_cell(c, i, k->domain) : 0,
                          k->role != REGRESS_NONE ? csv_cell(c, i, k->role) : 0);
    d->labels[i] = data_label(d->programs[i], d->regions[i]);
    if (!*d->programs[i])
        return error_set(e, ERR_INPUT, AT(c->path, c->lines[i]), "this row has no program name");
    for (size_t j = 0; j < d->cols; j++) {
        enum status s = take_cell(d, c, i, j, k->numeric[j], e);
        if (s)
            return s;
    }
    return OK;
}

enum status data_refuse_doubles(const struct regress_data *d, struct error *e)
{
    struct map seen = {0};
    enum status s = OK;
    for (size_t i = 0; !s && i < d->n; i++) {
        char *name = xasprintf("%s\n%s", d->programs[i], d->regions[i]);
        size_t before;
        if (map_get(&seen, name, &before))
            s = error_set(e, ERR_INPUT, AT(d->path, d->lines[i]), "'%s' occurs here a second time (first in line %lu)",
                          d->labels[i], d->lines[before]);
        map_put(&seen, name, i);
        free(name);
    }
    map_release(&seen);
    return s;
}

static enum status take_table(struct regress_data **out, const struct csv *c, const struct columns *k, struct error *e)
{
    if (k->n == 0)
        return error_set(e, ERR_INPUT, AT(c->path, 1), "there are no numeric columns besides program and region");
    if (c->n_rows == 0)
        return error_set(e, ERR_INPUT, AT_FILE(c->path), "there are no rows below the header");
    struct regress_data *d = data_new(c->path, c->n_rows, k->n);
    for (size_t j = 0; j < k->n; j++) {
        d->names[j] = xstrdup(c->columns[k->numeric[j]]);
        d->kinds[j] = data_column_kind(d->names[j]);
    }
    enum status s = OK;
    for (size_t i = 0; !s && i < d->n; i++)
        s = take_row(d, c, k, i, e);
    if (!s)
        s = data_refuse_doubles(d, e);
    if (!s)
        s = data_refuse_impossible(d, e);
    if (s) {
        regress_data_free(d);
        return s;
    }
    data_finish(d);
    *out = d;
    return OK;
}

enum status regress_data_read(struct regress_data **out, const char *path, struct error *e)
{
    struct csv *c = 0;
    enum status s = csv_read(&c, path, e);
    if (s)
        return s;
    struct columns k = find_columns(c);
    s = take_table(out, c, &k, e);
    free(k.numeric);
    csv_free(c);
    return s;
}

static void write_row(FILE *f, const struct regress_data *d, size_t i)
{
    csv_put(f, d->programs[i]);
    fputc(',', f);
    csv_put(f, d->regions[i]);
    for (size_t j = 0; j < d->cols; j++) {
        double v = d->values[i * d->cols + j];
        char *text = isnan(v) ? xstrdup("") : format_double(v);
        fprintf(f, ",%s", text);
        free(text);
    }
    char *const *const last[] = {d->domains, d->roles};
    for (size_t k = 0; k < 2; k++) {
        if (!last[k])
            continue;
        fputc(',', f);
        csv_put(f, last[k][i]);
    }
    fputc('\n', f);
}

enum status regress_data_write(const struct regress_data *d, const char *path, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    fputs("program,region", o.f);
    for (size_t j = 0; j < d->cols; j++) {
        fputc(',', o.f);
        csv_put(o.f, d->names[j]);
    }
    fprintf(o.f, "%s%s\n", d->domains ? ",domain" : "", d->roles ? ",role" : "");
    for (size_t i = 0; i < d->n; i++)
        write_row(o.f, d, i);
    return outfile_commit(&o, e);
}

bool regress_data_column(const struct regress_data *d, const char *name, size_t *column)
{
    for (size_t j = 0; j < d->cols; j++) {
        if (strcmp(d->names[j], name) == 0) {
            *column = j;
            return true;
        }
    }
    return false;
}

bool data_has_keys(const struct regress_data *d)
{
    for (size_t j = 0; j < d->cols; j++)
        if (d->kinds[j] == REGRESS_KEY)
            return true;
    return false;
}
