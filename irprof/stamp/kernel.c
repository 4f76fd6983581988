/*
 * kernel.c - stamps in kernels. A work-item keeps its stamps, 32 bits each, in shared memory (NVPTX, AMDGPU) or in its
 * own memory (SPIR, kernels for a CPU), and writes them when it ends. In mode add, they go to an additional argument
 * `irprof_stamps`, with their number and the processor. In mode replace, they go in place of the results, one after the
 * other, then the processor. The last argument is `irprof_never`. A stamp is the number of its point within the kernel,
 * followed by the low bits of the clock.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/stamp/kernel.h"

enum { USUAL_ROOM = 32, MOST_ROOM = 4096 };

LLVMValueRef kernel_marked(const struct kernel *k, LLVMValueRef v)
{
    mark_stamp(k->w, v, k->point);
    return v;
}

static LLVMValueRef number(const struct kernel *k, uint64_t n)
{
    return LLVMConstInt(k->w->half, n, 0);
}

static LLVMValueRef smaller(const struct kernel *k, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef less = kernel_marked(k, LLVMBuildICmp(k->w->b, LLVMIntULT, a, b, ""));
    return kernel_marked(k, LLVMBuildSelect(k->w->b, less, a, b, ""));
}

static LLVMValueRef load(const struct kernel *k, LLVMValueRef address)
{
    return kernel_marked(k, LLVMBuildLoad2(k->w->b, k->w->half, address, ""));
}

static void store(const struct kernel *k, LLVMValueRef value, LLVMValueRef address)
{
    kernel_marked(k, LLVMBuildStore(k->w->b, value, address));
}

static LLVMValueRef add(const struct kernel *k, LLVMValueRef a, LLVMValueRef b)
{
    return kernel_marked(k, LLVMBuildAdd(k->w->b, a, b, ""));
}

static LLVMValueRef times(const struct kernel *k, LLVMValueRef a, LLVMValueRef b)
{
    return kernel_marked(k, LLVMBuildMul(k->w->b, a, b, ""));
}

static LLVMValueRef element(const struct kernel *k, LLVMValueRef from, LLVMValueRef index)
{
    return kernel_marked(k, LLVMBuildInBoundsGEP2(k->w->b, k->w->half, from, &index, 1, ""));
}

/* ---- the work-group ---- */

static bool group_of_metadata(struct kernel *k)
{
    static const char kind[] = "reqd_work_group_size";
    size_t n;
    bool found = false;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(k->function, &n);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef node, parts[3];
        if (LLVMValueMetadataEntriesGetKind(all, i) != LLVMGetMDKindIDInContext(k->w->context, kind, strlen(kind)))
            continue;
        node = LLVMMetadataAsValue(k->w->context, LLVMValueMetadataEntriesGetMetadata(all, i));
        if (LLVMGetMDNodeNumOperands(node) != 3)
            continue;
        LLVMGetMDNodeOperands(node, parts);
        for (unsigned d = 0; d < 3; d++)
            k->group[d] = (unsigned)LLVMConstIntGetZExtValue(parts[d]);
        found = true;
    }
    LLVMDisposeValueMetadataEntries(all);
    return found;
}

static bool group_of_option(struct kernel *k)
{
    char **words = words_of(k->w->options->group ? k->w->options->group : "", ",x");
    size_t n = 0;
    bool fine = true;
    for (unsigned d = 0; d < 3; d++)
        k->group[d] = 1;
    for (; words[n] && n < 4; n++) {
        long v;
        fine = fine && n < 3 && parse_long(words[n], &v) && v > 0 && v <= 1024;
        if (fine)
            k->group[n] = (unsigned)v;
    }
    words_free(words);
    return fine && n;
}

static enum status find_group(struct kernel *k, const char *name, struct error *e)
{
    if (!group_of_metadata(k) && !group_of_option(k))
        return error_set(e, ERR_INPUT, AT_FILE(k->w->path),
                         "'%s' does not say how many work-items a work-group has: say --group X,Y,Z, or "
                         "__attribute__((reqd_work_group_size(X, Y, Z))) in its source",
                         name);
    uint64_t items = (uint64_t)k->group[0] * k->group[1] * k->group[2];
    if (!items || items > 1024)
        return error_set(e, ERR_INPUT, AT_FILE(k->w->path),
                         "'%s': a work-group of %llu work-items; there are from 1 to 1024", name,
                         (unsigned long long)items);
    k->items = (unsigned)items;
    return OK;
}

/* ---- code at the entry ---- */

static void prepare(struct kernel *k)
{
    struct work *w = k->w;
    LLVMValueRef entry = first_place(LLVMGetEntryBasicBlock(k->function));
    LLVMPositionBuilderBefore(w->b, entry);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(entry));
    k->count = kernel_marked(k, LLVMBuildAlloca(w->b, w->half, ""));
    k->written = kernel_marked(k, LLVMBuildAlloca(w->b, w->half, ""));
    if (!k->in_shared)
        k->memory = kernel_marked(k, LLVMBuildAlloca(w->b, LLVMArrayType2(w->half, k->room + 1), ""));
    entry = first_place(LLVMGetEntryBasicBlock(k->function));
    LLVMPositionBuilderBefore(w->b, entry);
    store(k, number(k, 0), k->count);
    store(k, number(k, 0), k->written);
    k->item = kernel_ids(k, k->in_shared ? &k->local : 0);
}

