#include <threads.h>

__attribute__((noinline)) static void step(volatile int *at)
{
    ++*at;
}
int work(void *x)
{
    volatile int at = 0;
    for (int i = 0; i < 30000; i++)
        step(&at);
    return x != 0;
}
int main(void)
{
    thrd_t t[4];
    for (int i = 0; i < 4; i++)
        thrd_create(&t[i], work, 0);
    for (int i = 0; i < 4; i++)
        thrd_join(t[i], 0);
}
