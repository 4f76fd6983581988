/* llvm.c - hides what differs between LLVM versions (with llvm_versions.h), and LLVM's diagnostics. */
#include "irprof/module/llvm.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "base/target.h"

void llvm_know_targets(void)
{
#define KNOW(name)                                                                                                     \
    LLVMInitialize##name##TargetInfo();                                                                                \
    LLVMInitialize##name##Target();                                                                                    \
    LLVMInitialize##name##TargetMC();                                                                                  \
    LLVMInitialize##name##AsmPrinter();                                                                                \
    LLVMInitialize##name##Disassembler();
    KNOW(AArch64) KNOW(ARM) KNOW(RISCV) KNOW(X86)
}

void llvm_know_gpus(void)
{
#define KNOW_CODE(name)                                                                                                \
    LLVMInitialize##name##TargetInfo();                                                                                \
    LLVMInitialize##name##Target();                                                                                    \
    LLVMInitialize##name##TargetMC();                                                                                  \
    LLVMInitialize##name##AsmPrinter();
    KNOW_CODE(AMDGPU) KNOW_CODE(NVPTX)
}

/* Keeps an error that LLVM reports to the context. Without a handler LLVM would end the program. */
static void keep_diagnostic(LLVMDiagnosticInfoRef info, void *into)
{
    struct str *text = into;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || text->len)
        return;
    char *s = LLVMGetDiagInfoDescription(info);
    str_add(text, s);
    LLVMDisposeMessage(s);
}

/* LLVM cannot go on with its input and would abort. This function must not return. */
static void on_fatal(const char *reason)
{
    struct error e = ERROR_INIT;
    error_set(&e, ERR_INPUT, NOWHERE, "LLVM gives up on this input: %s", reason);
    error_print(&e, "irprof");
    error_release(&e);
    cleanup_now();
    _Exit(1);
}

/* LLVM's message is "<path>:LINE:COLUMN: error: TEXT\n<source line>\n<caret>", or only a text. */
static enum status parse_failed(const char *path, const char *message, const char *diagnostic, struct error *e)
{
    unsigned long line = 0;
    const char *text = message && *message ? message : diagnostic && *diagnostic ? diagnostic : "LLVM cannot read it";
    size_t n = strlen(path);
    if (strncmp(text, path, n) == 0 && text[n] == ':') {
        char *end;
        line = strtoul(text + n + 1, &end, 10);
        const char *rest = strstr(text, "error: ");
        text = rest ? rest + strlen("error: ") : end;
    } else if (strncmp(text, "error: ", 7) == 0) {
        text += 7;
    }
    return error_set(e, ERR_INPUT, AT(path, line), "not LLVM IR that this LLVM (%d) reads: %.*s", LLVM_VERSION_MAJOR,
                     (int)strcspn(text, "\n"), text);
}

static enum status load(struct llvm_module *m, const char *path, bool verified, struct error *e)
{
    struct str bytes = STR_INIT, diagnostics = STR_INIT;
    char *message = 0;
    *m = (struct llvm_module){0, 0};
    LLVMResetFatalErrorHandler();
    LLVMInstallFatalErrorHandler(on_fatal);
    enum status s = file_read(&bytes, path, FILE_LIMIT, e);
    if (s)
        return s;
    m->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(m->context, keep_diagnostic, &diagnostics);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(str_text(&bytes), bytes.len, path);
    /* takes over the buffer */
    if (LLVMParseIRInContext(m->context, buffer, &m->module, &message)) {
        m->module = 0;
        s = parse_failed(path, message, diagnostics.s, e);
    } else if (!verified) {
        char *wrong = llvm_verify(m);
        if (wrong)
            s = error_set(e, ERR_INPUT, AT_FILE(path), "not valid LLVM IR: %.*s", (int)strcspn(wrong, "\n"), wrong);
        free(wrong);
    }
    LLVMContextSetDiagnosticHandler(m->context, 0, 0);
    if (message)
        LLVMDisposeMessage(message);
    str_release(&bytes);
    str_release(&diagnostics);
    if (s)
        llvm_release(m);
    return s;
}

enum status llvm_load(struct llvm_module *m, const char *path, struct error *e)
{
    return load(m, path, false, e);
}

enum status llvm_load_compiled(struct llvm_module *m, const char *path, struct error *e)
{
    return load(m, path, true, e);
}