/* Neighbouring work-items use neighbouring words, so no two of a wave use the same bank. */
static LLVMValueRef word_of(const struct kernel *k, LLVMValueRef slot)
{
    if (!k->in_shared)
        return element(k, k->memory, slot);
    return element(k, k->memory, add(k, times(k, slot, number(k, k->items)), k->local));
}

static void take(struct kernel *k, const struct site *s, unsigned local_point)
{
    struct work *w = k->w;
    k->point = s->point;
    LLVMPositionBuilderBefore(w->b, s->at);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(s->at));
    LLVMValueRef count = load(k, k->count), place = word_of(k, smaller(k, count, number(k, k->room)));
    LLVMValueRef word = kernel_marked(k, LLVMBuildTrunc(w->b, clock_read(w, s->point), w->half, ""));
    if (k->point_bits) {
        LLVMValueRef low = number(k, UINT32_MAX >> k->point_bits);
        word = kernel_marked(k, LLVMBuildAnd(w->b, word, low, ""));
        word = kernel_marked(k, LLVMBuildOr(w->b, word, number(k, (uint64_t)local_point << (32 - k->point_bits)), ""));
    }
    store(k, word, place);
    store(k, add(k, count, number(k, 1)), k->count);
}

/* Result `written` of the work-item is replaced by the stamp with that number; when there are no more stamps, by the
 * processor. */
static void replace(struct kernel *k, const struct result *r)
{
    struct work *w = k->w;
    k->point = r->point;
    LLVMPositionBuilderBefore(w->b, r->store);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(r->store));
    LLVMValueRef written = load(k, k->written), count = smaller(k, load(k, k->count), number(k, k->room));
    LLVMValueRef left = kernel_marked(k, LLVMBuildICmp(w->b, LLVMIntULT, written, count, ""));
    LLVMValueRef stamp = load(k, word_of(k, smaller(k, written, number(k, k->room))));
    LLVMValueRef word = kernel_marked(k, LLVMBuildSelect(w->b, left, stamp, processor_read(w, k->point), ""));
    store(k, add(k, written, number(k, 1)), k->written);
    LLVMValueRef wide = kernel_marked(k, LLVMBuildZExt(w->b, word, w->word, ""));
    /* Compared here, not once at the entry: a value that lives so long would stay in the register in which AMD's code
     * generator has the carry of sums. */
    LLVMValueRef never = kernel_marked(k, LLVMBuildICmp(w->b, LLVMIntNE, k->never_argument, number(k, 0), ""));
    result_replace(w, r, never, wide);
}

/* ---- end of a kernel ---- */

/* Splits a block before its ret. `ret` stays the program's instruction, in a block of its own. */
static LLVMBasicBlockRef move_return(struct kernel *k, LLVMValueRef ret)
{
    struct work *w = k->w;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(ret);
    LLVMBasicBlockRef next = LLVMGetNextBasicBlock(block);
    LLVMBasicBlockRef last = next ? LLVMInsertBasicBlockInContext(w->context, next, "")
                                  : LLVMAppendBasicBlockInContext(w->context, k->function, "");
    LLVMInstructionRemoveFromParent(ret);
    LLVMPositionBuilderAtEnd(w->b, last);
    LLVMInsertIntoBuilder(w->b, ret);
    return last;
}

/* Emits: for (i = 0; i < n; i++) to[i] = stamp i; then `ret`. */
static void write_loop(struct kernel *k, LLVMBasicBlockRef from, LLVMValueRef to, LLVMValueRef n,
                       LLVMBasicBlockRef last)
{
    struct work *w = k->w;
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(w->context, last, "");
    LLVMBasicBlockRef body = LLVMInsertBasicBlockInContext(w->context, last, "");
    LLVMPositionBuilderAtEnd(w->b, from);
    kernel_marked(k, LLVMBuildBr(w->b, head));
    LLVMPositionBuilderAtEnd(w->b, head);
    LLVMValueRef i = kernel_marked(k, LLVMBuildPhi(w->b, w->half, ""));
    LLVMValueRef more = kernel_marked(k, LLVMBuildICmp(w->b, LLVMIntULT, i, n, ""));
    kernel_marked(k, LLVMBuildCondBr(w->b, more, body, last));
    LLVMPositionBuilderAtEnd(w->b, body);
    store(k, load(k, word_of(k, i)), element(k, to, i));
    LLVMValueRef next = add(k, i, number(k, 1)), zero = number(k, 0);
    kernel_marked(k, LLVMBuildBr(w->b, head));
    LLVMAddIncoming(i, &zero, &from, 1);
    LLVMAddIncoming(i, &next, &body, 1);
}

