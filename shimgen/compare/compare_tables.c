/* compare_tables.c - reads two tables of cycles, and matches their rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/map.h"
#include "base/str.h"
#include "shimgen/compare/compare.h"

/* The columns that identify a row. */
enum { PROGRAM, REGION, CORE, KIND, MODEL, NAME, FUNCTION, LOOP, BLOCK, LINE, PART, KEYS };
static const char *const key_names[KEYS] = {"program",  "region", "core",  "kind", "model", "name",
                                            "function", "loop",   "block", "line", "part"};

struct side {
    struct csv *table;
    size_t key[KEYS]; /* columns of the table */
    bool has[KEYS];
    size_t value, low, high;
    bool interval;
    struct map rows; /* identity of a row in both tables -> index in `sums` */
    VEC(struct sum) sums;
};
/* Rows of a table with equal identity. */
struct sum {
    size_t row; /* the first one */
    double value, low, high;
};

/* ---- reading ---- */

/* Finds the identifying columns. A block's file and line only say where it is, not which block. */
static void find_keys(struct side *s)
{
    for (int k = 0; k < KEYS; k++)
        s->has[k] = csv_find(s->table, key_names[k], &s->key[k]);
    if (s->has[NAME])
        s->has[FUNCTION] = s->has[LOOP] = s->has[BLOCK] = s->has[LINE] = s->has[PART] = false;
}

static enum status read_side(struct side *s, const char *path, const char *column, struct error *e)
{
    enum status status = csv_read(&s->table, path, e);
    if (!status)
        status = csv_need(s->table, column, &s->value, e);
    if (status)
        return status;
    find_keys(s);
    s->interval =
        strcmp(column, "cycles") == 0 && csv_find(s->table, "low", &s->low) && csv_find(s->table, "high", &s->high);
    return OK;
}

static const char *key_of(const struct side *s, size_t row, int k)
{
    return s->has[k] ? csv_cell(s->table, row, s->key[k]) : "";
}

static bool one_program(const struct side *s)
{
    for (size_t i = 1; i < s->table->n_rows; i++)
        if (strcmp(key_of(s, i, PROGRAM), key_of(s, 0, PROGRAM)) != 0)
            return false;
    return true;
}

/* Rows are matched by the columns that both tables have. */
static enum status agree_on_keys(struct side *a, struct side *b, bool shared[KEYS], struct error *e)
{
    bool any = false;
    for (int k = 0; k < KEYS; k++) {
        shared[k] = a->has[k] && b->has[k];
        any |= shared[k];
    }
    if (one_program(a) && one_program(b))
        shared[PROGRAM] = a->has[PROGRAM] = b->has[PROGRAM] = false;
    if (!any)
        return error_set(e, ERR_INPUT, AT_FILE(a->table->path),
                         "has no column that says what a row is about and that '%s' has too: function, line, loop, "
                         "block, part, region or name",
                         b->table->path);
    return OK;
}

static bool is_total(const struct side *s, size_t row)
{
    return s->has[KIND] && strcmp(key_of(s, row, KIND), "total") == 0;
}

static char *key_text(const struct side *s, size_t row, const bool shared[KEYS])
{
    struct str text = STR_INIT;
    for (int k = 0; k < KEYS; k++)
        if (shared[k])
            str_addf(&text, "%s\n", key_of(s, row, k));
    return str_detach(&text);
}

/* A column that distinguishes these rows and that the other table lacks; KEYS: none. */
static int other_column(const struct side *s, size_t row, size_t other)
{
    int k = 0;
    while (k < KEYS && strcmp(key_of(s, row, k), key_of(s, other, k)) == 0)
        k++;
    return k;
}

static enum status bound(double *out, const struct side *s, size_t row, size_t column, struct error *e)
{
    *out = NAN;
    return s->interval && *csv_cell(s->table, row, column) ? csv_number(s->table, row, column, out, e) : OK;
}

