/* Coroutines: functions that are left in a call and gone on with later, or never. */
#include <stdio.h>
#include <ucontext.h>

static ucontext_t home, routine[3];
static char stacks[3][65536];
static int value;

static void generate(int first, int step)
{
    for (int i = first;; i += step) {
        value = i;
        for (int k = 0; k < i % 4; k++)
            value ^= k << 8;
        swapcontext(&routine[step - 1], &home);
    }
}

int main(void)
{
    long sum = 0;
    for (int i = 0; i < 3; i++) {
        getcontext(&routine[i]);
        routine[i].uc_stack.ss_sp = stacks[i];
        routine[i].uc_stack.ss_size = sizeof stacks[i];
        routine[i].uc_link = &home;
        makecontext(&routine[i], (void (*)(void))generate, 2, i * 10, i + 1);
    }
    for (int i = 0; i < 100; i++) {
        swapcontext(&home, &routine[i % 3]);
        sum = sum * 3 % 1000003 + value;
    }
    printf("%ld\n", sum);
    return 0;
}
