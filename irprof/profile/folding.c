/*
 * What instructions become in code, as far as the IR tells: an address that the access computes itself, a comparison
 * that is one with its branch, conversions that a load or the operation before has done. What all usual targets have
 * in common (AArch64, x86-64, RISC-V to a degree); docs/method/dataflow.md says where each holds.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "irprof/irprof.h"

/* Who uses an instruction's result. */
struct users {
    uint32_t n;     /* all of them */
    uint32_t first; /* one of them, an instruction */
    bool elsewhere; /* one is in another block, or a phi */
    bool as_value;  /* one uses it as something else than an address of a load or store */
    bool not_gep;   /* one is no getelementptr that is folded itself */
};

/* How a key begins: "load", "icmp", "br.cond" ... */
enum kind { LOAD, STORE, GEP, ICMP, FCMP, BR_COND, BR_UNCOND, SELECT, ZEXT, SEXT, TRUNC, NAME, OTHER };

static bool begins(const char *key, const char *word)
{
    size_t n = strlen(word);
    return strncmp(key, word, n) == 0 && (key[n] == '.' || key[n] == '_' || !key[n]);
}

static enum kind kind_of(const char *key)
{
    static const struct {
        const char *word;
        enum kind kind;
    } words[] = {
        {"load", LOAD},       {"store", STORE},        {"getelementptr", GEP},   {"icmp", ICMP},
        {"fcmp", FCMP},       {"br.cond", BR_COND},    {"br.uncond", BR_UNCOND}, {"select", SELECT},
        {"zext", ZEXT},       {"sext", SEXT},          {"trunc", TRUNC},         {"phi", NAME},
        {"alloca", NAME},     {"freeze", NAME},        {"ptrtoint", NAME},       {"inttoptr", NAME},
        {"bitcast", NAME},    {"addrspacecast", NAME}, {"extractvalue", NAME},   {"insertvalue", NAME},
        {"landingpad", NAME},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(key, words[i].word))
            return words[i].kind;
    return OTHER;
}

static bool of_type(const char *key, const char *type)
{
    const char *dot = strchr(key, '.');
    size_t n = strlen(type);
    return dot && strncmp(dot + 1, type, n) == 0 && (!dot[1 + n] || dot[1 + n] == '_');
}

static bool is_vector(const char *key)
{
    const char *dot = strchr(key, '.');
    return dot && (dot[1] == 'v' || dot[1] == 'n') && dot[2] >= '0' && dot[2] <= 'x' && strcmp(dot + 1, "void") != 0;
}

struct folder {
    const struct irprof_profile *p;
    const enum kind *kinds; /* of each key */
    const bool *vectors;    /* of each key */
    struct users *users;    /* of each instruction */
    uint32_t *blocks;       /* of each instruction: its block's first segment */
    unsigned char *folds;
};

static enum kind kind_at(const struct folder *f, size_t i)
{
    return f->kinds[f->p->instructions[i].key];
}

static void add_user(struct folder *f, uint32_t user, const struct irprof_operand *o)
{
    struct users *u = &f->users[o->producer];
    enum kind kind = kind_at(f, user);
    bool phi = begins(f->p->keys[f->p->instructions[user].key], "phi");
    u->n++;
    u->first = user;
    u->elsewhere |= f->blocks[o->producer] != f->blocks[user] || phi;
    u->as_value |= !(o->address && (kind == LOAD || kind == STORE));
    u->not_gep |= kind != GEP || f->folds[user] != IRPROF_FOLD_ADDRESS;
}

static bool folds_compare(const struct folder *f, size_t i)
{
    const struct users *u = &f->users[i];
    enum kind kind = u->n == 1 ? kind_at(f, u->first) : OTHER;
    return u->n == 1 && !u->elsewhere && (kind == BR_COND || kind == SELECT);
}

static const struct irprof_instruction *maker(const struct folder *f, size_t i)
{
    const struct irprof_instruction *in = &f->p->instructions[i];
    if (in->n_operands != 1 || f->p->operands[in->first_operand].producer == IRPROF_NONE)
        return 0;
    return &f->p->instructions[f->p->operands[in->first_operand].producer];
}

static bool folds_extension(const struct folder *f, size_t i)
{
    const struct irprof_instruction *from = maker(f, i);
    const struct users *u = &f->users[i];
    if (u->n && !u->not_gep)
        return true; /* an index that the address extends */
    if (!from)
        return false;
    const char *key = f->p->keys[from->key];
    if (f->kinds[from->key] == LOAD)
        return f->users[from - f->p->instructions].n == 1;
    return kind_at(f, i) == ZEXT && of_type(key, "i32");
}

