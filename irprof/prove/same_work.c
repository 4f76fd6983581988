/*
 * same_work.c - is a stamped module the original, without its stamps?
 *
 * The k-th instruction that is no stamp is the k-th of the original's function. To compare them both get the same names
 * (parameter i is a<i>, instruction k is v<k>, block k is b<k>), and then must be the same text. A block that stamping has
 * cut, or put on an edge, is called b<k>.x<n>: it belongs to block k of the original, and its name is shortened in the
 * text. Jumps into blocks of stamps alone lead to where these lead.
 */
#include "irprof/prove/same_work.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_name(LLVMValueRef v, const char *name)
{
    LLVMSetValueName2(v, name, strlen(name));
}

/* ---- texts ---- */

/* The IR as LLVM prints it, without metadata, attribute groups' numbers and the suffixes of block names. The caller
 * frees. */
static char *text_of(LLVMValueRef v)
{
    char *printed = LLVMPrintValueToString(v);
    struct str out = STR_INIT;
    bool quoted = false;
    for (const char *s = printed + strspn(printed, " "); *s; s++) {
        quoted ^= *s == '"';
        if (!quoted && (strncmp(s, ", !", 3) == 0 || strncmp(s, " !", 2) == 0))
            break;
        if (!quoted && strncmp(s, " #", 2) == 0 && isdigit((unsigned char)s[2])) {
            s += 1 + strspn(s + 2, "0123456789");
            continue;
        }
        if (!quoted && strncmp(s, ".x", 2) == 0) { /* only names that were given here contain it */
            s += 1 + strspn(s + 2, "0123456789");
            continue;
        }
        str_addch(&out, *s);
    }
    LLVMDisposeMessage(printed);
    return str_detach(&out);
}

static char *differs(const char *function, const char *base, const char *stamped)
{
    return xasprintf("function '%s': '%.160s' of the original is '%.160s'", function, base, stamped);
}

/* ---- a function ---- */

struct pairing {
    const char *function;
    LLVMValueRef base, stamped;
    VEC(LLVMValueRef) original; /* the original's instructions, in order */
    VEC(LLVMValueRef) rest;     /* the stamped module's instructions that are no stamps */
};

static bool is_stamps_alone(LLVMBasicBlockRef b)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (!mark_is_stamp(i))
            return false;
    return true;
}

typedef VEC(LLVMBasicBlockRef) blocks;

static bool is_in(const blocks *list, LLVMBasicBlockRef b)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i] == b)
            return true;
    return false;
}

/* The block to which all paths through blocks of stamps lead; NULL: there are several, or none. */
static LLVMBasicBlockRef leads_to(LLVMBasicBlockRef from)
{
    blocks seen = {0};
    LLVMBasicBlockRef found = 0;
    bool one = true;
    vec_push(&seen, from);
    for (size_t i = 0; one && i < seen.n; i++) {
        LLVMBasicBlockRef b = seen.at[i];
        if (!is_stamps_alone(b)) {
            one = !found || found == b;
            found = b;
            continue;
        }
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            if (!is_in(&seen, LLVMGetSuccessor(end, k)))
                vec_push(&seen, LLVMGetSuccessor(end, k));
    }
    vec_release(&seen);
    return one ? found : 0;
}

enum { STAMP_BLOCKS = 64 }; /* longest chain of blocks of stamps */

/* A block of stamps belongs to the block before it, and each part of a cut block to that block. */
static void name_stamp_blocks(LLVMBasicBlockRef b, const char *name, unsigned depth)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    char *longer = xasprintf("%.*s.x", (int)strcspn(name, "."), name);
    for (unsigned k = 0; depth && end && k < LLVMGetNumSuccessors(end); k++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, k);
        if (!is_stamps_alone(to) || *LLVMGetBasicBlockName(to))
            continue;
        set_name(LLVMBasicBlockAsValue(to), longer);
        name_stamp_blocks(to, longer, depth - 1);
    }
    free(longer);
}

static void clear_names(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        set_name(LLVMBasicBlockAsValue(b), "");
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            set_name(i, "");
    }
}

static bool has_value(LLVMValueRef i)
{
    return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind;
}

