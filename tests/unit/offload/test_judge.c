/* test_judge.c - indexes, verdicts and bounds of call graphs that are made here; the results are computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shimgen/offload/arcs.h"
#include "shimgen/offload/offload.h"

#define NEAR 1e-9

static struct accelerator conditions(void)
{
    struct accelerator a = {.local = {1 << 18, 8, 64}, .link = 8e9, .latency = NAN};
    a.flops = a.integers = a.memory = a.host_clock = NAN;
    a.intensity.value = 4;
    a.integer_intensity.value = 2;
    a.rate.value = 8e9;
    a.functions.value = 2;
    a.share.value = 0.8;
    return a;
}

/* Of the costs given, all but the low and high times are known. */
static void add_function(struct offload_table *t, const char *name, double calls, double seconds, double flops,
                         double bytes)
{
    struct offload_function f = {.name = strdup(name), .calls = calls};
    f.self[OFFLOAD_INSTRUCTIONS] = 100 * seconds;
    f.self[OFFLOAD_TIME] = seconds;
    f.self[OFFLOAD_FLOPS] = flops;
    f.self[OFFLOAD_BYTES] = bytes;
    vec_push(&t->functions, f);
    t->known = 1U << OFFLOAD_INSTRUCTIONS | 1U << OFFLOAD_TIME | 1U << OFFLOAD_FLOPS | 1U << OFFLOAD_INTEGERS |
               1U << OFFLOAD_BYTES;
}

static void add_arc(struct offload_table *t, uint32_t caller, uint32_t callee, double calls, double instructions)
{
    vec_push(&t->arcs, (struct offload_arc){caller, callee, calls, instructions});
}

static const struct offload_candidate *root(const struct offload_judgement *j, const struct offload_table *t,
                                            const char *name)
{
    for (size_t i = 0; i < j->roots.n; i++)
        if (strcmp(t->functions.at[j->roots.at[i].function].name, name) == 0)
            return &j->roots.at[i];
    fail_msg("%s is no root", name);
    return NULL;
}

/* main (10 s) calls a (20) once and b (10) once; a calls c (60) three times, b once. */
enum { MAIN, A, B, C };
static void shared_callee(struct offload_table *t, bool costs)
{
    *t = (struct offload_table){.known = 0};
    add_function(t, "main", 1, 10, 0, 0);
    add_function(t, "a", 1, 20, 100, 0);
    add_function(t, "b", 1, 10, 0, 0);
    add_function(t, "c", 4, 60, 400, 40);
    add_arc(t, B, C, 1, costs ? 1000 : NAN);
    add_arc(t, MAIN, A, 1, costs ? 7000 : NAN);
    add_arc(t, MAIN, B, 1, costs ? 2000 : NAN);
    add_arc(t, A, C, 2, costs ? 3000 : NAN);
    add_arc(t, A, C, 1, costs ? 2000 : NAN); /* from another line */
    offload_join_arcs(t);
}

static void by_calls(void **state)
{
    (void)state;
    struct accelerator a = conditions();
    struct offload_table t;
    struct offload_judgement j;
    shared_callee(&t, false);
    assert_int_equal(t.arcs.n, 4);
    offload_judge(&j, &t, &a, 0, false);
    assert_int_equal(j.roots.n, 4);
    assert_float_equal(root(&j, &t, "main")->share, 1, NEAR);
    assert_float_equal(root(&j, &t, "a")->share, 0.65, NEAR); /* 20 + 3/4 of 60 */
    assert_float_equal(root(&j, &t, "b")->share, 0.25, NEAR); /* 10 + 1/4 of 60 */
    assert_float_equal(root(&j, &t, "a")->self_share, 0.2, NEAR);
    /* a: c has 45/65 = 69 %, with a itself 100 %; main: c 60, a 20: exactly 80 % */
    assert_int_equal(root(&j, &t, "a")->needed, 2);
    assert_int_equal(root(&j, &t, "main")->needed, 2);
    assert_int_equal(root(&j, &t, "c")->needed, 1);
    assert_int_equal(root(&j, &t, "main")->working, 4);
    /* W of a: 100 + 3/4 of 400, D: 3/4 of 40 */
    assert_float_equal(root(&j, &t, "a")->intensity.value, 400.0 / 30, NEAR);
    assert_int_equal(j.whole.inside.at[0].function, C);
    assert_float_equal(j.whole.inside.at[0].share, 0.6, NEAR);
    /* only main covers 80 % */
    assert_int_equal(j.roots.at[j.smallest].function, MAIN);
    a.share.value = 0.6; /* now a, with two functions, and c alone: one */
    offload_judgement_release(&j);
    offload_judge(&j, &t, &a, 0.5, false);
    assert_int_equal(j.roots.n, 3);
    assert_int_equal(j.roots.at[j.smallest].function, C);
    offload_judgement_release(&j);
    offload_table_release(&t);
}

