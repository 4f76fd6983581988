/* solvers.c - the list of solvers. */
#include "regress/solve/solver.h"

#include <string.h>

#include "base/str.h"

/* Each solver is in the file of its name, except tree (tree_solver.c) and huber (robust.c). */
#define DECLARE(name) extern const struct solver solver_##name;
REGRESS_SOLVERS(DECLARE, DECLARE)

#define ENTRY(name) &solver_##name,
static const struct solver *const solvers[] = {REGRESS_SOLVERS(ENTRY, ENTRY)};
#define N_SOLVERS (sizeof solvers / sizeof *solvers)

const struct solver *solver_find(const char *name)
{
    for (size_t i = 0; i < N_SOLVERS; i++)
        if (strcmp(solvers[i]->name, name) == 0)
            return solvers[i];
    return 0;
}

enum status solver_need(const struct solver **out, const char *name, struct error *e)
{
    *out = solver_find(name);
    if (*out)
        return OK;
    struct str all = STR_INIT;
    for (size_t i = 0; i < N_SOLVERS; i++)
        str_addf(&all, "%s%s", i ? ", " : "", solvers[i]->name);
    enum status s = error_set(e, ERR_INPUT, NOWHERE, "there is no solver '%s'; there are %s", name, str_text(&all));
    str_release(&all);
    return s;
}

size_t regress_solver_count(void)
{
    return N_SOLVERS;
}

const char *regress_solver_name(size_t i)
{
    return i < N_SOLVERS ? solvers[i]->name : 0;
}

const char *regress_solver_summary(size_t i)
{
    return i < N_SOLVERS ? solvers[i]->summary : 0;
}

bool regress_solver_known(const char *name)
{
    return solver_find(name);
}

bool regress_solver_heeds(const char *name, enum regress_heeds what)
{
    const struct solver *s = solver_find(name);
    return s && s->heeds & what;
}
