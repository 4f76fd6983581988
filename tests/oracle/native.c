/* Functions of the machine: called from interpreted code, and calling back into it. */
#include "oracle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ffi.h>

#include "refs.h"

struct native_call {
    ffi_cif cif;
    ffi_type *types[MAX_NATIVE_ARGS];
};

/* Ends without exit handlers, hence without ours: the counts must be written here. */
static void exit_at_once(int status)
{
    program_ends();
    _exit(status);
}

void *native_symbol(const char *name)
{
    if (strcmp(name, "_exit") == 0 || strcmp(name, "_Exit") == 0 || strcmp(name, "quick_exit") == 0)
        return (void *)(uintptr_t)exit_at_once;
    if (strcmp(name, "atexit") == 0) /* not a symbol of the shared library */
        return (void *)(uintptr_t)atexit;
    if (strcmp(name, "qsort") == 0 || strcmp(name, "qsort_r") == 0) {
        /* libc's own, which compares as often as in the program: a sanitizer's would compare more */
        void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
        return dlsym(libc ? libc : RTLD_DEFAULT, name);
    }
    return dlsym(RTLD_DEFAULT, name);
}

/* What products and quotients of complex numbers return. */
static bool is_two_doubles(LLVMTypeRef t)
{
    return LLVMCountStructElementTypes(t) == 2 &&
           LLVMGetTypeKind(LLVMStructGetTypeAtIndex(t, 0)) == LLVMDoubleTypeKind &&
           LLVMGetTypeKind(LLVMStructGetTypeAtIndex(t, 1)) == LLVMDoubleTypeKind;
}

static ffi_type *type_of(LLVMTypeRef t)
{
    static ffi_type *two[] = {&ffi_type_double, &ffi_type_double, NULL};
    static ffi_type two_doubles = {0, 0, FFI_TYPE_STRUCT, two};

    switch (LLVMGetTypeKind(t)) {
    case LLVMStructTypeKind:
        if (is_two_doubles(t))
            return &two_doubles;
        break;
    case LLVMVoidTypeKind:
        return &ffi_type_void;
    case LLVMPointerTypeKind:
        return &ffi_type_pointer;
    case LLVMFloatTypeKind:
        return &ffi_type_float;
    case LLVMDoubleTypeKind:
        return &ffi_type_double;
    case LLVMX86_FP80TypeKind:
        return &ffi_type_longdouble;
    case LLVMIntegerTypeKind:
        switch (LLVMGetIntTypeWidth(t)) {
        case 1:
        case 8:
            return &ffi_type_uint8;
        case 16:
            return &ffi_type_uint16;
        case 32:
            return &ffi_type_uint32;
        case 64:
            return &ffi_type_uint64;
        default:
            break;
        }
        break;
    default:
        break;
    }
    refuse("a native function with an argument or result of LLVM type kind %d cannot be called",
           (int)LLVMGetTypeKind(t));
}

static struct native_call *prepare(const struct call *c)
{
    struct native_call *n = xcalloc(1, sizeof *n);
    unsigned fixed = LLVMCountParamTypes(c->type);
    ffi_type *result = type_of(LLVMGetReturnType(c->type));
    ffi_status s;

    if (c->n > MAX_NATIVE_ARGS)
        refuse("a call of a native function with %u arguments is not supported", c->n);
    for (unsigned i = 0; i < c->n; i++) {
        if (c->args[i].copy)
            refuse("a structure passed by value to a native function is not supported");
        n->types[i] = type_of(c->args[i].type);
    }
    s = LLVMIsFunctionVarArg(c->type) ? ffi_prep_cif_var(&n->cif, FFI_DEFAULT_ABI, fixed, c->n, result, n->types)
                                      : ffi_prep_cif(&n->cif, FFI_DEFAULT_ABI, c->n, result, n->types);
    if (s != FFI_OK)
        refuse("a native call could not be prepared");
    return n;
}

void native_call(struct call *c, void *address, const char *frame, void *result)
{
    void *args[MAX_NATIVE_ARGS];
    union {
        ffi_arg integer;
        uint64_t words[2];
    } r = {0};
    LLVMTypeRef t;

    if (!c->native)
        c->native = prepare(c);
    for (unsigned i = 0; i < c->n; i++)
        args[i] = (void *)(uintptr_t)(frame + c->args[i].offset);
    ffi_call(&c->native->cif, FFI_FN(address), &r, args);
    if (c->result_size == 0)
        return;
    t = LLVMGetReturnType(c->type);
    if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind)
        r.words[0] &= mask_of(LLVMGetIntTypeWidth(t));
    else if (LLVMGetTypeKind(t) == LLVMFloatTypeKind)
        r.words[0] &= mask_of(32);
    memcpy(result, &r, c->result_size);
}

/* ---- the other way round: native code calls what it takes for a function ---- */

struct callback {
    ffi_cif cif;
    ffi_type **types;
    struct function *function;
};

static void called_back(ffi_cif *cif, void *result, void **args, void *data)
{
    struct function *f = ((struct callback *)data)->function;
    uint64_t slots[2 * MAX_NATIVE_ARGS] = {0}, r[2] = {0};
    char *to = (char *)slots;
    LLVMValueRef p = LLVMGetFirstParam(f->value);

    for (unsigned i = 0; i < cif->nargs; i++, p = LLVMGetNextParam(p)) {
        memcpy(to, args[i], cif->arg_types[i]->size);
        to += frame_size(LLVMTypeOf(p));
    }
    execute(f, slots, r);
    if (cif->rtype->type != FFI_TYPE_VOID)
        memcpy(result, r, cif->rtype->size < sizeof(ffi_arg) ? sizeof(ffi_arg) : cif->rtype->size);
}

/* Only the few types that native functions hand to callbacks; others cannot be called from there. */
static bool can_be_called_back(LLVMTypeRef type)
{
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef types[MAX_NATIVE_ARGS + 1];

    if (n > MAX_NATIVE_ARGS || LLVMIsFunctionVarArg(type))
        return false;
    LLVMGetParamTypes(type, types);
    types[n] = LLVMGetReturnType(type);
    for (unsigned i = 0; i <= n; i++) {
        LLVMTypeKind k = LLVMGetTypeKind(types[i]);
        unsigned bits = k == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(types[i]) : 0;
        bool integer = bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
        if (!integer && k != LLVMPointerTypeKind && k != LLVMFloatTypeKind && k != LLVMDoubleTypeKind &&
            !(k == LLVMVoidTypeKind && i == n))
            return false;
    }
    return true;
}

void *native_closure(struct function *f)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(f->value);
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef types[MAX_NATIVE_ARGS];
    struct callback *c;
    void *code = NULL;
    ffi_closure *closure;

    if (!can_be_called_back(type))
        return f; /* an address of its own, which only interpreted code can call */
    c = xcalloc(1, sizeof *c);
    c->function = f;
    f->callback = c;
    c->types = xcalloc(n + 1, sizeof *c->types);
    LLVMGetParamTypes(type, types);
    for (unsigned i = 0; i < n; i++)
        c->types[i] = type_of(types[i]);
    closure = ffi_closure_alloc(sizeof *closure, &code);
    if (!closure || ffi_prep_cif(&c->cif, FFI_DEFAULT_ABI, n, type_of(LLVMGetReturnType(type)), c->types) != FFI_OK ||
        ffi_prep_closure_loc(closure, &c->cif, called_back, c, code) != FFI_OK)
        refuse("a callback could not be prepared");
    return code;
}
