#include "shimgen/shim_costs.h"

#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"

static const struct shimxml_core *choose(const struct shimxml_system *s, const char *name)
{
    for (size_t i = 0; i < s->n_cores; i++) {
        const struct shimxml_core *c = &s->cores[i];
        bool match = name ? strcmp(c->name, name) == 0 || strcmp(c->id, name) == 0
                          : strcmp(c->type, "PU") == 0 && c->n_instructions > 0;
        if (match)
            return c;
    }
    return 0;
}

static enum status no_core(const struct shimxml_system *s, const char *path, const char *name, struct error *e)
{
    struct str names = STR_INIT;
    for (size_t i = 0; i < s->n_cores; i++)
        str_addf(&names, "%s%s", i ? ", " : "", s->cores[i].name);
    enum status status =
        name ? error_set(e, ERR_INPUT, AT_FILE(path), "there is no core '%s'; there are: %s", name,
                         s->n_cores ? str_text(&names) : "none")
             : error_set(e, ERR_INPUT, AT_FILE(path),
                         "no processing unit has an instruction set, so nothing can be estimated; merge a "
                         "model into it (shim-xml merge)");
    str_release(&names);
    return status;
}

static struct cycles cycles_of(const struct shimxml_range *r)
{
    return (struct cycles){r->best, r->typical, r->worst};
}

enum status costs_from_shim(struct costs *out, const char *path, const char *core, struct error *e)
{
    struct shimxml_doc *d = 0;
    struct shimxml_system *system = 0;
    enum status s = shimxml_read(&d, path, e);
    if (!s)
        s = shimxml_system(&system, d, e);
    if (s) {
        shimxml_free(d);
        return s;
    }
    *out = (struct costs){0};
    const struct shimxml_core *c = choose(system, core);
    if (!c) {
        s = no_core(system, path, core, e);
    } else if (!c->n_instructions) {
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "core '%s' has no instruction set, so nothing can be estimated for it", c->name);
    } else {
        for (size_t i = 0; i < c->n_instructions; i++)
            costs_add(out, c->instructions[i].name, cycles_of(&c->instructions[i].pitch),
                      cycles_of(&c->instructions[i].latency));
        out->clock_hz = c->clock_hz;
        out->core = xstrdup(c->name);
    }
    shimxml_system_free(system);
    shimxml_free(d);
    return s;
}
