/* draw_program.c - draws a program's properties from the ranges that docs/method/generate.md states. */
#include "samples/generate/draw_program.h"

#include <stdio.h>
#include <string.h>

#define NOTHING ((size_t)-1)

static const char *const move_names[MOVES] = {
    "add",
    "multiply",
    "divide",
    "logic",
    "shift",
    "select",
    "convert",
    "fadd",
    "fmultiply",
    "fmuladd",
    "fdivide",
    "fselect",
    "fconvert",
    "load",
    "fload",
    "store",
    "fstore",
    "pointer chase",
    "block copy",
    "direct call",
    "indirect call",
    "recursion",
    "if",
    "switch",
    "data-dependent loop",
    "inner loop",
};

size_t draw_below(struct drawing *d, size_t n)
{
    return random_below(d->r, n);
}

bool draw_chance(struct drawing *d, unsigned percent)
{
    return draw_below(d, 100) < percent;
}

size_t draw_local(struct drawing *d, char kind, enum gen_type type)
{
    struct program *p = d->p;
    if (p->n_locals == GEN_MOST_LOCALS)
        BUG("more than %d locals", GEN_MOST_LOCALS);
    struct local *l = &p->locals[p->n_locals];
    *l = (struct local){.type = type, .array = NOTHING};
    if (gen_is_real(type))
        l->initial.f = 1;
    else
        l->initial.i = (int64_t)p->n_locals + 1;
    snprintf(l->name, sizeof l->name, "%c%zu", kind, p->n_locals);
    return p->n_locals++;
}

static struct group draw_group(struct drawing *d, char kind, enum gen_type type, size_t n)
{
    struct group g = {.type = type, .first = d->p->n_locals, .n = n};
    for (size_t i = 0; i < n; i++)
        draw_local(d, kind, type);
    return g;
}

static size_t add_array(struct drawing *d, const char *name, struct array a)
{
    snprintf(a.name, sizeof a.name, "%s", name);
    vec_push(&d->p->arrays, a);
    return d->p->arrays.n - 1;
}

/* log2 of the number of elements in an array of so many bytes; at least 2 elements. */
static unsigned log2_length(enum gen_type t, unsigned log2_bytes)
{
    unsigned log2_size = gen_bits(t) == 8 ? 0 : gen_bits(t) == 16 ? 1 : gen_bits(t) == 32 ? 2 : 3;
    return log2_bytes > log2_size ? log2_bytes - log2_size : 1;
}

/* Makes one to three kinds of statements most of a program, and a few others the rest. */
static void draw_mix(struct drawing *d, struct str *stresses)
{
    for (size_t m = 0; m < MOVES; m++)
        d->weight[m] = draw_chance(d, 6);
    for (size_t k = 1 + draw_below(d, 3); k > 0; k--) {
        size_t m = draw_below(d, MOVES);
        if (d->weight[m] < MAIN_WEIGHT)
            str_addf(stresses, "%s%s", stresses->len ? "; " : "", move_names[m]);
        d->weight[m] += MAIN_WEIGHT + (unsigned)draw_below(d, 12);
    }
    for (size_t m = 0; m < MOVES; m++)
        d->total += d->weight[m];
}

static bool draws(const struct drawing *d, enum move first, enum move last)
{
    bool any = false;
    for (size_t m = first; m <= last; m++)
        any |= d->weight[m] > 0;
    return any;
}

static bool has_reals(const struct drawing *d)
{
    return draws(d, MOVE_FADD, MOVE_FCONVERT) || d->weight[MOVE_FLOAD] || d->weight[MOVE_FSTORE];
}

static void draw_types(struct drawing *d, struct str *stresses)
{
    enum gen_type t = (enum gen_type)draw_below(d, GEN_FLOAT), other = (enum gen_type)draw_below(d, GEN_FLOAT);
    bool is_double = draw_chance(d, 50);
    static const uint64_t masks[] = {0xf, 0xff, 0xffff, 0xffffffff, UINT64_MAX};
    d->divisor_mask = masks[draw_below(d, 5)];
    d->integer = draw_group(d, 'a', t, 1 + draw_below(d, 6));
    str_addf(stresses, "; %s", gen_word(t));
    if (d->weight[MOVE_CONVERT]) {
        d->other = draw_group(d, 'b', other, 1 + draw_below(d, 2));
        str_addf(stresses, " %s", gen_word(other));
    }
    if (has_reals(d)) {
        d->real = draw_group(d, 'x', is_double ? GEN_DOUBLE : GEN_FLOAT, 1 + draw_below(d, 6));
        d->other_real = draw_group(d, 'y', is_double ? GEN_FLOAT : GEN_DOUBLE, 1);
        str_addf(stresses, " %s", gen_word(d->real.type));
    }
    d->distance = 1 + (unsigned)draw_below(d, 6);
    str_addf(stresses, "; distance %u", d->distance);
}

