/* Threads with the smallest stacks there are, and a module of 4000 functions: 32 KB of counters. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "many.h"

void *work(void *x)
{
    return many(x);
}

int main(void)
{
    pthread_attr_t a;
    pthread_t t[4];
    pthread_attr_init(&a);
    int wrong = pthread_attr_setstacksize(&a, PTHREAD_STACK_MIN);
    for (int i = 0; i < 4 && !wrong; i++)
        wrong = pthread_create(&t[i], &a, work, 0);
    if (wrong)
        puts(strerror(wrong));
    for (int i = 0; i < 4 && !wrong; i++)
        pthread_join(t[i], 0);
}
