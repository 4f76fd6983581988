/* spill.c - counts a target's spills: loads and stores of the machine code that the IR does not have. */
#include "irprof/codegen/spill.h"

#include <stdlib.h>
#include <string.h>

#include "base/target.h"
#include "irprof/codegen/branch_code.h"
#include "irprof/codegen/code_map.h"
#include "irprof/codegen/label.h"
#include "irprof/codegen/spill_compile.h"
#include "irprof/codegen/spill_mir.h"

/* NULL: the event is not counted. */
static const char *const events[MIR_EVENTS] = {
    [MIR_LOAD] = "TARGET_LOAD",        [MIR_STORE] = "TARGET_STORE",          [MIR_STACK_LOAD] = "SPILL_LOAD",
    [MIR_STACK_STORE] = "SPILL_STORE", [MIR_CONSTANT_LOAD] = "CONSTANT_LOAD", [MIR_WIDE] = "TARGET_WIDE",
    [MIR_FLOPS] = "TARGET_FLOPS",
#define EVENTS(name, latency, event, wait) [MIR_CLASS + TARGET_##name] = (event), [MIR_WAIT + TARGET_##name] = (wait),
    TARGET_CLASS_LIST(EVENTS)};

/* Where a part's event of a value stands: the edges of a switch of 20,000 cases are all of one part. Zero-initialised is
 * empty. */
struct event_place {
    const struct plan_part *part; /* NULL: the place is free */
    size_t event, value, at;
};
struct event_places {
    struct event_place *slots; /* [n_slots], a power of two */
    size_t n_slots, n;
};

struct spiller {
    struct plan *plan;
    struct event_places places;
    struct plan_function *f;
    struct irprof_spot *spots;
    size_t n_spots;
    size_t from, to; /* range in `events` that is added */
};

/* Number of uses and definitions of values in registers. */
static size_t register_accesses(LLVMValueRef i)
{
    size_t defined = LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind, used = 0;
    int operands = LLVMGetNumOperands(i);
    for (int k = 0; k < operands; k++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        used += LLVMIsAInstruction(v) || LLVMIsAArgument(v);
    }
    /* a phi reads one of its operands */
    return defined + (used > 1 && LLVMGetInstructionOpcode(i) == LLVMPHI ? 1 : used);
}

static bool is_nowhere(struct irprof_spot s)
{
    return s.segment == IRPROF_NONE || s.part == IRPROF_NONE;
}

static struct event_place *place_of(const struct event_places *p, struct event_place key)
{
    uint64_t h = hash_bytes(HASH_START, &key.part, sizeof key.part);
    h = hash_bytes(h, &key.event, sizeof key.event);
    size_t i = (size_t)hash_bytes(h, &key.value, sizeof key.value) & (p->n_slots - 1);
    for (;; i = (i + 1) & (p->n_slots - 1)) {
        struct event_place *at = &p->slots[i];
        if (!at->part || (at->part == key.part && at->event == key.event && at->value == key.value))
            return at;
    }
}

static void grow_places(struct event_places *p)
{
    struct event_places old = *p;
    p->n_slots = old.n_slots ? 2 * old.n_slots : 64;
    p->slots = xcalloc(p->n_slots, sizeof *p->slots);
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.slots[i].part)
            *place_of(p, old.slots[i]) = old.slots[i];
    free(old.slots);
}

static void add_event(struct spiller *w, struct irprof_spot at, const char *event, size_t value, size_t times)
{
    struct plan_part *part = &w->f->segments.at[at.segment].parts.at[at.part];
    struct event_place key = {part, map_number(&w->plan->events, event), value, part->events.n};
    if (2 * w->places.n >= w->places.n_slots)
        grow_places(&w->places);
    struct event_place *place = place_of(&w->places, key);
    if (place->part) {
        part->events.at[place->at].times += times;
        return;
    }
    *place = key;
    w->places.n++;
    plan_add_event(w->plan, part, event, value, times);
}

