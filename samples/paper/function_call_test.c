/*
 * FunctionCallTest - calls: one with (int, int, double); a recursion of depth 5; a double loop of 10 divisions; a
 * recursion of depth 6 on a global counter.
 *
 * Work: 10 divisions, each needing the one before; each of the 5 + 6 steps of the recursions compares, calls, doubles
 * and adds, and because of the doubling no loop or formula replaces the calls: 10 + 11 * 4 = 54.
 */
#include "../sample.h"

static int counter;

static __attribute__((noinline)) double mix(int a, int b, double c)
{
    return a + b * c;
}

/* 2^(n + 1) - n - 2 */
static __attribute__((noinline)) int sum_down(int n)
{
    if (n <= 0)
        return 0;
    return 2 * sum_down(n - 1) + n;
}

static __attribute__((noinline)) double divide_again(double x, double divisor)
{
    int i, j;

    for (i = 0; i < 2; i++)
        for (j = 0; j < 5; j++)
            x = x / divisor;
    return x;
}

/* Counts up to the limit; 2^(steps + 1) - 1 */
static __attribute__((noinline)) int count_to(int limit)
{
    if (counter >= limit)
        return 1;
    counter++;
    return 2 * count_to(limit) + 1;
}

int main(void)
{
    int a = 3, b = 4, depth = 5, limit = 6, sum, steps;
    double c = 2.5, start = 1024.0, divisor = 2.0, mixed, divided;

    counter = 0;
    SHIM_KEEP(&counter);
    SHIM_KEEP(&a);
    SHIM_KEEP(&b);
    SHIM_KEEP(&c);
    SHIM_KEEP(&depth);
    SHIM_KEEP(&limit);
    SHIM_KEEP(&start);
    SHIM_KEEP(&divisor);
    shim_region_begin("FunctionCallTest");
    mixed = mix(a, b, c);
    SHIM_KEEP(&mixed);
    sum = sum_down(depth);
    SHIM_KEEP(&sum);
    divided = divide_again(start, divisor);
    SHIM_KEEP(&divided);
    steps = count_to(limit);
    SHIM_KEEP(&steps);
    shim_region_end("FunctionCallTest");
    SHIM_KEEP(&counter);
    if (sample_verdict_real("3 + 4 * 2.5", mixed, 13.0, 0) || sample_verdict_int("recursion over 5", sum, 64 - 5 - 2) ||
        sample_verdict_real("1024 halved 10 times", divided, 1.0, 0) ||
        sample_verdict_int("recursion over 6", steps, 127))
        return 1;
    return sample_verdict_int("the global counter", counter, 6);
}
