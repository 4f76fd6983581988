/*
 * File: fixed.c
 *
 * Written by hand in the style of code generated for Simulink model 'fixed': fixed-point arithmetic with saturation, as
 * for a small controller.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

typedef struct {
  int32_T Integrator_DSTATE;
  int16_T Delay_DSTATE[8];
  int16_T Last;
  uint16_T Timer;
} DW_fixed_T;

DW_fixed_T fixed_DW;
int16_T fixed_U, fixed_Ref;
int16_T fixed_Y;
uint16_T fixed_Duty;
static const int16_T fixed_sine[17] = { 0, 3212, 6393, 9512, 12539, 15446, 18204, 20787, 23170, 25329, 27245, 28898,
  30273, 31356, 32137, 32609, 32767 };

/* Model step function */
void fixed_step(void)
{
  int32_T tmp;
  int16_T rtb_Error;
  int16_T rtb_P;
  int16_T rtb_Mean;
  int16_T rtb_Sine;
  int32_T i;

  /* Sum: '<S1>/Error' */
  tmp = (int32_T)fixed_Ref - fixed_U;
  if (tmp > 32767) {
    tmp = 32767;
  } else if (tmp < -32768) {
    tmp = -32768;
  }

  rtb_Error = (int16_T)tmp;

  /* Gain: '<S1>/Kp' */
  rtb_P = (int16_T)((19661 * rtb_Error) >> 15);

  /* DiscreteIntegrator: '<S1>/Integrator' */
  tmp = fixed_DW.Integrator_DSTATE + ((1311 * rtb_Error) >> 4);
  if (tmp > 1073741823) {
    tmp = 1073741823;
  } else if (tmp < -1073741824) {
    tmp = -1073741824;
  }

  fixed_DW.Integrator_DSTATE = tmp;

  /* Sum: '<S2>/Moving average' incorporates:
   *  Delay: '<S2>/Delay'
   */
  tmp = 0;
  for (i = 7; i > 0; i--) {
    fixed_DW.Delay_DSTATE[i] = fixed_DW.Delay_DSTATE[i - 1];
    tmp += fixed_DW.Delay_DSTATE[i];
  }

  fixed_DW.Delay_DSTATE[0] = fixed_U;
  rtb_Mean = (int16_T)((tmp + fixed_U) >> 3);

  /* Lookup_n-D: '<S3>/Sine' */
  i = (rtb_Mean >> 10) & 15;
  rtb_Sine = (int16_T)(fixed_sine[i] + (((fixed_sine[i + 1] - fixed_sine[i]) * (rtb_Mean & 1023)) >> 10));

  /* Product: '<S3>/Divide' */
  tmp = rtb_Sine == 0 ? 32767 : ((int32_T)rtb_P << 12) / rtb_Sine;

  /* Saturate: '<S3>/Limit' */
  if (tmp > 16384) {
    tmp = 16384;
  } else if (tmp < -16384) {
    tmp = -16384;
  }

  /* End of Saturate: '<S3>/Limit' */

  /* Sum: '<S1>/PI' */
  fixed_Y = (int16_T)((tmp + (fixed_DW.Integrator_DSTATE >> 15) + rtb_P) >> 1);

  /* RelationalOperator: '<S4>/Edge' */
  if ((fixed_DW.Last ^ fixed_Y) < 0) {
    fixed_DW.Timer = 0U;
  } else {
    fixed_DW.Timer++;
  }

  fixed_DW.Last = fixed_Y;

  /* DataTypeConversion: '<S4>/Duty' */
  fixed_Duty = (uint16_T)((uint32_T)(fixed_Y + 32768) * 1000U >> 16);
}

int main(void)
{
  uint32_T sum = 0U;
  memset(&fixed_DW, 0, sizeof fixed_DW);
  fixed_U = 0;
  for (int step = 0; step < 2000; step++) {
    fixed_Ref = (int16_T)(((step * 13) % 200 - 100) * 150);
    fixed_step();
    fixed_U = (int16_T)(fixed_U + ((fixed_Y - fixed_U) >> 2));
    sum += fixed_Duty + fixed_DW.Timer;
  }
  printf("%u\n", (unsigned)sum);
  return 0;
}
