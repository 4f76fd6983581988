/* The order of a block's instructions (list scheduling), derived by hand. Each instruction keeps the next from issuing
 * for as long as it says (slots, 1 unless said otherwise); its HEIGHT is the longest way from its issue to the block's
 * end. Whenever one can issue, it is the highest of those whose operands are there; where none can, the one that can
 * soonest; of equals the first in the code. */
#include "tests/unit/estimate/schedule_example.h"

static struct code codes[MOST];

/* An instruction of that Latency, by what it is ("load.", "store.", "call." or anything else). */
static uint32_t add(const char *key, float latency, uint32_t a, uint32_t b)
{
    uint32_t i = put(key, a, b);
    codes[i] = (struct code){.slots = 1,
                             .latency = latency,
                             .barrier = strncmp(key, "call", 4) == 0,
                             .load = strncmp(key, "load", 4) == 0,
                             .store = strncmp(key, "store", 5) == 0};
    return i;
}

static uint32_t plain(float latency, uint32_t a)
{
    return add("add.i32", latency, a, NO);
}

/* One that takes its unit so long. */
static uint32_t takes_unit(const char *key, float pitch, float latency, uint32_t a)
{
    uint32_t i = add(key, latency, a, NO);
    codes[i].pitch = pitch;
    codes[i].unit = 1;
    return i;
}

static void begin_block(void)
{
    begin();
    block(0, 0, NO, 1);
}

/* The last instruction, then the order that the whole has. */
static void check_order(const uint32_t *expected, size_t n)
{
    struct costs c = some_costs(false);
    struct schedule s;
    open_schedule(&s, &c);
    memcpy(s.code, codes, x.p.n_instructions * sizeof *codes);
    schedule_order(&s);
    assert_int_equal(x.p.n_instructions, n);
    for (size_t k = 0; k < n; k++)
        if (s.order[k] != expected[k])
            fail_msg("%u is the %zuth, not %u", s.order[k], k, expected[k]);
    close_schedule(&s);
    costs_release(&c);
}
#define ENDS_AS(...)                                                                                                   \
    do {                                                                                                               \
        add("br.cond", 1, NO, NO);                                                                                     \
        check_order((const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t));              \
    } while (0)

/* Heights: the end 1, users 2, a 2 + 2, b 5 + 2. b at 0, a at 1; a's user is there at 3, b's at 5. */
static void longest_ways_begin_first(void **state)
{
    (void)state;
    begin_block();
    uint32_t a = plain(2, NO), b = plain(5, NO);
    plain(1, a);
    plain(1, b);
    ENDS_AS(1, 0, 2, 3, 4);
}

/* l at 0, its user at 4, what that makes for v at 7; i, lower than both, fills the gap, the end does not. */
static void gaps_are_filled(void **state)
{
    (void)state;
    begin_block();
    uint32_t l = plain(4, NO), u = plain(3, l);
    plain(1, u);
    plain(1, NO);
    ENDS_AS(0, 3, 1, 2, 4);
}

static void equals_keep_their_order(void **state)
{
    (void)state;
    begin_block();
    plain(1, NO);
    plain(1, NO);
    plain(1, NO);
    ENDS_AS(0, 1, 2, 3);
}

/* Two wait for the same until 5 each: the higher one goes first, though it is behind in the code: heights 2 and 4. */
static void the_higher_of_two_that_wait(void **state)
{
    (void)state;
    begin_block();
    uint32_t l = plain(5, NO);
    plain(1, l);
    uint32_t high = plain(2, l);
    plain(1, high);
    ENDS_AS(0, 2, 1, 3, 4);
}

/* Where none can issue, the one that can soonest, not the highest: l 0, m 1; m's user can go at 7, l's, which is higher
 * (6 against 2), at 10. */
static void the_one_that_can_soonest(void **state)
{
    (void)state;
    begin_block();
    uint32_t l = plain(10, NO), m = plain(6, NO), u = plain(4, l);
    plain(1, u);
    plain(1, m);
    ENDS_AS(0, 1, 4, 2, 3, 5);
}

