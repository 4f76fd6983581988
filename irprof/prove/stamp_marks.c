/* stamp_marks.c - reads the metadata by which stamping marks what it has inserted. */
#include "irprof/prove/stamp_marks.h"

#include <stdlib.h>
#include <string.h>

static const char list[] = "irprof.stamps";

static char *text_of(LLVMValueRef v)
{
    unsigned n;
    const char *s = v && LLVMIsAMDString(v) ? LLVMGetMDString(v, &n) : 0;
    return s ? xstrndup(s, n) : 0;
}

static unsigned number_of(LLVMValueRef v)
{
    return v && LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) < MARK_WRONG
               ? (unsigned)LLVMConstIntGetZExtValue(v)
               : MARK_WRONG;
}

/* {i32 POINT, "NAME", "MODE"} */
static bool read_point(struct marks *m, LLVMValueRef node)
{
    LLVMValueRef fields[3];
    if (LLVMGetMDNodeNumOperands(node) != 3)
        return false;
    LLVMGetMDNodeOperands(node, fields);
    struct mark_point p = {number_of(fields[0]), text_of(fields[1]), text_of(fields[2])};
    bool known =
        p.mode && (strcmp(p.mode, "add") == 0 || strcmp(p.mode, "replace") == 0 || strcmp(p.mode, "sled") == 0);
    bool fine = known && p.name && p.number != MARK_WRONG && !marks_find(m, p.number);
    vec_push(&m->points, p);
    return fine;
}

enum status marks_read(struct marks *m, LLVMModuleRef module, const char *path, struct error *e)
{
    *m = (struct marks){0};
    unsigned n = LLVMGetNamedMetadataNumOperands(module, list);
    if (!n)
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "has no stamps: there is no metadata '%s'; name the module without stamps first, then the one "
                         "with stamps",
                         list);
    LLVMValueRef *nodes = xcalloc(n, sizeof *nodes);
    enum status s = OK;
    LLVMGetNamedMetadataOperands(module, list, nodes);
    for (unsigned i = 0; !s && i < n; i++)
        if (!read_point(m, nodes[i]))
            s = error_set(e, ERR_INPUT, AT_FILE(path),
                          "entry %u of the metadata '%s' is not {i32 POINT, !\"NAME\", !\"add|replace|sled\"} with a "
                          "point of its own",
                          i + 1, list);
    free(nodes);
    return s;
}

void marks_release(struct marks *m)
{
    for (size_t i = 0; i < m->points.n; i++) {
        free(m->points.at[i].name);
        free(m->points.at[i].mode);
    }
    vec_release(&m->points);
}

const struct mark_point *marks_find(const struct marks *m, unsigned number)
{
    for (size_t i = 0; i < m->points.n; i++)
        if (m->points.at[i].number == number)
            return &m->points.at[i];
    return 0;
}

bool marks_have(const struct marks *m, const char *mode)
{
    for (size_t i = 0; i < m->points.n; i++)
        if (strcmp(m->points.at[i].mode, mode) == 0)
            return true;
    return false;
}

bool mark_of(LLVMValueRef i, const char *kind, unsigned *point)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(i));
    LLVMValueRef node = LLVMGetMetadata(i, LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind)));
    LLVMValueRef number;
    if (!node)
        return false;
    *point = MARK_WRONG;
    if (LLVMGetMDNodeNumOperands(node) == 1) {
        LLVMGetMDNodeOperands(node, &number);
        *point = number_of(number);
    }
    return true;
}

bool mark_is_replaced(LLVMValueRef i)
{
    unsigned point;
    return LLVMIsAStoreInst(i) && mark_of(i, MARK_GUARD, &point);
}

bool mark_is_stamp(LLVMValueRef i)
{
    unsigned point;
    return mark_of(i, MARK_STAMP, &point) && !mark_is_replaced(i);
}

bool mark_is_own(const char *name)
{
    return strncmp(name, MARK_OWN, strlen(MARK_OWN)) == 0;
}
