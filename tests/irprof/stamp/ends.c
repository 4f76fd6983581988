/* ends.c - a thread of 10 calls that ends, then main has 5, then the program ends as argument 1 says: kill,
 * term, abort, _exit, fork, flush. */
#include <pthread.h>
#include <shim_stamp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void row(void)
{
    __asm__ volatile("" : : : "memory");
}

static void *work(void *given)
{
    for (int i = 0; i < 10; i++)
        row();
    return given;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    const char *how = argc > 1 ? argv[1] : "";
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    for (int i = 0; i < 5; i++)
        row();
    if (strcmp(how, "flush") == 0)
        shim_stamp_flush();
    if (strcmp(how, "kill") == 0 || strcmp(how, "flush") == 0)
        raise(SIGKILL);
    if (strcmp(how, "term") == 0)
        raise(SIGTERM);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    if (strcmp(how, "fork") == 0) {
        pid_t child = fork();
        if (child == 0)
            for (int i = 0; i < 7; i++)
                row();
        else
            waitpid(child, 0, 0);
    }
    return 0;
}
