/*
 * File: lookup.c
 *
 * Written by hand in the style of code generated for Simulink model 'lookup': an engine's maps, looked up in one and two
 * dimensions.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

real_T lookup_speed, lookup_load, lookup_temp;
real_T lookup_fuel, lookup_spark, lookup_idle;
real_T lookup_hist;
static const real_T lookup_bp_speed[10] = { 500, 1000, 1500, 2000, 2500, 3000, 3500, 4500, 5500, 6500 };
static const real_T lookup_bp_load[6] = { 0.1, 0.2, 0.4, 0.6, 0.8, 1.0 };
static const real_T lookup_bp_temp[5] = { -30, 0, 30, 60, 90 };
static const real_T lookup_tab_idle[5] = { 1500, 1300, 1100, 950, 800 };
real_T lookup_tab_fuel[60];
real_T lookup_tab_spark[60];

/* Lookup 1-D, linear search */
static real_T look1_linear(real_T u, const real_T bp[], const real_T table[], uint32_T maxIndex)
{
  uint32_T i = 0U;
  real_T frac;
  while (i < maxIndex - 1U && u >= bp[i + 1U]) {
    i++;
  }

  frac = (u - bp[i]) / (bp[i + 1U] - bp[i]);
  return (table[i + 1U] - table[i]) * frac + table[i];
}

/* Prelookup, binary search */
static uint32_T plook_binx(real_T u, const real_T bp[], uint32_T maxIndex, real_T *fraction)
{
  uint32_T left = 0U;
  uint32_T right = maxIndex;
  uint32_T middle = maxIndex >> 1U;
  while (right - left > 1U) {
    if (u < bp[middle]) {
      right = middle;
    } else {
      left = middle;
    }

    middle = (right + left) >> 1U;
  }

  *fraction = (u - bp[left]) / (bp[left + 1U] - bp[left]);
  return left;
}

/* Interpolation, 2-D */
static real_T intrp2d(uint32_T i, uint32_T j, real_T fi, real_T fj, const real_T table[], uint32_T stride)
{
  real_T low;
  real_T high;
  uint32_T at = i + stride * j;
  low = (table[at + 1U] - table[at]) * fi + table[at];
  at += stride;
  high = (table[at + 1U] - table[at]) * fi + table[at];
  return (high - low) * fj + low;
}

/* Model step function */
void lookup_step(void)
{
  real_T fi;
  real_T fj;
  uint32_T i;
  uint32_T j;

  /* PreLookup: '<S1>/Speed' incorporates:
   *  Inport: '<Root>/speed'
   */
  i = plook_binx(lookup_speed, lookup_bp_speed, 9U, &fi);

  /* PreLookup: '<S1>/Load' */
  j = plook_binx(lookup_load, lookup_bp_load, 5U, &fj);

  /* Interpolation_n-D: '<S1>/Fuel' */
  lookup_fuel = intrp2d(i, j, fi, fj, lookup_tab_fuel, 10U);

  /* Interpolation_n-D: '<S1>/Spark' */
  lookup_spark = intrp2d(i, j, fi, fj, lookup_tab_spark, 10U);

  /* Lookup_n-D: '<S2>/Idle' */
  lookup_idle = look1_linear(lookup_temp, lookup_bp_temp, lookup_tab_idle, 4U);

  /* Switch: '<S2>/Cold' incorporates:
   *  Gain: '<S2>/Enrich'
   */
  if (lookup_temp < 20.0) {
    lookup_fuel *= 1.0 + (20.0 - lookup_temp) * 0.01;
  }

  /* End of Switch: '<S2>/Cold' */

  /* Sum: '<S3>/History' */
  lookup_hist = 0.9 * lookup_hist + 0.1 * lookup_fuel;
}

int main(void)
{
  real_T sum = 0.0;
  lookup_hist = 0.0;
  for (int i = 0; i < 60; i++) {
    lookup_tab_fuel[i] = 1.0 + 0.1 * (real_T)(i % 10) + 0.3 * (real_T)(i / 10);
    lookup_tab_spark[i] = 30.0 - (real_T)((i * 7) % 13);
  }
  for (int step = 0; step < 1500; step++) {
    lookup_speed = 600.0 + (real_T)((step * 97) % 5800);
    lookup_load = 0.12 + (real_T)((step * 31) % 85) * 0.01;
    lookup_temp = -20.0 + (real_T)((step * 11) % 100);
    lookup_step();
    sum += lookup_hist + lookup_spark + lookup_idle;
  }
  printf("%.6f\n", sum);
  return 0;
}
