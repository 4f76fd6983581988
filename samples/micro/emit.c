/* emit.c - makes a module of cases: their loops, main, regions. */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "samples/micro/private.h"
#include "samples/micro/target.h"

char *micro_region(const struct micro_case *c, unsigned copies)
{
    return xasprintf("%s/%s/%u", c->key, c->condition, copies);
}

/* ---- what the module contains once ---- */

LLVMValueRef module_function(struct module *m, const char *name, LLVMTypeRef type)
{
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    return f ? f : LLVMAddFunction(m->module, name, type);
}

LLVMValueRef module_intrinsic(const struct module *m, const char *name, const LLVMTypeRef *overloads, unsigned n,
                              LLVMTypeRef *type)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (!id)
        BUG("no intrinsic %s", name);
    *type = LLVMIntrinsicGetType(m->context, id, (LLVMTypeRef *)overloads, n);
    return LLVMGetIntrinsicDeclaration(m->module, id, (LLVMTypeRef *)overloads, n);
}

LLVMTypeRef module_word(const struct module *m)
{
    return type_llvm(m->context, type_word(m->target));
}

LLVMValueRef module_bytes(struct module *m, const char *name, uint64_t bytes)
{
    LLVMValueRef g = LLVMGetNamedGlobal(m->module, name);
    if (g)
        return g;
    LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(m->context), bytes);
    g = LLVMAddGlobal(m->module, type, name);
    LLVMSetInitializer(g, LLVMConstNull(type));
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetAlignment(g, 4096);
    return g;
}

/* splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

LLVMValueRef module_random(struct module *m)
{
    static const char name[] = "micro.random";
    LLVMValueRef g = LLVMGetNamedGlobal(m->module, name);
    if (g)
        return g;
    LLVMTypeRef word = LLVMInt64TypeInContext(m->context);
    LLVMValueRef words[RANDOM_WORDS];
    uint64_t state = 1;
    for (unsigned i = 0; i < RANDOM_WORDS; i++)
        words[i] = LLVMConstInt(word, next_random(&state), false);
    g = LLVMAddGlobal(m->module, LLVMArrayType2(word, RANDOM_WORDS), name);
    LLVMSetInitializer(g, LLVMConstArray2(word, words, RANDOM_WORDS));
    LLVMSetLinkage(g, LLVMInternalLinkage);
    return g;
}

static void add_attribute(struct module *m, LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(m->context, kind, 0));
}

/* Adds weak empty functions in place of those of shim_region.h. */
static LLVMValueRef add_region_function(struct module *m, const char *name)
{
    LLVMTypeRef pointer = type_llvm(m->context, PTR), nothing = type_llvm(m->context, VOID);
    LLVMTypeRef type = LLVMFunctionType(nothing, &pointer, 1, false);
    LLVMValueRef f = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(f, LLVMWeakAnyLinkage);
    add_attribute(m, f, "noinline");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(m->context, f, ""));
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

static LLVMValueRef add_text(struct module *m, const char *text)
{
    LLVMValueRef bytes = LLVMConstStringInContext2(m->context, text, strlen(text), false);
    LLVMValueRef g = LLVMAddGlobal(m->module, LLVMTypeOf(bytes), "micro.name");
    LLVMSetInitializer(g, bytes);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(g, true);
    return g;
}

/* ---- the loop ---- */

static void merge(struct body *x, LLVMValueRef *phis, LLVMBasicBlockRef entry, LLVMValueRef *initial)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(x->b);
    for (unsigned i = 0; i < x->n_acc; i++) {
        LLVMAddIncoming(phis[i], &initial[i], &entry, 1);
        LLVMAddIncoming(phis[i], &x->acc[i], &from, 1);
    }
}

static void add_copies(struct body *x)
{
    const struct shape *s = x->shape;
    if (s->iteration)
        s->iteration(x);
    for (unsigned i = 0; i < x->n_acc; i++) /* they are in registers even with no copy */
        x->acc[i] = body_opaque(x, x->acc[i]);
    for (unsigned j = 0; j < x->k; j++)
        s->copy(x, j);
    if (s->leave)
        s->leave(x);
}