static enum status take_row(struct side *s, size_t row, const bool shared[KEYS], struct error *e)
{
    struct sum new_sum = {.row = row};
    enum status status = csv_number(s->table, row, s->value, &new_sum.value, e);
    if (!status)
        status = bound(&new_sum.low, s, row, s->low, e);
    if (!status)
        status = bound(&new_sum.high, s, row, s->high, e);
    if (status)
        return status;
    char *key = key_text(s, row, shared);
    size_t n = s->sums.n, number = map_number(&s->rows, key);
    free(key);
    if (number == n) {
        vec_push(&s->sums, new_sum);
        return OK;
    }
    struct sum *sum = &s->sums.at[number];
    int lacks = other_column(s, row, sum->row);
    if (lacks < KEYS)
        return error_set(e, ERR_INPUT, AT(s->table->path, s->table->lines[row]),
                         "this row and that of line %lu differ in '%s', which the other table does not have: give it "
                         "that column, or leave one of the rows out",
                         s->table->lines[sum->row], key_names[lacks]);
    sum->value += new_sum.value;
    sum->low = sum->high = NAN;
    return OK;
}

static enum status take_rows(struct side *s, const bool shared[KEYS], struct error *e)
{
    enum status status = OK;
    for (size_t i = 0; i < s->table->n_rows && !status; i++)
        if (!is_total(s, i))
            status = take_row(s, i, shared, e);
    return status;
}

static void release_side(struct side *s)
{
    csv_free(s->table);
    map_release(&s->rows);
    vec_release(&s->sums);
}

/* ---- comparing ---- */

struct comparing {
    struct compare *out;
    struct side before, after;
    bool shared[KEYS];
    bool told[KEYS]; /* has several values, so it is part of the rows' names */
};

static void find_told(struct comparing *c)
{
    const struct side *sides[] = {&c->before, &c->after};
    for (int k = 0; k < KEYS; k++) {
        const char *first = 0;
        for (int i = 0; i < 2 && c->shared[k]; i++)
            for (size_t r = 0; r < sides[i]->sums.n; r++) {
                const char *value = key_of(sides[i], sides[i]->sums.at[r].row, k);
                c->told[k] |= first && strcmp(first, value) != 0;
                first = first ? first : value;
            }
    }
    c->told[KIND] = c->told[MODEL] = false; /* the name contains it */
}

static bool is_group(int k)
{
    return k == PROGRAM || k == REGION || k == CORE;
}

/* group: the name of all rows with this row's program, region and core. */
static char *name_of(const struct comparing *c, const struct side *s, size_t row, bool group)
{
    struct str text = STR_INIT;
    for (int k = 0; k < KEYS; k++)
        if (is_group(k) ? c->told[k] : !group && c->told[k])
            str_addf(&text, "%s%s", text.len ? " " : "", key_of(s, row, k));
    if (group)
        str_add(&text, text.len ? " (all)" : "(all)");
    for (int k = KEYS; !text.len && k-- > 0;) /* a table with a single row */
        str_add(&text, c->shared[k] ? key_of(s, row, k) : "");
    return str_detach(&text);
}

static enum compare_change change_of(double before, double after)
{
    return before < after ? COMPARE_SLOWER : after < before ? COMPARE_FASTER : COMPARE_SAME;
}

double compare_percent(const struct compare_row *r)
{
    return r->before > 0 ? 100 * (r->after - r->before) / r->before : NAN;
}

static void add_row(struct comparing *c, struct compare_row row)
{
    const struct compare_request *q = c->out->request;
    double limit = q->budget ? 0 : row.total ? q->limit : q->row_limit;
    bool both = row.change != COMPARE_NEW && row.change != COMPARE_GONE;
    row.beyond = both && !isnan(limit) && row.after > row.before * (1 + limit / 100);
    /* a limit on a row that does not exist, perhaps a misspelt name */
    row.beyond |= q->budget && row.change == COMPARE_GONE;
    c->out->n_beyond += row.beyond;
    vec_push(&c->out->rows, row);
}

static void compare_old(struct comparing *c, const struct sum *old)
{
    const char *name = c->before.rows.keys[old - c->before.sums.at];
    struct compare_row row = {.what = name_of(c, &c->before, old->row, false), .before = old->value};
    size_t at;
    if (map_get(&c->after.rows, name, &at)) {
        const struct sum *now = &c->after.sums.at[at];
        row.after = now->value;
        row.change = change_of(row.before, row.after);
        row.apart = old->high < now->low || now->high < old->low;
    } else {
        row.change = COMPARE_GONE;
    }
    add_row(c, row);
}

