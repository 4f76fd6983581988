/*
 * The plan as the bytes that travel with the program (docs/formats/profile.md, "module
 * description"); the reader's side is description.c. What stands near each other in a
 * program is near in number too, so places and values are written as differences: most
 * take one byte.
 */
#include <stdlib.h>
#include <string.h>

#include "irprof/count/dataflow.h"
#include "irprof/access/access.h"
#include "irprof/profile/format.h"
#include "irprof/module/llvm.h"
#include "irprof/module/plan.h"

struct writer {
    struct str *out;
    const struct plan *plan;
    struct {
        size_t file; /* 1 + number; 0: unknown */
        unsigned line;
    } place;              /* the latest known one */
    size_t last[2];       /* the latest counter and the latest derived value that were written */
    size_t loop;          /* of the latest segment, as in plan_segment */
    struct dataflow flow; /* of the current function */
    size_t instruction;   /* number of the next one in the function */
};

static void put_number(struct str *out, uint64_t n)
{
    do {
        str_addch(out, (char)((n & 0x7f) | (n > 0x7f ? 0x80 : 0)));
        n >>= 7;
    } while (n);
}

static void put_text(struct str *out, const char *text, size_t n)
{
    put_number(out, n);
    str_addn(out, text, n);
}

static void put_names(struct str *out, const struct map *names)
{
    put_number(out, names->n);
    for (size_t i = 0; i < names->n; i++)
        put_text(out, names->keys[i], strlen(names->keys[i]));
}

/* For each source file: 0, or 1 and its MD5. */
static void put_checksums(struct str *out, const struct plan *plan)
{
    for (size_t i = 0; i < plan->files.n; i++) {
        const char *digits = plan->checksums.at[i];
        str_addch(out, digits ? 1 : 0);
        for (size_t k = 0; digits && k < FORMAT_CHECKSUM; k++)
            str_addch(out, (char)strtoul((char[]){digits[2 * k], digits[2 * k + 1], 0}, 0, 16));
    }
}

/* to - from, with the sign in the lowest bit. */
static uint64_t difference(uint64_t from, uint64_t to)
{
    return to >= from ? (to - from) * 2 : (from - to) * 2 - 1;
}

/* A value, as its difference to the latest one of its kind. */
static uint64_t value_number(struct writer *w, size_t value)
{
    size_t derived = value >= w->plan->n_counters, number = derived ? value - w->plan->n_counters : value;
    uint64_t n = difference(w->last[derived], number) * 2 + derived;
    w->last[derived] = number;
    return n;
}

static void put_value(struct writer *w, size_t value)
{
    put_number(w->out, value_number(w, value));
}

static void put_place(struct writer *w, size_t file, unsigned line)
{
    if (!file && !line) {
        put_number(w->out, FORMAT_PLACE_UNKNOWN);
    } else if (!line && file == w->place.file) {
        put_number(w->out, FORMAT_PLACE_NO_LINE);
    } else {
        bool other = file != w->place.file;
        put_number(w->out, FORMAT_PLACES + difference(w->place.line, line) * 2 + other);
        if (other)
            put_number(w->out, file);
        w->place.file = file;
        w->place.line = line;
    }
}

static void put_derived(struct writer *w)
{
    put_number(w->out, w->plan->derived.n);
    for (size_t i = 0; i < w->plan->derived.n; i++) {
        const struct plan_value *v = &w->plan->derived.at[i];
        put_number(w->out, v->terms.n);
        for (size_t k = 0; k < v->terms.n; k++)
            put_number(w->out, value_number(w, v->terms.at[k].value) * 2 + (v->terms.at[k].sign < 0));
    }
    w->last[0] = w->last[1] = 0;
}

/* Writes a number with a bit that tells whether `times` follows. `times` is nearly always 1, and then it is left
 * out. */
static void put_times(struct writer *w, uint64_t number, size_t times)
{
    put_number(w->out, number * 2 + (times != 1));
    if (times != 1)
        put_number(w->out, times);
}

