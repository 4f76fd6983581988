/*
 * spill_compile.c - runs the code generator up to the insertion of prologues and epilogues. By then registers are
 * allocated and frames laid out. So all loads and stores of the final code exist, and their memory operands still say
 * what they are for. Later passes (layout of blocks, merging and duplication of their ends, pairing of loads) do not
 * change how many accesses are executed, but make it hard to tell to which block of the IR they belong.
 */
#include "irprof/codegen/spill_compile.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/target.h"
#include "irprof/codegen/generator.h"
#include "irprof/codegen/label_names.h"
#include "irprof/module/llvm.h"

/* ---- the target ---- */

struct spill_target {
    char *triple; /* owned; in LLVM's spelling */
    char *cpu;    /* owned; "": the triple's default */
    LLVMTargetRef target;
    const struct target *facts;
    enum spill_stage stage;
};

static enum status target_read(struct spill_target *t, const char *text, struct error *e)
{
    size_t n = strcspn(text, ":");
    char *triple = xstrndup(text, n), *normal = LLVMNormalizeTargetTriple(triple), *message = 0;
    *t = (struct spill_target){.triple = xstrdup(normal), .cpu = xstrdup(text[n] ? text + n + 1 : "")};
    t->facts = target_find(t->triple);
    LLVMDisposeMessage(normal);
    free(triple);
    llvm_know_targets();
    enum status s = OK;
    if (!n || LLVMGetTargetFromTriple(t->triple, &t->target, &message))
        s = usage_error(e,
                        "--spills is '%s': give TRIPLE or TRIPLE:CPU, with architecture x86_64, aarch64, arm, "
                        "riscv32 or riscv64, such as aarch64-linux-gnu:cortex-a53",
                        text);
    if (message)
        LLVMDisposeMessage(message);
    return s;
}

static void target_release(struct spill_target *t)
{
    free(t->triple);
    free(t->cpu);
}

/* ---- the copy of the module ---- */

bool spill_numbered(LLVMValueRef i)
{
    static const char debug[] = "llvm.dbg.";
    size_t n;
    const char *name = LLVMGetInstructionOpcode(i) == LLVMCall ? llvm_intrinsic_name(LLVMGetCalledValue(i), &n) : 0;
    return !name || strncmp(name, debug, strlen(debug)) != 0;
}

static void set_name(LLVMValueRef v, const char *name)
{
    LLVMSetValueName2(v, name, strlen(name));
}

/* Gives each alloca a name, so that its stack slot can be told from those of the code generator. */
static void name_values(LLVMValueRef function)
{
    char name[48];
    size_t number = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        set_name(LLVMBasicBlockAsValue(b), "");
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            set_name(i, "");
    }
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        set_name(LLVMGetParam(function, i), "");
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        snprintf(name, sizeof name, LABEL_BLOCK, number++);
        set_name(LLVMBasicBlockAsValue(b), name);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMAlloca)
                set_name(i, "variable");
    }
}

/* Sets the line of each instruction's location to the instruction's number. */
static void number_instructions(const struct generator_numbers *n, LLVMValueRef function)
{
    unsigned number = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (spill_numbered(i))
                generator_number(n, i, ++number, 0);
}

void spill_mark(LLVMModuleRef module, const struct plan *plan, bool rename)
{
    struct generator_numbers n;
    generator_numbers_begin(&n, module);
    for (size_t i = 0; i < plan->functions.n; i++) {
        LLVMValueRef f = plan->functions.at[i].function;
        char name[48];
        snprintf(name, sizeof name, LABEL_FUNCTION, i);
        if (rename)
            set_name(f, name);
        name_values(f);
        generator_numbers_function(&n, f);
        number_instructions(&n, f);
    }
    generator_numbers_end(&n);
}

/* ---- in the child ---- */

static void drop_text_attribute(LLVMValueRef f, const char *name)
{
    LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

/* Removes what the IR says about the processor. It holds for the same architecture only, and the user's choice takes
 * precedence. */
static void reset_processor(LLVMModuleRef module, const struct spill_target *t)
{
    LLVMTargetRef own;
    char *message = 0;
    bool same = !LLVMGetTargetFromTriple(LLVMGetTarget(module), &own, &message) && own == t->target;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!same)
            drop_text_attribute(f, "target-features");
        if (!same || *t->cpu) {
            drop_text_attribute(f, "target-cpu");
            drop_text_attribute(f, "tune-cpu");
        }
    }
}

static bool is_position_independent(LLVMModuleRef module)
{
    static const char flag[] = "PIC Level";
    LLVMMetadataRef level = LLVMGetModuleFlag(module, flag, strlen(flag));
    if (!level)
        return false;
    LLVMValueRef value = LLVMMetadataAsValue(LLVMGetModuleContext(module), level);
    LLVMValueRef number = LLVMGetNumOperands(value) ? LLVMGetOperand(value, 0) : value;
    return !LLVMIsAConstantInt(number) || LLVMConstIntGetZExtValue(number) > 0;
}