/* a does nothing itself and makes 9 of the 10 calls of b, which has 70 %: 63 %, by one function, as b. The one with less work is named; only b
 * reaches 65 %. */
static void smallest(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct accelerator a = conditions();
        struct offload_table t = {.known = 0};
        struct offload_judgement j;
        add_function(&t, "main", 1, 30, 0, 0);
        add_function(&t, "a", 1, 0, 0, 0);
        add_function(&t, "b", 10, 70, 0, 0);
        add_arc(&t, MAIN, A, 1, NAN);
        add_arc(&t, MAIN, B, 1, NAN);
        add_arc(&t, A, B, 9, NAN);
        offload_join_arcs(&t);
        a.share.value = i ? 0.65 : 0.6;
        offload_judge(&j, &t, &a, 0, false);
        assert_float_equal(root(&j, &t, "a")->share, 0.63, NEAR);
        assert_int_equal(root(&j, &t, "a")->working, 1);
        assert_int_equal(root(&j, &t, "b")->working, 1);
        assert_int_equal(j.roots.at[j.smallest].function, i ? B : A);
        offload_judgement_release(&j);
        offload_table_release(&t);
    }
}

static void by_costs(void **state)
{
    (void)state;
    struct accelerator a = conditions();
    struct offload_table t;
    struct offload_judgement j;
    shared_callee(&t, true);
    offload_judge(&j, &t, &a, 0, false);
    /* 5000 of the 6000 instructions of c are a's */
    assert_float_equal(root(&j, &t, "a")->share, 0.70, NEAR);
    assert_float_equal(root(&j, &t, "b")->share, 0.20, NEAR);
    offload_judgement_release(&j);
    offload_judge(&j, &t, &a, 0, true);
    assert_float_equal(root(&j, &t, "a")->share, 0.20, NEAR);
    assert_int_equal(root(&j, &t, "main")->working, 1);
    offload_judgement_release(&j);
    offload_table_release(&t);
}

/* main (10) calls r (20) once; r and s (30) call each other ten times; s calls itself; s calls leaf (40). */
static void recursion(void **state)
{
    (void)state;
    struct accelerator a = conditions();
    struct offload_table t = {.known = 0};
    struct offload_judgement j;
    add_function(&t, "main", 1, 10, 0, 0);
    add_function(&t, "r", 11, 20, 0, 0);
    add_function(&t, "s", 15, 30, 0, 0);
    add_function(&t, "leaf", 2, 40, 0, 0);
    add_arc(&t, 0, 1, 1, NAN);
    add_arc(&t, 1, 2, 10, NAN);
    add_arc(&t, 2, 1, 10, NAN);
    add_arc(&t, 2, 2, 5, NAN);
    add_arc(&t, 2, 3, 2, NAN);
    offload_join_arcs(&t);
    offload_judge(&j, &t, &a, 0, false);
    assert_float_equal(root(&j, &t, "r")->share, 0.9, NEAR);
    assert_float_equal(root(&j, &t, "s")->share, 0.9, NEAR);
    assert_float_equal(root(&j, &t, "main")->share, 1, NEAR);
    assert_int_equal(root(&j, &t, "r")->obstacles, OFFLOAD_RECURSION);
    assert_int_equal(root(&j, &t, "main")->obstacles, OFFLOAD_RECURSION);
    assert_int_equal(root(&j, &t, "leaf")->obstacles, 0);
    offload_judgement_release(&j);
    offload_table_release(&t);
}

static struct offload_judgement judge_one(struct offload_table *t, const struct accelerator *a, double seconds,
                                          double flops, double integers, double bytes)
{
    struct offload_judgement j;
    *t = (struct offload_table){.known = 0};
    add_function(t, "f", 1, seconds, flops, bytes);
    t->functions.at[0].self[OFFLOAD_INTEGERS] = integers;
    offload_judge(&j, t, a, 0, false);
    return j;
}