static void put_part(struct writer *w, const struct plan_part *part)
{
    put_place(w, part->file, part->line);
    put_number(w->out, part->items.n * 2 + (part->events.n > 0));
    for (size_t i = 0; i < part->items.n; i++)
        put_times(w, part->items.at[i].key, part->items.at[i].times);
    if (part->events.n)
        put_number(w->out, part->events.n);
    for (size_t i = 0; i < part->events.n; i++) {
        const struct plan_event *event = &part->events.at[i];
        bool own = event->value != PLAN_SEGMENT;
        put_times(w, event->event * 2 + own, event->times);
        if (own)
            put_value(w, event->value);
    }
}

/* 1 + number of the part that contains a call's line; 0: none. */
static size_t part_of(const struct plan_segment *s, const struct plan_call *call)
{
    for (size_t i = s->parts.n; i-- > 0;)
        if (s->parts.at[i].file == call->file && s->parts.at[i].line == call->line)
            return i + 1;
    return 0;
}

/* Items are numbered through all parts of the segment. An operand is 1 + the distance to its producer, or 0. */
static void put_instruction(struct writer *w, const struct plan_instruction *i, size_t item)
{
    unsigned constants = dataflow_look(&w->flow, i->value);
    size_t n = w->flow.operands.n;
    put_number(w->out, (item * FORMAT_CONSTANTS + constants) * 2 + (n > 0));
    for (size_t k = 0; k < n; k++) {
        const struct dataflow_operand *o = &w->flow.operands.at[k];
        uint64_t far = o->producer == DATAFLOW_OUTSIDE ? 0 : difference(w->instruction, o->producer) + 1;
        put_number(w->out, (far * 2 + o->address) * 2 + (k + 1 < n));
    }
    w->instruction++;
}

static void put_instructions(struct writer *w, const struct plan_segment *s)
{
    size_t *first = xcalloc(s->parts.n, sizeof *first);
    for (size_t i = 1; i < s->parts.n; i++)
        first[i] = first[i - 1] + s->parts.at[i - 1].items.n;
    for (size_t i = 0; i < s->instructions.n; i++)
        put_instruction(w, &s->instructions.at[i], first[s->instructions.at[i].part] + s->instructions.at[i].item);
    free(first);
}

static void put_segment(struct writer *w, const struct plan_segment *s, const struct plan_segment *before)
{
    size_t step = s->block - (before ? before->block : 0);
    size_t usual = step || !before ? 0 : before->number + 1;
    put_number(w->out, (step * 2 + (s->loop != w->loop)) * 2 + (s->number != usual));
    if (s->loop != w->loop)
        put_number(w->out, s->loop);
    if (s->number != usual)
        put_number(w->out, s->number);
    w->loop = s->loop;
    put_value(w, s->value);
    put_number(w->out, s->parts.n * 2 + (s->calls.n > 0));
    for (size_t i = 0; i < s->parts.n; i++)
        put_part(w, &s->parts.at[i]);
    if (s->calls.n)
        put_number(w->out, s->calls.n);
    for (size_t i = 0; i < s->calls.n; i++) {
        put_number(w->out, s->calls.at[i].callee);
        put_number(w->out, part_of(s, &s->calls.at[i]));
    }
    put_instructions(w, s);
}

static void put_terminator_place(struct writer *w, LLVMValueRef terminator)
{
    char *file = 0;
    unsigned line = 0;
    size_t number;
    if (terminator)
        llvm_instruction_place(terminator, &file, &line);
    put_place(w, file && map_get(&w->plan->files, file, &number) ? number + 1 : 0, line);
    free(file);
}

static void put_edges(struct writer *w, const struct plan_function *f)
{
    put_number(w->out, f->edges.n);
    for (size_t i = 0; i < f->edges.n; i++) {
        const struct plan_edge *edge = &f->edges.at[i], *before = i ? edge - 1 : 0;
        size_t step = edge->from - (before ? before->from : 0);
        put_number(w->out, step * FORMAT_EDGE_KINDS + edge->kind);
        put_number(w->out, difference(edge->from + 1, edge->to));
        put_value(w, edge->value);
        if (step || !before)
            put_terminator_place(w, edge->terminator);
    }
}

static void put_loops(struct writer *w, const struct plan_function *f)
{
    size_t header = 0;
    put_number(w->out, f->loops.n);
    for (size_t i = 0; i < f->loops.n; i++) {
        const struct plan_loop *loop = &f->loops.at[i];
        put_number(w->out, difference(header, loop->header));
        put_number(w->out, loop->parent ? i + 1 - loop->parent : 0);
        put_place(w, loop->file, loop->line);
        put_value(w, loop->iterations);
        put_value(w, loop->repeats);
        header = loop->header;
    }
}

