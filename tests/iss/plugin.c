/* For plugin.test: regions in a program that has threads, a child and a signal beside them. */
#include "shim_region.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop;

static void *other(void *unused)
{
    volatile long x = 0;
    (void)unused;
    while (!stop)
        x = x + 1;
    return NULL;
}

static void ignore(int number)
{
    (void)number;
}

/* 1 subtraction, 1 branch an iteration: of known cost, of a known number of instructions. In one group that is
 * fetched. */
static void rounds(long n)
{
#if defined(__aarch64__)
    __asm__ volatile(".p2align 3\n1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#endif
}

static void nothing(void)
{
    shim_region_begin("nothing");
    shim_region_end("nothing");
}

int main(void)
{
    pthread_t threads[2];
    int status = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, other, NULL);
    signal(SIGUSR1, ignore);
    nothing();
    shim_region_begin("loop");
    rounds(100000);
    shim_region_end("loop");
    pid_t child = fork();
    if (child == 0) {
        shim_region_begin("loop");
        rounds(1000);
        shim_region_end("loop");
        _exit(3);
    }
    waitpid(child, &status, 0);
    shim_region_begin("outer");
    shim_region_begin("inner");
    rounds(1000);
    shim_region_end("inner");
    raise(SIGUSR1);
    shim_region_end("outer");
    stop = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("done, the child said %d\n", WEXITSTATUS(status));
    return 0;
}
