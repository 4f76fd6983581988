/* Signal handlers that count, come back or leave by siglongjmp. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf back;
static volatile int handled, left;

static int weigh(int n)
{
    int w = 0;
    while (n) {
        w += n & 1;
        n >>= 1;
    }
    return w;
}

static void comes_back(int number)
{
    for (int i = 0; i < number; i++)
        handled += weigh(i);
}

static void leaves(int number)
{
    left += number > 0;
    if (left % 3)
        siglongjmp(back, left);
}

int main(void)
{
    volatile int sum = 0;
    signal(SIGUSR1, comes_back);
    signal(SIGUSR2, leaves);
    for (volatile int i = 0; i < 50; i++) {
        if (sigsetjmp(back, 1) == 0) {
            for (int k = 0; k < 10; k++) {
                sum += k;
                if (k == 4)
                    raise(SIGUSR1);
                if (k == i % 10)
                    raise(SIGUSR2);
            }
        } else {
            sum--;
        }
    }
    printf("%d %d %d\n", handled, left, sum);
    return 0;
}
