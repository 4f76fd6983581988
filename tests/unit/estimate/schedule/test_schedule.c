/* What the schedule makes of loops, memory and targets, with cycles worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "shimgen/estimate/estimate.h"

enum { MOST = 16, ROUNDS = 100 };
enum { NONE = -1, ADDRESS = 100 }; /* ADDRESS + i: instruction i says where it goes */

struct line {
    const char *key;
    int operands[2];
    unsigned constants;
};
/* The first `outside` instructions are executed once, the others are a loop of one block. */
struct example {
    const struct line *lines;
    size_t n, outside;
    const char *target;
    const char *events[2]; /* that the profile has, and how often they happen in the loop */
    uint64_t event_counts[2];
    uint64_t switched[2]; /* the block in front ends in a switch that goes to two places so often */
    bool in_front;        /* that is where the events happen */
    bool wide;            /* five additions a cycle, else two */
    double load_use, address_use;
};

static struct costs costs_of(bool wide)
{
    struct costs c = {.core = xstrdup("Core"), .n_refills = 2};
    double pitch = wide ? 0.2 : 0.5;
    static const char *const simple[] = {"add", "and", "lshr", "sext"};
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        costs_add(&c, simple[i], (struct cycles){pitch, pitch, pitch}, (struct cycles){1, 1, 1});
    costs_add(&c, "br", (struct cycles){pitch, pitch, pitch}, (struct cycles){1, 1, 1});
    costs_add(&c, "load", (struct cycles){1, 1, 1}, (struct cycles){3, 3, 3});
    costs_add(&c, "store", (struct cycles){1, 1, 1}, (struct cycles){5, 5, 5});
    costs_add(&c, "mul", (struct cycles){1, 1, 1}, (struct cycles){4, 4, 4});
    costs_add(&c, "mul.v4i32", (struct cycles){8, 8, 8}, (struct cycles){9, 9, 9});
    c.refills[0] = (struct cycles){10, 10, 10};
    c.streams[0] = (struct cycles){4, 4, 4};
    return c;
}

/* Cycles of the whole. */
static double cycles_of(const struct example *x)
{
    char *keys[MOST], *events[] = {(char *)x->events[0], (char *)x->events[1]};
    struct irprof_instruction instructions[MOST];
    struct irprof_operand operands[2 * MOST];
    struct irprof_event_site event_sites[] = {{.event = 0}, {.event = 1}};
    uint32_t n = 0, n_events = x->events[1] ? 2 : x->events[0] ? 1 : 0, outside = (uint32_t)x->outside;
    for (uint32_t i = 0; i < x->n; i++) {
        keys[i] = (char *)x->lines[i].key;
        instructions[i] = (struct irprof_instruction){i, i >= outside, n, 0, x->lines[i].constants};
        for (size_t k = 0; k < 2 && x->lines[i].operands[k] != NONE; k++) {
            int from = x->lines[i].operands[k];
            operands[n++] = (struct irprof_operand){(uint32_t)(from % ADDRESS), from >= ADDRESS};
        }
        instructions[i].n_operands = n - instructions[i].first_operand;
    }
    struct irprof_module module = {.target = (char *)(x->target ? x->target : "")};
    struct irprof_function function = {.name = (char *)"f", .file = IRPROF_NONE};
    struct irprof_part parts[] = {{IRPROF_NONE, 0, 0, 0, 0, x->in_front ? n_events : 0},
                                  {IRPROF_NONE, 0, 0, 0, 0, x->in_front ? 0 : n_events}};
    struct irprof_segment segments[] = {{0, 0, 0, IRPROF_NONE, 0, 1, 0, outside},
                                        {0, 1, 0, 0, 1, 1, outside, (uint32_t)x->n - outside}};
    struct irprof_edge edges[] = {{.from = 0, .to = 1, .kind = IRPROF_EDGE_CASE},
                                  {.from = 0, .to = 2, .kind = IRPROF_EDGE_DEFAULT}};
    uint64_t taken[] = {x->switched[0], x->switched[1]};
    struct irprof_loop loop = {0, 1, 1, IRPROF_NONE, IRPROF_NONE, 0};
    uint64_t executions[] = {1, ROUNDS}, event_counts[] = {x->event_counts[0], x->event_counts[1]}, rounds = ROUNDS;
    struct irprof_region region = {.name = (char *)"main",
                                   .entries = 1,
                                   .executions = executions,
                                   .event_counts = event_counts,
                                   .taken = taken,
                                   .iterations = &rounds,
                                   .repeats = &rounds};
    struct irprof_profile p = {.keys = keys,
                               .n_keys = x->n,
                               .modules = &module,
                               .n_modules = 1,
                               .functions = &function,
                               .n_functions = 1,
                               .segments = segments,
                               .n_segments = 2,
                               .parts = parts,
                               .n_parts = 2,
                               .instructions = instructions,
                               .n_instructions = x->n,
                               .operands = operands,
                               .n_operands = n,
                               .events = events,
                               .n_events = n_events,
                               .event_sites = event_sites,
                               .n_event_sites = n_events,
                               .edges = edges,
                               .n_edges = x->switched[0] ? 2 : 0,
                               .loops = &loop,
                               .n_loops = 1,
                               .regions = &region,
                               .n_regions = 1};
    struct costs c = costs_of(x->wide);
    c.load_use = x->load_use;
    c.address_use = x->address_use;
    struct estimate *est;
    struct error e = ERROR_INIT;
    struct estimate_request q = {.profile = &p, .costs = &c};
    if (estimate_run(&est, &estimator_schedule, &q, &e))
        fail_msg("%s", e.message);
    double cycles = est->total.typical;
    estimate_free(est);
    costs_release(&c);
    return cycles;
}

