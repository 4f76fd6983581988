/*
 * sample.h - what every sample program needs: regions, and the verdict.
 *
 * Rules for samples: deterministic; the work stands inside a region, its inputs come from memory the compiler cannot
 * see through (SHIM_KEEP) and its results go there, so that the work survives every optimisation level; main checks the
 * result and returns 0 or 1; main may be called twice in one process (a warm-up run), so it initialises all it uses.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#ifdef SHIM_KIT /* for a part without an operating system: nothing is printed */
#include <shim_sample.h>
#else

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shim_region.h>

/* The exit code of main: 0 when the check held; otherwise says what came out and returns 1. */
static inline int sample_verdict_int(const char *what, long long got, long long expected)
{
    if (got == expected)
        return 0;
    fprintf(stderr, "self-check failed: %s is %lld, expected %lld\n", what, got, expected);
    return 1;
}

/* For floating point: |got - expected| <= tolerance (absolute); NaN never passes. */
static inline int sample_verdict_real(const char *what, double got, double expected, double tolerance)
{
    if (fabs(got - expected) <= tolerance)
        return 0;
    fprintf(stderr, "self-check failed: %s is %.17g, expected %.17g +- %g\n", what, got, expected, tolerance);
    return 1;
}

#endif
#endif
