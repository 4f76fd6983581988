#include <pthread.h>
static volatile int a[2];
static void *work(void *p)
{
    for (int i = 0; i < 1000; i++)
        a[(long)p]++;
    return 0;
}
int main(void)
{
    pthread_t t;
    work(0);
    pthread_create(&t, 0, work, (void *)1);
    return pthread_join(t, 0);
}
