/* parts_depend.c - finds what the parts of a function need from each other: values, memory, decisions. */
#include "irprof/depend/depend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "base/str.h"
#include "irprof/depend/looking.h"

/* ---- numbers of things ---- */

static size_t numbered(struct map *m, const void *what)
{
    char key[32];
    snprintf(key, sizeof key, "%p", what);
    return map_number(m, key);
}

bool depend_number_of(const struct map *m, const void *what, size_t *number)
{
    char key[32];
    snprintf(key, sizeof key, "%p", what);
    return map_get(m, key, number);
}

static size_t part_of_location(const struct looking *x, LLVMMetadataRef at)
{
    LLVMMetadataRef source = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
    unsigned line = LLVMDILocationGetLine(at);
    char *file = source ? llvm_file_name(source) : 0;
    size_t part = line && file ? x->parts->of(x->parts->data, file, line) : DEPEND_NONE;
    free(file);
    return part;
}

/* The part of an instruction by its line. Of inlined code, the innermost line that belongs to a part. */
static size_t part_of_line(const struct looking *x, LLVMValueRef i)
{
    size_t part = DEPEND_NONE;
    for (LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i); at && part == DEPEND_NONE;
         at = LLVMDILocationGetInlinedAt(at))
        part = part_of_location(x, at);
    return part;
}

/* Is it an unconditional jump, an alloca or a debug intrinsic? */
bool depend_is_nothing(LLVMValueRef i)
{
    size_t n;
    const char *name = LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i))
                           ? llvm_intrinsic_name(LLVMGetCalledValue(i), &n)
                           : 0;
    return LLVMIsAAllocaInst(i) || (LLVMIsATerminatorInst(i) && !LLVMIsAInvokeInst(i) && LLVMGetNumSuccessors(i) < 2) ||
           (name && (strncmp(name, "llvm.dbg", 8) == 0 || strncmp(name, "llvm.lifetime", 13) == 0));
}

static void take_spots(struct looking *x)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(x->function); b; b = LLVMGetNextBasicBlock(b)) {
        size_t block = numbered(&x->blocks, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (depend_is_nothing(i))
                continue;
            size_t first = x->effects.at.n;
            depend_effects_of(&x->effects, &x->w, i, true);
            numbered(&x->values, i);
            vec_push(&x->spots, (struct spot){i, block, part_of_line(x, i), first, x->effects.at.n - first});
        }
    }
}

/* ---- order of execution ---- */

static LLVMValueRef terminator_of(const struct looking *x, size_t block)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(x->function); b; b = LLVMGetNextBasicBlock(b), block--)
        if (block == 0)
            return LLVMGetBasicBlockTerminator(b);
    return 0;
}

static void reach_from(struct looking *x, size_t from)
{
    unsigned char *row = x->reaches + from * x->flow.n;
    VEC(size_t) todo = {0};
    vec_push(&todo, from);
    while (todo.n) {
        size_t b = todo.at[--todo.n];
        for (size_t i = 0; i < graph_n_next(&x->flow, b); i++) {
            size_t to = graph_next(&x->flow, b, i);
            if (row[to])
                continue;
            row[to] = 1;
            vec_push(&todo, to);
        }
    }
    vec_release(&todo);
}

static void take_flow(struct looking *x)
{
    x->flow.n = x->blocks.n;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(x->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef v = LLVMGetBasicBlockTerminator(b);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(v); k++)
            graph_add(&x->flow, numbered(&x->blocks, b), numbered(&x->blocks, LLVMGetSuccessor(v, k)));
    }
    graph_analyse(&x->flow);
    x->reaches = xcalloc(x->flow.n, x->flow.n);
    for (size_t b = 0; b < x->flow.n; b++)
        reach_from(x, b);
}

/* Can spot b be executed after spot a within one call? */
static bool after(const struct looking *x, size_t a, size_t b)
{
    size_t from = x->spots.at[a].block, to = x->spots.at[b].block;
    return (from == to && a < b) || x->reaches[from * x->flow.n + to];
}

