/*
 * File: quaternion.c
 *
 * Written by hand in the style of code generated for Simulink model 'quaternion': not judged, for looking at causes of errors.
 */
#include <math.h>
#include <stdio.h>
#include "../rtwtypes.h"
typedef struct { real32_T Q[4]; real32_T Bias[3]; real32_T Lp[6]; real32_T Energy; } DW_T;
DW_T quaternion_DW = {{1.0F, 0.0F, 0.0F, 0.0F}, {0}, {0}, 0.0F}; real32_T quaternion_Gyro[3], quaternion_Acc[3], quaternion_Out[9], quaternion_Angle;
void quaternion_step(void)
{
  real32_T w[3], g[3], e[3], q[4], n; int32_T i;
  /* Sum: '<S1>/Remove bias' */
  for (i = 0; i < 3; i++) { w[i] = quaternion_Gyro[i] - quaternion_DW.Bias[i]; }
  /* DiscreteFilter: '<S1>/Low pass' */
  for (i = 0; i < 6; i++) { quaternion_DW.Lp[i] += 0.1F * ((i < 3 ? quaternion_Acc[i] : w[i - 3]) - quaternion_DW.Lp[i]); }
  /* Product: '<S2>/Normalize' */
  n = sqrtf(quaternion_DW.Lp[0] * quaternion_DW.Lp[0] + quaternion_DW.Lp[1] * quaternion_DW.Lp[1] + quaternion_DW.Lp[2] * quaternion_DW.Lp[2]) + 1.0e-3F;
  g[0] = quaternion_DW.Lp[0] / n; g[1] = quaternion_DW.Lp[1] / n; g[2] = quaternion_DW.Lp[2] / n;
  /* Fcn: '<S2>/Cross' */
  e[0] = g[1] * (1.0F - 2.0F * (quaternion_DW.Q[1] * quaternion_DW.Q[1])) - g[2] * 2.0F * quaternion_DW.Q[2];
  e[1] = g[2] * 2.0F * quaternion_DW.Q[1] - g[0] * (1.0F - 2.0F * (quaternion_DW.Q[2] * quaternion_DW.Q[2]));
  e[2] = g[0] * quaternion_DW.Q[2] - g[1] * quaternion_DW.Q[1];
  /* DiscreteIntegrator: '<S2>/Bias' */
  for (i = 0; i < 3; i++) { quaternion_DW.Bias[i] += 1.0e-4F * e[i]; }
  /* MATLAB Function: '<S3>/Quaternion' */
  q[0] = quaternion_DW.Q[0] + 5.0e-3F * (-quaternion_DW.Q[1] * w[0] - quaternion_DW.Q[2] * w[1] - quaternion_DW.Q[3] * w[2]);
  q[1] = quaternion_DW.Q[1] + 5.0e-3F * (quaternion_DW.Q[0] * w[0] + quaternion_DW.Q[2] * w[2] - quaternion_DW.Q[3] * w[1]);
  q[2] = quaternion_DW.Q[2] + 5.0e-3F * (quaternion_DW.Q[0] * w[1] - quaternion_DW.Q[1] * w[2] + quaternion_DW.Q[3] * w[0]);
  q[3] = quaternion_DW.Q[3] + 5.0e-3F * (quaternion_DW.Q[0] * w[2] + quaternion_DW.Q[1] * w[1] - quaternion_DW.Q[2] * w[0]);
  /* Math: '<S3>/Renormalize' */
  n = 1.0F / sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (i = 0; i < 4; i++) { quaternion_DW.Q[i] = q[i] * n; }
  /* Fcn: '<S4>/Rotation' */
  quaternion_Out[0] = 1.0F - 2.0F * (quaternion_DW.Q[2] * quaternion_DW.Q[2] + quaternion_DW.Q[3] * quaternion_DW.Q[3]);
  quaternion_Out[1] = 2.0F * (quaternion_DW.Q[1] * quaternion_DW.Q[2] - quaternion_DW.Q[0] * quaternion_DW.Q[3]);
  quaternion_Out[2] = 2.0F * (quaternion_DW.Q[1] * quaternion_DW.Q[3] + quaternion_DW.Q[0] * quaternion_DW.Q[2]);
  quaternion_Out[3] = 2.0F * (quaternion_DW.Q[1] * quaternion_DW.Q[2] + quaternion_DW.Q[0] * quaternion_DW.Q[3]);
  quaternion_Out[4] = 1.0F - 2.0F * (quaternion_DW.Q[1] * quaternion_DW.Q[1] + quaternion_DW.Q[3] * quaternion_DW.Q[3]);
  /* Trigonometry: '<S4>/Atan2' */
  quaternion_Angle = atan2f(quaternion_Out[3], quaternion_Out[0]);
  /* Sum: '<S4>/Energy' */
  quaternion_DW.Energy = 0.99F * quaternion_DW.Energy + (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  /* Abs: '<S4>/Limits' */
  for (i = 0; i < 3; i++) { quaternion_Out[6 + i] = fabsf(w[i]) > 2.0F ? 2.0F : w[i]; }
}
int main(void)
{
  uint32_T s = 3U; int32_T n, i;
  for (n = 0; n < 1000; n++) { for (i = 0; i < 3; i++) { s = s * 1103515245U + 12345U; quaternion_Gyro[i] = (real32_T)(s >> 22) / 300.0F - 1.7F; quaternion_Acc[i] = (real32_T)(s >> 12 & 255U) / 80.0F; } quaternion_step(); }
  printf("%g %g %g\n", (double)quaternion_Out[0], (double)quaternion_Angle, (double)quaternion_DW.Energy); return 0;
}
