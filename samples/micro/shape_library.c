/*
 * shape_library.c - functions of the C library.
 *
 * args: the result, then the arguments, a letter each:
 *   v nothing   i int   l long   d double   f float   p a pointer that is only looked at
 *   s a text of `size` letters   t another such text   n `size` as a number   b a buffer
 *   c a function that compares two int   a what an allocation gave, and is freed with
 *   D G the texts "%d", "%g"
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "samples/micro/private.h"

enum { AREA = 16384 };

static LLVMTypeRef letter_type(const struct body *x, char letter)
{
    switch (letter) {
    case 'v':
        return body_type(x, VOID);
    case 'i':
        return body_type(x, I32);
    case 'l':
    case 'n':
        return body_word(x);
    case 'd':
        return body_type(x, F64);
    case 'f':
        return body_type(x, F32);
    default:
        return body_type(x, PTR);
    }
}

/* Emits int compare(const int *a, const int *b) { return (*a > *b) - (*a < *b); } */
static LLVMValueRef comparison(struct module *m)
{
    static const char name[] = "micro.compare";
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    if (f)
        return f;
    LLVMTypeRef i32 = type_llvm(m->context, I32), pointer = type_llvm(m->context, PTR), types[] = {pointer, pointer};
    f = LLVMAddFunction(m->module, name, LLVMFunctionType(i32, types, 2, false));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(m->context, f, ""));
    LLVMValueRef l = LLVMBuildLoad2(b, i32, LLVMGetParam(f, 0), ""), r = LLVMBuildLoad2(b, i32, LLVMGetParam(f, 1), "");
    LLVMValueRef more = LLVMBuildZExt(b, LLVMBuildICmp(b, LLVMIntSGT, l, r, ""), i32, "");
    LLVMValueRef less = LLVMBuildZExt(b, LLVMBuildICmp(b, LLVMIntSLT, l, r, ""), i32, "");
    LLVMBuildRet(b, LLVMBuildSub(b, more, less, ""));
    LLVMDisposeBuilder(b);
    return f;
}

static void fill(struct module *m, const char *area, unsigned size, char letter)
{
    LLVMTypeRef byte = type_llvm(m->context, I8), word = module_word(m);
    LLVMValueRef base = module_bytes(m, area, AREA), end = LLVMConstInt(word, size, false);
    LLVMBuildMemSet(m->main, base, LLVMConstInt(byte, (unsigned char)letter, false), end, 16);
    LLVMBuildStore(m->main, LLVMConstNull(byte), LLVMBuildGEP2(m->main, byte, base, &end, 1, ""));
}

static void prepare(struct module *m, const struct micro_case *c)
{
    const struct micro_recipe *r = c->recipe;
    if (strpbrk(r->args, "st")) { /* "111...": also a number */
        fill(m, "micro.text", r->size, '1');
        fill(m, "micro.text2", r->size, '1');
    }
}

static LLVMValueRef format(struct body *x, const char *text)
{
    LLVMValueRef g = LLVMGetNamedGlobal(x->m->module, text);
    if (!g) {
        LLVMValueRef bytes = LLVMConstStringInContext2(x->m->context, text, strlen(text), false);
        g = LLVMAddGlobal(x->m->module, LLVMTypeOf(bytes), text);
        LLVMSetInitializer(g, bytes);
        LLVMSetLinkage(g, LLVMPrivateLinkage);
    }
    return body_opaque(x, g);
}

static LLVMValueRef argument(struct body *x, char letter, unsigned i)
{
    const struct micro_recipe *r = x->r;
    struct number n = i ? r->other : r->start;
    switch (letter) {
    case 's':
        return body_opaque(x, module_bytes(x->m, "micro.text", AREA));
    case 't':
        return body_opaque(x, module_bytes(x->m, "micro.text2", AREA));
    case 'b':
        return body_opaque(x, module_bytes(x->m, "micro.buffer", AREA));
    case 'n':
        return body_opaque(x, body_size(x, r->size));
    case 'c':
        return body_opaque(x, comparison(x->m));
    case 'D':
        return format(x, "%d");
    case 'G':
        return format(x, "%g");
    case 'p':
        return LLVMConstNull(body_type(x, PTR));
    case 'i':
        return body_opaque(x, body_number(x, I32, n));
    case 'l':
        return body_opaque(x, body_number(x, type_word(x->m->target), n));
    case 'd':
        return body_opaque(x, body_number(x, F64, n));
    case 'f':
        return body_opaque(x, body_number(x, F32, n));
    default:
        BUG("no argument '%c'", letter);
    }
}

static void enter(struct body *x)
{
    for (unsigned i = 0; x->r->args[i + 1]; i++)
        body_add_fix(x, argument(x, x->r->args[i + 1], i));
}

/* Frees what a copy has allocated, so both calls belong to the copy. */
static void give_back(struct body *x, LLVMValueRef v)
{
    LLVMTypeRef pointer = body_type(x, PTR), type = LLVMFunctionType(body_type(x, VOID), &pointer, 1, false);
    LLVMBuildCall2(x->b, type, module_function(x->m, "free", type), &v, 1, "");
}

static void copy(struct body *x, unsigned j)
{
    (void)j;
    const char *args = x->r->args;
    LLVMTypeRef types[8];
    LLVMValueRef values[8];
    unsigned n = 0;
    for (; args[n + 1]; n++) {
        types[n] = letter_type(x, args[n + 1]);
        values[n] = body_fix(x, n);
    }
    bool variadic = x->r->flags & VARIADIC;
    LLVMTypeRef type = LLVMFunctionType(letter_type(x, args[0]), types, variadic ? x->r->op : n, variadic);
    LLVMValueRef v = LLVMBuildCall2(x->b, type, module_function(x->m, x->r->name, type), values, n, "");
    if (args[0] == 'a')
        give_back(x, body_opaque(x, v));
    else if (args[0] != 'v')
        body_use(x, v);
    body_memory(x);
}

const struct shape shape_library = {.enter = enter, .copy = copy, .prepare = prepare};
