/*
 * File: sections.c
 *
 * Written by hand in the style of code generated for Simulink model 'sections': not judged, for looking at causes of errors.
 */
#include <stdio.h>
#include "../rtwtypes.h"
typedef struct { real_T x[4]; real_T last; int32_T count; } Sub_T;
typedef struct { Sub_T a, b, c; real_T D1, D2, Sum; uint16_T T; boolean_T Run; } DW_T;
DW_T sections_DW; real_T sections_U[6], sections_Y[6]; boolean_T sections_Enable;
static const real_T sections_bp[6] = {0.0, 0.5, 1.0, 2.0, 4.0, 8.0}, sections_v[6] = {1.0, 1.2, 1.9, 3.1, 4.0, 4.2};
/* Output and update for atomic system: '<Root>/Biquad' */
__attribute__((noinline)) static void sections_Biquad(Sub_T *s, real_T u, real_T *y)
{
  real_T w;
  /* DiscreteFilter: '<S1>/Section 1' */
  w = u - 0.4 * s->x[0] + 0.1 * s->x[1];
  *y = 0.3 * w + 0.5 * s->x[0] + 0.3 * s->x[1];
  s->x[1] = s->x[0]; s->x[0] = w;
  /* DiscreteFilter: '<S1>/Section 2' */
  w = *y - 0.2 * s->x[2] + 0.05 * s->x[3];
  *y = 0.2 * w + 0.6 * s->x[2] + 0.2 * s->x[3];
  s->x[3] = s->x[2]; s->x[2] = w;
  /* Sum: '<S1>/Count' */
  s->count++;
  /* UnitDelay: '<S1>/Last' */
  s->last = u;
}
void sections_step(void)
{
  real_T t, d, f, r; int32_T i, k;
  /* Outputs for Atomic SubSystem: '<Root>/Biquad' */
  sections_Biquad(&sections_DW.a, sections_U[0], &sections_Y[0]);
  sections_Biquad(&sections_DW.b, sections_U[1] + sections_Y[0], &sections_Y[1]);
  /* End of Outputs for SubSystem: '<Root>/Biquad' */
  /* Lookup_n-D: '<S2>/Table' */
  t = sections_U[2]; k = 0;
  while (k < 4 && t >= sections_bp[k + 1]) { k++; }
  f = (t - sections_bp[k]) / (sections_bp[k + 1] - sections_bp[k]);
  r = sections_v[k] + f * (sections_v[k + 1] - sections_v[k]);
  /* Derivative: '<S2>/Derivative' */
  d = (r - sections_DW.D1) * 100.0; sections_DW.D1 = r;
  /* Outputs for Enabled SubSystem: '<Root>/Slow' */
  if (sections_Enable) {
    /* Sum: '<S3>/Total' */
    sections_DW.Sum += d * 0.01 + sections_Y[1];
    /* Product: '<S3>/Power' */
    sections_Y[3] = sections_DW.Sum * sections_U[3];
    /* DiscreteTransferFcn: '<S3>/Lag' */
    sections_DW.D2 = 0.9 * sections_DW.D2 + 0.1 * sections_Y[3];
  }
  /* End of Outputs for SubSystem: '<Root>/Slow' */
  /* MinMax: '<Root>/Clamp' */
  t = d > 5.0 ? 5.0 : d; sections_Y[4] = t < -5.0 ? -5.0 : t;
  /* Sum: '<Root>/Sum of Elements' */
  t = 0.0; for (i = 0; i < 6; i++) { t += sections_U[i]; } sections_Y[5] = t;
  /* Gain: '<Root>/Weights' */
  for (i = 0; i < 3; i++) { sections_Y[i] = sections_Y[i] * 0.25 + sections_U[i + 3]; }
  /* Polyval: '<Root>/Polynomial' */
  sections_Y[2] = ((0.1 * r + 0.2) * r - 0.7) * r + 1.0;
}
int main(void)
{
  uint32_T s = 5U; int32_T n, i;
  for (n = 0; n < 1000; n++) { for (i = 0; i < 6; i++) { s = s * 1103515245U + 12345U; sections_U[i] = (real_T)(s >> 20 & 1023U) / 128.0; } sections_Enable = (boolean_T)(n % 3 != 0); sections_step(); }
  printf("%g %g %g\n", sections_Y[1], sections_Y[2], sections_DW.D2); return 0;
}
