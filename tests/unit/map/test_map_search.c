/* Mappings: the search against all plans, tried by a program of its own; larger graphs against a lower bound. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/map/drawn.h"

/* ---- all plans: each block that is ready, on each core, again and again ---- */

enum { MOST = 8, CORES = 3 };
struct trial {
    size_t n, n_cores;
    double time[MOST][CORES], transfer[MOST][MOST][CORES][CORES];
    bool edge[MOST][MOST];
    double end[MOST], busy[CORES], best;
    size_t core[MOST], best_core[MOST];
    bool done[MOST];
    size_t together[2], apart[2]; /* two blocks; the same: no demand */
};

static bool ready(const struct trial *t, size_t b)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->edge[i][b] && !t->done[i])
            return false;
    return !t->done[b];
}

static bool meets(const struct trial *t)
{
    const size_t *x = t->together, *y = t->apart;
    return (x[0] == x[1] || t->core[x[0]] == t->core[x[1]]) && (y[0] == y[1] || t->core[y[0]] != t->core[y[1]]);
}

static void all_plans(struct trial *t, size_t n_done, double so_far)
{
    if (so_far >= t->best)
        return;
    if (n_done == t->n) {
        if (meets(t)) {
            t->best = so_far;
            memcpy(t->best_core, t->core, sizeof t->core);
        }
        return;
    }
    for (size_t b = 0; b < t->n; b++) {
        if (!ready(t, b))
            continue;
        t->done[b] = true;
        for (size_t c = 0; c < t->n_cores; c++) {
            double before = t->busy[c], start = before;
            for (size_t i = 0; i < t->n; i++)
                if (t->edge[i][b])
                    start = fmax(start, t->end[i] + (t->core[i] == c ? 0 : t->transfer[i][b][t->core[i]][c]));
            t->core[b] = c;
            t->busy[c] = t->end[b] = start + t->time[b][c];
            all_plans(t, n_done + 1, fmax(so_far, t->end[b]));
            t->busy[c] = before;
        }
        t->done[b] = false;
    }
}

/* Latency, the first piece, further pieces: in numbers, not by the code that is tested. */
static double priced(const struct map_link *l, double bytes)
{
    double sum = l->latency;
    for (double sent = 0; sent < bytes; sent += l->piece)
        sum += sent == 0 ? l->first : l->each;
    return sum;
}

static void trial_of(struct trial *t, const struct map_graph *g, const struct map_machine *m)
{
    *t = (struct trial){.n = g->blocks.n, .n_cores = m->cores.n, .best = INFINITY};
    for (size_t b = 0; b < t->n; b++)
        for (size_t c = 0; c < t->n_cores; c++)
            t->time[b][c] = g->blocks.at[b].cycles.at[c].cycles;
    for (size_t i = 0; i < g->edges.n; i++) {
        const struct map_edge *x = &g->edges.at[i];
        t->edge[x->from][x->to] = true;
        for (size_t k = 0; k < t->n_cores * t->n_cores; k++)
            if (k / t->n_cores != k % t->n_cores)
                t->transfer[x->from][x->to][k / t->n_cores][k % t->n_cores] = priced(m->ways[k].links.at, x->bytes);
    }
}

/* ---- the search ---- */