/* What `times` events in the loop add. */
static double added(struct example x, const char *event, uint64_t times)
{
    x.events[x.events[0] ? 1 : 0] = event;
    double without = cycles_of(&x);
    x.event_counts[x.events[1] ? 1 : 0] = times;
    return cycles_of(&x) - without;
}

static bool is(double a, double b)
{
    return fabs(a - b) < 0.01;
}

#define LINES(a) .lines = (a), .n = sizeof(a) / sizeof *(a)

/* 0 is what the list begins with, loaded outside of the loop. */
static const struct line list[] = {
    {"load.ptr", {NONE}, 0}, {"phi.ptr", {2, 0}, 0}, {"load.ptr_d", {ADDRESS + 1, NONE}, 0}, {"br.cond", {NONE}, 0}};
/* An index out of a table, and what stands there. */
static const struct line gather[] = {{"phi.i64", {1, NONE}, 0},
                                     {"add.i64", {0, NONE}, 0},
                                     {"load.i64", {ADDRESS + 0, NONE}, 0},
                                     {"load.i32", {ADDRESS + 2, NONE}, 0},
                                     {"br.cond", {NONE}, 0}};

static void lists_wait_for_each_miss(void **state)
{
    (void)state;
    assert_true(is(added((struct example){LINES(list), .outside = 1}, "L1D_CACHE_REFILL", 50), 50 * 10));
    assert_true(is(added((struct example){LINES(list), .outside = 1, .wide = true}, "L1D_CACHE_REFILL", 50), 50 * 10));
}

/* In order: one access is by a loaded index, the other misses an eighth as often: 8 of 9 misses are waited for. A core
 * that executes out of order has begun the next one meanwhile. */
static void gathers_wait_in_order_alone(void **state)
{
    (void)state;
    assert_true(is(added((struct example){LINES(gather)}, "L1D_CACHE_REFILL", 90), 80 * 10 + 10 * 4));
    assert_true(is(added((struct example){LINES(gather), .wide = true}, "L1D_CACHE_REFILL", 90), 90 * 4));
}

/* Lines that a prefetcher brought are on their way while the loop works; for the others each load waits. */
static void prefetched_lines_come_meanwhile(void **state)
{
    (void)state;
    static const struct line stream[] = {{"phi.i64", {1, NONE}, 0},
                                         {"add.i64", {0, NONE}, 0},
                                         {"load.i64", {ADDRESS + 0, NONE}, 0},
                                         {"br.cond", {NONE}, 0}};
    struct example x = {LINES(stream)};
    double works = cycles_of(&x);
    assert_true(works > 20 * 4 && works < 100 * 4);
    assert_true(is(added(x, "L1D_CACHE_REFILL_HWPRF", 20), 0));
    assert_true(is(added(x, "L1D_CACHE_REFILL_HWPRF", 100), 100 * 4 - works));
    assert_true(is(added(x, "L1D_CACHE_REFILL", 10), 10 * 4));
    x.events[0] = "L1D_CACHE_REFILL_HWPRF";
    assert_true(is(added(x, "L1D_CACHE_REFILL", 10), 10 * 10));
}

/* 12 times there and 4 times elsewhere: of 16 jumps 16 - (144 + 16) / 16 = 6 are not as before, 7 additions each; not
 * on a core that executes out of order, and not where no branches were simulated. */
