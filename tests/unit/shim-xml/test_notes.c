/* Annotations as Instructions, the sum over instruction values, and files that contradict themselves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/file.h"
#include "shim-xml/document/instruction_widths.h"
#include "shim-xml/document/notes.h"
#include "shim-xml/shimxml.h"
#include "shim-xml/values/seal.h"
#include "tests/unit/folder.h"

#define PLAIN(name)                                                                                                    \
    "<Instruction name=\"" name "\"><Performance><Pitch best=\"0.5\" typical=\"1.0\" worst=\"2.0\"/><Latency "         \
    "typical=\"1.5\"/></Performance></Instruction>"
#define NOTE(name)                                                                                                     \
    "<Instruction name=\"" name                                                                                        \
    "\"><Performance><Pitch typical=\"0.0\"/><Latency typical=\"0.0\"/></Performance></Instruction>"
#define UNIT(name, instructions)                                                                                       \
    "<MasterComponent name=\"" name "\" id=\"M" name "\" masterType=\"PU\" arch=\"a\" endian=\"LITTLE\">"              \
    "<CommonInstructionSet name=\"L\">" instructions "</CommonInstructionSet></MasterComponent>"
#define SYSTEM(units)                                                                                                  \
    "<SystemConfiguration name=\"s\" shimVersion=\"1.0\"><ComponentSet name=\"T\">" units                              \
    "</ComponentSet><ClockFrequency clockValue=\"1.0\"/></SystemConfiguration>"

static struct shimxml_doc *parse(const char *text)
{
    struct shimxml_doc *d = 0;
    struct error e = ERROR_INIT;
    char *path = in_folder("n.xml");
    assert_int_equal(file_write(path, text, strlen(text), &e), OK);
    if (shimxml_read(&d, path, &e))
        fail_msg("%s", e.message);
    return d;
}

static struct shimxml_node *core_of(const struct shimxml_doc *d, size_t i)
{
    struct shimxml_node *n = shimxml_following(shimxml_root(d), 0, "MasterComponent");
    while (i--)
        n = shimxml_following(shimxml_root(d), n, "MasterComponent");
    return n;
}

static void assert_says(const struct shimxml_doc *d, const char *name, const char *expected)
{
    char *value = shimxml_annotation(d, name);
    if (expected)
        assert_string_equal(value, expected);
    else
        assert_null(value);
    free(value);
}

static void they_are_instructions_of_each_core(void **state)
{
    (void)state;
    struct shimxml_doc *d = parse("<?shimgen method=\"sum\" predictor=\"gshare:12:8\"?>" SYSTEM(
        UNIT("A", PLAIN("add")) UNIT("B", PLAIN("add")) UNIT("C", "")));
    assert_says(d, "predictor", "gshare:12:8");
    shimxml_annotate(d, "interval", "1; any 0.9 0.5 2");
    for (size_t i = 0; i < 2; i++) {
        struct shimxml_node *note = note_in(core_of(d, i), "interval");
        assert_string_equal(instruction_name(note), "shimgen:interval=1;~any~0.9~0.5~2");
        assert_non_null(note_in(core_of(d, i), "method"));
        assert_non_null(note_in(core_of(d, i), "predictor"));
    }
    assert_null(note_in(core_of(d, 2), "interval"));
    assert_says(d, "method", "sum");
    assert_says(d, "interval", "1; any 0.9 0.5 2");
    shimxml_annotate(d, "interval", 0);
    assert_says(d, "interval", 0);
    assert_null(note_in(core_of(d, 1), "interval"));
    struct shimxml_system *s = 0;
    assert_int_equal(shimxml_system(&s, d, 0), OK);
    assert_int_equal(s->cores[0].n_instructions, 1);
    shimxml_system_free(s);
    shimxml_free(d);
}

static void any_text_comes_back(void **state)
{
    (void)state;
    static const char *const texts[] = {"gshare:12:8", "a b~c%41,#_d", "x_d", "\xc3\xa4", "", "_d_d", "a'<&"};
    struct shimxml_doc *d = parse(SYSTEM(UNIT("A", PLAIN("add"))));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        shimxml_annotate(d, "policy", texts[i]);
        assert_says(d, "policy", texts[i]);
        const char *name = instruction_name(note_in(core_of(d, 0), "policy"));
        assert_null(strpbrk(name, ",\"\r\n\t #")); /* what a latency CSV cannot hold */
        assert_true(strcmp(name + strlen(name) - 2, "_d") != 0);
    }
    shimxml_free(d);
    /* escapes that no annotation can hold are no escapes */
    d = parse(SYSTEM(UNIT("A", PLAIN("add") NOTE("shimgen:policy=%22%3E%0A%4"))));
    assert_says(d, "policy", "%22%3E%0A%4");
    shimxml_free(d);
}

