/*
 * File: chart.c
 *
 * Written by hand in the style of code generated for Simulink model 'chart': a gearbox's shift logic in a chart with two
 * parallel states, and what decides for it.
 */
#include <stdio.h>
#include <string.h>

#include "rtwtypes.h"

#define chart_IN_first                 ((uint8_T)1U)
#define chart_IN_second                ((uint8_T)2U)
#define chart_IN_third                 ((uint8_T)3U)
#define chart_IN_fourth                ((uint8_T)4U)
#define chart_IN_steady                ((uint8_T)1U)
#define chart_IN_upshifting            ((uint8_T)2U)
#define chart_IN_downshifting          ((uint8_T)3U)

typedef struct {
  uint8_T is_active;
  uint8_T is_gear;
  uint8_T is_selection;
  uint16_T counter;
  real_T Filter_DSTATE;
} DW_chart_T;

DW_chart_T chart_DW;
real_T chart_speed, chart_throttle;
int32_T chart_gear;
static const real_T chart_up_table[16] = { 10, 15, 20, 25, 30, 36, 42, 48, 54, 60, 66, 72, 78, 84, 90, 96 };
static const real_T chart_down_table[16] = { 5, 8, 11, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58, 62 };

/* Function for Chart: '<Root>/Shift logic' */
static void chart_shift(boolean_T up)
{
  switch (chart_DW.is_gear) {
   case chart_IN_first:
    /* During 'first': '<S1>:1' */
    if (up) {
      /* Transition: '<S1>:11' */
      chart_DW.is_gear = chart_IN_second;

      /* Entry 'second': '<S1>:2' */
      chart_gear = 2;
    }
    break;

   case chart_IN_second:
    /* During 'second': '<S1>:2' */
    if (up) {
      /* Transition: '<S1>:12' */
      chart_DW.is_gear = chart_IN_third;

      /* Entry 'third': '<S1>:3' */
      chart_gear = 3;
    } else {
      /* Transition: '<S1>:13' */
      chart_DW.is_gear = chart_IN_first;

      /* Entry 'first': '<S1>:1' */
      chart_gear = 1;
    }
    break;

   case chart_IN_third:
    /* During 'third': '<S1>:3' */
    if (up) {
      /* Transition: '<S1>:14' */
      chart_DW.is_gear = chart_IN_fourth;

      /* Entry 'fourth': '<S1>:4' */
      chart_gear = 4;
    } else {
      /* Transition: '<S1>:15' */
      chart_DW.is_gear = chart_IN_second;

      /* Entry 'second': '<S1>:2' */
      chart_gear = 2;
    }
    break;

   default:
    /* During 'fourth': '<S1>:4' */
    if (!up) {
      /* Transition: '<S1>:16' */
      chart_DW.is_gear = chart_IN_third;

      /* Entry 'third': '<S1>:3' */
      chart_gear = 3;
    }
    break;
  }
}

/* Model step function */
void chart_step(void)
{
  real_T rtb_up;
  real_T rtb_down;
  int32_T index;

  /* DiscreteTransferFcn: '<S2>/Filter' incorporates:
   *  Inport: '<Root>/speed'
   */
  chart_DW.Filter_DSTATE += 0.3 * (chart_speed - chart_DW.Filter_DSTATE);

  /* Lookup_n-D: '<S2>/Up' incorporates:
   *  Inport: '<Root>/throttle'
   */
  index = (int32_T)(chart_throttle * 0.03) + 4 * (chart_gear - 1);
  rtb_up = chart_up_table[index & 15];

  /* Lookup_n-D: '<S2>/Down' */
  rtb_down = chart_down_table[index & 15];

  /* Chart: '<Root>/Shift logic' */
  if (chart_DW.is_active == 0U) {
    /* Entry: Shift logic */
    chart_DW.is_active = 1U;
    chart_DW.is_gear = chart_IN_first;
    chart_DW.is_selection = chart_IN_steady;
    chart_gear = 1;
  } else {
    switch (chart_DW.is_selection) {
     case chart_IN_steady:
      /* During 'steady': '<S1>:21' */
      if (chart_DW.Filter_DSTATE > rtb_up) {
        /* Transition: '<S1>:31' */
        chart_DW.is_selection = chart_IN_upshifting;
        chart_DW.counter = 0U;
      } else if (chart_DW.Filter_DSTATE < rtb_down) {
        /* Transition: '<S1>:32' */
        chart_DW.is_selection = chart_IN_downshifting;
        chart_DW.counter = 0U;
      }
      break;

     case chart_IN_upshifting:
      /* During 'upshifting': '<S1>:22' */
      chart_DW.counter++;
      if (chart_DW.Filter_DSTATE <= rtb_up) {
        /* Transition: '<S1>:33' */
        chart_DW.is_selection = chart_IN_steady;
      } else if (chart_DW.counter >= 2U) {
        /* Transition: '<S1>:34' */
        chart_shift(1);
        chart_DW.is_selection = chart_IN_steady;
      }
      break;

     default:
      /* During 'downshifting': '<S1>:23' */
      chart_DW.counter++;
      if (chart_DW.Filter_DSTATE >= rtb_down) {
        /* Transition: '<S1>:35' */
        chart_DW.is_selection = chart_IN_steady;
      } else if (chart_DW.counter >= 2U) {
        /* Transition: '<S1>:36' */
        chart_shift(0);
        chart_DW.is_selection = chart_IN_steady;
      }
      break;
    }
  }

  /* End of Chart: '<Root>/Shift logic' */
}

int main(void)
{
  int32_T sum = 0;
  memset(&chart_DW, 0, sizeof chart_DW);
  chart_gear = 1;
  for (int step = 0; step < 3000; step++) {
    int phase = step % 300;
    chart_speed = phase < 150 ? phase * 0.7 : (300 - phase) * 0.7;
    chart_throttle = (real_T)((step / 40) % 100);
    chart_step();
    sum += chart_gear;
  }
  printf("%d\n", (int)sum);
  return 0;
}
