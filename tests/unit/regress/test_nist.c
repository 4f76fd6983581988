/* NIST Statistical Reference Datasets, linear regression (www.itl.nist.gov/div898/strd): certified coefficients. Each
 * test wants at least the digits that its condition allows in double precision. */
#include "support.h"
#include "regress/solver.h"

#define MOST_P 7

/* `columns` one after the other, as struct problem wants them. */
static void check(const char *solver, size_t n, size_t p, const double *columns, const double *y,
                  const double *certified, double relative)
{
    struct error e = ERROR_INIT;
    struct regress_variable variables[MOST_P];
    size_t group[32];
    double x[MOST_P];
    for (size_t i = 0; i < n; i++)
        group[i] = i;
    for (size_t j = 0; j < p; j++)
        variables[j] = (struct regress_variable){.prior = 1, .twin = REGRESS_NONE};
    const struct solver *s = solver_find(solver);
    void *work = s->work_new(n, p);
    struct problem q = {n, p, columns, y, 1, group, variables, -1, 1};
    struct solution out = {x, 0};
    must(s->solve(work, &q, &out, &e), &e);
    for (size_t j = 0; j < p; j++)
        near(x[j], certified[j], relative);
    s->work_free(work);
}

/* Longley (1967): employment; condition number about 5e9 with its columns as they are. */
static void longley(void **state)
{
    (void)state;
    static const double y[] = {60323, 61122, 60171, 61187, 63221, 63639, 64989, 63761,
                               66019, 67857, 68169, 66513, 68655, 69564, 69331, 70551};
    static const double columns[] = {
        1,      1,      1,      1,      1,      1,      1,      1,      1,      1,      1,      1,      1,      1,
        1,      1,      83.0,   88.5,   88.2,   89.5,   96.2,   98.1,   99.0,   100.0,  101.2,  104.6,  108.4,  110.8,
        112.6,  114.2,  115.7,  116.9,  234289, 259426, 258054, 284599, 328975, 346999, 365385, 363112, 397469, 419180,
        442769, 444546, 482704, 502601, 518173, 554894, 2356,   2325,   3682,   3351,   2099,   1932,   1870,   3578,
        2904,   2822,   2936,   4681,   3813,   3931,   4806,   4007,   1590,   1456,   1616,   1650,   3099,   3594,
        3547,   3350,   3048,   2857,   2798,   2637,   2552,   2514,   2572,   2827,   107608, 108632, 109773, 110929,
        112075, 113270, 115094, 116219, 117388, 118734, 120445, 121950, 123366, 125368, 127852, 130081, 1947,   1948,
        1949,   1950,   1951,   1952,   1953,   1954,   1955,   1956,   1957,   1958,   1959,   1960,   1961,   1962};
    static const double certified[] = {-3482258.63459582, 15.0618722713733,  -0.358191792925910E-01,
                                       -2.02022980381683, -1.03322686717359, -0.511041056535807E-01,
                                       1829.15146461355};
    check("ols", 16, 7, columns, y, certified, 1e-9);
}

/* Wampler (1970), 1 and 2: polynomials of degree 5 at 0 .. 20 that fit exactly. */
static void wampler(void **state)
{
    (void)state;
    double columns[6 * 21], y1[21] = {0}, y2[21] = {0}, c1[6], c2[6];
    for (int k = 0; k < 6; k++) {
        c1[k] = 1;
        c2[k] = pow(10, -k);
        for (int i = 0; i < 21; i++) {
            columns[k * 21 + i] = pow(i, k);
            y1[i] += c1[k] * pow(i, k);
            y2[i] += c2[k] * pow(i, k);
        }
    }
    check("ols", 21, 6, columns, y1, c1, 1e-8);
    check("ols", 21, 6, columns, y2, c2, 1e-9);
    check("nnls", 21, 6, columns, y1, c1, 1e-8); /* the solution is positive: the bound does not bind */
    check("nnls", 21, 6, columns, y2, c2, 1e-9);
}

/* Eberhardt: a line through the origin. */
static void no_intercept(void **state)
{
    (void)state;
    double x[11], y[11];
    for (int i = 0; i < 11; i++) {
        x[i] = 60 + i;
        y[i] = 130 + i;
    }
    const double first = 2.07438016528926, second = 0.727272727272727;
    check("ols", 11, 1, x, y, &first, 1e-14);
    check("nnls", 11, 1, x, y, &first, 1e-14);
    const double x2[] = {4, 5, 6}, y2[] = {3, 4, 4};
    check("ols", 3, 1, x2, y2, &second, 1e-14);
    check("nnls", 3, 1, x2, y2, &second, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(longley),
        cmocka_unit_test(wampler),
        cmocka_unit_test(no_intercept),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
