/*
 * File: kalman.c
 *
 * Written by hand in the style of code generated for Simulink model 'kalman': a Kalman filter of four states in single
 * precision, as matrix blocks.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

typedef struct {
  real32_T x[4];
  real32_T P[16];
} DW_kalman_T;

DW_kalman_T kalman_DW;
real32_T kalman_z[2];
real32_T kalman_out[4];
static const real32_T kalman_F[16] = { 1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.1F, 0.0F, 0.98F, 0.0F, 0.0F,
  0.1F, 0.0F, 0.98F };

/* Model step function */
void kalman_step(void)
{
  real32_T rtb_x[4];
  real32_T rtb_FP[16];
  real32_T rtb_P[16];
  real32_T rtb_S[3];
  real32_T rtb_K[8];
  real32_T rtb_y[2];
  real32_T det;
  int32_T i;
  int32_T j;
  int32_T k;

  /* Product: '<S1>/Predict x' incorporates:
   *  UnitDelay: '<S1>/x'
   */
  for (i = 0; i < 4; i++) {
    rtb_x[i] = 0.0F;
    for (k = 0; k < 4; k++) {
      rtb_x[i] += kalman_F[i + 4 * k] * kalman_DW.x[k];
    }
  }

  /* End of Product: '<S1>/Predict x' */

  /* Product: '<S1>/F P' */
  for (i = 0; i < 4; i++) {
    for (j = 0; j < 4; j++) {
      rtb_FP[i + 4 * j] = 0.0F;
      for (k = 0; k < 4; k++) {
        rtb_FP[i + 4 * j] += kalman_F[i + 4 * k] * kalman_DW.P[k + 4 * j];
      }
    }
  }

  /* End of Product: '<S1>/F P' */

  /* Product: '<S1>/F P F' */
  for (i = 0; i < 4; i++) {
    for (j = 0; j < 4; j++) {
      rtb_P[i + 4 * j] = i == j ? 0.01F : 0.0F;
      for (k = 0; k < 4; k++) {
        rtb_P[i + 4 * j] += rtb_FP[i + 4 * k] * kalman_F[j + 4 * k];
      }
    }
  }

  /* End of Product: '<S1>/F P F' */

  /* Sum: '<S2>/Innovation' */
  rtb_y[0] = kalman_z[0] - rtb_x[0];
  rtb_y[1] = kalman_z[1] - rtb_x[1];

  /* Sum: '<S2>/S' */
  rtb_S[0] = rtb_P[0] + 0.5F;
  rtb_S[1] = rtb_P[1];
  rtb_S[2] = rtb_P[5] + 0.5F;

  /* Product: '<S2>/Inverse' */
  det = 1.0F / (rtb_S[0] * rtb_S[2] - rtb_S[1] * rtb_S[1]);

  /* Product: '<S2>/Gain' */
  for (i = 0; i < 4; i++) {
    rtb_K[i] = (rtb_P[i] * rtb_S[2] - rtb_P[i + 4] * rtb_S[1]) * det;
    rtb_K[i + 4] = (rtb_P[i + 4] * rtb_S[0] - rtb_P[i] * rtb_S[1]) * det;
  }

  /* Sum: '<S3>/Correct x' */
  for (i = 0; i < 4; i++) {
    kalman_DW.x[i] = (rtb_K[i] * rtb_y[0] + rtb_K[i + 4] * rtb_y[1]) + rtb_x[i];
  }

  /* Sum: '<S3>/Correct P' */
  for (i = 0; i < 4; i++) {
    for (j = 0; j < 4; j++) {
      kalman_DW.P[i + 4 * j] = rtb_P[i + 4 * j] - (rtb_K[i] * rtb_P[4 * j] + rtb_K[i + 4] * rtb_P[1 + 4 * j]);
    }
  }

  /* End of Sum: '<S3>/Correct P' */

  /* Outport: '<Root>/x' */
  for (i = 0; i < 4; i++) {
    kalman_out[i] = kalman_DW.x[i];
  }
}

int main(void)
{
  real32_T sum = 0.0F;
  memset(&kalman_DW, 0, sizeof kalman_DW);
  for (int i = 0; i < 4; i++) {
    kalman_DW.P[5 * i] = 1.0F;
  }
  for (int step = 0; step < 400; step++) {
    kalman_z[0] = (real32_T)step * 0.1F + (real32_T)((step * 7) % 5) * 0.2F;
    kalman_z[1] = (real32_T)((step * 3) % 11) * 0.1F;
    kalman_step();
    sum += kalman_out[2];
  }
  printf("%.3f\n", (double)sum);
  return 0;
}