static void name_value(LLVMValueRef v, char letter, size_t number)
{
    char name[32];
    snprintf(name, sizeof name, "%c%zu", letter, number);
    set_name(v, name);
}

/* Names the parameters of both functions. Returns a difference. */
static char *name_parameters(struct pairing *p)
{
    unsigned n = LLVMCountParams(p->base), all = LLVMCountParams(p->stamped);
    for (unsigned i = n; i < all; i++)
        if (!mark_is_own(LLVMGetValueName(LLVMGetParam(p->stamped, i))))
            return xasprintf("function '%s' has a parameter more, whose name does not begin with %s", p->function,
                             MARK_OWN);
    if (all < n)
        return xasprintf("function '%s' has %u parameters, and had %u", p->function, all, n);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef a = LLVMGetParam(p->base, i), b = LLVMGetParam(p->stamped, i);
        char *before = LLVMPrintTypeToString(LLVMTypeOf(a)), *after = LLVMPrintTypeToString(LLVMTypeOf(b));
        char *wrong = strcmp(before, after) != 0 ? differs(p->function, before, after) : 0;
        LLVMDisposeMessage(before);
        LLVMDisposeMessage(after);
        if (wrong)
            return wrong;
        name_value(a, 'a', i);
        name_value(b, 'a', i);
    }
    return 0;
}

/* Pairs the base's instructions with those of the other that are no stamps. Their numbers must be equal. */
static char *pair_instructions(struct pairing *p)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->base); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            vec_push(&p->original, i);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->stamped); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!mark_is_stamp(i))
                vec_push(&p->rest, i);
    if (p->original.n != p->rest.n)
        return xasprintf("function '%s' has %zu instructions without the stamps, the original has %zu", p->function,
                         p->rest.n, p->original.n);
    return 0;
}

static void name_instructions(struct pairing *p)
{
    size_t block = 0;
    for (size_t k = 0; k < p->original.n; k++) {
        LLVMBasicBlockRef a = LLVMGetInstructionParent(p->original.at[k]), b = LLVMGetInstructionParent(p->rest.at[k]);
        if (LLVMGetFirstInstruction(a) == p->original.at[k]) {
            name_value(LLVMBasicBlockAsValue(a), 'b', block);
            if (!*LLVMGetBasicBlockName(b))
                name_value(LLVMBasicBlockAsValue(b), 'b', block);
            block++;
        } else if (!*LLVMGetBasicBlockName(b)) { /* the rest of a block that stamping has cut */
            char name[40];
            snprintf(name, sizeof name, "b%zu.x", block - 1);
            set_name(LLVMBasicBlockAsValue(b), name);
        }
        if (has_value(p->original.at[k]) && has_value(p->rest.at[k])) {
            name_value(p->original.at[k], 'v', k);
            name_value(p->rest.at[k], 'v', k);
        }
    }
    for (size_t k = 0; k < p->rest.n; k++)
        name_stamp_blocks(LLVMGetInstructionParent(p->rest.at[k]),
                          LLVMGetBasicBlockName(LLVMGetInstructionParent(p->rest.at[k])), STAMP_BLOCKS);
}

/* Makes the original's jumps skip blocks of stamps. A jump that is a stamp must lead to the rest of its own block. */
static char *straighten(struct pairing *p)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->stamped); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        const char *name = LLVMGetBasicBlockName(b);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            LLVMBasicBlockRef to = leads_to(LLVMGetSuccessor(end, k));
            if (!to)
                return xasprintf("function '%s': stamps jump to several places", p->function);
            if (!mark_is_stamp(end)) {
                LLVMSetSuccessor(end, k, to);
                continue;
            }
            const char *goal = LLVMGetBasicBlockName(to);
            bool same = strcspn(goal, ".") == strcspn(name, ".") && strncmp(goal, name, strcspn(name, ".")) == 0;
            if (!is_stamps_alone(b) && (!same || !strchr(goal, '.')))
                return xasprintf("function '%s': a stamp jumps out of a block of the original", p->function);
        }
    }
    return 0;
}

