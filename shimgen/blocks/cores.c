/* cores.c - reads the cores that blocks are estimated for. */
#include "shimgen/blocks/cores.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/estimate/shim_core.h"

/* Adds a core by name or id; NULL: the first one. */
static enum status add(struct blocks_cores *c, const char *path, const char *name, const char *method, struct error *e)
{
    struct costs costs = {0};
    enum status s = costs_from_shim(&costs, path, name, method, e);
    if (s)
        return s;
    c->at = xreallocarray(c->at, c->n + 1, sizeof *c->at);
    c->at[c->n++] = costs;
    for (size_t i = 0; i + 1 < c->n; i++)
        if (strcmp(c->at[i].core, costs.core) == 0)
            return error_set(e, ERR_INPUT, AT_FILE(path), "--core names core '%s' twice", costs.core);
    return OK;
}

static enum status add_all(struct blocks_cores *c, const char *path, const char *method, struct error *e)
{
    struct shimxml_system *system = 0;
    enum status s = shim_system(&system, path, e);
    for (size_t i = 0; !s && i < system->n_cores; i++)
        if (system->cores[i].n_instructions)
            s = add(c, path, system->cores[i].id, method, e);
    if (!s && !c->n)
        s = error_set(
            e, ERR_INPUT, AT_FILE(path),
            "no core has an instruction set, so nothing can be estimated; merge a model into it (shim-xml merge)");
    shimxml_system_free(system);
    return s;
}

enum status blocks_cores_read(struct blocks_cores *out, const char *path, const char *names, const char *method,
                              struct error *e)
{
    char **list = 0;
    size_t n = 0;
    *out = (struct blocks_cores){0};
    if (!names)
        return add(out, path, 0, method, e);
    if (strcmp(names, "all") == 0)
        return add_all(out, path, method, e);
    enum status s = split_list(names, "--core", &list, &n, e);
    for (size_t i = 0; i < n && !s; i++)
        s = add(out, path, list[i], method, e);
    free(list);
    return s;
}

enum status blocks_cores_of_board(struct blocks_cores *out, const char *board, struct error *e)
{
    *out = (struct blocks_cores){.at = xcalloc(1, sizeof *out->at)};
    enum status s = costs_from_board(out->at, board, NULL, e);
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
