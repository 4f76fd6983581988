#!/bin/sh
# model.sh LINES FOLDER - a model of so many lines in the style of generated code, the same each time: model.c with subsystems
# of gains, sums, limits, filters, delays, look-ups, switches and a chart; model.h; main.c, which makes 1000 steps.
set -eu
mkdir -p "$2"
awk -v lines="$1" -v folder="$2" '
    function put(text) { print text > c; n++ }
    function random(k) { state = (state * 16807) % 2147483647; return state % k }
    function number() { return sprintf("%d.%03d", random(3), random(1000)) }
    function block(kind, name, body) {
        put("  /* " kind ": \047<S" s ">/" name "\047 */")
        put("  " body)
        put("")
    }
    function limit(name) {
        put("  /* Saturate: \047<S" s ">/" name "\047 incorporates:")
        put("   *  Constant: \047<S" s ">/Upper" name "\047")
        put("   */")
        put("  if (x > " 1 + random(9) ".0) {")
        put("    x = " 1 + random(9) ".0;")
        put("  } else if (x < -" 1 + random(9) ".0) {")
        put("    x = -" 1 + random(9) ".0;")
        put("  }")
        put("")
        put("  /* End of Saturate: \047<S" s ">/" name "\047 */")
    }
    function filter(name) {
        put("  /* DiscreteFilter: \047<S" s ">/" name "\047 */")
        put("  acc = 0.0;")
        put("  for (k = 0; k < 4; k++) {")
        put("    acc += DW.filter[" s - 1 "][k] * " number() ";")
        put("  }")
        put("  for (k = 3; k > 0; k--) {")
        put("    DW.filter[" s - 1 "][k] = DW.filter[" s - 1 "][k - 1];")
        put("  }")
        put("  DW.filter[" s - 1 "][0] = x;")
        put("  x = 0.1 * acc;")
        put("")
    }
    function choice(name) {
        put("  /* Switch: \047<S" s ">/" name "\047 */")
        put("  if (x > " number() ") {")
        put("    /* Gain: \047<S" s ">/Above" name "\047 */")
        put("    x = x * " number() ";")
        put("  } else {")
        put("    /* Bias: \047<S" s ">/Below" name "\047 */")
        put("    x = x + " number() ";")
        put("  }")
        put("")
        put("  /* End of Switch: \047<S" s ">/" name "\047 */")
    }
    function chart() {
        put("  /* Chart: \047<S" s ">/Chart\047 */")
        put("  switch (DW.state[" s - 1 "]) {")
        put("   case 0:")
        put("    /* During \047Idle\047: \047<S" s ">:1\047 */")
        put("    if (x > 0.5) {")
        put("      /* Transition: \047<S" s ">:3\047 */")
        put("      DW.state[" s - 1 "] = 1;")
        put("    }")
        put("    break;")
        put("")
        put("   default:")
        put("    /* During \047Busy\047: \047<S" s ">:2\047 */")
        put("    x = 0.5 * x;")
        put("    if (x < 0.25) {")
        put("      /* Transition: \047<S" s ">:4\047 */")
        put("      DW.state[" s - 1 "] = 0;")
        put("    }")
        put("    break;")
        put("  }")
        put("")
        put("  /* End of Chart: \047<S" s ">/Chart\047 */")
    }
    function subsystem(  i) {
        s++
        put("/* Output and update for atomic system: \047<Root>/Part" s "\047 */")
        put("static real_T part" s "(real_T u)")
        put("{")
        put("  real_T x = u;")
        put("  real_T acc;")
        put("  int k;")
        put("")
        for (i = 0; i < 6; i++) {
            block("Gain", "Gain" i, "x = " number() " * x;")
            block("Sum", "Sum" i, "x = x + u * " number() ";")
        }
        filter("Filter"); limit("Limit"); choice("Choice"); chart()
        block("Lookup_n-D", "Map", "x = look(x);")
        put("  /* Update for UnitDelay: \047<S" s ">/Delay\047 */")
        put("  acc = DW.delay[" s - 1 "];")
        put("  DW.delay[" s - 1 "] = x;")
        put("  return acc;")
        put("}")
        put("")
    }
    BEGIN {
        state = 4711; c = folder "/model.c"
        put("/*"); put(" * Code generated for Simulink model \047model\047."); put(" */")
        put("#include \"model.h\""); put("DW_T DW;"); put("real_T model_U, model_Y;"); put("")
        put("static const real_T table[9] = { 0.0, 0.4, 0.9, 1.1, 1.6, 1.7, 2.2, 2.9, 3.0 };")
        put("static real_T look(real_T u)"); put("{"); put("  int i;")
        put("  if (u <= 0.0) {"); put("    return table[0];"); put("  }")
        put("  for (i = 0; i < 7 && u > i + 1.0; i++) {"); put("  }")
        put("  return table[i] + (u - i) * (table[i + 1] - table[i]);"); put("}"); put("")
        while (n < lines - 120) subsystem()
        put("/* Model step function */"); put("void model_step(void)"); put("{"); put("  real_T y = 0.0;")
        for (i = 1; i <= s; i++) {
            put("  /* Outputs for Atomic SubSystem: \047<Root>/Part" i "\047 */")
            put("  y += part" i "(model_U + " i % 7 " * 0.1);")
        }
        put("  /* Outport: \047<Root>/Y\047 */"); put("  model_Y = y;"); put("}")
        h = folder "/model.h"
        print "typedef double real_T;\ntypedef struct { real_T filter[" s "][4], delay[" s "]; int state[" s "]; } DW_T;" > h
        print "extern DW_T DW;\nextern real_T model_U, model_Y;\nvoid model_step(void);" > h
        m = folder "/main.c"
        print "#include \"model.h\"\nint main(void)\n{\n    for (int i = 0; i < 1000; i++) {\n        model_U = 0.001 * (i * 37 % 1000);" > m
        print "        model_step();\n    }\n    return model_Y != model_Y;\n}" > m
    }'
