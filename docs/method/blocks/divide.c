/*
 * File: divide.c
 *
 * Written by hand in the style of code generated for Simulink model 'divide': divisions, roots by iteration and series,
 * whose time depends on latencies.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

real_T divide_u, divide_root, divide_sine, divide_ratio, divide_log;
uint32_T divide_n, divide_digits;

/* Model step function */
void divide_step(void)
{
  real_T x;
  real_T term;
  uint32_T n;
  int32_T i;

  /* Sqrt: '<S1>/Newton root' */
  x = divide_u * 0.5 + 0.5;
  for (i = 0; i < 6; i++) {
    x = 0.5 * (x + divide_u / x);
  }

  divide_root = x;

  /* Trigonometry: '<S1>/Sine series' */
  x = divide_u - 2.0;
  term = x;
  divide_sine = x;
  for (i = 1; i < 8; i++) {
    term *= -(x * x) / (real_T)((2 * i) * (2 * i + 1));
    divide_sine += term;
  }

  /* End of Trigonometry: '<S1>/Sine series' */

  /* Product: '<S2>/Continued fraction' */
  x = 1.0;
  for (i = 12; i > 0; i--) {
    x = (real_T)i + divide_u / x;
  }

  divide_ratio = x;

  /* Math: '<S2>/Logarithm' */
  x = (divide_u - 1.0) / (divide_u + 1.0);
  term = x;
  divide_log = 0.0;
  for (i = 1; i < 20; i += 2) {
    divide_log += term / (real_T)i;
    term *= x * x;
  }

  /* End of Math: '<S2>/Logarithm' */

  /* S-Function: '<S3>/Digits' */
  n = divide_n;
  divide_digits = 0U;
  while (n > 0U) {
    divide_digits += n % 10U;
    n /= 10U;
  }

  /* Math: '<S3>/gcd' */
  n = divide_n;
  for (uint32_T m = 360360U; m != 0U;) {
    uint32_T rest = n % m;
    n = m;
    m = rest;
  }

  divide_digits += n;
}

int main(void)
{
  real_T sum = 0.0;
  uint32_T digits = 0U;
  for (int step = 0; step < 400; step++) {
    divide_u = 0.5 + (real_T)((step * 13) % 40) * 0.1;
    divide_n = (uint32_T)step * 2654435761U;
    divide_step();
    sum += divide_root + divide_sine + divide_ratio + divide_log;
    digits += divide_digits;
  }
  printf("%.6f %u\n", sum, (unsigned)digits);
  return 0;
}
