/* What tests/mutate/mutate.test changes: each mutant of it is known, and whether test_calc.c notices it. */
#include "calc.h"

#define LIMIT    10
#define TWICE(x) ((x) + (x))

static int calls; /* if (a < b) a = b + 1; */

const char *calc_name(void)
{
    return "a < b && !c"; // x = x + 1;
}

int calc_min(int a, int b)
{
    calls = a;
    if (a < b)
        return a;
    return b;
}

int calc_limited(int x)
{
    if (x > 0 && x < LIMIT)
        return TWICE(x);
    return LIMIT;
}

int calc_double(long n)
{
    int sum = 0;
    for (volatile long i = 0; i < n; i++)
        sum += 2;
    return sum;
}

bool calc_odd(int x)
{
    switch (x & 1) {
    case 0:
        break;
    default:
        return true;
    }
    return !x && false;
}
