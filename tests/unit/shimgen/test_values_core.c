/* test_values_core.c - a core made of a SHIM file's values: two cores whose cycles are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/cli.h"
#include "base/key.h"
#include "shimgen/core/values/values.h"
#include "shimgen/core/values/values_core.h"
#include "sim/core/core_model.h"
#include "tests/unit/folder.h"

#define VALUE(name, pitch, latency)                                                                                    \
    "<Instruction name=\"" name "\"><Performance><Pitch typical=\"" #pitch "\"/><Latency typical=\"" #latency          \
    "\"/></Performance></Instruction>"
#define USE(name, cycles) VALUE(name, cycles, cycles)
/* Two instructions a cycle, one load a cycle. A misprediction takes 10 more. */
#define SIMPLE                                                                                                         \
    VALUE("add", 0.5, 1)                                                                                               \
    VALUE("icmp", 0.5, 1)                                                                                              \
    VALUE("mul.i32", 1, 3)                                                                                             \
    VALUE("mul.i64", 2, 4)                                                                                             \
    VALUE("store", 1, 3)                                                                                               \
    VALUE("fadd.double", 0.5, 4)                                                                                       \
    VALUE("call.llvm.fma.double", 1, 8)                                                                                \
    VALUE("call.direct", 3, 3)                                                                                         \
    "<Instruction name=\"br\"><Performance><Pitch typical=\"1\"/><Latency "                                            \
    "best=\"1\" typical=\"1\" worst=\"7\"/>"                                                                           \
    "</Performance></Instruction>"

static char *file_with(const char *values)
{
    static unsigned number;
    char *name = xasprintf("%u.xml", number++), *path = in_folder(name);
    FILE *f = fopen(path, "w");
    fprintf(f,
            "<?xml version=\"1.0\"?><?shimgen method=\"schedule\"?><SystemConfiguration name=\"s\" shimVersion=\"1.0\">"
            "<ComponentSet name=\"S\"><MasterComponent name=\"C\" id=\"C\" masterType=\"PU\" arch=\"x\" pid=\"0\">"
            "<CommonInstructionSet name=\"I\">%s</CommonInstructionSet>"
            "<ClockFrequency clockValue=\"2e9\"/></MasterComponent></ComponentSet></SystemConfiguration>",
            values);
    fclose(f);
    free(name);
    return path;
}

static enum status text_of(struct str *text, const char *values, const char *target, struct error *e)
{
    return values_core_text(text, &(struct values_core){.shim = file_with(values), .target = target, .cpu = "generic"},
                            e);
}

static struct iss_model *core_of(const char *values)
{
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    struct iss_model *m = NULL;
    char *path = in_folder("core.ini");
    if (text_of(&text, values, "riscv64-linux-gnu", &e))
        fail_msg("%s", e.message);
    FILE *f = fopen(path, "w");
    fputs(str_text(&text), f);
    fclose(f);
    if (iss_model_read(&m, path, &e))
        fail_msg("%s\n%s", e.message, str_text(&text));
    str_release(&text);
    return m;
}

struct figure {
    const char *name;
    int64_t value;
};
static void expect(const char *values, const struct figure *figures, size_t n)
{
    struct iss_model *m = core_of(values);
    for (size_t i = 0; i < n; i++) {
        int64_t value = -1;
        if (!iss_model_value(m, figures[i].name, &value) || value != figures[i].value)
            fail_msg("%s is %d, not %d", figures[i].name, (int)value, (int)figures[i].value);
    }
    iss_model_free(m);
}
#define EXPECT(values, figures) expect(values, figures, sizeof(figures) / sizeof *(figures))

/* A load is there for an addition after 2 cycles. What that adds is there for an address after 3 (1, and 2 that an
 * address is needed sooner), so that a load, the addition and a load take 2 + 3, and a cycle until the next one. A shift
 * needs its operand a cycle sooner, a branch a cycle later. */
#define PLAIN                                                                                                          \
    SIMPLE VALUE("load", 1, 3) USE("load.i64:add", 2) USE("load.i64:add+load", 6) USE("add.i64:load", 3)               \
        USE("load.i64:shl", 3) USE("load.i64:mul", 2) USE("load.i64:store", 2) USE("load.i64:br", 1)                   \
            USE("load.double:fadd", 3) VALUE("load.double", 1, 9) USE("fadd.double:store", 3)