/* Emits: for (i = trips; i; i--) copies */
static void add_loop(struct body *x)
{
    LLVMValueRef phis[MAX_ACC], initial[MAX_ACC];
    LLVMTypeRef word = body_word(x);
    LLVMBasicBlockRef entry = body_block(x, "entry");
    LLVMPositionBuilderAtEnd(x->b, entry);
    x->shape->enter(x);
    entry = LLVMGetInsertBlock(x->b);
    LLVMBasicBlockRef loop = body_block(x, "loop");
    LLVMBuildBr(x->b, loop);
    LLVMPositionBuilderAtEnd(x->b, loop);
    LLVMValueRef left = LLVMBuildPhi(x->b, word, "left");
    for (unsigned i = 0; i < x->n_acc; i++) {
        initial[i] = x->acc[i];
        x->acc[i] = phis[i] = LLVMBuildPhi(x->b, LLVMTypeOf(x->acc[i]), "acc");
    }
    add_copies(x);
    LLVMValueRef one = LLVMConstInt(word, 1, false), zero = LLVMConstInt(word, 0, false);
    LLVMValueRef next = LLVMBuildSub(x->b, left, one, "left");
    LLVMValueRef more = LLVMBuildICmp(x->b, LLVMIntNE, next, zero, "");
    merge(x, phis, entry, initial);
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(x->b), done = body_block(x, "done");
    LLVMAddIncoming(left, &x->trips, &entry, 1);
    LLVMAddIncoming(left, &next, &latch, 1);
    LLVMBuildCondBr(x->b, more, loop, done);
    LLVMPositionBuilderAtEnd(x->b, done);
    for (unsigned i = 0; i < x->n_acc; i++)
        body_use(x, x->acc[i]);
    if (x->shape->finish)
        x->shape->finish(x);
    LLVMBuildRetVoid(x->b);
}

static LLVMValueRef add_function(struct module *m, const struct micro_case *c, unsigned k, const char *name)
{
    LLVMTypeRef word = module_word(m);
    LLVMTypeRef type = LLVMFunctionType(type_llvm(m->context, VOID), &word, 1, false);
    struct body x = {.m = m, .c = c, .r = c->recipe, .k = k, .shape = c->recipe->shape};
    x.function = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(x.function, LLVMInternalLinkage);
    LLVMSetAlignment(x.function, LINE); /* loops for all numbers of copies begin at the same place in a line */
    add_attribute(m, x.function, "noinline");
    add_attribute(m, x.function, "nounwind");
    x.trips = LLVMGetParam(x.function, 0);
    x.b = LLVMCreateBuilderInContext(m->context);
    add_loop(&x);
    LLVMDisposeBuilder(x.b);
    return x.function;
}

/* ---- main ---- */

static void call_void(struct module *m, LLVMValueRef f, LLVMValueRef argument)
{
    LLVMBuildCall2(m->main, LLVMGlobalGetValueType(f), f, &argument, 1, "");
}

/* Emits micro.measured(name, f, trips): a region that calls f. All of it is in one line of code. Written out in main,
 * the code after the begin of a region could be in a line that is in no cache. */
static LLVMValueRef add_measured(struct module *m)
{
    LLVMTypeRef pointer = type_llvm(m->context, PTR), word = module_word(m), none = type_llvm(m->context, VOID);
    LLVMTypeRef types[] = {pointer, pointer, word};
    LLVMValueRef f = LLVMAddFunction(m->module, "micro.measured", LLVMFunctionType(none, types, 3, false));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMSetAlignment(f, LINE);
    add_attribute(m, f, "noinline");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(m->context, f, ""));
    LLVMValueRef name = LLVMGetParam(f, 0), trips = LLVMGetParam(f, 2);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(m->begin), m->begin, &name, 1, "");
    LLVMBuildCall2(b, LLVMFunctionType(none, &word, 1, false), LLVMGetParam(f, 1), &trips, 1, "");
    LLVMBuildCall2(b, LLVMGlobalGetValueType(m->end), m->end, &name, 1, "");
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

