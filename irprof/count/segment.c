/*
 * segment.c - cuts functions into segments: sequences of instructions of one block that are executed all or none. A new
 * segment begins after each call that might not return to the next instruction, or might return there twice.
 */
#include <stdlib.h>
#include <string.h>

#include "irprof/count/flow.h"
#include "irprof/events/events.h"
#include "irprof/module/instruction_key.h"
#include "irprof/module/llvm.h"
#include "irprof/module/options.h"
#include "irprof/module/plan.h"

/* May no code stand before this instruction? Phis come first in a block, then exception pads. */
static bool leads_block(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMLandingPad:
    case LLVMCatchPad:
    case LLVMCleanupPad:
        return true;
    default:
        return false;
    }
}

/* Does a segment end after `i`? A call that LLVM knows to return exactly once does not end it: willreturn says that it
 * neither runs for ever nor ends the program, nounwind that it does not leave by an exception. */
static bool cuts(LLVMValueRef i)
{
    if (LLVMGetInstructionOpcode(i) != LLVMCall)
        return false; /* other calls end their block anyway */
    if (key_marks_region(i) || llvm_call_has(i, "returns_twice"))
        return true;
    if (llvm_is_musttail(i))
        return false; /* nothing may stand between it and its ret */
    if (llvm_is_empty_asm(LLVMGetCalledValue(i)))
        return false;
    return !(llvm_call_has(i, "willreturn") && llvm_call_has(i, "nounwind")) || llvm_call_has(i, "noreturn");
}

/* 1 + number of a file; frees the name. NULL: 0. */
static size_t file_number(struct plan *plan, char *file)
{
    size_t number = file ? map_number(&plan->files, file) + 1 : 0;
    free(file);
    return number;
}

size_t plan_instruction_place(struct plan *plan, LLVMValueRef instruction, unsigned *line)
{
    char *file;
    llvm_instruction_place(instruction, &file, line);
    size_t number = file_number(plan, file);
    if (number > plan->checksums.n)
        vec_push(&plan->checksums, llvm_instruction_checksum(instruction));
    return number;
}

size_t plan_function_place(struct plan *plan, LLVMValueRef function, unsigned *line)
{
    char *file;
    llvm_function_place(function, &file, line);
    size_t number = file_number(plan, file);
    if (number > plan->checksums.n)
        vec_push(&plan->checksums, llvm_function_checksum(function));
    return number;
}

static struct plan_part *part_for(struct plan_segment *s, size_t file, unsigned line)
{
    for (size_t i = s->parts.n; i-- > 0;)
        if (s->parts.at[i].file == file && s->parts.at[i].line == line)
            return &s->parts.at[i];
    vec_push(&s->parts, (struct plan_part){.file = file, .line = line});
    return &s->parts.at[s->parts.n - 1];
}

static size_t item_for(struct plan_part *part, size_t key)
{
    for (size_t k = 0; k < part->items.n; k++)
        if (part->items.at[k].key == key)
            return k;
    vec_push(&part->items, (struct plan_item){key, 0});
    return part->items.n - 1;
}

/* Adds the called function, or the one that an alias stands for. Intrinsics and assembly are not calls. */
static void add_call(struct plan *plan, struct plan_segment *s, LLVMValueRef i, const struct plan_part *part)
{
    LLVMValueRef callee = LLVMGetCalledValue(i);
    size_t n;
    if (LLVMIsAInlineAsm(callee) || llvm_intrinsic_name(callee, &n))
        return;
    if (LLVMIsAGlobalAlias(callee) && LLVMIsAFunction(LLVMAliasGetAliasee(callee)))
        callee = LLVMAliasGetAliasee(callee);
    struct plan_call call = {.file = part->file, .line = part->line};
    if (LLVMIsAFunction(callee) || LLVMIsAGlobalAlias(callee) || LLVMIsAGlobalIFunc(callee))
        call.callee = map_number(&plan->callees, LLVMGetValueName2(callee, &n)) + 1;
    vec_push(&s->calls, call);
}

static void add_instruction(struct plan *plan, struct plan_segment *s, LLVMValueRef i, LLVMValueRef previous)
{
    char *text = key_of(i, previous);
    unsigned line;
    size_t file = plan_instruction_place(plan, i, &line);
    struct plan_part *part = part_for(s, file, line);
    if (key_is_call(i))
        add_call(plan, s, i, part);
    memory_plan(plan, part, i);
    branch_plan(plan, part, i);
    switch_plan(plan, part, i);
    jump_plan(plan, part, i);
    size_plan(plan, part, i);
    quotient_plan(plan, part, i);
    size_t item = item_for(part, map_number(&plan->keys, text));
    part->items.at[item].times++;
    vec_push(&s->instructions, (struct plan_instruction){i, (size_t)(part - s->parts.at), item});
    free(text);
}

static void segment_release(struct plan_segment *s)
{
    for (size_t i = 0; i < s->parts.n; i++) {
        vec_release(&s->parts.at[i].items);
        vec_release(&s->parts.at[i].events);
    }
    vec_release(&s->parts);
    vec_release(&s->calls);
    vec_release(&s->instructions);
}

