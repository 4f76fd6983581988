/* test_port_sets.c - ports of kinds of instructions from what two of them take side by side, for sets made by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "shimgen/core/wide/port_sets.h"

enum { KINDS = 6 };
/* Additions on four ports, shifts on two of them, multiplications on one that shifts do not have; loads on two others; two kinds
 * on a port of their own, one of which keeps it for four cycles. */
static const uint32_t truth[KINDS] = {0x0f, 0x03, 0x04, 0x30, 0x40, 0x40};
static const unsigned busy[KINDS] = {1, 1, 1, 1, 1, 4};
static const char *const units[KINDS] = {"alu", "alu", "multiply", "memory", "fp", "fp_divide"};

static double stream(int kind)
{
    return (double)busy[kind] / __builtin_popcount(truth[kind]);
}

/* All pairs, by the sets made by hand; more than `width` slots a cycle hide them. `off`: a part that they are longer. */
static void find(struct port_kind *kinds, double width, double off)
{
    struct port_pair pairs[KINDS * KINDS];
    struct port_sets p = {.kinds = kinds, .n = KINDS, .pairs = pairs, .width = width, .seen = width};
    for (int i = 0; i < KINDS; i++) {
        kinds[i] = (struct port_kind){.slots = 1, .unit = units[i]};
        port_kind_of(&kinds[i], stream(i), 0);
        assert_int_equal(kinds[i].ports, __builtin_popcount(truth[i]));
        assert_int_equal(kinds[i].busy, busy[i]);
        kinds[i].set = truth[i];
    }
    for (size_t a = 0; a < KINDS; a++)
        for (size_t b = a + 1; b < KINDS; b++) {
            struct port_pair one = {.a = a, .b = b};
            double least, most;
            port_pair_counts(stream((int)a), stream((int)b), &one.na, &one.nb);
            port_sets_cycles(&p, &one, &least, &most);
            one.cycles = most * (1 + off);
            pairs[p.n_pairs++] = one;
        }
    port_sets_find(&p);
}

static void same_as_by_hand(const struct port_kind *kinds)
{
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++)
            assert_int_equal(__builtin_popcount(kinds[a].set & kinds[b].set), __builtin_popcount(truth[a] & truth[b]));
}

static void shared_ports_are_found(void **state)
{
    (void)state;
    struct port_kind kinds[KINDS];
    find(kinds, 8, 0);
    same_as_by_hand(kinds);
    assert_int_equal(kinds[4].set, kinds[5].set);
}

static void small_deviations_do_not_matter(void **state)
{
    (void)state;
    struct port_kind kinds[KINDS];
    find(kinds, 8, 0.02);
    same_as_by_hand(kinds);
}

/* Four additions and two loads need six slots of four: whether they share ports is not to be seen. Kinds of two units do not. */
static void what_the_width_hides_is_as_usual(void **state)
{
    (void)state;
    struct port_kind kinds[KINDS];
    find(kinds, 4, 0);
    assert_int_equal(kinds[0].set & kinds[3].set, 0);
    assert_int_equal(__builtin_popcount(kinds[0].set & kinds[1].set), 2);
}

static void streams_tell_how_many(void **state)
{
    (void)state;
    static const struct {
        double stream;
        int slower;
        unsigned ports, busy;
    } cases[] = {{0.25, 0, 4, 1}, {0.195, 1, 6, 1}, {0.195, 0, 5, 1}, {0.667, 0, 3, 2},  {1, 0, 1, 1},
                 {2.5, 0, 2, 5},  {7.5, 0, 2, 15},  {17, 0, 1, 17},   {102.3, 0, 1, 102}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct port_kind k = {0};
        port_kind_of(&k, cases[i].stream, cases[i].slower);
        assert_int_equal(k.ports, cases[i].ports);
        assert_int_equal(k.busy, cases[i].busy);
    }
}

