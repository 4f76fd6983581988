/* A region counts what all threads do between its first begin and its last end. */
#include <pthread.h>

#include "shim_region.h"

static pthread_barrier_t barrier;

__attribute__((noinline)) void step(volatile int *at)
{
    ++*at;
}
void steps(int n)
{
    volatile int at = 0;
    while (n--)
        step(&at);
}
void *early(void *x) /* begun before the region, ends behind it */
{
    steps(1000);
    pthread_barrier_wait(&barrier); /* 1: not in the region yet */
    pthread_barrier_wait(&barrier); /* 2: in it */
    steps(200);
    pthread_barrier_wait(&barrier); /* 3: still in it */
    pthread_barrier_wait(&barrier); /* 4: not any more */
    steps(3000);
    return x;
}
void *inside(void *x) /* begins and ends while the region is open */
{
    steps(40);
    return x;
}
void *overlapping(void *x) /* opens the region again, and closes it last */
{
    shim_region_begin("r");
    pthread_barrier_wait(&barrier); /* 5 */
    pthread_barrier_wait(&barrier); /* 6: main is out */
    steps(5);
    shim_region_end("r");
    steps(60000);
    return x;
}

int main(void)
{
    pthread_t t, u;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&t, 0, early, 0);
    pthread_barrier_wait(&barrier);
    shim_region_begin("r");
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 3; i++) {
        pthread_create(&u, 0, inside, 0);
        pthread_join(u, 0);
    }
    pthread_barrier_wait(&barrier);
    shim_region_end("r");
    pthread_barrier_wait(&barrier);
    pthread_join(t, 0);

    shim_region_begin("r");
    pthread_create(&u, 0, overlapping, 0);
    pthread_barrier_wait(&barrier);
    shim_region_begin("in it");
    steps(700000);
    shim_region_end("in it");
    shim_region_end("r");
    pthread_barrier_wait(&barrier);
    pthread_join(u, 0);
}
