/*
 * rk4 - the orbit of a mass on a spring by the classical Runge-Kutta method of fourth order in double precision.
 *
 * Kutta, "Beitrag zur naeherungsweisen Integration totaler Differentialgleichungen", 1901. Two axes with the same
 * spring and damper, r'' = -(1 + a^2) r - 2 a r' with a = 0.05: the solution from x = 1 is exp(-a t) (cos t + a sin t),
 * that from y' = 1/2 is exp(-a t) sin(t) / 2. A constant push, 0 here, takes part from memory.
 *
 * Work: 1200 steps of 4 evaluations that follow each other. An evaluation takes a product for the spring, one for the
 * damping, and 2 sums, for two axes that may share a vector: 1200 * 4 * 4 = 19200.
 */
#include "../sample.h"
#include "test_signal.h"

#define STEPS 1200
#define TURN  0.73040269104864559 /* exp(-2 pi 0.05) */

struct point {
    double x, y, vx, vy;
};

static struct {
    double spring, damping, push_x, push_y;
} field;

static struct point body;

static struct point slope(struct point p)
{
    return (struct point){p.vx, p.vy, field.push_x - field.spring * p.x - field.damping * p.vx,
                          field.push_y - field.spring * p.y - field.damping * p.vy};
}

static struct point moved(struct point p, struct point k, double h)
{
    return (struct point){p.x + h * k.x, p.y + h * k.y, p.vx + h * k.vx, p.vy + h * k.vy};
}

static struct point rk4_step(struct point p, double h)
{
    struct point k1 = slope(p);
    struct point k2 = slope(moved(p, k1, 0.5 * h));
    struct point k3 = slope(moved(p, k2, 0.5 * h));
    struct point k4 = slope(moved(p, k3, h));

    p = moved(p, k1, h / 6.0);
    p = moved(p, k2, h / 3.0);
    p = moved(p, k3, h / 3.0);
    return moved(p, k4, h / 6.0);
}

static void orbit(void)
{
    double h = 2.0 * TEST_SIGNAL_PI / STEPS;

    for (int i = 0; i < STEPS; i++)
        body = rk4_step(body, h);
}

static void prepare(void)
{
    field.spring = 1.0025;
    field.damping = 0.1;
    field.push_x = 0.0;
    field.push_y = 0.0;
    body = (struct point){1.0, 0.0, 0.0, 0.5};
    SHIM_KEEP(&field);
    SHIM_KEEP(&body);
}

/* The method's error over a turn is 2 pi h^4 / 120: 4e-11. */
int main(void)
{
    prepare();
    shim_region_begin("rk4");
    orbit();
    SHIM_KEEP(&body);
    shim_region_end("rk4");
    return sample_verdict_real("x", body.x, TURN, 1e-9) | sample_verdict_real("y", body.y, 0.0, 1e-9) |
           sample_verdict_real("velocity in x", body.vx, 0.0, 1e-9) |
           sample_verdict_real("velocity in y", body.vy, 0.5 * TURN, 1e-9);
}
