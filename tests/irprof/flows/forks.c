/* Processes made in the middle of loops and functions: the profile is the first one's alone. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int child(int n)
{
    int sum = 0;
    for (int i = 0; i < 100 * n; i++)
        sum += i % 3;
    return sum & 63;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        fflush(stdout);
        pid_t p = fork();
        if (p == 0) {
            if (i % 2)
                _exit(child(i));
            exit(child(i));
        }
        int status = 0;
        waitpid(p, &status, 0);
        sum += WEXITSTATUS(status);
    }
    printf("%d\n", sum);
    return 0;
}
