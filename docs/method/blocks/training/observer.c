/*
 * File: observer.c
 *
 * Written by hand in the style of code generated for Simulink model 'observer': not judged, for looking at causes of errors.
 */
#include <stdio.h>
#include "../rtwtypes.h"
typedef struct { real_T UD1, UD2, UD3, Int1, Int2, Obs[3]; uint32_T Cnt; boolean_T Fault; } DW_T;
DW_T observer_DW;
real_T observer_U1, observer_U2, observer_U3, observer_Y1, observer_Y2; int32_T observer_Mode;
const real_T observer_P[8] = {0.98, 0.02, 1.7, -0.3, 0.005, 12.0, 0.31, 4.0};
void observer_step(void)
{
  real_T rtb_Sum, rtb_Gain, rtb_f1, rtb_f2, rtb_err, rtb_o0, rtb_o1, rtb_o2, rtb_u;
  /* Sum: '<S1>/Sum' */
  rtb_Sum = observer_U1 - observer_DW.UD1;
  /* Gain: '<S1>/Gain' */
  rtb_Gain = observer_P[2] * rtb_Sum + observer_P[3];
  /* DiscreteFilter: '<S1>/Filter 1' */
  rtb_f1 = observer_P[0] * observer_DW.UD2 + observer_P[1] * rtb_Gain;
  observer_DW.UD2 = rtb_f1;
  /* DiscreteFilter: '<S1>/Filter 2' */
  rtb_f2 = observer_P[0] * observer_DW.UD3 + observer_P[1] * observer_U2;
  observer_DW.UD3 = rtb_f2;
  /* Product: '<S1>/Divide' */
  rtb_err = rtb_f1 / (rtb_f2 * rtb_f2 + 1.0);
  /* MATLAB Function: '<S2>/Observer' */
  rtb_o0 = observer_DW.Obs[0] + 0.001 * observer_DW.Obs[1] + 0.2 * rtb_err;
  rtb_o1 = observer_DW.Obs[1] + 0.001 * observer_DW.Obs[2] + 0.1 * rtb_err;
  rtb_o2 = observer_DW.Obs[2] * 0.99 + 0.05 * rtb_err;
  observer_DW.Obs[0] = rtb_o0; observer_DW.Obs[1] = rtb_o1; observer_DW.Obs[2] = rtb_o2;
  /* Sum: '<S2>/Control' incorporates:
   *  DiscreteIntegrator: '<S2>/Integrator'
   */
  rtb_u = observer_DW.Int1 - 3.0 * rtb_o0 - 0.2 * rtb_o1;
  observer_DW.Int1 += observer_P[4] * (observer_U3 - rtb_o0);
  /* Saturate: '<S2>/Saturation' */
  if (rtb_u > observer_P[5]) { rtb_u = observer_P[5]; } else if (rtb_u < -observer_P[5]) { rtb_u = -observer_P[5]; }
  /* End of Saturate: '<S2>/Saturation' */
  /* Switch: '<S3>/Switch' */
  if (observer_Mode >= 2) { observer_Y1 = rtb_u * observer_P[6]; } else { observer_Y1 = rtb_f2; }
  /* End of Switch: '<S3>/Switch' */
  /* Logic: '<S3>/Fault' incorporates:
   *  RelationalOperator: '<S3>/High'
   */
  observer_DW.Fault = (boolean_T)((rtb_err > 3.0) || (rtb_o1 < -8.0));
  /* Sum: '<S3>/Counter' */
  if (observer_DW.Fault) { observer_DW.Cnt++; }
  /* DiscreteIntegrator: '<S3>/Energy' */
  observer_DW.Int2 += observer_Y1 * observer_U2 * 0.001;
  observer_Y2 = observer_DW.Int2;
  /* UnitDelay: '<S1>/Unit Delay' */
  observer_DW.UD1 = 0.5 * observer_DW.UD1 + rtb_f1;
}
int main(void)
{
  uint32_T s = 1U; int32_T n;
  for (n = 0; n < 1500; n++) { s = s * 1103515245U + 12345U; observer_U1 = (real_T)(s >> 16 & 1023U) / 512.0; observer_U2 = (real_T)(s >> 20 & 255U) / 100.0; observer_U3 = (real_T)(n & 63) / 8.0; observer_Mode = (int32_T)(s >> 24 & 3U); observer_step(); }
  printf("%g %g %u\n", observer_Y1, observer_Y2, observer_DW.Cnt); return 0;
}
