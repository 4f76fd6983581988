/*
 * Fibonacci_F - the 17th Fibonacci number by recursion, fib(0) = fib(1) = 1, float argument and result.
 *
 * Work: fib(17) = 2584 is a sum of 2584 ones, so 2583 fadd; each of the 2583 inner nodes also decides and makes at
 * least one call (the other may become a loop): 3 * 2583 = 7749.
 */
#include "../sample.h"

static __attribute__((noinline)) float fibonacci(float n)
{
    if (n <= 1)
        return 1;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    float n = 17, result;

    SHIM_KEEP(&n);
    shim_region_begin("Fibonacci_F");
    result = fibonacci(n);
    SHIM_KEEP(&result);
    shim_region_end("Fibonacci_F");
    return sample_verdict_int("fib(17)", (long long)result, 2584);
}
