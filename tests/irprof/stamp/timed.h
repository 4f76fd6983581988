/* timed.h - what the programs of the stamps' tests and bench share: they run their work so many times (argument
 * 1, 1), and print a hash of the results, or with argument 2, "time", the time of the shortest run [ns]: others
 * only add to it. */
#ifndef TIMED_H
#define TIMED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double timed_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* FNV-1a of the results' bytes. */
static inline uint64_t timed_hash(const void *at, size_t n)
{
    const unsigned char *p = at;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

static inline int timed_main(int argc, char **argv, void (*work)(void), const void *results, size_t n)
{
    int runs = argc > 1 ? atoi(argv[1]) : 1;
    double least = 0;
    for (int i = 0; i < runs; i++) {
        double before = timed_now();
        work();
        double took = timed_now() - before;
        least = i == 0 || took < least ? took : least;
    }
    if (argc > 2)
        printf("%.0f\n", least);
    else
        printf("%016llx\n", (unsigned long long)timed_hash(results, n));
    return 0;
}

#endif
