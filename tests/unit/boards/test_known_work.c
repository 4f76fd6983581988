/* The judgement over counters, on PMUs made up here: no launch, no runtime. What each must show follows from the known
 * work itself. */
#include "fixture.h"

#include "boards/measure/known_work.h"

enum { CYCLES, INSTRUCTIONS, MISPREDICTIONS, L1_REFILLS, L2_REFILLS, L1, L2, OTHER, KINDS };
static const char *const names[KINDS] = {"CPU_CYCLES",       "INST_RETIRED", "BR_MIS_PRED", "L1D_CACHE_REFILL",
                                         "L2D_CACHE_REFILL", "L1D_CACHE",    "L2D_CACHE",   "STALLS"};
#define ALL                                                                                                            \
    "CPU_CYCLES=0:0,INST_RETIRED=0:1,BR_MIS_PRED=0:2,L1D_CACHE_REFILL=0:3,L2D_CACHE_REFILL=0:4,L1D_CACHE=0:5,"         \
    "L2D_CACHE=0:6"

/* One PMU. */
struct pmu {
    size_t holds;                          /* events in a group; 0: any number */
    size_t dead_slot;                      /* that reads 0, from 1; 0 none */
    size_t last_zero;                      /* in groups of so many the last reads 0; 0 none */
    double factor[KINDS], in_group[KINDS]; /* of the right count; 0 stands for 1, -1 for 0 */
    bool closed;                           /* no counters at all */
    bool silent;                           /* the program writes no result */
    size_t launches;
    bool zero_once; /* the last reads 0 in one iteration of five */
};

static const struct run_known works[] = {{(char *)"chain", 16384, 16384, 0, 0, 0, 0, 0},
                                         {(char *)"loads", 16384, 0, 16384, 0, 0, 0, 0},
                                         {(char *)"misses", 4096, 0, 4096, 4096, 4096, 0, 0},
                                         {(char *)"branches", 8192, 0, 0, 0, 0, 4096, 0},
                                         {(char *)"sentinel", 3840, 2048, 768, 256, 256, 512, 0}};

static double right(int kind, const struct run_known *k)
{
    const double counts[KINDS] = {k->adds + k->loads + 80 * k->near + 10 * k->branches,
                                  k->instructions + 9,
                                  k->branches / 2,
                                  k->near + 20,
                                  k->far + 11,
                                  k->loads + 40,
                                  k->near + 33,
                                  k->adds};
    return counts[kind];
}

static double factor(double given)
{
    return given < 0 ? 0 : given > 0 ? given : 1;
}

static enum status launch(void *context, const char *events, struct run_result **out, struct error *e)
{
    (void)e;
    struct pmu *p = context;
    int kinds[16], n = 0;
    p->launches++;
    *out = NULL;
    if (p->silent)
        return OK;
    struct run_result *r = *out = xcalloc(1, sizeof *r);
    for (const char *at = events; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        int kind = 0;
        while (strncmp(names[kind], at, strlen(names[kind])) != 0 || at[strlen(names[kind])] != '=')
            kind++;
        if (p->closed || (p->holds && (size_t)n >= p->holds)) {
            vec_push(&r->left_out,
                     xasprintf("%s: %s", names[kind], p->closed ? "the kernel does not permit it" : "it does not fit"));
            continue;
        }
        vec_push(&r->events, (struct run_event){.name = xstrdup(names[kind])});
        kinds[n++] = kind;
    }
    r->pmu = n > 0;
    for (int round = 0; round < 5 && n; round++)
        for (size_t w = 0; w < sizeof works / sizeof *works; w++) {
            struct run_known k = works[w];
            k.name = xstrdup(works[w].name);
            k.counted = xcalloc((size_t)n, sizeof *k.counted);
            for (int i = 0; i < n; i++) {
                k.counted[i] = right(kinds[i], &k) * factor(p->factor[kinds[i]]);
                if (n > 1)
                    k.counted[i] *= factor(p->in_group[kinds[i]]);
                if ((size_t)i + 1 == p->dead_slot || (i == n - 1 && p->last_zero && (size_t)n >= p->last_zero) ||
                    (p->zero_once && round == 3 && n > 5 && i == n - 1))
                    k.counted[i] = 0;
            }
            vec_push(&r->known, k);
        }
    return OK;
}

