/*
 * simpson - the integral of 4 / (1 + x^2) from 0 to 1, which is pi, and of 1 / x from 1 to 2 by Romberg's scheme,
 * log 2.
 *
 * Simpson's rule with 8000 intervals and Romberg, "Vereinfachte numerische Integration", 1955, with 10 halvings. Double
 * precision; the integrands are called through a pointer.
 *
 * Work: 8001 + 1025 values of the integrands, a division each; in at most 8 lanes: 9026 / 8 = 1128. Their sums follow
 * each other, as floating point does not let the compiler change their order: 9026 - 12 more. Together 10142.
 */
#include "../sample.h"

#define INTERVALS 8000
#define HALVINGS  10

typedef double integrand(double x);

static double ends[4];
static double pi_found, log2_found;

static double bell(double x)
{
    return 4.0 / (1.0 + x * x);
}

static double reciprocal(double x)
{
    return 1.0 / x;
}

static double simpson(integrand *f, double low, double high, int intervals)
{
    double step = (high - low) / intervals, sum = f(low) + f(high);

    for (int i = 1; i < intervals; i++)
        sum += (i % 2 ? 4.0 : 2.0) * f(low + i * step);
    return sum * step / 3.0;
}

/* One row of the table is kept: row[m] is the trapezoidal rule after m extrapolations. */
static double romberg(integrand *f, double low, double high)
{
    double row[HALVINGS + 1], width = high - low;
    int points = 1;

    row[0] = 0.5 * width * (f(low) + f(high));
    for (int n = 1; n <= HALVINGS; n++) {
        double sum = 0.0, above = row[0], power = 4.0;

        for (int i = 0; i < points; i++)
            sum += f(low + (i + 0.5) * width);
        row[0] = 0.5 * (above + width * sum);
        for (int m = 1; m <= n; m++) {
            double kept = m < n ? row[m] : 0.0;

            row[m] = row[m - 1] + (row[m - 1] - above) / (power - 1.0);
            above = kept;
            power *= 4.0;
        }
        points *= 2;
        width *= 0.5;
    }
    return row[HALVINGS];
}

static void prepare(void)
{
    ends[0] = 0.0;
    ends[1] = 1.0;
    ends[2] = 1.0;
    ends[3] = 2.0;
    SHIM_KEEP(ends);
}

int main(void)
{
    prepare();
    shim_region_begin("simpson");
    pi_found = simpson(bell, ends[0], ends[1], INTERVALS);
    log2_found = romberg(reciprocal, ends[2], ends[3]);
    SHIM_KEEP(&pi_found);
    SHIM_KEEP(&log2_found);
    shim_region_end("simpson");
    return sample_verdict_real("pi", pi_found, 3.14159265358979323846, 1e-12) |
           sample_verdict_real("log 2", log2_found, 0.69314718055994530942, 1e-12);
}
