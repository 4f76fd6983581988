/*
 * Fibonacci - the 17th Fibonacci number by recursion, fib(0) = fib(1) = 1, int argument and result.
 *
 * Work: fib(17) = 2584 is a sum of 2584 ones, so 2583 add; each of the 2583 inner nodes also decides and makes at least
 * one call (the other may become a loop): 3 * 2583 = 7749.
 */
#include "../sample.h"

static __attribute__((noinline)) int fibonacci(int n)
{
    if (n <= 1)
        return 1;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    int n = 17, result;

    SHIM_KEEP(&n);
    shim_region_begin("Fibonacci");
    result = fibonacci(n);
    SHIM_KEEP(&result);
    shim_region_end("Fibonacci");
    return sample_verdict_int("fib(17)", (long long)result, 2584);
}
