/* program.c - generated programs in memory: types, expressions, statements. */
#include "samples/generate/program.h"

#include <stdlib.h>

static const struct {
    const char *c, *word;
    unsigned bits;
    bool sign, real;
} types[GEN_TYPES] = {
    [GEN_I8] = {"int8_t", "int8", 8, true, false},     [GEN_U8] = {"uint8_t", "uint8", 8, false, false},
    [GEN_I16] = {"int16_t", "int16", 16, true, false}, [GEN_U16] = {"uint16_t", "uint16", 16, false, false},
    [GEN_I32] = {"int32_t", "int32", 32, true, false}, [GEN_U32] = {"uint32_t", "uint32", 32, false, false},
    [GEN_I64] = {"int64_t", "int64", 64, true, false}, [GEN_U64] = {"uint64_t", "uint64", 64, false, false},
    [GEN_FLOAT] = {"float", "float", 32, true, true},  [GEN_DOUBLE] = {"double", "double", 64, true, true},
};

bool gen_is_real(enum gen_type t)
{
    return types[t].real;
}

bool gen_is_signed(enum gen_type t)
{
    return types[t].sign;
}

unsigned gen_bits(enum gen_type t)
{
    return types[t].bits;
}

const char *gen_c_name(enum gen_type t)
{
    return types[t].c;
}

const char *gen_word(enum gen_type t)
{
    return types[t].word;
}

int64_t gen_wrap(enum gen_type t, uint64_t bits)
{
    unsigned drop = 64 - types[t].bits;
    bits <<= drop;
    return types[t].sign ? (int64_t)bits >> drop : (int64_t)(bits >> drop);
}

/* What is needed to free a piece: blocks own their lists. */
struct piece {
    struct block *block; /* NULL: it is an expression */
    void *memory;
};

static void keep(struct program *p, void *memory, struct block *block)
{
    struct piece *piece = xcalloc(1, sizeof *piece);
    *piece = (struct piece){block, memory};
    vec_push(&p->pieces, piece);
}

struct expr *program_expr(struct program *p, enum expr_kind kind, enum gen_type type)
{
    struct expr *e = xcalloc(1, sizeof *e);
    e->kind = kind;
    e->type = type;
    keep(p, e, 0);
    return e;
}

struct block *program_block(struct program *p)
{
    struct block *b = xcalloc(1, sizeof *b);
    keep(p, b, b);
    return b;
}

static void use_expr(struct program *p, const struct expr *e, bool in_function)
{
    if (!e)
        return;
    use_expr(p, e->a, in_function);
    use_expr(p, e->b, in_function);
    use_expr(p, e->c, in_function);
    p->chases |= e->kind == EXPR_NODE;
    if (e->kind == EXPR_LOCAL && !in_function)
        p->locals[e->number].used = true;
    if (e->kind == EXPR_ELEMENT)
        p->arrays.at[e->number].used = true;
    if (e->kind == EXPR_CALL)
        p->functions.at[e->number].used = true;
    if (e->kind == EXPR_RECURSE)
        p->recursions.at[e->number].used = true;
    for (size_t i = 0; e->kind == EXPR_INDIRECT && i < GEN_TABLE; i++)
        p->functions.at[i].used = p->indirect = true;
}

static void use_block(struct program *p, const struct block *b)
{
    for (size_t i = 0; i < b->list.n; i++) {
        const struct statement *s = &b->list.at[i];
        use_expr(p, s->value, false);
        use_expr(p, s->index, false);
        p->chases |= s->kind == DO_STEP;
        p->copies |= s->kind == DO_COPY;
        if (s->kind == DO_ASSIGN || s->kind == DO_DRAIN)
            p->locals[s->target].used = true;
        if (s->kind == DO_STORE)
            p->arrays.at[s->target].used = true;
        for (size_t k = 0; k < GEN_MOST_CASES; k++)
            if (s->body[k])
                use_block(p, s->body[k]);
    }
}

void program_find_used(struct program *p)
{
    use_block(p, &p->body);
    for (size_t i = 0; i < p->n_locals; i++)
        if (p->locals[i].used && p->locals[i].array != (size_t)-1)
            p->arrays.at[p->locals[i].array].used = true;
}

void program_release(struct program *p)
{
    for (size_t i = 0; i < p->pieces.n; i++) {
        struct piece *piece = p->pieces.at[i];
        if (piece->block)
            vec_release(&piece->block->list);
        free(piece->memory);
        free(piece);
    }
    vec_release(&p->pieces);
    vec_release(&p->arrays);
    vec_release(&p->functions);
    vec_release(&p->recursions);
    vec_release(&p->body.list);
    free(p->name);
    free(p->drawn);
}
