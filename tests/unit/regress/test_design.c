/* test_design.c - tests of the D-optimal choice of programs. */
#include "support.h"
#include "regress/design/design.h"

/* A polynomial model of degree p - 1 on points of [-1, 1], each a block of one row, `copies` times. */
static struct design_pool polynomial(const double *points, size_t n, size_t p, size_t copies)
{
    size_t total = n * copies;
    size_t *first = xcalloc(total + 1, sizeof *first);
    double *x = xcalloc(total * p, sizeof *x);
    for (size_t b = 0; b < total; b++) {
        first[b + 1] = b + 1;
        for (size_t j = 0; j < p; j++)
            x[b * p + j] = pow(points[b % n], (double)j);
    }
    return (struct design_pool){total, p, first, x};
}

static double *small_ridge(size_t p)
{
    double *m = xcalloc(p * p, sizeof *m);
    for (size_t j = 0; j < p; j++)
        m[j * p + j] = 1e-9;
    return m;
}

static void release(struct design_pool *pool, double *m)
{
    free((void *)pool->first);
    free((void *)pool->x);
    free(m);
}

/* How often point i was chosen. */
static size_t times(const size_t *blocks, size_t n, size_t points, size_t i)
{
    size_t count = 0;
    for (size_t k = 0; k < n; k++)
        count += blocks[k] % points == i;
    return count;
}

/* The D-optimal design of a parabola on [-1, 1] has equal weights at -1, 0, 1 (Fedorov 1972, 2.3; det X'X of one each
 * is 4, of two each 32). */
static void finds_the_design_of_a_parabola(void **state)
{
    (void)state;
    const double points[] = {-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1};
    struct design_pool pool = polynomial(points, 9, 3, 3);
    double *m = small_ridge(3);
    size_t blocks[6];
    assert_true(fabs(design_choose(blocks, 3, &pool, m) - log(4)) < 1e-6);
    assert_int_equal(times(blocks, 3, 9, 0) + times(blocks, 3, 9, 4) + times(blocks, 3, 9, 8), 3);
    assert_true(fabs(design_choose(blocks, 6, &pool, m) - log(32)) < 1e-6);
    assert_int_equal(times(blocks, 6, 9, 0), 2);
    assert_int_equal(times(blocks, 6, 9, 4), 2);
    assert_int_equal(times(blocks, 6, 9, 8), 2);
    release(&pool, m);
}

/* Of a cubic: -1, -1/sqrt 5, 1/sqrt 5, 1, the zeros of (1 - x^2) P_3'(x) (Guest, Ann. Math. Statist. 29, 1958). */
static void finds_the_design_of_a_cubic(void **state)
{
    (void)state;
    const double r = sqrt(0.2), points[] = {-1, -0.8, -0.6, -r, -0.2, 0, 0.2, r, 0.6, 0.8, 1};
    struct design_pool pool = polynomial(points, 11, 4, 1);
    double *m = small_ridge(4);
    size_t blocks[4];
    design_choose(blocks, 4, &pool, m);
    const size_t expected[] = {0, 3, 7, 10};
    assert_memory_equal(blocks, expected, sizeof blocks);
    release(&pool, m);
}

/* Four runs of a 2^3 factorial for mean and three effects: det X'X <= 4^4 by Hadamard's bound, reached by the half
 * fractions alone: products of signs all equal. */
static void finds_a_half_fraction(void **state)
{
    (void)state;
    double x[8 * 4];
    size_t first[9], blocks[4];
    for (size_t b = 0; b < 8; b++) {
        first[b] = b;
        x[b * 4] = 1;
        for (size_t j = 0; j < 3; j++)
            x[b * 4 + 1 + j] = b >> j & 1 ? 1 : -1;
    }
    first[8] = 8;
    const struct design_pool pool = {8, 4, first, x};
    double *m = small_ridge(4);
    assert_true(fabs(design_choose(blocks, 4, &pool, m) - log(256)) < 1e-6);
    for (size_t k = 1; k < 4; k++)
        assert_int_equal(__builtin_popcountl(blocks[k]) & 1, __builtin_popcountl(blocks[0]) & 1);
    free(m);
}

/* The best of all choices, found by trying them: blocks of one to three rows, 5 of 12 (792 choices). Exchanges end in a
 * local optimum; here, as nearly always, it is the best there is. */
