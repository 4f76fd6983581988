/* A thread forks while others count. The child has that thread alone, starts from zero, and makes threads of its own.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int stop, more;

__attribute__((noinline)) void step(void)
{
    more++;
}
__attribute__((noinline)) void spin(void)
{
    more++;
}
void *spinner(void *x)
{
    while (!stop)
        spin();
    return x;
}
void *small(void *x)
{
    for (int i = 0; i < 10; i++)
        step();
    return x;
}
void in_child(void)
{
    pthread_t t[3];
    for (int i = 0; i < 7; i++)
        step();
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, small, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
void *forker(void *x)
{
    for (int i = 0; i < 100; i++)
        step();
    pid_t child = fork();
    if (!child) {
        in_child();
        exit(0);
    }
    waitpid(child, 0, 0);
    return x;
}

int main(void)
{
    pthread_t spinning[2], t;
    for (int i = 0; i < 2; i++)
        pthread_create(&spinning[i], 0, spinner, 0);
    for (int i = 0; i < 20; i++) {
        pthread_create(&t, 0, forker, 0);
        pthread_join(t, 0);
    }
    stop = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(spinning[i], 0);
}
