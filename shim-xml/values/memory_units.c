/* memory_units.c - assigns the cores of a memory table to the document's processing units. */
#include "shim-xml/values/memory_fill.h"

/* Were accesses measured on the core? For others there may be messages only. */
static bool is_measured(const struct memory_values *v, long core)
{
    for (size_t i = 0; core >= 0 && i < v->at.n; i++)
        if (v->at.at[i].core == core && v->at.at[i].access != 'M')
            return true;
    return false;
}

/* The only core on which accesses were measured; -1: there are several, or none. */
static long only_core(const struct memory_values *v)
{
    long core = -1;
    for (size_t i = 0; i < v->at.n; i++) {
        if (v->at.at[i].access == 'M' || v->at.at[i].core == core)
            continue;
        if (core >= 0)
            return -1;
        core = v->at.at[i].core;
    }
    return core;
}

static void find_units(struct memory_filling *f)
{
    size_t core = 0;
    for (struct shimxml_node *n = shimxml_following(f->root, 0, 0); n; n = shimxml_following(f->root, n, 0)) {
        if (!shimxml_is(n, "MasterComponent"))
            continue;
        struct memory_unit u = {n, shimxml_get(n, "id"), f->system->cores[core].pid, core, -1};
        core++;
        if (memory_same_text(shimxml_get(n, "masterType"), "PU") && u.id)
            vec_push(&f->units, u);
    }
}

/* Finds each unit's source: its own values, else those of a core of the same kind. If the table's numbers fit no unit,
 * those of the only core that was measured. */
static void find_sources(struct memory_filling *f)
{
    bool any = false;
    for (size_t i = 0; i < f->units.n; i++) {
        struct memory_unit *u = &f->units.at[i];
        if (is_measured(f->v, u->pid))
            u->from = u->pid;
        any |= u->from >= 0;
    }
    for (size_t i = 0; i < f->units.n; i++) {
        struct memory_unit *u = &f->units.at[i];
        for (size_t k = 0; u->from < 0 && k < f->units.n; k++)
            if (f->units.at[k].from == f->units.at[k].pid && f->units.at[k].pid >= 0 &&
                shimxml_same_kind(f->system, u->core, f->units.at[k].core))
                u->from = f->units.at[k].from;
        if (!any && f->units.n && shimxml_same_kind(f->system, u->core, f->units.at[0].core))
            u->from = only_core(f->v);
    }
}

void memory_find_units(struct memory_filling *f)
{
    find_units(f);
    find_sources(f);
}
