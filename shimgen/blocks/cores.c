#include "shimgen/blocks/cores.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/shim_core.h"

static bool has_namesake(const struct shimxml_system *system, size_t core)
{
    for (size_t i = 0; i < system->n_cores; i++)
        if (i != core && strcmp(system->cores[i].name, system->cores[core].name) == 0)
            return true;
    return false;
}

/* "A53_0", or, of several that are called so, "A53_0 (MC_A53_1)": rows and columns of cores are told apart by it. */
static void name_core(struct costs *costs, const struct shimxml_system *system, const char *id)
{
    for (size_t i = 0; i < system->n_cores; i++) {
        if (!id || strcmp(system->cores[i].id, id) != 0 || !has_namesake(system, i))
            continue;
        free(costs->core);
        costs->core = xasprintf("%s (%s)", system->cores[i].name, id);
    }
}

/* By name or id; NULL: the first. */
static enum status add(struct blocks_cores *c, const struct shimxml_system *system, const char *path, const char *name,
                       struct error *e)
{
    struct costs costs = {0};
    enum status s = costs_from_shim(&costs, path, name, e);
    if (s)
        return s;
    name_core(&costs, system, name);
    c->at = xreallocarray(c->at, c->n + 1, sizeof *c->at);
    c->at[c->n++] = costs;
    for (size_t i = 0; i + 1 < c->n; i++)
        if (strcmp(c->at[i].core, costs.core) == 0)
            return error_set(e, ERR_INPUT, AT_FILE(path), "--core names core '%s' twice", costs.core);
    return OK;
}

static enum status add_all(struct blocks_cores *c, const struct shimxml_system *system, const char *path,
                           struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; !s && i < system->n_cores; i++)
        if (system->cores[i].n_instructions)
            s = add(c, system, path, system->cores[i].id, e);
    if (!s && !c->n)
        s = error_set(
            e, ERR_INPUT, AT_FILE(path),
            "no core has an instruction set, so nothing can be estimated; merge a model into it (shim-xml merge)");
    return s;
}

static enum status add_list(struct blocks_cores *c, const struct shimxml_system *system, const char *path,
                            const char *names, struct error *e)
{
    char **list = 0;
    size_t n = 0;
    enum status s = split_list(names, "--core", &list, &n, e);
    for (size_t i = 0; i < n && !s; i++)
        s = add(c, system, path, list[i], e);
    free(list);
    return s;
}

enum status blocks_cores_read(struct blocks_cores *out, const char *path, const char *names, struct error *e)
{
    struct shimxml_system *system = 0;
    *out = (struct blocks_cores){0};
    enum status s = shim_system(&system, path, e);
    if (!s)
        s = !names                      ? add(out, system, path, 0, e)
            : strcmp(names, "all") == 0 ? add_all(out, system, path, e)
                                        : add_list(out, system, path, names, e);
    shimxml_system_free(system);
    return s;
}

enum status blocks_cores_of_board(struct blocks_cores *out, const char *board, struct error *e)
{
    *out = (struct blocks_cores){.at = xcalloc(1, sizeof *out->at)};
    enum status s = costs_from_board(out->at, board, e);
    out->n = s ? 0 : 1;
    return s;
}

void blocks_cores_release(struct blocks_cores *c)
{
    for (size_t i = 0; i < c->n; i++)
        costs_release(&c->at[i]);
    free(c->at);
    *c = (struct blocks_cores){0};
}