static void verdicts(void **state)
{
    (void)state;
    static const struct {
        double seconds, flops, integers, bytes;
        enum offload_state floats, on_integers, rate;
        bool rests_on_integers;
        enum offload_verdict verdict;
    } cases[] = {
        /* the peak is not known, so a passing intensity is maybe */
        {1, 400, 0, 100, OFFLOAD_PASS, OFFLOAD_FAIL, OFFLOAD_NOT_KNOWN, false, OFFLOAD_MAYBE},
        {1, 399, 0, 100, OFFLOAD_FAIL, OFFLOAD_FAIL, OFFLOAD_NOT_KNOWN, false, OFFLOAD_NO},
        /* the average is above 8 GB/s, so the peak is */
        {1, 1e12, 0, 9e9, OFFLOAD_PASS, OFFLOAD_FAIL, OFFLOAD_FAIL, false, OFFLOAD_MAYBE},
        /* no data demanded */
        {1, 400, 0, 0, OFFLOAD_PASS, OFFLOAD_FAIL, OFFLOAD_NOT_KNOWN, false, OFFLOAD_MAYBE},
        {1, 0, 0, 0, OFFLOAD_FAIL, OFFLOAD_FAIL, OFFLOAD_NOT_KNOWN, false, OFFLOAD_NO},
        /* on integers: fewer than one in ten operations is on floats */
        {1, 0, 200, 100, OFFLOAD_FAIL, OFFLOAD_PASS, OFFLOAD_NOT_KNOWN, true, OFFLOAD_MAYBE},
        {1, 0, 199, 100, OFFLOAD_FAIL, OFFLOAD_FAIL, OFFLOAD_NOT_KNOWN, true, OFFLOAD_NO},
        {1, 500, 4999, 100, OFFLOAD_PASS, OFFLOAD_PASS, OFFLOAD_NOT_KNOWN, false, OFFLOAD_MAYBE},
        {1, 500, 5001, 100, OFFLOAD_PASS, OFFLOAD_PASS, OFFLOAD_NOT_KNOWN, true, OFFLOAD_MAYBE},
    };
    struct accelerator a = conditions();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct offload_table t;
        struct offload_judgement j =
            judge_one(&t, &a, cases[i].seconds, cases[i].flops, cases[i].integers, cases[i].bytes);
        const struct offload_candidate *c = root(&j, &t, "f");
        assert_int_equal(c->intensity.state, cases[i].floats);
        assert_int_equal(c->integer_intensity.state, cases[i].on_integers);
        assert_int_equal(c->rate_state, cases[i].rate);
        assert_int_equal(c->on_integers, cases[i].rests_on_integers);
        assert_int_equal(c->verdict, cases[i].verdict);
        assert_int_equal(c->intensity.no_data, cases[i].bytes <= 0 && cases[i].flops > 0);
        offload_judgement_release(&j);
        offload_table_release(&t);
    }
}

/* What the input does not have is unknown, never 0. */
static void unknown(void **state)
{
    (void)state;
    struct accelerator a = conditions();
    struct offload_table t = {.known = 0};
    struct offload_judgement j;
    add_function(&t, "f", 1, 1, 400, 100);
    t.known &= ~(1U << OFFLOAD_BYTES);
    offload_judge(&j, &t, &a, 0, false);
    assert_int_equal(j.roots.at[0].verdict, OFFLOAD_UNDECIDED);
    assert_true(isnan(j.roots.at[0].intensity.value));
    assert_true(isnan(j.roots.at[0].rate));
    offload_judgement_release(&j);
    t.known = 1U << OFFLOAD_INSTRUCTIONS;
    offload_judge(&j, &t, &a, 0, false);
    assert_int_equal(j.roots.at[0].verdict, OFFLOAD_UNDECIDED);
    assert_float_equal(j.roots.at[0].share, 1, NEAR); /* of the instructions */
    offload_judgement_release(&j);
    offload_table_release(&t);
}

