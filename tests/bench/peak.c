/* peak.c - `peak COMMAND...` runs a command, its standard output into nothing, and prints how long it took [ms], the
 * greatest memory that it or a process of its held [KiB], its exit status, and the processor time of all these [ms]. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double ms(struct timeval t)
{
    return 1e3 * (double)t.tv_sec + 1e-3 * (double)t.tv_usec;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: peak COMMAND...\n");
        return 2;
    }
    double begin = now_ms();
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (nowhere >= 0 && dup2(nowhere, 1) == 1)
            execvp(argv[1], argv + 1);
        _exit(127);
    }
    int status = 0;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return 1;
    printf("%.0f %ld %d %.0f\n", now_ms() - begin, used.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : -1,
           ms(used.ru_utime) + ms(used.ru_stime));
    return 0;
}
