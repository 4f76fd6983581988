/*
 * File: controller.h
 *
 * Written by hand in the style of code generated from a model: a motor drive's controller.
 */
#ifndef CONTROLLER_H
#define CONTROLLER_H

#include "rtwtypes.h"

/* External inputs */
typedef struct {
  real_T SpeedPulses;                  /* '<Root>/SpeedPulses' */
  real_T Pedal;                        /* '<Root>/Pedal' */
  real_T Temperature[4];               /* '<Root>/Temperature' */
  boolean_T Enable;                    /* '<Root>/Enable' */
} ExtU_controller_T;

/* External outputs */
typedef struct {
  real_T Torque;                       /* '<Root>/Torque' */
  real_T Fan;                          /* '<Root>/Fan' */
  uint8_T Mode;                        /* '<Root>/Mode' */
} ExtY_controller_T;

/* Block states */
typedef struct {
  real_T Filter_states[8];             /* '<S3>/Filter' */
  real_T Integrator_DSTATE;            /* '<S2>/Integrator' */
  real_T UnitDelay_DSTATE;             /* '<S2>/Unit Delay' */
  real_T RateLimit_PrevY;              /* '<S5>/Rate Limit' */
  uint8_T is_active_c1_controller;     /* '<Root>/Modes' */
  uint8_T is_c1_controller;            /* '<Root>/Modes' */
  uint16_T temporalCounter_i1;         /* '<Root>/Modes' */
} DW_controller_T;

extern ExtU_controller_T controller_U;
extern ExtY_controller_T controller_Y;
extern DW_controller_T controller_DW;

extern void controller_initialize(void);
extern void controller_step(void);

/*-
 * The generated code includes comments that allow you to trace directly
 * back to the appropriate location in the model.
 *
 * Here is the system hierarchy for this model
 *
 * '<Root>' : 'controller'
 * '<S1>'   : 'controller/Modes'
 * '<S2>'   : 'controller/Speed Control'
 * '<S3>'   : 'controller/Speed Sensor'
 * '<S4>'   : 'controller/Thermal'
 * '<S5>'   : 'controller/Torque Limit'
 */
#endif                                 /* CONTROLLER_H */