static struct counter_plan plan_of(struct pmu *p, const char *events)
{
    struct error e = ERROR_INIT;
    struct counter_plan plan;
    assert_int_equal(prove_counters(&plan, events, launch, p, &e), OK);
    assert_true(p->launches == plan.launches);
    assert_true(p->launches <= 60);
    return plan;
}

/* The sets as "a b c | d e", by the events' numbers; releases. */
static void expect(struct pmu *p, const char *sets, const char *lost, const char *remark)
{
    struct counter_plan plan = plan_of(p, ALL);
    struct str got = STR_INIT;
    str_add(&got, "");
    for (size_t i = 0; i < plan.sets.n; i++)
        for (size_t k = 0; k < plan.sets.at[i].events.n; k++)
            str_addf(&got, "%s%c", i && k == 0 ? "|" : "",
                     plan.sets.at[i].events.at[k].spec[strlen(plan.sets.at[i].events.at[k].spec) - 1]);
    assert_string_equal(str_text(&got), sets);
    assert_int_equal(plan.lost.n, lost ? 1 : 0);
    if (lost) {
        char *text = xasprintf("%s: %s", plan.lost.at[0].name, plan.lost.at[0].why);
        assert_string_equal(text, lost);
        free(text);
    }
    assert_int_equal(plan.remarks.n > 0, remark != NULL);
    if (remark && !strstr(plan.remarks.at[0], remark))
        fail_msg("the remark is: %s", plan.remarks.at[0]);
    str_release(&got);
    counter_plan_release(&plan);
}

static void test_honest(void **state)
{
    (void)state;
    expect(&(struct pmu){0}, "0123456", NULL, NULL);
}

/* What does not fit stands in further sets, the cycles first in each. */
static void test_small_groups(void **state)
{
    (void)state;
    expect(&(struct pmu){.holds = 4}, "0123|0456", NULL, "L2D_CACHE_REFILL: it does not fit");
    expect(&(struct pmu){.holds = 2}, "01|02|03|04|05|06", NULL, "does not fit");
    expect(&(struct pmu){.holds = 1}, "0|1|2|3|4|5|6", NULL, "INST_RETIRED: it does not fit");
}

/* The last of a group reads 0 while alone the event counts: the group loses a member, no event is lost. */
static void test_last_slot_zero(void **state)
{
    (void)state;
    expect(&(struct pmu){.last_zero = 6}, "01234|056", NULL, "L2D_CACHE: it reads 0 in a group of 7, and 4129 alone");
    expect(&(struct pmu){.dead_slot = 5}, "0123|0456", NULL, "reads 0 in a group of 7");
    expect(&(struct pmu){.last_zero = 2}, "0|1|2|3|4|5|6", NULL, "reads 0 in a group of");
    expect(&(struct pmu){.zero_once = true}, "01234|056", NULL, "L2D_CACHE: it");
}

static void test_lost_events(void **state)
{
    (void)state;
    expect(&(struct pmu){.factor[L2_REFILLS] = -1}, "012356",
           "L2D_CACHE_REFILL: it reads 0 where it must count 2048 at least (known work: misses)", NULL);
    expect(&(struct pmu){.factor[INSTRUCTIONS] = 0.5}, "023456",
           "INST_RETIRED: it counts 8196 where it must count 16384 at least (known work: chain)", NULL);
    expect(&(struct pmu){.factor[MISPREDICTIONS] = 12}, "013456",
           "BR_MIS_PRED: it counts 24576 mispredictions of 8192 branches", NULL);
}

/* Both above their limits, and yet more refills than accesses. */
static void test_refills_above_accesses(void **state)
{
    (void)state;
    expect(&(struct pmu){.factor[L2] = 0.55, .factor[L1_REFILLS] = 1, .factor[L2_REFILLS] = 1.2}, "012345",
           "L2D_CACHE: it counts 2271 accesses where L2D_CACHE_REFILL counts 4928 (known work: misses)", NULL);
}