/* ---- instructions without a line ---- */

/* An instruction without a line belongs to its first user's part, else to its first operand's. Any choice is correct,
 * since its dependences move with it. */
static size_t part_of_others(const struct looking *x, const struct spot *s)
{
    size_t other;
    for (LLVMUseRef u = LLVMGetFirstUse(s->value); u; u = LLVMGetNextUse(u))
        if (depend_number_of(&x->values, LLVMGetUser(u), &other) && x->spots.at[other].part != DEPEND_NONE)
            return x->spots.at[other].part;
    for (int k = 0; k < LLVMGetNumOperands(s->value); k++)
        if (depend_number_of(&x->values, LLVMGetOperand(s->value, (unsigned)k), &other) &&
            x->spots.at[other].part != DEPEND_NONE)
            return x->spots.at[other].part;
    return DEPEND_NONE;
}

/* The part of the first instruction of the block that has one. */
static size_t part_of_block(const struct looking *x, size_t block)
{
    for (size_t i = 0; i < x->spots.n; i++)
        if (x->spots.at[i].block == block && x->spots.at[i].part != DEPEND_NONE)
            return x->spots.at[i].part;
    return DEPEND_NONE;
}

/* A phi belongs to the part that decides between its incoming paths; in a loop's header, to the loop's part. */
static size_t part_of_meeting(const struct looking *x, const struct spot *s)
{
    size_t before = x->flow.dominator[s->block], decision;
    if (x->reaches[s->block * x->flow.n + s->block] && part_of_block(x, s->block) != DEPEND_NONE)
        return part_of_block(x, s->block);
    if (before != GRAPH_NONE && depend_number_of(&x->values, terminator_of(x, before), &decision))
        return x->spots.at[decision].part;
    return DEPEND_NONE;
}

static bool is_meeting(const struct looking *x, size_t spot)
{
    return LLVMIsAPHINode(x->spots.at[spot].value);
}

/* Phis first: their lines mean nothing. */
static void take_parts(struct looking *x)
{
    bool more = true;
    for (size_t i = 0; i < x->spots.n; i++)
        if (is_meeting(x, i))
            x->spots.at[i].part = DEPEND_NONE;
    while (more) {
        more = false;
        for (size_t i = x->spots.n; i-- > 0;) {
            struct spot *s = &x->spots.at[i];
            if (s->part != DEPEND_NONE)
                continue;
            s->part = is_meeting(x, i) ? part_of_meeting(x, s) : part_of_others(x, s);
            more |= s->part != DEPEND_NONE;
        }
    }
    for (size_t i = 0; i < x->spots.n; i++) {
        struct spot *s = &x->spots.at[i];
        if (s->part == DEPEND_NONE)
            s->part = x->parts->rest;
        if (x->parts->joined)
            s->part = x->parts->joined(x->parts->data, s->part);
    }
}

/* ---- dependences ---- */

static void add(struct looking *x, size_t from, size_t to, bool next, enum depend_kind kind, uint32_t object,
                int64_t lo, int64_t hi)
{
    if (from != to)
        vec_push(&x->pieces, (struct piece){from, to, next, kind, object, lo, hi});
}

static int64_t bytes_of(const struct looking *x, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMTypeIsSized(type) ? (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(x->w.modules.at[0].module), type)
                                 : 0;
}

static void add_values(struct looking *x)
{
    size_t from;
    for (size_t i = 0; i < x->spots.n; i++) {
        LLVMValueRef v = x->spots.at[i].value;
        for (int k = 0; k < LLVMGetNumOperands(v); k++) {
            LLVMValueRef operand = LLVMGetOperand(v, (unsigned)k);
            if (!LLVMIsAInstruction(operand) || LLVMIsAAllocaInst(operand) ||
                !depend_number_of(&x->values, operand, &from))
                continue;
            add(x, x->spots.at[from].part, x->spots.at[i].part, false, DEPEND_DATA, VALUES + (uint32_t)from, 0,
                bytes_of(x, operand));
        }
    }
}