/* Writes a base: its kind, whether it has an index, how far back the first base of its object is, the object's size. */
static void put_base(struct writer *w, const struct plan_function *f, size_t number)
{
    const struct plan_base *b = &f->bases.at[number];
    bool indexed = b->base.index || b->base.root != b->base.object;
    put_number(w->out, access_object_kind(b->base.object) * 2 + indexed);
    put_number(w->out, number - b->object);
    put_number(w->out, access_object_size(b->base.object));
}

static void put_access(struct writer *w, const struct plan_function *f, size_t i, size_t *bases)
{
    const struct plan_access *a = &f->accesses.at[i];
    bool first = a->base > *bases;
    put_number(w->out, a->instruction - (i ? f->accesses.at[i - 1].instruction + 1 : 0));
    put_number(w->out, a->base);
    if (first)
        put_base(w, f, (*bases)++);
    put_number(w->out, a->offset < 0 ? -(uint64_t)a->offset * 2 - 1 : (uint64_t)a->offset * 2);
    put_number(w->out, a->size);
    put_number(w->out, a->order.clear * FORMAT_WRITES + a->order.write);
    if (a->order.write == IRPROF_WRITE_BLOCK || a->order.write == IRPROF_WRITE_PHI)
        put_number(w->out, a->order.block);
}

static void put_accesses(struct writer *w, const struct plan_function *f)
{
    size_t bases = 0;
    put_number(w->out, f->accesses.n);
    for (size_t i = 0; i < f->accesses.n; i++)
        put_access(w, f, i, &bases);
}

static void put_function(struct writer *w, const struct plan_function *f)
{
    size_t n;
    const char *name = LLVMGetValueName2(f->function, &n);
    LLVMLinkage linkage = LLVMGetLinkage(f->function);
    bool local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    put_text(w->out, name, n);
    put_number(w->out, (local ? FORMAT_LOCAL : 0) | (f->not_counted ? FORMAT_NOT_COUNTED : 0));
    put_place(w, f->file, f->line);
    if (f->not_counted)
        put_text(w->out, f->not_counted, strlen(f->not_counted));
    put_loops(w, f);
    w->loop = 0;
    w->instruction = 0;
    dataflow_number(&w->flow, f);
    put_number(w->out, f->segments.n);
    for (size_t i = 0; i < f->segments.n; i++)
        put_segment(w, &f->segments.at[i], i ? &f->segments.at[i - 1] : 0);
    put_edges(w, f);
    put_accesses(w, f);
}

/* Callees: a function of this module by its number, any other by its name. */
static void put_callees(struct writer *w)
{
    struct map functions = {0};
    for (size_t i = 0; i < w->plan->functions.n; i++) {
        size_t n;
        map_put(&functions, LLVMGetValueName2(w->plan->functions.at[i].function, &n), i);
    }
    put_number(w->out, w->plan->callees.n);
    for (size_t i = 0; i < w->plan->callees.n; i++) {
        const char *name = w->plan->callees.keys[i];
        size_t number;
        bool here = map_get(&functions, name, &number);
        put_number(w->out, here ? number + 1 : 0);
        if (!here)
            put_text(w->out, name, strlen(name));
    }
    map_release(&functions);
}

void describe(struct str *out, const struct plan *plan, LLVMModuleRef module, enum irprof_counters kind)
{
    size_t n;
    struct writer w = {.out = out, .plan = plan};
    str_addch(out, FORMAT_DESCRIPTION_VERSION);
    str_addch(out, (char)kind);
    const char *name = LLVMGetSourceFileName(module, &n);
    put_text(out, name, n);
    const char *target = LLVMGetTarget(module);
    put_text(out, target, strlen(target));
    put_text(out, str_text(&plan->settings), plan->settings.len);
    put_number(out, plan->n_counters);
    put_derived(&w);
    put_names(out, &plan->keys);
    put_names(out, &plan->files);
    put_checksums(out, plan);
    put_names(out, &plan->events);
    put_number(out, plan->functions.n);
    put_callees(&w);
    for (size_t i = 0; i < plan->functions.n; i++)
        put_function(&w, &plan->functions.at[i]);
    dataflow_release(&w.flow);
}
