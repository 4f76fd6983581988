/*
 * poly_roots - all complex roots of a polynomial of degree 8 at once; double precision.
 *
 * Durand, 1960, and Kerner, "Ein Gesamtschrittverfahren zur Berechnung der Nullstellen von Polynomen", 1966. The truth:
 * the roots from which the coefficients were made.
 *
 * Work: the first round moves, for not all of the start are roots, so that there is a second: 2 rounds of 8 values and
 * 56 differences, a complex product each (4 products, 2 sums): 2 * 8 * 15 * 6 / 8 lanes = 180.
 */
#include "../sample.h"

#define DEGREE 8
#define ROUNDS 60

struct complex {
    double re, im;
};

static struct complex coefficient[DEGREE]; /* of x^0 ..; that of x^8 is 1 */
static struct complex root[DEGREE];

static struct complex product(struct complex a, struct complex b)
{
    return (struct complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static struct complex difference(struct complex a, struct complex b)
{
    return (struct complex){a.re - b.re, a.im - b.im};
}

static struct complex quotient(struct complex a, struct complex b)
{
    double square = b.re * b.re + b.im * b.im;

    return (struct complex){(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}

static struct complex value_at(struct complex x)
{
    struct complex sum = {1.0, 0.0};

    for (int k = DEGREE - 1; k >= 0; k--) {
        sum = product(sum, x);
        sum.re += coefficient[k].re;
        sum.im += coefficient[k].im;
    }
    return sum;
}

/* The square of the greatest step. */
static double improve(void)
{
    double most = 0.0;

    for (int i = 0; i < DEGREE; i++) {
        struct complex others = {1.0, 0.0}, step;
        double size;

        for (int k = 0; k < DEGREE; k++)
            if (k != i)
                others = product(others, difference(root[i], root[k]));
        step = quotient(value_at(root[i]), others);
        root[i] = difference(root[i], step);
        size = step.re * step.re + step.im * step.im;
        most = size > most ? size : most;
    }
    return most;
}

static void find_roots(void)
{
    struct complex start = {0.4, 0.9}, power = {1.0, 0.0};

    for (int i = 0; i < DEGREE; i++) {
        root[i] = power;
        power = product(power, start);
    }
    for (int n = 0; n < ROUNDS && improve() > 1e-26; n++)
        ;
}

static const struct complex wanted[DEGREE] = {{1.0, 0.0},  {-2.0, 0.0}, {0.5, 1.5},   {0.5, -1.5},
                                              {-1.0, 1.0}, {2.0, 0.5},  {-0.5, -2.0}, {0.0, 0.25}};

static void prepare(void)
{
    memset(coefficient, 0, sizeof coefficient);
    for (int n = 0; n < DEGREE; n++) {
        /* times (x - wanted[n]): the product so far has degree n, and 1 before x^n */
        for (int k = n; k >= 0; k--) {
            struct complex here = k == n ? (struct complex){1.0, 0.0} : coefficient[k];
            struct complex below = k == 0 ? (struct complex){0.0, 0.0} : coefficient[k - 1];

            coefficient[k] = difference(below, product(here, wanted[n]));
        }
    }
    SHIM_KEEP(coefficient);
}

static double nearest(struct complex to)
{
    double best = 1e9;

    for (int i = 0; i < DEGREE; i++) {
        double size = fabs(root[i].re - to.re) + fabs(root[i].im - to.im);

        best = size < best ? size : best;
    }
    return best;
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("poly_roots");
    find_roots();
    SHIM_KEEP(root);
    shim_region_end("poly_roots");
    for (int n = 0; n < DEGREE; n++) {
        double error = nearest(wanted[n]);

        worst = error <= worst ? worst : error;
    }
    return sample_verdict_real("worst root", worst, 0.0, 1e-10);
}
