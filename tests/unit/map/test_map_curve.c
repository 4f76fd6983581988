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

/* Blocks of these cycles on every core, without edges. */
static void blocks_of(struct map_graph *g, const double *cycles, size_t n)
{
    *g = (struct map_graph){.name = xstrdup("made"), .path = xstrdup("made.json")};
    for (size_t b = 0; b < n; b++) {
        char *name = xasprintf("b%zu", b);
        map_block_costs(map_graph_add(g, name), "*", cycles[b]);
        free(name);
    }
}

static void edge(struct map_graph *g, size_t from, size_t to, double bytes)
{
    vec_push(&g->edges, (struct map_edge){.from = from, .to = to, .bytes = bytes});
}

/* Cores c0 ... between which `latency` and one cycle a byte go by. */
static void machine_of(struct map_machine *m, size_t n_cores, double latency)
{
    struct random r = random_start(1);
    drawn_machine(m, &r, n_cores, true);
    for (size_t i = 0; i < n_cores * n_cores; i++)
        if (m->ways[i].links.n)
            m->ways[i].links.at[0] = (struct map_link){latency, 1, 1, 1};
}

/* Of 50, 100 and 100 on one of three cores: the step is 250. Without b1 or b2 it is 150, without b0 200. Equal gains in
 * the order of blocks, then of cores. */
static void moves_in_order(void **state)
{
    (void)state;
    static const double cycles[] = {50, 100, 100};
    static const struct map_move wanted[] = {{1, 1, 150}, {1, 2, 150}, {2, 1, 150},
                                             {2, 2, 150}, {0, 1, 200}, {0, 2, 200}};
    struct map_graph g;
    struct map_machine m;
    struct map_problem p;
    struct map_plan plan;
    struct map_moves moves;
    struct error e = {0};
    size_t cores[] = {0, 1, 2};
    const struct map_demands free_of_any = {0};
    blocks_of(&g, cycles, 3);
    machine_of(&m, 3, 0);
    assert_int_equal(map_problem_make(&p, &g, &m, cores, 3, &free_of_any, &e), OK);
    map_plan_init(&plan, &p);
    assert_true(map_plan_run(&plan, &p, INFINITY) == 250);
    for (size_t most = 5; most < 8; most++) {
        map_moves_find(&moves, &plan, &p, most);
        assert_int_equal(moves.at.n, most < 6 ? most : 6);
        for (size_t i = 0; i < moves.at.n; i++)
            assert_true(moves.at.at[i].group == wanted[i].group && moves.at.at[i].core == wanted[i].core &&
                        moves.at.at[i].makespan == wanted[i].makespan);
        map_moves_release(&moves);
    }
    map_plan_release(&plan);
    map_problem_release(&p);
    map_graph_release(&g);
    map_machine_release(&m);
}

/* The last point of a curve on this graph and machine, which are released with the curve. */
static const struct map_point *last_point(struct map_curve *c, const struct map_graph *g, const struct map_machine *m)
{
    struct error e = {0};
    const struct map_curve_wish wish = {.effort = effort};
    assert_int_equal(map_curve_make(c, g, m, &wish, &e), OK);
    assert_int_equal(c->points.at[0].limit, MAP_LIMIT_WORK); /* on one core it is always that */
    return &c->points.at[c->points.n - 1];
}

static void release(struct map_curve *c, struct map_graph *g, struct map_machine *m)
{
    map_curve_release(c);
    map_graph_release(g);
    map_machine_release(m);
}

