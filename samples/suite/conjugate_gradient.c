/*
 * conjugate_gradient - a sparse system of 9216 unknowns, rows compressed, by conjugate gradients; double precision.
 *
 * Hestenes and Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems", 1952. The matrix: 5 on the
 * diagonal, -1 for each neighbour on a grid of 96 x 96, 45696 entries with their columns: 540 KB, and 5 vectors of 72
 * KB, swept in every round. The truth: the solution that the right-hand side was made from.
 *
 * Work: 8 rounds, each with 45696 products and sums gathered in at most 8 lanes: 8 * 45696 * 2 / 8 = 91392.
 */
#include "../sample.h"

#define SIDE    96
#define N       (SIDE * SIDE)
#define ENTRIES (5 * N - 4 * SIDE)
#define ROUNDS  8

static double value[ENTRIES];
static int32_t column[ENTRIES], start[N + 1];
static double right[N], x[N], residual[N], direction[N], image[N];

static void multiply(const double *v, double *to)
{
    for (int i = 0; i < N; i++) {
        double sum = 0.0;

        for (int32_t k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * v[column[k]];
        to[i] = sum;
    }
}

static double dot(const double *a, const double *b)
{
    double sum = 0.0;

    for (int i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}

/* a += factor b, or a = b + factor a. */
static void add_to(double *a, double factor, const double *b)
{
    for (int i = 0; i < N; i++)
        a[i] += factor * b[i];
}

static void renew(double *a, double factor, const double *b)
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] + factor * a[i];
}

static void solve(void)
{
    double square = dot(right, right), before;

    for (int i = 0; i < N; i++) {
        x[i] = 0.0;
        residual[i] = direction[i] = right[i];
    }
    for (int round = 0; round < ROUNDS; round++) {
        double length;

        multiply(direction, image);
        length = square / dot(direction, image);
        add_to(x, length, direction);
        add_to(residual, -length, image);
        before = square;
        square = dot(residual, residual);
        renew(direction, square / before, residual);
    }
}

static double wanted(int i)
{
    return i % 7 - 3 + (i / SIDE) % 5 * 0.5;
}

static void put(int *k, int row, int to, double factor)
{
    column[*k] = to;
    value[*k] = factor;
    right[row] += factor * wanted(to);
    ++*k;
}

static void prepare(void)
{
    int k = 0;

    for (int i = 0; i < N; i++) {
        right[i] = 0.0;
        start[i] = k;
        if (i >= SIDE)
            put(&k, i, i - SIDE, -1.0);
        if (i % SIDE > 0)
            put(&k, i, i - 1, -1.0);
        put(&k, i, i, 5.0);
        if (i % SIDE < SIDE - 1)
            put(&k, i, i + 1, -1.0);
        if (i < N - SIDE)
            put(&k, i, i + SIDE, -1.0);
    }
    start[N] = k;
    SHIM_KEEP(value);
    SHIM_KEEP(column);
    SHIM_KEEP(start);
    SHIM_KEEP(right);
}

/* Eigenvalues lie between 1 and 9, the condition is 9: in its norm the error falls by (3 - 1) / (3 + 1) = 1/2 a
 * round, at most to 2 / 2^8 of what it was, and the common norm by a factor of 3 less: 0.0234. */
int main(void)
{
    double off = 0.0, all = 0.0;

    prepare();
    shim_region_begin("conjugate_gradient");
    solve();
    SHIM_KEEP(x);
    shim_region_end("conjugate_gradient");
    for (int i = 0; i < N; i++) {
        off += (x[i] - wanted(i)) * (x[i] - wanted(i));
        all += wanted(i) * wanted(i);
    }
    return sample_verdict_real("error, relative", sqrt(off / all), 0.0, 2.0 * 3.0 / 256.0);
}
