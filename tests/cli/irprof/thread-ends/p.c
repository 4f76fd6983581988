/* What runs when a thread ends counts too: destructors of thread-local objects, which C++ registers by this function,
 * and those of keys, which the C library calls anew in rounds as long as one of them sets its key again, at least four.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__dso_handle;
int __cxa_thread_atexit_impl(void (*f)(void *), void *object, void *dso);

static pthread_key_t key, other;
static volatile int cleaned;

void object_gone(void *x)
{
    (void)x;
}
void key_gone(void *x)
{
    int *rounds = x;
    if (--*rounds)
        pthread_setspecific(key, x);
    else
        free(x);
}
__attribute__((noinline)) void clean(void *x)
{
    (void)x;
    cleaned = 1;
}
void *work(void *x)
{
    int *rounds = malloc(sizeof *rounds);
    *rounds = 4;
    pthread_setspecific(key, rounds);
    __cxa_thread_atexit_impl(object_gone, 0, &__dso_handle);
    if (x)
        pthread_exit(0);
    return 0;
}
void *waits(void *x)
{
    pthread_cleanup_push(clean, 0);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return x;
}

int main(void)
{
    pthread_t t[20];
    pthread_key_create(&key, key_gone);
    pthread_key_create(&other, 0);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 20; i++)
            pthread_create(&t[i], 0, work, i % 2 ? &key : 0);
        for (int i = 0; i < 20; i++)
            pthread_join(t[i], 0);
    }
    for (int i = 0; i < 20; i++)
        pthread_create(&t[i], 0, waits, 0);
    for (int i = 0; i < 20; i++)
        pthread_cancel(t[i]);
    for (int i = 0; i < 20; i++)
        pthread_join(t[i], 0);
    pthread_exit(0); /* the process goes on to its end without its first thread's stack */
}