static void compare_rows(struct comparing *c)
{
    for (size_t i = 0; i < c->before.sums.n; i++)
        compare_old(c, &c->before.sums.at[i]);
    for (size_t i = 0; i < c->after.sums.n && !c->out->request->budget; i++)
        if (!map_get(&c->before.rows, c->after.rows.keys[i], 0))
            add_row(c, (struct compare_row){.what = name_of(c, &c->after, c->after.sums.at[i].row, false),
                                            .after = c->after.sums.at[i].value,
                                            .change = COMPARE_NEW});
}

/* ---- totals ---- */

struct total {
    char *what; /* owned */
    double value[2];
    bool there[2];
};
struct totals {
    struct map numbers;
    VEC(struct total) at;
};

static void add_to_total(struct totals *t, const struct comparing *c, int side, const struct sum *sum)
{
    const struct side *s = side ? &c->after : &c->before;
    char *what = name_of(c, s, sum->row, true);
    size_t n = t->at.n, number = map_number(&t->numbers, what);
    if (number == n)
        vec_push(&t->at, (struct total){.what = what});
    else
        free(what);
    t->at.at[number].value[side] += sum->value;
    t->at.at[number].there[side] = true;
}

/* Do all rows add up to the whole? Inclusive figures contain each other, so theirs do not. */
static bool adds_up(const char *column)
{
    static const char *const columns[] = {"cycles", "instructions", "seconds", "us", "step_mean", "step_us"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(column, columns[i]) == 0)
            return true;
    return false;
}

/* Sums rows that together are all of a program, region and core. */
static void compare_totals(struct comparing *c)
{
    struct totals t = {.numbers = {0}};
    for (int side = 0; side < 2; side++) {
        const struct side *s = side ? &c->after : &c->before;
        for (size_t i = 0; i < s->sums.n; i++)
            add_to_total(&t, c, side, &s->sums.at[i]);
    }
    for (size_t i = 0; i < t.at.n; i++) {
        const struct total *total = &t.at.at[i];
        add_row(c, (struct compare_row){.what = total->what,
                                        .before = total->value[0],
                                        .after = total->value[1],
                                        .total = true,
                                        .change = !total->there[0]   ? COMPARE_NEW
                                                  : !total->there[1] ? COMPARE_GONE
                                                                     : change_of(total->value[0], total->value[1])});
    }
    map_release(&t.numbers);
    vec_release(&t.at);
}

static int compare_changes(const void *a, const void *b)
{
    const struct compare_row *x = a, *y = b;
    double dx = fabs(x->after - x->before), dy = fabs(y->after - y->before);
    if (x->total != y->total)
        return y->total - x->total;
    return dx != dy ? (dx < dy) - (dx > dy) : strcmp(x->what, y->what);
}

static enum status compare_sides(struct comparing *c, struct error *e)
{
    const struct compare_request *q = c->out->request;
    enum status s = read_side(&c->before, q->old, q->column, e);
    if (!s)
        s = read_side(&c->after, q->new_, q->column, e);
    if (!s)
        s = agree_on_keys(&c->before, &c->after, c->shared, e);
    if (!s)
        s = take_rows(&c->before, c->shared, e);
    if (!s)
        s = take_rows(&c->after, c->shared, e);
    if (s)
        return s;
    find_told(c);
    if (!q->budget && adds_up(q->column))
        compare_totals(c);
    compare_rows(c);
    if (c->out->rows.n)
        qsort(c->out->rows.at, c->out->rows.n, sizeof *c->out->rows.at, compare_changes);
    return OK;
}

enum status compare_tables(struct compare *out, const struct compare_request *q, struct error *e)
{
    struct comparing c = {.out = out};
    *out = (struct compare){.request = q};
    enum status s = compare_sides(&c, e);
    release_side(&c.before);
    release_side(&c.after);
    return s;
}

void compare_release(struct compare *c)
{
    for (size_t i = 0; i < c->rows.n; i++)
        free(c->rows.at[i].what);
    vec_release(&c->rows);
}
