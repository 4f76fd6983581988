/*
 * NIST Statistical Reference Datasets, linear regression (www.itl.nist.gov/div898/strd): all eleven, data and certified
 * coefficients from there. What is compared is the number of digits that agree, -log10 |x - certified| / |certified| of
 * the worst coefficient; each test wants what the problem's condition allows in double precision. Printed, for
 * docs/method/fitting.md.
 */
#include "support.h"
#include "regress/solve/solver.h"

#define MOST_P 11
#define MOST_N 82

/* `columns` one after the other, as struct problem wants them. */
static void check(const char *name, const char *solver, size_t n, size_t p, const double *columns, const double *y,
                  const double *certified, double digits)
{
    struct error e = ERROR_INIT;
    struct regress_variable variables[MOST_P];
    size_t group[MOST_N];
    double x[MOST_P], least = 15;
    for (size_t i = 0; i < n; i++)
        group[i] = i;
    for (size_t j = 0; j < p; j++)
        variables[j] =
            (struct regress_variable){.prior = 1, .high = INFINITY, .twin = REGRESS_NONE, .below = REGRESS_NONE};
    const struct solver *s = solver_find(solver);
    void *work = s->work_new(n, p);
    struct problem q = {.n = n, .p = p, .a = columns, .b = y, .unit = 1, .group = group, .variables = variables};
    q.strength = -1;
    q.seed = 1;
    struct solution out = {.x = x};
    must(s->solve(work, &q, &out, &e), &e);
    for (size_t j = 0; j < p; j++)
        least = fmin(least, -log10(fabs(x[j] - certified[j]) / fabs(certified[j])));
    print_message("%-8s %-4s %4.1f digits\n", name, solver, least);
    if (!(least >= digits))
        fail_msg("%s by %s: %.1f digits agree, %.1f are wanted", name, solver, least, digits);
    s->work_free(work);
}

/* Powers 0 .. p - 1 of x, column by column. */
static void powers(double *columns, const double *x, size_t n, size_t p)
{
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i < n; i++)
            columns[j * n + i] = j ? columns[(j - 1) * n + i] * x[i] : 1;
}

/* J. Norris: calibration of ozone monitors; a line. */
static void norris(void **state)
{
    (void)state;
    static const double x[] = {0.2, 337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4,
                               0.6, 775.5, 666.9, 338.0, 447.5, 11.6,  556.0, 228.1, 995.8, 887.6, 120.2, 0.3,
                               0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, 0.5};
    static const double y[] = {0.1, 338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3,
                               0.1, 778.1, 668.8, 339.3, 448.9, 10.8,  557.7, 228.3, 998.0, 888.8, 119.6, 0.3,
                               0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, 0.2};
    static const double certified[] = {-0.262323073774029, 1.00211681802045};
    double columns[2 * 36];
    powers(columns, x, 36, 2);
    check("Norris", "ols", 36, 2, columns, y, certified, 12);
}

/* P. Pontius: calibration of load cells; a parabola. */
static void pontius(void **state)
{
    (void)state;
    static const double y[] = {0.11019, 0.21956, 0.32949, 0.43899, 0.54803, 0.65694, 0.76562, 0.87487,
                               0.98292, 1.09146, 1.20001, 1.30822, 1.41599, 1.52399, 1.63194, 1.73947,
                               1.84646, 1.95392, 2.06128, 2.16844, 0.11052, 0.22018, 0.32939, 0.43886,
                               0.54798, 0.65739, 0.76596, 0.87474, 0.98300, 1.09150, 1.20004, 1.30818,
                               1.41613, 1.52408, 1.63159, 1.73965, 1.84696, 1.95445, 2.06177, 2.16829};
    static const double certified[] = {0.673565789473684E-03, 0.732059160401003E-06, -0.316081871345029E-14};
    double x[40], columns[3 * 40];
    for (size_t i = 0; i < 40; i++)
        x[i] = 150000 * (double)(i % 20 + 1);
    powers(columns, x, 40, 3);
    check("Pontius", "ols", 40, 3, columns, y, certified, 11);
}