static void call_measured(struct module *m, LLVMValueRef name, LLVMValueRef f, unsigned trips)
{
    LLVMValueRef args[] = {name, f, LLVMConstInt(module_word(m), trips, false)};
    LLVMBuildCall2(m->main, LLVMGlobalGetValueType(m->measured), m->measured, args, 3, "");
}

static void add_region(struct module *m, const struct micro_case *c, unsigned k)
{
    enum { WARM = 3 };
    char *name = micro_region(c, k);
    LLVMValueRef f = add_function(m, c, k, name);
    call_measured(m, m->warm, f, WARM);
    call_measured(m, add_text(m, name), f, c->trips);
    free(name);
}

static void add_regions(struct module *m, const struct micro_case *c)
{
    if (c->recipe->shape->prepare) {
        call_void(m, m->begin, m->warm); /* what it writes is to be in the caches */
        c->recipe->shape->prepare(m, c);
        call_void(m, m->end, m->warm);
    }
    for (unsigned i = 0; i < MICRO_COPIES; i++)
        add_region(m, c, c->copies[i]);
}

static void build(struct module *m, const size_t *which, size_t n)
{
    m->begin = add_region_function(m, "shim_region_begin");
    m->end = add_region_function(m, "shim_region_end");
    m->warm = add_text(m, "warm");
    m->measured = add_measured(m);
    LLVMTypeRef result = type_llvm(m->context, I32);
    LLVMValueRef f = LLVMAddFunction(m->module, "main", LLVMFunctionType(result, NULL, 0, false));
    m->main = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderAtEnd(m->main, LLVMAppendBasicBlockInContext(m->context, f, ""));
    for (size_t i = 0; i < n; i++)
        add_regions(m, &m->set->at[which ? which[i] : i]);
    LLVMBuildRet(m->main, LLVMConstInt(result, 0, false));
    LLVMDisposeBuilder(m->main);
}

static enum status set_target(struct module *m, struct error *e)
{
    LLVMTargetMachineRef machine;
    enum status s = target_machine(&machine, m->set, e);
    if (s)
        return s;
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(m->module, layout);
    LLVMSetTarget(m->module, m->set->triple);
    LLVMDisposeTargetData(layout);
    LLVMDisposeTargetMachine(machine);
    return OK;
}

static enum status store(struct module *m, const char *path, struct error *e)
{
    char *message = NULL;
    if (LLVMVerifyModule(m->module, LLVMReturnStatusAction, &message))
        BUG("the module is not valid: %s", message);
    LLVMDisposeMessage(message);
    size_t n = strlen(path);
    if (n > 3 && strcmp(path + n - 3, ".ll") == 0) {
        char *text = LLVMPrintModuleToString(m->module);
        enum status s = file_write(path, text, strlen(text), e);
        LLVMDisposeMessage(text);
        return s;
    }
    LLVMMemoryBufferRef bytes = LLVMWriteBitcodeToMemoryBuffer(m->module);
    enum status s = file_write(path, LLVMGetBufferStart(bytes), LLVMGetBufferSize(bytes), e);
    LLVMDisposeMemoryBuffer(bytes);
    return s;
}

enum status micro_emit(const struct micro_set *set, const size_t *which, size_t n, const char *path, struct error *e)
{
    struct module m = {.set = set};
    enum status s = micro_target(&m.target, set->triple, e);
    if (s)
        return s;
    m.context = LLVMContextCreate();
    m.module = LLVMModuleCreateWithNameInContext("micro", m.context);
    s = set_target(&m, e);
    if (!s) {
        build(&m, which, which ? n : set->n);
        s = store(&m, path, e);
    }
    LLVMDisposeModule(m.module);
    LLVMContextDispose(m.context);
    return s;
}