static void switches_go_where_they_did_not_before(void **state)
{
    (void)state;
    struct example x = {LINES(list), .outside = 1, .events = {"L1D_CACHE_REFILL"}, .switched = {12, 4}};
    double without = cycles_of(&x);
    x.events[0] = "BR_MIS_PRED";
    assert_true(is(cycles_of(&x) - without, 6 * 7));
    x.in_front = true; /* simulated: 3 were mispredicted */
    x.event_counts[0] = 3;
    assert_true(is(cycles_of(&x) - without, 3 * 7));
    x.wide = true;
    double simulated = cycles_of(&x);
    x.in_front = false;
    x.event_counts[0] = 0;
    assert_true(is(cycles_of(&x), simulated));
    x.events[0] = "L1D_CACHE_REFILL";
    assert_true(is(cycles_of(&x), simulated));
}

/* x = x + 1 in memory: each iteration takes what a store takes to hand its value to a load, and the addition. */
static void variables_go_round_through_their_store(void **state)
{
    (void)state;
    static const struct line count[] = {{"alloca.ptr", {NONE}, 0},
                                        {"load.i32", {ADDRESS + 0, NONE}, 0},
                                        {"add.i32_d", {1, NONE}, IRPROF_CONSTANT},
                                        {"store.i32_d", {2, ADDRESS + 0}, 0},
                                        {"br.cond", {NONE}, 0}};
    assert_true(is(cycles_of(&(struct example){LINES(count), .outside = 1, .wide = true}), ROUNDS * (5 + 1)));
}

static void targets_join_instructions(void **state)
{
    (void)state;
    /* loads at 0 and 1; extended at 3 and 4, multiplied at 5, the branch at 5.5; smull: at 4, and 4.5 */
    static const struct line widening[] = {{"load.v4i16", {NONE}, 0},    {"load.v4i16", {NONE}, 0},
                                           {"sext.v4i32", {0, NONE}, 0}, {"sext.v4i32", {1, NONE}, 0},
                                           {"mul.v4i32_d", {2, 3}, 0},   {"br.cond", {NONE}, 0}};
    assert_true(is(cycles_of(&(struct example){LINES(widening)}), ROUNDS * 6));
    assert_true(is(cycles_of(&(struct example){LINES(widening), .target = "aarch64-linux-gnu"}), ROUNDS * 5));
    /* loads at 0 and 1, two multiplications from 4 on, the branch after them at 5: not four of 128 bits, 12 cycles
     * later */
    static const struct line wide[] = {{"load.i64", {NONE}, 0},     {"load.i64", {NONE}, 0},
                                       {"zext.i128", {0, NONE}, 0}, {"zext.i128", {1, NONE}, 0},
                                       {"mul.i128_d", {2, 3}, 0},   {"br.cond", {NONE}, 0}};
    assert_true(is(cycles_of(&(struct example){LINES(wide), .target = "riscv64-linux-gnu"}), ROUNDS * 5.5));
    /* the load at 0; shifted at 3, masked at 4, the branch at 4.5; ubfx at 3 */
    static const struct line field[] = {{"load.i32", {NONE}, 0},
                                        {"lshr.i32_d", {0, NONE}, IRPROF_CONSTANT},
                                        {"and.i32_d", {1, NONE}, IRPROF_CONSTANT},
                                        {"br.cond", {NONE}, 0}};
    assert_true(is(cycles_of(&(struct example){LINES(field)}), ROUNDS * 5));
    assert_true(is(cycles_of(&(struct example){LINES(field), .target = "riscv64-linux-gnu"}), ROUNDS * 5));
    assert_true(is(cycles_of(&(struct example){LINES(field), .target = "aarch64-linux-gnu"}), ROUNDS * 4));
    /* the load at 0; compared at 3, the branch at 3.5: it needs the result an addition's Latency later. RISC-V's compares
     * itself, at 2 */
    static const struct line compared[] = {
        {"load.i32", {NONE}, 0}, {"icmp.i32_d", {0, NONE}, IRPROF_CONSTANT}, {"br.cond_d", {1, NONE}, 0}};
    assert_true(is(cycles_of(&(struct example){LINES(compared), .target = "aarch64-linux-gnu"}), ROUNDS * 4));
    assert_true(is(cycles_of(&(struct example){LINES(compared), .target = "riscv64-linux-gnu"}), ROUNDS * 2.5));
}