/* A. Filippelli: a polynomial of degree 10 over -9 .. -3, condition number of the columns as they are 1.8e15. */
static void filip(void **state)
{
    (void)state;
    static const double x[] = {
        -6.860120914, -4.324130045, -4.358625055, -4.358426747, -6.955852379, -6.661145254, -6.355462942, -6.118102026,
        -7.115148017, -6.815308569, -6.519993057, -6.204119983, -5.853871964, -6.109523091, -5.79832982,  -5.482672118,
        -5.171791386, -4.851705903, -4.517126416, -4.143573228, -3.709075441, -3.499489089, -6.300769497, -5.953504836,
        -5.642065153, -5.031376979, -4.680685696, -4.329846955, -3.928486195, -8.56735134,  -8.363211311, -8.107682739,
        -7.823908741, -7.522878745, -7.218819279, -6.920818754, -6.628932138, -6.323946875, -5.991399828, -8.781464495,
        -8.663140179, -8.473531488, -8.247337057, -7.971428747, -7.676129393, -7.352812702, -7.072065318, -6.774174009,
        -6.478861916, -6.159517513, -6.835647144, -6.53165267,  -6.224098421, -5.910094889, -5.598599459, -5.290645224,
        -4.974284616, -4.64454848,  -4.290560426, -3.885055584, -3.408378962, -3.13200249,  -8.726767166, -8.66695597,
        -8.511026475, -8.165388579, -7.886056648, -7.588043762, -7.283412422, -6.995678626, -6.691862621, -6.392544977,
        -6.067374056, -6.684029655, -6.378719832, -6.065855188, -5.752272167, -5.132414673, -4.811352704, -4.098269308,
        -3.66174277,  -3.2644011};
    static const double y[] = {
        0.8116, 0.9072, 0.9052, 0.9039, 0.8053, 0.8377, 0.8667, 0.8809, 0.7975, 0.8162, 0.8515, 0.8766, 0.8885, 0.8859,
        0.8959, 0.8913, 0.8959, 0.8971, 0.9021, 0.909,  0.9139, 0.9199, 0.8692, 0.8872, 0.89,   0.891,  0.8977, 0.9035,
        0.9078, 0.7675, 0.7705, 0.7713, 0.7736, 0.7775, 0.7841, 0.7971, 0.8329, 0.8641, 0.8804, 0.7668, 0.7633, 0.7678,
        0.7697, 0.77,   0.7749, 0.7796, 0.7897, 0.8131, 0.8498, 0.8741, 0.8061, 0.846,  0.8751, 0.8856, 0.8919, 0.8934,
        0.894,  0.8957, 0.9047, 0.9129, 0.9209, 0.9219, 0.7739, 0.7681, 0.7665, 0.7703, 0.7702, 0.7761, 0.7809, 0.7961,
        0.8253, 0.8602, 0.8809, 0.8301, 0.8664, 0.8834, 0.8898, 0.8964, 0.8963, 0.9074, 0.9119, 0.9228};
    static const double certified[] = {-1467.48961422980,      -2772.17959193342,     -2316.37108160893,
                                       -1127.97394098372,      -354.478233703349,     -75.1242017393757,
                                       -10.8753180355343,      -1.06221498588947,     -0.670191154593408E-01,
                                       -0.246781078275479E-02, -0.402962525080404E-04};
    double columns[11 * 82];
    powers(columns, x, 82, 11);
    check("Filip", "ols", 82, 11, columns, y, certified, 6);
}

/* J. Longley (1967): employment; condition number about 5e9 with its columns as they are. */
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
    check("Longley", "ols", 16, 7, columns, y, certified, 9);
}

/* R. Wampler (1970): polynomials of degree 5 at 0 .. 20. 1 and 2 fit exactly; to the first, 3, 4 and 5 add an error of
 * the sizes 1, 100 and 10,000 that is orthogonal to all powers up to 5, so that the coefficients stay 1. */
static void wampler(void **state)
{
    (void)state;
    static const double delta[] = {759,   -2048, 2048,  -2048, 2523,  -2048, 2048,  -2048, 1838,  -2048, 2048,
                                   -2048, 1838,  -2048, 2048,  -2048, 2523,  -2048, 2048,  -2048, 759};
    double x[21], columns[6 * 21], y[5][21] = {{0}}, c1[6], c2[6];
    for (int i = 0; i < 21; i++)
        x[i] = i;
    powers(columns, x, 21, 6);
    for (int k = 0; k < 6; k++) {
        c1[k] = 1;
        c2[k] = pow(10, -k);
        for (int i = 0; i < 21; i++) {
            y[0][i] += columns[k * 21 + i];
            y[1][i] += c2[k] * columns[k * 21 + i];
        }
    }
    for (int i = 0; i < 21; i++)
        for (int k = 2; k < 5; k++)
            y[k][i] = y[0][i] + delta[i] * pow(100, k - 2);
    check("Wampler1", "ols", 21, 6, columns, y[0], c1, 9);
    check("Wampler2", "ols", 21, 6, columns, y[1], c2, 11);
    check("Wampler3", "ols", 21, 6, columns, y[2], c1, 8);
    check("Wampler4", "ols", 21, 6, columns, y[3], c1, 7);
    check("Wampler5", "ols", 21, 6, columns, y[4], c1, 5);
    for (int k = 0; k < 2; k++) /* the solutions are positive: the bound does not bind */
        check(k ? "Wampler2" : "Wampler1", "nnls", 21, 6, columns, y[k], k ? c2 : c1, k ? 11 : 9);
    check("Wampler3", "nnls", 21, 6, columns, y[2], c1, 8);
}

/* K. Eberhardt: lines through the origin. */
static void no_intercept(void **state)
{
    (void)state;
    double x[11], y[11];
    for (int i = 0; i < 11; i++) {
        x[i] = 60 + i;
        y[i] = 130 + i;
    }
    const double first = 2.07438016528926, second = 0.727272727272727;
    const double x2[] = {4, 5, 6}, y2[] = {3, 4, 4};
    static const char *const solvers[] = {"ols", "nnls"};
    for (int k = 0; k < 2; k++) {
        check("NoInt1", solvers[k], 11, 1, x, y, &first, 14);
        check("NoInt2", solvers[k], 3, 1, x2, y2, &second, 14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(norris),  cmocka_unit_test(pontius), cmocka_unit_test(filip),
        cmocka_unit_test(longley), cmocka_unit_test(wampler), cmocka_unit_test(no_intercept),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