/* Adds a dependence through memory. `s` is executed before `t`, in the same call or in the next. */
static void add_memory(struct looking *x, const struct spot *s, const struct spot *t, const struct depend_effect *a,
                       const struct depend_effect *b, bool next)
{
    bool data = a->write && !b->write;
    int64_t lo = a->object == b->object && b->lo > a->lo ? b->lo : a->lo,
            hi = a->object == b->object && b->hi < a->hi ? b->hi : a->hi;
    if (next && !data)
        return; /* a call ends before the next one begins */
    add(x, s->part, t->part, next, data ? DEPEND_DATA : DEPEND_ORDER, a->object, lo, hi);
}

static bool lasts(const struct looking *x, const struct depend_effect *a)
{
    return x->w.objects.at[a->object].kind != DEPEND_LOCAL;
}

static void add_pair(struct looking *x, size_t i, size_t j, const struct depend_effect *a,
                     const struct depend_effect *b)
{
    const struct spot *s = &x->spots.at[i], *t = &x->spots.at[j];
    if ((!a->write && !b->write) || !depend_overlap(&x->w, a, b))
        return;
    bool forth = after(x, i, j), back = after(x, j, i);
    if (forth)
        add_memory(x, s, t, a, b, false);
    if (back)
        add_memory(x, t, s, b, a, false);
    if (lasts(x, a) && lasts(x, b) && !forth)
        add_memory(x, s, t, a, b, true);
    if (lasts(x, a) && lasts(x, b) && !back)
        add_memory(x, t, s, b, a, true);
}

static void add_memories(struct looking *x)
{
    for (size_t i = 0; i < x->spots.n; i++)
        for (size_t j = i + 1; j < x->spots.n; j++) {
            const struct spot *s = &x->spots.at[i], *t = &x->spots.at[j];
            if (s->part == t->part)
                continue;
            for (size_t k = 0; k < s->n_effects; k++)
                for (size_t l = 0; l < t->n_effects; l++)
                    add_pair(x, i, j, &x->effects.at.at[s->first_effect + k], &x->effects.at.at[t->first_effect + l]);
        }
}

/* Control dependence (Ferrante, Ottenstein, Warren 1987): a block that a decision leads to, but that does not always
 * follow it. The dependence goes both ways, since what a part decides is inside it. */
static void add_decided(struct looking *x, size_t part, size_t block)
{
    for (size_t i = 0; i < x->spots.n; i++) {
        if (x->spots.at[i].block != block)
            continue;
        add(x, part, x->spots.at[i].part, false, DEPEND_CONTROL, 0, 0, 1);
        add(x, x->spots.at[i].part, part, false, DEPEND_CONTROL, 0, 0, 1);
    }
}

static void add_decision(struct looking *x, const struct graph *back, size_t block, size_t part)
{
    size_t stop = back->dominator[block + 1];
    for (size_t k = 0; k < graph_n_next(&x->flow, block); k++)
        for (size_t b = graph_next(&x->flow, block, k) + 1; b != stop && b != 0 && b != GRAPH_NONE;
             b = back->dominator[b])
            add_decided(x, part, b - 1);
}

void depend_flow_back(struct graph *back, const struct looking *x)
{
    *back = (struct graph){.n = x->flow.n + 1};
    for (size_t b = 0; b < x->flow.n; b++) {
        if (!graph_n_next(&x->flow, b))
            graph_add(back, 0, b + 1);
        for (size_t k = 0; k < graph_n_next(&x->flow, b); k++)
            graph_add(back, graph_next(&x->flow, b, k) + 1, b + 1);
    }
    graph_analyse(back);
}

static void add_decisions(struct looking *x)
{
    struct graph back;
    depend_flow_back(&back, x);
    for (size_t b = 0; b < x->flow.n; b++) {
        size_t spot;
        if (graph_n_next(&x->flow, b) > 1 && depend_number_of(&x->values, terminator_of(x, b), &spot))
            add_decision(x, &back, b, x->spots.at[spot].part);
    }
    graph_release(&back);
}

