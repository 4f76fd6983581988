/* derived.c - values that several sections of the report need: predictions, errors, rankings. */
#include "shimgen/report/derived.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

double relative_error(double predicted, double measured)
{
    if (!isfinite(predicted) || !isfinite(measured) || !(measured > 0))
        return REPORT_UNKNOWN;
    return (predicted - measured) / measured;
}

double heldout_prediction(const struct report_program *p)
{
    if (p->role == REPORT_TEST && !isfinite(p->predicted_heldout))
        return p->predicted;
    return p->predicted_heldout;
}

double heldout_error(const struct report_program *p)
{
    return relative_error(heldout_prediction(p), p->measured);
}

double training_error(const struct report_program *p)
{
    return p->role == REPORT_TRAIN ? relative_error(p->predicted, p->measured) : REPORT_UNKNOWN;
}

bool is_chosen(const struct report *r, const struct report_evaluation *v)
{
    return r->chosen_classes && r->chosen_solver && strcmp(v->classes, r->chosen_classes) == 0 &&
           strcmp(v->solver, r->chosen_solver) == 0;
}

static const struct report_evaluation *chosen_with(const struct report *r, bool test)
{
    for (size_t i = 0; i < r->n_evaluations; i++) {
        const struct report_evaluation *v = &r->evaluations[i];
        if (is_chosen(r, v) && !v->why_not && v->heldout.rows && (strcmp(v->scheme, SCHEME_TEST) == 0) == test)
            return v;
    }
    return 0;
}

const struct report_evaluation *headline_evaluation(const struct report *r)
{
    const struct report_evaluation *v = chosen_with(r, false);
    return v ? v : chosen_with(r, true);
}

const struct report_evaluation *test_evaluation(const struct report *r)
{
    return chosen_with(r, true);
}

const struct report_evaluation *baseline_evaluation(const struct report *r, const char *scheme)
{
    const struct report_evaluation *best = 0;
    for (size_t i = 0; i < r->n_evaluations; i++) {
        const struct report_evaluation *v = &r->evaluations[i];
        if (!v->baseline || v->why_not || !v->heldout.rows || strcmp(v->scheme, scheme))
            continue;
        if (!best || v->heldout.mean_abs < best->heldout.mean_abs)
            best = v;
    }
    return best;
}

struct keyed {
    double key;
    size_t index;
};

static int compare_keyed(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    bool kx = !isnan(x->key), ky = !isnan(y->key);
    if (kx != ky)
        return kx ? -1 : 1;
    if (kx && x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

size_t *order_descending(size_t n, double (*key)(const void *data, size_t i), const void *data)
{
    struct keyed *k = xcalloc(n, sizeof *k);
    for (size_t i = 0; i < n; i++)
        k[i] = (struct keyed){key(data, i), i};
    qsort(k, n, sizeof *k, compare_keyed);
    size_t *order = xcalloc(n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = k[i].index;
    free(k);
    return order;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(double *values, size_t n, double q)
{
    if (!n)
        return REPORT_UNKNOWN;
    qsort(values, n, sizeof *values, compare_doubles);
    double at = q * (double)(n - 1);
    size_t below = (size_t)at;
    if (below + 1 >= n)
        return values[n - 1];
    return values[below] + (at - (double)below) * (values[below + 1] - values[below]);
}

size_t count_role(const struct report *r, enum report_role role)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_programs; i++)
        n += r->programs[i].role == role;
    return n;
}

bool has_text(const char *text)
{
    return text && *text;
}

const char *text_or(const char *text, const char *otherwise)
{
    return has_text(text) ? text : otherwise;
}