enum status llvm_store(const struct llvm_module *m, const char *path, struct error *e)
{
    if (path && text_ends(path, ".ll")) {
        char *text = LLVMPrintModuleToString(m->module);
        enum status s = file_write(path, text, strlen(text), e);
        LLVMDisposeMessage(text);
        return s;
    }
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(m->module);
    enum status s = file_write(path, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), e);
    LLVMDisposeMemoryBuffer(buffer);
    return s;
}

void llvm_release(struct llvm_module *m)
{
    if (m->module)
        LLVMDisposeModule(m->module);
    if (m->context)
        LLVMContextDispose(m->context);
    *m = (struct llvm_module){0, 0};
}

char *llvm_verify(const struct llvm_module *m)
{
    char *message = 0;
    char *copy = 0;
    if (LLVMVerifyModule(m->module, LLVMReturnStatusAction, &message))
        copy = xstrdup(message && *message ? message : "the verifier gives no reason");
    if (message)
        LLVMDisposeMessage(message);
    return copy;
}

static unsigned attribute_kind(const char *attribute)
{
    return LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
}

bool llvm_function_has(LLVMValueRef function, const char *attribute)
{
    unsigned kind = attribute_kind(attribute);
    return kind && LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

bool llvm_call_has(LLVMValueRef call, const char *attribute)
{
    unsigned kind = attribute_kind(attribute);
    if (!kind)
        return false;
    if (LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind))
        return true;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
}

void llvm_function_add(LLVMValueRef function, const char *attribute)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAttributeRef a = LLVMCreateEnumAttribute(context, attribute_kind(attribute), 0);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, a);
}

void llvm_call_add(LLVMValueRef call, const char *attribute)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
    LLVMAttributeRef a = LLVMCreateEnumAttribute(context, attribute_kind(attribute), 0);
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, a);
}

void llvm_function_drop(LLVMValueRef function, const char *attribute)
{
    unsigned kind = attribute_kind(attribute);
    if (kind && LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind))
        LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

void llvm_call_drop(LLVMValueRef call, const char *attribute)
{
    unsigned kind = attribute_kind(attribute);
    if (kind && LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind))
        LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
}

const char *llvm_intrinsic_name(LLVMValueRef function, size_t *length)
{
    unsigned id = LLVMIsAFunction(function) ? LLVMGetIntrinsicID(function) : 0;
    return id ? LLVMIntrinsicGetName(id, length) : 0;
}

char *llvm_opcode_name(LLVMValueRef instruction)
{
    static const struct {
        LLVMOpcode opcode;
        const char *name;
    } names[] = {
#define INSTRUCTION(id_, name_, llvm_, ...) {llvm_, name_},
#include "base/instructions.def"
    };
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].opcode == opcode)
            return xstrdup(names[i].name);
    /* newer than the table: the word that LLVM prints */
    char *text = LLVMPrintValueToString(instruction);
    const char *word = strstr(text, " = ");
    word = word ? word + 3 : text + strspn(text, " ");
    char *name = xstrndup(word, strcspn(word, " \n"));
    LLVMDisposeMessage(text);
    return name;
}

static char *scalar_name(LLVMTypeRef type, bool in_vector)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return xasprintf("i%u", LLVMGetIntTypeWidth(type));
    case LLVMHalfTypeKind:
        return xstrdup(in_vector ? "f16" : "half");
    case LLVMBFloatTypeKind:
        return xstrdup(in_vector ? "bf16" : "bfloat");
    case LLVMFloatTypeKind:
        return xstrdup(in_vector ? "f32" : "float");
    case LLVMDoubleTypeKind:
        return xstrdup(in_vector ? "f64" : "double");
    case LLVMX86_FP80TypeKind:
        return xstrdup(in_vector ? "f80" : "x86_fp80");
    case LLVMFP128TypeKind:
        return xstrdup(in_vector ? "f128" : "fp128");
    case LLVMPPC_FP128TypeKind:
        return xstrdup("ppc_fp128");
    case LLVMPointerTypeKind:
        return xstrdup("ptr");
    case LLVMX86_AMXTypeKind:
        return xstrdup("x86_amx");
    case LLVMTargetExtTypeKind:
        return xstrdup("target");
    default:
        return xstrdup("other"); /* x86_mmx, which newer LLVMs do not have any more */
    }
}

