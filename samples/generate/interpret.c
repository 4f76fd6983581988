/* interpret.c - the second way to compute a program's checksum: executes its tree as defined in program.h. */
#include "samples/generate/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_REAL 1e30 /* far from overflow in both types */

struct machine {
    const struct program *p;
    struct value **arrays;
    struct value *nodes; /* values of nodes; links are computed, not stored */
    uint32_t *words;     /* memory blocks */
    struct value locals[GEN_MOST_LOCALS];
    uint32_t node;
    uint64_t steps, most;
    bool unfit;
};

/* ---- the state before the region ---- */

static uint64_t noise_for(enum gen_type t, uint64_t *noise)
{
    uint64_t draw = gen_noise(noise);
    return gen_bits(t) == 64 ? draw << 32 | gen_noise(noise) : draw;
}

static struct value drawn_element(const struct array *a, size_t i, uint64_t *noise)
{
    switch (a->content) {
    case HOLDS_ALWAYS:
        return (struct value){1, 0};
    case HOLDS_PERIODIC:
        return (struct value){i % a->parameter == 0, 0};
    case HOLDS_CHANCE:
        return (struct value){(gen_noise(noise) & 255) < a->parameter, 0};
    case HOLDS_NOISE:
        break;
    }
    if (gen_is_real(a->type))
        return (struct value){0, (double)(1984 + gen_noise(noise) % 129) / 2048};
    return (struct value){gen_wrap(a->type, noise_for(a->type, noise)), 0};
}

