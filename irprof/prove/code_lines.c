/*
 * code_lines.c - a module compiled for its own target, and its assembly read.
 *
 * Each instruction has a number in place of its source line. The assembly says then, by .loc, of which instruction of the
 * IR each machine instruction was made.
 */
#include "irprof/prove/code_lines.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/TargetMachine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "irprof/codegen/spill_compile.h"
#include "irprof/module/child.h"
#include "irprof/module/llvm.h"
#include "irprof/prove/stamp_marks.h"

/* ---- numbers ---- */

/* The column of a location says whether the IR's instruction may read memory, or is a jump. */
enum { OTHER = 1, READS, JUMPS };

static bool reads(LLVMValueRef i)
{
    size_t n;
    const char *intrinsic = LLVMIsACallInst(i) ? llvm_intrinsic_name(LLVMGetCalledValue(i), &n) : 0;
    if (intrinsic)
        return strncmp(intrinsic, "llvm.mem", 8) == 0 || strncmp(intrinsic, "llvm.masked", 11) == 0;
    return LLVMIsALoadInst(i) || LLVMIsACallInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

static void number_function(LLVMValueRef f, LLVMDIBuilderRef d, LLVMMetadataRef file)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f));
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(d, file, 0, 0, LLVMDIFlagZero);
    LLVMMetadataRef scope =
        LLVMDIBuilderCreateFunction(d, file, "f", 1, "", 0, file, 0, type, 0, 1, 0, LLVMDIFlagZero, 1);
    LLVMSetSubprogram(f, scope);
    unsigned number = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            unsigned line = mark_is_stamp(i) ? CODE_STAMP : ++number;
            unsigned column = reads(i) ? READS : LLVMIsABranchInst(i) ? JUMPS : OTHER;
            LLVMInstructionSetDebugLoc(i, LLVMDIBuilderCreateDebugLocation(context, line, column, scope, 0));
        }
}

static void number_all(LLVMModuleRef module)
{
    static const char version[] = "Debug Info Version";
    LLVMStripModuleDebugInfo(module);
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(context), LLVMDebugMetadataVersion(), 0);
    if (!LLVMGetModuleFlag(module, version, strlen(version)))
        LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorWarning, version, strlen(version), LLVMValueAsMetadata(number));
    LLVMDIBuilderRef d = LLVMCreateDIBuilder(module);
    LLVMMetadataRef file = LLVMDIBuilderCreateFile(d, "f", 1, "", 0);
    LLVMDIBuilderCreateCompileUnit(d, LLVMDWARFSourceLanguageC, file, "", 0, 1, "", 0, 0, "", 0,
                                   LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0, "", 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            number_function(f, d, file);
    LLVMDIBuilderFinalize(d);
    LLVMDisposeDIBuilder(d);
}

/* ---- in a child: LLVM's options are global, and it may end the process ---- */

struct job {
    LLVMModuleRef module;
    char *out;
};

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

char *code_processor(LLVMModuleRef module)
{
    static const char name[] = "target-cpu";
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, sizeof name - 1);
        unsigned n = 0;
        const char *value = a && !LLVMIsDeclaration(f) ? LLVMGetStringAttributeValue(a, &n) : 0;
        if (value)
            return xstrndup(value, n);
    }
    return xstrdup("");
}

static _Noreturn void compile(void *data)
{
    const struct job *j = data;
    /* Instructions without a location get one that says so. */
    const char *arguments[] = {"irprof", "-use-unknown-locations=Enable"};
    char *message = 0, *processor = code_processor(j->module);
    LLVMTargetRef target;
    LLVMResetFatalErrorHandler();
    LLVMInstallFatalErrorHandler(give_up);
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(j->module), on_diagnostic, 0);
    LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, "");
    if (LLVMGetTargetFromTriple(LLVMGetTarget(j->module), &target, &message))
        give_up(message);
    LLVMTargetMachineRef machine =
        LLVMCreateTargetMachine(target, LLVMGetTarget(j->module), processor, "",
                                spill_unoptimised(j->module) ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault,
                                LLVMRelocPIC, LLVMCodeModelDefault);
    if (!machine)
        give_up("LLVM has no code generator for it");
    LLVMSetTargetMachineAsmVerbosity(machine, 1);
    if (LLVMTargetMachineEmitToFile(machine, j->module, j->out, LLVMAssemblyFile, &message))
        give_up(message && *message ? message : "LLVM gives no reason");
    _exit(0);
}

static enum status judge(int ended, FILE *errors, LLVMModuleRef module, const char *path, struct error *e)
{
    char line[512] = "";
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return OK;
    rewind(errors);
    if (!fgets(line, sizeof line, errors))
        snprintf(line, sizeof line, "LLVM's code generator gives no reason");
    line[strcspn(line, "\n")] = 0;
    return error_set(e, ERR_INPUT, AT_FILE(path), "cannot be compiled for '%s': %s", LLVMGetTarget(module), line);
}

