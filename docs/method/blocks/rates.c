/*
 * File: rates.c
 *
 * Written by hand in the style of code generated for Simulink model 'rates': a fast current loop and a slow one for
 * temperatures, with rate transitions between them.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

typedef struct {
  real_T Integrator_d;
  real_T Integrator_q;
  real_T Buffer[2];
  real_T Nodes[12];
  real_T Loss_sum;
  uint32_T Loss_n;
  uint8_T ActiveBuffer;
} DW_rates_T;

DW_rates_T rates_DW;
real_T rates_ia, rates_ib, rates_sin, rates_cos, rates_ref;
real_T rates_va, rates_vb, rates_vc, rates_hot;

/* Model step function for TID0 */
void rates_step0(void)
{
  real_T rtb_alpha;
  real_T rtb_beta;
  real_T rtb_d;
  real_T rtb_q;
  real_T rtb_vd;
  real_T rtb_vq;

  /* Fcn: '<S1>/Clarke' */
  rtb_alpha = rates_ia;
  rtb_beta = (rates_ia + 2.0 * rates_ib) * 0.57735026918962584;

  /* Fcn: '<S1>/Park' */
  rtb_d = rtb_alpha * rates_cos + rtb_beta * rates_sin;
  rtb_q = rtb_beta * rates_cos - rtb_alpha * rates_sin;

  /* Sum: '<S2>/PI d' incorporates:
   *  DiscreteIntegrator: '<S2>/Integrator d'
   */
  rtb_vd = -0.8 * rtb_d + rates_DW.Integrator_d;
  rates_DW.Integrator_d += -0.01 * rtb_d;

  /* Sum: '<S2>/PI q' incorporates:
   *  DiscreteIntegrator: '<S2>/Integrator q'
   */
  rtb_vq = 0.8 * (rates_ref - rtb_q) + rates_DW.Integrator_q;
  rates_DW.Integrator_q += 0.01 * (rates_ref - rtb_q);

  /* Saturate: '<S2>/Limit q' */
  if (rates_DW.Integrator_q > 5.0) {
    rates_DW.Integrator_q = 5.0;
  } else if (rates_DW.Integrator_q < -5.0) {
    rates_DW.Integrator_q = -5.0;
  }

  /* End of Saturate: '<S2>/Limit q' */

  /* Fcn: '<S1>/Inverse Park' */
  rtb_alpha = rtb_vd * rates_cos - rtb_vq * rates_sin;
  rtb_beta = rtb_vd * rates_sin + rtb_vq * rates_cos;

  /* Fcn: '<S1>/Phases' */
  rates_va = rtb_alpha;
  rates_vb = -0.5 * rtb_alpha + 0.8660254037844386 * rtb_beta;
  rates_vc = -0.5 * rtb_alpha - 0.8660254037844386 * rtb_beta;

  /* Sum: '<S3>/Losses' */
  rates_DW.Loss_sum += rtb_d * rtb_d + rtb_q * rtb_q;
  rates_DW.Loss_n++;
}

/* Model step function for TID1 */
void rates_step1(void)
{
  real_T rtb_loss;
  real_T next[12];
  int32_T i;

  /* RateTransition: '<Root>/Rate Transition' */
  rates_DW.ActiveBuffer = (uint8_T)(rates_DW.ActiveBuffer == 0U);
  rates_DW.Buffer[rates_DW.ActiveBuffer] = rates_DW.Loss_sum;

  /* Product: '<S4>/Mean loss' */
  rtb_loss = rates_DW.Buffer[rates_DW.ActiveBuffer] / (real_T)(rates_DW.Loss_n + 1U);
  rates_DW.Loss_sum = 0.0;
  rates_DW.Loss_n = 0U;

  /* MATLAB Function: '<S4>/Thermal network' */
  for (i = 0; i < 12; i++) {
    next[i] = rates_DW.Nodes[i];
    if (i > 0) {
      next[i] += 0.2 * (rates_DW.Nodes[i - 1] - rates_DW.Nodes[i]);
    } else {
      next[i] += 0.5 * rtb_loss;
    }

    if (i < 11) {
      next[i] += 0.2 * (rates_DW.Nodes[i + 1] - rates_DW.Nodes[i]);
    }

    next[i] -= 0.01 * next[i];
  }

  /* End of MATLAB Function: '<S4>/Thermal network' */

  /* UnitDelay: '<S4>/Nodes' */
  for (i = 0; i < 12; i++) {
    rates_DW.Nodes[i] = next[i];
  }

  /* MinMax: '<S4>/Hottest' */
  rates_hot = rates_DW.Nodes[0];
  for (i = 1; i < 12; i++) {
    if (rates_DW.Nodes[i] > rates_hot) {
      rates_hot = rates_DW.Nodes[i];
    }
  }

  /* End of MinMax: '<S4>/Hottest' */
}

int main(void)
{
  real_T sum = 0.0;
  memset(&rates_DW, 0, sizeof rates_DW);
  rates_sin = 0.0;
  rates_cos = 1.0;
  for (int step = 0; step < 2000; step++) {
    real_T s = rates_sin * 0.995 + rates_cos * 0.0998334;
    rates_cos = rates_cos * 0.995 - rates_sin * 0.0998334;
    rates_sin = s;
    rates_ia = 2.0 * rates_cos;
    rates_ib = 2.0 * rates_sin - rates_cos;
    rates_ref = step < 1000 ? 1.0 : -0.5;
    rates_step0();
    if (step % 10 == 9) {
      rates_step1();
    }
    sum += rates_va - rates_vc;
  }
  printf("%.6f %.6f\n", sum, rates_hot);
  return 0;
}