char *llvm_type_name(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    switch (kind) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMTokenTypeKind:
    case LLVMFunctionTypeKind:
        return 0;
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind:
        return xstrdup("agg");
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind: {
        char *element = scalar_name(LLVMGetElementType(type), true);
        char *name = xasprintf("%s%u%s", kind == LLVMVectorTypeKind ? "v" : "nxv", LLVMGetVectorSize(type), element);
        free(element);
        return name;
    }
    default:
        return scalar_name(type, false);
    }
}

char *llvm_file_name(LLVMMetadataRef file)
{
    unsigned n_directory = 0, n_name = 0;
    const char *directory = LLVMDIFileGetDirectory(file, &n_directory);
    const char *name = LLVMDIFileGetFilename(file, &n_name);
    if (!n_name)
        return 0;
    if (name[0] == '/' || !n_directory)
        return xstrndup(name, n_name);
    return xasprintf("%.*s/%.*s", (int)n_directory, directory, (int)n_name, name);
}

static char *scope_file(LLVMMetadataRef scope)
{
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : 0;
    return file ? llvm_file_name(file) : 0;
}

void llvm_instruction_place(LLVMValueRef instruction, char **file, unsigned *line)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    *file = location ? scope_file(LLVMDILocationGetScope(location)) : 0;
    *line = *file ? LLVMDILocationGetLine(location) : 0;
}

void llvm_function_place(LLVMValueRef function, char **file, unsigned *line)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    *file = subprogram ? scope_file(subprogram) : 0;
    *line = *file ? LLVMDISubprogramGetLine(subprogram) : 0;
}

/* LLVM-C has no call for the checksum, but prints it: !DIFile(..., checksumkind: CSK_MD5, checksum: "0123..."). Quotes
 * in names are printed as \22, so the text cannot be part of a name. */
static char *scope_checksum(LLVMValueRef anchor, LLVMMetadataRef scope)
{
    static const char before[] = "checksumkind: CSK_MD5, checksum: \"";
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : 0;
    if (!file)
        return 0;
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(anchor));
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(context, file));
    const char *at = strstr(text, before), *digits = at ? at + strlen(before) : "";
    char *checksum = strspn(digits, "0123456789abcdef") == LLVM_CHECKSUM ? xstrndup(digits, LLVM_CHECKSUM) : 0;
    LLVMDisposeMessage(text);
    return checksum;
}

char *llvm_instruction_checksum(LLVMValueRef instruction)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    return location ? scope_checksum(function, LLVMDILocationGetScope(location)) : 0;
}

char *llvm_function_checksum(LLVMValueRef function)
{
    return scope_checksum(function, LLVMGetSubprogram(function));
}

LLVMValueRef llvm_constant_bytes(LLVMContextRef context, const char *bytes, size_t n)
{
    return LLVMConstStringInContext2(context, bytes, n, 1);
}

bool llvm_is_musttail(LLVMValueRef call)
{
#if LLVM_VERSION_MAJOR >= 18
    return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
#else
    char *text = LLVMPrintValueToString(call);
    const char *word = strstr(text, "musttail call");
    const char *quote = strchr(text, '"');
    bool is = word && (!quote || word < quote);
    LLVMDisposeMessage(text);
    return is;
#endif
}

bool llvm_is_empty_asm(LLVMValueRef value)
{
    if (!LLVMIsAInlineAsm(value))
        return false;
    char *text = llvm_asm_part(value, 0);
    bool empty = true;
    for (const char *p = text; empty && *p; p++)
        if (strncmp(p, "\\09", 3) == 0 || strncmp(p, "\\0A", 3) == 0) /* LLVM prints tabs and line ends like this */
            p += 2;
        else
            empty = *p == ' ';
    free(text);
    return empty;
}

/* The operands of an instruction's metadata of a kind. The caller frees. NULL: none. */
static LLVMValueRef *metadata_of(LLVMValueRef i, const char *kind, unsigned *n)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(i));
    LLVMValueRef node = LLVMGetMetadata(i, LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind)));
    if (!node)
        return 0;
    *n = (unsigned)LLVMGetMDNodeNumOperands(node);
    LLVMValueRef *operands = xcalloc(*n, sizeof *operands);
    LLVMGetMDNodeOperands(node, operands);
    return operands;
}

static bool is_word(LLVMValueRef v, const char *word)
{
    unsigned n;
    const char *s = v && LLVMIsAMDString(v) ? LLVMGetMDString(v, &n) : 0;
    return s && n == strlen(word) && memcmp(s, word, n) == 0;
}