/* What follows a call that never returns is never executed. If that is only `unreachable`, it is no segment. */
static void segment_close(struct plan_function *f, struct plan_segment *s, bool last)
{
    if (s->parts.n || s->number == 0 || !last)
        vec_push(&f->segments, *s);
    else
        f->segments.at[f->segments.n - 1].stays = true;
    *s = (struct plan_segment){.block = s->block, .number = s->number + 1};
}

static void cut_block(struct plan *plan, struct plan_function *f, LLVMBasicBlockRef block, size_t number)
{
    struct plan_segment s = {.block = number};
    LLVMValueRef previous = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!s.at && !leads_block(i))
            s.at = i;
        if (key_counted(i)) {
            add_instruction(plan, &s, i, previous);
            previous = i;
        }
        if (cuts(i))
            segment_close(f, &s, false);
    }
    segment_close(f, &s, true);
}

size_t plan_add_counter(struct plan *plan)
{
    return plan->n_counters++;
}

void plan_add_event(struct plan *plan, struct plan_part *part, const char *event, size_t value, size_t times)
{
    vec_push(&part->events, (struct plan_event){map_number(&plan->events, event), value, times});
}

static struct plan_event *event_of(struct plan *plan, struct plan_part *part, const char *event, bool with_segment)
{
    size_t number = map_number(&plan->events, event);
    for (size_t i = 0; i < part->events.n; i++)
        if (part->events.at[i].event == number && (part->events.at[i].value == PLAN_SEGMENT) == with_segment)
            return &part->events.at[i];
    return 0;
}

void plan_event_times(struct plan *plan, struct plan_part *part, const char *event, size_t times)
{
    struct plan_event *e = event_of(plan, part, event, true);
    if (e)
        e->times += times;
    else
        plan_add_event(plan, part, event, PLAN_SEGMENT, times);
}

size_t plan_event_counter(struct plan *plan, struct plan_part *part, const char *event)
{
    struct plan_event *e = event_of(plan, part, event, false);
    if (e)
        return e->value;
    size_t counter = plan_add_counter(plan);
    plan_add_event(plan, part, event, counter, 1);
    return counter;
}

/* Why no code may be put into this function; NULL: it may. */
static const char *refusal(LLVMValueRef function)
{
    static const char *const attributes[][2] = {
        {"naked", "naked: its body is assembly alone"},
        {"noprofile", "marked no_profile_instrument_function"},
        {"skipprofile", "marked skip_profile"},
        {"disable_sanitizer_instrumentation", "marked disable_sanitizer_instrumentation"},
    };
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (llvm_function_has(function, attributes[i][0]))
            return attributes[i][1];
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (last && LLVMGetInstructionOpcode(last) == LLVMCatchSwitch)
            return "has a catchswitch, a block that takes no other code";
    }
    return 0;
}

void plan_make(struct plan *plan, LLVMModuleRef module, const struct instrument_options *options)
{
    *plan = (struct plan){.options = options};
    options_describe(&plan->settings, options);
    for (LLVMValueRef v = LLVMGetFirstFunction(module); v; v = LLVMGetNextFunction(v)) {
        /* the body of an available_externally function is never emitted: the code that runs is another module's */
        if (LLVMIsDeclaration(v) || LLVMGetLinkage(v) == LLVMAvailableExternallyLinkage || key_is_region_function(v))
            continue;
        struct plan_function f = {.function = v, .not_counted = refusal(v)};
        f.file = plan_function_place(plan, v, &f.line);
        size_t number = 0;
        LLVMBasicBlockRef block = f.not_counted ? 0 : LLVMGetFirstBasicBlock(v);
        for (; block; block = LLVMGetNextBasicBlock(block))
            cut_block(plan, &f, block, number++);
        vec_push(&plan->functions, f);
    }
}

static void function_release(struct plan_function *f)
{
    for (size_t k = 0; k < f->segments.n; k++)
        segment_release(&f->segments.at[k]);
    vec_release(&f->segments);
    vec_release(&f->accesses);
    vec_release(&f->bases);
    vec_release(&f->edges);
    vec_release(&f->loops);
    flow_free(f->flow);
}

void plan_release(struct plan *plan)
{
    for (size_t i = 0; i < plan->functions.n; i++)
        function_release(&plan->functions.at[i]);
    vec_release(&plan->functions);
    for (size_t i = 0; i < plan->derived.n; i++)
        vec_release(&plan->derived.at[i].terms);
    vec_release(&plan->derived);
    vec_release(&plan->accesses);
    vec_release(&plan->branches);
    for (size_t i = 0; i < plan->switches.n; i++) {
        free(plan->switches.at[i].ways.routes);
        vec_release(&plan->switches.at[i].ways.others);
    }
    vec_release(&plan->switches);
    vec_release(&plan->jumps);
    vec_release(&plan->sizes);
    vec_release(&plan->quotients);
    vec_release(&plan->traffic);
    vec_release(&plan->footprint);
    map_release(&plan->keys);
    map_release(&plan->files);
    for (size_t i = 0; i < plan->checksums.n; i++)
        free(plan->checksums.at[i]);
    vec_release(&plan->checksums);
    map_release(&plan->events);
    map_release(&plan->callees);
    str_release(&plan->settings);
}
