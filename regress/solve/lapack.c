/* lapack.c - the only file that calls LAPACK: least squares, QR, SVD, Cholesky. */
#include "regress/solve/lapack.h"

#include <cblas.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct lapack_work {
    lapack_int rows, columns; /* the largest numbers */
    double *scratch;
    lapack_int n_scratch;
    double *tau;
    lapack_int *pivots;
};

static lapack_int checked(size_t n)
{
    if (n > INT_MAX / 8)
        BUG("a matrix with a side of %zu: sizes are to be limited where input is read", n);
    return n ? (lapack_int)n : 1;
}

static void check_info(lapack_int info, const char *routine)
{
    if (info < 0)
        BUG("%s refused its argument %d", routine, (int)-info);
}

static lapack_int larger(lapack_int a, lapack_int b)
{
    return a > b ? a : b;
}

/* The largest scratch memory that any of the routines needs. */
static lapack_int scratch_size(const struct lapack_work *w)
{
    lapack_int m = w->rows, n = w->columns, rank, most = larger(m, n), best = 1;
    double want, none = 0;
    check_info(LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, n, 1, &none, m, &none, most, w->pivots, 0, &rank, &want, -1),
               "dgelsy");
    best = larger(best, (lapack_int)want);
    check_info(LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, m, n, &none, m, &none, &want, -1), "dgeqrf");
    best = larger(best, (lapack_int)want);
    check_info(LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', most, 1, m < n ? m : n, &none, most, &none, &none, most,
                                   &want, -1),
               "dormqr");
    best = larger(best, (lapack_int)want);
    check_info(LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'A', m, n, &none, m, &none, &none, 1, &none, n, &want, -1),
               "dgesvd");
    return larger(best, (lapack_int)want);
}

struct lapack_work *lapack_work_new(size_t rows, size_t columns)
{
    openblas_set_num_threads(1);
    struct lapack_work *w = xcalloc(1, sizeof *w);
    w->rows = checked(rows);
    w->columns = checked(columns);
    w->pivots = xcalloc((size_t)w->columns, sizeof *w->pivots);
    w->tau = xcalloc((size_t)larger(w->rows, w->columns), sizeof *w->tau);
    w->n_scratch = scratch_size(w);
    w->scratch = xcalloc((size_t)w->n_scratch, sizeof *w->scratch);
    return w;
}

void lapack_work_free(struct lapack_work *w)
{
    if (!w)
        return;
    free(w->scratch);
    free(w->pivots);
    free(w->tau);
    free(w);
}

static void check_size(const struct lapack_work *w, size_t rows, size_t columns)
{
    if (rows == 0 || columns == 0 || rows > (size_t)w->rows || columns > (size_t)w->columns)
        BUG("a %zu x %zu matrix in a workspace for %d x %d", rows, columns, (int)w->rows, (int)w->columns);
}

enum status lapack_least_squares(struct lapack_work *w, size_t rows, size_t columns, double *a, double *b, double rcond,
                                 size_t *rank, struct error *e)
{
    check_size(w, rows, columns);
    lapack_int m = (lapack_int)rows, n = (lapack_int)columns, r = 0;
    memset(w->pivots, 0, columns * sizeof *w->pivots); /* every column may be permuted */
    lapack_int info = LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, n, 1, a, m, b, larger(m, n), w->pivots, rcond, &r,
                                          w->scratch, w->n_scratch);
    check_info(info, "dgelsy");
    if (info > 0)
        return error_set(e, ERR_UNSUPPORTED, NOWHERE, "least squares of a %zu x %zu table failed", rows, columns);
    *rank = (size_t)r;
    return OK;
}

void lapack_qr(struct lapack_work *w, size_t rows, size_t columns, double *a, double *b)
{
    check_size(w, rows, columns);
    if (rows < columns)
        BUG("QR of a %zu x %zu matrix", rows, columns);
    lapack_int m = (lapack_int)rows, n = (lapack_int)columns;
    check_info(LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, m, n, a, m, w->tau, w->scratch, w->n_scratch), "dgeqrf");
    check_info(LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', m, 1, n, a, m, w->tau, b, m, w->scratch, w->n_scratch),
               "dormqr");
    for (size_t j = 0; j < columns; j++)
        memset(a + j * rows + j + 1, 0, (rows - j - 1) * sizeof *a);
}

void lapack_triangle(size_t k, const double *r, size_t ld, double *b)
{
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, (int)k, r, (int)ld, b, 1);
}

enum status lapack_svd(struct lapack_work *w, size_t rows, size_t columns, double *a, double *values, double *vt,
                       struct error *e)
{
    check_size(w, rows, columns);
    lapack_int m = (lapack_int)rows, n = (lapack_int)columns;
    double none;
    lapack_int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', vt ? 'A' : 'N', m, n, a, m, values, &none, 1,
                                          vt ? vt : &none, vt ? n : 1, w->scratch, w->n_scratch);
    check_info(info, "dgesvd");
    if (info > 0)
        return error_set(e, ERR_UNSUPPORTED, NOWHERE, "the singular values of a %zu x %zu table were not found", rows,
                         columns);
    return OK;
}

double lapack_cholesky(size_t n, double *a)
{
    openblas_set_num_threads(1);
    lapack_int k = checked(n), info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', k, a, k);
    check_info(info, "dpotrf");
    double sum = 0;
    for (size_t i = 0; info == 0 && i < n; i++)
        sum += 2 * log(a[i * n + i]);
    return info ? -INFINITY : sum;
}

void lapack_lower(size_t n, const double *l, size_t k, double *b)
{
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, (int)k, 1, l, (int)n, b,
                (int)n);
}

void lapack_solve(size_t n, const double *l, double *b)
{
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, l, (int)n, b, 1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, (int)n, l, (int)n, b, 1);
}
