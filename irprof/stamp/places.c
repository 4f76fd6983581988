/* places.c - finds the points that a user asks for: functions, regions, lines. Loops are in loops.c. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "irprof/stamp/work.h"

char *function_name(LLVMValueRef function)
{
    size_t n;
    const char *name = LLVMGetValueName2(function, &n);
    return xstrndup(name, n);
}

struct stamped_function *stamped_function_of(struct work *w, LLVMValueRef function)
{
    for (size_t i = 0; i < w->functions.n; i++)
        if (w->functions.at[i].function == function)
            return &w->functions.at[i];
    vec_push(&w->functions, (struct stamped_function){.function = function, .kernel = function_is_kernel(w, function)});
    return &w->functions.at[w->functions.n - 1];
}

static LLVMValueRef function_of(LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

unsigned point_add(struct work *w, size_t spec, enum point_kind kind, const char *name, LLVMValueRef at)
{
    struct point p = {.kind = kind, .name = xstrdup(name), .spec = spec};
    LLVMValueRef function = LLVMIsAFunction(at) ? at : function_of(at);
    p.function = function_name(function);
    if (!LLVMIsAFunction(at))
        llvm_instruction_place(at, &p.file, &p.line);
    if (!p.file)
        llvm_function_place(function, &p.file, &p.line);
    if (spec < w->specs->all.n)
        w->specs->all.at[spec].found++;
    vec_push(&w->points, p);
    return (unsigned)w->points.n - 1;
}

/* In steps of MOST_DEPTH, which loops use: the ranks of begins ascend with their depth, those of ends descend. */
enum { FUNCTION_BEGINS, REGION_BEGINS, LOOP_ENDS, LOOP_BEGINS, MARK, REGION_ENDS, FUNCTION_ENDS };
enum { MOST_DEPTH = 1000 };

static int rank_of(const struct work *w, const struct point *p, size_t depth)
{
    int deep = depth < MOST_DEPTH ? (int)depth : MOST_DEPTH - 1;
    bool begins = p->kind == POINT_BEGIN;
    if (p->kind == POINT_MARK)
        return MARK * MOST_DEPTH;
    switch (w->specs->all.at[p->spec].kind) {
    case SPEC_FUNCTION:
        return (begins ? FUNCTION_BEGINS : FUNCTION_ENDS) * MOST_DEPTH;
    case SPEC_REGION:
        return (begins ? REGION_BEGINS : REGION_ENDS) * MOST_DEPTH;
    default:
        return begins ? LOOP_BEGINS * MOST_DEPTH + deep : (LOOP_ENDS + 1) * MOST_DEPTH - deep;
    }
}

void site_add(struct work *w, LLVMValueRef at, unsigned point, size_t depth)
{
    struct stamped_function *f = stamped_function_of(w, function_of(at));
    vec_push(&f->sites, (struct site){at, point, rank_of(w, &w->points.at[point], depth)});
}

/* Stable: sites with the same rank keep their order. Few sites of a function are out of order. */
void sites_sort(struct stamped_function *f)
{
    for (size_t i = 1; i < f->sites.n; i++) {
        struct site s = f->sites.at[i];
        size_t k = i;
        for (; k && f->sites.at[k - 1].rank > s.rank; k--)
            f->sites.at[k] = f->sites.at[k - 1];
        f->sites.at[k] = s;
    }
}

LLVMValueRef first_place(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i) || LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* Does a path end in `name`, where a part of the path begins? */
bool place_matches(const struct stamp_spec *s, const char *file, unsigned line)
{
    if (!file || line != s->line)
        return false;
    size_t n = strlen(file), m = strlen(s->name);
    return m <= n && strcmp(file + n - m, s->name) == 0 && (m == n || file[n - m - 1] == '/');
}

/* Nothing may stand between a musttail call and its ret. */
static LLVMValueRef before_leaving(LLVMValueRef terminator)
{
    LLVMValueRef last = terminator;
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetInstructionParent(terminator)); i;
         i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && llvm_is_musttail(i))
            last = i;
    return last;
}

static bool has_code(LLVMValueRef f)
{
    return !LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage;
}

/* ---- functions ---- */

static void stamp_function(struct work *w, size_t spec, LLVMValueRef f, const char *name)
{
    char *text = xasprintf("function %s", name);
    unsigned begin = point_add(w, spec, POINT_BEGIN, text, f), end = point_add(w, spec, POINT_END, text, f);
    if (w->options->mode == STAMP_SLED) {
        stamped_function_of(w, f);
    } else {
        site_add(w, first_place(LLVMGetEntryBasicBlock(f)), begin, 0);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
            if (LLVMIsAReturnInst(last) || LLVMIsAResumeInst(last))
                site_add(w, before_leaving(last), end, 0);
        }
    }
    free(text);
}

static bool function_matches(const struct stamp_spec *s, const char *name)
{
    if (glob_match(s->name, name))
        return true;
    char *written = demangle(name);
    bool same = strcmp(written, s->name) == 0;
    free(written);
    return same;
}

static void find_functions(struct work *w, size_t spec, struct map *names)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f; f = LLVMGetNextFunction(f)) {
        if (!has_code(f))
            continue;
        char *name = function_name(f);
        if (strncmp(name, "shim_", 5) != 0) /* functions of our headers are not listed: nobody misses them */
            map_number(names, name);
        if (function_matches(&w->specs->all.at[spec], name) && !llvm_function_has(f, "naked"))
            stamp_function(w, spec, f, name);
        free(name);
    }
}

/* ---- regions ---- */