static void comes_near_the_best_of_all(void **state)
{
    (void)state;
    enum { BLOCKS = 12, P = 4, CHOSEN = 5 };
    double x[BLOCKS * 3 * P], best = -INFINITY;
    size_t first[BLOCKS + 1] = {0}, blocks[CHOSEN];
    uint32_t noise = 7;
    for (size_t b = 0; b < BLOCKS; b++)
        first[b + 1] = first[b] + 1 + b % 3;
    for (size_t i = 0; i < first[BLOCKS] * P; i++) {
        noise = noise * 1664525u + 1013904223u;
        x[i] = (double)(noise >> 8) / (1 << 24);
    }
    const struct design_pool pool = {BLOCKS, P, first, x};
    double *m = small_ridge(P);
    for (unsigned set = 0; set < 1u << BLOCKS; set++) {
        size_t n = 0, chosen[BLOCKS];
        for (size_t b = 0; b < BLOCKS; b++)
            if (set >> b & 1)
                chosen[n++] = b;
        double value = n == CHOSEN ? design_log_det(&pool, m, chosen, n) : -INFINITY;
        best = value > best ? value : best;
    }
    assert_true(fabs(design_choose(blocks, CHOSEN, &pool, m) - best) < 1e-9);
    free(m);
}

static struct regress_design *designed(const char *candidates, const char *given, size_t n)
{
    struct error e = ERROR_INIT;
    struct regress_design *d = 0;
    struct regress_data *c = data_of(candidates), *g = given ? data_of(given) : 0;
    struct regress_classes *classes = classes_of("split a a.*\nmap b b.*\nmap never n.*\nmap rest *\n");
    const struct regress_table pool = {c, 0}, table = {g, 0};
    must(regress_design(&d, &pool, &table, classes, n, 1, &e), &e);
    regress_classes_free(classes);
    regress_data_free(c);
    regress_data_free(g);
    return d;
}

/* What is given has a alone: of two programs with a and one with b, the last is what is missing. Levels of a program
 * come together, and sums over a program's regions ("(program)") are no rows of their own. */
static void adds_what_is_missing(void **state)
{
    (void)state;
    const char *candidates = "program,region,a.x,b.x\n"
                             "g/one@O0,one,10,1\ng/one@O0,(program),10,1\ng/one@O2,one,9,0\n"
                             "g/two@O0,two,0,5\ng/two@O0,(program),0,5\ng/two@O2,two,1,50\n"
                             "g/three@O0,three,7,0\ng/three@O2,three,3,0\n";
    struct regress_design *d = designed(candidates, "program,a.x\ns/p,100\ns/q,1000\n", 1);
    assert_int_equal(d->groups[0], 1);
    assert_int_equal(d->n_variables, 2);
    assert_int_equal(d->given.rank, 1);
    assert_int_equal(d->chosen.rank, 2);
    assert_int_equal(d->given.programs, 2);
    assert_int_equal(d->chosen.programs, 3);
    assert_int_equal(d->chosen.rows, 4);
    assert_int_equal(d->all.rows, 8);
    assert_true(d->chosen.log_det >= d->random.log_det);
    assert_int_equal(d->n_absent, 3); /* a_d, never, rest */
    regress_design_free(d);
}

/* A candidate that is given already is not added again. */
static void leaves_out_what_is_there(void **state)
{
    (void)state;
    struct regress_design *d =
        designed("program,a.x,b.x\ng/one@O0,1,9\ng/two@O0,5,1\n", "program,a.x,b.x\ng/one@O2,1,9\n", 1);
    assert_int_equal(d->groups[0], 1);
    assert_int_equal(d->repeated, 1);
    regress_design_free(d);
}

/* How large the counts are does not matter: by less than one instruction, too, the program is found that has what is
 * missing. */
static void small_counts_are_counts(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_design *d = 0;
    struct regress_data *c = data_of("program,a.x,b.x\ng/one,0,0.4\ng/two,0.5,0\ng/three,0,0.8\n"),
                        *g = data_of("program,a.x,b.x\ns/p,0,0.3\n");
    struct regress_classes *classes = classes_of("map a a.*\nmap b b.*\n");
    const struct regress_table pool = {c, 0}, table = {g, 0};
    must(regress_design(&d, &pool, &table, classes, 1, 1, &e), &e);
    assert_int_equal(d->n_absent, 0);
    assert_int_equal(d->groups[0], 1);
    assert_int_equal(d->given.rank, 1);
    assert_int_equal(d->chosen.rank, 2);
    regress_design_free(d);
    regress_classes_free(classes);
    regress_data_free(c);
    regress_data_free(g);
}

static void refuses_more_than_there_are(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_design *d = 0;
    struct regress_data *c = data_of("program,a.x\ng/one,1\ng/two,2\n");
    struct regress_classes *classes = classes_of("each *\n");
    const struct regress_table pool = {c, 0}, none = {0, 0};
    refused(regress_design(&d, &pool, &none, classes, 3, 1, &e), ERR_INPUT, &e, 0,
            "3 programs cannot be chosen: there are 2");
    regress_classes_free(classes);
    regress_data_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_design_of_a_parabola), cmocka_unit_test(finds_the_design_of_a_cubic),
        cmocka_unit_test(finds_a_half_fraction),          cmocka_unit_test(comes_near_the_best_of_all),
        cmocka_unit_test(adds_what_is_missing),           cmocka_unit_test(leaves_out_what_is_there),
        cmocka_unit_test(refuses_more_than_there_are),    cmocka_unit_test(small_counts_are_counts),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
