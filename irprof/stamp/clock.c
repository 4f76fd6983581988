/* clock.c - inserts reads of the target's clock and processor number, and tells which functions are kernels. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/target.h"
#include "irprof/stamp/work.h"

static const char *const words[] = STAMP_CLOCK_WORDS;

static enum stamp_target target_of(const char *triple)
{
    return text_begins(triple, "nvptx")    ? ON_NVPTX
           : text_begins(triple, "amdgcn") ? ON_AMDGPU
           : text_begins(triple, "spir")   ? ON_SPIR
                                           : ON_CPU;
}

/* The clocks of a target, the default first. */
static size_t clocks_of(enum stamp_target target, const char *triple, enum stamp_clock out[2])
{
    const char *name = target_find(triple)->name;
    if (target == ON_NVPTX) {
        out[0] = STAMP_CLOCK64;
        out[1] = STAMP_GLOBALTIMER;
        return 2;
    }
    out[0] = target == ON_AMDGPU ? STAMP_MEMTIME : STAMP_CYCLES;
    if (target != ON_CPU)
        return 1;
    if (strcmp(name, "x86_64") == 0) {
        out[0] = STAMP_RDTSC;
        out[1] = STAMP_RDTSCP;
        return 2;
    }
    if (strcmp(name, "riscv64") == 0) {
        out[0] = STAMP_RDTIME;
        out[1] = STAMP_RDCYCLE;
        return 2;
    }
    if (strcmp(name, "aarch64") == 0)
        out[0] = STAMP_CNTVCT;
    return 1;
}

enum status target_find_clock(struct work *w, struct error *e)
{
    const char *triple = w->options->target ? w->options->target : LLVMGetTarget(w->module),
               *wanted = w->options->clock;
    enum stamp_clock clocks[2];
    w->target = target_of(triple);
    size_t n = clocks_of(w->target, triple, clocks);
    w->clock = clocks[0];
    if (!wanted)
        return OK;
    for (size_t i = 0; i < n; i++)
        if (strcmp(words[clocks[i]], wanted) == 0) {
            w->clock = clocks[i];
            return OK;
        }
    return error_set(e, ERR_INPUT, AT_FILE(w->path), "--clock %s: programs for %s have %s%s%s", wanted, triple,
                     words[clocks[0]], n > 1 ? " or " : "", n > 1 ? words[clocks[1]] : "");
}

/* ---- kernels ---- */

/* LLVM's numbers of calling conventions (llvm/IR/CallingConv.h). */
enum { CC_PTX_KERNEL = 71, CC_SPIR_KERNEL = 76, CC_AMDGPU_KERNEL = 91 };

/* !kernel_arg_type: clang describes the arguments of OpenCL's kernels. */
static bool describes_arguments(const struct work *w, LLVMValueRef function)
{
    static const char kind[] = "kernel_arg_type";
    size_t n;
    bool found = false;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(function, &n);
    for (size_t i = 0; i < n; i++)
        found |= LLVMValueMetadataEntriesGetKind(all, (unsigned)i) ==
                 LLVMGetMDKindIDInContext(w->context, kind, (unsigned)strlen(kind));
    LLVMDisposeValueMetadataEntries(all);
    return found;
}

/* !nvvm.annotations = !{!{ptr @f, !"kernel", i32 1}} */
static bool is_annotated(const struct work *w, LLVMValueRef function)
{
    unsigned n = LLVMGetNamedMetadataNumOperands(w->module, "nvvm.annotations");
    LLVMValueRef *all = xcalloc(n + 1, sizeof *all);
    bool found = false;
    if (n)
        LLVMGetNamedMetadataOperands(w->module, "nvvm.annotations", all);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef parts[3];
        unsigned length;
        if (!all[i] || LLVMGetMDNodeNumOperands(all[i]) != 3)
            continue;
        LLVMGetMDNodeOperands(all[i], parts);
        const char *word = parts[1] && LLVMIsAMDString(parts[1]) ? LLVMGetMDString(parts[1], &length) : "";
        found |= parts[0] == function && strncmp(word, "kernel", 6) == 0;
    }
    free(all);
    return found;
}

