/*
 * File: wide.c
 *
 * Written by hand in the style of code generated for Simulink model 'wide': eight sensors side by side, each with a
 * filter of its own, joined at the end.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

typedef struct {
  real_T Lag_DSTATE[4];
  real_T FIR_states[8];
  real_T Delay_DSTATE[16];
  uint32_T Delay_head;
  real_T Max_hold;
} DW_wide_T;

typedef struct {
  real_T Sensor[8];
} ExtU_wide_T;

typedef struct {
  real_T Mean;
  real_T Peak;
  real_T Spread;
} ExtY_wide_T;

DW_wide_T wide_DW;
ExtU_wide_T wide_U;
ExtY_wide_T wide_Y;
static const real_T wide_fir[8] = { 0.05, 0.1, 0.15, 0.2, 0.2, 0.15, 0.1, 0.05 };

/* Model step function */
void wide_step(void)
{
  real_T rtb_Lag;
  real_T rtb_FIR;
  real_T rtb_Poly;
  real_T rtb_Old;
  real_T rtb_Dead;
  real_T rtb_Abs;
  real_T rtb_Quant;
  real_T rtb_Ratio;
  int32_T k;

  /* DiscreteTransferFcn: '<S1>/Lag' incorporates:
   *  Inport: '<Root>/Sensor'
   */
  rtb_Lag = wide_U.Sensor[0];
  for (k = 0; k < 4; k++) {
    wide_DW.Lag_DSTATE[k] += 0.25 * (rtb_Lag - wide_DW.Lag_DSTATE[k]);
    rtb_Lag = wide_DW.Lag_DSTATE[k];
  }

  /* DiscreteFir: '<S2>/FIR' */
  for (k = 7; k > 0; k--) {
    wide_DW.FIR_states[k] = wide_DW.FIR_states[k - 1];
  }

  wide_DW.FIR_states[0] = wide_U.Sensor[1];
  rtb_FIR = 0.0;
  for (k = 0; k < 8; k++) {
    rtb_FIR += wide_fir[k] * wide_DW.FIR_states[k];
  }

  /* Polyval: '<S3>/Linearise' */
  rtb_Poly = (((((0.001 * wide_U.Sensor[2] - 0.02) * wide_U.Sensor[2] + 0.3) * wide_U.Sensor[2] - 0.1) *
    wide_U.Sensor[2] + 1.5) * wide_U.Sensor[2]) + 0.25;

  /* Delay: '<S4>/Delay' */
  rtb_Old = wide_DW.Delay_DSTATE[wide_DW.Delay_head];
  wide_DW.Delay_DSTATE[wide_DW.Delay_head] = wide_U.Sensor[3];
  wide_DW.Delay_head = (wide_DW.Delay_head + 1U) & 15U;

  /* DeadZone: '<S5>/Dead Zone' */
  if (wide_U.Sensor[4] > 0.5) {
    rtb_Dead = wide_U.Sensor[4] - 0.5;
  } else if (wide_U.Sensor[4] >= -0.5) {
    rtb_Dead = 0.0;
  } else {
    rtb_Dead = wide_U.Sensor[4] + 0.5;
  }

  /* End of DeadZone: '<S5>/Dead Zone' */

  /* Abs: '<S6>/Abs' */
  rtb_Abs = wide_U.Sensor[5] < 0.0 ? -wide_U.Sensor[5] : wide_U.Sensor[5];

  /* Quantizer: '<S7>/Quantizer' */
  rtb_Quant = 0.125 * (real_T)(int32_T)(wide_U.Sensor[6] * 8.0 + 0.5);

  /* Product: '<S8>/Ratio' */
  rtb_Ratio = (wide_U.Sensor[7] + 1.0) / (wide_U.Sensor[6] * wide_U.Sensor[6] + 2.0);

  /* Sum: '<S9>/Mean' */
  wide_Y.Mean = (((((((rtb_Lag + rtb_FIR) + rtb_Poly) + rtb_Old) + rtb_Dead) + rtb_Abs) + rtb_Quant) + rtb_Ratio) *
    0.125;

  /* MinMax: '<S9>/Peak' */
  if (wide_Y.Mean > wide_DW.Max_hold) {
    wide_DW.Max_hold = wide_Y.Mean;
  }

  wide_Y.Peak = wide_DW.Max_hold;

  /* Sum: '<S9>/Spread' */
  wide_Y.Spread = (rtb_Lag - rtb_FIR) * (rtb_Poly - rtb_Ratio);
}

/* Model initialize function */
void wide_initialize(void)
{
  memset(&wide_DW, 0, sizeof wide_DW);
}

int main(void)
{
  real_T sum = 0.0;
  wide_initialize();
  for (int step = 0; step < 1000; step++) {
    for (int i = 0; i < 8; i++) {
      wide_U.Sensor[i] = (real_T)((step * (7 + 2 * i)) % 41) * 0.1 - 2.0;
    }
    wide_step();
    sum += wide_Y.Spread;
  }
  printf("%.6f %.6f %.6f\n", wide_Y.Mean, wide_Y.Peak, sum);
  return 0;
}
