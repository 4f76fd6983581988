/*
 * sled.c - sleds of functions: LLVM leaves room at their entries and exits ("function-instrument"="xray-always"), and
 * XRay's runtime writes calls there while the program runs. So the code is the same with and without stamps.
 */
#include <stdlib.h>
#include <string.h>

#include "irprof/stamp/work.h"

static void add_attribute(const struct work *w, LLVMValueRef f, const char *key, const char *value)
{
    LLVMAttributeRef a =
        LLVMCreateStringAttribute(w->context, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, a);
}

enum status sled_stamp(struct work *w, struct error *e)
{
    static const char *const with_sleds[] = {"x86_64", "aarch64", "arm", "armv7l"};
    bool fits = false;
    const char *triple = LLVMGetTarget(w->module);
    size_t n = strcspn(triple, "-");
    for (size_t i = 0; i < sizeof with_sleds / sizeof *with_sleds; i++)
        fits |= strlen(with_sleds[i]) == n && strncmp(with_sleds[i], triple, n) == 0;
    if (!fits)
        return error_set(e, ERR_UNSUPPORTED, AT_FILE(w->path), "LLVM has no sleds for %s: use --mode add", triple);
    LLVMValueRef *all = xcalloc(w->points.n + 1, sizeof *all);
    for (size_t i = 0; i < w->points.n; i++) {
        const struct point *p = &w->points.at[i];
        LLVMValueRef f = LLVMGetNamedFunction(w->module, p->function);
        all[i] = p->kind == POINT_BEGIN ? f : LLVMConstNull(w->pointer);
        if (p->kind == POINT_BEGIN)
            add_attribute(w, f, "function-instrument", "xray-always");
    }
    data_declare(w);
    data_define(w, LLVMConstArray(w->pointer, all, (unsigned)w->points.n), (unsigned)w->points.n);
    free(all);
    return OK;
}