/* In mode add: writes the number of stamps, the processor and the stamps. */
static void write_out(struct kernel *k, LLVMValueRef ret)
{
    struct work *w = k->w;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(ret);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(ret));
    LLVMBasicBlockRef last = move_return(k, ret);
    LLVMPositionBuilderAtEnd(w->b, block);
    LLVMValueRef count = load(k, k->count);
    LLVMValueRef wide = kernel_marked(k, LLVMBuildZExt(w->b, k->item, w->word, ""));
    LLVMValueRef words = LLVMConstInt(w->word, k->room + 2, 0);
    LLVMValueRef to = element(k, k->stamps_argument, kernel_marked(k, LLVMBuildMul(w->b, wide, words, "")));
    store(k, count, to);
    store(k, processor_read(w, k->point), element(k, to, number(k, 1)));
    write_loop(k, block, element(k, to, number(k, 2)), smaller(k, count, number(k, k->room)), last);
}

static void write_at_ends(struct kernel *k)
{
    VEC(LLVMValueRef) ends = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function); b; b = LLVMGetNextBasicBlock(b))
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b)))
            vec_push(&ends, LLVMGetBasicBlockTerminator(b));
    for (size_t i = 0; i < ends.n; i++)
        write_out(k, ends.at[i]);
    vec_release(&ends);
}

/* ---- the whole kernel ---- */

/* Number of bits for n points, which are numbered within their kernel. */
static unsigned bits_for(unsigned n)
{
    unsigned bits = 0;
    while (n > 1u << bits)
        bits++;
    return bits;
}

static unsigned first_point(const struct stamped_function *f, unsigned *n)
{
    unsigned least = UINT_MAX, most = 0;
    for (size_t i = 0; i < f->sites.n; i++) {
        least = f->sites.at[i].point < least ? f->sites.at[i].point : least;
        most = f->sites.at[i].point > most ? f->sites.at[i].point : most;
    }
    *n = most - least + 1;
    return least;
}

/* !{!"NAME", i32 first point, i32 points, i32 bits of the point, i32 room, i32 work-items of a group, i32 clock} */
static void list_kernel(const struct kernel *k, const char *name, unsigned first, unsigned n)
{
    struct work *w = k->w;
    LLVMMetadataRef parts[] = {
        LLVMMDStringInContext2(w->context, name, strlen(name)),
        LLVMValueAsMetadata(number(k, first)),
        LLVMValueAsMetadata(number(k, n)),
        LLVMValueAsMetadata(number(k, k->point_bits)),
        LLVMValueAsMetadata(number(k, k->room)),
        LLVMValueAsMetadata(number(k, k->items)),
        LLVMValueAsMetadata(number(k, w->clock)),
    };
    LLVMMetadataRef node = LLVMMDNodeInContext2(w->context, parts, sizeof parts / sizeof *parts);
    LLVMAddNamedMetadataOperand(w->module, STAMP_KERNELS, LLVMMetadataAsValue(w->context, node));
}

static enum status stamp(struct kernel *k, struct stamped_function *f, const char *name, struct error *e)
{
    struct work *w = k->w;
    struct results results = {0};
    unsigned n, first = first_point(f, &n);
    bool replaces = w->options->mode == STAMP_REPLACE;
    k->point = first;
    k->point_bits = bits_for(n);
    enum status s = replaces ? results_find(w, &results, k->function, e) : OK;
    if (!s && k->in_shared)
        s = find_group(k, name, e);
    if (!s && k->in_shared)
        s = kernel_shared(k, name, e);
    if (!s)
        s = kernel_arguments(k, e);
    if (!s) {
        f->function = k->function;
        prepare(k);
        for (size_t i = 0; i < f->sites.n; i++)
            take(k, &f->sites.at[i], f->sites.at[i].point - first);
        for (size_t i = 0; i < results.all.n; i++)
            replace(k, &results.all.at[i]);
        k->point = first;
        if (!replaces)
            write_at_ends(k);
        list_kernel(k, name, first, n);
    }
    w->n_results += results.all.n;
    if (!s && replaces && results.all.n && results.all.n < f->sites.n)
        str_addf(&w->notes,
                 "%s: %zu stores of results, %zu points: of a work-item's stamps only as many are written as it stores "
                 "results, the first ones\n",
                 name, results.all.n, f->sites.n);
    vec_release(&results.all);
    return s;
}

enum status kernel_stamp(struct work *w, struct stamped_function *f, struct error *e)
{
    struct kernel k = {.w = w, .function = f->function, .items = 1, .room = USUAL_ROOM};
    char *name = function_name(f->function);
    enum status s = OK;
    k.in_shared = w->target == ON_NVPTX || w->target == ON_AMDGPU;
    if (w->options->room > MOST_ROOM || w->options->room < 0)
        s = error_set(e, ERR_INPUT, NOWHERE, "--room %ld: a work-item keeps from 1 to %d stamps", w->options->room,
                      MOST_ROOM);
    else if (w->options->room)
        k.room = (unsigned)w->options->room;
    if (!s)
        s = stamp(&k, f, name, e);
    free(name);
    return s;
}
