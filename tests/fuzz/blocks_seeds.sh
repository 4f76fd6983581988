#!/bin/sh
# blocks_seeds.sh FOLDER - C sources with the comments of code generators for the fuzz target: the example of the
# documentation, and small ones of each form, one with its header behind a NUL byte. Needs TOP.
set -eu
mkdir -p "$1"
{ cat "$TOP/docs/example/controller.c" && printf '\000' && cat "$TOP/docs/example/controller.h"; } >"$1/example"
cd "$1"
cat >forms <<'END'
/* Code generated for Simulink model 'controller'. */
#include "controller.h"
/* Output and update for atomic system: '<S1>/Filter' */
void controller_step(void)
{
  /* Sum: '<S1>/Add' incorporates:
   *  Constant: '<S1>/C'
   */
  y = a + 3.0;

  /* Switch: '<S1>/Switch' */
  if (u > 0) {
    /* Gain: '<S1>/Gain' */
    y = 2.0 * u; } else y = u;
  /* End of Switch: '<S1>/Switch' */
  /* Chart: '<Root>/Logic' */
  switch (s) { case 1: /* During 'On': '<S2>:4' */ t++; break;
  default: /* Transition: '<S2>:7' */ for (i = 0; i < 3; i++) t--; }
  /* Update for UnitDelay: '<S1>/Delay' */
  d = y;
}
END
cat >twice <<'END'
/* Output and update for atomic system: '<S1>/Filter' */
static void first(void)
{
  y = 1;
}
/* Output and update for atomic system: '<S1>/Filter' */
static void second(void)
{
  y = 2;
}
END
cat >marks <<'END'
// shim: block outer
static int f(a) int a; { shim_region_begin("r"); return a ? '"' : "/*"[0]; shim_region_end("r"); }
# 0 "marks.c"
int h(void) { return 0; }
#if X
namespace n { struct s { s() : x(1) {} int x; }; }
#else
#line 7 "other.c"
int g(void) { do { /* shim: end */ } while (0); } \
// two \
   lines
#endif
END
printf '/* Code generated for Simulink model: m */ int a; /* Gain: \047<S1>/G\047 */ a = 1;\000/* Here is the system hierarchy for this model\n * \047<Root>\047 : \047m\047\n * \047<S1>\047 : \047m/Speed\047 */' >systems
