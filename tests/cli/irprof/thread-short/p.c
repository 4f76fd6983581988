/* Twenty thousand threads, one after the other and a few at a time, use each other's memory again. */
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>

#include "many.h"

static long peak(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}
void *work(void *x)
{
    return many(x);
}
static void some(int n)
{
    pthread_t t[4];
    for (int round = 0; round < n / 4; round++) {
        for (int i = 0; i < 4; i++)
            pthread_create(&t[i], 0, work, 0);
        for (int i = 0; i < 4; i++)
            pthread_join(t[i], 0);
    }
}

int main(void)
{
    some(100);
    long before = peak();
    some(19900);
    if (peak() - before > 2048)
        printf("%ld KB more\n", peak() - before);
}
