/* stamped_kernels.c - reads a module's metadata about its stamped kernels. */
#include "irprof/stamp/stamped_kernels.h"

#include <stdlib.h>
#include <string.h>

#include "irprof/stamp/stamping.h"

enum { KERNEL_FIELDS = 7, MOST_BITS = 31, MOST_GROUP = 1024, MOST_ROOM = 1 << 20 };

static const char *text_of(LLVMValueRef v, unsigned *n)
{
    return v && LLVMIsAMDString(v) ? LLVMGetMDString(v, n) : 0;
}

/* Reads the fields of a node from number 1 on, each at most `most`. */
static bool numbers_of(LLVMValueRef *fields, unsigned *out, const unsigned *most, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!fields[i + 1] || !LLVMIsAConstantInt(fields[i + 1]))
            return false;
        unsigned long long v = LLVMConstIntGetZExtValue(fields[i + 1]);
        if (v > most[i])
            return false;
        out[i] = (unsigned)v;
    }
    return true;
}

/* Reads what list_kernel in kernel.c has written. */
static bool read_kernel(struct stamped_kernels *k, LLVMValueRef node)
{
    static const unsigned most[] = {INT32_MAX, INT32_MAX, MOST_BITS, MOST_ROOM, MOST_GROUP, STAMP_CLOCKS - 1};
    LLVMValueRef fields[KERNEL_FIELDS];
    unsigned n, v[KERNEL_FIELDS - 1];
    if (LLVMGetMDNodeNumOperands(node) != KERNEL_FIELDS)
        return false;
    LLVMGetMDNodeOperands(node, fields);
    const char *name = text_of(fields[0], &n);
    if (!name || !numbers_of(fields, v, most, KERNEL_FIELDS - 1) || !v[1] || v[0] + v[1] > k->n_points || !v[3] ||
        !v[4])
        return false;
    vec_push(&k->all, (struct stamped_kernel){.name = xstrndup(name, n),
                                              .first = v[0],
                                              .n_points = v[1],
                                              .point_bits = v[2],
                                              .room = v[3],
                                              .group = v[4],
                                              .clock = (enum stamp_clock)v[5]});
    return true;
}

/* Operands of a list of metadata. The caller frees. */
static LLVMValueRef *list_of(LLVMModuleRef module, const char *name, unsigned *n)
{
    *n = LLVMGetNamedMetadataNumOperands(module, name);
    LLVMValueRef *all = xcalloc(*n + 1, sizeof *all);
    if (*n)
        LLVMGetNamedMetadataOperands(module, name, all);
    return all;
}

/* !{!"TEXT", i32 points} */
static bool read_text(struct stamped_kernels *k, LLVMModuleRef module)
{
    unsigned n, length, points;
    static const unsigned most[] = {INT32_MAX};
    LLVMValueRef *all = list_of(module, STAMP_TEXT, &n), fields[2];
    bool fine = n == 1 && LLVMGetMDNodeNumOperands(all[0]) == 2;
    if (fine)
        LLVMGetMDNodeOperands(all[0], fields);
    const char *text = fine ? text_of(fields[0], &length) : 0;
    fine = text && numbers_of(fields, &points, most, 1);
    if (fine) {
        k->text = xstrndup(text, length);
        k->n_points = points;
    }
    free(all);
    return fine;
}

enum status stamped_kernels_read(struct stamped_kernels *k, LLVMModuleRef module, const char *path, struct error *e)
{
    unsigned n;
    *k = (struct stamped_kernels){0};
    LLVMValueRef *all = list_of(module, STAMP_KERNELS, &n);
    bool fine = !n || read_text(k, module);
    for (unsigned i = 0; fine && i < n; i++)
        fine = read_kernel(k, all[i]);
    free(all);
    return fine ? OK
                : error_set(e, ERR_INPUT, AT_FILE(path),
                            "what it says of its stamped kernels ('" STAMP_KERNELS "', '" STAMP_TEXT
                            "') is not what 'irprof stamp' of this release writes: stamp it again");
}

void stamped_kernels_release(struct stamped_kernels *k)
{
    for (size_t i = 0; i < k->all.n; i++)
        free(k->all.at[i].name);
    vec_release(&k->all);
    free(k->text);
    *k = (struct stamped_kernels){0};
}

const struct stamped_kernel *stamped_kernels_find(const struct stamped_kernels *k, const char *name)
{
    for (size_t i = 0; i < k->all.n; i++)
        if (strcmp(k->all.at[i].name, name) == 0)
            return &k->all.at[i];
    return 0;
}
