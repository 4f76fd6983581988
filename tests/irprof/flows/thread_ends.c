/* Threads that end in every way: by return, pthread_exit inside a loop, cancellation; and destructors that count. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 8 };

static pthread_key_t key;
static sem_t ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void add(long n)
{
    pthread_mutex_lock(&lock);
    sum += n;
    pthread_mutex_unlock(&lock);
}

static void forget(void *value)
{
    long n = 0;
    for (long i = 0; i < (long)value; i++)
        n ^= i;
    add(n);
}

__attribute__((noinline)) static void leave(long i, long last)
{
    if (i == last)
        pthread_exit(0);
}

static void *work(void *number)
{
    long n = (long)number, mine = 0;
    pthread_setspecific(key, (void *)(n + 3));
    for (long i = 0; i < 1000 * (n + 1); i++) {
        mine += i % 7;
        if (n % 3 == 1)
            leave(i, 500 + n);
    }
    add(mine);
    if (n % 3 == 2) {
        sem_post(&ready);
        for (;;)
            pause();
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_key_create(&key, forget);
    sem_init(&ready, 0, 0);
    for (long round = 0; round < 5; round++) {
        for (long i = 0; i < THREADS; i++)
            pthread_create(&threads[i], 0, work, (void *)i);
        for (long i = 2; i < THREADS; i += 3) {
            while (sem_wait(&ready))
                ;
        }
        for (long i = 2; i < THREADS; i += 3)
            pthread_cancel(threads[i]);
        for (long i = 0; i < THREADS; i++)
            pthread_join(threads[i], 0);
    }
    printf("%ld\n", sum);
    return 0;
}
