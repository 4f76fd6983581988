/* generate_program.c - draws a random program of a given length and interprets it for its checksum. */
#include "samples/generate/generate_program.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/random.h"
#include "base/str.h"
#include "samples/generate/program.h"

enum {
    FEWEST_STEPS = 4000, /* statements in the region: 10,000 to 600,000 instructions */
    MOST_STEPS = 128000,
    TRIAL_ITERATIONS = 8,
    FEWEST_ITERATIONS = 16,
    MOST_ITERATIONS = 60000,
    LARGEST_TRIAL = 400000,
    ATTEMPTS = 1000
};

/* Draws a number of steps. Powers of two are about equally likely, so short programs are as frequent as long ones. */
static uint64_t draw_steps(struct random *r)
{
    uint64_t steps = FEWEST_STEPS;
    while (steps < MOST_STEPS / 2 && random_below(r, 6) != 0)
        steps *= 2;
    return steps + random_below(r, steps);
}

/* Sets the number of iterations so that the program comes near `steps`. Returns whether it is fit for use. */
static bool set_iterations(struct program *p, uint64_t steps, struct generated *g)
{
    int64_t *iterations = &p->body.list.at[0].count;
    uint64_t trial;
    *iterations = TRIAL_ITERATIONS;
    if (!program_interpret(p, LARGEST_TRIAL, &trial, &g->checksum))
        return false;
    uint64_t n = steps * TRIAL_ITERATIONS / trial;
    *iterations = (int64_t)(n < FEWEST_ITERATIONS ? FEWEST_ITERATIONS : n > MOST_ITERATIONS ? MOST_ITERATIONS : n);
    return program_interpret(p, 4 * MOST_STEPS, &g->steps, &g->checksum);
}

/* Every iteration stores one element; the compiler may store 64 bytes at a time. */
static uint64_t least_work(const struct program *p)
{
    uint64_t bytes = (uint64_t)p->body.list.at[0].count * (gen_bits(p->arrays.at[p->trail].type) / 8);
    return bytes < 64 ? 1 : bytes / 64;
}

static bool attempt(struct generated *g, uint64_t seed, uint64_t number, struct random *r)
{
    struct program p = {0};
    struct str stresses = STR_INIT, text = STR_INIT;
    uint64_t steps = draw_steps(r);
    program_draw(&p, &stresses, r);
    bool fit = set_iterations(&p, steps, g);
    if (fit) {
        g->work = least_work(&p);
        p.name = xstrdup(g->name);
        p.drawn = xasprintf(
            " * Seed %" PRIu64 ", number %" PRIu64 ". %s.\n *\n"
            " * The truth is a second way to the checksum: the program's tree, interpreted as it was drawn.\n"
            " * Work: %" PRId64 " rounds store an element of %u bytes each, 64 bytes at a time or fewer.\n",
            seed, number, str_text(&stresses), p.body.list.at[0].count, gen_bits(p.arrays.at[p.trail].type) / 8);
        program_print(&text, &p, g->checksum);
        g->source = str_detach(&text);
        g->stresses = str_detach(&stresses);
    }
    str_release(&stresses);
    str_release(&text);
    program_release(&p);
    return fit;
}

void generate_program(struct generated *out, uint64_t seed, uint64_t number)
{
    struct random seeds = random_start(seed);
    struct random r = random_start(random_next(&seeds) ^ number * UINT64_C(0xda942042e4dd58b5));
    *out = (struct generated){.name = xasprintf("g%" PRIu64 "_%04" PRIu64, seed, number)};
    for (int i = 0; i < ATTEMPTS; i++)
        if (attempt(out, seed, number, &r))
            return;
    BUG("%d draws in a row were not fit", ATTEMPTS);
}

void generated_release(struct generated *g)
{
    free(g->name);
    free(g->source);
    free(g->stresses);
    *g = (struct generated){0};
}
