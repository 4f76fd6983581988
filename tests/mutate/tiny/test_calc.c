/* A test that leaves some of calc.c untested: calc_limited at its borders, calc_odd for even numbers. */
#include <stdio.h>

#include "calc.h"

int main(void)
{
    bool good = calc_name()[0] == 'a' && calc_min(1, 2) == 1 && calc_min(2, 1) == 1 && calc_limited(4) == 8 &&
                calc_limited(20) == 10 && calc_double(3) == 6 && calc_odd(3);
    printf("1..1\n%s 1 - calc\n", good ? "ok" : "not ok");
    return !good;
}