static unsigned char fold_of(const struct folder *f, size_t i)
{
    const struct irprof_instruction *in = &f->p->instructions[i];
    const struct users *u = &f->users[i];
    switch (f->kinds[in->key]) {
    case NAME:
        return IRPROF_FOLD_NOTHING;
    case GEP:
        if ((in->constants & (IRPROF_CONSTANT | IRPROF_CONSTANT_EASY)) == (IRPROF_CONSTANT | IRPROF_CONSTANT_EASY))
            return IRPROF_FOLD_NOTHING;
        return u->n && !u->as_value && in->constants & (IRPROF_CONSTANT | IRPROF_CONSTANT_EASY) ? IRPROF_FOLD_ADDRESS
                                                                                                : IRPROF_FOLD_NOT;
    case ICMP:
    case FCMP:
        return folds_compare(f, i) ? IRPROF_FOLD_COMPARE : IRPROF_FOLD_NOT;
    case TRUNC:
        return IRPROF_FOLD_EXTEND;
    case ZEXT:
    case SEXT:
        return folds_extension(f, i) ? IRPROF_FOLD_EXTEND : IRPROF_FOLD_NOT;
    default:
        return IRPROF_FOLD_NOT;
    }
}

/* A jump to the block behind makes no code. */
static void fold_jumps(struct folder *f)
{
    const struct irprof_profile *p = f->p;
    for (size_t i = 0, s = 0; i < p->n_edges; i++) {
        const struct irprof_edge *edge = &p->edges[i];
        if (edge->kind != IRPROF_EDGE_JUMP || edge->to != edge->from + 1)
            continue;
        while (s < p->n_segments && (p->segments[s].function < edge->function ||
                                     (p->segments[s].function == edge->function && p->segments[s].block <= edge->from)))
            s++;
        const struct irprof_segment *last = s ? &p->segments[s - 1] : 0;
        if (!last || last->function != edge->function || last->block != edge->from || !last->n_instructions)
            continue;
        size_t jump = last->first_instruction + last->n_instructions - 1;
        if (kind_at(f, jump) == BR_UNCOND)
            f->folds[jump] = IRPROF_FOLD_NOTHING;
    }
}

/* Backwards, since an address is what its users are; a phi's user before it does not fold it. */
static void fold_all(struct folder *f)
{
    const struct irprof_profile *p = f->p;
    for (size_t s = 0, first = 0; s < p->n_segments; s++) {
        if (!s || p->segments[s].function != p->segments[s - 1].function ||
            p->segments[s].block != p->segments[s - 1].block)
            first = s;
        for (size_t k = 0; k < p->segments[s].n_instructions; k++)
            f->blocks[p->segments[s].first_instruction + k] = (uint32_t)first;
    }
    for (size_t i = p->n_instructions; i-- > 0;) {
        const struct irprof_instruction *in = &p->instructions[i];
        f->folds[i] = f->vectors[in->key] ? IRPROF_FOLD_NOT : fold_of(f, i);
        for (size_t k = in->first_operand; k < in->first_operand + in->n_operands; k++)
            if (p->operands[k].producer != IRPROF_NONE)
                add_user(f, (uint32_t)i, &p->operands[k]);
    }
    /* Loads come before what extends them, so that how often they are used is known only now. */
    for (size_t i = 0; i < p->n_instructions; i++)
        if (kind_at(f, i) == ZEXT || kind_at(f, i) == SEXT)
            f->folds[i] = f->vectors[p->instructions[i].key] ? IRPROF_FOLD_NOT : fold_of(f, i);
    fold_jumps(f);
}

void irprof_folds(const struct irprof_profile *p, unsigned char *folds)
{
    enum kind *kinds = xcalloc(p->n_keys, sizeof *kinds);
    bool *vectors = xcalloc(p->n_keys, sizeof *vectors);
    for (size_t i = 0; i < p->n_keys; i++) {
        kinds[i] = kind_of(p->keys[i]);
        vectors[i] = is_vector(p->keys[i]) && kinds[i] != NAME;
    }
    struct folder f = {
        p,    kinds, vectors, xcalloc(p->n_instructions, sizeof *f.users), xcalloc(p->n_instructions, sizeof *f.blocks),
        folds};
    memset(folds, IRPROF_FOLD_NOT, p->n_instructions);
    fold_all(&f);
    free(kinds);
    free(vectors);
    free(f.users);
    free(f.blocks);
}
