/* What each factor scales: of all instructions those that its name says, of these the values that it says, and nothing
 * else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule/schedule_factors.h"

static const char *const instructions[] = {"add",
                                           "sub",
                                           "and",
                                           "or",
                                           "xor",
                                           "shl",
                                           "lshr",
                                           "ashr",
                                           "icmp",
                                           "select",
                                           "getelementptr",
                                           "zext",
                                           "sext",
                                           "trunc",
                                           "mul",
                                           "mul.i64",
                                           "mul:64>64*0",
                                           "add.i32",
                                           "udiv",
                                           "sdiv",
                                           "urem",
                                           "srem",
                                           "load",
                                           "store",
                                           "load.i64",
                                           "fadd",
                                           "fsub",
                                           "fmul",
                                           "fneg",
                                           "fcmp",
                                           "fdiv",
                                           "fptosi",
                                           "fptoui",
                                           "sitofp",
                                           "uitofp",
                                           "fpext",
                                           "fptrunc",
                                           "br",
                                           "switch",
                                           "call",
                                           "ret",
                                           "extractelement",
                                           "insertelement",
                                           "shufflevector",
                                           "add.v4i32",
                                           "call.llvm.smin.v4i32",
                                           "fadd.v4f32",
                                           "load.v4i32",
                                           "call.library.sin",
                                           "call.llvm.sqrt.double",
                                           "phi",
                                           "alloca",
                                           "fence"};
enum { N = sizeof instructions / sizeof *instructions };
#define INTEGERS " add sub and or xor shl lshr ashr icmp select getelementptr zext sext trunc add.i32 "
#define FLOATS   " fadd fsub fmul fneg fcmp fadd.v4f32 "
enum { P = 1, L = 2, W = 4 }; /* Pitch, Latency, the worst Latency alone */

static const struct {
    const char *name, *key, *scales;
    int what;
} expected[] = {
    {"Latency of integer instructions", "integer-latency", INTEGERS, L},
    {"Pitch of integer instructions", "integer-pitch", INTEGERS, P},
    {"Latency of load", "load-latency", " load load.i64 load.v4i32 ", L},
    {"Pitch of load", "load-pitch", " load load.i64 load.v4i32 ", P},
    {"Pitch of store", "store-pitch", " store ", P},
    {"values of mul", "multiplication", " mul mul.i64 mul:64>64*0 ", P | L},
    {"values of integer divisions", "division", " udiv sdiv urem srem ", P | L},
    {"Latency of fadd, fsub, fmul, fcmp", "float-latency", FLOATS, L},
    {"Pitch of fadd, fsub, fmul, fcmp", "float-pitch", FLOATS, P},
    {"values of fdiv", "float-division", " fdiv ", P | L},
    {"values of conversions", "conversion", " fptosi fptoui sitofp uitofp fpext fptrunc ", P | L},
    {"values of br", "branch", " br ", P | L},
    {"values of call", "calls", " call ", P | L},
    {"values of ret", "returns", " ret ", P | L},
    {"values of vectors", "element", " extractelement insertelement shufflevector add.v4i32 ", P | L},
    {"values of functions of the library", "library", " call.library.sin ", P | L},
    {"what br takes at worst", "misprediction", " br ", W},
    {"Latency of load to what is no address", "load-use", " ", 0},
    {"Latency of add to an address", "address-use", " ", 0},
};

static bool is_in(const char *list, const char *name)
{
    char *word = xasprintf(" %s ", name);
    bool is = strstr(list, word) != 0;
    free(word);
    return is;
}

static void cycles_are(const char *of, const struct cycles *c, double best, double typical, double worst)
{
    if (c->best != best || c->typical != typical || c->worst != worst)
        fail_msg("%s: %g %g %g, expected %g %g %g", of, c->best, c->typical, c->worst, best, typical, worst);
}

static void check_factor(size_t k, const struct costs *from, struct costs *to)
{
    double by[SCHEDULE_FACTORS];
    for (size_t i = 0; i < SCHEDULE_FACTORS; i++)
        by[i] = i == k ? 2 : 1;
    schedule_scale(to, from, by);
    for (size_t i = 0; i < N; i++) {
        int what = is_in(expected[k].scales, instructions[i]) ? expected[k].what : 0;
        char *of = xasprintf("%s, %s", expected[k].name, instructions[i]);
        double p = what & P ? 2 : 1, l = what & L ? 2 : 1;
        cycles_are(of, &to->pitch[i], p, 2 * p, 3 * p);
        cycles_are(of, &to->latency[i], 4 * l, 5 * l, what & W ? 12 : 6 * l);
        free(of);
    }
    assert_true(to->load_use == by[SCHEDULE_FACTORS - 2] && to->address_use == by[SCHEDULE_FACTORS - 1]);
}

static void each_scales_its_own(void **state)
{
    (void)state;
    struct costs from = {.core = xstrdup("Core")}, to;
    assert_int_equal(sizeof expected / sizeof *expected, SCHEDULE_FACTORS);
    for (size_t i = 0; i < N; i++)
        costs_add(&from, instructions[i], (struct cycles){1, 2, 3}, (struct cycles){4, 5, 6});
    costs_copy(&to, &from);
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++) {
        char *key = schedule_factor_instruction(k), *wanted = xasprintf("factor.%s", expected[k].key);
        assert_string_equal(schedule_factor_name(k), expected[k].name);
        assert_string_equal(key, wanted);
        assert_true(schedule_factor_measured(k) == (expected[k].what != 0));
        check_factor(k, &from, &to);
        free(key);
        free(wanted);
    }
    assert_null(schedule_factor_name(SCHEDULE_FACTORS));
    costs_release(&from);
    costs_release(&to);
}

/* The worst of br never is below its typical Latency: 6 / 2 is, so 5 stays. */
static void a_misprediction_costs_something(void **state)
{
    (void)state;
    struct costs from = {.core = xstrdup("Core")}, to;
    double by[SCHEDULE_FACTORS];
    costs_add(&from, "br", (struct cycles){1, 2, 3}, (struct cycles){4, 5, 6});
    costs_copy(&to, &from);
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++)
        by[k] = strstr(expected[k].key, "misprediction") ? 0.5 : 1;
    schedule_scale(&to, &from, by);
    cycles_are("br", &to.latency[0], 4, 5, 5);
    costs_release(&from);
    costs_release(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_scales_its_own),
                                       cmocka_unit_test(a_misprediction_costs_something)};
    return cmocka_run_group_tests(tests, 0, 0);
}
