/* Regions opened and closed while all other threads stand still, each inside a call. */
#include <pthread.h>
#include <shim_region.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER, all_wait = PTHREAD_COND_INITIALIZER;
static int waiting, round_;
static unsigned long result[THREADS];

static void *work(void *number)
{
    long n = (long)number;
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < 100 * r; i++)
            result[n] = result[n] * 31 + (unsigned long)i;
        pthread_mutex_lock(&lock);
        if (++waiting == THREADS)
            pthread_cond_signal(&all_wait);
        while (round_ == r)
            pthread_cond_wait(&next, &lock);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

/* Holds the lock but while it waits, so that nobody can be ahead of it: each wait is one round of its loop. */
int main(void)
{
    pthread_t threads[THREADS];
    pthread_mutex_lock(&lock);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int r = 0; r < ROUNDS; r++) {
        while (waiting < THREADS)
            pthread_cond_wait(&all_wait, &lock);
        if (r % 2)
            shim_region_end("odd");
        else
            shim_region_begin("odd");
        waiting = 0;
        round_++;
        pthread_cond_broadcast(&next);
    }
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    printf("%lu\n", result[0]);
    return 0;
}
