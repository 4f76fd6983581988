/* access_plan.c - loads and stores of a plan: where they go, and what they may depend on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "irprof/access/access.h"
#include "irprof/module/plan.h"

enum { LOOK = 256, SLOTS = 256 };

/* For each hash, the number of the latest base that had it. It nearly always saves the search. */
struct met {
    size_t number[SLOTS];
};

static size_t slot_of(const struct access_base *b)
{
    /* addresses of objects: their low bits say nothing */
    uint64_t value = (uint64_t)(uintptr_t)b->root / 16 + (uint64_t)(uintptr_t)b->index / 16 * 31;
    return (size_t)(value * UINT64_C(0x9e3779b97f4a7c15) >> 32) % SLOTS;
}

/* Returns what comparing with each of the latest bases would. 0: it is none of them. */
static size_t find_base(const struct plan_function *f, const struct access_base *base, struct met *met)
{
    size_t n = f->bases.n, *slot = &met->number[slot_of(base)];
    if (*slot && n - *slot < LOOK && access_same_base(&f->bases.at[*slot - 1].base, base))
        return *slot;
    for (size_t k = 0; k < n && k < LOOK; k++)
        if (access_same_base(&f->bases.at[n - 1 - k].base, base))
            return *slot = n - k;
    *slot = n + 1;
    return 0;
}

/* 1 + the base's number. A function has few bases, and the latest ones are the likely ones. */
static size_t base_number(struct plan_function *f, const struct access_base *base, struct met *met)
{
    size_t n = f->bases.n, object = n, known = find_base(f, base, met);
    if (known)
        return known;
    for (size_t k = 0; k < n && k < LOOK; k++)
        if (f->bases.at[n - 1 - k].base.object == base->object)
            object = f->bases.at[n - 1 - k].object;
    vec_push(&f->bases, (struct plan_base){*base, object});
    return n + 1;
}

/* Volatile and atomic accesses are neither moved nor joined, so nothing is said about them. */
static bool is_fixed(LLVMValueRef access)
{
    return LLVMGetVolatile(access) || LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

static void add_access(struct plan_function *f, LLVMValueRef value, size_t number, struct met *met)
{
    struct access_place place;
    if (!access_place(&place, value))
        return;
    struct plan_access a = {.instruction = number, .offset = place.offset, .size = place.size};
    if (a.size > UINT32_MAX - 1)
        a.size = 0;
    a.fixed = is_fixed(value);
    a.base = a.fixed ? 0 : base_number(f, &place.base, met);
    vec_push(&f->accesses, a);
}

static void list_accesses(struct plan_function *f)
{
    struct met met = {0};
    size_t number = 0;
    for (size_t i = 0; i < f->segments.n; i++)
        for (size_t k = 0; k < f->segments.at[i].instructions.n; k++)
            add_access(f, f->segments.at[i].instructions.at[k].value, number++, &met);
}

static size_t count_accesses(LLVMValueRef function)
{
    size_t n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            n += LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
    return n;
}

/* Takes the printed answers only if the function has exactly as many accesses, and all of them are counted. */
static void take_orders(struct plan_function *f, const struct access_function *printed)
{
    if (printed->orders.n != f->accesses.n || count_accesses(f->function) != f->accesses.n)
        return;
    for (size_t i = 0; i < f->accesses.n; i++)
        if (!f->accesses.at[i].fixed)
            f->accesses.at[i].order = printed->orders.at[i];
}

/* Numbers the printed functions as they are numbered among all functions with a body. */
static void number_printed(struct map *numbers, const struct access_functions *printed)
{
    for (size_t i = 0; i < printed->list.n; i++)
        map_put(numbers, printed->list.at[i].name, i);
}

void access_plan(struct plan *plan, LLVMModuleRef module)
{
    struct access_functions printed = {0};
    struct map numbers = {0};
    size_t defined = 0, at;
    char name[48];
    if (!plan->functions.n)
        return;
    access_orders(&printed, module);
    number_printed(&numbers, &printed);
    LLVMValueRef v = LLVMGetFirstFunction(module);
    for (size_t i = 0; v && i < plan->functions.n; v = LLVMGetNextFunction(v)) {
        struct plan_function *f = &plan->functions.at[i];
        snprintf(name, sizeof name, ACCESS_FUNCTION, defined);
        defined += !LLVMIsDeclaration(v);
        if (v != f->function)
            continue;
        list_accesses(f);
        if (map_get(&numbers, name, &at))
            take_orders(f, &printed.list.at[at]);
        i++;
    }
    map_release(&numbers);
    access_functions_release(&printed);
}
