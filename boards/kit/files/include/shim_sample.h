/* shim_sample.h - what the samples need (samples/sample.h includes it), without stdio: regions, and the verdict of their
 * self-checks. */
#ifndef SHIM_SAMPLE_H
#define SHIM_SAMPLE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <shim_region.h>

/* The one function of stdio that samples use. */
extern int snprintf(char *restrict to, size_t n, const char *restrict format, ...);

/* The value of main: 0 when the check held. */
static inline int sample_verdict_int(const char *what, long long got, long long expected)
{
    (void)what;
    return got == expected ? 0 : 1;
}

/* |got - expected| <= tolerance; a NaN never passes. */
static inline int sample_verdict_real(const char *what, double got, double expected, double tolerance)
{
    double away = got > expected ? got - expected : expected - got;
    (void)what;
    return away <= tolerance ? 0 : 1;
}

#endif
