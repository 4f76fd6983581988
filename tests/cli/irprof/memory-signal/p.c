#include <signal.h>
#include <string.h>
#include <sys/time.h>

static char big[1 << 20];
static volatile int rings;

static void ring(int number)
{
    (void)number;
    for (int i = 0; i < 64; i++)
        ((volatile char *)big)[i * 4096 + rings % 4096]++;
    rings++;
}
__attribute__((noinline)) static void walk(void)
{
    for (int i = 0; i < 1 << 20; i += 61)
        ((volatile char *)big)[i] = 1;
}
int main(void)
{
    struct sigaction a;
    struct itimerval t = {{0, 200}, {0, 200}};
    memset(&a, 0, sizeof a);
    a.sa_handler = ring;
    sigaction(SIGALRM, &a, 0);
    setitimer(ITIMER_REAL, &t, 0);
    int walks = 0;
    while (rings < 500 || walks < 100) {
        walk();
        walks++;
    }
    return 0;
}
