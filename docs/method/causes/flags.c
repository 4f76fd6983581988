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
    double limited = 0, filtered = 0, output = 0, most = limit;
#pragma clang loop vectorize(disable) unroll_count(3)
    for (int i = 0; i < 255; i++) {
        limited += bounded(numbers[i] - limited, most);
        filtered += 0.25 * (limited - filtered);
        output += 0.125 * (bounded(filtered, 0.5) - output);
    }
    sum += output;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
