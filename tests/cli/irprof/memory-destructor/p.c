/* A thread reads its lines again in a destructor, when another has begun and ended there. */
#include <pthread.h>

static volatile char block[16384] __attribute__((aligned(64)));
static pthread_key_t key;

__attribute__((noinline)) static void first(void)
{
    for (int i = 0; i < 16384; i += 64)
        (void)block[i];
}
__attribute__((noinline)) static void again(void)
{
    for (int i = 0; i < 16384; i += 64)
        (void)block[i];
}
static void *other(void *x)
{
    (void)block[0];
    return x;
}
static void destroy(void *x)
{
    pthread_t t;
    pthread_create(&t, 0, other, x);
    pthread_join(t, 0);
    again();
}
static void *begin(void *x)
{
    first();
    pthread_setspecific(key, &key);
    return x;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, begin, 0);
    pthread_join(t, 0);
}