static char *restore_stores(struct pairing *p, const struct marks *marks)
{
    for (size_t k = 0; k < p->rest.n; k++) {
        LLVMValueRef store = p->rest.at[k];
        if (!mark_is_replaced(store))
            continue;
        char *wrong = guard_check(store, marks);
        if (wrong)
            return wrong;
        LLVMSetOperand(store, 0, LLVMGetOperand(LLVMGetOperand(store, 0), 1));
    }
    return 0;
}

static char *compare_instructions(struct pairing *p)
{
    char *wrong = 0;
    for (size_t k = 0; !wrong && k < p->original.n; k++) {
        char *a = text_of(p->original.at[k]), *b = text_of(p->rest.at[k]);
        if (strcmp(a, b) != 0)
            wrong = differs(p->function, a, b);
        free(a);
        free(b);
    }
    return wrong;
}

/* Stamps may read any memory, but write only their own. No value of the original may come from them. */
static char *check_points(struct pairing *p, const struct marks *marks)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->stamped); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            unsigned point;
            if (mark_of(i, MARK_STAMP, &point) && !marks_find(marks, point))
                return xasprintf("function '%s': an instruction is marked as point %u, which is not listed",
                                 p->function, point);
        }
    return 0;
}

static char *compare_function(LLVMValueRef base, LLVMValueRef stamped, const struct marks *marks)
{
    char *name = xstrdup(LLVMGetValueName(base));
    struct pairing p = {.function = name, .base = base, .stamped = stamped};
    char *wrong = check_points(&p, marks);
    if (!wrong)
        wrong = pair_instructions(&p);
    if (!wrong)
        wrong = restore_stores(&p, marks);
    if (!wrong)
        wrong = name_parameters(&p);
    if (!wrong) {
        clear_names(base);
        clear_names(stamped);
        name_instructions(&p);
        wrong = straighten(&p);
    }
    if (!wrong)
        wrong = compare_instructions(&p);
    vec_release(&p.original);
    vec_release(&p.rest);
    free(name);
    return wrong;
}

/* ---- a module ---- */

/* Is it something that stamping may extend? */
static bool may_grow(const char *name)
{
    static const char *const names[] = {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return mark_is_own(name);
}

/* Pairs unnamed variables by their order. */
static void name_globals(LLVMModuleRef module)
{
    size_t number = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!*LLVMGetValueName(g))
            name_value(g, 'g', number++);
}

static char *compare_globals(LLVMModuleRef base, LLVMModuleRef stamped)
{
    name_globals(base);
    name_globals(stamped);
    for (LLVMValueRef g = LLVMGetFirstGlobal(base); g; g = LLVMGetNextGlobal(g)) {
        const char *name = LLVMGetValueName(g);
        LLVMValueRef other = LLVMGetNamedGlobal(stamped, name);
        if (may_grow(name))
            continue;
        if (!other)
            return xasprintf("the variable '%s' is missing", name);
        char *a = text_of(g), *b = text_of(other), *wrong = strcmp(a, b) != 0 ? differs(name, a, b) : 0;
        free(a);
        free(b);
        if (wrong)
            return wrong;
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(stamped); g; g = LLVMGetNextGlobal(g)) {
        const char *name = LLVMGetValueName(g);
        if (!may_grow(name) && !LLVMGetNamedGlobal(base, name))
            return xasprintf("there is a new variable '%s', whose name does not begin with %s", name, MARK_OWN);
    }
    return 0;
}

char *same_work(LLVMModuleRef base, LLVMModuleRef stamped, const struct marks *marks)
{
    char *wrong = compare_globals(base, stamped);
    for (LLVMValueRef f = LLVMGetFirstFunction(base); !wrong && f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        LLVMValueRef other = LLVMGetNamedFunction(stamped, name);
        if (LLVMIsDeclaration(f))
            continue;
        wrong = other && !LLVMIsDeclaration(other) ? compare_function(f, other, marks)
                                                   : xasprintf("the function '%s' is missing", name);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(stamped); !wrong && f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        LLVMValueRef other = LLVMGetNamedFunction(base, name);
        if (!LLVMIsDeclaration(f) && !mark_is_own(name) && (!other || LLVMIsDeclaration(other)))
            wrong = xasprintf("there is a new function '%s', whose name does not begin with %s", name, MARK_OWN);
    }
    return wrong;
}
