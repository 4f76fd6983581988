/* Tournament and TAGE: sequences worked out by hand, what they are made for, and models of them written as simply as
 * can be: histories are lists of directions, tables are arrays. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/branch/branch.h"

static struct sim_predictor *predictor(struct sim_predictor_kind kind)
{
    const char *wrong = sim_predictor_check(&kind);
    if (wrong)
        fail_msg("%s", wrong);
    void *memory = aligned_alloc(16, (sim_predictor_size(&kind) + 15) & ~(size_t)15);
    memset(memory, 0xa5, sim_predictor_size(&kind));
    return sim_predictor_init(memory, &kind);
}

/* Branch `number` takes the directions of `taken` (T, N); the answer has 'x' where it is mispredicted, '.' where not.
 */
static void expect(struct sim_predictor *p, uint32_t number, const char *taken, const char *answer)
{
    for (size_t i = 0; taken[i]; i++)
        if (sim_predictor_branch(p, number, taken[i] == 'T') != (answer[i] == 'x'))
            fail_msg("%s: branch %zu is%s mispredicted", taken, i + 1, answer[i] == 'x' ? " not" : "");
}

static uint32_t next(uint32_t *x)
{
    return *x = *x * 1664525 + 1013904223;
}

/* ---- by hand ---- */

static void tournament_by_hand(void **state)
{
    (void)state;
    /* Global and local history of one bit. Local counters are at first 4 of 0 to 7, global ones 2 of 0 to 3, choosers
     * 1: local. Branch 0 has local history 0, branch 1 has 1. 0 T: local[0] 4, right, 5; global[0] 2 -> 3; own history
     * 1, global 1. 0 N: local[1] 4, wrong, 3; global[1] 2 -> 1; histories 0. 0 T: local[0] 5, right, 6. 0 N: local[1]
     * 3, right, 2. Known from now on. */
    struct sim_predictor *p = predictor((struct sim_predictor_kind){SIM_TOURNAMENT, 1, 0, 1, 0});
    expect(p, 0, "TNTNTNTN", ".x......");
    /* Now local[0] is 7, global[0] 3, local[1] and global[1] 0, histories 0; the two never disagreed, choosers are 1.
     * 1 N: both say T: wrong; local[0] 6, global[0] 2. 1 N: likewise; 5, 1. 1 N: local says T and is believed: wrong;
     * global was right: chooser[0] 2; 4, 0. 1 N: global is believed: right; chooser[0] 3, local[0] 3.
     * 1 T: global[0] says N. */
    expect(p, 1, "NNNNT", "xxx.x");
    sim_predictor_reset(p);
    expect(p, 0, "TNTNTNTN", ".x......");
    free(p);
}

static void tage_by_hand(void **state)
{
    (void)state;
    /* The table without tags is at first 2, which is T, and so says each empty entry. It predicts: 3, 3, 3. N is wrong:
     * 2, and an entry for N after TTT comes into being. Again TTT: the history is another (NTTT), the tables say
     * nothing. */
    struct sim_predictor *p = predictor((struct sim_predictor_kind){SIM_TAGE, 4, 16, 8, 2});
    expect(p, 5, "TTTN", "...x");
    free(p);
}

/* ---- what they are made for ---- */

/* A loop of `trips` iterations, its end a branch, 400 times; before each a branch that nobody can know, if `noise`.
 * Mispredicted in the last 100. */
static unsigned of_loop(struct sim_predictor_kind kind, unsigned trips, bool noise)
{
    struct sim_predictor *p = predictor(kind);
    uint32_t x = 1;
    unsigned wrong = 0;
    for (unsigned n = 0; n < 400; n++)
        for (unsigned i = 0; i < trips; i++) {
            for (unsigned k = 0; noise && k < 3; k++)
                sim_predictor_branch(p, 77 + k, next(&x) >> 31);
            bool missed = sim_predictor_branch(p, 1234, i + 1 < trips);
            wrong += n >= 300 && missed;
        }
    free(p);
    return wrong;
}

static void loops(void **state)
{
    (void)state;
    const struct sim_predictor_kind gshare = {SIM_GSHARE, 12, 8, 0, 0}, tournament = {SIM_TOURNAMENT, 12, 0, 10, 0},
                                    tage = {SIM_TAGE, 12, 64, 10, 4};
    assert_int_equal(of_loop(gshare, 6, false), 0);
    assert_int_equal(of_loop(gshare, 30, false), 100);
    assert_int_equal(of_loop(tournament, 9, false), 0);
    assert_int_equal(of_loop(tage, 30, false), 0);
    assert_int_equal(of_loop(tage, 60, false), 0);
    /* Its own directions are known whatever others do; among those of all there is too much that is new. */
    assert_in_range(of_loop(tournament, 6, true), 0, 50);
    assert_in_range(of_loop(gshare, 6, true), 60, 600);
}

/* ---- models ---- */