/* ---- the assembly ---- */

static bool is_nvidia(const char *triple)
{
    return strncmp(triple, "nvptx", 5) == 0;
}

struct reader {
    struct code_lines *m;
    const char *triple, *comment;
    struct code_function *function; /* NULL: outside */
    unsigned number, column;
    struct code_function *kernel; /* that metadata is about; NULL: not known yet */
    struct code_needs needs;      /* what it has said so far */
};

static struct code_function *find(struct code_lines *m, const char *name, size_t n)
{
    for (size_t i = 0; i < m->functions.n; i++)
        if (strlen(m->functions.at[i].name) == n && memcmp(m->functions.at[i].name, name, n) == 0)
            return &m->functions.at[i];
    return 0;
}

static void begin_function(struct reader *r, const char *name, size_t n)
{
    static const struct code_needs unknown = {-1, -1, -1, -1, -1, -1};
    vec_push(&r->m->functions, (struct code_function){.name = xstrndup(name, n), .needs = unknown});
    r->function = &r->m->functions.at[r->m->functions.n - 1];
    r->function->needs.spills = is_nvidia(r->triple) ? -1 : 0;
    r->number = CODE_NONE;
}

/* A label without a '.' before it begins a function, or data, which has no instructions. */
static void read_label(struct reader *r, const char *line, size_t n)
{
    size_t name = strcspn(line, ":");
    if (name < n && *line != '.' && *line != '$')
        begin_function(r, line, name);
    else if (strncmp(line, ".Lfunc_end", 10) == 0)
        r->function = 0;
}

/* ".visible .entry mm(", ".func  (.param .b32 func_retval0) f(" */
static void read_nvidia(struct reader *r, const char *line, size_t n)
{
    const char *open = 0;
    if (*line == '}')
        r->function = 0;
    if (!memmem(line, n, ".entry", 6) && !memmem(line, n, ".func", 5))
        return;
    for (const char *s = line; s < line + n; s++)
        if (*s == '(' && s > line && s[-1] != ' ')
            open = s;
    const char *name = open;
    while (name && name > line && name[-1] != ' ' && name[-1] != '\t')
        name--;
    if (open && memchr(line, ';', n) == 0)
        begin_function(r, name, (size_t)(open - name));
}

