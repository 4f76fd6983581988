/*
 * irinterp - runs the main of LLVM IR modules and counts what it executes. See oracle.h.
 *
 *     irinterp [--total] [-o COUNTS.csv] FILE.bc... [-- ARGUMENT...]
 *
 * Several files are linked first. The program's exit status is passed on; 3 is the interpreter's own: something is not
 * supported or not well-formed, and there are no counts.
 */
#include "oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>

#include "refs.h"

static const char *output;
static bool with_total;
static struct refs functions;  /* LLVM's function -> ours */
static struct refs by_address; /* address -> ours, of those interpreted */

void refuse(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fflush(stdout);
    fputs("irinterp: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    fflush(stderr);
    _exit(STATUS_REFUSED);
}

void refuse_value(LLVMValueRef v, const char *what)
{
    refuse("%s:%s", what, LLVMPrintValueToString(v));
}

void program_ends(void)
{
    fflush(stdout);
    counts_write(output, with_total);
}

/* ---- functions ---- */

static struct function *object(uint64_t v)
{
    return (struct function *)(uintptr_t)v;
}

struct function *function_of(LLVMValueRef value)
{
    struct function *f;
    uint64_t known;
    size_t n;

    if (refs_get(&functions, value, &known))
        return object(known);
    f = xcalloc(1, sizeof *f);
    f->value = value;
    f->name = LLVMGetValueName2(value, &n);
    f->defined = !LLVMIsDeclaration(value);
    refs_put(&functions, value, (uint64_t)(uintptr_t)f);
    f->address = f->defined ? native_closure(f) : native_symbol(f->name);
    if (f->defined)
        refs_put(&by_address, f->address, (uint64_t)(uintptr_t)f);
    return f;
}

struct function *function_at(const void *address)
{
    uint64_t found;
    return address && refs_get(&by_address, address, &found) ? object(found) : NULL;
}

/* ---- the module ---- */

static LLVMModuleRef read_module(LLVMContextRef context, const char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef m;
    char *message = NULL;

    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
        refuse("%s: %s", path, message);
    if (LLVMParseIRInContext(context, buffer, &m, &message))
        refuse("%s: %s", path, message);
    return m;
}

static LLVMModuleRef read_modules(char **paths)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef all;

    all = read_module(context, *paths++);
    for (; *paths && strcmp(*paths, "--") != 0; paths++)
        if (LLVMLinkModules2(all, read_module(context, *paths)))
            refuse("%s cannot be linked with the others", *paths);
    layout = LLVMGetModuleDataLayout(all);
    if (LLVMPointerSize(layout) != sizeof(void *) || LLVMByteOrder(layout) != LLVMLittleEndian)
        refuse("the module is for a machine with other pointers than this one");
    return all;
}

static void prepare(LLVMModuleRef m)
{
    globals_place(m);
    globals_fill(m);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            function_decode(function_of(f));
    counters_ready();
}

static int run_main(LLVMModuleRef m, int argc, char **argv)
{
    LLVMValueRef value = LLVMGetNamedFunction(m, "main");
    uint64_t args[3] = {(uint64_t)argc, (uint64_t)(uintptr_t)argv, (uint64_t)(uintptr_t)environ};
    uint64_t result[2] = {0};

    if (!value || LLVMIsDeclaration(value) || function_of(value)->args_size > sizeof args)
        refuse("there is no main that could be run");
    execute(function_of(value), args, result);
    return (int)result[0];
}

int main(int argc, char **argv)
{
    char **files, **separator;
    LLVMModuleRef m;
    int option;

    for (option = 1; option < argc && argv[option][0] == '-'; option++) {
        if (strcmp(argv[option], "--total") == 0)
            with_total = true;
        else if (strcmp(argv[option], "-o") == 0 && option + 1 < argc)
            output = argv[++option];
        else
            break;
    }
    files = separator = argv + option;
    if (!*files || **files == '-') {
        fputs("usage: irinterp [--total] [-o COUNTS.csv] FILE.bc... [-- ARGUMENT...]\n", stderr);
        return 2;
    }
    while (*separator && strcmp(*separator, "--") != 0)
        separator++;
    m = read_modules(files);
    prepare(m);
    if (atexit(program_ends))
        refuse("no exit handler could be set");
    if (!*separator)
        separator--; /* the last file stands where the program's name would */
    *separator = *files;
    exit(run_main(m, (int)(argv + argc - separator), separator));
}
