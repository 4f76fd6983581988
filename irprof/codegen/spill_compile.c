/*
 * The code generator, stopped behind the insertion of prologues and epilogues: registers are allocated and frames laid
 * out, so that every load and store that will be there is there, and its memory operand still says what it is for. What
 * comes later (blocks laid out, merged and duplicated at their ends, pairs of loads joined) does not change how many
 * accesses are executed, but would make it hard to say which block of the IR they belong to.
 */
#include "irprof/codegen/spill_compile.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/file.h"
#include "base/target.h"
#include "irprof/module/child.h"
#include "irprof/module/llvm.h"
#include "irprof/codegen/label_names.h"

/* ---- the target ---- */

struct spill_target {
    char *triple; /* owned; as LLVM writes it */
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

/* An alloca has a name, so that its place on the stack can be told from those that the code generator makes. */
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

/* The line of an instruction's location is its number. */
static void number_instructions(LLVMValueRef function, LLVMDIBuilderRef d, LLVMMetadataRef file)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(d, file, 0, 0, LLVMDIFlagZero);
    LLVMMetadataRef scope =
        LLVMDIBuilderCreateFunction(d, file, "f", 1, "", 0, file, 0, type, 0, 1, 0, LLVMDIFlagZero, 1);
    LLVMSetSubprogram(function, scope);
    unsigned number = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (spill_numbered(i))
                LLVMInstructionSetDebugLoc(i, LLVMDIBuilderCreateDebugLocation(context, ++number, 0, scope, 0));
}

void spill_mark(LLVMModuleRef module, const struct plan *plan, bool rename)
{
    LLVMStripModuleDebugInfo(module);
    static const char version[] = "Debug Info Version";
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(context), LLVMDebugMetadataVersion(), 0);
    if (!LLVMGetModuleFlag(module, version, strlen(version)))
        LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorWarning, version, strlen(version), LLVMValueAsMetadata(number));
    LLVMDIBuilderRef d = LLVMCreateDIBuilder(module);
    LLVMMetadataRef file = LLVMDIBuilderCreateFile(d, "f", 1, "", 0);
    LLVMDIBuilderCreateCompileUnit(d, LLVMDWARFSourceLanguageC, file, "", 0, 1, "", 0, 0, "", 0,
                                   LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0, "", 0);
    for (size_t i = 0; i < plan->functions.n; i++) {
        LLVMValueRef f = plan->functions.at[i].function;
        char name[48];
        snprintf(name, sizeof name, LABEL_FUNCTION, i);
        if (rename)
            set_name(f, name);
        name_values(f);
        number_instructions(f, d, file);
    }
    LLVMDIBuilderFinalize(d);
    LLVMDisposeDIBuilder(d);
}

/* ---- in the child: no way back, errors go to standard error ---- */

static _Noreturn void give_up(const char *message)
{
    dprintf(STDERR_FILENO, "%s\n", message);
    _exit(1);
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *nothing)
{
    (void)nothing;
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
        give_up(LLVMGetDiagInfoDescription(info));
}

static void drop_text_attribute(LLVMValueRef f, const char *name)
{
    LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

/* What the IR says of the processor holds for the same architecture only, and less than what the user says. */
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

bool spill_unoptimised(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !llvm_function_has(f, "optnone"))
            return false;
    return true;
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

/* Behind prologues and epilogues optimised code loses constants that are there already; then it is paired and put into
 * its order, and it is no longer said what is the global offset table's. Blocks are left as they are: neither are their
 * ends merged nor are they copied. */
static char *last_pass(const struct spill_target *t, bool plain)
{
    const char *pass = plain                        ? "prologepilog"
                       : t->stage == SPILL_ACCESSES ? "machine-latecleanup"
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
    bool root = (n == 4 || (n == 5 && (name[4] == 'f' || name[4] == 'l'))) && memcmp(name, "sqrt", 4) == 0;
    return root && has_no_effect(i);
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

static void calls_become_instructions(LLVMModuleRef module)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (calls_square_root(i))
                    call_becomes_instruction(module, b, i);
            }
    LLVMDisposeBuilder(b);
}

/* A square root that may have to set errno: the instruction, and the call where it fails. The code generator does this
 * itself, but only if it is told what the target's instructions and library are, which LLVM's C interface has no way to
 * say. */
