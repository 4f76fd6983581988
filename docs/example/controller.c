/*
 * File: controller.c
 *
 * Written by hand in the style of code generated for Simulink model 'controller': a motor drive's speed controller with
 * a sensor's filter, a thermal model, a chart of modes and a torque limit from a map.
 */

#include "controller.h"

/* Named constants for Chart: '<Root>/Modes' */
#define controller_IN_Off              ((uint8_T)1U)
#define controller_IN_Ready            ((uint8_T)2U)
#define controller_IN_Run              ((uint8_T)3U)
#define controller_IN_Derate           ((uint8_T)4U)

/* Block states */
DW_controller_T controller_DW;

/* External inputs */
ExtU_controller_T controller_U;

/* External outputs */
ExtY_controller_T controller_Y;

/* Lookup tables */
static const real_T controller_pedal_bp[9] = { 0.0, 0.05, 0.1, 0.2, 0.35, 0.5,
  0.7, 0.9, 1.0 };

static const real_T controller_pedal_tab[9] = { 0.0, 0.0, 120.0, 400.0, 900.0,
  1600.0, 2700.0, 3800.0, 4200.0 };

static const real_T controller_map_speed[6] = { 0.0, 800.0, 1600.0, 2400.0,
  3600.0, 4800.0 };

static const real_T controller_map_temp[5] = { 20.0, 60.0, 90.0, 110.0, 130.0 };

static const real_T controller_map[30] = { 250.0, 250.0, 240.0, 210.0, 150.0,
  100.0, 250.0, 245.0, 235.0, 205.0, 145.0, 95.0, 220.0, 215.0, 205.0, 180.0,
  130.0, 85.0, 140.0, 135.0, 130.0, 115.0, 85.0, 55.0, 0.0, 0.0, 0.0, 0.0, 0.0,
  0.0 };

/* Lookup 1-D, binary search, linear interpolation, clipped */
real_T look1_binlxpw(real_T u0, const real_T bp0[], const real_T table[],
                     uint32_T maxIndex)
{
  real_T frac;
  uint32_T iLeft;
  uint32_T iRght;
  uint32_T bpIdx;
  if (u0 <= bp0[0U]) {
    return table[0U];
  }

  if (u0 >= bp0[maxIndex]) {
    return table[maxIndex];
  }

  bpIdx = maxIndex >> 1U;
  iLeft = 0U;
  iRght = maxIndex;
  while (iRght - iLeft > 1U) {
    if (u0 < bp0[bpIdx]) {
      iRght = bpIdx;
    } else {
      iLeft = bpIdx;
    }

    bpIdx = (iRght + iLeft) >> 1U;
  }

  frac = (u0 - bp0[iLeft]) / (bp0[iLeft + 1U] - bp0[iLeft]);
  return (table[iLeft + 1U] - table[iLeft]) * frac + table[iLeft];
}

/* Output and update for atomic system: '<Root>/Thermal' */
static void controller_Thermal(const real_T rtu_Temperature[4], real_T *rty_Hot,
  real_T *rty_Fan)
{
  real_T rtb_Max;
  real_T rtb_Mean;
  int32_T i;

  /* MinMax: '<S4>/Max' */
  rtb_Max = rtu_Temperature[0];
  for (i = 0; i < 3; i++) {
    if (rtu_Temperature[i + 1] > rtb_Max) {
      rtb_Max = rtu_Temperature[i + 1];
    }
  }

  /* End of MinMax: '<S4>/Max' */

  /* Sum: '<S4>/Sum of Elements' */
  rtb_Mean = rtu_Temperature[0];
  for (i = 0; i < 3; i++) {
    rtb_Mean += rtu_Temperature[i + 1];
  }

  /* End of Sum: '<S4>/Sum of Elements' */

  /* Sum: '<S4>/Add' incorporates:
   *  Gain: '<S4>/Mean'
   *  Gain: '<S4>/Weight'
   */
  *rty_Hot = 0.7 * rtb_Max + 0.25 * rtb_Mean * 0.3;

  /* Switch: '<S4>/Fan' incorporates:
   *  Constant: '<S4>/Off'
   *  Constant: '<S4>/On above'
   */
  if (*rty_Hot > 70.0) {
    /* Gain: '<S4>/Fan curve' incorporates:
     *  Bias: '<S4>/Bias'
     */
    *rty_Fan = (*rty_Hot - 70.0) * 0.02;

    /* Saturate: '<S4>/Full' */
    if (*rty_Fan > 1.0) {
      *rty_Fan = 1.0;
    }

    /* End of Saturate: '<S4>/Full' */
  } else {
    *rty_Fan = 0.0;
  }

  /* End of Switch: '<S4>/Fan' */
}