/* The text that a pointer is known to point to; NULL: not known. The caller frees. */
static char *constant_text(LLVMValueRef v)
{
    if (!LLVMIsAGlobalVariable(v) || !LLVMIsGlobalConstant(v) || !LLVMGetInitializer(v) ||
        !LLVMIsAConstantDataSequential(LLVMGetInitializer(v)) || !LLVMIsConstantString(LLVMGetInitializer(v)))
        return 0;
    size_t n;
    const char *bytes = LLVMGetAsString(LLVMGetInitializer(v), &n);
    return xstrndup(bytes, n);
}

/* 1: begins a region; 2: ends one; 0: neither. */
static int region_call(LLVMValueRef i)
{
    size_t n;
    if ((!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) || LLVMGetNumArgOperands(i) != 1 ||
        !LLVMIsAFunction(LLVMGetCalledValue(i)))
        return 0;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &n);
    return strcmp(name, "shim_region_begin") == 0 ? 1 : strcmp(name, "shim_region_end") == 0 ? 2 : 0;
}

struct region {
    size_t spec;
    char *text;
    unsigned points[2]; /* 1 + number; 0: none yet */
};

static void region_site(struct work *w, struct region *r, LLVMValueRef call, int which)
{
    unsigned *p = &r->points[which - 1];
    if (!*p)
        *p = point_add(w, r->spec, which == 1 ? POINT_BEGIN : POINT_END, r->text, call) + 1;
    bool after = which == 1 && LLVMIsACallInst(call);
    LLVMValueRef at = after ? LLVMGetNextInstruction(call) : which == 1 ? first_place(LLVMGetNormalDest(call)) : call;
    site_add(w, at, *p - 1, 0);
}

static void find_regions(struct work *w, size_t spec, struct map *names)
{
    struct stamp_spec *s = &w->specs->all.at[spec];
    struct region region = {.spec = spec, .text = xasprintf("region %s", s->name)};
    for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                int which = region_call(i);
                char *name = which ? constant_text(LLVMGetArgOperand(i, 0)) : 0;
                if (name)
                    map_number(names, name);
                if (name && strcmp(name, s->name) == 0)
                    region_site(w, &region, i, which);
                free(name);
            }
    free(region.text);
}

/* ---- lines ---- */

static void add_line(struct map *names, const char *file, unsigned line)
{
    const char *slash = file ? strrchr(file, '/') : 0;
    char *text = xasprintf("%s:%u", slash ? slash + 1 : file ? file : "", line);
    if (file)
        map_number(names, text);
    free(text);
}

/* Finds the first instruction of the line in a function, in the order of its blocks. */
static bool find_line_in(struct work *w, size_t spec, LLVMValueRef f, struct map *names)
{
    struct stamp_spec *s = &w->specs->all.at[spec];
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = first_place(b); i; i = LLVMGetNextInstruction(i)) {
            char *file, *text;
            unsigned line;
            llvm_instruction_place(i, &file, &line);
            add_line(names, file, line);
            bool found = place_matches(s, file, line);
            free(file);
            if (!found)
                continue;
            text = xasprintf("line %s:%u", s->name, s->line);
            site_add(w, LLVMIsATerminatorInst(i) ? before_leaving(i) : i, point_add(w, spec, POINT_MARK, text, i), 0);
            free(text);
            return true;
        }
    return false;
}

static void find_lines(struct work *w, size_t spec, struct map *names)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f; f = LLVMGetNextFunction(f))
        if (has_code(f))
            find_line_in(w, spec, f, names);
}

static enum status find_loops(struct work *w, size_t spec, struct map *names, struct error *e)
{
    enum status s = OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f && !s; f = LLVMGetNextFunction(f))
        if (has_code(f))
            s = places_of_loops(w, spec, f, names, e);
    return s;
}

/* ---- points that do not exist ---- */

static enum status nowhere(const struct work *w, const struct stamp_spec *s, struct error *e)
{
    static const char *const kinds[] = {"function", "region", "loop", "loop", "line with code"};
    static const char *const remedies[] = {
        "; the optimiser may have inlined it: give it __attribute__((noinline)), or compile with irprof cc --stamp",
        "; its name must be a constant text", "; compile with -g", "; compile with -g", "; compile with -g"};
    struct str text = STR_INIT;
    stamp_names_say(&text, s->text, (const char *const *)s->names.keys, s->names.n);
    enum status status = error_set(e, ERR_INPUT, AT(s->from, s->from_line), "%s: %s has no such %s%s%s", s->text,
                                   w->path, kinds[s->kind], str_text(&text), remedies[s->kind]);
    str_release(&text);
    return status;
}

static enum status find(struct work *w, size_t spec, struct map *names, struct error *e)
{
    switch (w->specs->all.at[spec].kind) {
    case SPEC_FUNCTION:
        find_functions(w, spec, names);
        break;
    case SPEC_REGION:
        find_regions(w, spec, names);
        break;
    case SPEC_LINE:
        find_lines(w, spec, names);
        break;
    case SPEC_LOOP:
    case SPEC_ITERATION:
        return find_loops(w, spec, names, e);
    }
    return OK;
}

static enum status refuse_sled(const struct stamp_spec *s, struct error *e)
{
    return error_set(e, ERR_INPUT, AT(s->from, s->from_line),
                     "%s: sleds are possible only at entries and exits of functions: give function:NAME, or --mode add",
                     s->text);
}

enum status places_find(struct work *w, struct error *e)
{
    for (size_t i = 0; i < w->specs->all.n; i++) {
        struct stamp_spec *spec = &w->specs->all.at[i];
        size_t before = spec->found;
        if (w->options->mode == STAMP_SLED && spec->kind != SPEC_FUNCTION)
            return refuse_sled(spec, e);
        enum status s = find(w, i, &spec->names, e);
        if (!s && spec->found == before && !w->options->missing_is_fine)
            s = nowhere(w, spec, e);
        if (s)
            return s;
    }
    return OK;
}
