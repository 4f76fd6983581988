/*
 * rkf45 - a differential equation with steps of a length that the error decides: Runge-Kutta-Fehlberg 4(5), double.
 *
 * Fehlberg, "Low-Order Classical Runge-Kutta Formulas with Stepsize Control", NASA TR R-315, 1969; the step is halved
 * or doubled. The truth: y' = -2 t y^2, y(-3) = 1/10 has the solution 1 / (1 + t^2), a steep hill in a flat land.
 *
 * Work: a step takes 6 slopes of 3 products; no step is longer than 1/2 and the way is 6: 12 steps in a chain: 12 * 18
 * = 216.
 */
#include "../sample.h"

#define LONGEST 0.5
#define STEPS   200

static double start, end, tolerance;
static double time_at[STEPS], value_at[STEPS];
static int steps, refused;

static double slope(double t, double y)
{
    return -2.0 * t * y * y;
}

/* The end of a step by order 5; *error gets its distance from order 4. */
static double step(double t, double y, double h, double *error)
{
    double k1 = h * slope(t, y);
    double k2 = h * slope(t + h / 4.0, y + k1 / 4.0);
    double k3 = h * slope(t + 3.0 / 8.0 * h, y + 3.0 / 32.0 * k1 + 9.0 / 32.0 * k2);
    double k4 = h * slope(t + 12.0 / 13.0 * h, y + (1932.0 * k1 - 7200.0 * k2 + 7296.0 * k3) / 2197.0);
    double k5 = h * slope(t + h, y + 439.0 / 216.0 * k1 - 8.0 * k2 + 3680.0 / 513.0 * k3 - 845.0 / 4104.0 * k4);
    double k6 = h * slope(t + h / 2.0, y - 8.0 / 27.0 * k1 + 2.0 * k2 - 3544.0 / 2565.0 * k3 + 1859.0 / 4104.0 * k4 -
                                           11.0 / 40.0 * k5);

    *error = k1 / 360.0 - 128.0 / 4275.0 * k3 - 2197.0 / 75240.0 * k4 + k5 / 50.0 + 2.0 / 55.0 * k6;
    return y + 16.0 / 135.0 * k1 + 6656.0 / 12825.0 * k3 + 28561.0 / 56430.0 * k4 - 9.0 / 50.0 * k5 + 2.0 / 55.0 * k6;
}

static void integrate(void)
{
    double t = start, y = 1.0 / 10.0, h = LONGEST / 8.0;

    while (t < end && steps < STEPS) {
        double error, next, size;

        if (t + h > end)
            h = end - t;
        next = step(t, y, h, &error);
        size = error < 0.0 ? -error : error;
        if (size > tolerance * h) {
            h /= 2.0;
            refused++;
            continue;
        }
        t += h;
        y = next;
        time_at[steps] = t;
        value_at[steps++] = y;
        if (size < tolerance * h / 40.0 && h <= LONGEST / 2.0)
            h *= 2.0;
    }
}

static void prepare(void)
{
    start = -3.0;
    end = 3.0;
    tolerance = 1e-4;
    steps = refused = 0;
    SHIM_KEEP(&start);
    SHIM_KEEP(&end);
    SHIM_KEEP(&tolerance);
}

/* Errors sum to 6 * tolerance at most where they do not grow; on the way up they grow like y^2 / y(-3)^2: by 100. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("rkf45");
    integrate();
    SHIM_KEEP(time_at);
    SHIM_KEEP(value_at);
    shim_region_end("rkf45");
    for (int i = 0; i < steps; i++) {
        double error = fabs(value_at[i] - 1.0 / (1.0 + time_at[i] * time_at[i]));

        worst = error <= worst ? worst : error;
    }
    return sample_verdict_real("end", steps > 0 ? time_at[steps - 1] : start, 3.0, 0.0) |
           sample_verdict_real("worst error", worst, 0.0, 1e-3) | sample_verdict_int("steps refused", refused > 0, 1);
}
