/* overlap.c - can two loads or stores touch the same bytes? */
#include "irprof/irprof.h"

/* What LLVM knows about an argument's target: it is not a variable of the function, and not what only another argument
 * points to. */
static bool are_apart(enum irprof_object a, enum irprof_object b)
{
    if (a == IRPROF_OBJECT_UNKNOWN || b == IRPROF_OBJECT_UNKNOWN)
        return false;
    if (a == IRPROF_OBJECT_ARGUMENT)
        return b == IRPROF_OBJECT_VARIABLE || b == IRPROF_OBJECT_OWN;
    if (b == IRPROF_OBJECT_ARGUMENT)
        return are_apart(b, a);
    return true;
}

/* b has the higher offset. */
static bool reaches(const struct irprof_access *a, const struct irprof_access *b)
{
    return !a->size || (uint64_t)b->offset - (uint64_t)a->offset < a->size;
}

bool irprof_may_overlap(const struct irprof_profile *p, const struct irprof_access *a, const struct irprof_access *b)
{
    if (a->base == IRPROF_NONE || b->base == IRPROF_NONE)
        return true;
    if (a->base == b->base)
        return a->offset <= b->offset ? reaches(a, b) : reaches(b, a);
    const struct irprof_base *x = &p->bases[a->base], *y = &p->bases[b->base];
    return x->object == y->object || !are_apart(x->kind, y->kind);
}