enum { MOST = 1 << 14, STEPS = 300000 };

/* A stream with loops, correlations and noise. */
struct stream {
    uint32_t x, number;
    unsigned n, last;
};
static bool next_branch(struct stream *s)
{
    uint32_t r = next(&s->x);
    s->n++;
    s->number = (r >> 27) * 2654435761U;
    unsigned kind = s->number >> 29;
    bool taken = kind < 2 ? s->n % (3 + kind) : kind < 4 ? s->last : kind < 6 ? (r >> 8 & 15) != 0 : r >> 9 & 1;
    s->last = taken;
    return taken;
}

struct simple_tournament {
    unsigned global_bits, local_bits;
    bool past[20], own[MOST][16]; /* the latest first */
    int local[MOST], global[MOST], chooser[MOST];
};
static unsigned number_of(const bool *list, unsigned n)
{
    unsigned v = 0;
    for (unsigned i = 0; i < n; i++)
        v += list[i] ? 1U << i : 0;
    return v;
}
static void push(bool *list, unsigned n, bool v)
{
    for (unsigned i = n; i-- > 1;)
        list[i] = list[i - 1];
    list[0] = v;
}
static int nudged(int v, bool up, int most)
{
    return up ? (v < most ? v + 1 : most) : v > 0 ? v - 1 : 0;
}
static bool simple_tournament(struct simple_tournament *t, uint32_t number, bool taken)
{
    bool *own = t->own[number % (1U << t->local_bits)];
    unsigned l = number_of(own, t->local_bits), g = number_of(t->past, t->global_bits);
    bool by_local = t->local[l] > 3, by_global = t->global[g] > 1;
    bool predicted = t->chooser[g] > 1 ? by_global : by_local;
    if (by_local != by_global)
        t->chooser[g] = nudged(t->chooser[g], by_global == taken, 3);
    t->local[l] = nudged(t->local[l], taken, 7);
    t->global[g] = nudged(t->global[g], taken, 3);
    push(own, t->local_bits, taken);
    push(t->past, t->global_bits, taken);
    return predicted != taken;
}

static void tournament_as_model(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{12, 10}, {5, 3}, {1, 1}, {14, 14}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct simple_tournament *t = calloc(1, sizeof *t);
        t->global_bits = sizes[k][0];
        t->local_bits = sizes[k][1];
        for (size_t i = 0; i < MOST; i++) {
            t->local[i] = 4;
            t->global[i] = 2;
            t->chooser[i] = 1;
        }
        struct sim_predictor *p =
            predictor((struct sim_predictor_kind){SIM_TOURNAMENT, sizes[k][0], 0, sizes[k][1], 0});
        struct stream s = {.x = 7};
        for (int i = 0; i < STEPS; i++) {
            bool taken = next_branch(&s);
            if (sim_predictor_branch(p, s.number, taken) != simple_tournament(t, s.number, taken))
                fail_msg("tournament:%u:%u: branch %d differs", sizes[k][0], sizes[k][1], i);
        }
        free(p);
        free(t);
    }
}

struct simple_tage {
    unsigned base_bits, entry_bits, tables, lengths[8];
    bool past[64];
    int base[MOST], counter[8][MOST], useful[8][MOST], tag[8][MOST];
    int trust_others;
    uint32_t random;
    unsigned n;
};
/* Bit i of the past goes to place i mod `bits`. */
static unsigned folded(const struct simple_tage *t, unsigned table, unsigned bits)
{
    unsigned v = 0;
    for (unsigned i = 0; i < t->lengths[table]; i++)
        v ^= t->past[i] ? 1U << i % bits : 0;
    return v;
}
static unsigned place(const struct simple_tage *t, unsigned table, uint32_t number)
{
    return (number ^ (number >> t->entry_bits) ^ folded(t, table, t->entry_bits)) % (1U << t->entry_bits);
}
static int tag(const struct simple_tage *t, unsigned table, uint32_t number)
{
    return (int)((number ^ folded(t, table, 9) ^ 2 * folded(t, table, 8)) % 512);
}
static void give_entry(struct simple_tage *t, uint32_t number, unsigned from, bool taken)
{
    unsigned chosen = t->tables;
    for (unsigned i = t->tables; i-- > from;)
        chosen = t->useful[i][place(t, i, number)] ? chosen : i;
    if (chosen == t->tables) {
        for (unsigned i = from; i < t->tables; i++)
            t->useful[i][place(t, i, number)]--;
        return;
    }
    for (unsigned i = chosen + 1; i < t->tables; i++) {
        t->random ^= t->random << 13;
        t->random ^= t->random >> 17;
        t->random ^= t->random << 5;
        if (t->random % 3)
            break;
        chosen = t->useful[i][place(t, i, number)] ? chosen : i;
    }
    unsigned at = place(t, chosen, number);
    t->tag[chosen][at] = tag(t, chosen, number);
    t->counter[chosen][at] = taken ? 4 : 3;
    t->useful[chosen][at] = 0;
}
static bool simple_tage(struct simple_tage *t, uint32_t number, bool taken)
{
    int *base = &t->base[number % (1U << t->base_bits)], *counter = 0, *useful = 0;
    bool says = *base > 1, other = says;
    unsigned longer = 0;
    for (unsigned i = 0; i < t->tables; i++) {
        unsigned at = place(t, i, number);
        if (t->tag[i][at] != tag(t, i, number))
            continue;
        longer = i + 1;
        counter = &t->counter[i][at];
        useful = &t->useful[i][at];
        other = says;
        says = *counter > 3;
    }
    bool young = counter && !*useful && (*counter == 3 || *counter == 4);
    bool predicted = young && t->trust_others > 7 ? other : says;
    if (young && says != other)
        t->trust_others = nudged(t->trust_others, other == taken, 15);
    if (predicted != taken && longer < t->tables && !(young && says == taken))
        give_entry(t, number, longer, taken);
    if (counter && says != other)
        *useful = nudged(*useful, says == taken, 3);
    if (counter)
        *counter = nudged(*counter, taken, 7);
    else
        *base = nudged(*base, taken, 3);
    if (++t->n % (1 << 18) == 0)
        for (unsigned i = 0; i < t->tables; i++)
            for (unsigned k = 0; k < MOST; k++)
                t->useful[i][k] = t->n / (1 << 18) % 2 ? t->useful[i][k] % 2 : t->useful[i][k] / 2 * 2;
    push(t->past, 64, taken);
    return predicted != taken;
}

