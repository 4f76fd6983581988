/* moves.c - the statements of a drawn program. Reals stay finite by construction: sums have one operand near 1,
 * products and quotients one factor near 1, so values grow slowly. The interpreter checks it in the end. */
#include "samples/generate/draw_program.h"

struct expr *draw_value(struct drawing *d, size_t local)
{
    struct expr *e = program_expr(d->p, EXPR_LOCAL, d->p->locals[local].type);
    e->number = (int64_t)local;
    return e;
}

struct expr *draw_binary(struct drawing *d, enum gen_op op, enum gen_type type, const struct expr *a,
                         const struct expr *b)
{
    struct expr *e = program_expr(d->p, EXPR_BINARY, type);
    e->op = op;
    e->a = a;
    e->b = b;
    return e;
}

struct expr *draw_integer(struct drawing *d, enum gen_type type, int64_t value)
{
    struct expr *e = program_expr(d->p, EXPR_CONSTANT, type);
    e->value.i = gen_wrap(type, (uint64_t)value);
    return e;
}

static struct expr *convert(struct drawing *d, enum gen_type type, const struct expr *a)
{
    struct expr *e = program_expr(d->p, EXPR_CONVERT, type);
    e->a = a;
    return e;
}

static struct expr *element(struct drawing *d, size_t array, const struct expr *index)
{
    struct expr *e = program_expr(d->p, EXPR_ELEMENT, d->p->arrays.at[array].type);
    e->number = (int64_t)array;
    e->a = index;
    return e;
}

/* ---- operands ---- */

/* The value that was computed `distance` values ago. */
static struct expr *given(struct drawing *d, const struct group *g, size_t distance)
{
    size_t back = distance > g->n ? g->n : distance;
    return draw_value(d, g->first + (g->given + g->n - back) % g->n);
}

static struct expr *operand(struct drawing *d, const struct group *g)
{
    return given(d, g, d->distance);
}

/* The second operand of an integer operation: another value, an invariant, or a constant. */
static struct expr *second(struct drawing *d)
{
    switch (draw_below(d, 3)) {
    case 0:
        return given(d, &d->integer, 1 + draw_below(d, d->integer.n));
    case 1:
        return draw_value(d, d->hoisted_integer);
    default:
        return draw_integer(d, d->integer.type, 3 + 2 * (int64_t)draw_below(d, 50));
    }
}

static void give(struct block *b, struct group *g, const struct expr *value)
{
    vec_push(&b->list, (struct statement){.kind = DO_ASSIGN, .target = g->first + g->given % g->n, .value = value});
    g->given++;
}

/* ---- where memory is accessed ---- */

/* An index made of the loops' counters; the innermost one times the stride. */
static struct expr *walk(struct drawing *d, unsigned stride)
{
    struct expr *i = draw_value(d, d->counters[d->depth - 1]);
    struct expr *at = draw_binary(d, OP_MUL, GEN_U32, i, draw_integer(d, GEN_U32, stride));
    if (d->depth > 1)
        at = draw_binary(d, OP_ADD, GEN_U32, at, draw_value(d, d->counters[0]));
    return at;
}

static struct expr *place(struct drawing *d, struct block *b)
{
    struct expr *state;
    switch (d->access) {
    case ACCESS_STRIDE:
        break;
    case ACCESS_RANDOM:
        state = draw_value(d, d->random_state);
        state = draw_binary(d, OP_MUL, GEN_U32, state, draw_integer(d, GEN_U32, 1664525));
        state = draw_binary(d, OP_ADD, GEN_U32, state, draw_integer(d, GEN_U32, 1013904223));
        vec_push(&b->list, (struct statement){.kind = DO_ASSIGN, .target = d->random_state, .value = state});
        return draw_binary(d, OP_SHR, GEN_U32, draw_value(d, d->random_state), draw_integer(d, GEN_U32, 8));
    case ACCESS_GATHER:
        return element(d, d->indices, walk(d, 1));
    case ACCESS_VALUE:
        return convert(d, GEN_U32, operand(d, &d->integer));
    }
    struct expr *at = walk(d, d->stride);
    return draw_chance(d, 50)
               ? at
               : draw_binary(d, OP_ADD, GEN_U32, at, draw_integer(d, GEN_U32, (int64_t)draw_below(d, 64)));
}