/* An addition waits less long for a load than the address of the next one does; an address longer for a product. */
static void waits_differ_by_use(void **state)
{
    (void)state;
    /* the load at 0, the addition at 3 or 1.5, the branch after it */
    static const struct line sum[] = {{"load.i64", {NONE}, 0}, {"add.i64_d", {0, NONE}, 0}, {"br.cond", {NONE}, 0}};
    assert_true(is(cycles_of(&(struct example){LINES(sum)}), ROUNDS * 4));
    assert_true(is(cycles_of(&(struct example){LINES(sum), .load_use = 0.5}), ROUNDS * 2.5));
    /* a list: addresses wait for loads as long as was measured */
    struct example lists = {LINES(list), .outside = 1, .load_use = 0.5};
    double before = cycles_of(&(struct example){LINES(list), .outside = 1});
    assert_true(is(cycles_of(&lists), before));
    /* the product at 0, the load at 4 or 6, also through an address that the load computes itself */
    static const struct line table[] = {
        {"mul.i64", {NONE}, 0}, {"load.i64_d", {ADDRESS + 0, NONE}, 0}, {"br.cond", {NONE}, 0}};
    assert_true(is(cycles_of(&(struct example){LINES(table)}), ROUNDS * 5));
    assert_true(is(cycles_of(&(struct example){LINES(table), .address_use = 3}), ROUNDS * 7));
    static const struct line folded[] = {{"mul.i64", {NONE}, 0},
                                         {"inttoptr.ptr", {0, NONE}, 0},
                                         {"load.i64_d", {ADDRESS + 1, NONE}, 0},
                                         {"br.cond", {NONE}, 0}};
    assert_true(is(cycles_of(&(struct example){LINES(folded)}), ROUNDS * 5));
    assert_true(is(cycles_of(&(struct example){LINES(folded), .address_use = 3}), ROUNDS * 7));
    /* who goes on with what does not wait has no use for either */
    double ahead = cycles_of(&(struct example){LINES(sum), .wide = true});
    assert_true(is(cycles_of(&(struct example){LINES(sum), .wide = true, .load_use = 0.5}), ahead));
}

/* Operations on vectors take turns, whatever they are: the product at 0, the sum of vectors at 8, that of numbers at
 * 0.5; the branch after it. */
static void vectors_share_their_pipes(void **state)
{
    (void)state;
    static const struct line vectors[] = {{"mul.v4i32", {NONE}, 0}, {"add.v4i32", {NONE}, 0}, {"br.cond", {NONE}, 0}};
    static const struct line mixed[] = {{"mul.v4i32", {NONE}, 0}, {"add.i32", {NONE}, 0}, {"br.cond", {NONE}, 0}};
    assert_true(is(cycles_of(&(struct example){LINES(vectors)}), ROUNDS * 9));
    assert_true(is(cycles_of(&(struct example){LINES(mixed)}), ROUNDS * 1.5));
}

/* A key's own value is taken before its instruction's; of a vector, that of a register of such elements. */
static void keys_have_values_of_their_own(void **state)
{
    (void)state;
    char *keys[] = {(char *)"mul.i64_d",
                    (char *)"mul.v4i32",
                    (char *)"mul.v8i32",
                    (char *)"mul.v2i64",
                    (char *)"call.llvm.pow.float_d",
                    (char *)"call.llvm.memcpy",
                    (char *)"call.llvm.pow.double"};
    struct irprof_profile p = {.keys = keys, .n_keys = 7};
    struct costs c = costs_of(false);
    struct key_costs k;
    costs_add(&c, "call.library.powf", (struct cycles){70, 70, 70}, (struct cycles){70, 70, 70});
    costs_add(&c, "call.library.memcpy", (struct cycles){20, 20, 20}, (struct cycles){20, 20, 20});
    key_costs_init(&k, &p, &c);
    assert_true(!k.at[0].own && k.at[0].pitch.typical == 1);
    assert_true(k.at[1].own && k.at[1].pitch.typical == 8 && k.at[1].latency.typical == 9);
    assert_true(!k.at[2].own && k.at[2].pitch.typical == 8);
    assert_true(!k.at[3].own && k.at[3].pitch.typical == 1);
    /* an intrinsic that becomes a call of a function */
    assert_true(k.at[4].pitch.typical == 70 && !k.at[4].assumed);
    assert_true(k.at[5].pitch.typical == 20 && !k.at[5].assumed);
    assert_non_null(k.at[6].assumed);
    key_costs_release(&k);
    costs_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_wait_for_each_miss),
        cmocka_unit_test(gathers_wait_in_order_alone),
        cmocka_unit_test(prefetched_lines_come_meanwhile),
        cmocka_unit_test(variables_go_round_through_their_store),
        cmocka_unit_test(switches_go_where_they_did_not_before),
        cmocka_unit_test(targets_join_instructions),
        cmocka_unit_test(waits_differ_by_use),
        cmocka_unit_test(vectors_share_their_pipes),
        cmocka_unit_test(keys_have_values_of_their_own),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
