/* micro_table.c - reads and writes micro.csv. */
#include "shimgen/estimate/tune/micro_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"

static const char *const quantities[] = {"latency", "pitch"}, *const shares[] = {"alone", "minus", "half"},
                         *const uses[] = {"typical", "range", "apart"}, *const truths[] = {"no", "yes"};

const char *micro_quantity_name(enum micro_quantity q)
{
    return quantities[q];
}

/* ---- writing ---- */

enum column {
    KEY,
    CONDITION,
    QUANTITY,
    EVENT,
    VALUE,
    LOW,
    HIGH,
    COPY,
    LOOP,
    WITH,
    SHARE,
    INSTRUCTIONS,
    CODE,
    CALLS,
    EVEN,
    USE,
    RUNS,
    N_COLUMNS
};
static const char *const columns[N_COLUMNS] = {"key",  "condition", "quantity", "event", "value", "low",
                                               "high", "copy",      "loop",     "with",  "share", "instructions",
                                               "code", "calls",     "even",     "use",   "runs"};

static void put_text(FILE *f, const char *text)
{
    csv_put(f, text);
    fputc(',', f);
}

static void put_row(FILE *f, const struct micro_row *r)
{
    put_text(f, r->key);
    put_text(f, r->condition);
    put_text(f, quantities[r->quantity]);
    put_text(f, r->event);
    fprintf(f, "%.6g,%.6g,%.6g,%.6g,%.6g,", r->value, r->low, r->high, r->copy, r->loop);
    put_text(f, r->with);
    put_text(f, shares[r->share]);
    fprintf(f, "%.6g,", r->instructions);
    put_text(f, r->code);
    put_text(f, r->calls);
    fprintf(f, "%s,%s,%u\n", truths[r->even], uses[r->use], r->runs);
}

enum status micro_table_write(const struct micro_table *t, const char *path, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    for (size_t k = 0; k < N_COLUMNS; k++)
        fprintf(o.f, "%s%c", columns[k], k + 1 < N_COLUMNS ? ',' : '\n');
    for (size_t i = 0; i < t->rows.n; i++)
        put_row(o.f, &t->rows.at[i]);
    return outfile_commit(&o, e);
}

/* ---- reading ---- */

struct reading {
    const struct csv *c;
    size_t column[N_COLUMNS];
    size_t row;
    struct error *e;
};

static const char *cell(const struct reading *r, enum column k)
{
    return csv_cell(r->c, r->row, r->column[k]);
}

static struct loc here(const struct reading *r)
{
    return AT(r->c->path, r->c->lines[r->row]);
}

static enum status word(const struct reading *r, enum column k, const char *const *words, size_t n, int *out)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(cell(r, k), words[i]) == 0) {
            *out = (int)i;
            return OK;
        }
    }
    struct str list = STR_INIT;
    for (size_t i = 0; i < n; i++)
        str_addf(&list, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", words[i]);
    enum status s =
        error_set(r->e, ERR_INPUT, here(r), "%s '%.60s' is not one of %s", columns[k], cell(r, k), str_text(&list));
    str_release(&list);
    return s;
}

static enum status read_words(const struct reading *r, struct micro_row *out)
{
    int quantity, share, even, use;
    enum status s = word(r, QUANTITY, quantities, 2, &quantity);
    if (!s)
        s = word(r, SHARE, shares, 3, &share);
    if (!s)
        s = word(r, EVEN, truths, 2, &even);
    if (!s)
        s = word(r, USE, uses, 3, &use);
    if (s)
        return s;
    out->quantity = (enum micro_quantity)quantity;
    out->share = (enum micro_share)share;
    out->even = even;
    out->use = (enum micro_use)use;
    return OK;
}