static void both_take_equally_long(void **state)
{
    (void)state;
    unsigned na, nb;
    port_pair_counts(0.25, 0.5, &na, &nb);
    assert_int_equal(na, 4);
    assert_int_equal(nb, 2);
    port_pair_counts(0.25, 5, &na, &nb);
    assert_int_equal(na, 20);
    assert_int_equal(nb, 1);
}

/* ---- several operations ---- */

enum { MANY = 10 };
/* Additions on four ports, multiplications on one of them, two kinds on two others and on one of these, loads on two; then a
 * store of an address, by the ports of loads, and data; a conversion on both kinds of ports; half vectors, two operations on
 * two ports; what else is done on the port of stored data; loads of another kind. */
static const struct {
    struct port_use use[2];
    const char *unit;
    double slots;
} mixed[MANY] = {
    {{{0x0f, 1}}, "alu", 1},           {{{0x04, 1}}, "multiply", 1}, {{{0x30, 1}}, "fp", 1},
    {{{0x10, 1}}, "fp_divide", 1},     {{{0xc0, 1}}, "memory", 1},   {{{0x100, 1}, {0xc0, 1}}, "memory", 1},
    {{{0x04, 1}, {0x10, 1}}, "fp", 2}, {{{0x30, 2}}, "fp", 2},       {{{0x100, 1}}, "divide", 1},
    {{{0xc0, 1}}, "memory", 1}};

static struct port_kind made(int i)
{
    struct port_kind k = {.set = mixed[i].use[0].set, .busy = mixed[i].use[0].busy, .slots = mixed[i].slots};
    if (mixed[i].use[1].set)
        k.more[k.n_more++] = mixed[i].use[1];
    return k;
}

static struct port_pair pair_of(size_t a, size_t b, const double *streams)
{
    struct port_pair one = {.a = a, .b = b};
    port_pair_counts(streams[a], streams[b], &one.na, &one.nb);
    return one;
}

/* What all pairs take by the sets that were found is what they take by those made by hand. */
static void several_operations_are_found(void **state)
{
    (void)state;
    struct port_kind kinds[MANY], truth_of[MANY];
    struct port_pair pairs[MANY * MANY];
    double streams[MANY], least;
    struct port_sets true_sets = {.kinds = truth_of, .n = MANY, .width = 16, .seen = 16},
                     found = {.kinds = kinds, .n = MANY, .pairs = pairs, .width = 16, .seen = 16};
    for (int i = 0; i < MANY; i++)
        truth_of[i] = made(i);
    for (size_t i = 0; i < MANY; i++) {
        const struct port_pair alone = {.a = i, .b = i, .na = 1};
        port_sets_cycles(&true_sets, &alone, &least, &streams[i]);
        kinds[i] = (struct port_kind){.slots = mixed[i].slots, .unit = mixed[i].unit, .stream = streams[i]};
        port_kind_of(&kinds[i], streams[i], 0);
    }
    for (size_t a = 0; a < MANY; a++)
        for (size_t b = a + 1; b < MANY; b++) {
            pairs[found.n_pairs] = pair_of(a, b, streams);
            port_sets_cycles(&true_sets, &pairs[found.n_pairs], &least, &pairs[found.n_pairs].cycles);
            found.n_pairs++;
        }
    port_sets_find(&found);
    for (size_t i = 0; i < found.n_pairs; i++) {
        double most;
        port_sets_cycles(&found, &pairs[i], &least, &most);
        assert_true(fabs(most - pairs[i].cycles) < 0.02 * pairs[i].cycles);
    }
    assert_true(kinds[5].n_more && kinds[6].n_more);
    assert_int_equal(kinds[7].ports, 2);
    assert_int_equal(kinds[7].busy, 2);
    for (int i = 0; i < 5; i++)
        assert_int_equal(kinds[i].n_more, 0); /* simple ones stay so */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_ports_are_found),           cmocka_unit_test(small_deviations_do_not_matter),
        cmocka_unit_test(what_the_width_hides_is_as_usual), cmocka_unit_test(streams_tell_how_many),
        cmocka_unit_test(both_take_equally_long),           cmocka_unit_test(several_operations_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
