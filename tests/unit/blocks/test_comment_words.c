/* What comments say: forms of Embedded Coder as published sources of R2009b to R2024b have them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/str.h"
#include "shimgen/blocks/comment_words.h"

static void expect(const char *text, const char *what)
{
    static const char *const kinds[] = {"none", "block", "system", "function", "state", "marker"};
    struct words w;
    struct str out = STR_INIT;
    words_read(&w, text);
    str_add(&out, kinds[w.kind]);
    if (w.kind != WORDS_NONE) {
        str_addf(&out, "%s|%s|%s|%s|%s", w.end ? " end" : "", w.type, w.name ? w.name : "-", w.label ? w.label : "-",
                 w.phase ? w.phase : "-");
        for (size_t i = 0; i < w.n_incorporates; i++)
            str_addf(&out, "+%s", w.incorporates[i]);
    }
    assert_string_equal(str_text(&out), what);
    str_release(&out);
    words_release(&w);
}

static void blocks(void **state)
{
    (void)state;
    expect("Gain: '<S1>/Gain'", "block|Gain|<S1>/Gain|-|-");
    expect("Outport: '<Root>/TEMP_OUT' incorporates: Gain: '<S1>/Gain' Inport: '<Root>/JS1_xAxis'",
           "block|Outport|<Root>/TEMP_OUT|-|-+Gain: '<S1>/Gain'+Inport: '<Root>/JS1_xAxis'");
    expect("End of Switch: '<S1>/Switch'", "block end|Switch|<S1>/Switch|-|-");
    expect("S-Function (c280xcanxmt): '<S2>/eCAN Transmit' incorporates: Constant: '<S1>/Constant'",
           "block|S-Function (c280xcanxmt)|<S2>/eCAN Transmit|-|-+Constant: '<S1>/Constant'");
    expect("SignalConversion generated from: '<S2>/Out1'", "block|SignalConversion|<S2>/Out1|-|-");
    expect("Sum: '<S1>/a // b's \"c\"'", "block|Sum|<S1>/a // b's \"c\"|-|-");
    expect("MATLAB Function: '<S3>/f'", "block|MATLAB Function|<S3>/f|-|-");
    expect("Chart: '<Root>/Chart'", "block|Chart|<Root>/Chart|-|-");
}

static void phases(void **state)
{
    (void)state;
    expect("Update for UnitDelay: '<S4>/Delay'", "block|UnitDelay|<S4>/Delay|-|Update");
    expect("InitializeConditions for DiscreteIntegrator: '<S2>/I'",
           "block|DiscreteIntegrator|<S2>/I|-|InitializeConditions");
    expect("SystemReset for Chart: '<S66>/Chart'", "block|Chart|<S66>/Chart|-|SystemReset");
    expect("Outputs for Atomic SubSystem: '<Root>/Control'", "system|Atomic SubSystem|<Root>/Control|-|-");
    expect("End of Outputs for SubSystem: '<Root>/Control'", "system end|SubSystem|<Root>/Control|-|-");
    expect("Outputs for IfAction SubSystem: '<S1>/If Action' incorporates: ActionPort: '<S2>/Action Port'",
           "system|IfAction SubSystem|<S1>/If Action|-|-+ActionPort: '<S2>/Action Port'");
    expect("Output and update for atomic system: '<S1>/SVPWM'", "system|atomic system|<S1>/SVPWM|-|Output and update");
    expect("Output and update for action system: '<Root>/a' '<Root>/b c' '<S1>/d' ...",
           "system|action system|<Root>/a|-|Output and update+action system: '<Root>/b c'+action system: '<S1>/d'");
    expect("System initialize for atomic system: '<S1>/a' '<S1>/b'",
           "system|atomic system|<S1>/a|-|System initialize+atomic system: '<S1>/b'");
    expect("Function for Chart: '<S42>/PUMP LOGIC'", "function|Chart|<S42>/PUMP LOGIC|-|-");
}

static void stateflow(void **state)
{
    (void)state;
    expect("During 'On': '<S5>:12'", "state|State|<S5>:12|On|-");
    expect("Entry Internal 'On': '<S5>:12'", "state|State|<S5>:12|On|-");
    expect("Exit 'a b': '<S5>:1'", "state|State|<S5>:1|a b|-");
    expect("Transition: '<S5>:7'", "state|Transition|<S5>:7|-|-");
    expect("MATLAB Function 'f': '<S5>:3'", "state|MATLAB Function|<S5>:3|f|-");
    expect("'<S5>:12:1' motor_enable = true;", "none");
    expect("During: Chart", "none");
}

static void markers(void **state)
{
    (void)state;
    expect("shim: block filter", "marker|marker|filter|-|-");
    expect("shim:block a b", "marker|marker|a b|-|-");
    expect("shim: end", "marker end|marker|-|-|-");
    expect("shim: end filter", "marker end|marker|filter|-|-");
    expect("shim: blocks", "none");
    expect("shim: block ", "none");
    expect("shim: ending", "none");
}

static void nothing(void **state)
{
    (void)state;
    expect("", "none");
    expect(": '<S1>/x'", "none");
    expect("Referenced by: '<S1>/Gain'", "none");
    expect("Expression: 5 Referenced by: '<S1>/Gain'", "none");
    expect("Block description for: '<S1>/Gain'", "none");
    expect("'<S1>/Gain'", "none");
    expect("Gain: '<S1>/Gain", "none");
    expect("Gain: '<S/Gain'", "none");
    expect("Gain: '<S1/Gain'", "none");
    expect("Gain: '<S1>'", "block|Gain|<S1>|-|-");
    expect("see also: '<X>/y'", "none");
    expect("End of ", "none");
    expect("MW:OvSatOk", "none");
}

static void texts(void **state)
{
    (void)state;
    const char raw[] = "*\r\n *  a\t b\v\n * * c  ";
    char *text = comment_words(raw, sizeof raw - 1);
    assert_string_equal(text, "a b * c");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),  cmocka_unit_test(phases),  cmocka_unit_test(stateflow),
        cmocka_unit_test(markers), cmocka_unit_test(nothing), cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
