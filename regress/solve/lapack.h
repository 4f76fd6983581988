/*
 * lapack.h - the border to LAPACK: the few factorisations the solvers need, with
 * memory asked for once. Matrices are column by column; sizes are checked here, and
 * LAPACK's `info` becomes a status here: below zero is our bug, above zero is said
 * about the matrix. Every call sets OpenBLAS to one thread: sums keep their order.
 */
#ifndef REGRESS_SOLVE_LAPACK_H
#define REGRESS_SOLVE_LAPACK_H

#include <stddef.h>

#include "base/error.h"

/* Scratch for matrices up to rows x columns. */
struct lapack_work;
struct lapack_work *lapack_work_new(size_t rows, size_t columns);
void lapack_work_free(struct lapack_work *w);

/* min |A x - b|, of least norm where A is not of full rank: complete orthogonal factorisation with column pivoting
 * (dgelsy; Golub, Van Loan, Matrix Computations, 5.5). Singular when a pivot falls below rcond times the first.
 * A (rows x columns, leading dimension rows) is destroyed; b has max(rows, columns) places and holds x at the end. */
enum status lapack_least_squares(struct lapack_work *w, size_t rows, size_t columns, double *a, double *b, double rcond,
                                 size_t *rank, struct error *e) MUST_CHECK;

/* A = Q R without pivoting, rows >= columns (dgeqrf); b becomes Q' b. R is the upper triangle of a; what is below it
 * is set to zero. */
void lapack_qr(struct lapack_work *w, size_t rows, size_t columns, double *a, double *b);
/* Solves R x = b for the leading k x k triangle of r (leading dimension ld); b is replaced by x. The caller has seen
 * that no diagonal element is zero. */
void lapack_triangle(size_t k, const double *r, size_t ld, double *b);

/* Singular values (descending, min(rows, columns)) and the right singular vectors: vt (columns x columns), row i
 * belongs to value i; NULL: values alone. A is destroyed. */
enum status lapack_svd(struct lapack_work *w, size_t rows, size_t columns, double *a, double *values, double *vt,
                       struct error *e) MUST_CHECK;

/* A = L L' of a symmetric positive definite matrix (n x n; its lower triangle is read, and replaced by L). Returns
 * log det A; -INFINITY, and nothing of use in `a`, where A is not positive definite. (dpotrf) */
double lapack_cholesky(size_t n, double *a);
/* Solves L Y = B for Y: B is n x k, leading dimension n, and replaced. */
void lapack_lower(size_t n, const double *l, size_t k, double *b);
/* Solves A x = b, given L of A = L L'; b is replaced by x. */
void lapack_solve(size_t n, const double *l, double *b);

#endif
