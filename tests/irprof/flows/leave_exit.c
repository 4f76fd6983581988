/* exit in a callee, inside loops in the middle of recursion; then functions of atexit, which loop. */
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned total;

static void last(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < total % 100; i++)
        sum += i * i;
    printf("%u %u\n", total, sum);
}

__attribute__((noinline)) static unsigned work(unsigned n, unsigned limit)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < i; k += 3)
            sum += k ^ i;
        total++;
        if (total == limit)
            exit(7);
        sum += work(i, limit);
    }
    return sum;
}

int main(void)
{
    atexit(last);
    for (;;)
        total += work(9, 20000) & 1;
}
