/*
 * File: dominant.c
 *
 * Written by hand in the style of code generated for Simulink model 'dominant': one block, a product of matrices, takes
 * nearly all time; small blocks stand around it.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

typedef struct {
  real_T State[12];
  real_T Trim;
  uint32_T Count;
} DW_dominant_T;

DW_dominant_T dominant_DW;
real_T dominant_A[144];
real_T dominant_U[12];
real_T dominant_Y;

/* Model step function */
void dominant_step(void)
{
  real_T rtb_Product[12];
  real_T rtb_Square[144];
  real_T rtb_Norm;
  int32_T i;
  int32_T j;
  int32_T k;

  /* Product: '<S1>/Matrix square' */
  for (i = 0; i < 12; i++) {
    for (j = 0; j < 12; j++) {
      rtb_Square[i + 12 * j] = 0.0;
      for (k = 0; k < 12; k++) {
        rtb_Square[i + 12 * j] += dominant_A[i + 12 * k] * dominant_A[k + 12 * j];
      }
    }
  }

  /* End of Product: '<S1>/Matrix square' */

  /* Product: '<S1>/Matrix vector' incorporates:
   *  UnitDelay: '<S1>/State'
   */
  for (i = 0; i < 12; i++) {
    rtb_Product[i] = 0.0;
    for (k = 0; k < 12; k++) {
      rtb_Product[i] += rtb_Square[i + 12 * k] * dominant_DW.State[k];
    }
  }

  /* End of Product: '<S1>/Matrix vector' */

  /* Sum: '<S1>/Input' */
  for (i = 0; i < 12; i++) {
    rtb_Product[i] += dominant_U[i];
  }

  /* Sum: '<S2>/Norm' */
  rtb_Norm = 1.0;
  for (i = 0; i < 12; i++) {
    rtb_Norm += rtb_Product[i] * rtb_Product[i];
  }

  /* Product: '<S2>/Normalise' */
  for (i = 0; i < 12; i++) {
    dominant_DW.State[i] = rtb_Product[i] / rtb_Norm;
  }

  /* Switch: '<S3>/Trim' */
  if (rtb_Norm > 20.0) {
    dominant_DW.Trim *= 0.5;
  } else {
    dominant_DW.Trim += 0.01;
  }

  /* End of Switch: '<S3>/Trim' */

  /* Sum: '<S3>/Counter' */
  dominant_DW.Count++;

  /* Outport: '<Root>/Y' */
  dominant_Y = dominant_DW.State[0] + dominant_DW.Trim;
}

int main(void)
{
  real_T sum = 0.0;
  memset(&dominant_DW, 0, sizeof dominant_DW);
  for (int i = 0; i < 144; i++) {
    dominant_A[i] = (real_T)((i * 29) % 17) * 0.02 - 0.15;
  }
  for (int step = 0; step < 60; step++) {
    for (int i = 0; i < 12; i++) {
      dominant_U[i] = (real_T)((step + i) % 5);
    }
    dominant_step();
    sum += dominant_Y;
  }
  printf("%.6f %u\n", sum, (unsigned)dominant_DW.Count);
  return 0;
}