/* ---- the result ---- */

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->next != y->next)
        return x->next ? 1 : -1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Number of bytes of a piece that the edge does not have yet. *upto: how far the edge has the object. */
static double new_bytes(const struct looking *x, const struct piece *p, int64_t *upto)
{
    double size = p->object < VALUES ? x->w.objects.at[p->object].size : 0;
    int64_t lo = p->lo > *upto ? p->lo : *upto, hi = p->hi;
    if (p->object < VALUES && (lo <= -DEPEND_FAR || hi >= DEPEND_FAR)) {
        *upto = DEPEND_FAR;
        return size; /* all of it, as far as its size is known */
    }
    *upto = hi > *upto ? hi : *upto;
    return hi > lo ? (double)(hi - lo) : 0;
}

static bool same_edge(const struct piece *a, const struct piece *b)
{
    return a->from == b->from && a->to == b->to && a->next == b->next;
}

static char *object_name(const struct looking *x, const struct piece *p)
{
    if (p->kind == DEPEND_CONTROL || p->object >= VALUES)
        return 0;
    return xstrdup(x->w.objects.at[p->object].name);
}

static void take_edges(struct depend *out, struct looking *x)
{
    int64_t upto = -DEPEND_FAR;
    if (x->pieces.n)
        qsort(x->pieces.at, x->pieces.n, sizeof *x->pieces.at, compare_pieces);
    for (size_t i = 0; i < x->pieces.n; i++) {
        const struct piece *p = &x->pieces.at[i], *before = i ? p - 1 : 0;
        if (!before || !same_edge(before, p))
            vec_push(&out->edges, (struct depend_edge){p->from, p->to, p->kind, p->next, 0, object_name(x, p)});
        struct depend_edge *edge = &out->edges.at[out->edges.n - 1];
        if (!before || !same_edge(before, p) || before->object != p->object || before->kind != p->kind)
            upto = -DEPEND_FAR;
        if (p->kind == DEPEND_DATA)
            edge->bytes += new_bytes(x, p, &upto);
        if (p->kind == DEPEND_CONTROL)
            edge->kind = DEPEND_CONTROL;
    }
}

static void add_call(struct depend *out, size_t part, const char *callee, size_t n)
{
    for (size_t i = 0; i < out->calls.n; i++)
        if (out->calls.at[i].part == part && strcmp(out->calls.at[i].callee, callee) == 0) {
            out->calls.at[i].n += n;
            return;
        }
    vec_push(&out->calls, (struct depend_call){part, xstrdup(callee), n});
}

/* Adds a function that a part calls, and what that one calls. */
static void take_callee(struct depend *out, struct looking *x, size_t part, size_t function, char *seen)
{
    size_t n;
    if (seen[function])
        return;
    seen[function] = 1;
    const char *name = LLVMGetValueName2(x->w.values.at[function], &n);
    char *text = xstrndup(name, n);
    add_call(out, part, text, 1);
    free(text);
    LLVMValueRef f = x->w.values.at[function];
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && depend_callee(&x->w, i) != DEPEND_NONE)
                take_callee(out, x, part, depend_callee(&x->w, i), seen);
}

static void take_calls(struct depend *out, struct looking *x)
{
    for (size_t i = 0; i < x->spots.n; i++) {
        LLVMValueRef v = x->spots.at[i].value;
        size_t callee = LLVMIsACallInst(v) ? depend_callee(&x->w, v) : DEPEND_NONE;
        char *seen = xcalloc(x->w.values.n + 1, 1);
        if (callee != DEPEND_NONE)
            take_callee(out, x, x->spots.at[i].part, callee, seen);
        free(seen);
    }
}