static void count_registers(struct spiller *w)
{
    size_t number = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->f->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (spill_numbered(i) && !is_nowhere(w->spots[++number]))
                add_event(w, w->spots[number], "REGISTER_ACCESS", PLAN_SEGMENT, register_accesses(i));
}

/* ---- what a machine block contains ---- */

static struct irprof_spot spot_of(const struct spiller *w, size_t place)
{
    return w->spots[place < w->n_spots ? place : 0];
}

/* The part of the counted instruction of `segment` that is nearest to instruction `at` of the machine block. A load
 * belongs to what follows it, a store to what came before. */
static uint32_t near(const struct spiller *w, const struct mir_block *b, size_t at, uint32_t segment, bool load)
{
    for (int turn = 0; turn < 2; turn++) {
        bool forwards = load == (turn == 0);
        for (size_t i = at; i < b->instructions.n; i = forwards ? i + 1 : i - 1) {
            struct irprof_spot s = spot_of(w, b->instructions.at[i].place);
            if (s.segment == segment && s.part != IRPROF_NONE)
                return s.part;
        }
    }
    return w->f->segments.at[segment].parts.n ? 0 : IRPROF_NONE;
}

/* The first or the last segment of a block in which something is counted. Segments are in the order of blocks. */
static uint32_t segment_of(const struct plan_function *f, size_t block, bool last)
{
    uint32_t low = 0, high = (uint32_t)f->segments.n, found = IRPROF_NONE;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->segments.at[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low; i < f->segments.n && f->segments.at[i].block == block; i++)
        if (f->segments.at[i].parts.n && (last || found == IRPROF_NONE))
            found = i;
    return found;
}

static void add_to_edges(struct spiller *w, const struct mir_block *b, const struct code_rate *rate)
{
    size_t times[MIR_EVENTS] = {0};
    for (size_t i = 0; i < b->instructions.n; i++)
        for (size_t k = w->from; k < w->to; k++)
            times[k] += b->instructions.at[i].counts[k];
    for (size_t i = 0; i < rate->edges.n; i++) {
        const struct plan_edge *edge = &w->f->edges.at[rate->edges.at[i]];
        uint32_t segment = segment_of(w->f, edge->from, true);
        if (segment == IRPROF_NONE)
            continue;
        struct irprof_spot at = {(uint32_t)edge->from, segment, (uint32_t)w->f->segments.at[segment].parts.n - 1};
        for (size_t k = w->from; k < w->to; k++)
            if (times[k] && events[k])
                add_event(w, at, events[k], edge->value, times[k]);
    }
}

/* The segment in which the machine block begins. Calls are never reordered. So what stands before a call is in the
 * call's segment, or in an earlier one whose call is in a machine block before this one. */
static uint32_t first_segment(const struct spiller *w, const struct mir_block *b, uint32_t block)
{
    uint32_t found = IRPROF_NONE;
    for (size_t i = 0; i < b->instructions.n; i++) {
        struct irprof_spot s = spot_of(w, b->instructions.at[i].place);
        if (s.block != block || s.segment == IRPROF_NONE)
            continue;
        /* a call that is not counted, such as the begin of a region, ends its segment too */
        if (b->instructions.at[i].call)
            return s.segment;
        if (found == IRPROF_NONE && b->ir_block != block && s.part != IRPROF_NONE)
            found = s.segment;
    }
    return found == IRPROF_NONE ? segment_of(w->f, block, false) : found;
}

static void add_to_block(struct spiller *w, const struct mir_block *b, uint32_t block)
{
    uint32_t segment = first_segment(w, b, block);
    for (size_t i = 0; i < b->instructions.n && segment != IRPROF_NONE; i++) {
        const struct mir_instruction *m = &b->instructions.at[i];
        for (size_t k = w->from; k < w->to; k++) {
            if (!m->counts[k] || !events[k])
                continue;
            struct irprof_spot at = {block, segment, near(w, b, i, segment, k != MIR_STACK_STORE && k != MIR_STORE)};
            if (!is_nowhere(at))
                add_event(w, at, events[k], PLAN_SEGMENT, m->counts[k]);
        }
        struct irprof_spot next = spot_of(w, m->place + 1);
        if (m->call && m->place && next.block == block && next.segment != IRPROF_NONE && next.segment > segment &&
            w->f->segments.at[next.segment].parts.n)
            segment = next.segment;
    }
}