/* Two divisions of 20 cycles each; what uses the first is there at 5, lower than the second. Where compilers know the
 * unit to be busy it goes between them, else the second goes at 1. */
static void users_go_between_long_divisions(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        bool between;
    } all[] = {{"fdiv.double", true}, {"fdiv.float_d", true}, {"sdiv.i32", false}, {"fmul.double", false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_block();
        uint32_t first = takes_unit(all[i].key, 20, 5, NO);
        takes_unit(all[i].key, 20, 5, NO);
        plain(1, first);
        if (all[i].between)
            ENDS_AS(0, 2, 1, 3);
        else
            ENDS_AS(0, 1, 2, 3);
    }
}

/* The unit is free where a block begins: of two of the same height the first goes first. */
static void units_are_free_in_a_new_block(void **state)
{
    (void)state;
    begin_block();
    takes_unit("fdiv.double", 20, 1, NO);
    plain(1, NO);
    add("br.cond", 1, NO, NO);
    block(0, 1, NO, 1);
    takes_unit("fdiv.double", 20, 1, NO);
    plain(1, NO);
    ENDS_AS(0, 1, 2, 3, 4, 5);
}

/* A selection by a comparison of something else than the one before it, which waits for 9: where flags are one register, it
 * waits too. RISC-V has numbers in their place. */
