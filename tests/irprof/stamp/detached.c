/* detached.c - a thread that goes on stamping while the program ends. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile unsigned rows;

__attribute__((noinline)) static void row(void)
{
    __atomic_fetch_add(&rows, 1, __ATOMIC_RELAXED);
}

static void *work(void *given)
{
    (void)given;
    for (;;)
        row();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    while (__atomic_load_n(&rows, __ATOMIC_RELAXED) < 1000)
        usleep(1000);
    puts("ends");
    return 0;
}