/* The same event is wrong in every order: it goes apart, the others keep their group. */
static void test_twice_in_the_group(void **state)
{
    (void)state;
    expect(&(struct pmu){.in_group[L1_REFILLS] = 2}, "012456|3", NULL,
           "L1D_CACHE_REFILL: it counts 8232 in a group of 7, and 4116 alone (known work: misses)");
}

/* The cycles cannot be believed: no sets, and whoever asks sees why. */
static void test_no_cycles(void **state)
{
    (void)state;
    struct pmu p = {.factor[CYCLES] = 0.3};
    struct counter_plan plan = plan_of(&p, ALL);
    assert_true(plan.sets.n == 0 && plan.lost.n == 1 && plan.opened);
    counter_plan_release(&plan);
    p = (struct pmu){.closed = true};
    plan = plan_of(&p, ALL);
    assert_true(plan.sets.n == 0 && plan.lost.n == 1 && !plan.opened);
    assert_string_equal(plan.lost.at[0].why, "the kernel does not permit it");
    counter_plan_release(&plan);
    p = (struct pmu){.silent = true};
    plan = plan_of(&p, ALL);
    assert_true(plan.sets.n == 0 && !plan.opened && p.launches == 1);
    counter_plan_release(&plan);
    plan = plan_of(&(struct pmu){0}, "");
    assert_true(plan.sets.n == 0 && plan.lost.n == 0);
    counter_plan_release(&plan);
}

/* What a correct PMU shows besides: interrupts, page walks, prefetched lines, half of the cycles more when a neighbour
 * takes the memory. None of it costs an event. */
static void test_tolerances(void **state)
{
    (void)state;
    expect(&(struct pmu){.in_group = {1.2, 1.01, 0.9, 1.2, 0.8, 1.1, 1.2}}, "0123456", NULL, NULL);
    expect(&(struct pmu){.factor = {1, 1, 0.6, 0.6, 0.55, 1, 1}}, "0123456", NULL, NULL);
}

/* An event whose meaning is not known is only held against itself. */
static void test_other_names(void **state)
{
    (void)state;
    struct pmu p = {.in_group[OTHER] = 2};
    struct counter_plan plan = plan_of(&p, "CPU_CYCLES=0:0,INST_RETIRED=0:1,STALLS=0:7");
    assert_int_equal(plan.sets.n, 2);
    assert_string_equal(plan.sets.at[1].events.at[0].name, "STALLS");
    counter_plan_release(&plan);
}

static void test_sentinel(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct pmu good = {0}, bad = {.last_zero = 7}, other = {.holds = 6};
    struct counter_plan plan = plan_of(&good, ALL);
    const struct counter_set *set = &plan.sets.at[0];
    char *spec = counter_set_spec(set);
    const char *dead;
    struct run_result *r;
    assert_string_equal(spec, ALL);
    assert_int_equal(launch(&good, spec, &r, &e), OK);
    assert_true(sentinels_hold(set, r, &dead));
    run_result_free(r);
    assert_int_equal(launch(&bad, spec, &r, &e), OK);
    assert_false(sentinels_hold(set, r, &dead));
    assert_string_equal(dead, "L2D_CACHE");
    run_result_free(r);
    assert_int_equal(launch(&other, spec, &r, &e), OK); /* an event less than was proved */
    assert_false(sentinels_hold(set, r, &dead));
    assert_string_equal(dead, "L2D_CACHE");
    run_result_free(r);
    free(spec);
    counter_plan_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_small_groups),
        cmocka_unit_test(test_last_slot_zero),
        cmocka_unit_test(test_lost_events),
        cmocka_unit_test(test_refills_above_accesses),
        cmocka_unit_test(test_twice_in_the_group),
        cmocka_unit_test(test_no_cycles),
        cmocka_unit_test(test_tolerances),
        cmocka_unit_test(test_other_names),
        cmocka_unit_test(test_sentinel),
    };
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