static void instructions_without_a_name_are_none(void **state)
{
    (void)state;
    struct shimxml_doc *d = parse(SYSTEM(UNIT("A", "<Instruction/>" NOTE("shimgen:method=schedule"))));
    assert_says(d, "method", "schedule");
    assert_says(d, "predictor", 0);
    shimxml_free(d);
}

static void assert_refused(const char *text, const char *why)
{
    struct error e = ERROR_INIT;
    const char *method = 0;
    struct shimxml_doc *d = parse(text);
    assert_int_equal(shimxml_method(&method, d, &e), ERR_INPUT);
    if (!strstr(e.message, why))
        fail_msg("'%s' is not in '%s'", why, e.message);
    error_release(&e);
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    bool found = false;
    for (size_t i = 0; i < f.n; i++)
        found |= strcmp(f.at[i].rule, "method") == 0;
    assert_true(found);
    shimxml_findings_release(&f);
    shimxml_free(d);
}

static void assert_core_says(const struct shimxml_doc *d, const char *core, const char *expected)
{
    char *value = shimxml_core_annotation(d, core, "predictor");
    if (expected)
        assert_string_equal(value, expected);
    else
        assert_null(value);
    free(value);
}

/* Two kinds of cores are simulated in two ways, and the method of both is one. */
static void each_core_has_its_predictor(void **state)
{
    (void)state;
    const char *method = 0;
    struct shimxml_doc *d =
        parse(SYSTEM(UNIT("A", PLAIN("add") NOTE("shimgen:method=schedule") NOTE("shimgen:predictor=gshare:12:6:0"))
                         UNIT("B", PLAIN("add") NOTE("shimgen:method=schedule") NOTE("shimgen:predictor=bimodal:10"))
                             UNIT("C", PLAIN("add"))));
    assert_int_equal(shimxml_method(&method, d, 0), OK);
    assert_core_says(d, 0, "gshare:12:6:0");
    assert_core_says(d, "A", "gshare:12:6:0");
    assert_core_says(d, "B", "bimodal:10");
    assert_core_says(d, "MB", "bimodal:10");
    assert_core_says(d, "C", 0);
    shimxml_free(d);
    d = parse("<?shimgen predictor=\"bimodal:9\"?>" SYSTEM(UNIT("A", PLAIN("add"))));
    assert_core_says(d, "A", "bimodal:9");
    shimxml_free(d);
    assert_refused("<?shimgen predictor=\"bimodal:9\"?>" SYSTEM(UNIT("A", NOTE("shimgen:predictor=bimodal:10"))),
                   "which says 'bimodal:9'");
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    assert_refused(SYSTEM(UNIT("A", PLAIN("add") NOTE("shimgen:method=schedule"))
                              UNIT("B", PLAIN("add") NOTE("shimgen:method=operand"))),
                   "'shimgen:method=operand' contradicts another core or the instruction before the root, which says "
                   "'schedule'");
    assert_refused("<?shimgen method=\"operand\"?>" SYSTEM(UNIT("A", PLAIN("add") NOTE("shimgen:method=schedule"))),
                   "which says 'operand'");
    assert_refused(SYSTEM(UNIT("A", PLAIN("add") NOTE("factor.mul"))), "it has factors of schedules ('factor.mul')");
    assert_refused(SYSTEM(UNIT("A", PLAIN("add") NOTE("shimgen:method=fast"))), "names no method");
    const char *method = 0;
    struct shimxml_doc *d = parse("<?shimgen method=\"schedule\"?>" SYSTEM(
        UNIT("A", PLAIN("add") NOTE("factor.mul") NOTE("shimgen:method=schedule") NOTE("shimgen:values=0"))
            UNIT("B", PLAIN("add") NOTE("shimgen:values=1"))));
    assert_int_equal(shimxml_method(&method, d, 0), OK);
    assert_string_equal(method, "schedule");
    shimxml_free(d);
}

/* ---- the sum ---- */

static enum shimxml_seal after(struct shimxml_doc *d, const char *path, const char *value)
{
    struct shimxml_selection at;
    assert_int_equal(shimxml_select(&at, d, path, 0), OK);
    const char *before = shimxml_get(at.at[0], at.attribute);
    shimxml_set(at.at[0], at.attribute, value);
    enum shimxml_seal seal = seal_of(core_of(d, 0));
    shimxml_set(at.at[0], at.attribute, before);
    assert_int_equal(seal_of(core_of(d, 0)), SHIMXML_SEALED);
    shimxml_selection_release(&at);
    return seal;
}

