/* What IR instructions become: how many instructions of the target, how long each takes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule/schedule.h"

static bool begins(const char *key, const char *word)
{
    size_t n = strlen(word);
    return strncmp(key, word, n) == 0 && (key[n] == '.' || key[n] == '_' || !key[n]);
}

/* "v4i64" in "mul.v4i64_d": its elements and their bits. False: no vector of fixed length. */
static bool vector_of(const char *key, unsigned *n, unsigned *bits, bool *integer)
{
    const char *dot = strrchr(key, '.');
    char kind[7] = "";
    if (!dot || dot[1] != 'v')
        return false;
    if (sscanf(dot + 2, "%u%6[a-z]%u", n, kind, bits) == 3)
        *integer = *kind == 'i';
    else if (sscanf(dot + 2, "%u%6[a-z]", n, kind) == 2)
        *bits = strcmp(kind, "float") == 0 || strcmp(kind, "f") == 0 ? 32 : 64;
    else
        return false;
    return *n > 0;
}

/* Registers of 16 bytes that a value takes; vectors of long integers cannot be multiplied as a whole. */
static double pieces_of(const char *key)
{
    unsigned n, bits;
    bool integer = false;
    if (vector_of(key, &n, &bits, &integer)) {
        double registers = fmax(1, ceil(n * (double)bits / 128));
        return integer && bits == 64 && begins(key, "mul") ? 4 * registers : registers;
    }
    return strstr(key, ".i128") ? 2 : 1;
}

/* What a key becomes, by itself. A value of the key's own is of all pieces of it. */
static struct code key_code(const struct schedule *s, size_t i, struct map *units, int which)
{
    const struct key_cost *k = &s->est->keys.at[i];
    const char *key = s->p->keys[i];
    double pieces = pieces_of(key), times = k->own ? 1 : pieces;
    struct code c = {.slots = (float)s->issue, .unit = (uint32_t)map_number(units, k->instruction)};
    bool means = schedule_meaning(&c, s, key, units, which);
    c.slots *= (float)pieces;
    c.pitch *= (float)pieces;
    if (k->own || !means) {
        c.pitch = (float)(cycles_pick(&k->pitch, which) * times);
        c.latency = (float)cycles_pick(&k->latency, which);
    }
    c.barrier = (begins(key, "call") && !begins(key, "call.llvm")) || begins(key, "invoke");
    c.load = begins(key, "load");
    c.store = begins(key, "store");
    return c;
}

static struct code *key_codes(const struct schedule *s, int which)
{
    struct code *codes = xcalloc(s->p->n_keys, sizeof *codes);
    struct map units = {0};
    for (size_t i = 0; i < s->p->n_keys; i++)
        codes[i] = key_code(s, i, &units, which);
    map_release(&units);
    return codes;
}

/* Multiplications and shifts take the place of a division by a constant. */
static bool is_easy_division(const struct schedule *s, const struct irprof_instruction *in)
{
    static const char *const words[] = {"sdiv", "udiv", "srem", "urem"};
    for (size_t i = 0; i < 4 && in->constants & IRPROF_CONSTANT; i++)
        if (begins(s->p->keys[in->key], words[i]))
            return true;
    return false;
}

static void adapt(const struct schedule *s, struct code *c, uint32_t i, bool optimised)
{
    const struct irprof_instruction *in = &s->p->instructions[i];
    unsigned char fold = s->folds[i];
    bool compares = fold == IRPROF_FOLD_COMPARE && !(in->constants & IRPROF_CONSTANT_EASY);
    bool jumps = !optimised && begins(s->p->keys[in->key], "br.uncond");
    if (fold != IRPROF_FOLD_NOT && !compares && !jumps) {
        c->slots = c->pitch = c->latency = 0;
        return;
    }
    if (is_easy_division(s, in)) {
        c->slots = (float)(3 * s->issue);
        c->pitch = c->slots;
        c->latency = (float)s->easy_division;
    }
    if (in->constants & IRPROF_CONSTANT_GLOBAL)
        c->slots += (float)s->issue;
    if (!optimised && c->store && in->constants & IRPROF_CONSTANT)
        c->slots += (float)s->issue;
}

void schedule_code(struct schedule *s, int which)
{
    const struct irprof_profile *p = s->p;
    struct code *codes = key_codes(s, which);
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *segment = &p->segments[i];
        bool optimised = s->optimised[segment->function];
        for (uint32_t k = segment->first_instruction; k < segment->first_instruction + segment->n_instructions; k++) {
            s->code[k] = codes[p->instructions[k].key];
            adapt(s, &s->code[k], k, optimised);
        }
    }
    free(codes);
    schedule_target(s);
}

/* An alloca that is loaded and stored, and nothing else, is what an optimiser removes first. */
void schedule_optimised(struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    enum { ACCESSED = 1, ELSE = 2 };
    unsigned char *used = xcalloc(p->n_instructions, 1);
    for (size_t i = 0; i < p->n_instructions; i++) {
        const struct irprof_instruction *in = &p->instructions[i];
        bool accesses = begins(p->keys[in->key], "load") || begins(p->keys[in->key], "store");
        for (size_t k = in->first_operand; k < in->first_operand + in->n_operands; k++) {
            const struct irprof_operand *o = &p->operands[k];
            if (o->producer != IRPROF_NONE)
                used[o->producer] |= accesses && o->address ? ACCESSED : ELSE;
        }
    }
    for (size_t f = 0; f < p->n_functions; f++)
        s->optimised[f] = true;
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *g = &p->segments[i];
        for (uint32_t k = g->first_instruction; k < g->first_instruction + g->n_instructions; k++)
            if (begins(p->keys[p->instructions[k].key], "alloca") && used[k] == ACCESSED)
                s->optimised[g->function] = false;
    }
    free(used);
}

void schedule_variables(struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    for (size_t i = 0; i < p->n_instructions; i++) {
        const struct irprof_instruction *in = &p->instructions[i];
        const char *key = p->keys[in->key];
        bool access = begins(key, "load") || begins(key, "store");
        s->variable[i] = IRPROF_NONE;
        for (size_t k = in->first_operand; access && k < in->first_operand + in->n_operands; k++) {
            const struct irprof_operand *o = &p->operands[k];
            if (o->address && o->producer != IRPROF_NONE && begins(p->keys[p->instructions[o->producer].key], "alloca"))
                s->variable[i] = o->producer;
        }
    }
}