static bool is_named(const struct work *w, LLVMValueRef function)
{
    char *name = function_name(function), **all = words_of(w->options->kernels ? w->options->kernels : "", ",");
    bool found = false;
    for (char **one = all; *one; one++)
        found |= strcmp(*one, name) == 0;
    words_free(all);
    free(name);
    return found;
}

bool function_is_kernel(const struct work *w, LLVMValueRef function)
{
    unsigned convention = LLVMGetFunctionCallConv(function);
    return convention == CC_PTX_KERNEL || convention == CC_SPIR_KERNEL || convention == CC_AMDGPU_KERNEL ||
           describes_arguments(w, function) || is_annotated(w, function) || is_named(w, function);
}

/* ---- code ---- */

LLVMValueRef call_intrinsic(struct work *w, const char *name, LLVMValueRef *arguments, unsigned n, unsigned point)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (!id)
        BUG("LLVM has no %s", name);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(w->module, id, 0, 0);
    LLVMValueRef call = LLVMBuildCall2(w->b, LLVMGlobalGetValueType(f), f, arguments, n, "");
    mark_stamp(w, call, point);
    return call;
}

static LLVMValueRef read_register(struct work *w, const char *text, unsigned point)
{
    LLVMTypeRef type = LLVMFunctionType(w->word, 0, 0, 0);
    LLVMValueRef code = llvm_inline_asm(type, text, "=r,~{memory}");
    LLVMValueRef call = LLVMBuildCall2(w->b, type, code, 0, 0, "");
    mark_stamp(w, call, point);
    return call;
}

LLVMValueRef clock_read(struct work *w, unsigned point)
{
    switch (w->clock) {
    case STAMP_RDTSC:
        return call_intrinsic(w, "llvm.x86.rdtsc", 0, 0, point);
    case STAMP_RDTSCP: {
        LLVMValueRef both = call_intrinsic(w, "llvm.x86.rdtscp", 0, 0, point);
        LLVMValueRef t = LLVMBuildExtractValue(w->b, both, 0, "");
        mark_stamp(w, t, point);
        return t;
    }
    case STAMP_CNTVCT:
        return read_register(w, "mrs $0, cntvct_el0", point);
    case STAMP_RDTIME:
        return read_register(w, "rdtime $0", point);
    case STAMP_RDCYCLE:
        return read_register(w, "rdcycle $0", point);
    case STAMP_CLOCK64:
        return call_intrinsic(w, "llvm.nvvm.read.ptx.sreg.clock64", 0, 0, point);
    case STAMP_GLOBALTIMER:
        return call_intrinsic(w, "llvm.nvvm.read.ptx.sreg.globaltimer", 0, 0, point);
    case STAMP_MEMTIME:
        return call_intrinsic(w, "llvm.amdgcn.s.memtime", 0, 0, point);
    default:
        return call_intrinsic(w, "llvm.readcyclecounter", 0, 0, point);
    }
}

/* hwreg(HW_REG_HW_ID): register 4, offset 0, 32 bits, as s_getreg encodes it: id | offset << 6 | (size - 1) << 11
 * (AMD, "CDNA2 ISA", 5.6 and table of hardware registers; HW_ID: wave, SIMD, compute unit, shader engine). */
enum { HW_ID = 4 | 0 << 6 | 31 << 11 };

LLVMValueRef processor_read(struct work *w, unsigned point)
{
    LLVMValueRef id = LLVMConstInt(w->half, HW_ID, 0);
    if (w->target == ON_NVPTX)
        return call_intrinsic(w, "llvm.nvvm.read.ptx.sreg.smid", 0, 0, point);
    if (w->target == ON_AMDGPU)
        return call_intrinsic(w, "llvm.amdgcn.s.getreg", &id, 1, point);
    return LLVMConstInt(w->half, STAMP_NO_PROCESSOR, 0);
}
