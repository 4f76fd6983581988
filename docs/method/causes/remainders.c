/* A remainder is a division and a subtraction, which waits for the quotient; so does all that comes after it. */
#include "shim_region.h"

unsigned dividend = 4000000007U;
unsigned result;

__attribute__((noinline)) static void work(void)
{
    unsigned n = dividend, sum = 0, other = 1;
#pragma clang loop unroll(disable)
    for (unsigned i = 1; i <= 256; i++) {
        sum += n % i;
        other = other * 5 + i;
        other ^= other >> 3;
    }
    result += sum + other;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