/* Draws the size of memory, and the order in which it is visited. */
static unsigned draw_memory(struct drawing *d, struct str *stresses)
{
    static const char *const levels[] = {"L1", "L2", "memory"};
    static const unsigned strides[] = {1, 1, 2, 4, 8, 16, 64};
    size_t level = draw_below(d, 10);
    level = level < 6 ? 0 : level < 9 ? 1 : 2;
    unsigned log2_bytes = level == 0   ? 10 + (unsigned)draw_below(d, 4)
                          : level == 1 ? 16 + (unsigned)draw_below(d, 3)
                                       : 22;
    d->access = (enum access)draw_below(d, 4);
    d->stride = strides[draw_below(d, 7)];
    if (!draws(d, MOVE_LOAD, MOVE_CHASE))
        return 10;
    str_addf(stresses, "; %s", levels[level]);
    if (d->access == ACCESS_STRIDE)
        str_addf(stresses, " stride %u", d->stride);
    else
        str_addf(stresses, " %s",
                 d->access == ACCESS_RANDOM   ? "random"
                 : d->access == ACCESS_GATHER ? "gather"
                                              : "by value");
    return log2_bytes;
}

static void draw_arrays(struct drawing *d, unsigned log2_bytes)
{
    enum gen_type t = d->integer.type, real = d->real.type;
    bool reals = d->real.n > 0;
    d->data = add_array(d, "data", (struct array){.type = t, .log2_length = log2_length(t, log2_bytes)});
    if (d->weight[MOVE_STORE])
        d->sink =
            add_array(d, "sink", (struct array){.type = t, .log2_length = log2_length(t, log2_bytes), .written = true});
    if (reals)
        d->real_data =
            add_array(d, "real_data", (struct array){.type = real, .log2_length = log2_length(real, log2_bytes)});
    if (d->weight[MOVE_FSTORE])
        d->real_sink =
            add_array(d, "real_sink",
                      (struct array){.type = real, .log2_length = log2_length(real, log2_bytes), .written = true});
    if (d->access == ACCESS_GATHER || draws(d, MOVE_INDIRECT, MOVE_DRAIN) || d->weight[MOVE_CALL])
        d->indices = add_array(d, "indices", (struct array){.type = GEN_U32, .log2_length = 10});
    d->hoisted_integer = draw_local(d, 'c', t);
    d->p->locals[d->hoisted_integer].array = d->data;
    if (reals) {
        d->hoisted_real = draw_local(d, 'd', real);
        d->p->locals[d->hoisted_real].array = d->real_data;
        d->p->locals[d->hoisted_real].from = 1;
    }
}

static void draw_branches(struct drawing *d, struct str *stresses)
{
    struct array ways = {.type = GEN_U8, .log2_length = 12};
    static const unsigned periods[] = {2, 2, 3, 4, 7, 16};
    switch (draw_below(d, 3)) {
    case 0:
        ways.content = HOLDS_ALWAYS;
        break;
    case 1:
        ways.content = HOLDS_PERIODIC;
        ways.parameter = periods[draw_below(d, 6)];
        break;
    default:
        ways.content = HOLDS_CHANCE;
        ways.parameter = 16 + (unsigned)draw_below(d, 225);
    }
    if (!d->weight[MOVE_IF])
        return;
    d->ways = add_array(d, "ways", ways);
    if (ways.content == HOLDS_ALWAYS)
        str_add(stresses, "; branches always taken");
    else if (ways.content == HOLDS_PERIODIC)
        str_addf(stresses, "; branches taken every %u", ways.parameter);
    else
        str_addf(stresses, "; branches taken with p %.2f", ways.parameter / 256.0);
}

static void draw_ring(struct drawing *d, unsigned log2_bytes)
{
    static const unsigned paddings[] = {0, 0, 16, 48};
    struct node_ring *ring = &d->p->ring;
    if (!d->weight[MOVE_CHASE])
        return;
    ring->type = d->integer.type;
    ring->padding = paddings[draw_below(d, 4)];
    unsigned size = ring->padding == 48 ? 6 : ring->padding == 16 ? 5 : 4;
    ring->log2_length = log2_bytes - size;
    /* full period: the increment is odd, the multiplier 1 modulo 4 (Hull, Dobell, SIAM Review 4, 1962) */
    ring->multiplier = 4 * (uint32_t)draw_below(d, 1u << 20) + 5;
    ring->increment = 2 * (uint32_t)draw_below(d, 1u << 20) + 1;
}

