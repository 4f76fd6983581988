/* host_text.c - writes the tables of the program that runs kernels (runtime/host.h), as C source. */
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/kernel/opencl_kernels.h"
#include "irprof/stamp/stamped_kernels.h"

/* Parameters that stamping may have added to a kernel begin with this. */
static const char added[] = "irprof_";
/* Memory for stamps [bytes per work-item] of kernels for which irprof stamp gave no size. */
enum { STAMP_BYTES = 4096 };
#define STAMPS_LIMIT ((size_t)1 << 28)

struct writer {
    struct str *out;
    LLVMModuleRef module;
    const char *path;
    const struct launch *l;
    struct stamped_kernels stamped;
    struct error *e;
};

/* Writes the bytes of a file name, whatever they are. */
static void put_text(struct str *out, const char *text)
{
    str_addch(out, '"');
    for (const char *s = text; *s; s++)
        str_addf(out, "\\%03o", (unsigned char)*s);
    str_addch(out, '"');
}

static void put_buffers(struct writer *w)
{
    static const char *const fills[] = {"HOST_ZERO",  "HOST_UNIFORM", "HOST_RANDOM",
                                        "HOST_COUNT", "HOST_VALUE",   "HOST_FILE"};
    str_add(w->out, "const struct host_buffer host_buffers[] = {\n");
    for (size_t i = 0; i < w->l->buffers.n; i++) {
        const struct launch_buffer *b = &w->l->buffers.at[i];
        str_addf(w->out, "    {\"%s\", %zu, %zu, %d, %s, %lluu, %a, ", b->name, b->count, b->type->size, b->type->real,
                 fills[b->fill], (unsigned long long)b->seed, b->value);
        if (b->file)
            put_text(w->out, b->file);
        else
            str_add(w->out, "0");
        str_addf(w->out, ", %d},\n", b->result);
    }
    str_addf(w->out, "    {0}};\nconst size_t host_n_buffers = %zu;\n", w->l->buffers.n);
}

/* ---- parameters ---- */

static enum status no_kernel(const struct writer *w, const struct launch_kernel *k)
{
    struct str names = STR_INIT;
    for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMInternalLinkage)
            str_addf(&names, "%s%s", names.len ? ", " : "", LLVMGetValueName(f));
    error_set(w->e, ERR_INPUT, AT(w->l->path, k->line), "%s has no kernel '%s'; it has %s", w->path, k->name,
              names.len ? str_text(&names) : "none");
    str_release(&names);
    return ERR_INPUT;
}

static bool is_whole(LLVMTypeRef t, unsigned bits)
{
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == bits;
}

static bool fits(LLVMValueRef parameter, const struct launch_argument *a)
{
    LLVMTypeRef t = LLVMTypeOf(parameter);
    if (a->kind == HOST_SCALAR)
        return a->type->real ? LLVMGetTypeKind(t) == (a->type->size == 4 ? LLVMFloatTypeKind : LLVMDoubleTypeKind)
                             : is_whole(t, 8 * (unsigned)a->type->size);
    unsigned space = LLVMGetTypeKind(t) == LLVMPointerTypeKind ? LLVMGetPointerAddressSpace(t) : 0;
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind && (space != 3 || a->kind == HOST_LOCAL) &&
           (space == 3 || space == 0 || a->kind == HOST_BUFFER);
}

/* The type as messages show it: "const float *", "i32" ... */
static char *type_text(LLVMValueRef parameter)
{
    char *text = LLVMPrintTypeToString(LLVMTypeOf(parameter)), *copy = xstrdup(text);
    LLVMDisposeMessage(text);
    return copy;
}

