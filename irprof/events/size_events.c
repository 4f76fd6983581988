/*
 * size_events.c - counts how much work C library functions are asked to do, as far as an argument or the result says
 * it: bytes that memcpy copies, the length that strlen finds. The sum is an event of the call's part. A constant size
 * needs no counter; any other is added up next to the call.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"
#include "irprof/events/events.h"
#include "irprof/module/llvm.h"
#include "irprof/module/options.h"

enum { RESULT = -1, NONE = -2 };
enum { FEW_BITS = 20 };  /* larger constants are counted like variables */
enum { MOST_BITS = 31 }; /* sizes from here on are ignored: the call failed, or its size was invalid */

/* The work is `size` times `also`, which are numbers of arguments, or RESULT. */
static const struct sized {
    const char *name;
    int size, also;
} functions[] = {
    {"memcpy", 2, NONE},        {"memmove", 2, NONE},       {"mempcpy", 2, NONE},
    {"memset", 2, NONE},        {"bzero", 1, NONE},         {"memcmp", 2, NONE},
    {"bcmp", 2, NONE},          {"memchr", 2, NONE},        {"strncmp", 2, NONE},
    {"strncpy", 2, NONE},       {"strlen", RESULT, NONE},   {"strnlen", RESULT, NONE},
    {"strspn", RESULT, NONE},   {"strcspn", RESULT, NONE},  {"malloc", 0, NONE},
    {"calloc", 0, 1},           {"realloc", 1, NONE},       {"aligned_alloc", 1, NONE},
    {"qsort", 1, NONE},         {"bsearch", 2, NONE},       {"fread", 1, 2},
    {"fwrite", 1, 2},           {"printf", RESULT, NONE},   {"fprintf", RESULT, NONE},
    {"sprintf", RESULT, NONE},  {"snprintf", RESULT, NONE}, {"vprintf", RESULT, NONE},
    {"vfprintf", RESULT, NONE}, {"vsprintf", RESULT, NONE}, {"vsnprintf", RESULT, NONE},
};

/* "memcpy" for the function and for LLVM's intrinsic; "" for any other. */
static const char *name_of(LLVMValueRef call, size_t *n)
{
    static const char in_place[] = ".inline";
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = llvm_intrinsic_name(callee, n);
    if (!name) {
        bool known = LLVMIsAFunction(callee) && LLVMIsDeclaration(callee);
        name = known ? LLVMGetValueName2(callee, n) : "";
        *n = known ? *n : 0;
        return name;
    }
    size_t before = strlen(ir_form_word(IR_INTRINSIC)), end = sizeof in_place - 1;
    name += before;
    *n -= before;
    if (*n > end && memcmp(name + *n - end, in_place, end) == 0)
        *n -= end;
    return name;
}

static const struct sized *find(LLVMValueRef call)
{
    size_t n;
    const char *name = name_of(call, &n);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strlen(functions[i].name) == n && memcmp(functions[i].name, name, n) == 0)
            return &functions[i];
    return 0;
}

static bool is_number(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
}

/* The value that a number in `functions` refers to. NULL: the call has no such argument, since a program may declare
 * anything. */
static LLVMValueRef value_of(LLVMValueRef call, int which)
{
    if (which == RESULT)
        return is_number(call) ? call : 0;
    if (which < 0 || (unsigned)which >= LLVMGetNumArgOperands(call))
        return 0;
    LLVMValueRef v = LLVMGetOperand(call, (unsigned)which);
    return is_number(v) ? v : 0;
}

static bool constant(LLVMValueRef v, uint64_t *n)
{
    if (!LLVMIsAConstantInt(v))
        return false;
    *n = LLVMConstIntGetZExtValue(v);
    return true;
}

void size_plan(struct plan *plan, struct plan_part *part, LLVMValueRef i)
{
    if (!plan->options->sizes || LLVMGetInstructionOpcode(i) != LLVMCall || llvm_is_musttail(i))
        return;
    const struct sized *f = find(i);
    LLVMValueRef size = f ? value_of(i, f->size) : 0, also = f && f->also != NONE ? value_of(i, f->also) : 0;
    if (!size || (f->also != NONE && !also))
        return;
    uint64_t n, times = 1;
    char *event = xasprintf(IRPROF_SIZE "%s", f->name);
    bool known = constant(size, &n) && (!also || constant(also, &times));
    /* constants of a part are summed, and the sum has 32 bits in the profile */
    bool small = known && n >> FEW_BITS == 0 && times >> FEW_BITS == 0 && n * times >> FEW_BITS == 0;
    if (!small)
        vec_push(&plan->sizes, (struct plan_site){.at = i, .value = plan_event_counter(plan, part, event)});
    else if (n > 0 && times > 0)
        plan_event_times(plan, part, event, (size_t)(n * times));
    free(event);
}

/* ---- the code ---- */

static LLVMValueRef wide(LLVMBuilderRef b, LLVMTypeRef word, LLVMValueRef v, bool is_signed)
{
    return LLVMBuildIntCast2(b, v, word, is_signed, "");
}

static void insert(const struct plan_site *site, const struct place_target *t, LLVMBuilderRef b)
{
    const struct sized *f = find(site->at);
    LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetModuleContext(t->module));
    bool result = f->size == RESULT;
    LLVMPositionBuilderBefore(b, result ? LLVMGetNextInstruction(site->at) : site->at);
    LLVMValueRef size = wide(b, word, value_of(site->at, f->size), result);
    if (f->also != NONE)
        size = LLVMBuildMul(b, size, wide(b, word, value_of(site->at, f->also), false), "");
    LLVMValueRef sane = LLVMBuildICmp(b, LLVMIntULT, size, LLVMConstInt(word, 1ULL << MOST_BITS, 0), "");
    size = LLVMBuildSelect(b, sane, size, LLVMConstNull(word), "");
    place_add(t, b, site->value, size);
}

void size_insert(const struct plan *plan, const struct place_target *t)
{
    if (!plan->sizes.n)
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(t->module));
    for (size_t i = 0; i < plan->sizes.n; i++)
        insert(&plan->sizes.at[i], t, b);
    LLVMDisposeBuilder(b);
}
