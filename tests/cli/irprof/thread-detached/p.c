/* Threads that nobody waits for still run when the program ends: what they did counts. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready, more;

__attribute__((noinline)) void step(void)
{
    more++;
}
void *work(void *x)
{
    for (int i = 0; i < 1000; i++)
        step();
    ready++;
    for (;;)
        pause();
    return x;
}
__attribute__((noinline)) void spin(void)
{
    more++;
}
/* ... and this one never stops counting. */
void *spinner(void *x)
{
    ready++;
    for (;;)
        spin();
    return x;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 10; i++) {
        pthread_create(&t, 0, work, 0);
        pthread_detach(t);
    }
    pthread_create(&t, 0, spinner, 0);
    pthread_detach(t);
    while (ready < 11)
        usleep(1000);
    usleep(1000);
    return 0;
}
