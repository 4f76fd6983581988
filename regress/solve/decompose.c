/* decompose.c - singular values: rank, condition number, which variables are identifiable. */
#include "regress/solve/decompose.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/lapack.h"

#define HAS_PART 1e-3 /* relative to a unit vector */

enum status decompose(struct decomposition *d, const double *a, size_t n, size_t p, bool vectors, struct error *e)
{
    struct lapack_work *w = lapack_work_new(n, p);
    double *copy = xmemdup(a, n * p * sizeof *a);
    *d = (struct decomposition){.n = n, .p = p, .least = n < p ? n : p};
    d->a = xmemdup(a, n * p * sizeof *a);
    d->values = xcalloc(d->least, sizeof *d->values);
    d->vt = vectors ? xcalloc(p * p, sizeof *d->vt) : 0;
    enum status s = lapack_svd(w, n, p, copy, d->values, d->vt, e);
    double bound = d->values[0] * DBL_EPSILON * (double)(n > p ? n : p);
    for (size_t i = 0; !s && i < d->least; i++)
        d->rank += d->values[i] > bound;
    free(copy);
    lapack_work_free(w);
    return s;
}

void release_decomposition(struct decomposition *d)
{
    free(d->a);
    free(d->values);
    free(d->vt);
}

enum status decompose_condition(const double *a, size_t n, size_t p, double *result, struct error *e)
{
    double *kept = xcalloc(n * p, sizeof *kept);
    size_t k = 0;
    for (size_t j = 0; j < p; j++)
        if (cblas_dnrm2((int)n, a + j * n, 1) > 0)
            memcpy(kept + k++ * n, a + j * n, n * sizeof *a);
    *result = NAN;
    if (k == 0) {
        free(kept);
        return OK;
    }
    struct decomposition d;
    enum status s = decompose(&d, kept, n, k, false, e);
    if (!s)
        *result = d.rank < k ? INFINITY : d.values[0] / d.values[d.least - 1];
    release_decomposition(&d);
    free(kept);
    return s;
}

bool decompose_identified(const struct decomposition *d, size_t j)
{
    for (size_t i = d->rank; i < d->p; i++)
        if (fabs(d->vt[j * d->p + i]) > HAS_PART)
            return false;
    return true;
}
