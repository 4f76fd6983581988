#include "shimgen/shim_costs.h"

#include "base/alloc.h"
#include "shimgen/shim_core.h"

static struct cycles cycles_of(const struct shimxml_range *r)
{
    return (struct cycles){r->best, r->typical, r->worst};
}

enum status costs_from_shim(struct costs *out, const char *path, const char *core, struct error *e)
{
    struct shimxml_system *system = 0;
    size_t index = 0;
    enum status s = shim_system(&system, path, e);
    if (!s)
        s = shim_core(&index, system, path, core, e);
    const struct shimxml_core *c = s ? 0 : &system->cores[index];
    if (c && !c->n_instructions)
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "core '%s' has no instruction set, so nothing can be estimated for it; merge a model into it "
                      "(shim-xml merge)",
                      c->name);
    if (!s) {
        *out = (struct costs){0};
        for (size_t i = 0; i < c->n_instructions; i++)
            costs_add(out, c->instructions[i].name, cycles_of(&c->instructions[i].pitch),
                      cycles_of(&c->instructions[i].latency));
        out->clock_hz = c->clock_hz;
        out->core = xstrdup(c->name);
    }
    shimxml_system_free(system);
    return s;
}
