/* cases.c - the list of cases, and what all families of cases have in common. */
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/instructions.h"
#include "samples/micro/private.h"
#include "samples/micro/target.h"

enum type word_of(const struct list *l)
{
    return type_word(l->target);
}

unsigned streams_of(const struct list *l, enum type t)
{
    bool two_words = !type_is_vector(t) && t != PTR &&
                     (type_is_real(t) ? t == F64 && l->set->soft_doubles : type_bits(t) > type_bits(word_of(l)));
    return two_words ? STREAMS / 4 : STREAMS;
}

/* Is it something that C does not have on the target: integers of four words, or atomics of two? */
static bool is_not_in_c(const struct list *l, const struct draft *d)
{
    const struct micro_recipe *r = &d->recipe;
    if (word_of(l) == I32 && (r->type == I128 || r->from == I128))
        return true;
    return !l->set->wide_atomics && r->shape == &shape_atomic && type_bits(r->type) == 64 && r->type != PTR;
}

/* Does a copy take so many instructions that 64 copies do not fit into the cache of a microcontroller's flash? */
static bool takes_many(const struct list *l, const struct micro_recipe *r)
{
    enum type t = r->from ? r->from : r->type;
    bool compares = r->shape == &shape_compare || r->shape == &shape_select || r->shape == &shape_compare_branch;
    return word_of(l) == I32 && compares && (type_is_real(t) || streams_of(l, t) < STREAMS);
}

void add_case(struct list *l, const struct draft *d)
{
    if (is_not_in_c(l, d))
        return;
    unsigned step = d->step ? d->step : takes_many(l, &d->recipe) ? 8 : 16;
    struct micro_case c = {
        .key = xstrdup(d->key),
        .condition = xstrdup(d->condition),
        .with = xstrdup(d->with ? d->with : ""),
        .quantity = d->quantity,
        .share = d->share,
        .typical = d->typical,
        .apart = d->apart,
        .copies = {0, step, 2 * step, 4 * step},
        .trips = d->trips ? d->trips : 128,
        .recipe = xmemdup(&d->recipe, sizeof d->recipe),
    };
    l->set->at = vec_grow(l->set->at, &l->cap, l->set->n + 1, sizeof c);
    l->set->at[l->set->n++] = c;
}

void add_typed(struct list *l, struct draft d, const char *opcode, enum type t)
{
    char *key = xasprintf("%s.%s", opcode, type_name(t));
    d.key = key;
    add_case(l, &d);
    free(key);
}

bool has_vectors(const struct list *l)
{
    return target_has(l->target, TARGET_VECTORS);
}

static void release_recipe(struct micro_recipe *r)
{
    while (r) {
        struct micro_recipe *next = r->second;
        free(r);
        r = next;
    }
}

void micro_release(struct micro_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        free(set->at[i].key);
        free(set->at[i].condition);
        free(set->at[i].with);
        release_recipe(set->at[i].recipe);
    }
    free(set->at);
    free(set->triple);
    free(set->cpu);
    free(set->features);
    *set = (struct micro_set){0};
}

static char *triple_of(const struct micro_target *t)
{
    char *text = t->triple && *t->triple ? LLVMNormalizeTargetTriple(t->triple) : LLVMGetDefaultTargetTriple();
    char *copy = xstrdup(text);
    LLVMDisposeMessage(text);
    return copy;
}

/* The largest power of 2 that is not larger than n. */
static size_t whole(size_t n)
{
    size_t p = 1;
    while (p <= n / 2)
        p *= 2;
    return n < 4096 ? 0 : p;
}

enum status micro_cases(struct micro_set *out, const struct micro_target *t, struct error *e)
{
    struct list l = {.set = out, .l2 = whole(t->l2), .memory = whole(t->memory)};
    LLVMTargetMachineRef machine = NULL;
    *out = (struct micro_set){.triple = triple_of(t), .cpu = xstrdup(t->cpu ? t->cpu : "")};
    out->features = xstrdup(t->features ? t->features : "");
    enum status s = micro_target(&l.target, out->triple, e);
    if (!s)
        s = target_machine(&machine, out, e);
    if (!s)
        s = target_facts(out, machine, e);
    if (machine)
        LLVMDisposeTargetMachine(machine);
    if (s) {
        micro_release(out);
        return s;
    }
    cases_arithmetic(&l);
    cases_comparison(&l);
    cases_conversion(&l);
    cases_intrinsics(&l);
    cases_memory(&l);
    cases_control(&l);
    cases_library(&l);
    cases_vectors(&l);
    cases_pairs(&l);
    return OK;
}

/* ---- instructions and keys without a case, and the reason, by the table of instructions ---- */

static const char *const patterns[IR_OPCODES] = {
#define INSTRUCTION(id_, name_, ...) [IR_##id_] = name_ "*",
#include "base/instructions.def"
};

/* C has no such instruction, or it makes no code, or it costs as much as its first stand-in. */
static struct micro_exclusion of_instruction(enum ir_opcode opcode)
{
    const struct ir_instruction *in = ir_instruction(opcode);
    return (struct micro_exclusion){patterns[opcode], ir_instruction(in->like[0])->key, in->no_case};
}

struct micro_exclusion *micro_exclusions(size_t *n)
{
    size_t n_keys;
    const struct ir_key_like *keys = ir_key_likes(&n_keys);
    struct micro_exclusion *list = xcalloc(IR_OPCODES + n_keys, sizeof *list);
    *n = 0;
    for (int op = IR_NONE + 1; op < IR_OPCODES; op++)
        if (ir_instruction((enum ir_opcode)op)->no_case)
            list[(*n)++] = of_instruction((enum ir_opcode)op);
    for (size_t i = 0; i < n_keys; i++)
        list[(*n)++] = (struct micro_exclusion){keys[i].pattern, keys[i].like, keys[i].why};
    return list;
}