static bool is_by_value(LLVMValueRef function, unsigned i)
{
    static const char name[] = "byval";
    return LLVMGetEnumAttributeAtIndex(function, i + 1, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static enum status check_parameters(const struct writer *w, LLVMValueRef f, const struct launch_kernel *k)
{
    unsigned n = LLVMCountParams(f), given = (unsigned)k->arguments.n, own = n;
    while (own && strncmp(LLVMGetValueName(LLVMGetParam(f, own - 1)), added, strlen(added)) == 0)
        own--;
    if (given != own)
        return error_set(w->e, ERR_INPUT, AT(w->l->path, k->line), "kernel '%s' has %u parameters, the launch gives %u",
                         k->name, own, given);
    for (unsigned i = 0; i < own; i++) {
        LLVMValueRef p = LLVMGetParam(f, i);
        if (fits(p, &k->arguments.at[i]) && !is_by_value(f, i))
            continue;
        char *text = type_text(p);
        error_set(w->e, ERR_INPUT, AT(w->l->path, k->line),
                  "argument %u does not fit the parameter of kernel '%s', which is %s in LLVM IR%s", i + 1, k->name,
                  text, is_by_value(f, i) ? ", a structure" : "");
        free(text);
        return ERR_INPUT;
    }
    return OK;
}

/* ---- launches ---- */

static size_t n_items(const struct launch_kernel *k)
{
    return k->global[0] * k->global[1] * k->global[2];
}

static size_t stamp_bytes(const struct writer *w, const struct launch_kernel *k)
{
    const struct stamped_kernel *s = stamped_kernels_find(&w->stamped, k->name);
    if (s)
        return n_items(k) * (s->room + 2) * 4;
    return n_items(k) < STAMPS_LIMIT / STAMP_BYTES ? n_items(k) * STAMP_BYTES : STAMPS_LIMIT;
}

static void put_argument(struct writer *w, LLVMValueRef f, size_t number, const struct launch_kernel *k, unsigned i)
{
    if (i < k->arguments.n) {
        const struct launch_argument *a = &k->arguments.at[i];
        if (a->kind == HOST_SCALAR)
            str_addf(w->out, "{HOST_SCALAR, 0, &v%zu_%u}, ", number, i);
        else
            str_addf(w->out, "{%s, %zu, 0}, ", a->kind == HOST_LOCAL ? "HOST_LOCAL" : "HOST_BUFFER", a->n);
        return;
    }
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, i))) == LLVMPointerTypeKind;
    str_addf(w->out, "{%s, %zu, 0}, ", pointer ? "HOST_STAMPS" : "HOST_NEVER", pointer ? stamp_bytes(w, k) : 0);
}

static const char *host_type(LLVMValueRef f, const struct launch_kernel *k, unsigned i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, i))) == LLVMPointerTypeKind)
        return "void *";
    return i < k->arguments.n ? k->arguments.at[i].type->host : "int32_t";
}

static void put_call(struct writer *w, LLVMValueRef f, size_t number, const struct launch_kernel *k)
{
    unsigned n = LLVMCountParams(f);
    str_addf(w->out, "extern void k%zu(", number);
    for (unsigned i = 0; i < n; i++)
        str_addf(w->out, "%s%s", i ? ", " : "", host_type(f, k, i));
    str_addf(w->out, "%s) __asm__(\"%s\");\n", n ? "" : "void", k->name);
    str_addf(w->out, "static void call%zu(void *const *a)\n{\n    k%zu(", number, number);
    for (unsigned i = 0; i < n; i++)
        str_addf(w->out, "%s*(%s *)a[%u]", i ? ", " : "", host_type(f, k, i), i);
    str_add(w->out, ");\n}\n");
    for (unsigned i = 0; i < k->arguments.n; i++) {
        const struct launch_argument *a = &k->arguments.at[i];
        if (a->kind == HOST_SCALAR)
            str_addf(w->out, "static const %s v%zu_%u = (%s)(%s);\n", a->type->host, number, i, a->type->host,
                     a->value);
    }
    str_addf(w->out, "static const struct host_argument a%zu[] = {", number);
    for (unsigned i = 0; i < n; i++)
        put_argument(w, f, number, k, i);
    str_add(w->out, "{0}};\n");
}

static enum status put_launches(struct writer *w)
{
    enum status s = OK;
    for (size_t i = 0; !s && i < w->l->kernels.n; i++) {
        const struct launch_kernel *k = &w->l->kernels.at[i];
        LLVMValueRef f = LLVMGetNamedFunction(w->module, k->name);
        s = !f || LLVMIsDeclaration(f) ? no_kernel(w, k) : check_parameters(w, f, k);
        if (!s)
            put_call(w, f, i, k);
    }
    str_add(w->out, "const struct host_launch host_launches[] = {\n");
    for (size_t i = 0; !s && i < w->l->kernels.n; i++) {
        const struct launch_kernel *k = &w->l->kernels.at[i];
        LLVMValueRef f = LLVMGetNamedFunction(w->module, k->name);
        str_addf(w->out, "    {\"%s\", call%zu, %u, {%zu, %zu, %zu}, {%zu, %zu, %zu}, a%zu, %u},\n", k->name, i,
                 k->dimensions, k->global[0], k->global[1], k->global[2], k->local[0], k->local[1], k->local[2], i,
                 LLVMCountParams(f));
    }
    str_addf(w->out, "    {0}};\nconst size_t host_n_launches = %zu;\n", w->l->kernels.n);
    return s;
}

enum status host_text(struct str *out, LLVMModuleRef m, const char *path, const struct launch *l, struct error *e)
{
    struct writer w = {.out = out, .module = m, .path = path, .l = l, .e = e};
    enum status s = stamped_kernels_read(&w.stamped, m, path, e);
    str_add(out, "#include \"irprof/kernel/runtime/host.h\"\n");
    put_buffers(&w);
    str_addf(out, "const int host_has_barriers = %d;\n", LLVMGetNamedFunction(m, "_Z7barrierj") != NULL);
    if (!s)
        s = put_launches(&w);
    stamped_kernels_release(&w.stamped);
    return s;
}