static void tage_as_model(void **state)
{
    (void)state;
    static const struct sim_predictor_kind kinds[] = {
        {SIM_TAGE, 12, 64, 10, 4}, {SIM_TAGE, 3, 12, 2, 8}, {SIM_TAGE, 14, 40, 9, 3}, {SIM_TAGE, 1, 6, 1, 2}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct simple_tage *t = calloc(1, sizeof *t);
        t->base_bits = kinds[k].table_bits;
        t->entry_bits = kinds[k].second_bits;
        t->tables = kinds[k].tables;
        t->trust_others = 8;
        t->random = 0x9e3779b9;
        for (unsigned i = 0; i < t->tables; i++) {
            t->lengths[i] = (unsigned)lround(4 * pow(kinds[k].history_bits / 4.0, i / (t->tables - 1.0)));
            if (i && t->lengths[i] <= t->lengths[i - 1])
                t->lengths[i] = t->lengths[i - 1] + 1;
        }
        for (size_t i = 0; i < MOST; i++) {
            t->base[i] = 2;
            for (unsigned j = 0; j < t->tables; j++)
                t->counter[j][i] = 4;
        }
        struct sim_predictor *p = predictor(kinds[k]);
        struct stream s = {.x = 7};
        unsigned wrong = 0;
        for (int i = 0; i < 2 * STEPS; i++) {
            bool taken = next_branch(&s), missed = sim_predictor_branch(p, s.number, taken);
            wrong += missed;
            if (missed != simple_tage(t, s.number, taken))
                fail_msg("kind %zu: branch %d differs", k, i);
        }
        assert_true(wrong > 1000 && wrong < STEPS);
        free(p);
        free(t);
    }
}

static void kinds(void **state)
{
    (void)state;
    static const struct sim_predictor_kind good[] = {{SIM_TOURNAMENT, 12, 0, 10, 0},
                                                     {SIM_TOURNAMENT, 20, 0, 16, 0},
                                                     {SIM_TAGE, 12, 64, 10, 4},
                                                     {SIM_TAGE, 1, 12, 1, 8}},
                                           bad[] = {{SIM_BIMODAL, 12, 0, 1, 0},     {SIM_GSHARE, 12, 8, 0, 1},
                                                    {SIM_TOURNAMENT, 12, 1, 10, 0}, {SIM_TOURNAMENT, 12, 0, 0, 0},
                                                    {SIM_TOURNAMENT, 12, 0, 17, 0}, {SIM_TOURNAMENT, 21, 0, 10, 0},
                                                    {SIM_TAGE, 12, 65, 10, 4},      {SIM_TAGE, 12, 7, 10, 4},
                                                    {SIM_TAGE, 12, 64, 15, 4},      {SIM_TAGE, 12, 64, 0, 4},
                                                    {SIM_TAGE, 12, 64, 10, 1},      {SIM_TAGE, 12, 64, 10, 9}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (sim_predictor_check(&good[i]))
            fail_msg("good kind %zu: %s", i, sim_predictor_check(&good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!sim_predictor_check(&bad[i]))
            fail_msg("bad kind %zu is taken", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tournament_by_hand),  cmocka_unit_test(tage_by_hand),  cmocka_unit_test(loops),
        cmocka_unit_test(tournament_as_model), cmocka_unit_test(tage_as_model), cmocka_unit_test(kinds),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