/* A value near 1: an invariant, or one from memory. */
static struct expr *near_one(struct drawing *d, struct block *b)
{
    return draw_chance(d, 70) ? draw_value(d, d->hoisted_real) : element(d, d->real_data, place(d, b));
}

/* ---- integers ---- */

static enum gen_op integer_op(struct drawing *d, enum move m)
{
    static const enum gen_op ops[][4] = {[MOVE_ADD] = {OP_ADD, OP_SUB, OP_ADD, OP_SUB},
                                         [MOVE_MULTIPLY] = {OP_MUL, OP_MUL, OP_MUL, OP_MUL},
                                         [MOVE_DIVIDE] = {OP_DIV, OP_REM, OP_DIV, OP_REM},
                                         [MOVE_LOGIC] = {OP_XOR, OP_AND, OP_OR, OP_XOR},
                                         [MOVE_SHIFT] = {OP_SHL, OP_SHR, OP_SHL, OP_SHR}};
    return ops[m][draw_below(d, 4)];
}

/* C does not define in which order arguments are evaluated. So, here and below, at most one argument of a call
 * draws. */
static void move_integer(struct drawing *d, struct block *b, enum move m)
{
    enum gen_type t = d->integer.type;
    enum gen_op op = integer_op(d, m);
    struct expr *e = draw_binary(d, op, t, operand(d, &d->integer), second(d));
    if (m == MOVE_DIVIDE)
        e->number = gen_wrap(t, d->divisor_mask & (UINT64_MAX >> (65 - gen_bits(t))));
    if (m == MOVE_SHIFT && !gen_is_signed(t) && gen_bits(t) >= 32 && draw_chance(d, 40)) {
        e->op = OP_ROTATE;
        e->b = 0;
        e->number = 1 + (int64_t)draw_below(d, gen_bits(t) - 1);
    } else if (m == MOVE_SHIFT && draw_chance(d, 70)) {
        e->b = draw_integer(d, t, 1 + (int64_t)draw_below(d, gen_bits(t) - 1));
    }
    give(b, &d->integer, e);
}

/* Draws a comparison of two different values. */
static struct expr *draw_condition(struct drawing *d, const struct group *g)
{
    const struct expr *a = operand(d, g), *b = given(d, g, 1 + draw_below(d, g->n));
    if (a->number == b->number)
        b = draw_value(d, gen_is_real(g->type) ? d->hoisted_real : d->hoisted_integer);
    return draw_binary(d, draw_chance(d, 80) ? OP_LESS : OP_EQUAL, GEN_I32, a, b);
}

static void move_select(struct drawing *d, struct block *b, struct group *g)
{
    struct expr *e = program_expr(d->p, EXPR_SELECT, g->type);
    e->a = draw_condition(d, g);
    e->b = given(d, g, 1 + draw_below(d, g->n));
    e->c = gen_is_real(g->type) ? draw_value(d, d->hoisted_real) : second(d);
    if (draw_chance(d, 25)) {
        struct expr *negated = program_expr(d->p, EXPR_NEGATE, g->type);
        negated->a = e->b;
        e->b = negated;
    }
    give(b, g, e);
}

static void move_convert(struct drawing *d, struct block *b)
{
    give(b, &d->other, convert(d, d->other.type, operand(d, &d->integer)));
    give(b, &d->integer, convert(d, d->integer.type, operand(d, &d->other)));
}

/* ---- reals ---- */

static void move_real(struct drawing *d, struct block *b, enum move m)
{
    enum gen_type t = d->real.type;
    struct expr *a = operand(d, &d->real), *x = near_one(d, b), *e;
    switch (m) {
    case MOVE_FADD:
        e = draw_chance(d, 50) ? draw_binary(d, OP_ADD, t, a, x) : draw_binary(d, OP_SUB, t, x, a);
        break;
    case MOVE_FMULTIPLY:
        e = draw_binary(d, OP_MUL, t, a, x);
        break;
    case MOVE_FMULADD:
        e = draw_binary(d, OP_ADD, t, draw_binary(d, OP_MUL, t, a, x), near_one(d, b));
        break;
    default:
        e = draw_binary(d, OP_DIV, t, a, x);
    }
    give(b, &d->real, e);
}