/* f takes 8 of 10 s, with 40 operations and 80 bytes in 4 calls. */
static void bounds(void **state)
{
    (void)state;
    struct accelerator a = conditions();
    struct offload_table t = {.known = 0};
    struct offload_judgement j;
    add_function(&t, "main", 1, 2, 0, 0);
    add_function(&t, "f", 4, 8, 40, 80);
    add_arc(&t, 0, 1, 4, NAN);
    offload_judge(&j, &t, &a, 0, false);
    assert_float_equal(root(&j, &t, "f")->bound, 5, 1e-6); /* Amdahl's: 10 / 2; the link takes nothing */
    offload_judgement_release(&j);
    a.flops = 20; /* 2 s */
    a.link = 80;  /* 1 s */
    offload_judge(&j, &t, &a, 0, false);
    assert_float_equal(root(&j, &t, "f")->bound, 10.0 / 4, NEAR);
    offload_judgement_release(&j);
    a.latency = 0.5; /* four calls: 2 s */
    a.memory = 20;   /* 4 s, in place of the link's 1 */
    offload_judge(&j, &t, &a, 0, false);
    assert_float_equal(root(&j, &t, "f")->bound, 10.0 / 8, NEAR);
    assert_float_equal(root(&j, &t, "f")->bound_low, 10.0 / 8, NEAR);
    offload_judgement_release(&j);
    /* f from 6 to 12 s, the rest from 1 to 3 */
    t.known |= 1U << OFFLOAD_TIME_LOW | 1U << OFFLOAD_TIME_HIGH;
    t.functions.at[0].self[OFFLOAD_TIME_LOW] = 1;
    t.functions.at[0].self[OFFLOAD_TIME_HIGH] = 3;
    t.functions.at[1].self[OFFLOAD_TIME_LOW] = 6;
    t.functions.at[1].self[OFFLOAD_TIME_HIGH] = 12;
    offload_judge(&j, &t, &a, 0, false);
    assert_float_equal(root(&j, &t, "f")->bound_low, 9.0 / 9, NEAR);
    assert_float_equal(root(&j, &t, "f")->bound_high, 13.0 / 7, NEAR);
    offload_judgement_release(&j);
    offload_table_release(&t);
}

/* Bounds of f 1.46 ... 2.33, of g 1.44 ... 2.13, of h 1.10 ... 1.31: h is surely the last, of f and g either may be first. */
static void ranks(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double time, low, high, bound_low, bound_high;
        size_t from, to;
    } rows[] = {{"f", 4, 3, 6, 9.5 / 6.5, 10.5 / 4.5, 1, 2},
                {"g", 4, 3.5, 4.5, 11.5 / 8, 8.5 / 4, 1, 2},
                {"h", 2, 1, 2, 11.5 / 10.5, 8.5 / 6.5, 3, 3}};
    struct accelerator a = conditions();
    struct offload_table t = {.known = 0};
    struct offload_judgement j;
    for (size_t i = 0; i < 3; i++) {
        add_function(&t, rows[i].name, 1, rows[i].time, 0, 0);
        t.functions.at[i].self[OFFLOAD_TIME_LOW] = rows[i].low;
        t.functions.at[i].self[OFFLOAD_TIME_HIGH] = rows[i].high;
    }
    offload_judge(&j, &t, &a, 0, false); /* without a range: f and g have the same bound */
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(root(&j, &t, rows[i].name)->rank_from, rows[i].from);
        assert_int_equal(root(&j, &t, rows[i].name)->rank_to, rows[i].to);
    }
    offload_judgement_release(&j);
    t.known |= 1U << OFFLOAD_TIME_LOW | 1U << OFFLOAD_TIME_HIGH;
    offload_judge(&j, &t, &a, 0, false);
    for (size_t i = 0; i < 3; i++) {
        const struct offload_candidate *c = root(&j, &t, rows[i].name);
        assert_float_equal(c->bound_low, rows[i].bound_low, 1e-6);
        assert_float_equal(c->bound_high, rows[i].bound_high, 1e-6);
        assert_int_equal(c->rank_from, rows[i].from);
        assert_int_equal(c->rank_to, rows[i].to);
    }
    assert_int_equal(j.whole.rank_from, 0);
    offload_judgement_release(&j);
    offload_table_release(&t);
}

