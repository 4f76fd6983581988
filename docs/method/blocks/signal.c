/*
 * File: signal.c
 *
 * Written by hand in the style of code generated for Simulink model 'signal': frames of 32 samples, so that each block is
 * a loop.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

typedef struct {
  real32_T History[16];
  real32_T Dc;
  uint32_T Seed;
} DW_signal_T;

DW_signal_T signal_DW;
real32_T signal_In[32];
real32_T signal_Power, signal_Peak;
int32_T signal_Crossings, signal_Where;
static const real32_T signal_taps[16] = { 0.01F, -0.02F, 0.03F, -0.05F, 0.08F, -0.1F, 0.3F, 0.4F, 0.4F, 0.3F, -0.1F,
  0.08F, -0.05F, 0.03F, -0.02F, 0.01F };

/* Model step function */
void signal_step(void)
{
  real32_T rtb_x[48];
  real32_T rtb_y[32];
  real32_T rtb_w[32];
  real32_T acc;
  int32_T i;
  int32_T k;

  /* Sum: '<S1>/Remove DC' incorporates:
   *  DiscreteFilter: '<S1>/DC'
   */
  for (i = 0; i < 32; i++) {
    signal_DW.Dc += 0.01F * (signal_In[i] - signal_DW.Dc);
    rtb_x[16 + i] = signal_In[i] - signal_DW.Dc;
  }

  /* End of Sum: '<S1>/Remove DC' */

  /* Delay: '<S2>/History' */
  for (i = 0; i < 16; i++) {
    rtb_x[i] = signal_DW.History[i];
    signal_DW.History[i] = rtb_x[32 + i];
  }

  /* DiscreteFir: '<S2>/FIR' */
  for (i = 0; i < 32; i++) {
    acc = 0.0F;
    for (k = 0; k < 16; k++) {
      acc += signal_taps[k] * rtb_x[i + 16 - k];
    }

    rtb_y[i] = acc;
  }

  /* End of DiscreteFir: '<S2>/FIR' */

  /* Window: '<S3>/Triangle' */
  for (i = 0; i < 16; i++) {
    rtb_w[i] = rtb_y[i] * ((real32_T)i * 0.0625F);
    rtb_w[31 - i] = rtb_y[31 - i] * ((real32_T)i * 0.0625F);
  }

  /* End of Window: '<S3>/Triangle' */

  /* Sum: '<S3>/Power' */
  acc = 0.0F;
  for (i = 0; i < 32; i++) {
    acc += rtb_w[i] * rtb_w[i];
  }

  signal_Power = acc * 0.03125F;

  /* MinMax: '<S4>/Peak' */
  signal_Peak = -1000.0F;
  signal_Where = 0;
  for (i = 0; i < 32; i++) {
    if (rtb_y[i] > signal_Peak) {
      signal_Peak = rtb_y[i];
      signal_Where = i;
    }
  }

  /* End of MinMax: '<S4>/Peak' */

  /* HitCross: '<S4>/Crossings' */
  for (i = 1; i < 32; i++) {
    if ((rtb_y[i - 1] < 0.0F) != (rtb_y[i] < 0.0F)) {
      signal_Crossings++;
    }
  }

  /* End of HitCross: '<S4>/Crossings' */
}

int main(void)
{
  real32_T sum = 0.0F;
  memset(&signal_DW, 0, sizeof signal_DW);
  signal_DW.Seed = 1U;
  signal_Crossings = 0;
  for (int step = 0; step < 150; step++) {
    for (int i = 0; i < 32; i++) {
      signal_DW.Seed = signal_DW.Seed * 1664525U + 1013904223U;
      signal_In[i] = (real32_T)(signal_DW.Seed >> 22) * 0.01F + (real32_T)(i & 7);
    }
    signal_step();
    sum += signal_Power + signal_Peak + (real32_T)signal_Where;
  }
  printf("%.2f %d\n", (double)sum, (int)signal_Crossings);
  return 0;
}