static enum status read_numbers(const struct reading *r, struct micro_row *out)
{
    const struct {
        enum column column;
        double *to;
    } numbers[] = {{VALUE, &out->value}, {LOW, &out->low},   {HIGH, &out->high},
                   {COPY, &out->copy},   {LOOP, &out->loop}, {INSTRUCTIONS, &out->instructions}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        enum status s = csv_number(r->c, r->row, r->column[numbers[i].column], numbers[i].to, r->e);
        if (s)
            return s;
    }
    long runs;
    if (!parse_long(cell(r, RUNS), &runs) || runs < 1 || runs > 1000000)
        return error_set(r->e, ERR_INPUT, here(r), "runs '%.60s' is not a number of runs", cell(r, RUNS));
    out->runs = (unsigned)runs;
    if (out->low < 0 || out->instructions < 0)
        return error_set(r->e, ERR_INPUT, here(r), "%s is negative", out->low < 0 ? "low" : "instructions");
    if (out->low > out->value || out->value > out->high)
        return error_set(r->e, ERR_INPUT, here(r), "low <= value <= high does not hold: %s, %s, %s", cell(r, LOW),
                         cell(r, VALUE), cell(r, HIGH));
    return OK;
}

static enum status read_row(const struct reading *r, struct micro_table *out, struct map *seen)
{
    static const enum column must[] = {KEY, CONDITION, EVENT};
    struct micro_row row = {0};
    for (size_t i = 0; i < sizeof must / sizeof *must; i++)
        if (!*cell(r, must[i]))
            return error_set(r->e, ERR_INPUT, here(r), "the %s is empty", columns[must[i]]);
    enum status s = read_words(r, &row);
    if (!s)
        s = read_numbers(r, &row);
    if (s)
        return s;
    char *name = xasprintf("%s\n%s\n%s\n%s", cell(r, KEY), cell(r, CONDITION), cell(r, QUANTITY), cell(r, EVENT));
    size_t line;
    if (map_get(seen, name, &line))
        s = error_set(r->e, ERR_INPUT, here(r), "this row is given twice; line %zu has it too", line);
    map_put(seen, name, r->c->lines[r->row]);
    free(name);
    if (s)
        return s;
    row.key = xstrdup(cell(r, KEY));
    row.condition = xstrdup(cell(r, CONDITION));
    row.event = xstrdup(cell(r, EVENT));
    row.with = xstrdup(cell(r, WITH));
    row.code = xstrdup(cell(r, CODE));
    row.calls = xstrdup(cell(r, CALLS));
    vec_push(&out->rows, row);
    return OK;
}

enum status micro_table_read(struct micro_table *out, const char *path, struct error *e)
{
    struct csv *c = 0;
    struct map seen = {0};
    *out = (struct micro_table){0};
    enum status s = csv_read(&c, path, e);
    if (s)
        return s;
    struct reading r = {.c = c, .e = e};
    for (size_t k = 0; !s && k < N_COLUMNS; k++)
        s = csv_need(c, columns[k], &r.column[k], e);
    if (!s && !c->n_rows)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is no row");
    for (; !s && r.row < c->n_rows; r.row++)
        s = read_row(&r, out, &seen);
    map_release(&seen);
    csv_free(c);
    if (s)
        micro_table_release(out);
    return s;
}

/* ---- */

void micro_table_release(struct micro_table *t)
{
    for (size_t i = 0; i < t->rows.n; i++) {
        struct micro_row *r = &t->rows.at[i];
        char *const texts[] = {r->key, r->condition, r->event, r->with, r->code, r->calls};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            free(texts[k]);
    }
    for (size_t i = 0; i < t->notes.n; i++)
        free(t->notes.at[i]);
    vec_release(&t->rows);
    vec_release(&t->notes);
}

const struct micro_row *micro_table_find(const struct micro_table *t, const char *key, const char *condition,
                                         enum micro_quantity quantity, const char *event)
{
    for (size_t i = 0; i < t->rows.n; i++) {
        const struct micro_row *r = &t->rows.at[i];
        if (r->quantity == quantity && strcmp(r->key, key) == 0 && strcmp(r->event, event) == 0 &&
            (condition ? strcmp(r->condition, condition) == 0 : r->use == MICRO_TYPICAL))
            return r;
    }
    return 0;
}

struct micro_row *micro_table_row(struct micro_table *t, const struct micro_row *like)
{
    for (size_t i = 0; i < t->rows.n; i++) {
        struct micro_row *r = &t->rows.at[i];
        if (r->quantity == like->quantity && strcmp(r->key, like->key) == 0 &&
            strcmp(r->condition, like->condition) == 0 && strcmp(r->event, like->event) == 0)
            return r;
    }
    return 0;
}
