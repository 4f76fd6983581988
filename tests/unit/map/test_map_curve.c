/* Number of cores, several steps at once, drawn cycles: against all assignments, and what must hold in any case. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "shimgen/map/search/curve.h"
#include "shimgen/map/search/draws.h"
#include "shimgen/map/search/first_moves.h"
#include "shimgen/map/search/steps_pipeline.h"
#include "tests/unit/map/drawn.h"

enum { CORES = 3 };
static const struct map_effort effort = {.seconds = 60};

/* A further core makes no step longer; bounds hold; one core is the sum. */
static void more_cores(void **state)
{
    (void)state;
    struct random r = random_start(31);
    for (size_t round = 0; round < 60; round++) {
        struct map_graph g;
        struct map_machine m;
        struct map_curve c;
        struct error e = {0};
        const struct map_curve_wish wish = {.effort = effort};
        drawn_graph(&g, &r, 2 + random_below(&r, 7), CORES, 40, round % 2);
        drawn_machine(&m, &r, CORES, round % 2);
        assert_int_equal(map_curve_make(&c, &g, &m, &wish, &e), OK);
        assert_int_equal(c.points.n, CORES);
        assert_true(c.points.at[0].result.plan.makespan == c.single);
        for (size_t i = 0; i < CORES; i++) {
            const struct map_point *p = &c.points.at[i];
            assert_true(i == 0 || p->result.plan.makespan <= p[-1].result.plan.makespan);
            assert_true(p->path_bound <= p->result.plan.makespan * (1 + 1e-12));
            assert_true(p->without <= p->result.plan.makespan);
        }
        map_curve_release(&c);
        map_graph_release(&g);
        map_machine_release(&m);
    }
}

/* The least greatest load over all assignments that keep `loop` (two blocks; the same: none) on one core. */
static double least_period(const struct map_problem *p, size_t *core, size_t b, const size_t loop[2])
{
    double load[CORES] = {0}, most = 0, best = INFINITY;
    if (b < p->n) {
        for (core[b] = 0; core[b] < CORES; core[b]++)
            best = fmin(best, least_period(p, core, b + 1, loop));
        return best;
    }
    for (size_t i = 0; i < p->n; i++)
        load[core[i]] += p->time[i * CORES + core[i]];
    for (size_t c = 0; c < CORES; c++)
        most = fmax(most, load[c]);
    return core[loop[0]] == core[loop[1]] ? most : INFINITY;
}

/* What is used later is there: in the stages that lie between. */
static void stages_are_right(const struct map_pipeline *l, const struct map_problem *p)
{
    for (size_t i = 0; i < p->n_arcs; i++) {
        const struct map_arc *a = &p->arcs[i];
        size_t from = l->core[a->from], to = l->core[a->to];
        double cost = map_arc_cost(p, i, from, to);
        double later = ((double)l->stage[a->to] - (double)l->stage[a->from] + (double)a->delay) * l->period;
        if (from != to)
            assert_true(later >= l->period + cost - 1e-9);
        else if (!a->delay)
            assert_true(l->stage[a->to] >= l->stage[a->from]);
    }
}

static void several_steps(void **state)
{
    (void)state;
    struct random r = random_start(32);
    for (size_t round = 0; round < 200; round++) {
        struct map_graph g;
        struct map_machine m;
        struct map_problem p;
        struct map_pipeline l;
        struct error e = {0};
        size_t cores[] = {0, 1, 2}, core[8], loop[] = {0, 0}, n = 2 + random_below(&r, 5);
        const struct map_demands none = {0};
        drawn_graph(&g, &r, n, CORES, 40, round % 2);
        drawn_machine(&m, &r, CORES, round % 2);
        for (size_t b = 0; b < n; b++)
            for (size_t c = 0; c < CORES; c++)
                g.blocks.at[b].cycles.at[c].cycles++; /* a period of 0 would need no core */
        if (round % 3 == 0) {
            loop[1] = n - 1;
            vec_push(&g.edges, (struct map_edge){.from = 0, .to = n - 1, .bytes = 1});
            vec_push(&g.edges, (struct map_edge){.from = n - 1, .to = 0, .bytes = 1, .delay = 1});
        }
        assert_int_equal(map_problem_make(&p, &g, &m, cores, CORES, &none, &e), OK);
        assert_int_equal(map_pipeline_make(&l, &p, &effort, &e), OK);
        double least = INFINITY;
        least = least_period(&p, core, 0, loop);
        /* more blocks than the two may be in the loop */
        assert_true(round % 3 == 0 ? l.period >= least - 1e-9 : fabs(l.period - least) < 1e-9);
        assert_true(l.bound <= l.period + 1e-9);
        assert_true(l.core[loop[0]] == l.core[loop[1]]);
        assert_true(l.latency == (double)l.stages * l.period);
        stages_are_right(&l, &p);
        map_pipeline_release(&l);
        map_problem_release(&p);
        map_graph_release(&g);
        map_machine_release(&m);
    }
}

