/* What is tested. */
#ifndef TINY_CALC_H
#define TINY_CALC_H

#include <stdbool.h>

const char *calc_name(void);
int calc_min(int a, int b);
int calc_limited(int x);
int calc_double(long n);
bool calc_odd(int x);

#endif
