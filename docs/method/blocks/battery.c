/*
 * File: battery.c
 *
 * Written by hand in the style of code generated for Simulink model 'battery': a pack of 24 cells with limits, balancing
 * and faults; enabled subsystems, logic, counters.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

typedef struct {
  real_T Charge;
  uint16_T Over[24];
  uint32_T Latched;
  uint32_T Balance;
  uint8_T Mode;
} DW_battery_T;

DW_battery_T battery_DW;
uint16_T battery_mv[24];
int16_T battery_ma;
int8_T battery_temp[4];
real_T battery_soc;
uint32_T battery_faults;
uint16_T battery_low, battery_high;

/* Model step function */
void battery_step(void)
{
  uint32_T rtb_total;
  uint32_T bit;
  int32_T i;
  int8_T rtb_hot;

  /* MinMax: '<S1>/Extremes' incorporates:
   *  Inport: '<Root>/Cells'
   */
  battery_low = battery_mv[0];
  battery_high = battery_mv[0];
  for (i = 1; i < 24; i++) {
    if (battery_mv[i] < battery_low) {
      battery_low = battery_mv[i];
    }

    if (battery_mv[i] > battery_high) {
      battery_high = battery_mv[i];
    }
  }

  /* End of MinMax: '<S1>/Extremes' */

  /* Sum: '<S1>/Pack' */
  rtb_total = 0U;
  for (i = 0; i < 24; i++) {
    rtb_total += battery_mv[i];
  }

  /* DiscreteIntegrator: '<S2>/Coulombs' */
  battery_DW.Charge += (real_T)battery_ma * 2.7777777777777777e-7;
  if (battery_DW.Charge > 1.0) {
    battery_DW.Charge = 1.0;
  } else if (battery_DW.Charge < 0.0) {
    battery_DW.Charge = 0.0;
  }

  /* Sum: '<S2>/SoC' incorporates:
   *  Gain: '<S2>/Voltage'
   */
  battery_soc = 0.98 * battery_DW.Charge + 0.02 * ((real_T)rtb_total * 1.1574074074074073e-5 - 0.3);

  /* Logic: '<S3>/Debounce' */
  bit = 1U;
  for (i = 0; i < 24; i++) {
    if (battery_mv[i] > 4150U) {
      battery_DW.Over[i]++;
      if (battery_DW.Over[i] >= 3U) {
        battery_DW.Latched |= bit;
      }
    } else {
      battery_DW.Over[i] = 0U;
    }

    bit <<= 1;
  }

  /* End of Logic: '<S3>/Debounce' */

  /* Outputs for Enabled SubSystem: '<Root>/Balancing' incorporates:
   *  EnablePort: '<S4>/Enable'
   */
  if (battery_high - battery_low > 40) {
    /* RelationalOperator: '<S4>/Above' */
    battery_DW.Balance = 0U;
    for (i = 0; i < 24; i++) {
      battery_DW.Balance |= (uint32_T)(battery_mv[i] > battery_low + 20) << i;
    }

    /* End of RelationalOperator: '<S4>/Above' */
  }

  /* End of Outputs for SubSystem: '<Root>/Balancing' */

  /* MinMax: '<S5>/Hottest' */
  rtb_hot = battery_temp[0];
  for (i = 1; i < 4; i++) {
    if (battery_temp[i] > rtb_hot) {
      rtb_hot = battery_temp[i];
    }
  }

  /* MultiPortSwitch: '<S5>/Mode' */
  switch (battery_DW.Mode) {
   case 0:
    battery_DW.Mode = battery_ma > 0 ? 1 : 2;
    break;

   case 1:
    if (rtb_hot > 45) {
      battery_DW.Mode = 3;
    } else if (battery_ma <= 0) {
      battery_DW.Mode = 0;
    }
    break;

   case 2:
    if (battery_ma > 0) {
      battery_DW.Mode = 0;
    }
    break;

   default:
    if (rtb_hot < 40) {
      battery_DW.Mode = 0;
    }
    break;
  }

  /* End of MultiPortSwitch: '<S5>/Mode' */

  /* Bitwise Operator: '<S5>/Faults' */
  battery_faults = battery_DW.Latched ^ (battery_DW.Balance >> 1) ^ ((uint32_T)battery_DW.Mode << 24);
}

int main(void)
{
  uint32_T sum = 0U, seed = 12345U;
  memset(&battery_DW, 0, sizeof battery_DW);
  battery_DW.Charge = 0.5;
  for (int step = 0; step < 500; step++) {
    for (int i = 0; i < 24; i++) {
      seed = seed * 1103515245U + 12345U;
      battery_mv[i] = (uint16_T)(3600U + (seed >> 23) + (i == 5 && step % 50 > 40 ? 200U : 0U));
    }
    battery_ma = (int16_T)((step * 17) % 4000 - 2000);
    for (int i = 0; i < 4; i++) {
      battery_temp[i] = (int8_T)(20 + (step / 8 + i) % 30);
    }
    battery_step();
    sum = sum * 31U + battery_faults;
  }
  printf("%u %.6f\n", (unsigned)sum, battery_soc);
  return 0;
}
