/* There is one register of flags: selections are made in the order of the code, though others could go between them. */
#include "shim_region.h"

double numbers[256], limit = 1;
double sum;

static double bounded(double x, double most)
{
    if (x > most)
        return most;
    return x < -most ? -most : x;
}

__attribute__((noinline)) static void work(void)
{
    double s = sum, most = limit;
#pragma clang loop vectorize(disable) unroll_count(4)
    for (int i = 0; i < 256; i++)
        s = s + bounded(bounded(numbers[i], most) - s, most);
    sum = s;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