static const size_t all_cores[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static enum status searched(struct map_result *out, struct map_problem *p, const struct map_graph *g,
                            const struct map_machine *m, const struct map_rules *rules, struct error *e)
{
    const struct map_demands d = {.rules = rules};
    const struct map_effort effort = {.seconds = 60};
    *out = (struct map_result){0};
    enum status s = map_problem_make(p, g, m, all_cores, m->cores.n, &d, e);
    return s ? s : map_search(out, p, &effort, 0, e);
}

static void release(struct map_result *r, struct map_problem *p, struct map_graph *g, struct map_machine *m)
{
    map_result_release(r);
    map_problem_release(p);
    map_graph_release(g);
    map_machine_release(m);
}

/* The plan's own times once more: no block before its data or while its core is busy. */
static void plan_is_possible(const struct map_result *r, const struct trial *t)
{
    double last = 0;
    for (size_t b = 0; b < t->n; b++) {
        const struct map_plan *plan = &r->plan;
        assert_true(plan->end[b] == plan->start[b] + t->time[b][plan->core[b]]);
        last = fmax(last, plan->end[b]);
        for (size_t i = 0; i < t->n; i++) {
            if (t->edge[i][b])
                assert_true(plan->start[b] >=
                            plan->end[i] +
                                (plan->core[i] == plan->core[b] ? 0 : t->transfer[i][b][plan->core[i]][plan->core[b]]));
            if (i != b && plan->core[i] == plan->core[b])
                assert_true(plan->start[b] >= plan->end[i] || plan->start[i] >= plan->end[b]);
        }
    }
    assert_true(last == r->plan.makespan);
}

static void small_graphs(void **state)
{
    (void)state;
    struct random r = random_start(19);
    for (size_t round = 0; round < 2000; round++) {
        struct map_graph g;
        struct map_machine m;
        struct map_problem p;
        struct map_result found;
        struct trial t;
        struct error e = {0};
        bool alike = round % 2;
        size_t n = 2 + random_below(&r, 6);
        drawn_graph(&g, &r, n, CORES, 20 + random_below(&r, 60), alike);
        drawn_machine(&m, &r, CORES, alike);
        trial_of(&t, &g, &m);
        all_plans(&t, 0, 0);
        assert_int_equal(searched(&found, &p, &g, &m, 0, &e), OK);
        assert_true(found.proved);
        assert_true(found.plan.makespan == t.best);
        assert_true(found.bound == t.best);
        assert_true(map_lower_bound(&p) <= t.best * (1 + 1e-12));
        plan_is_possible(&found, &t);
        release(&found, &p, &g, &m);
    }
}

/* Two blocks together, two apart, in some rounds the same: then there is no mapping. */
static void demands(void **state)
{
    (void)state;
    struct random r = random_start(20);
    size_t refused = 0;
    for (size_t round = 0; round < 400; round++) {
        struct map_graph g;
        struct map_machine m;
        struct map_problem p;
        struct map_result found;
        struct trial t;
        struct map_rules rules = {0};
        struct error e = {0};
        size_t n = 3 + random_below(&r, 4);
        drawn_graph(&g, &r, n, CORES, 20 + random_below(&r, 60), round % 2);
        drawn_machine(&m, &r, CORES, round % 2);
        trial_of(&t, &g, &m);
        t.together[0] = random_below(&r, n - 1);
        t.together[1] = n - 1;
        t.apart[0] = random_below(&r, n - 1);
        t.apart[1] = t.apart[0] + 1;
        struct map_group group = {0};
        vec_push(&group.blocks, t.together[0]);
        vec_push(&group.blocks, t.together[1]);
        vec_push(&rules.together, group);
        vec_push(&rules.apart, (struct map_pair){t.apart[0], t.apart[1]});
        all_plans(&t, 0, 0);
        enum status s = searched(&found, &p, &g, &m, &rules, &e);
        refused += s != OK;
        assert_int_equal(s, isinf(t.best) ? ERR_INPUT : OK);
        if (!s) {
            assert_true(found.proved && found.plan.makespan == t.best);
            plan_is_possible(&found, &t);
            assert_true(found.plan.core[t.together[0]] == found.plan.core[t.together[1]]);
            assert_true(found.plan.core[t.apart[0]] != found.plan.core[t.apart[1]]);
        }
        error_release(&e);
        map_rules_release(&rules);
        release(&found, &p, &g, &m);
    }
    assert_in_range(refused, 1, 200);
}

/* A core that is left free, and a block that must be on one core: no plan that has them otherwise is tried. */
static void cores_and_blocks_are_pinned(void **state)
{
    (void)state;
    struct random r = random_start(23);
    for (size_t round = 0; round < 300; round++) {
        struct map_graph g;
        struct map_machine m;
        struct map_problem p;
        struct map_result found;
        struct trial t;
        struct map_rules rules = {0};
        struct error e = {0};
        drawn_graph(&g, &r, 2 + random_below(&r, 5), CORES, 20 + random_below(&r, 60), round % 2);
        drawn_machine(&m, &r, CORES, round % 2);
        trial_of(&t, &g, &m);
        size_t none = random_below(&r, CORES), one = (none + 1 + random_below(&r, CORES - 1)) % CORES;
        size_t block = random_below(&r, t.n);
        vec_push(&rules.free, none);
        vec_push(&rules.on, (struct map_pin){block, one});
        for (size_t b = 0; b < t.n; b++)
            t.time[b][none] = INFINITY;
        for (size_t c = 0; c < CORES; c++)
            t.time[block][c] = c == one ? t.time[block][c] : INFINITY;
        all_plans(&t, 0, 0);
        assert_int_equal(searched(&found, &p, &g, &m, &rules, &e), OK);
        assert_true(found.proved && found.plan.makespan == t.best);
        assert_int_equal(found.plan.core[block], one);
        for (size_t b = 0; b < t.n; b++)
            assert_int_not_equal(found.plan.core[b], none);
        plan_is_possible(&found, &t);
        map_rules_release(&rules);
        release(&found, &p, &g, &m);
    }
}

/* No plan is better than the bound, none worse than one core or than the list scheduler. */
static void large_graphs(void **state)
{
    (void)state;
    struct random r = random_start(21);
    for (size_t round = 0; round < 8; round++) {
        struct map_graph g;
        struct map_machine m;
        struct map_problem p;
        struct map_result found;
        struct map_plan heft;
        struct error e = {0};
        size_t n_cores = 2 + random_below(&r, 6);
        drawn_graph(&g, &r, 41 + random_below(&r, 100), n_cores, 1 + random_below(&r, 8), round % 2);
        drawn_machine(&m, &r, n_cores, round % 2);
        assert_int_equal(searched(&found, &p, &g, &m, 0, &e), OK);
        map_plan_init(&heft, &p);
        assert_true(map_heft(&heft, &p));
        assert_true(found.plan.makespan >= found.bound);
        assert_true(found.plan.makespan <= heft.makespan);
        for (size_t c = 0; c < n_cores; c++) {
            double alone = 0;
            for (size_t b = 0; b < p.n; b++)
                alone += p.free_time[b * n_cores + c];
            assert_true(found.plan.makespan <= alone);
        }
        assert_true(found.plan.makespan == map_plan_run(&found.plan, &p, INFINITY));
        map_plan_release(&heft);
        release(&found, &p, &g, &m);
    }
}

/* Topcuoglu's own example: 10 tasks on 3 processors, HEFT's schedule takes 80. */
static void heft_paper(void **state)
{
    (void)state;
    static const double time[10][3] = {{14, 16, 9}, {13, 19, 18}, {11, 13, 19}, {13, 8, 17},  {12, 13, 10},
                                       {13, 16, 9}, {7, 15, 11},  {5, 11, 14},  {18, 12, 20}, {21, 7, 16}};
    static const struct {
        size_t from, to;
        double cost;
    } edges[] = {{0, 1, 18}, {0, 2, 12}, {0, 3, 9},  {0, 4, 11}, {0, 5, 14}, {1, 7, 19}, {1, 8, 16}, {2, 6, 23},
                 {3, 7, 27}, {3, 8, 23}, {4, 8, 13}, {5, 7, 15}, {6, 9, 17}, {7, 9, 11}, {8, 9, 13}};
    struct random r = random_start(1);
    struct map_graph g;
    struct map_machine m;
    struct map_problem p;
    struct map_result found;
    struct error e = {0};
    struct map_plan heft;
    drawn_graph(&g, &r, 10, 3, 0, false);
    drawn_machine(&m, &r, 3, true);
    for (size_t b = 0; b < 10; b++)
        for (size_t c = 0; c < 3; c++)
            g.blocks.at[b].cycles.at[c].cycles = time[b][c];
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        vec_push(&g.edges, (struct map_edge){.from = edges[i].from, .to = edges[i].to, .bytes = edges[i].cost});
    for (size_t i = 0; i < 9; i++)
        if (m.ways[i].links.n)
            m.ways[i].links.at[0] = (struct map_link){0, 1, 1, 1};
    assert_int_equal(searched(&found, &p, &g, &m, 0, &e), OK);
    map_plan_init(&heft, &p);
    assert_true(map_heft(&heft, &p));
    assert_true(heft.makespan == 80);
    /* By hand: a mean over all pairs of cores, also a core and itself, is 2/3 of the article's cost of an edge. Ranks in this
     * order: 92.3, 68, 67.3, 66.7, 60.3, 54.7, 40, 37, 32, 14.7. */
    static const size_t order[10] = {0, 3, 1, 2, 4, 5, 8, 6, 7, 9};
    map_heft_sequence(&heft, &p);
    assert_memory_equal(heft.sequence, order, sizeof order);
    assert_true(found.proved && found.plan.makespan <= 80);
    map_plan_release(&heft);
    release(&found, &p, &g, &m);
}

/* Without any time for changes: b0 and b1, 10 cycles each, before b2 with 1, 100 cycles to another core. The list scheduler
 * has b0 and b1 side by side, so 111; all on one core are 21. With b3, which waits for nobody, one core takes 31, and a
 * plan that is given 21. */
static void best_of_the_first_plans(void **state)
{
    (void)state;
    static const double cycles[] = {10, 10, 1, 10};
    const struct map_demands free_of_any = {0};
    const struct map_effort none = {.seconds = -1, .quick = true};
    for (size_t n = 3; n <= 4; n++) {
        struct random r = random_start(1);
        struct map_graph g;
        struct map_machine m;
        struct map_problem p;
        struct map_result found;
        struct map_plan start;
        struct error e = {0};
        drawn_graph(&g, &r, n, 2, 0, true);
        drawn_machine(&m, &r, 2, true);
        for (size_t i = 0; i < 2 * n; i++)
            g.blocks.at[i / 2].cycles.at[i % 2].cycles = cycles[i / 2];
        for (size_t i = 0; i < 4; i++)
            if (m.ways[i].links.n)
                m.ways[i].links.at[0] = (struct map_link){100, 0, 0, 1};
        for (size_t from = 0; from < 2; from++)
            vec_push(&g.edges, (struct map_edge){.from = from, .to = 2, .bytes = 1});
        assert_int_equal(map_problem_make(&p, &g, &m, all_cores, 2, &free_of_any, &e), OK);
        map_plan_init(&start, &p);
        assert_true(map_heft(&start, &p) && start.makespan >= 111);
        assert_int_equal(map_search(&found, &p, &none, &start, &e), OK);
        assert_true(found.plan.makespan == 10 * (double)(n - 1) + 1 && found.bound <= 21);
        map_result_release(&found);
        for (size_t b = 0; b < n; b++)
            start.core[b] = b == 3;
        assert_int_equal(map_search(&found, &p, &none, &start, &e), OK);
        assert_true(found.plan.makespan == 21);
        map_plan_release(&start);
        release(&found, &p, &g, &m);
    }
}

/* What the last block waited for, link by link: without a gap, from 0 to the end. */
static void chains(void **state)
{
    (void)state;
    struct random r = random_start(22);
    for (size_t round = 0; round < 200; round++) {
        struct map_graph g;
        struct map_machine m;
        struct map_problem p;
        struct map_result found;
        struct map_chain chain;
        struct error e = {0};
        drawn_graph(&g, &r, 2 + random_below(&r, 6), CORES, 50, round % 2);
        drawn_machine(&m, &r, CORES, round % 2);
        assert_int_equal(searched(&found, &p, &g, &m, 0, &e), OK);
        map_plan_chain(&chain, &found.plan, &p);
        assert_true(fabs(chain.work + chain.transfers - found.plan.makespan) < 1e-9);
        map_chain_release(&chain);
        release(&found, &p, &g, &m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs), cmocka_unit_test(demands),    cmocka_unit_test(cores_and_blocks_are_pinned),
        cmocka_unit_test(large_graphs), cmocka_unit_test(heft_paper), cmocka_unit_test(best_of_the_first_plans),
        cmocka_unit_test(chains)};
    return cmocka_run_group_tests(tests, 0, 0);
}