/* A conversion between the two real types, or between integers and reals. The integer is masked, so that the real stays
 * small. */
static void move_fconvert(struct drawing *d, struct block *b)
{
    enum gen_type t = d->integer.type;
    if (draw_chance(d, 40)) {
        give(b, &d->other_real, convert(d, d->other_real.type, operand(d, &d->real)));
        give(b, &d->real, convert(d, d->real.type, operand(d, &d->other_real)));
        return;
    }
    struct expr *small = draw_binary(d, OP_AND, t, operand(d, &d->integer), draw_integer(d, t, 127));
    give(b, &d->real, convert(d, d->real.type, small));
    give(b, &d->integer, convert(d, t, convert(d, GEN_I32, given(d, &d->real, 1))));
}

/* ---- memory ---- */

static void move_load(struct drawing *d, struct block *b, bool real)
{
    struct group *g = real ? &d->real : &d->integer;
    struct expr *e = element(d, real ? d->real_data : d->data, place(d, b));
    if (real || draw_chance(d, 70))
        e = real ? draw_binary(d, OP_SUB, g->type, e, operand(d, g))
                 : draw_binary(d, OP_XOR, g->type, operand(d, g), e);
    give(b, g, e);
}

static void move_store(struct drawing *d, struct block *b, bool real)
{
    const struct group *g = real ? &d->real : &d->integer;
    const struct expr *index = place(d, b);
    vec_push(&b->list,
             (struct statement){
                 .kind = DO_STORE, .target = real ? d->real_sink : d->sink, .index = index, .value = operand(d, g)});
}

static void move_chase(struct drawing *d, struct block *b)
{
    enum gen_type t = d->integer.type;
    vec_push(&b->list, (struct statement){.kind = DO_STEP});
    struct expr *value = program_expr(d->p, EXPR_NODE, t);
    give(b, &d->integer, draw_chance(d, 50) ? value : draw_binary(d, OP_XOR, t, value, operand(d, &d->integer)));
}

static void move_copy(struct drawing *d, struct block *b)
{
    struct expr *from = convert(d, GEN_U32, operand(d, &d->integer));
    size_t word = draw_below(d, d->p->block_words);
    vec_push(&b->list, (struct statement){.kind = DO_COPY, .index = walk(d, 1), .value = from});
    vec_push(&b->list, (struct statement){.kind = DO_FIELD,
                                          .index = walk(d, 1),
                                          .count = (int64_t)word,
                                          .value = convert(d, GEN_U32, operand(d, &d->integer))});
    struct expr *field = program_expr(d->p, EXPR_FIELD, GEN_U32);
    field->number = (int64_t)draw_below(d, d->p->block_words);
    field->a = from;
    give(b, &d->integer, convert(d, d->integer.type, field));
}

/* ---- calls ---- */

static void move_call(struct drawing *d, struct block *b, enum move m)
{
    enum gen_type t = d->integer.type;
    struct expr *e = program_expr(d->p,
                                  m == MOVE_CALL       ? EXPR_CALL
                                  : m == MOVE_INDIRECT ? EXPR_INDIRECT
                                                       : EXPR_RECURSE,
                                  t);
    e->a = operand(d, &d->integer);
    if (m == MOVE_RECURSE) {
        e->b = draw_integer(d, GEN_I32, d->recursion_depth);
    } else {
        e->b = second(d);
        e->number = m == MOVE_CALL ? (int64_t)(d->direct + draw_below(d, 2)) : 0;
        e->c = element(d, d->indices, walk(d, 1));
    }
    give(b, &d->integer, e);
}

/* ---- control ---- */

/* Draws a move without statements inside, of those that the program uses. */
static void draw_simple(struct drawing *d, struct block *b)
{
    unsigned kept[MOVES], total = d->total;
    for (size_t m = MOVE_IF; m < MOVES; m++) {
        kept[m] = d->weight[m];
        total -= d->weight[m];
        d->weight[m] = 0;
    }
    unsigned whole = d->total;
    d->total = total;
    if (total)
        draw_move(d, b);
    else
        move_integer(d, b, MOVE_ADD);
    d->total = whole;
    for (size_t m = MOVE_IF; m < MOVES; m++)
        d->weight[m] = kept[m];
}