static struct value *filled(const struct array *a, uint64_t *noise)
{
    size_t n = (size_t)1 << a->log2_length;
    struct value *at = xcalloc(n, sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[i] = i < GEN_DRAWN ? drawn_element(a, i, noise) : at[i % GEN_DRAWN];
    return at;
}

static void prepare(struct machine *m)
{
    const struct program *p = m->p;
    uint64_t noise = p->seed;
    m->arrays = xcalloc(p->arrays.n, sizeof *m->arrays);
    for (size_t i = 0; i < p->arrays.n; i++)
        if (p->arrays.at[i].used)
            m->arrays[i] = filled(&p->arrays.at[i], &noise);
    if (p->chases) {
        const struct array like = {.type = p->ring.type, .content = HOLDS_NOISE};
        size_t n = (size_t)1 << p->ring.log2_length;
        m->nodes = xcalloc(n, sizeof *m->nodes);
        for (size_t i = 0; i < n; i++)
            m->nodes[i] = drawn_element(&like, i, &noise);
    }
    if (p->copies) {
        size_t n = (size_t)p->block_words << GEN_BLOCKS_LOG2;
        m->words = xcalloc(n, sizeof *m->words);
        for (size_t i = 0; i < n; i++)
            m->words[i] = gen_noise(&noise);
    }
    for (size_t i = 0; i < p->n_locals; i++) {
        const struct local *l = &p->locals[i];
        if (l->used)
            m->locals[i] = l->array != (size_t)-1 ? m->arrays[l->array][l->from] : l->initial;
    }
}

static void release(struct machine *m)
{
    for (size_t i = 0; i < m->p->arrays.n; i++)
        free(m->arrays[i]);
    free(m->arrays);
    free(m->nodes);
    free(m->words);
}

/* ---- expressions ---- */

static struct value integer_of(enum gen_type t, uint64_t bits)
{
    return (struct value){gen_wrap(t, bits), 0};
}

static struct value real_of(struct machine *m, enum gen_type t, double x)
{
    struct value v = {0, t == GEN_FLOAT ? (double)(float)x : x};
    if (!(fabs(v.f) <= LARGEST_REAL))
        m->unfit = true;
    return v;
}

/* Computed in the type itself, so that each operation is rounded once. */
static struct value real_binary(struct machine *m, const struct expr *e, double a, double b)
{
    bool narrow = e->type == GEN_FLOAT;
    float x = (float)a, y = (float)b;
    switch (e->op) {
    case OP_ADD:
        return real_of(m, e->type, narrow ? (double)(x + y) : a + b);
    case OP_SUB:
        return real_of(m, e->type, narrow ? (double)(x - y) : a - b);
    case OP_MUL:
        return real_of(m, e->type, narrow ? (double)(x * y) : a * b);
    case OP_DIV:
        return real_of(m, e->type, narrow ? (double)(x / y) : a / b);
    default:
        BUG("operation %d on reals", (int)e->op);
    }
}

static struct value compare(const struct expr *e, struct value a, struct value b)
{
    enum gen_type t = e->a->type;
    bool holds;
    if (e->op == OP_EQUAL)
        holds = gen_is_real(t) ? a.f == b.f : a.i == b.i;
    else if (gen_is_real(t))
        holds = a.f < b.f;
    else
        holds = t == GEN_U64 ? (uint64_t)a.i < (uint64_t)b.i : a.i < b.i;
    return (struct value){holds, 0};
}

static struct value divide(const struct expr *e, int64_t a, int64_t b)
{
    int64_t by = (b & e->number) | 1;
    if (gen_is_signed(e->type))
        return integer_of(e->type, (uint64_t)(e->op == OP_DIV ? a / by : a % by));
    uint64_t x = (uint64_t)a, y = (uint64_t)by;
    return integer_of(e->type, e->op == OP_DIV ? x / y : x % y);
}

static struct value integer_binary(const struct expr *e, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    unsigned bits = gen_bits(e->type), shift = (unsigned)(y & (bits - 1));
    switch (e->op) {
    case OP_ADD:
        return integer_of(e->type, x + y);
    case OP_SUB:
        return integer_of(e->type, x - y);
    case OP_MUL:
        return integer_of(e->type, x * y);
    case OP_DIV:
    case OP_REM:
        return divide(e, a, b);
    case OP_AND:
        return integer_of(e->type, x & y);
    case OP_OR:
        return integer_of(e->type, x | y);
    case OP_XOR:
        return integer_of(e->type, x ^ y);
    case OP_SHL:
        return integer_of(e->type, x << shift);
    case OP_SHR:
        return integer_of(e->type, gen_is_signed(e->type) ? (uint64_t)(a >> shift) : x >> shift);
    case OP_ROTATE:
        return integer_of(e->type, x << e->number | x >> (bits - (unsigned)e->number));
    default:
        BUG("operation %d on integers", (int)e->op);
    }
}

static struct value converted(struct machine *m, const struct expr *e, struct value v)
{
    enum gen_type from = e->a->type, to = e->type;
    if (gen_is_real(from) && gen_is_real(to))
        return real_of(m, to, v.f);
    if (!gen_is_real(from) && !gen_is_real(to))
        return integer_of(to, (uint64_t)v.i);
    if (gen_is_real(to)) {
        bool wide = from == GEN_U64;
        double x;
        if (to == GEN_FLOAT)
            x = wide ? (double)(float)(uint64_t)v.i : (double)(float)v.i;
        else
            x = wide ? (double)(uint64_t)v.i : (double)v.i;
        return real_of(m, to, x);
    }
    double limit = ldexp(1, (int)gen_bits(to) - 1);
    if (!(v.f > (gen_is_signed(to) ? -limit : -1) && v.f < limit)) {
        m->unfit = true;
        return (struct value){0, 0};
    }
    return integer_of(to, (uint64_t)(int64_t)v.f);
}

static struct value eval(struct machine *m, const struct expr *e, const struct value *locals);

static struct value call(struct machine *m, size_t function, struct value a, struct value b)
{
    struct value arguments[2] = {a, b};
    m->steps++;
    return eval(m, m->p->functions.at[function].value, arguments);
}

static struct value recurse(struct machine *m, const struct recursion *f, struct value x, int64_t n)
{
    if (n <= 0)
        return x;
    m->steps++;
    struct value down = recurse(m, f, eval(m, f->step, &x), n - 1);
    struct value other = f->twice ? recurse(m, f, x, n - 2) : x;
    const struct expr e = {.kind = EXPR_BINARY, .type = f->type, .op = f->op};
    return gen_is_real(f->type) ? real_binary(m, &e, down.f, other.f) : integer_binary(&e, down.i, other.i);
}

static struct value element(struct machine *m, const struct expr *e, const struct value *locals)
{
    const struct array *a = &m->p->arrays.at[e->number];
    uint64_t i = (uint64_t)eval(m, e->a, locals).i;
    return m->arrays[e->number][i & (((uint64_t)1 << a->log2_length) - 1)];
}

static uint32_t *block_of(struct machine *m, int64_t which)
{
    return m->words + ((uint64_t)which & ((1u << GEN_BLOCKS_LOG2) - 1)) * m->p->block_words;
}

static struct value eval(struct machine *m, const struct expr *e, const struct value *locals)
{
    struct value a, b;
    switch (e->kind) {
    case EXPR_CONSTANT:
        return e->value;
    case EXPR_LOCAL:
        return locals[e->number];
    case EXPR_ELEMENT:
        return element(m, e, locals);
    case EXPR_NODE:
        return m->nodes[m->node];
    case EXPR_FIELD:
        return (struct value){block_of(m, eval(m, e->a, locals).i)[e->number], 0};
    case EXPR_NEGATE:
        a = eval(m, e->a, locals);
        return gen_is_real(e->type) ? real_of(m, e->type, -a.f) : integer_of(e->type, -(uint64_t)a.i);
    case EXPR_CONVERT:
        return converted(m, e, eval(m, e->a, locals));
    case EXPR_SELECT:
        return eval(m, e->a, locals).i ? eval(m, e->b, locals) : eval(m, e->c, locals);
    case EXPR_CALL:
        a = eval(m, e->a, locals);
        return call(m, (size_t)e->number, a, eval(m, e->b, locals));
    case EXPR_INDIRECT:
        a = eval(m, e->a, locals);
        b = eval(m, e->b, locals);
        return call(m, (size_t)eval(m, e->c, locals).i & (GEN_TABLE - 1), a, b);
    case EXPR_RECURSE:
        a = eval(m, e->a, locals);
        return recurse(m, &m->p->recursions.at[e->number], a, eval(m, e->b, locals).i);
    case EXPR_BINARY:
        break;
    }
    a = eval(m, e->a, locals);
    b = e->b ? eval(m, e->b, locals) : (struct value){0, 0};
    if (e->op == OP_LESS || e->op == OP_EQUAL)
        return compare(e, a, b);
    return gen_is_real(e->type) ? real_binary(m, e, a.f, b.f) : integer_binary(e, a.i, b.i);
}

/* ---- statements ---- */

static void run_block(struct machine *m, const struct block *b);

static void run_loops(struct machine *m, const struct statement *s)
{
    struct value *v = &m->locals[s->target];
    if (s->kind == DO_LOOP) {
        for (v->i = 0; v->i < s->count && !m->unfit; v->i++)
            run_block(m, s->body[0]);
        return;
    }
    for (*v = eval(m, s->value, m->locals); v->i && !m->unfit; v->i = (int64_t)((uint64_t)v->i >> s->count))
        run_block(m, s->body[0]);
}

static void run_choice(struct machine *m, const struct statement *s)
{
    uint64_t chosen = (uint64_t)eval(m, s->value, m->locals).i;
    if (s->kind == DO_IF)
        chosen = !chosen;
    else
        chosen %= (uint64_t)s->count + 1;
    if (chosen < GEN_MOST_CASES && s->body[chosen])
        run_block(m, s->body[chosen]);
}

static void run_memory(struct machine *m, const struct statement *s)
{
    const struct array *a = &m->p->arrays.at[s->kind == DO_STORE ? s->target : 0];
    uint64_t i = (uint64_t)eval(m, s->index, m->locals).i;
    struct value v = eval(m, s->value, m->locals);
    if (s->kind == DO_STORE)
        m->arrays[s->target][i & (((uint64_t)1 << a->log2_length) - 1)] = v;
    else if (s->kind == DO_FIELD)
        block_of(m, (int64_t)i)[s->count] = (uint32_t)v.i;
    else
        memmove(block_of(m, (int64_t)i), block_of(m, v.i), m->p->block_words * sizeof *m->words);
}

static void run_statement(struct machine *m, const struct statement *s)
{
    const struct node_ring *ring = &m->p->ring;
    if (++m->steps > m->most)
        m->unfit = true;
    switch (s->kind) {
    case DO_ASSIGN:
        m->locals[s->target] = eval(m, s->value, m->locals);
        break;
    case DO_STORE:
    case DO_FIELD:
    case DO_COPY:
        run_memory(m, s);
        break;
    case DO_STEP:
        m->node = (ring->multiplier * m->node + ring->increment) & ((1u << ring->log2_length) - 1);
        break;
    case DO_IF:
    case DO_SWITCH:
        run_choice(m, s);
        break;
    case DO_LOOP:
    case DO_DRAIN:
        run_loops(m, s);
        break;
    }
}

static void run_block(struct machine *m, const struct block *b)
{
    for (size_t i = 0; i < b->list.n && !m->unfit; i++)
        run_statement(m, &b->list.at[i]);
}

/* ---- the checksum ---- */

static uint64_t word_of(enum gen_type t, struct value v)
{
    uint64_t word = (uint64_t)v.i;
    float narrow = (float)v.f;
    uint32_t bits;
    if (t == GEN_DOUBLE)
        memcpy(&word, &v.f, sizeof word);
    if (t == GEN_FLOAT) {
        memcpy(&bits, &narrow, sizeof bits);
        word = bits;
    }
    return word;
}

static uint64_t digest(const struct machine *m)
{
    const struct program *p = m->p;
    uint64_t sum = 0;
    for (size_t k = 0; k < p->arrays.n; k++) {
        const struct array *a = &p->arrays.at[k];
        for (size_t i = 0; a->used && a->written && i < (size_t)1 << a->log2_length; i += gen_digest_step(a))
            sum = gen_digest(sum, word_of(a->type, m->arrays[k][i]));
    }
    for (size_t i = 0; p->copies && i < (size_t)p->block_words << GEN_BLOCKS_LOG2; i++)
        sum = gen_digest(sum, m->words[i]);
    return sum >> 2;
}

bool program_interpret(const struct program *p, uint64_t most, uint64_t *steps, uint64_t *checksum)
{
    struct machine m = {.p = p, .most = most};
    prepare(&m);
    run_block(&m, &p->body);
    *steps = m.steps;
    *checksum = digest(&m);
    release(&m);
    return !m.unfit;
}
