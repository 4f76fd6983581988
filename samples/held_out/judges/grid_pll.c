/*
 * grid_pll - a phase-locked loop follows the mains: a second-order generalised integrator for two components, Park's
 * rotation with sine and cosine by polynomials, a PI controller with limits; 2000 samples, single precision.
 *
 * Rodriguez and others, 2006. The truth: the frequency and phase that the samples were made with, before and after a jump.
 *
 * Work: 2000 samples in one chain, each at least 30 products and sums: 60000.
 */
#include "judge.h"

#define SAMPLES 2000
#define RATE    10000.0F
#define TWO_PI  6.28318530718F

static float line[SAMPLES], frequency[SAMPLES], phase[SAMPLES];
static struct {
    float alpha, beta, angle, integral, w;
} loop;

/* |x| <= pi */
static float sine(float x)
{
    float y, s;

    if (x > 1.57079633F)
        x = 3.14159265F - x;
    else if (x < -1.57079633F)
        x = -3.14159265F - x;
    y = x * x;
    s = 2.6083159e-6F;
    s = s * y - 1.9810690e-4F;
    s = s * y + 8.3330255e-3F;
    s = s * y - 1.6666657e-1F;
    return x + x * y * s;
}
static float cosine(float x)
{
    x += 1.57079633F;
    return sine(x > 3.14159265F ? x - TWO_PI : x);
}
static void step(float v)
{
    const float dt = 1.0F / RATE;
    float e = 1.2F * (v - loop.alpha), q, correction;

    loop.alpha += dt * loop.w * (e - loop.beta);
    loop.beta += dt * loop.w * loop.alpha;
    q = loop.alpha * cosine(loop.angle) + loop.beta * sine(loop.angle);
    loop.integral += q * 0.18F;
    if (loop.integral > 80.0F)
        loop.integral = 80.0F;
    else if (loop.integral < -80.0F)
        loop.integral = -80.0F;
    correction = 90.0F * q + loop.integral;
    loop.w = TWO_PI * 50.0F + correction;
    loop.angle += dt * loop.w;
    if (loop.angle > 3.14159265F)
        loop.angle -= TWO_PI;
}

int main(void)
{
    double angle = 1.0, worst = 0, off = 0, angles[SAMPLES];
    uint64_t seed = 53;

    for (int i = 0; i < SAMPLES; i++) {
        double f = i < SAMPLES / 2 ? 50.0 : 51.5;
        angles[i] = angle;
        line[i] = (float)(sin(angle) + 0.03 * sin(3 * angle) + 0.01 * (draw_unit(&seed) - 0.5));
        angle += 2 * 3.14159265358979 * f / RATE;
    }
    memset(&loop, 0, sizeof loop);
    loop.w = TWO_PI * 50.0F;
    SHIM_KEEP(line);
    SHIM_KEEP(&loop);
    shim_region_begin("grid_pll");
    for (int i = 0; i < SAMPLES; i++) {
        step(line[i]);
        frequency[i] = loop.w / TWO_PI;
        phase[i] = loop.angle;
    }
    SHIM_KEEP(frequency);
    SHIM_KEEP(phase);
    shim_region_end("grid_pll");
    for (int i = 0; i < SAMPLES; i++) {
        if (i % (SAMPLES / 2) < SAMPLES / 2 - 200)
            continue;
        worst = fmax(worst, fabs(frequency[i] - (i < SAMPLES / 2 ? 50.0 : 51.5)));
        off = fmax(off, fabs(sin(phase[i] - angles[i])));
    }
    return sample_verdict_real("frequency", worst, 0, 1.5) | sample_verdict_real("phase", off, 0, 0.15);
}