/* What a root needs and leaves goes over the link: 6 + 2 bytes at 4 a second. */
static void crossing(void **state)
{
    (void)state;
    struct accelerator a = conditions();
    struct offload_table t = {.known = 0};
    struct offload_judgement j;
    add_function(&t, "main", 1, 2, 0, 0);
    add_function(&t, "f", 1, 8, 40, 0);
    add_arc(&t, 0, 1, 1, NAN);
    a.link = 4;
    for (size_t i = 0; i < 2; i++)
        for (int k = 0; k < OFFLOAD_FOOTPRINT; k++)
            t.functions.at[i].footprint[k] = NAN;
    offload_judge(&j, &t, &a, 0, false);
    assert_float_equal(root(&j, &t, "f")->bound, 10.0 / 2, NEAR);
    offload_judgement_release(&j);
    t.functions.at[1].footprint[OFFLOAD_NEEDED] = 6;
    t.functions.at[1].footprint[OFFLOAD_LEFT] = 2;
    offload_judge(&j, &t, &a, 0, false);
    assert_float_equal(root(&j, &t, "f")->bound, 10.0 / 4, NEAR);
    assert_float_equal(root(&j, &t, "f")->footprint[OFFLOAD_NEEDED], 6, NEAR);
    assert_true(isnan(root(&j, &t, "main")->footprint[OFFLOAD_LEFT]));
    offload_judgement_release(&j);
    offload_judge(&j, &t, &a, 0, true); /* alone: what callees need is not told apart */
    assert_true(isnan(root(&j, &t, "f")->footprint[OFFLOAD_NEEDED]));
    offload_judgement_release(&j);
    offload_table_release(&t);
}

/* The rate of a function that works for the root is a lower limit of the root's peak. */
static void rates(void **state)
{
    (void)state;
    struct accelerator a = conditions();
    struct offload_table t = {.known = 0};
    struct offload_judgement j;
    add_function(&t, "main", 1, 98, 0, 0);
    add_function(&t, "f", 1, 2, 1e12, 18e9);
    add_arc(&t, 0, 1, 1, NAN);
    offload_judge(&j, &t, &a, 0, false);
    assert_float_equal(root(&j, &t, "main")->rate, 9e9, 1);
    assert_int_equal(root(&j, &t, "main")->rate_state, OFFLOAD_FAIL);
    t.functions.at[1].self[OFFLOAD_TIME] = 0.5; /* too short a part of main to count */
    offload_judgement_release(&j);
    offload_judge(&j, &t, &a, 0, false);
    assert_float_equal(root(&j, &t, "main")->rate, 18e9 / 98.5, 1);
    offload_judgement_release(&j);
    offload_table_release(&t);
}

static void add_window(struct offload_table *t, double begin, double seconds, uint32_t function, double bytes)
{
    struct offload_spent spent = {.function = function};
    spent.costs[OFFLOAD_BYTES] = bytes;
    vec_push(&t->windows, (struct offload_window){begin, seconds, t->spent.n, 1});
    vec_push(&t->spent, spent);
}

/* Two phases: f moves 30 bytes in the first window of 10 ms, g 5 in the second and 12 in the third. */
static void windows(void **state)
{
    (void)state;
    struct accelerator a = conditions();
    struct offload_table t = {.known = 0};
    struct offload_judgement j;
    add_function(&t, "main", 1, 1, 0, 0);
    add_function(&t, "f", 1, 1, 1e6, 30);
    add_function(&t, "g", 1, 1, 1e6, 17);
    add_arc(&t, 0, 1, 1, NAN);
    add_arc(&t, 0, 2, 1, NAN);
    add_window(&t, 0, 0.01, 1, 30);
    add_window(&t, 0.01, 0.01, 2, 5);
    add_window(&t, 0.02, 0.01, 2, 12);
    a.rate.value = 3000;
    offload_judge(&j, &t, &a, 0, false);
    assert_float_equal(root(&j, &t, "main")->rate, 3000, 1e-6);
    assert_float_equal(root(&j, &t, "f")->rate, 3000, 1e-6);
    assert_float_equal(root(&j, &t, "g")->rate, 1200, 1e-6);
    assert_int_equal(root(&j, &t, "main")->peak, 0);
    assert_int_equal(root(&j, &t, "g")->peak, 2);
    assert_int_equal(root(&j, &t, "f")->rate_state, OFFLOAD_PASS);
    assert_int_equal(root(&j, &t, "f")->verdict, OFFLOAD_YES);
    a.rate.value = 2999;
    offload_judgement_release(&j);
    offload_judge(&j, &t, &a, 0, true);
    assert_int_equal(root(&j, &t, "f")->rate_state, OFFLOAD_FAIL);
    assert_int_equal(root(&j, &t, "f")->verdict, OFFLOAD_MAYBE);
    assert_int_equal(root(&j, &t, "g")->verdict, OFFLOAD_YES);
    offload_judgement_release(&j);
    offload_table_release(&t);
}

