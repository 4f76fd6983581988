/*
 * File: pid.c
 *
 * Written by hand in the style of code generated for Simulink model 'pid': six axes through one reusable subsystem, in a
 * for-each loop, with what plans their motion.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

typedef struct {
  real_T Integrator;
  real_T Filter;
  real_T Last;
} DW_axis_T;

typedef struct {
  DW_axis_T Axis[6];
  real_T Plan_v[6];
  real_T Plan_x[6];
} DW_pid_T;

DW_pid_T pid_DW;
real_T pid_target[6], pid_position[6], pid_torque[6];
real_T pid_energy;
uint8_T pid_alarm;

/* Output and update for iterator system: '<Root>/Axes' */
static void pid_Axis(real_T rtu_ref, real_T rtu_x, real_T *rty_u, DW_axis_T *localDW)
{
  real_T rtb_Error;
  real_T rtb_D;
  real_T rtb_Sum;

  /* Sum: '<S1>/Error' */
  rtb_Error = rtu_ref - rtu_x;

  /* Gain: '<S1>/Filter' incorporates:
   *  DiscreteIntegrator: '<S1>/Filter state'
   */
  rtb_D = (rtb_Error * 2.0 - localDW->Filter) * 40.0;

  /* Update for DiscreteIntegrator: '<S1>/Filter state' */
  localDW->Filter += 0.001 * rtb_D;

  /* Sum: '<S1>/PID' */
  rtb_Sum = (25.0 * rtb_Error + localDW->Integrator) + rtb_D;

  /* Saturate: '<S1>/Torque limit' */
  if (rtb_Sum > 50.0) {
    *rty_u = 50.0;
  } else if (rtb_Sum < -50.0) {
    *rty_u = -50.0;
  } else {
    *rty_u = rtb_Sum;
  }

  /* End of Saturate: '<S1>/Torque limit' */

  /* DiscreteIntegrator: '<S1>/Integrator' incorporates:
   *  Gain: '<S1>/Back calculation'
   */
  localDW->Integrator += (rtb_Error * 8.0 + (*rty_u - rtb_Sum) * 5.0) * 0.001;
  localDW->Last = rtb_Error;
}

/* Model step function */
void pid_step(void)
{
  real_T rtb_a;
  int32_T i;

  /* MATLAB Function: '<S2>/Plan' */
  for (i = 0; i < 6; i++) {
    rtb_a = 4.0 * (pid_target[i] - pid_DW.Plan_x[i]) - 4.0 * pid_DW.Plan_v[i];
    if (rtb_a > 2.0) {
      rtb_a = 2.0;
    } else if (rtb_a < -2.0) {
      rtb_a = -2.0;
    }

    pid_DW.Plan_v[i] += 0.01 * rtb_a;
    pid_DW.Plan_x[i] += 0.01 * pid_DW.Plan_v[i];
  }

  /* End of MATLAB Function: '<S2>/Plan' */

  /* Outputs for Iterator SubSystem: '<Root>/Axes' */
  for (i = 0; i < 6; i++) {
    pid_Axis(pid_DW.Plan_x[i], pid_position[i], &pid_torque[i], &pid_DW.Axis[i]);
  }

  /* End of Outputs for SubSystem: '<Root>/Axes' */

  /* DotProduct: '<S3>/Energy' */
  pid_energy = 0.0;
  for (i = 0; i < 6; i++) {
    pid_energy += pid_torque[i] * pid_torque[i];
  }

  /* Logic: '<S3>/Alarm' */
  pid_alarm = 0U;
  for (i = 0; i < 6; i++) {
    if (pid_DW.Axis[i].Last > 0.2 || pid_DW.Axis[i].Last < -0.2) {
      pid_alarm = (uint8_T)(pid_alarm | (1U << i));
    }
  }

  /* End of Logic: '<S3>/Alarm' */
}

int main(void)
{
  real_T sum = 0.0;
  memset(&pid_DW, 0, sizeof pid_DW);
  memset(pid_position, 0, sizeof pid_position);
  for (int step = 0; step < 600; step++) {
    for (int i = 0; i < 6; i++) {
      pid_target[i] = (step / 100 + i) % 2 ? 1.0 : -0.5;
      pid_position[i] += 0.01 * (pid_DW.Plan_x[i] - pid_position[i]) + 0.0001 * pid_torque[i];
    }
    pid_step();
    sum += pid_energy + (real_T)pid_alarm;
  }
  printf("%.6f\n", sum);
  return 0;
}
