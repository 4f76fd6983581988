/* A thread counts in a destructor, at the same time as another that begins there. */
#include <pthread.h>

static pthread_key_t key;
static pthread_barrier_t both;

__attribute__((noinline)) static void step(volatile int *at)
{
    ++*at;
}
__attribute__((noinline)) static void *steps(void *x)
{
    volatile int at = 0;
    pthread_barrier_wait(&both);
    for (int i = 0; i < 200000000; i++)
        step(&at);
    return x;
}
static void destroy(void *x)
{
    pthread_t t;
    pthread_create(&t, 0, steps, x);
    steps(x);
    pthread_join(t, 0);
}
static void *begin(void *x)
{
    volatile int at = 0;
    step(&at);
    pthread_setspecific(key, &key);
    return x;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&both, 0, 2);
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, begin, 0);
    pthread_join(t, 0);
}