static void inline_square_roots(LLVMModuleRef module, LLVMTargetMachineRef machine)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failed = LLVMRunPasses(module, "partially-inline-libcalls", machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (failed)
        give_up(LLVMGetErrorMessage(failed));
    calls_become_instructions(module);
}

static _Noreturn void compile(LLVMModuleRef module, const struct spill_target *t, char *out)
{
    bool plain = spill_unoptimised(module);
    const char *arguments[] = {"irprof", last_pass(t, plain), "-disable-branch-fold", "-disable-tail-duplicate"};
    char *message = 0;
    LLVMResetFatalErrorHandler();
    LLVMInstallFatalErrorHandler(give_up);
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(module), on_diagnostic, 0);
    LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, "");
    LLVMTargetMachineRef machine =
        LLVMCreateTargetMachine(t->target, t->triple, t->cpu, *t->cpu ? "" : t->facts->features,
                                plain ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault,
                                is_position_independent(module) ? LLVMRelocPIC : LLVMRelocStatic, LLVMCodeModelDefault);
    if (!machine)
        give_up("LLVM has no code generator for it");
    reset_processor(module, t);
    LLVMSetTarget(module, t->triple);
    LLVMSetModuleDataLayout(module, LLVMCreateTargetDataLayout(machine));
    if (!plain)
        inline_square_roots(module, machine);
    if (LLVMTargetMachineEmitToFile(machine, module, out, LLVMAssemblyFile, &message))
        give_up(message && *message ? message : "LLVM gives no reason");
    _exit(0);
}

/* ---- the parent ---- */

/* The first line that the child has complained in, or how it ended. */
static char *complaint_of(FILE *errors, int ended)
{
    char line[512] = "";
    rewind(errors);
    if (fgets(line, sizeof line, errors) && strcspn(line, "\n")) {
        line[strcspn(line, "\n")] = 0;
        const char *text = strncmp(line, "error: ", 7) == 0 ? line + 7 : line;
        return xstrdup(text);
    }
    return WIFSIGNALED(ended) ? xasprintf("LLVM's code generator fails with signal %d", WTERMSIG(ended))
                              : xstrdup("LLVM's code generator gives no reason");
}

static enum status judge(int ended, FILE *errors, const char *target, const char *path, struct error *e)
{
    char *complaint = complaint_of(errors, ended);
    enum status s = OK;
    if (strstr(complaint, "not a recognized processor"))
        s = usage_error(e,
                        "--spills is '%s': LLVM knows no such processor; those it knows are what "
                        "'clang --target=%.*s --print-supported-cpus' lists",
                        target, (int)strcspn(target, ":"), target);
    else if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "cannot be compiled for %s, to count spills: %s", target, complaint);
    free(complaint);
    return s;
}

struct job {
    const struct plan *plan;
    LLVMModuleRef module;
    const struct spill_target *target;
    char *out;
};

static _Noreturn void mark_and_compile(void *data)
{
    const struct job *j = data;
    spill_mark(j->module, j->plan, true);
    compile(j->module, j->target, j->out);
}

enum status spill_compile(struct str *mir, const struct plan *plan, LLVMModuleRef module, const char *target,
                          enum spill_stage stage, const char *path, struct error *e)
{
    struct spill_target t;
    enum status s = target_read(&t, target, e);
    t.stage = stage;
    FILE *errors = tmpfile(), *text = tmpfile(); /* what the child writes; they have no names that could stay behind */
    char *out = text ? xasprintf("/proc/self/fd/%d", fileno(text)) : 0;
    int ended = 0;
    if (!s && (!errors || !text))
        s = error_errno(e, NOWHERE, "cannot make a temporary file");
    if (!s)
        s = child_run(mark_and_compile, &(struct job){plan, module, &t, out}, errors, &ended, e);
    if (!s)
        s = judge(ended, errors, target, path, e);
    if (!s && file_read(mir, out, FILE_LIMIT, e))
        s = error_set(e, ERR_UNSUPPORTED, NOWHERE, "too large to count spills in one piece: split the module");
    if (errors)
        fclose(errors);
    if (text)
        fclose(text);
    free(out);
    target_release(&t);
    return s;
}