/* The name of the last pass to run. After prologues and epilogues, optimised code still loses constants that are
 * already in a register. Later passes pair and reorder accesses, and lose which ones are of the global offset table. */
static char *last_pass(const struct spill_target *t, bool plain)
{
    const char *pass = plain                        ? LLVM_PASS_PROLOGUES
                       : t->stage == SPILL_ACCESSES ? "machine-latecleanup"
                       : t->stage == SPILL_LAID_OUT ? "block-placement"
                                                    : t->facts->ordered_pass;
    return xasprintf("-stop-after=%s", pass);
}

static bool has_no_effect(LLVMValueRef call)
{
    static const char name[] = "memory";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef memory = LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static bool calls_square_root(LLVMValueRef i)
{
    size_t n = 0;
    LLVMValueRef callee = LLVMGetInstructionOpcode(i) == LLVMCall ? LLVMGetCalledValue(i) : NULL;
    const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
    return (n == 4 || (n == 5 && (name[4] == 'f' || name[4] == 'l'))) && memcmp(name, "sqrt", 4) == 0;
}

static void call_becomes_instruction(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call)
{
    static const char name[] = "llvm.sqrt";
    LLVMTypeRef type = LLVMTypeOf(call);
    unsigned number = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef root = LLVMGetIntrinsicDeclaration(module, number, &type, 1), operand = LLVMGetOperand(call, 0);
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef new = LLVMBuildCall2(b, LLVMGlobalGetValueType(root), root, &operand, 1, "");
    LLVMReplaceAllUsesWith(call, new);
    LLVMInstructionEraseFromParent(call);
}

/* The code generator is told to take the call for that of any function. Else that of LLVM 22 puts an instruction before it,
 * a second time. */
static void call_stays(LLVMModuleRef module, LLVMValueRef call)
{
    static const char name[] = "nobuiltin";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0));
}

static void finish_square_roots(LLVMModuleRef module)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (!calls_square_root(i))
                    continue;
                if (has_no_effect(i))
                    call_becomes_instruction(module, b, i);
                else
                    call_stays(module, i);
            }
    LLVMDisposeBuilder(b);
}

/* A square root that may have to set errno becomes the instruction, and a call if that fails. The code generator does
 * so itself, but only if it knows the target's instructions and library, which LLVM's C interface cannot tell it. */
static void inline_square_roots(LLVMModuleRef module, LLVMTargetMachineRef machine)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failed = LLVMRunPasses(module, "partially-inline-libcalls", machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (failed)
        generator_give_up(LLVMGetErrorMessage(failed));
    finish_square_roots(module);
}

struct job {
    const struct plan *plan;
    LLVMModuleRef module;
    const struct spill_target *target;
};

static void compile(void *data, char *out)
{
    const struct job *j = data;
    const struct spill_target *t = j->target;
    LLVMModuleRef module = j->module;
    spill_mark(module, j->plan, true);
    bool plain = generator_is_plain(module);
    /* blocks are neither merged nor copied before they are laid out */
    const char *options[] = {"irprof", last_pass(t, plain), "-disable-branch-fold", "-disable-tail-duplicate"};
    const size_t n_always = 2;
    generator_begin(module, options, t->stage == SPILL_LAID_OUT ? n_always : sizeof options / sizeof *options);
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
        t->target, t->triple, t->cpu, *t->cpu ? "" : t->facts->features, generator_level(module),
        is_position_independent(module) ? LLVMRelocPIC : LLVMRelocStatic, LLVMCodeModelDefault);
    if (machine) {
        reset_processor(module, t);
        LLVMSetTarget(module, t->triple);
        LLVMSetModuleDataLayout(module, LLVMCreateTargetDataLayout(machine));
        if (!plain)
            inline_square_roots(module, machine);
    }
    generator_emit(machine, module, out);
}

/* ---- the parent ---- */

static enum status judge(const struct generator_result *r, const char *target, const char *path, struct error *e)
{
    if (strstr(r->complaint, "not a recognized processor"))
        return usage_error(e,
                           "--spills is '%s': LLVM knows no such processor; those it knows are what "
                           "'clang --target=%.*s --print-supported-cpus' lists",
                           target, (int)strcspn(target, ":"), target);
    if (r->failed)
        return error_set(e, ERR_INPUT, AT_FILE(path), "cannot be compiled for %s, to count spills: %s", target,
                         r->complaint);
    return OK;
}

enum status spill_compile(struct str *mir, const struct plan *plan, LLVMModuleRef module, const char *target,
                          enum spill_stage stage, const char *path, struct error *e)
{
    struct spill_target t;
    struct generator_result r = {0};
    enum status s = target_read(&t, target, e);
    t.stage = stage;
    if (!s)
        s = generator_run(&r, compile, &(struct job){plan, module, &t}, e);
    if (!s)
        s = judge(&r, target, path, e);
    if (!s)
        str_addn(mir, str_text(&r.text), r.text.len);
    generator_release(&r);
    target_release(&t);
    return s;
}