/* Inlined callees belong to the part that called them, or to the part that called the function they stood in. */
static void take_inlined(struct depend *out, const struct looking *x)
{
    for (size_t i = 0; i < x->inlines.at.n; i++) {
        size_t part = DEPEND_NONE, k = i;
        for (; k != DEPEND_NONE && part == DEPEND_NONE; k = x->inlines.at.at[k].in) {
            const struct depend_inlined *one = &x->inlines.at.at[k];
            part = one->line && one->file ? x->parts->of(x->parts->data, one->file, one->line) : DEPEND_NONE;
        }
        part = part == DEPEND_NONE ? x->parts->rest : part;
        part = x->parts->joined ? x->parts->joined(x->parts->data, part) : part;
        add_call(out, part, x->inlines.at.at[i].name, 1);
    }
}

static void list_parts(struct depend *out, const struct looking *x)
{
    for (size_t i = 0; i < x->spots.n; i++) {
        size_t k = 0;
        while (k < out->parts.n && out->parts.at[k] != x->spots.at[i].part)
            k++;
        if (k == out->parts.n)
            vec_push(&out->parts, x->spots.at[i].part);
    }
}

/* Finds the functions under analysis, joined into one. */
static void find_function(struct looking *x, const char *function)
{
    char **names = words_of(function, ",");
    for (size_t i = 0; i < x->w.modules.n && !x->function; i++) {
        LLVMModuleRef module = x->w.modules.at[i].module;
        LLVMValueRef f = names[0] && !names[1] ? LLVMGetNamedFunction(module, function) : depend_joined(module, names);
        x->function = f && !LLVMIsDeclaration(f) ? f : 0;
        x->module = i;
        if (x->function && x->parts->inside)
            depend_inline(&x->inlines, module, x->function);
    }
    words_free(names);
}

static enum status load(struct looking *x, const char *const *modules, const char *function, struct error *e)
{
    for (size_t i = 0; modules[i]; i++) {
        struct llvm_module m = {0};
        enum status s = llvm_load(&m, modules[i], e);
        if (s)
            return s;
        vec_push(&x->w.modules, m);
    }
    find_function(x, function);
    for (size_t i = 0; i < x->w.modules.n; i++)
        llvm_run(x->w.modules.at[i].module, "function(sroa)");
    if (x->function)
        return OK;
    if (strchr(function, ','))
        return error_set(e, ERR_INPUT, AT_FILE(modules[0]),
                         "no module of the IR has all of the functions '%s'; several rates need one module", function);
    return error_set(e, ERR_INPUT, AT_FILE(modules[0]),
                     "no function '%s' in the IR; all modules of the model are needed", function);
}

enum status depend_look(struct looking *x, const char *const *modules, const char *function,
                        const struct depend_parts *parts, struct error *e)
{
    *x = (struct looking){.parts = parts};
    enum status s = load(x, modules, function, e);
    if (s)
        return s;
    depend_world_index(&x->w);
    take_spots(x);
    take_flow(x);
    take_parts(x);
    return OK;
}

void depend_look_release(struct looking *x)
{
    vec_release(&x->spots);
    vec_release(&x->effects.at);
    vec_release(&x->pieces);
    map_release(&x->blocks);
    map_release(&x->values);
    graph_release(&x->flow);
    free(x->reaches);
    depend_inlines_release(&x->inlines);
    depend_world_release(&x->w);
}

enum status depend_make(struct depend *out, const char *const *modules, const char *function,
                        const struct depend_parts *parts, struct error *e)
{
    struct looking x;
    *out = (struct depend){0};
    enum status s = depend_look(&x, modules, function, parts, e);
    if (!s) {
        add_values(&x);
        add_memories(&x);
        add_decisions(&x);
        take_edges(out, &x);
        take_calls(out, &x);
        take_inlined(out, &x);
        list_parts(out, &x);
    }
    depend_look_release(&x);
    return s;
}

void depend_release(struct depend *d)
{
    for (size_t i = 0; i < d->edges.n; i++)
        free(d->edges.at[i].object);
    for (size_t i = 0; i < d->calls.n; i++)
        free(d->calls.at[i].callee);
    vec_release(&d->edges);
    vec_release(&d->calls);
    vec_release(&d->parts);
}
