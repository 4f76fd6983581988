/* A loop without end, in a function that never returns, ended by a signal whose default is to kill. */
#include <signal.h>

static volatile unsigned long rounds;

__attribute__((noinline)) static void tick(void)
{
    if (++rounds >= 12345)
        raise(SIGTERM);
}

__attribute__((noinline, noreturn)) static void forever(void)
{
    for (unsigned x = 1;; x = x * 5 + 1) {
        if (x & 4)
            rounds += 2;
        tick();
    }
}

int main(void)
{
    forever();
}
