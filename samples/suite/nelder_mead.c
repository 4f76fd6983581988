/*
 * nelder_mead - the lowest point of a valley, by a simplex that is reflected, stretched and shrunk; double precision.
 *
 * Nelder and Mead, "A Simplex Method for Function Minimization", 1965, on Rosenbrock's valley ("An Automatic Method for
 * Finding the Greatest or Least Value of a Function", 1960). The truth: its lowest point is (1, 1), with value 0.
 *
 * Work: each round depends on the one before. From a simplex of side 1 to one of 2^-20 takes at least 2 * 20 rounds,
 * for a round makes its area smaller by 1/2, or 1/4 when all shrinks; each values the function at least once: 4
 * products and 3 sums: 20 * 7 = 140 for each of the 12 starts: 1680.
 */
#include "../sample.h"

#define N      2
#define STARTS 12
#define ROUNDS 400
#define SMALL  1e-14

struct corner {
    double x[N], value;
};

static double start[STARTS][N], found[STARTS][N];

static double valley(const double *x)
{
    double a = x[1] - x[0] * x[0], b = 1.0 - x[0];

    return 100.0 * a * a + b * b;
}

static void sort(struct corner *s)
{
    for (int i = 1; i <= N; i++)
        for (int k = i; k > 0 && s[k].value < s[k - 1].value; k--) {
            struct corner c = s[k];

            s[k] = s[k - 1];
            s[k - 1] = c;
        }
}

/* The worst corner moved to the others' middle + factor times its distance from it. */
static struct corner moved(const struct corner *s, double factor)
{
    struct corner c;

    for (int i = 0; i < N; i++) {
        double middle = 0.0;

        for (int k = 0; k < N; k++)
            middle += s[k].x[i] / N;
        c.x[i] = middle + factor * (s[N].x[i] - middle);
    }
    c.value = valley(c.x);
    return c;
}

static void shrink(struct corner *s)
{
    for (int k = 1; k <= N; k++) {
        for (int i = 0; i < N; i++)
            s[k].x[i] = 0.5 * (s[k].x[i] + s[0].x[i]);
        s[k].value = valley(s[k].x);
    }
}

static void round_of(struct corner *s)
{
    struct corner reflected = moved(s, -1.0), other;

    if (reflected.value < s[0].value) {
        other = moved(s, -2.0);
        s[N] = other.value < reflected.value ? other : reflected;
    } else if (reflected.value < s[N - 1].value) {
        s[N] = reflected;
    } else {
        other = moved(s, reflected.value < s[N].value ? -0.5 : 0.5);
        if (other.value < s[N].value)
            s[N] = other;
        else
            shrink(s);
    }
}

static void minimise(const double *from, double *to)
{
    struct corner s[N + 1];

    for (int k = 0; k <= N; k++) {
        for (int i = 0; i < N; i++)
            s[k].x[i] = from[i] + (k == i + 1 ? 1.0 : 0.0);
        s[k].value = valley(s[k].x);
    }
    sort(s);
    for (int n = 0; n < ROUNDS && s[N].value > SMALL; n++) {
        round_of(s);
        sort(s);
    }
    for (int i = 0; i < N; i++)
        to[i] = s[0].x[i];
}

static void minimise_all(void)
{
    for (int n = 0; n < STARTS; n++)
        minimise(start[n], found[n]);
}

static void prepare(void)
{
    for (int n = 0; n < STARTS; n++) {
        start[n][0] = -2.0 + 0.35 * n;
        start[n][1] = 2.0 - 0.5 * (n % 5);
    }
    SHIM_KEEP(start);
}

/* A value of 1e-14 leaves 1 - x below 1e-7 and x^2 - y below 1e-8. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("nelder_mead");
    minimise_all();
    SHIM_KEEP(found);
    shim_region_end("nelder_mead");
    for (int n = 0; n < STARTS; n++)
        for (int i = 0; i < N; i++) {
            double error = fabs(found[n][i] - 1.0);

            worst = error <= worst ? worst : error;
        }
    return sample_verdict_real("worst error", worst, 0.0, 3e-7);
}