static void make_two(struct map_graph *g, struct map_machine *m, struct map_problem *p, struct map_result *found)
{
    struct random r = random_start(33);
    struct error e = {0};
    size_t cores[] = {0, 1};
    const struct map_demands none = {0};
    drawn_graph(g, &r, 2, 2, 0, true);
    drawn_machine(m, &r, 2, true);
    for (size_t b = 0; b < 2; b++)
        for (size_t c = 0; c < 2; c++)
            g->blocks.at[b].cycles.at[c].cycles = 100;
    g->level = 0.9;
    assert_int_equal(map_problem_make(p, g, m, cores, 2, &none, &e), OK);
    assert_int_equal(map_search(found, p, &effort, 0, &e), OK);
    assert_true(found->plan.makespan == 100);
}

/* Two equal blocks on two cores: the step is the longer one. The middle of nine tenths of 0.5 to 2 is drawn. */
static void drawn_cycles(void **state)
{
    (void)state;
    struct map_graph g;
    struct map_machine m;
    struct map_problem p;
    struct map_result found;
    struct map_draws d;
    make_two(&g, &m, &p, &found);
    map_draw(&d, &found.plan, &p, 50, 60);
    assert_int_equal(d.n, 0);
    g.blocks.at[0].low = g.blocks.at[0].high = 1;
    map_draw(&d, &found.plan, &p, 50, 60);
    assert_int_equal(d.n, 50);
    assert_int_equal(d.near, 50);
    assert_true(fabs(d.low - 100) < 1e-9 && fabs(d.high - 100) < 1e-9);
    for (size_t b = 0; b < 2; b++) {
        g.blocks.at[b].low = 0.5;
        g.blocks.at[b].high = 2;
    }
    map_draw(&d, &found.plan, &p, 2000, 60);
    assert_int_equal(d.blocks, 2);
    assert_int_equal(d.near, d.n); /* together they only take longer */
    /* The greater of two is above x with 1 - F(x)^2: at a twentieth F is 0.2236, at the other end 0.9747. With the
     * normal quantiles -0.760 and 1.955, a deviation of ln 2 / 1.645: */
    assert_true(fabs(d.low / 100 - exp(-0.760 * log(2) / 1.645)) < 0.06);
    assert_true(fabs(d.high / 100 - exp(1.955 * log(2) / 1.645)) < 0.2);
    map_result_release(&found);
    map_problem_release(&p);
    map_graph_release(&g);
    map_machine_release(&m);
}

/* Both on one core: each of the two gains by leaving. */
static void first_moves(void **state)
{
    (void)state;
    struct map_graph g;
    struct map_machine m;
    struct map_problem p;
    struct map_result found;
    struct map_moves moves;
    make_two(&g, &m, &p, &found);
    found.plan.core[0] = found.plan.core[1] = 0;
    assert_true(map_plan_run(&found.plan, &p, INFINITY) == 200);
    map_moves_find(&moves, &found.plan, &p, 5);
    assert_int_equal(moves.at.n, 2);
    assert_true(moves.at.at[0].makespan == 100 && moves.at.at[0].core == 1);
    map_moves_release(&moves);
    map_result_release(&found);
    map_problem_release(&p);
    map_graph_release(&g);
    map_machine_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(more_cores), cmocka_unit_test(several_steps),
                                       cmocka_unit_test(drawn_cycles), cmocka_unit_test(first_moves)};
    return cmocka_run_group_tests(tests, 0, 0);
}
