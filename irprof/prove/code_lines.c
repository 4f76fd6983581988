/*
 * code_lines.c - compiles a module for its own target and reads the assembly. Each instruction has a number in place of
 * its source line. By .loc, the assembly then says from which instruction of the IR each machine instruction was made.
 */
#include "irprof/prove/code_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "irprof/codegen/generator.h"
#include "irprof/module/llvm.h"
#include "irprof/prove/stamp_marks.h"

/* ---- numbers ---- */

/* The column of a location tells whether the IR's instruction may read memory, or is a jump. */
enum { OTHER = 1, READS, JUMPS };

static bool reads(LLVMValueRef i)
{
    size_t n;
    const char *intrinsic = LLVMIsACallInst(i) ? llvm_intrinsic_name(LLVMGetCalledValue(i), &n) : 0;
    if (intrinsic)
        return strncmp(intrinsic, "llvm.mem", 8) == 0 || strncmp(intrinsic, "llvm.masked", 11) == 0;
    return LLVMIsALoadInst(i) || LLVMIsACallInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

static void number_function(struct generator_numbers *n, LLVMValueRef f)
{
    unsigned number = 0;
    generator_numbers_function(n, f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            unsigned column = reads(i) ? READS : LLVMGetInstructionOpcode(i) == LLVMBr ? JUMPS : OTHER;
            generator_number(n, i, mark_is_stamp(i) ? CODE_STAMP : ++number, column);
        }
}

static void number_all(LLVMModuleRef module)
{
    struct generator_numbers n;
    generator_numbers_begin(&n, module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            number_function(&n, f);
    generator_numbers_end(&n);
}

/* ---- the code generator ---- */

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

static void compile(void *data, char *out)
{
    LLVMModuleRef module = data;
    /* instructions without a location get one that says so */
    const char *options[] = {"irprof", "-use-unknown-locations=Enable"};
    char *message = 0, *processor = code_processor(module);
    LLVMTargetRef target;
    generator_begin(module, options, sizeof options / sizeof *options);
    if (LLVMGetTargetFromTriple(LLVMGetTarget(module), &target, &message))
        generator_give_up(message);
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(target, LLVMGetTarget(module), processor, "",
                                                           generator_level(module), LLVMRelocPIC, LLVMCodeModelDefault);
    if (machine)
        LLVMSetTargetMachineAsmVerbosity(machine, 1);
    generator_emit(machine, module, out);
}

/* ---- the assembly ---- */

static bool is_nvidia(const char *triple)
{
    return strncmp(triple, "nvptx", 5) == 0;
}

struct reader {
    struct code_lines *m;
    const char *triple, *comment;
    struct code_function *function; /* NULL: not inside a function */
    unsigned number, column;
    struct code_function *kernel; /* the kernel that the metadata is about; NULL: not known yet */
    struct code_needs needs;      /* what the metadata has said so far */
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

/* A label without a leading '.' begins a function. It may also be data, which has no instructions. */
static void read_label(struct reader *r, const char *line, size_t n)
{
    size_t name = strcspn(line, ":");
    if (name < n && *line != '.' && *line != '$')
        begin_function(r, line, name);
    else if (strncmp(line, ".Lfunc_end", 10) == 0)
        r->function = 0;
}

/* Reads ".visible .entry mm(", ".func  (.param .b32 func_retval0) f(". */
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

/* Comments mark spills: "8-byte Spill", "4-byte Folded Reload". */
static bool is_spill(const char *comment, size_t n)
{
    return memmem(comment, n, "Spill", 5) || memmem(comment, n, "Reload", 6);
}

/* Is it an instruction that belongs to none of the IR, although it has a number? Such are waits, which are for anything
 * in flight, stamps included; padding (XRay's sleds); loads of arguments; copies of registers; code for the stack
 * frame. */
static bool is_own(const struct reader *r, const char *text)
{
    size_t n = strlen(text);
    if (text_begins(text, "s_waitcnt") || text_begins(text, "s_nop") || text_begins(text, "nop") ||
        text_begins(text, "ld.param"))
        return true;
    if (text_begins(text, "s_load_") && r->column == OTHER)
        return true;
    if (code_is_copy(text))
        return true;
    bool frame = (n > 6 && strcmp(text + n - 6, ", %rsp") == 0) || strstr(text, " sp, sp, ");
    return frame || text_begins(text, "push") || text_begins(text, "pop");
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

/* AMDGPU's metadata: "  - .agpr_count: 0" begins a kernel, "    .name: mm" names it, "    .vgpr_count: 61" says what it
 * needs. Keys are in alphabetical order. Lines that are indented further are about its arguments. */
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

/* Reads "; Occupancy: 8", which follows its function. */
static void read_remark(struct reader *r, const char *line)
{
    static const char occupancy[] = "; Occupancy: ";
    struct code_lines *m = r->m;
    if (m->functions.n && strncmp(line, occupancy, strlen(occupancy)) == 0)
        m->functions.at[m->functions.n - 1].needs.occupancy = strtol(line + strlen(occupancy), 0, 10);
}

/* Reads "\t.loc\t1 12 1"; the second number is the line. */
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
    struct generator_result r = {0};
    llvm_know_targets();
    llvm_know_gpus();
    if (!*LLVMGetTarget(module)) {
        char *own = LLVMGetDefaultTargetTriple();
        LLVMSetTarget(module, own);
        LLVMDisposeMessage(own);
    }
    number_all(module);
    enum status s = generator_run(&r, compile, module, e);
    if (!s && r.failed)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "cannot be compiled for '%s': %s", LLVMGetTarget(module),
                      r.complaint);
    if (!s)
        code_lines_read(m, str_text(&r.text), LLVMGetTarget(module));
    if (!s && is_nvidia(LLVMGetTarget(module))) {
        char *processor = code_processor(module);
        s = code_ptxas(m, processor, &r.text, e);
        free(processor);
    }
    generator_release(&r);
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
