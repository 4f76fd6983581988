/*
 * rationals - exact fractions of 64-bit numbers, always in lowest terms by Stein's binary algorithm: harmonic numbers to
 * 30, Bernoulli numbers to 20, and a 4 x 4 system of Hilbert's matrix.
 *
 * Stein, "Computational problems associated with Racah algebra", 1967. The truth: H(30) as tables have it, the Bernoulli
 * numbers' denominators by von Staudt and Clausen, and the system's whole-numbered solution.
 *
 * Work: more than 150 sums and products of fractions with at least two common divisors each, 20 steps of a shift, a
 * comparison and a difference: 150 * 2 * 20 * 3 = 18000.
 */
#include "judge.h"

#define HARMONIC  30
#define BERNOULLI 20
#define N         4

struct fraction {
    int64_t up, down;
};

static struct fraction harmonic, bernoulli[BERNOULLI + 1], solution[N];
static int limit;

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    unsigned twos = 0;

    if (!a || !b)
        return a | b;
    for (; !((a | b) & 1); twos++) {
        a >>= 1;
        b >>= 1;
    }
    while (!(a & 1))
        a >>= 1;
    do {
        while (!(b & 1))
            b >>= 1;
        if (a > b) {
            uint64_t t = a;
            a = b;
            b = t;
        }
        b -= a;
    } while (b);
    return a << twos;
}
static uint64_t size(int64_t x)
{
    return x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
}
static struct fraction lowest(int64_t up, int64_t down)
{
    int64_t d = (int64_t)common_divisor(size(up), size(down));

    if (down < 0)
        d = -d;
    return (struct fraction){up / d, down / d};
}
static struct fraction sum(struct fraction a, struct fraction b)
{
    int64_t d = (int64_t)common_divisor((uint64_t)a.down, (uint64_t)b.down);

    return lowest(a.up * (b.down / d) + b.up * (a.down / d), a.down / d * b.down);
}
static struct fraction product(struct fraction a, struct fraction b)
{
    struct fraction x = lowest(a.up, b.down), y = lowest(b.up, a.down);

    return (struct fraction){x.up * y.up, x.down * y.down};
}
static struct fraction quotient(struct fraction a, struct fraction b)
{
    return product(a, b.up < 0 ? (struct fraction){-b.down, -b.up} : (struct fraction){b.down, b.up});
}
static struct fraction less(struct fraction a, struct fraction b)
{
    return sum(a, (struct fraction){-b.up, b.down});
}

/* sum of C(m + 1, k) B(k) over k <= m is 0. */
static void make_bernoulli(void)
{
    for (int m = 0; m <= BERNOULLI; m++) {
        struct fraction rest = {m == 0, 1};
        int64_t choose = 1;

        for (int k = 0; k < m; k++) {
            rest = less(rest, product((struct fraction){choose, 1}, bernoulli[k]));
            choose = choose * (m + 1 - k) / (k + 1);
        }
        bernoulli[m] = quotient(rest, (struct fraction){m + 1, 1});
    }
}
static void solve(void)
{
    struct fraction a[N][N + 1];

    for (int r = 0; r < N; r++) {
        for (int c = 0; c < N; c++)
            a[r][c] = (struct fraction){1, r + c + 1};
        a[r][N] = (struct fraction){1, 1};
    }
    for (int p = 0; p < N; p++)
        for (int r = 0; r < N; r++) {
            struct fraction f;

            if (r == p)
                continue;
            f = quotient(a[r][p], a[p][p]);
            for (int c = p; c <= N; c++)
                a[r][c] = less(a[r][c], product(f, a[p][c]));
        }
    for (int r = 0; r < N; r++)
        solution[r] = quotient(a[r][N], a[r][r]);
}

int main(void)
{
    static const int64_t expected[N] = {-4, 60, -180, 140};
    int wrong = 0;

    limit = HARMONIC;
    SHIM_KEEP(&limit);
    shim_region_begin("rationals");
    harmonic = (struct fraction){0, 1};
    for (int k = 1; k <= limit; k++)
        harmonic = sum(harmonic, (struct fraction){1, k});
    make_bernoulli();
    solve();
    SHIM_KEEP(&harmonic);
    SHIM_KEEP(bernoulli);
    SHIM_KEEP(solution);
    shim_region_end("rationals");
    for (int m = 2; m <= BERNOULLI; m += 2) {
        int64_t down = 1;

        for (int p = 2; p <= m + 1; p++) {
            int prime = 1;
            for (int d = 2; d * d <= p; d++)
                prime &= p % d != 0;
            if (prime && m % (p - 1) == 0)
                down *= p;
        }
        wrong += bernoulli[m].down != down || (bernoulli[m].up > 0) != (m % 4 == 2);
    }
    for (int m = 3; m <= BERNOULLI; m += 2)
        wrong += bernoulli[m].up != 0;
    for (int r = 0; r < N; r++)
        wrong += solution[r].up != expected[r] || solution[r].down != 1;
    return sample_verdict_int("H(30), above", harmonic.up, 9304682830147) |
           sample_verdict_int("H(30), below", harmonic.down, 2329089562800) |
           sample_verdict_int("B(20), above", bernoulli[20].up, -174611) | sample_verdict_int("wrong", wrong, 0);
}