/* Function for Chart: '<Root>/Modes' */
static void controller_enter_Run(void)
{
  controller_DW.is_c1_controller = controller_IN_Run;
  controller_DW.temporalCounter_i1 = 0U;

  /* Entry 'Run': '<S1>:3' */
  controller_Y.Mode = 2U;
}

/* Model step function */
void controller_step(void)
{
  real_T denAccum;
  real_T rtb_Fan;
  real_T rtb_Hot;
  real_T rtb_Limit;
  real_T rtb_Speed;
  real_T rtb_Target;
  real_T rtb_Error;
  real_T rtb_Torque;
  real_T frac_s;
  real_T frac_t;
  int32_T k;
  uint32_T is;
  uint32_T it;

  /* Outputs for Atomic SubSystem: '<Root>/Speed Sensor' */
  /* DiscreteFilter: '<S3>/Filter' incorporates:
   *  Inport: '<Root>/SpeedPulses'
   */
  denAccum = controller_U.SpeedPulses;
  rtb_Speed = 0.0;
  for (k = 0; k < 8; k++) {
    rtb_Speed += controller_DW.Filter_states[k] * 0.125;
  }

  for (k = 7; k > 0; k--) {
    controller_DW.Filter_states[k] = controller_DW.Filter_states[k - 1];
  }

  controller_DW.Filter_states[0] = denAccum;

  /* End of DiscreteFilter: '<S3>/Filter' */

  /* Gain: '<S3>/Pulses to rpm' */
  rtb_Speed *= 7.5;

  /* End of Outputs for SubSystem: '<Root>/Speed Sensor' */

  /* Outputs for Atomic SubSystem: '<Root>/Thermal' */

  /* Inport: '<Root>/Temperature' */
  controller_Thermal(controller_U.Temperature, &rtb_Hot, &rtb_Fan);

  /* End of Outputs for SubSystem: '<Root>/Thermal' */

  /* Outport: '<Root>/Fan' */
  controller_Y.Fan = rtb_Fan;

  /* Chart: '<Root>/Modes' incorporates:
   *  Inport: '<Root>/Enable'
   */
  if (controller_DW.temporalCounter_i1 < 1023U) {
    controller_DW.temporalCounter_i1++;
  }

  /* Gateway: Modes */
  /* During: Modes */
  if (controller_DW.is_active_c1_controller == 0U) {
    /* Entry: Modes */
    controller_DW.is_active_c1_controller = 1U;

    /* Entry Internal: Modes */
    /* Transition: '<S1>:11' */
    controller_DW.is_c1_controller = controller_IN_Off;

    /* Entry 'Off': '<S1>:1' */
    controller_Y.Mode = 0U;
  } else {
    switch (controller_DW.is_c1_controller) {
     case controller_IN_Off:
      /* During 'Off': '<S1>:1' */
      if (controller_U.Enable) {
        /* Transition: '<S1>:12' */
        controller_DW.is_c1_controller = controller_IN_Ready;
        controller_DW.temporalCounter_i1 = 0U;

        /* Entry 'Ready': '<S1>:2' */
        controller_Y.Mode = 1U;
      }
      break;

     case controller_IN_Ready:
      /* During 'Ready': '<S1>:2' */
      if (controller_DW.temporalCounter_i1 >= 10U) {
        /* Transition: '<S1>:13' */
        controller_enter_Run();
      }
      break;

     case controller_IN_Run:
      /* During 'Run': '<S1>:3' */
      if (!controller_U.Enable) {
        /* Transition: '<S1>:14' */
        controller_DW.is_c1_controller = controller_IN_Off;

        /* Entry 'Off': '<S1>:1' */
        controller_Y.Mode = 0U;
      } else if (rtb_Hot > 95.0) {
        /* Transition: '<S1>:15' */
        controller_DW.is_c1_controller = controller_IN_Derate;

        /* Entry 'Derate': '<S1>:4' */
        controller_Y.Mode = 3U;
      }
      break;

     default:
      /* During 'Derate': '<S1>:4' */
      if (rtb_Hot < 85.0) {
        /* Transition: '<S1>:16' */
        controller_enter_Run();
      }
      break;
    }
  }

  /* End of Chart: '<Root>/Modes' */

  /* Outputs for Enabled SubSystem: '<Root>/Speed Control' incorporates:
   *  EnablePort: '<S2>/Enable'
   */
  rtb_Torque = 0.0;
  if (controller_Y.Mode >= 2U) {
    /* Lookup_n-D: '<S2>/Pedal map' incorporates:
     *  Inport: '<Root>/Pedal'
     */
    rtb_Target = look1_binlxpw(controller_U.Pedal, controller_pedal_bp,
      controller_pedal_tab, 8U);

    /* Sum: '<S2>/Error' */
    rtb_Error = rtb_Target - rtb_Speed;

    /* DiscreteIntegrator: '<S2>/Integrator' incorporates:
     *  Gain: '<S2>/Ki'
     */
    controller_DW.Integrator_DSTATE += 0.002 * rtb_Error;
    if (controller_DW.Integrator_DSTATE > 300.0) {
      controller_DW.Integrator_DSTATE = 300.0;
    } else if (controller_DW.Integrator_DSTATE < -300.0) {
      controller_DW.Integrator_DSTATE = -300.0;
    }

    /* Sum: '<S2>/PID' incorporates:
     *  Gain: '<S2>/Kd'
     *  Gain: '<S2>/Kp'
     *  UnitDelay: '<S2>/Unit Delay'
     */
    rtb_Torque = (0.08 * rtb_Error + controller_DW.Integrator_DSTATE) +
      (rtb_Error - controller_DW.UnitDelay_DSTATE) * 0.01;

    /* Update for UnitDelay: '<S2>/Unit Delay' */
    controller_DW.UnitDelay_DSTATE = rtb_Error;
  }

  /* End of Outputs for SubSystem: '<Root>/Speed Control' */

  /* Outputs for Atomic SubSystem: '<Root>/Torque Limit' */
  /* Lookup_n-D: '<S5>/Torque map' incorporates:
   *  Sum: '<S4>/Add'
   */
  is = 0U;
  while (is < 4U && rtb_Speed >= controller_map_speed[is + 1U]) {
    is++;
  }

  it = 0U;
  while (it < 3U && rtb_Hot >= controller_map_temp[it + 1U]) {
    it++;
  }

  frac_s = (rtb_Speed - controller_map_speed[is]) / (controller_map_speed[is +
    1U] - controller_map_speed[is]);
  frac_t = (rtb_Hot - controller_map_temp[it]) / (controller_map_temp[it + 1U] -
    controller_map_temp[it]);
  k = (int32_T)(it * 6U + is);
  rtb_Limit = (1.0 - frac_t) * ((1.0 - frac_s) * controller_map[k] + frac_s *
    controller_map[k + 1]) + frac_t * ((1.0 - frac_s) * controller_map[k + 6] +
    frac_s * controller_map[k + 7]);

  /* MinMax: '<S5>/Not above' */
  if (rtb_Torque > rtb_Limit) {
    rtb_Torque = rtb_Limit;
  }

  /* End of MinMax: '<S5>/Not above' */

  /* RateLimiter: '<S5>/Rate Limit' */
  frac_s = rtb_Torque - controller_DW.RateLimit_PrevY;
  if (frac_s > 4.0) {
    rtb_Torque = controller_DW.RateLimit_PrevY + 4.0;
  } else if (frac_s < -8.0) {
    rtb_Torque = controller_DW.RateLimit_PrevY - 8.0;
  }

  controller_DW.RateLimit_PrevY = rtb_Torque;

  /* End of RateLimiter: '<S5>/Rate Limit' */
  /* End of Outputs for SubSystem: '<Root>/Torque Limit' */

  /* Outport: '<Root>/Torque' */
  controller_Y.Torque = rtb_Torque;
}

/* Model initialize function */
void controller_initialize(void)
{
  int32_T k;

  /* SystemInitialize for Atomic SubSystem: '<Root>/Speed Sensor' */
  /* InitializeConditions for DiscreteFilter: '<S3>/Filter' */
  for (k = 0; k < 8; k++) {
    controller_DW.Filter_states[k] = 0.0;
  }

  /* End of SystemInitialize for SubSystem: '<Root>/Speed Sensor' */

  /* SystemInitialize for Enabled SubSystem: '<Root>/Speed Control' */
  /* InitializeConditions for DiscreteIntegrator: '<S2>/Integrator' */
  controller_DW.Integrator_DSTATE = 0.0;

  /* InitializeConditions for UnitDelay: '<S2>/Unit Delay' */
  controller_DW.UnitDelay_DSTATE = 0.0;

  /* End of SystemInitialize for SubSystem: '<Root>/Speed Control' */
}

/*
 * File trailer for generated code.
 *
 * [EOF]
 */