static struct block *inner(struct drawing *d, size_t least, size_t most)
{
    struct block *b = program_block(d->p);
    for (size_t n = least + draw_below(d, most - least + 1); n > 0; n--)
        draw_simple(d, b);
    return b;
}

static void move_if(struct drawing *d, struct block *b)
{
    struct statement s = {.kind = DO_IF};
    if (draw_chance(d, 75))
        s.value =
            element(d, d->ways,
                    draw_binary(d, OP_ADD, GEN_U32, walk(d, 1), draw_integer(d, GEN_U32, (int64_t)draw_below(d, 64))));
    else
        s.value = draw_condition(d, &d->integer);
    s.body[0] = inner(d, 1, 3);
    if (draw_chance(d, 50))
        s.body[1] = inner(d, 1, 3);
    vec_push(&b->list, s);
}

static void move_switch(struct drawing *d, struct block *b)
{
    struct statement s = {.kind = DO_SWITCH, .count = 3 + (int64_t)draw_below(d, GEN_MOST_CASES - 2)};
    s.value = element(d, d->indices, walk(d, 1));
    for (int64_t i = 0; i < s.count; i++)
        s.body[i] = inner(d, 1, 2);
    vec_push(&b->list, s);
}

static void move_drain(struct drawing *d, struct block *b)
{
    struct statement s = {.kind = DO_DRAIN, .target = d->drained, .count = 1 + (int64_t)draw_below(d, 3)};
    s.value = draw_binary(d, OP_SHR, GEN_U32, element(d, d->indices, walk(d, 1)), draw_integer(d, GEN_U32, 16));
    s.body[0] = inner(d, 1, 2);
    vec_push(&b->list, s);
}

static void move_loop(struct drawing *d, struct block *b)
{
    struct statement s = {.kind = DO_LOOP, .count = 2 + (int64_t)draw_below(d, draw_chance(d, 50) ? 7 : 47)};
    s.target = d->counters[d->depth];
    d->p->locals[s.target].declared = true;
    d->depth++;
    s.body[0] = inner(d, 1, 5);
    if (d->depth < 3 && d->weight[MOVE_LOOP] && draw_chance(d, 40))
        move_loop(d, s.body[0]);
    d->depth--;
    vec_push(&b->list, s);
}

static void make_move(struct drawing *d, struct block *b, enum move m)
{
    if (m <= MOVE_SHIFT)
        move_integer(d, b, m);
    else if (m == MOVE_SELECT || m == MOVE_FSELECT)
        move_select(d, b, m == MOVE_SELECT ? &d->integer : &d->real);
    else if (m == MOVE_CONVERT)
        move_convert(d, b);
    else if (m == MOVE_FCONVERT)
        move_fconvert(d, b);
    else if (m <= MOVE_FDIVIDE)
        move_real(d, b, m);
    else if (m <= MOVE_FLOAD)
        move_load(d, b, m == MOVE_FLOAD);
    else if (m <= MOVE_FSTORE)
        move_store(d, b, m == MOVE_FSTORE);
    else if (m == MOVE_CHASE)
        move_chase(d, b);
    else if (m == MOVE_COPY)
        move_copy(d, b);
    else if (m <= MOVE_RECURSE)
        move_call(d, b, m);
    else if (m == MOVE_IF)
        move_if(d, b);
    else if (m == MOVE_SWITCH)
        move_switch(d, b);
    else if (m == MOVE_DRAIN)
        move_drain(d, b);
    else
        move_loop(d, b);
}

void draw_move(struct drawing *d, struct block *b)
{
    size_t at = draw_below(d, d->total), m = 0;
    while (at >= d->weight[m])
        at -= d->weight[m++];
    make_move(d, b, (enum move)m);
}

void draw_main_moves(struct drawing *d, struct block *b)
{
    for (size_t m = 0; m < MOVES; m++)
        if (d->weight[m] >= MAIN_WEIGHT)
            make_move(d, b, (enum move)m);
}

void draw_fresh(struct drawing *d, struct block *b)
{
    enum gen_type t = d->integer.type;
    give(b, &d->integer, draw_binary(d, OP_XOR, t, operand(d, &d->integer), element(d, d->data, walk(d, 1))));
}
