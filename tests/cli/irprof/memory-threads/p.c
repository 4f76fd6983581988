#include <pthread.h>

int a[4096] __attribute__((aligned(64)));
int again(void);

__attribute__((noinline)) static int first(void)
{
    int s = 0;
    for (int i = 0; i < 4096; i++)
        s += ((volatile int *)a)[i];
    return s;
}
static void *work(void *unused)
{
    first();
    again();
    return unused;
}
int main(void)
{
    pthread_t t[2];
    work(0);
    for (int i = 0; i < 2; i++) { /* one after the other */
        if (pthread_create(&t[0], 0, work, 0) || pthread_join(t[0], 0))
            return 1;
    }
    for (int i = 0; i < 2; i++)
        if (pthread_create(&t[i], 0, work, 0))
            return 1;
    for (int i = 0; i < 2; i++)
        if (pthread_join(t[i], 0))
            return 1;
    return 0;
}