bool llvm_loop_must_progress(LLVMValueRef terminator)
{
    unsigned n;
    bool found = false;
    LLVMValueRef *operands = metadata_of(terminator, "llvm.loop", &n);
    for (unsigned i = 1; operands && i < n; i++) { /* the first one is the node itself */
        if (!operands[i] || !LLVMIsAMDNode(operands[i]) || LLVMGetMDNodeNumOperands(operands[i]) != 1)
            continue;
        LLVMValueRef word;
        LLVMGetMDNodeOperands(operands[i], &word);
        found |= is_word(word, "llvm.loop.mustprogress");
    }
    free(operands);
    return found;
}

double *llvm_branch_weights(LLVMValueRef terminator)
{
    unsigned n, first = 1, successors = LLVMGetNumSuccessors(terminator);
    double sum = 0, *weights = 0;
    LLVMValueRef *operands = metadata_of(terminator, "prof", &n);
    if (operands && n > 1 && is_word(operands[0], "branch_weights")) {
        if (is_word(operands[1], "expected"))
            first = 2;
        weights = n - first >= successors ? xcalloc(successors, sizeof *weights) : 0;
        for (unsigned i = first; weights && i < n; i++) {
            double w = LLVMIsAConstantInt(operands[i]) ? (double)LLVMConstIntGetZExtValue(operands[i]) : 0;
            sum += w;
            if (i - first < successors)
                weights[i - first] = w;
        }
    }
    free(operands);
    for (unsigned k = 0; weights && sum > 0 && k < successors; k++)
        weights[k] /= sum;
    if (sum > 0)
        return weights;
    free(weights);
    return 0;
}

bool llvm_call_is_quiet(LLVMValueRef call)
{
    size_t n;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee))
        return false;
    const char *name = llvm_intrinsic_name(callee, &n);
    if (!llvm_call_has(call, "willreturn") || !llvm_call_has(call, "nounwind"))
        return name && strncmp(name, "llvm.dbg", 8) == 0;
    if (!name)
        return llvm_call_has(call, "nosync");
    /* memcpy, memmove, memset: the last argument says whether the access is volatile */
    if (strncmp(name, "llvm.mem", 8) != 0)
        return true;
    LLVMValueRef last = LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1);
    return !LLVMIsAConstantInt(last) || LLVMConstIntGetZExtValue(last) == 0;
}

void llvm_copy_traits(LLVMValueRef to, LLVMValueRef from)
{
    size_t n;
    const char *name = LLVMGetValueName2(from, &n);
    char *copy = xstrndup(name, n);
    LLVMSetValueName2(from, "", 0);
    LLVMSetValueName2(to, copy, n);
    free(copy);
    LLVMInstructionSetDebugLoc(to, LLVMInstructionGetDebugLoc(from));
    if (LLVMCanValueUseFastMathFlags(from))
        LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
}

LLVMValueRef llvm_thread_address(LLVMBuilderRef b, LLVMValueRef variable)
{
    static const char name[] = "llvm.threadlocal.address";
    LLVMModuleRef module = LLVMGetGlobalParent(variable);
    LLVMTypeRef pointer = LLVMTypeOf(variable);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, strlen(name)), &pointer, 1);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, &variable, 1, "");
}

/* Targets that do not know preserve_most refuse it. */
LLVMCallConv llvm_cold_convention(LLVMModuleRef module)
{
    bool knows = target_has(target_find(LLVMGetTarget(module)), TARGET_PRESERVES_MOST);
    return knows ? LLVMPreserveMostCallConv : LLVMCCallConv;
}

void llvm_set_weights(LLVMValueRef branch, unsigned if_true, unsigned if_false)
{
    static const char kind[] = "prof", name[] = "branch_weights";
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(branch));
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    LLVMMetadataRef operands[] = {
        LLVMMDStringInContext2(context, name, strlen(name)),
        LLVMValueAsMetadata(LLVMConstInt(word, if_true, 0)),
        LLVMValueAsMetadata(LLVMConstInt(word, if_false, 0)),
    };
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, operands, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, kind, strlen(kind)), LLVMMetadataAsValue(context, node));
}

void llvm_run(LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef wrong = LLVMRunPasses(module, passes, 0, options);
    if (wrong)
        BUG("%s: %s", passes, LLVMGetErrorMessage(wrong));
    LLVMDisposePassBuilderOptions(options);
}
