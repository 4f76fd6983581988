/* threads.c - four threads that share rows unevenly; each row is a call of `row`. Prints the sum, which no order
 * of threads changes. */
#include <pthread.h>
#include <shim_region.h>
#include <shim_stamp.h>
#include <stdio.h>

enum { THREADS = 4, ROWS = 40, N = 4000 };

static unsigned sums[ROWS];

__attribute__((noinline)) static unsigned row(int r)
{
    unsigned s = 0;
    for (unsigned i = 0; i < N; i++)
        s = s * 31 + (i ^ (unsigned)r);
    return s;
}

/* Thread t takes t + 1 of ten rows. */
static void *work(void *given)
{
    int t = (int)(long)given, first = t * (t + 1) / 2;
    for (int ten = 0; ten < ROWS; ten += 10)
        for (int r = first; r < first + t + 1; r++)
            sums[ten + r] = row(ten + r);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned sum = 0;
    shim_region_begin("rows");
    for (long t = 0; t < THREADS; t++)
        pthread_create(&threads[t], 0, work, (void *)t);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], 0);
    shim_region_end("rows");
    shim_stamp("all rows");
    for (int r = 0; r < ROWS; r++)
        sum += sums[r];
    printf("%u\n", sum);
    return 0;
}