/* What limits a step on two cores. */
static void limits(void **state)
{
    (void)state;
    static const double one[] = {60, 100}, half[] = {50, 30, 50}, path[] = {30, 30, 40, 30},
                        work[] = {30, 30, 30, 30, 30, 30};
    struct map_graph g;
    struct map_machine m;
    struct map_curve c;
    blocks_of(&g, one, 2); /* 100, of which b1 takes all */
    machine_of(&m, 2, 0);
    const struct map_point *at = last_point(&c, &g, &m);
    assert_true(at->limit == MAP_LIMIT_BLOCK && at->block == 1 && at->result.plan.makespan == 100);
    assert_true(at->arc == MAP_NONE && at->transfers == 0 && at->path_bound == 100);
    release(&c, &g, &m);
    blocks_of(&g, half, 3); /* b0 before b2: 100, half of it a block, the first of the two */
    edge(&g, 0, 2, 0);
    machine_of(&m, 2, 0);
    at = last_point(&c, &g, &m);
    assert_true(at->limit == MAP_LIMIT_BLOCK && at->block == 0 && at->result.plan.makespan == 100);
    release(&c, &g, &m);
    blocks_of(&g, path, 4); /* one after the other: 130, the longest takes 40 */
    for (size_t b = 1; b < 4; b++)
        edge(&g, b - 1, b, (double)b);
    machine_of(&m, 2, 9);
    at = last_point(&c, &g, &m);
    assert_true(at->limit == MAP_LIMIT_PATH && at->block == 2 && at->path_bound == 130);
    assert_true(at->transfers == 0 && at->without == 130);
    assert_int_equal(at->arc, 2); /* nobody waits: what would cost most, 3 bytes */
    release(&c, &g, &m);
    blocks_of(&g, work, 6); /* 180 shared by two */
    machine_of(&m, 2, 0);
    at = last_point(&c, &g, &m);
    assert_true(at->limit == MAP_LIMIT_WORK && at->result.plan.makespan == 90 && at->path_bound == 30);
    release(&c, &g, &m);
}

/* b0 before b1 and b2, both before b3; 10 cycles and 6 bytes to the other core and back. */
static void limited_by_transfers(void **state)
{
    (void)state;
    static const double cycles[] = {10, 100, 80, 10};
    struct map_graph g;
    struct map_machine m;
    struct map_curve c;
    blocks_of(&g, cycles, 4);
    edge(&g, 0, 1, 6);
    edge(&g, 0, 2, 6);
    edge(&g, 1, 3, 6);
    edge(&g, 2, 3, 7);
    machine_of(&m, 2, 10);
    const struct map_point *at = last_point(&c, &g, &m); /* 10, 16 there, 80, 17 back, 10: 133; 120 if they took none */
    assert_true(at->result.plan.makespan == 133 && at->without == 120 && at->limit == MAP_LIMIT_TRANSFERS);
    assert_true(at->transfers == 33 && at->block == 2);
    assert_true(at->problem.arcs[at->arc].from == 2 && at->problem.arcs[at->arc].to == 3);
    release(&c, &g, &m);
}

static void cores_are(const struct map_graph *g, const struct map_machine *m, const struct map_curve_wish *wish,
                      const size_t *cores, size_t n_cores, size_t n_points)
{
    struct error e = {0};
    struct map_curve c;
    assert_int_equal(map_curve_make(&c, g, m, wish, &e), OK);
    assert_true(c.single == 10 && c.single_core == 1);
    assert_int_equal(c.n_cores, n_cores);
    assert_memory_equal(c.cores, cores, n_cores * sizeof *cores);
    assert_int_equal(c.points.n, n_points);
    map_curve_release(&c);
}

/* One block that takes 30, 10, 20 and 20 cycles: the fastest core first, equal ones by number, those that are demanded
 * before all. */
static void order_of_cores(void **state)
{
    (void)state;
    static const double cycles[] = {30, 10, 20, 20};
    static const size_t fastest[] = {1, 2, 3, 0}, pinned[] = {3, 1, 2, 0}, without[] = {2, 3, 0}, on[] = {3};
    struct map_graph g = {.name = xstrdup("made"), .path = xstrdup("made.json")};
    struct map_machine m;
    struct error e = {0};
    struct map_block *b = map_graph_add(&g, "b");
    for (size_t c = 0; c < 4; c++) {
        char *core = xasprintf("c%zu", c);
        map_block_costs(b, core, cycles[c]);
        free(core);
    }
    machine_of(&m, 4, 0);
    struct map_curve_wish wish = {.effort = effort};
    cores_are(&g, &m, &wish, fastest, 4, 4);
    wish.most_cores = 2;
    cores_are(&g, &m, &wish, fastest, 4, 2);
    wish.most_cores = 9;
    wish.stop_at = 10; /* one is enough */
    cores_are(&g, &m, &wish, fastest, 4, 1);
    wish.stop_at = 9.9;
    cores_are(&g, &m, &wish, fastest, 4, 4);
    wish.stop_at = 0;
    wish.demands.fixed = on;
    cores_are(&g, &m, &wish, pinned, 4, 4);
    wish.demands.fixed = 0;
    struct map_rules rules = {0};
    wish.demands.rules = &rules;
    vec_push(&rules.on, (struct map_pin){0, 3});
    cores_are(&g, &m, &wish, pinned, 4, 4);
    rules.on.n = 0;
    vec_push(&rules.free, 1);
    cores_are(&g, &m, &wish, without, 3, 3);
    for (size_t c = 0; c < 4; c++)
        vec_push(&rules.free, c);
    struct map_curve c;
    assert_int_equal(map_curve_make(&c, &g, &m, &wish, &e), ERR_INPUT);
    error_release(&e);
    map_curve_release(&c);
    map_rules_release(&rules);
    map_graph_release(&g);
    map_machine_release(&m);
}