static bool has_events(const struct spiller *w, const struct mir_block *b)
{
    for (size_t i = 0; i < b->instructions.n; i++)
        for (size_t k = w->from; k < w->to; k++)
            if (b->instructions.at[i].counts[k] && events[k])
                return true;
    return false;
}

static void map_code(struct code_map *map, const struct mir_function *m, const struct plan_function *f)
{
    code_map_init(map, &m->graph, 0);
    for (size_t i = 0; i < m->blocks.n; i++)
        if (m->blocks.at[i].ir_block != MIR_NONE)
            code_map_name(map, i, m->blocks.at[i].ir_block);
    for (size_t i = 0; i < f->edges.n; i++)
        code_map_edge(map, f->edges.at[i].from, f->edges.at[i].to);
    code_map_link(map);
}

static void add_function(struct spiller *w, const struct mir_function *m)
{
    struct code_map map;
    map_code(&map, m, w->f);
    for (size_t i = 0; i < m->blocks.n; i++) {
        if (!has_events(w, &m->blocks.at[i]))
            continue;
        struct code_rate rate;
        code_rate(&map, i, &rate);
        if (rate.edges.n)
            add_to_edges(w, &m->blocks.at[i], &rate);
        else if (rate.block != MIR_NONE)
            add_to_block(w, &m->blocks.at[i], (uint32_t)rate.block);
        vec_release(&rate.edges);
    }
    code_map_release(&map);
}

static void add_all(struct plan *plan, const struct mir *mir, enum spill_stage stage)
{
    struct spiller w = {.plan = plan,
                        .from = stage == SPILL_ACCESSES ? 0 : MIR_ACCESSES,
                        .to = stage == SPILL_ACCESSES ? MIR_ACCESSES : MIR_EVENTS};
    for (size_t i = 0; i < mir->functions.n; i++) {
        const struct mir_function *m = &mir->functions.at[i];
        w.f = m->number < plan->functions.n ? &plan->functions.at[m->number] : 0;
        if (!w.f || w.f->not_counted)
            continue;
        w.n_spots = label_spots(&w.spots, plan, w.f);
        if (stage == SPILL_ACCESSES)
            count_registers(&w);
        add_function(&w, m);
        free(w.spots);
    }
    free(w.places.slots);
}

static enum status add_stage(struct plan *plan, LLVMModuleRef module, const char *target, enum spill_stage stage,
                             const char *path, struct error *e)
{
    struct str text = STR_INIT;
    struct mir mir = {0};
    enum status s = spill_compile(&text, plan, module, target, stage, path, e);
    if (!s)
        s = mir_parse(&mir, str_text(&text), target_find(target), e);
    if (!s && !mir.functions.n && plan->functions.n)
        s = error_set(e, ERR_UNSUPPORTED, NOWHERE, "this LLVM does not show the machine code of %s", target);
    if (!s && stage == SPILL_LAID_OUT)
        branch_code(plan, &mir);
    else if (!s)
        add_all(plan, &mir, stage);
    mir_release(&mir);
    str_release(&text);
    return s;
}

enum status spill_plan(struct plan *plan, LLVMModuleRef module, const char *target, const char *path, struct error *e)
{
    enum status s = add_stage(plan, module, target, SPILL_ACCESSES, path, e);
    if (!s)
        s = add_stage(plan, module, target, SPILL_ORDERED, path, e);
    if (!s && (plan->branches.n || plan->switches.n))
        s = add_stage(plan, module, target, SPILL_LAID_OUT, path, e);
    /* all events exist from the start, so that a program without them reports 0 */
    for (size_t i = 0; i < MIR_EVENTS; i++)
        if (events[i])
            map_number(&plan->events, events[i]);
    str_addf(&plan->settings, "%sspills=%s", plan->settings.len ? " " : "", target);
    return s;
}
