/* generator.c - runs LLVM's code generator in a child process, and replaces source lines by numbers for it. */
#include "irprof/codegen/generator.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "irprof/module/child.h"
#include "irprof/module/llvm.h"

/* ---- the child: it never returns, and prints errors to standard error ---- */

_Noreturn void generator_give_up(const char *message)
{
    dprintf(STDERR_FILENO, "%s\n", message);
    _exit(1);
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *nothing)
{
    (void)nothing;
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
        generator_give_up(LLVMGetDiagInfoDescription(info));
}

void generator_begin(LLVMModuleRef module, const char *const *options, int n)
{
    LLVMResetFatalErrorHandler();
    LLVMInstallFatalErrorHandler(generator_give_up);
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(module), on_diagnostic, 0);
    LLVMParseCommandLineOptions(n, options, "");
}

_Noreturn void generator_emit(LLVMTargetMachineRef machine, LLVMModuleRef module, char *out)
{
    char *message = 0;
    if (!machine)
        generator_give_up("LLVM has no code generator for it");
    if (LLVMTargetMachineEmitToFile(machine, module, out, LLVMAssemblyFile, &message))
        generator_give_up(message && *message ? message : "LLVM gives no reason");
    _exit(0);
}

bool generator_is_plain(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !llvm_function_has(f, "optnone"))
            return false;
    return true;
}

LLVMCodeGenOptLevel generator_level(LLVMModuleRef module)
{
    return generator_is_plain(module) ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault;
}

/* ---- the parent ---- */

struct job {
    void (*compile)(void *data, char *out);
    void *data;
    char *out;
};

static void compile(void *data)
{
    const struct job *j = data;
    j->compile(j->data, j->out);
}

/* The first complaint that the child has printed, or how it ended. */
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

enum status generator_run(struct generator_result *r, void (*run)(void *data, char *out), void *data, struct error *e)
{
    *r = (struct generator_result){.text = STR_INIT};
    FILE *errors = tmpfile(), *text = tmpfile(); /* what the child prints; files without a name cannot be left over */
    char *out = text ? xasprintf("/proc/self/fd/%d", fileno(text)) : 0;
    int ended = 0;
    enum status s = errors && text ? OK : error_errno(e, NOWHERE, "cannot make a temporary file");
    if (!s)
        s = child_run(compile, &(struct job){run, data, out}, errors, &ended, e);
    if (!s) {
        r->complaint = complaint_of(errors, ended);
        r->failed = !WIFEXITED(ended) || WEXITSTATUS(ended) != 0;
    }
    if (!s && !r->failed) {
        s = file_read(&r->text, out, FILE_LIMIT, e);
        if (s == ERR_INPUT) /* the text is too large */
            s = error_set(e, ERR_UNSUPPORTED, NOWHERE,
                          "its code is too large to be read in one piece: split the module");
    }
    if (errors)
        fclose(errors);
    if (text)
        fclose(text);
    free(out);
    return s;
}

void generator_release(struct generator_result *r)
{
    str_release(&r->text);
    free(r->complaint);
    r->complaint = 0;
}

/* ---- numbers in place of source lines ---- */

static void add_version(LLVMModuleRef module)
{
    static const char version[] = "Debug Info Version";
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(type, LLVMDebugMetadataVersion(), 0));
    if (!LLVMGetModuleFlag(module, version, strlen(version)))
        LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorWarning, version, strlen(version), number);
}

void generator_numbers_begin(struct generator_numbers *n, LLVMModuleRef module)
{
    LLVMStripModuleDebugInfo(module);
    add_version(module);
    *n = (struct generator_numbers){.context = LLVMGetModuleContext(module), .builder = LLVMCreateDIBuilder(module)};
    n->file = LLVMDIBuilderCreateFile(n->builder, "f", 1, "", 0);
    LLVMDIBuilderCreateCompileUnit(n->builder, LLVMDWARFSourceLanguageC, n->file, "", 0, 1, "", 0, 0, "", 0,
                                   LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0, "", 0);
}

void generator_numbers_function(struct generator_numbers *n, LLVMValueRef function)
{
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(n->builder, n->file, 0, 0, LLVMDIFlagZero);
    n->scope =
        LLVMDIBuilderCreateFunction(n->builder, n->file, "f", 1, "", 0, n->file, 0, type, 0, 1, 0, LLVMDIFlagZero, 1);
    LLVMSetSubprogram(function, n->scope);
}

void generator_number(const struct generator_numbers *n, LLVMValueRef instruction, unsigned line, unsigned column)
{
    LLVMInstructionSetDebugLoc(instruction, LLVMDIBuilderCreateDebugLocation(n->context, line, column, n->scope, 0));
}

void generator_numbers_end(struct generator_numbers *n)
{
    LLVMDIBuilderFinalize(n->builder);
    LLVMDisposeDIBuilder(n->builder);
    n->builder = 0;
}
