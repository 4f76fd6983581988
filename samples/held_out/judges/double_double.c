/*
 * double_double - e, pi, log 2 and the square root of 2 to 31 digits, as sums of two doubles: error-free sums and products,
 * series and Newton's steps; and 60 sums that cancel.
 *
 * Dekker, "A floating-point technique for extending the available precision", 1971. The truth: the constants' digits.
 *
 * Work: more than 200 sums, products and quotients of pairs, each of at least 20 operations on double: 4000.
 */
#include "judge.h"

#pragma STDC FP_CONTRACT OFF

#define SUMS 60

struct pair {
    double high, low;
};

static struct pair e, pi, log_two, root_two;
static double terms[SUMS][3], sums[SUMS];

static struct pair two_sum(double a, double b)
{
    double s = a + b, bb = s - a;

    return (struct pair){s, (a - (s - bb)) + (b - bb)};
}
static struct pair quick_two_sum(double a, double b)
{
    double s = a + b;

    return (struct pair){s, b - (s - a)};
}
static struct pair split(double a)
{
    double t = 134217729.0 * a, high = t - (t - a);

    return (struct pair){high, a - high};
}
static struct pair two_product(double a, double b)
{
    double p = a * b;
    struct pair x = split(a), y = split(b);

    return (struct pair){p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
}
static struct pair add(struct pair a, struct pair b)
{
    struct pair s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);

    s = quick_two_sum(s.high, s.low + t.high);
    return quick_two_sum(s.high, s.low + t.low);
}
static struct pair multiply(struct pair a, struct pair b)
{
    struct pair p = two_product(a.high, b.high);

    return quick_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
static struct pair negative(struct pair a)
{
    return (struct pair){-a.high, -a.low};
}
static struct pair of(double a)
{
    return (struct pair){a, 0};
}
static struct pair divide(struct pair a, struct pair b)
{
    struct pair q = of(a.high / b.high);
    struct pair rest = add(a, negative(multiply(q, b)));
    double second = rest.high / b.high;

    rest = add(rest, negative(multiply(of(second), b)));
    q = quick_two_sum(q.high, second);
    return add(q, of(rest.high / b.high));
}

static struct pair make_e(void)
{
    struct pair sum = of(1), term = of(1);

    for (int n = 1; n < 30; n++) {
        term = divide(term, of(n));
        sum = add(sum, term);
    }
    return sum;
}
/* arctan(1 / n) */
static struct pair arctan_inverse(double n)
{
    struct pair power = divide(of(1), of(n)), square = of(n * n), sum = power;

    for (int k = 3; power.high > 1e-34; k += 2) {
        power = negative(divide(power, square));
        sum = add(sum, divide(power, of(k)));
        if (power.high < 0) {
            power = divide(power, square);
            power = negative(power);
            k += 2;
            sum = add(sum, divide(power, of(k)));
        }
    }
    return sum;
}
/* 2 * (1/3 + 1/3^3/3 + ...) */
static struct pair make_log_two(void)
{
    struct pair power = divide(of(1), of(3)), sum = power;

    for (int k = 3; k < 70; k += 2) {
        power = divide(power, of(9));
        sum = add(sum, divide(power, of(k)));
    }
    return multiply(of(2), sum);
}
static struct pair make_root(double x)
{
    struct pair r = of(x / 1.5);

    for (int i = 0; i < 8; i++)
        r = multiply(of(0.5), add(r, divide(of(x), r)));
    return r;
}

static int is(struct pair got, double high, double low)
{
    return got.high != high || fabs(got.low - low) > 4e-31 * fabs(high);
}

int main(void)
{
    uint64_t seed = 21;
    int wrong = 0;

    for (int i = 0; i < SUMS; i++) {
        terms[i][0] = ldexp(draw_unit(&seed) + 1, 40);
        terms[i][1] = draw_unit(&seed);
        terms[i][2] = -terms[i][0];
    }
    SHIM_KEEP(terms);
    shim_region_begin("double_double");
    e = make_e();
    pi = add(multiply(of(16), arctan_inverse(5)), negative(multiply(of(4), arctan_inverse(239))));
    log_two = make_log_two();
    root_two = make_root(2);
    for (int i = 0; i < SUMS; i++) {
        struct pair s = add(add(of(terms[i][0]), of(terms[i][1])), of(terms[i][2]));
        sums[i] = s.high + s.low;
    }
    SHIM_KEEP(&e);
    SHIM_KEEP(&pi);
    SHIM_KEEP(&log_two);
    SHIM_KEEP(&root_two);
    SHIM_KEEP(sums);
    shim_region_end("double_double");
    for (int i = 0; i < SUMS; i++)
        wrong += sums[i] != terms[i][1];
    return sample_verdict_int("e", is(e, 0x1.5bf0a8b145769p+1, 1.4456468917292502e-16), 0) |
           sample_verdict_int("pi", is(pi, 0x1.921fb54442d18p+1, 1.2246467991473532e-16), 0) |
           sample_verdict_int("log 2", is(log_two, 0x1.62e42fefa39efp-1, 2.3190468138462996e-17), 0) |
           sample_verdict_int("root of 2", is(root_two, 0x1.6a09e667f3bcdp+0, -9.6672933134529135e-17), 0) |
           sample_verdict_int("sums", wrong, 0);
}
