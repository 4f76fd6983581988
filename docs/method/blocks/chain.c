/*
 * File: chain.c
 *
 * Written by hand in the style of code generated for Simulink model 'chain': filters one after the other, each waits for
 * the one before.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

typedef struct {
  real_T Notch_states[2];
  real_T Lowpass_states[2];
  real_T Highpass_states[2];
  real_T Smooth_states[6];
  real_T Derivative_x;
} DW_chain_T;

DW_chain_T chain_DW;
real_T chain_U;
real_T chain_Y;

/* Model step function */
void chain_step(void)
{
  real_T rtb_x;
  real_T acc;
  int32_T k;

  /* Gain: '<S1>/Volts' incorporates:
   *  Inport: '<Root>/Raw'
   */
  rtb_x = chain_U * 0.0048828125;

  /* DiscreteFilter: '<S1>/Notch' */
  acc = (rtb_x - -1.561 * chain_DW.Notch_states[0]) - 0.6414 * chain_DW.Notch_states[1];
  rtb_x = (0.8207 * acc + -1.561 * chain_DW.Notch_states[0]) + 0.8207 * chain_DW.Notch_states[1];
  chain_DW.Notch_states[1] = chain_DW.Notch_states[0];
  chain_DW.Notch_states[0] = acc;

  /* DiscreteFilter: '<S1>/Lowpass' */
  acc = (rtb_x - -1.143 * chain_DW.Lowpass_states[0]) - 0.4128 * chain_DW.Lowpass_states[1];
  rtb_x = (0.0675 * acc + 0.135 * chain_DW.Lowpass_states[0]) + 0.0675 * chain_DW.Lowpass_states[1];
  chain_DW.Lowpass_states[1] = chain_DW.Lowpass_states[0];
  chain_DW.Lowpass_states[0] = acc;

  /* DiscreteFilter: '<S1>/Highpass' */
  acc = (rtb_x - -1.8 * chain_DW.Highpass_states[0]) - 0.82 * chain_DW.Highpass_states[1];
  rtb_x = (0.905 * acc + -1.81 * chain_DW.Highpass_states[0]) + 0.905 * chain_DW.Highpass_states[1];
  chain_DW.Highpass_states[1] = chain_DW.Highpass_states[0];
  chain_DW.Highpass_states[0] = acc;

  /* DiscreteFir: '<S2>/Smooth' */
  acc = rtb_x * 0.25;
  for (k = 5; k >= 0; k--) {
    acc += chain_DW.Smooth_states[k] * 0.125;
    if (k > 0) {
      chain_DW.Smooth_states[k] = chain_DW.Smooth_states[k - 1];
    }
  }

  chain_DW.Smooth_states[0] = rtb_x;

  /* Sum: '<S3>/Derivative' incorporates:
   *  UnitDelay: '<S3>/UD'
   */
  rtb_x = (acc - chain_DW.Derivative_x) * 100.0;

  /* Update for UnitDelay: '<S3>/UD' */
  chain_DW.Derivative_x = acc;

  /* Fcn: '<S3>/Compress' */
  rtb_x = rtb_x / (1.0 + (rtb_x < 0.0 ? -rtb_x : rtb_x));

  /* Saturate: '<S3>/Limit' */
  if (rtb_x > 0.75) {
    chain_Y = 0.75;
  } else if (rtb_x < -0.75) {
    chain_Y = -0.75;
  } else {
    chain_Y = rtb_x;
  }

  /* End of Saturate: '<S3>/Limit' */
}

int main(void)
{
  real_T sum = 0.0;
  memset(&chain_DW, 0, sizeof chain_DW);
  for (int step = 0; step < 1500; step++) {
    chain_U = (real_T)((step * 37) % 1024);
    chain_step();
    sum += chain_Y;
  }
  printf("%.6f\n", sum);
  return 0;
}
