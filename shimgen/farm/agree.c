/* agree.c - compares boards of one kind by programs that all of them have run. */
#include "shimgen/farm/agree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* A board's value of a row, relative to the median of all boards. */
struct relative {
    double x;
    size_t place;
};
struct comparison {
    struct agree_place *places;
    size_t n;
    size_t measured;               /* places with a table */
    VEC(struct relative) relative; /* for each compared row and place */
    size_t rows;
};

/* The values of a row at every place that has a table. Returns false if one lacks it. */
static bool values_of(const struct comparison *c, const struct measurement *row, double *values)
{
    size_t k = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct measurements *m = c->places[i].measured;
        const struct measurement *same = m ? measurements_find(m, row->program, row->region, row->event) : 0;
        if (m && (!same || !(same->value > 0)))
            return false;
        if (m)
            values[k++] = same->value;
    }
    return true;
}

static void compare_row(struct comparison *c, const struct measurement *row, double *values, double *sorted)
{
    if (!board_is_cycle_event(row->event) || !values_of(c, row, values))
        return;
    for (size_t i = 0; i < c->measured; i++)
        sorted[i] = values[i];
    const double middle = median(sorted, c->measured);
    for (size_t i = 0, k = 0; i < c->n; i++)
        if (c->places[i].measured)
            vec_push(&c->relative, (struct relative){values[k++] / middle - 1, i});
    c->rows++;
}

static void find_deviations(struct comparison *c, double *own)
{
    for (size_t i = 0; i < c->n; i++) {
        size_t k = 0;
        for (size_t r = 0; r < c->relative.n; r++)
            if (c->relative.at[r].place == i)
                own[k++] = c->relative.at[r].x;
        c->places[i].deviation = k ? median(own, k) : 0;
    }
}

static const struct measurements *first_table(const struct comparison *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->places[i].measured)
            return c->places[i].measured;
    return 0;
}

/* Sets `agrees`, and the deviations from the median. */
static size_t judge(struct comparison *c, double tolerance, double *own)
{
    size_t k = 0, agree = 0;
    for (size_t i = 0; i < c->n; i++)
        if (c->places[i].measured)
            own[k++] = c->places[i].deviation;
    const double middle = median(own, k);
    for (size_t i = 0; i < c->n; i++) {
        struct agree_place *p = &c->places[i];
        p->deviation -= middle;
        p->agrees = p->measured && fabs(p->deviation) <= tolerance;
        agree += p->agrees;
    }
    return agree;
}

static double spread_of(const struct comparison *c, size_t agree)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < c->n; i++)
        sum += c->places[i].agrees ? c->places[i].deviation : 0;
    const double mean = sum / (double)agree;
    for (size_t i = 0; i < c->n; i++)
        if (c->places[i].agrees)
            squares += (c->places[i].deviation - mean) * (c->places[i].deviation - mean);
    return agree > 1 ? sqrt(squares / (double)(agree - 1)) : 0;
}

/* "a +0.3 %, b -7.0 %". The caller frees. */
static char *deviations_text(const struct comparison *c)
{
    struct str s = STR_INIT;
    for (size_t i = 0; i < c->n; i++)
        if (c->places[i].measured)
            str_addf(&s, "%s%s %+.1f %%", s.len ? ", " : "", c->places[i].name, 100 * c->places[i].deviation);
    return str_detach(&s);
}

static enum status check(struct agreement *a, struct comparison *c, double tolerance, double *own, struct error *e)
{
    if (!a->rows)
        return error_set(e, ERR_INPUT, NOWHERE, "the boards cannot be compared: no cycles that all of them measured");
    find_deviations(c, own);
    a->agree = judge(c, tolerance, own);
    if (2 * a->agree <= c->measured) {
        char *all = deviations_text(c);
        enum status s =
            error_set(e, ERR_INPUT, NOWHERE,
                      "the boards do not agree within %.3g %%, so nobody can say which are right: %s; leave "
                      "out what is not of the kind, or accept more with --agree",
                      100 * tolerance, all);
        free(all);
        return s;
    }
    a->spread = spread_of(c, a->agree);
    return OK;
}

enum status agree_judge(struct agreement *a, struct agree_place *places, size_t n, double tolerance, struct error *e)
{
    struct comparison c = {.places = places, .n = n};
    *a = (struct agreement){0};
    for (size_t i = 0; i < n; i++)
        c.measured += places[i].measured != 0;
    const struct measurements *first = first_table(&c);
    const size_t rows = first ? first->rows.n : 0;
    double *values = xcalloc(n + 1, sizeof *values), *sorted = xcalloc(n + rows + 1, sizeof *sorted);
    for (size_t i = 0; i < rows; i++)
        compare_row(&c, &first->rows.at[i], values, sorted);
    a->rows = c.rows;
    enum status s = check(a, &c, tolerance, sorted, e);
    vec_release(&c.relative);
    free(sorted);
    free(values);
    return s;
}

void agree_widen(struct measurements *m, double spread)
{
    for (size_t i = 0; spread > 0 && i < m->rows.n; i++) {
        struct measurement *r = &m->rows.at[i];
        const double between = spread * r->value;
        if (!board_is_cycle_event(r->event) && strcmp(r->event, BOARD_CORE_ESTIMATE) != 0)
            continue;
        r->stddev = hypot(r->stddev, between);
        r->half_width = hypot(isfinite(r->half_width) ? r->half_width : 0, 1.96 * between);
    }
}