static void flags_are_taken_in_order(void **state)
{
    (void)state;
    static const struct {
        const char *target, *compare, *user;
        bool in_order;
    } all[] = {{"aarch64-linux-gnu", "fcmp.double", "select.double", true},
               {"aarch64-linux-gnu", "icmp.i32", "zext.i32", true},
               {"riscv64-linux-gnu", "fcmp.double", "select.double", false},
               {"aarch64-linux-gnu", "fcmp.v2f64", "select.v2f64", false},
               {"aarch64-linux-gnu", "add.i32", "select.i32", false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_block();
        x.module.target = (char *)all[i].target;
        uint32_t a = plain(9, NO), late = add(all[i].compare, 1, a, NO), soon = add(all[i].compare, 1, NO, NO);
        add(all[i].user, 1, late, NO);
        add(all[i].user, 1, soon, NO);
        if (all[i].in_order)
            ENDS_AS(0, 2, 1, 3, 4, 5);
        else
            ENDS_AS(0, 2, 4, 1, 3, 5);
    }
}

/* Two and the end: the longer of both goes first. */
static void three_are_ordered(void **state)
{
    (void)state;
    begin_block();
    plain(1, NO);
    codes[plain(1, NO)].slots = 3;
    ENDS_AS(1, 0, 2);
}

/* A long instruction of little Latency: height 4 + 2 against 3 + 2. a 0 to 4, b 4; a's user is there at 1, b's at 7. */
static void what_occupies_the_core_counts(void **state)
{
    (void)state;
    begin_block();
    uint32_t b = plain(3, NO), a = plain(1, NO);
    codes[a].slots = 4;
    plain(1, b);
    plain(1, a);
    ENDS_AS(1, 0, 3, 2, 4);
}

/* A way of several is as long as all of them: a 2 + 3 + 2 against b 4 + 2, though each of a's is shorter than b. a 0, b
 * 1, a2 2; the users of b and a2 can go at 5: the first of them. */
static void ways_add_up(void **state)
{
    (void)state;
    begin_block();
    uint32_t b = plain(4, NO), a = plain(2, NO), a2 = plain(3, a);
    plain(1, b);
    plain(1, a2);
    ENDS_AS(1, 0, 2, 3, 4, 5);
}

/* The issue of a long one delays what is after it: a 0 to 3, whose user is there at 4, then i (3), then the user. */
static void time_goes_on_while_one_issues(void **state)
{
    (void)state;
    begin_block();
    uint32_t a = plain(4, NO);
    codes[a].slots = 3;
    uint32_t u = plain(1, a);
    plain(1, u);
    plain(1, NO);
    ENDS_AS(0, 3, 1, 2, 4);
    codes[a].slots = 4; /* now it is there when the next can issue */
    check_order((const uint32_t[]){0, 1, 2, 3, 4}, 5);
}

/* b's way is the longest, but the call is in between; i, which nobody waits for, would fill the gap after it. */
static void nothing_crosses_a_call(void **state)
{
    (void)state;
    begin_block();
    plain(1, NO);
    add("call.direct", 1, NO, NO);
    uint32_t l = plain(9, NO);
    plain(1, l);
    ENDS_AS(0, 1, 2, 3, 4);
}

/* The first call waits for its argument until 5; the second does not go before. Nor does the end before a call that it
 * follows. */
static void calls_stay_behind_each_other(void **state)
{
    (void)state;
    begin_block();
    uint32_t l = plain(5, NO);
    add("call.direct", 1, l, NO);
    add("call.direct", 1, NO, NO);
    ENDS_AS(0, 1, 2, 3);
    begin_block();
    l = plain(5, NO);
    plain(1, NO);
    add("call.direct", 1, l, NO);
    ENDS_AS(0, 1, 2, 3);
}

/* What is between two calls stays there. */
static void nothing_crosses_the_second_call(void **state)
{
    (void)state;
    begin_block();
    add("call.direct", 1, NO, NO);
    plain(1, NO);
    add("call.direct", 1, NO, NO);
    uint32_t l = plain(9, NO);
    plain(1, l);
    ENDS_AS(0, 1, 2, 3, 4, 5);
}

/* The first store waits for its value until 5; the second, which could go at 1, stays after it. */
static void stores_stay_behind_stores(void **state)
{
    (void)state;
    begin_block();
    uint32_t l = plain(5, NO);
    add("store.i32", 1, l, NO);
    add("store.i32", 1, NO, NO);
    ENDS_AS(0, 1, 2, 3);
}

/* The load has the longest way; it stays after the store, which waits for its value until 5. */
static void loads_stay_behind_stores(void **state)
{
    (void)state;
    begin_block();
    uint32_t l = plain(5, NO);
    add("store.i32", 1, l, NO);
    uint32_t m = add("load.i32", 9, NO, NO);
    plain(1, m);
    ENDS_AS(0, 1, 2, 3, 4);
}

/* The load waits for its address until 9; the store, which could go at 1, stays after it. */
static void stores_stay_behind_loads(void **state)
{
    (void)state;
    begin_block();
    uint32_t d = plain(9, NO);
    add("load.i32", 1, ADDRESS | d, NO);
    add("store.i32", 1, NO, NO);
    ENDS_AS(0, 1, 2, 3);
}

/* Of two loads before the store each holds it back, whichever waits longer. */
static void stores_stay_behind_all_loads(void **state)
{
    (void)state;
    for (int second = 0; second < 2; second++) {
        begin_block();
        uint32_t d = plain(9, NO);
        add("load.i32", 1, second ? NO : ADDRESS | d, NO);
        add("load.i32", 1, second ? ADDRESS | d : NO, NO);
        add("store.i32", 1, NO, NO);
        if (second)
            ENDS_AS(0, 1, 2, 3, 4);
        else
            ENDS_AS(0, 2, 1, 3, 4);
    }
}

/* What is neither is passed: d's user is there at 9, the store goes at 1. A load passes loads. */
static void stores_and_loads_pass_what_is_neither(void **state)
{
    (void)state;
    begin_block();
    uint32_t d = plain(9, NO);
    plain(1, d);
    add("store.i32", 1, NO, NO);
    ENDS_AS(0, 2, 1, 3);
    begin_block();
    d = plain(9, NO);
    add("load.i32", 1, ADDRESS | d, NO);
    add("load.i32", 1, NO, NO);
    ENDS_AS(0, 2, 1, 3);
}

/* ---- what the profile knows of accesses ---- */

/* As loads_stay_behind_stores: nothing is known of the load, or it may depend on the store, or not. */
static void loads_pass_stores_that_are_clear(void **state)
{
    (void)state;
    for (uint32_t clear = 0; clear < 2; clear++) {
        begin_block();
        uint32_t l = plain(5, NO);
        add("store.i32", 1, l, NO);
        at(0, 0, 4, 0);
        uint32_t m = add("load.i32", 9, NO, NO);
        at(1, 0, 4, clear);
        plain(1, m);
        if (clear)
            ENDS_AS(2, 0, 1, 3, 4);
        else
            ENDS_AS(0, 1, 2, 3, 4);
    }
}

/* As loads_stay_behind_stores: of one of the two nothing is known, so they may be the same. */
static void what_is_not_known_may_be_the_same(void **state)
{
    (void)state;
    for (int known = 0; known < 2; known++) {
        begin_block();
        uint32_t l = plain(5, NO);
        add("store.i32", 1, l, NO);
        if (known == 0)
            at(0, 0, 4, 0);
        uint32_t m = add("load.i32", 9, NO, NO);
        if (known == 1)
            at(0, 8, 4, 0);
        plain(1, m);
        ENDS_AS(0, 1, 2, 3, 4);
    }
}

/* The load stays after the store, which issues for half a cycle, and can go right then: before the lower p. Its user is there at
 * 9.5. */
static void what_stays_behind_goes_at_once(void **state)
{
    (void)state;
    begin_block();
    uint32_t store = add("store.i32", 1, NO, NO), load = add("load.i32", 9, NO, NO);
    codes[store].slots = 0.5F;
    plain(1, load);
    plain(1, NO);
    ENDS_AS(0, 1, 3, 2, 4);
}

/* An argument is there when the function begins: what takes it goes at 1, l's user at 9. It is no comparison, either, where one
 * register has the flags. */
static void arguments_are_there(void **state)
{
    (void)state;
    begin_block();
    x.module.target = (char *)"aarch64-linux-gnu";
    uint32_t l = plain(9, NO);
    plain(1, l);
    uint32_t u = plain(1, l);
    x.operands[x.instructions[u].first_operand].producer = NO;
    ENDS_AS(0, 2, 1, 3);
}

/* Only the store right before is clear; the one before that waits until 5, and the load with it. */
static void clear_is_a_number(void **state)
{
    (void)state;
    for (uint32_t clear = 1; clear < 3; clear++) {
        begin_block();
        uint32_t l = plain(5, NO);
        add("store.i32", 1, l, NO);
        at(0, 0, 4, 0);
        add("store.i32", 1, NO, NO);
        at(1, 0, 4, 1);
        uint32_t m = add("load.i32", 9, NO, NO);
        at(2, 0, 4, clear);
        plain(1, m);
        if (clear == 2)
            ENDS_AS(3, 0, 2, 1, 4, 5);
        else
            ENDS_AS(0, 2, 1, 3, 4, 5);
    }
}

/* The load waits for its address until 9. A store next to what it loads goes before; one into it does not. */
static void stores_pass_loads_of_other_bytes(void **state)
{
    (void)state;
    for (int64_t offset = 3; offset < 5; offset++) {
        begin_block();
        uint32_t d = plain(9, NO);
        add("load.i32", 1, ADDRESS | d, NO);
        at(0, 0, 4, 0);
        add("store.i32", 1, NO, NO);
        at(0, offset, 4, 0);
        if (offset == 4)
            ENDS_AS(0, 2, 1, 3);
        else
            ENDS_AS(0, 1, 2, 3);
    }
}

/* Phis are what is there when the block begins, whatever their height: in the order of the code, before all else. */
static void phis_come_first(void **state)
{
    (void)state;
    begin_block();
    uint32_t y = add("phi.i32", 0, 2, NO);
    codes[y].slots = 0;
    uint32_t z = add("phi.i32", 0, y, NO);
    codes[z].slots = 0;
    plain(9, y);
    ENDS_AS(0, 1, 2, 3);
}

/* phi, address (no code), load (3), product (6), store; next, comparison. The phi's register is written after the store, the last
 * that has an address of it, though it could be while the load is waited for. */
static void counters_count_when_they_were_used(void **state)
{
    (void)state;
    for (int later = 0; later < 2; later++) {
        begin_block();
        uint32_t phi = add("phi.i64", 0, 5, NO), address = add("getelementptr.ptr", 0, phi, NO);
        codes[phi].slots = codes[address].slots = 0;
        uint32_t product = plain(6, add("load.i64", 3, address, NO));
        add("store.i64", 1, product, address);
        uint32_t next = plain(1, phi);
        add("icmp.i64", 1, later ? phi : next, NO);
        if (!later)
            ENDS_AS(0, 1, 2, 3, 4, 5, 6, 7);
        else /* somebody has the old value after the new one is made: two registers */
            ENDS_AS(0, 1, 2, 5, 6, 3, 4, 7);
    }
}

/* l at 0; until its users can go, at 30, six that nobody waits for, by their heights (slots + 1): 6 5 4 3 2 1, up to
 * 22; then the users, by theirs. */
static void many_go_by_height(void **state)
{
    (void)state;
    static const float filling[] = {3, 1, 5, 2, 6, 4}, waiting[] = {9, 7, 11, 8, 10};
    begin_block();
    uint32_t l = plain(30, NO);
    for (size_t i = 0; i < 6; i++)
        codes[plain(1, NO)].slots = filling[i];
    for (size_t i = 0; i < 5; i++)
        codes[plain(1, l)].slots = waiting[i];
    ENDS_AS(0, 5, 3, 6, 1, 4, 2, 9, 11, 7, 10, 8, 12);
}

/* Sixty that nobody waits for, by their heights alone. */
static void very_many_go_by_height(void **state)
{
    (void)state;
    uint32_t expected[61];
    begin_block();
    for (uint32_t i = 0; i < 60; i++) {
        uint32_t slots = 1 + (i + 1) * 37 % 61; /* 2 to 61, each once */
        codes[plain(1, NO)].slots = (float)slots;
        expected[61 - slots] = i;
    }
    expected[60] = add("br.cond", 1, NO, NO);
    check_order(expected, 61);
}

/* Eight of falling Latency, each with a user: issued by Latency, one a cycle, they are all there at 9. */
static void many_ways_begin_by_length(void **state)
{
    (void)state;
    static const float latency[] = {4, 9, 2, 7, 3, 8, 5, 6};
    begin_block();
    for (size_t i = 0; i < 8; i++)
        plain(latency[i], NO);
    for (uint32_t i = 0; i < 8; i++)
        plain(1, i);
    ENDS_AS(1, 5, 3, 7, 6, 0, 4, 2, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

/* A producer in another block is there, or nobody's business here. */
static void blocks_are_ordered_apart(void **state)
{
    (void)state;
    begin_block();
    uint32_t a = plain(2, NO), b = plain(5, NO);
    plain(1, a);
    plain(1, b);
    add("br.cond", 1, NO, NO);
    block(0, 1, NO, 1);
    plain(1, b);
    uint32_t d = plain(3, NO);
    plain(1, d);
    ENDS_AS(1, 0, 2, 3, 4, 6, 5, 7, 8);
}

/* What the first block waited for is no matter in the second: there j, with the longest way, goes first. Nor is what
 * its instructions occupied: a 0 to 3, so that its user, there at 4, goes after i. */
static void blocks_begin_anew(void **state)
{
    (void)state;
    begin_block();
    plain(1, plain(9, NO));
    add("br.cond", 1, NO, NO);
    block(0, 1, NO, 1);
    plain(1, NO);
    plain(1, plain(5, NO));
    add("br.cond", 1, NO, NO);
    block(0, 2, NO, 1);
    uint32_t a = plain(4, NO);
    codes[a].slots = 3;
    plain(1, plain(1, a));
    plain(1, NO);
    ENDS_AS(0, 1, 2, 4, 3, 5, 6, 7, 10, 8, 9, 11);
}

static void what_is_not_optimised_stays(void **state)
{
    (void)state;
    begin_block();
    uint32_t a = plain(2, NO), b = plain(5, NO);
    plain(1, a);
    plain(1, b);
    add("br.cond", 1, NO, NO);
    keeps_variables(0);
    check_order((const uint32_t[]){0, 1, 2, 3, 4, 5, 6}, 7);
}

/* A region that begins within the block executes its second part alone, which is ordered with the first. */
static void blocks_are_ordered_as_a_whole(void **state)
{
    (void)state;
    for (uint64_t front = 0; front < 2; front++) {
        begin();
        block(0, 0, NO, front);
        uint32_t a = plain(2, NO), b = plain(5, NO);
        half(1 - front);
        plain(1, a);
        plain(1, b);
        ENDS_AS(1, 0, 2, 3, 4);
    }
}

/* Beyond 5,000 instructions a block stays as it is. */
static void enormous_blocks_stay(void **state)
{
    (void)state;
    static uint32_t expected[MOST];
    for (uint32_t n = 5000; n < 5002; n++) {
        begin_block();
        plain(2, NO);
        plain(1, plain(5, NO));
        while (x.p.n_instructions < n)
            plain(1, NO);
        for (uint32_t i = 0; i < n; i++)
            expected[i] = i;
        if (n == 5000) { /* the second has the longest way; its user can go at 5 */
            expected[0] = 1;
            expected[1] = 0;
            expected[2] = 3;
            expected[3] = 4;
            expected[4] = 5;
            expected[5] = 2;
        }
        check_order(expected, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(longest_ways_begin_first),
        cmocka_unit_test(gaps_are_filled),
        cmocka_unit_test(equals_keep_their_order),
        cmocka_unit_test(the_higher_of_two_that_wait),
        cmocka_unit_test(the_one_that_can_soonest),
        cmocka_unit_test(three_are_ordered),
        cmocka_unit_test(what_occupies_the_core_counts),
        cmocka_unit_test(ways_add_up),
        cmocka_unit_test(time_goes_on_while_one_issues),
        cmocka_unit_test(nothing_crosses_a_call),
        cmocka_unit_test(calls_stay_behind_each_other),
        cmocka_unit_test(nothing_crosses_the_second_call),
        cmocka_unit_test(stores_stay_behind_stores),
        cmocka_unit_test(loads_stay_behind_stores),
        cmocka_unit_test(stores_stay_behind_loads),
        cmocka_unit_test(stores_stay_behind_all_loads),
        cmocka_unit_test(stores_and_loads_pass_what_is_neither),
        cmocka_unit_test(loads_pass_stores_that_are_clear),
        cmocka_unit_test(clear_is_a_number),
        cmocka_unit_test(stores_pass_loads_of_other_bytes),
        cmocka_unit_test(phis_come_first),
        cmocka_unit_test(counters_count_when_they_were_used),
        cmocka_unit_test(many_go_by_height),
        cmocka_unit_test(very_many_go_by_height),
        cmocka_unit_test(many_ways_begin_by_length),
        cmocka_unit_test(blocks_are_ordered_apart),
        cmocka_unit_test(users_go_between_long_divisions),
        cmocka_unit_test(units_are_free_in_a_new_block),
        cmocka_unit_test(flags_are_taken_in_order),
        cmocka_unit_test(what_is_not_known_may_be_the_same),
        cmocka_unit_test(what_stays_behind_goes_at_once),
        cmocka_unit_test(arguments_are_there),
        cmocka_unit_test(blocks_begin_anew),
        cmocka_unit_test(what_is_not_optimised_stays),
        cmocka_unit_test(blocks_are_ordered_as_a_whole),
        cmocka_unit_test(enormous_blocks_stay),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