/* Draws a function x op k1 op y op k2 with two or three operations. */
static struct expr *draw_function(struct drawing *d)
{
    static const enum gen_op ops[] = {OP_ADD, OP_SUB, OP_XOR, OP_MUL, OP_OR, OP_AND};
    enum gen_type t = d->integer.type;
    struct expr *x = program_expr(d->p, EXPR_LOCAL, t), *y = program_expr(d->p, EXPR_LOCAL, t);
    y->number = 1;
    struct expr *e = draw_binary(d, ops[draw_below(d, 3)], t, x, y);
    for (size_t n = draw_below(d, 3); n > 0; n--) {
        enum gen_op op = ops[draw_below(d, 6)];
        e = draw_binary(d, op, t, e, draw_integer(d, t, 1 + (int64_t)draw_below(d, 100)));
    }
    return e;
}

static void draw_calls(struct drawing *d)
{
    struct program *p = d->p;
    for (int i = 0; d->weight[MOVE_INDIRECT] && i < GEN_TABLE; i++)
        vec_push(&p->functions, (struct function){draw_function(d), d->integer.type, false, false});
    d->direct = p->functions.n;
    for (int i = 0; d->weight[MOVE_CALL] && i < 2; i++)
        vec_push(&p->functions, (struct function){draw_function(d), d->integer.type, i == 1, false});
    if (!d->weight[MOVE_RECURSE])
        return;
    static const enum gen_op ops[] = {OP_ADD, OP_SUB, OP_XOR};
    enum gen_type t = d->integer.type;
    struct recursion f = {.type = t, .twice = draw_chance(d, 50)};
    f.op = ops[draw_below(d, 3)];
    f.step =
        draw_binary(d, OP_ADD, t, program_expr(p, EXPR_LOCAL, t), draw_integer(d, t, 1 + (int64_t)draw_below(d, 100)));
    d->recursion_depth = f.twice ? 2 + (unsigned)draw_below(d, 5) : 2 + (unsigned)draw_below(d, 20);
    vec_push(&p->recursions, f);
}

/* After each iteration one value goes to memory that is checked, so that no iteration can be left out. */
static void draw_trail(struct drawing *d, struct block *round)
{
    bool real = d->real.given > d->integer.given;
    const struct group *g = real ? &d->real : &d->integer;
    d->p->trail =
        add_array(d, "trail", (struct array){.type = g->type, .log2_length = GEN_TRAIL_LOG2, .written = true});
    vec_push(&round->list, (struct statement){.kind = DO_STORE,
                                              .target = d->p->trail,
                                              .index = draw_value(d, d->counters[0]),
                                              .value = draw_value(d, g->first + (g->given ? g->given - 1 : 0) % g->n)});
}

static void draw_end(struct drawing *d, const struct group *g, const char *name)
{
    if (!g->given)
        return;
    size_t end = add_array(d, name, (struct array){.type = g->type, .log2_length = 3, .written = true});
    for (size_t i = 0; i < g->n; i++)
        vec_push(&d->p->body.list, (struct statement){.kind = DO_STORE,
                                                      .target = end,
                                                      .index = draw_integer(d, GEN_U32, (int64_t)i),
                                                      .value = draw_value(d, g->first + i)});
}

static void draw_body(struct drawing *d)
{
    struct statement iterations = {.kind = DO_LOOP, .target = d->counters[0], .count = 1};
    iterations.body[0] = program_block(d->p);
    d->p->locals[d->counters[0]].declared = true;
    d->depth = 1;
    if (draw_chance(d, 50))
        draw_fresh(d, iterations.body[0]);
    draw_main_moves(d, iterations.body[0]);
    for (size_t n = draw_below(d, 17); n > 0; n--)
        draw_move(d, iterations.body[0]);
    draw_trail(d, iterations.body[0]);
    vec_push(&d->p->body.list, iterations);
    draw_end(d, &d->integer, "end_a");
    draw_end(d, &d->other, "end_b");
    draw_end(d, &d->real, "end_x");
    draw_end(d, &d->other_real, "end_y");
}

void program_draw(struct program *p, struct str *stresses, struct random *r)
{
    struct drawing d = {.p = p, .r = r};
    static const char *const counters[] = {"i", "j", "k", "m"};
    p->seed = (uint32_t)random_next(r);
    draw_mix(&d, stresses);
    draw_types(&d, stresses);
    unsigned log2_bytes = draw_memory(&d, stresses);
    draw_arrays(&d, log2_bytes);
    draw_branches(&d, stresses);
    draw_ring(&d, log2_bytes);
    draw_calls(&d);
    p->block_words = d.weight[MOVE_COPY] ? 4u << draw_below(&d, 4) : 0;
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        d.counters[i] = draw_local(&d, 'i', GEN_I32);
        snprintf(p->locals[d.counters[i]].name, sizeof p->locals->name, "%s", counters[i]);
        p->locals[d.counters[i]].declared = true;
    }
    d.random_state = draw_local(&d, 's', GEN_U32);
    d.drained = draw_local(&d, 'u', GEN_U32);
    draw_body(&d);
    program_find_used(p);
}
