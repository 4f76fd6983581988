/* A handler that counts interrupts threads that come and go, regions, and the runtime in all of them. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "shim_region.h"

static atomic_int handled, more;

__attribute__((noinline)) void in_handler(void)
{
    handled++;
}
void handler(int number)
{
    (void)number;
    in_handler();
}
__attribute__((noinline)) void step(void)
{
    more++;
}
void *work(void *x)
{
    for (int i = 0; i < 100; i++) {
        shim_region_begin("r");
        step();
        shim_region_end("r");
    }
    return x;
}

int main(void)
{
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_handler = handler;
    a.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &a, 0);
    struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, 0);
    for (int round = 0; round < 100; round++) {
        pthread_t t[4];
        for (int i = 0; i < 4; i++)
            pthread_create(&t[i], 0, work, 0);
        for (int i = 0; i < 4; i++)
            pthread_join(t[i], 0);
    }
    setitimer(ITIMER_REAL, &never, 0);
    usleep(1000);
    printf("in_handler,%d\n", handled);
    if (!handled)
        puts("no signal came");
}