static void a_changed_value_breaks_it(void **state)
{
    (void)state;
    struct shimxml_doc *d = parse(SYSTEM(UNIT("A", PLAIN("add") PLAIN("mul.i64"))));
    assert_int_equal(seal_of(core_of(d, 0)), SHIMXML_UNSEALED);
    assert_false(seals_hold(d));
    shimxml_seal(d);
    assert_true(seals_hold(d));
    assert_int_equal(after(d, "//Instruction[@name='add']//Pitch/@typical", "1.0000001"), SHIMXML_CHANGED);
    assert_int_equal(after(d, "//Instruction[@name='add']//Pitch/@typical", "1.00000001"), SHIMXML_SEALED);
    assert_int_equal(after(d, "//Instruction[@name='add']//Latency/@worst", "1.5"), SHIMXML_SEALED);
    assert_int_equal(after(d, "//Instruction[@name='add']//Latency/@worst", "2"), SHIMXML_CHANGED);
    assert_int_equal(after(d, "//Instruction[@name='mul.i64']/@name", "mul.i32"), SHIMXML_CHANGED);
    shimxml_annotate(d, "predictor", "gshare:12:8"); /* annotations are no values */
    assert_true(seals_hold(d));
    shimxml_free(d);
}

static void who_broke_it_is_named(void **state)
{
    (void)state;
    struct shimxml_doc *d = parse(SYSTEM(UNIT("A", PLAIN("add") PLAIN("sub") PLAIN("mul") PLAIN("or") PLAIN("xor"))));
    shimxml_seal(d);
    assert_null(seal_broken_by(core_of(d, 0)));
    struct shimxml_node *pitch = 0;
    for (size_t i = 0; i < 4; i++) {
        pitch = shimxml_following(shimxml_root(d), pitch, "Pitch");
        shimxml_set(pitch, "best", 0);
        shimxml_set(pitch, "worst", 0);
        shimxml_set(pitch, "typical", "0.0");
    }
    char *who = seal_broken_by(core_of(d, 0));
    assert_string_equal(
        who, "MeasurementCycleWriteback: 'add', 'sub', 'mul' and 1 more have Pitch 0 without best and worst");
    free(who);
    shimxml_drop_instructions(d);
    assert_null(instruction_next(core_of(d, 0), 0));
    shimxml_free(d);
}

/* The same on every machine: FNV-1a of the name and the six values as little-endian floats, worked out by another program. */
static void the_sum_does_not_depend_on_the_machine(void **state)
{
    (void)state;
    struct shimxml_doc *d = parse(SYSTEM(UNIT("A", PLAIN("add") PLAIN("fadd"))));
    shimxml_seal(d);
    char *sum = note_of(note_in(core_of(d, 0), NOTE_SUM), NOTE_SUM);
    assert_string_equal(sum, "b5a78e5f33d848de");
    free(sum);
    shimxml_free(d);
}

/* What goes with values that are replaced goes with them. */
static void it_goes_with_its_values(void **state)
{
    (void)state;
    struct shimxml_doc *d =
        parse(SYSTEM(UNIT("A", PLAIN("add") PLAIN("fitted.add") PLAIN("factor.mul") PLAIN("mul.i64"))));
    shimxml_set_method(d, "schedule");
    shimxml_seal(d);
    seal_remove(core_of(d, 0));
    assert_null(note_in(core_of(d, 0), NOTE_SUM));
    size_t left = 0;
    for (struct shimxml_node *i = 0; (i = instruction_next(core_of(d, 0), i)); left++)
        assert_null(strstr(instruction_name(i), "fitted."));
    assert_int_equal(left, 3); /* add, mul.i64, the method */
    shimxml_free(d);
}

static void dropped_instructions_leave_annotations(void **state)
{
    (void)state;
    struct shimxml_doc *d =
        parse(SYSTEM(UNIT("A", PLAIN("add") NOTE("shimgen:method=schedule") NOTE("shimgen:policy=lru"))));
    shimxml_drop_instructions(d);
    assert_says(d, "method", "schedule");
    assert_says(d, "policy", "lru");
    shimxml_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_instructions_of_each_core),
        cmocka_unit_test(any_text_comes_back),
        cmocka_unit_test(instructions_without_a_name_are_none),
        cmocka_unit_test(each_core_has_its_predictor),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(a_changed_value_breaks_it),
        cmocka_unit_test(who_broke_it_is_named),
        cmocka_unit_test(the_sum_does_not_depend_on_the_machine),
        cmocka_unit_test(it_goes_with_its_values),
        cmocka_unit_test(dropped_instructions_leave_annotations),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