/* Spills are in the comments: "8-byte Spill", "4-byte Folded Reload". */
static bool is_spill(const char *comment, size_t n)
{
    return memmem(comment, n, "Spill", 5) || memmem(comment, n, "Reload", 6);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* What belongs to no instruction of the IR, although it bears a number: waits, which are for whatever is under way, that of
 * stamps too; room (XRay's sleds); loads of arguments; copies of registers; the frame on the stack. */
static bool is_own(const struct reader *r, const char *text)
{
    size_t n = strlen(text);
    if (begins(text, "s_waitcnt") || begins(text, "s_nop") || begins(text, "nop") || begins(text, "ld.param"))
        return true;
    if (begins(text, "s_load_") && r->column == OTHER)
        return true;
    if (code_is_copy(text))
        return true;
    bool frame = (n > 6 && strcmp(text + n - 6, ", %rsp") == 0) || strstr(text, " sp, sp, ");
    return frame || begins(text, "push") || begins(text, "pop");
}

static void read_instruction(struct reader *r, const char *line, size_t n)
{
    const char *comment = memmem(line, n, r->comment, strlen(r->comment));
    size_t length = comment ? (size_t)(comment - line) : n;
    while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    if (!length)
        return;
    char *text = code_text(line, length, r->triple);
    vec_push(&r->function->lines, (struct code_line){.number = is_own(r, text) ? CODE_NONE : r->number,
                                                     .at_branch = r->column == JUMPS,
                                                     .is_long = code_is_long(line, length, r->triple),
                                                     .text = text});
    if (comment && is_spill(comment, n - (size_t)(comment - line)))
        r->function->needs.spills++;
}

/* AMDGPU's metadata: "  - .agpr_count: 0" begins a kernel, "    .name: mm" says which, "    .vgpr_count: 61" what it
 * needs; keys are in the order of the alphabet. What is indented further is about its arguments. */
static void read_metadata(struct reader *r, const char *line, size_t n)
{
    static const struct {
        const char *key;
        size_t offset;
    } keys[] = {{".sgpr_count:", offsetof(struct code_needs, scalar_registers)},
                {".vgpr_count:", offsetof(struct code_needs, vector_registers)},
                {".sgpr_spill_count:", offsetof(struct code_needs, spills)},
                {".vgpr_spill_count:", offsetof(struct code_needs, spills)},
                {".group_segment_fixed_size:", offsetof(struct code_needs, shared_memory)}};
    const char *at = line + 4;
    bool begins = n > 4 && strncmp(line, "  - ", 4) == 0;
    if (begins)
        r->needs = (struct code_needs){.registers = -1, .occupancy = -1};
    else if (n <= 4 || strncmp(line, "    .", 5) != 0)
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strncmp(at, keys[i].key, strlen(keys[i].key)) == 0)
            *(long *)((char *)&r->needs + keys[i].offset) += strtol(at + strlen(keys[i].key), 0, 10);
    if (begins)
        r->kernel = 0;
    if (strncmp(at, ".name:", 6) == 0) {
        const char *name = at + 6 + strspn(at + 6, " ");
        r->kernel = find(r->m, name, (size_t)(line + n - name));
    }
    if (r->kernel) {
        long occupancy = r->kernel->needs.occupancy;
        r->kernel->needs = r->needs;
        r->kernel->needs.occupancy = occupancy;
    }
}

/* "; Occupancy: 8": behind the function that it is about. */
static void read_remark(struct reader *r, const char *line)
{
    static const char occupancy[] = "; Occupancy: ";
    struct code_lines *m = r->m;
    if (m->functions.n && strncmp(line, occupancy, strlen(occupancy)) == 0)
        m->functions.at[m->functions.n - 1].needs.occupancy = strtol(line + strlen(occupancy), 0, 10);
}

/* "\t.loc\t1 12 1": the second number is the line. */
static void read_location(struct reader *r, const char *line)
{
    char *end;
    const char *s = line + strlen("\t.loc");
    strtol(s, &end, 10);
    r->number = (unsigned)strtoul(end, &end, 10);
    r->column = (unsigned)strtoul(end, 0, 10);
}

static void read_line(struct reader *r, const char *line, size_t n)
{
    size_t at = strspn(line, " \t");
    if (strncmp(line, "\t.loc", 5) == 0)
        read_location(r, line);
    else if (r->function && *line == '\t' && at < n && line[at] != '.' && line[at] != *r->comment && line[at] != '{')
        read_instruction(r, line + at, n - at);
    else if (*line == ' ')
        read_metadata(r, line, n);
    else if (*line == ';')
        read_remark(r, line);
    else if (is_nvidia(r->triple))
        read_nvidia(r, line, n);
    else if (n && *line != '\t' && *line != *r->comment)
        read_label(r, line, n);
}

void code_lines_read(struct code_lines *m, const char *assembly, const char *triple)
{
    struct reader r = {.m = m, .triple = triple, .comment = code_comment(triple)};
    while (*assembly) {
        size_t n = strcspn(assembly, "\n");
        read_line(&r, assembly, n);
        assembly += n + (assembly[n] == '\n');
    }
}

enum status code_lines_make(struct code_lines *m, LLVMModuleRef module, const char *path, struct error *e)
{
    *m = (struct code_lines){0};
    FILE *errors = tmpfile(), *text = tmpfile(); /* what the child writes; they have no names that could stay behind */
    char *out = text ? xasprintf("/proc/self/fd/%d", fileno(text)) : 0;
    struct str assembly = STR_INIT;
    int ended = 0;
    enum status s = errors && text ? OK : error_errno(e, NOWHERE, "cannot make a temporary file");
    llvm_know_targets();
    llvm_know_gpus();
    if (!*LLVMGetTarget(module)) {
        char *own = LLVMGetDefaultTargetTriple();
        LLVMSetTarget(module, own);
        LLVMDisposeMessage(own);
    }
    number_all(module);
    if (!s)
        s = child_run(compile, &(struct job){module, out}, errors, &ended, e);
    if (!s)
        s = judge(ended, errors, module, path, e);
    if (!s)
        s = file_read(&assembly, out, FILE_LIMIT, e);
    if (!s)
        code_lines_read(m, str_text(&assembly), LLVMGetTarget(module));
    if (!s && is_nvidia(LLVMGetTarget(module))) {
        char *processor = code_processor(module);
        s = code_ptxas(m, processor, &assembly, e);
        free(processor);
    }
    if (errors)
        fclose(errors);
    if (text)
        fclose(text);
    free(out);
    str_release(&assembly);
    return s;
}

void code_lines_release(struct code_lines *m)
{
    for (size_t i = 0; i < m->functions.n; i++) {
        struct code_function *f = &m->functions.at[i];
        for (size_t k = 0; k < f->lines.n; k++)
            free(f->lines.at[k].text);
        vec_release(&f->lines);
        free(f->name);
    }
    vec_release(&m->functions);
    free(m->assembler);
}

const struct code_function *code_lines_find(const struct code_lines *m, const char *name)
{
    for (size_t i = 0; i < m->functions.n; i++)
        if (strcmp(m->functions.at[i].name, name) == 0)
            return &m->functions.at[i];
    return 0;
}