/* More blocks than all mappings are tried of: the largest first does not find the even one, changes do. */
static void many_units(void **state)
{
    (void)state;
    static const double cycles[] = {17, 15, 13, 11, 9, 8, 7, 7, 6, 5, 5, 4, 3, 3, 3, 2, 1, 1}; /* 120 */
    size_t cores[] = {0, 1, 2};
    const struct map_demands free_of_any = {0};
    struct map_graph g;
    struct map_machine m;
    struct map_problem p;
    struct map_pipeline l;
    struct error e = {0};
    blocks_of(&g, cycles, 18);
    machine_of(&m, 3, 0);
    assert_int_equal(map_problem_make(&p, &g, &m, cores, 3, &free_of_any, &e), OK);
    assert_int_equal(map_pipeline_make(&l, &p, &effort, &e), OK);
    assert_true(l.bound == 40 && l.period == 40 && l.stages == 1 && l.latency == 40 && l.loops == 0);
    map_pipeline_release(&l);
    map_problem_release(&p);
    map_graph_release(&g);
    map_machine_release(&m);
}

/* A chain over two cores, 50 cycles each, with 120 cycles from one to the other: used 1 + ceil(120 / 50) periods later.
 * A state's block and what is in a circle with it stay together. */
static void stages_and_loops(void **state)
{
    (void)state;
    static const double cycles[] = {50, 50, 20, 30};
    size_t cores[] = {0, 1};
    const struct map_demands free_of_any = {0};
    struct map_graph g;
    struct map_machine m;
    struct map_problem p;
    struct map_pipeline l;
    struct error e = {0};
    blocks_of(&g, cycles, 2);
    edge(&g, 0, 1, 20);
    machine_of(&m, 2, 100);
    assert_int_equal(map_problem_make(&p, &g, &m, cores, 2, &free_of_any, &e), OK);
    assert_int_equal(map_pipeline_make(&l, &p, &effort, &e), OK);
    assert_true(l.period == 50 && l.stage[0] == 0 && l.stage[1] == 4 && l.stages == 5 && l.latency == 250);
    map_pipeline_release(&l);
    map_problem_release(&p);
    map_graph_release(&g);
    blocks_of(&g, cycles, 4);
    edge(&g, 2, 3, 1);
    vec_push(&g.edges, (struct map_edge){.from = 3, .to = 2, .bytes = 1, .delay = 1});
    vec_push(&g.edges, (struct map_edge){.from = 0, .to = 0, .bytes = 1, .delay = 1}); /* a loop of its own */
    vec_push(&g.edges, (struct map_edge){.from = 1, .to = 0, .bytes = 1, .delay = 9}); /* far enough off */
    assert_int_equal(map_problem_make(&p, &g, &m, cores, 2, &free_of_any, &e), OK);
    assert_int_equal(map_pipeline_make(&l, &p, &effort, &e), OK);
    assert_true(l.period == 100 && l.bound == 75); /* 50 + 50 and 50 on the other core: no better than 100 */
    assert_int_equal(l.loops, 2);
    assert_int_equal(l.core[2], l.core[3]);
    map_pipeline_release(&l);
    map_problem_release(&p);
    map_graph_release(&g);
    map_machine_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(more_cores),           cmocka_unit_test(several_steps),
                                       cmocka_unit_test(drawn_cycles),         cmocka_unit_test(first_moves),
                                       cmocka_unit_test(moves_in_order),       cmocka_unit_test(limits),
                                       cmocka_unit_test(limited_by_transfers), cmocka_unit_test(order_of_cores),
                                       cmocka_unit_test(many_units),           cmocka_unit_test(stages_and_loops)};
    return cmocka_run_group_tests(tests, 0, 0);
}