static void what_needs_a_loaded_value_waits(void **state)
{
    (void)state;
    static const struct figure figures[] = {
        {"load.to_operand", 2}, {"load.to_address", 3},    {"load.to_shifted", 3},   {"load.to_multiply", 2},
        {"load.to_data", 1},    {"load.to_condition", 1},  {"alu.to_address", 3},    {"alu.late", 0},
        {"alu.predicated", 0},  {"fp_load.to_operand", 3}, {"fp_add.to_fp_data", 3}, {"store.to_operand", 1},
        {"data.forward", 2} /* of 3 from store to store */};
    EXPECT(PLAIN, figures);
}

/* The addition issues a cycle after the load, though the value comes after 3: through the addition an address takes
 * 3 + 1, and a cycle until the next load. A branch is as late; what it costs to mispredict it is counted from there. */
static void additions_can_be_late(void **state)
{
    (void)state;
    static const struct figure figures[] = {
        {"load.to_operand", 3},     {"load.to_address", 3}, {"alu.late", 2},         {"alu.to_address", 1},
        {"load.to_shifted", 3},     {"load.to_data", 1},    {"branch_zero.late", 2}, {"branch.late", 0},
        {"alu.predicated", 1},      /* 3.5 to 8 for a branch across one instruction more */
        {"fetch.mispredicted", 12}, /* 2 x (8 - half of half a cycle - 1), rounded, less 2 */
    };
    EXPECT(SIMPLE VALUE("load", 1, 3) USE("load.i64:add", 1) USE("load.i64:add+load", 5) USE("add.i64:load", 1)
               USE("load.i64:shl", 1) USE("load.i64:store", 2) USE("load.i64:br", 1) USE("br.cond:random", 3.5)
                   USE("br.cond:far", 8),
           figures);
}

static void sums_and_divisions_and_branches(void **state)
{
    (void)state;
    static const struct figure figures[] = {
        {"madd32.to_accumulate", 3}, {"madd64.to_operand", 5},
        {"madd64.busy", 3},          {"mul64.busy", 2},
        {"fp_fma.to_fp", 8},         {"fp_fma.to_fp_accumulate", 4},
        {"fp_fma.busy", 1},          {"sdiv64.busy", 3},
        {"sdiv64.divide_bits", 4},   {"sdiv64.divide_max", 19}, /* 61 bits in 15 cycles */
        {"fetch.taken", 2},          {"fetch.return", 4} /* of 6 there and back */,
    };
    EXPECT(PLAIN VALUE("mul.i32:accumulate", 1, 3) VALUE("mul.i64:accumulate", 3, 5)
               VALUE("call.llvm.fma.double:accumulate", 0.5, 4) VALUE("sdiv", 7, 7) USE("sdiv.i64:2", 4)
                   USE("sdiv.i64:63", 19) USE("br.cond:taken", 2),
           figures);
}

static void refused(const char *values, const char *target, enum status status, const char *why)
{
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    assert_int_equal(text_of(&text, values, target, &e), status);
    if (!strstr(e.message, why))
        fail_msg("'%s' is not in: %s", why, e.message);
    error_release(&e);
    str_release(&text);
}

static void what_a_file_does_not_tell_is_refused(void **state)
{
    (void)state;
    static const char riscv[] = "riscv64-linux-gnu";
    refused(SIMPLE VALUE("load", 1, 3) USE("load.i64:add", 2) USE("add.i64:load", 3), riscv, ERR_INPUT,
            "'load.i64:add+load'");
    refused(SIMPLE, riscv, ERR_INPUT, "no Latency and Pitch of add, load, store and br");
    refused(SIMPLE VALUE("load", 1, 3) USE("load.i64:add", 1) USE("load.i64:add+load", 1) USE("add.i64:load", 1), riscv,
            ERR_INPUT, "out of order");
    refused(PLAIN, "thumb-linux-gnueabihf", ERR_UNSUPPORTED, "aarch64 and riscv64");
    refused(PLAIN, "nowhere", ERR_UNSUPPORTED, "target nowhere");
}

/* A name that no file could have would never be found, and nobody would notice. */
static void all_names_are_keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < core_value_sources_n; i++)
        for (int k = 0; k < 2; k++) {
            const char *names = k ? core_value_sources[i].narrow : core_value_sources[i].values;
            char **words = words_of(names ? names : "", " ");
            for (size_t w = 0; words[w]; w++) {
                words[w][strcspn(words[w], ":")] = 0;
                if (ir_key(words[w]).opcode == IR_NONE)
                    fail_msg("%s is no key", words[w]);
            }
            words_free(words);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_needs_a_loaded_value_waits),
        cmocka_unit_test(additions_can_be_late),
        cmocka_unit_test(sums_and_divisions_and_branches),
        cmocka_unit_test(what_a_file_does_not_tell_is_refused),
        cmocka_unit_test(all_names_are_keys),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