/* The table of whole programs in the paper: its intensity is W / D of its own columns, within 1 %. */
static void paper(void **state)
{
    (void)state;
    static const struct {
        const char *program;
        double gflops, gbytes, intensity;
    } rows[] = {{"partial image search", 22.0, 0.0947, 232.31},
                {"BLAST", 27.65, 0.51, 53.88},
                {"Yamanashi FEM", 11.9, 0.78, 15.32},
                {"GENESIS", 4.20, 0.59, 7.12},
                {"WRF", 10.9, 2.41, 4.52},
                {"OpenMX", 20.73, 6.35, 3.27},
                {"GAMESS", 13.8, 4.88, 2.83},
                {"PHASE", 9.28, 3.43, 2.71},
                {"LAMMPS", 8.86, 3.59, 2.47},
                {"OpenFOAM", 11.55, 4.84, 2.38},
                {"LS-DYNA", 7.0, 4.86, 1.44},
                {"GROMACS", 3.93, 5.12, 0.77}};
    struct accelerator a = conditions();
    a.intensity.value = 67.2 * 4 / 59;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct offload_table t;
        struct offload_judgement j = judge_one(&t, &a, 1, 1e9 * rows[i].gflops, 0, 1e9 * rows[i].gbytes);
        assert_float_equal(j.whole.intensity.value / rows[i].intensity, 1, 0.01);
        assert_int_equal(j.whole.intensity.state, i < 4 ? OFFLOAD_PASS : OFFLOAD_FAIL);
        offload_judgement_release(&j);
        offload_table_release(&t);
    }
}

/* What functions of the C library keep an accelerator from, by their names: versions and symbols of a C library go on after '@' and
 * "'". Mathematics have a name of their own in other precisions (C17, 7.12), others have not. */
static void names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned bits;
    } all[] = {{"printf", OFFLOAD_IO},
               {"getline", OFFLOAD_IO},
               {"clone", OFFLOAD_SYSTEM},
               {"malloc", OFFLOAD_ALLOCATE},
               {"_ZdlPv", OFFLOAD_ALLOCATE},
               {"sin", OFFLOAD_MATHS},
               {"sinf", OFFLOAD_MATHS},
               {"sinl", OFFLOAD_MATHS},
               {"atan2f", OFFLOAD_MATHS},
               {"sin@GLIBC_2.2.5", OFFLOAD_MATHS},
               {"sinf@@GLIBC_2.2.5", OFFLOAD_MATHS},
               {"malloc'2", OFFLOAD_ALLOCATE},
               {"sinm", 0},
               {"sing", 0},
               {"sink", 0},
               {"sine", 0},
               {"si", 0},
               {"in", 0},
               {"f", 0},
               {"l", 0},
               {"", 0},
               {"printff", 0}, /* not mathematics */
               {"mallocl", 0},
               {"my_printf", 0},
               {"read@@GLIBC_2.2.5", OFFLOAD_IO},
               {"pow", OFFLOAD_MATHS},
               {"mmap", OFFLOAD_SYSTEM},
               {"rint", 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (offload_library_obstacles(all[i].name) != all[i].bits)
            fail_msg("%s: %u, wanted %u", all[i].name, offload_library_obstacles(all[i].name), all[i].bits);
}

/* The rule that is printed is that of the verdicts' test above. */
static void rule(void **state)
{
    (void)state;
    assert_string_equal(offload_rule(),
                        "all indexes pass: yes; the intensity passes: maybe; it fails: no; it is unknown: unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_calls), cmocka_unit_test(smallest), cmocka_unit_test(by_costs), cmocka_unit_test(recursion),
        cmocka_unit_test(verdicts), cmocka_unit_test(unknown),  cmocka_unit_test(bounds),   cmocka_unit_test(rates),
        cmocka_unit_test(windows),  cmocka_unit_test(ranks),    cmocka_unit_test(crossing), cmocka_unit_test(paper),
        cmocka_unit_test(names),    cmocka_unit_test(rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
