/* map_machine.c - the cores of a SHIM file, and the cost of data between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/str.h"
#include "shimgen/estimate/shim_core.h"
#include "shimgen/map/mapping.h"
#include "shimgen/map/map_links.h"

size_t map_machine_core(const struct map_machine *m, const char *name)
{
    for (size_t i = 0; i < m->cores.n; i++)
        if (strcmp(m->cores.at[i].name, name) == 0)
            return i;
    return MAP_NONE;
}

double map_time(const struct map_machine *m, size_t core, double cycles)
{
    return m->clocks ? cycles / m->cores.at[core].clock_hz * 1e6 : cycles;
}

static double link_time(const struct map_link *l, double bytes)
{
    double pieces = ceil(bytes / l->piece);
    return l->latency + (pieces > 0 ? l->first + (pieces - 1) * l->each : 0);
}

double map_transfer(const struct map_machine *m, size_t from, size_t to, double bytes)
{
    const struct map_way *way = &m->ways[from * m->cores.n + to];
    double least = INFINITY;
    if (from == to)
        return 0;
    for (size_t i = 0; i < way->links.n; i++)
        least = fmin(least, link_time(&way->links.at[i], bytes));
    return least;
}

static bool name_taken(const struct shimxml_system *s, const char *name)
{
    size_t same = 0;
    for (size_t i = 0; i < s->n_cores; i++)
        same += strcmp(s->cores[i].name, name) == 0;
    return same > 1;
}

static void add_core(struct map_machine *m, const struct shimxml_system *s, size_t i, struct map_links *links)
{
    const struct shimxml_core *c = &s->cores[i];
    char *name = name_taken(s, c->name) ? xasprintf("%s (%s)", c->name, c->id) : xstrdup(c->name);
    vec_push(&m->cores, (struct map_core){name, xstrdup(c->arch), c->clock_hz});
    vec_push(&links->index, i);
}

/* Adds all processing units; without any, all cores. */
static void add_all(struct map_machine *m, const struct shimxml_system *s, bool with_values, struct map_links *links)
{
    for (size_t i = 0; i < s->n_cores; i++)
        if (with_values ? s->cores[i].n_instructions > 0 : strcmp(s->cores[i].type, "PU") == 0)
            add_core(m, s, i, links);
    for (size_t i = 0; !with_values && !m->cores.n && i < s->n_cores; i++)
        add_core(m, s, i, links);
}

static enum status add_named(struct map_machine *m, const struct shimxml_system *s, const char *names,
                             struct map_links *links, struct error *e)
{
    char **list = 0;
    size_t n = 0, core = 0;
    enum status status = split_list(names, "--core", &list, &n, e);
    for (size_t i = 0; i < n && !status; i++) {
        status = shim_core(&core, s, m->path, list[i], e);
        for (size_t k = 0; !status && k < links->index.n; k++)
            if (links->index.at[k] == core)
                status = error_set(e, ERR_INPUT, AT_FILE(m->path), "--core names core '%s' twice", list[i]);
        if (!status)
            add_core(m, s, core, links);
    }
    free(list);
    return status;
}

static void take_clocks(struct map_machine *m)
{
    struct str without = STR_INIT;
    size_t n = 0;
    for (size_t i = 0; i < m->cores.n; i++) {
        if (m->cores.at[i].clock_hz > 0)
            continue;
        str_addf(&without, "%s%s", n++ ? ", " : "", m->cores.at[i].name);
    }
    m->clocks = n == 0;
    m->unit = m->clocks ? "us" : "cycles";
    if (n)
        vec_push(&m->notes, xasprintf("%s: no clock for %s, so times are cycles, as if all cores had one clock",
                                      m->path, str_text(&without)));
    str_release(&without);
}

enum status map_machine_read(struct map_machine *out, const char *path, const char *names,
                             const struct map_assumed *assumed, struct error *e)
{
    struct shimxml_doc *d = 0;
    struct map_links links = {.assumed = assumed};
    *out = (struct map_machine){.path = xstrdup(path), .unit = "cycles"};
    enum status s = shimxml_read(&d, path, e);
    if (!s)
        s = shimxml_system(&links.system, d, e);
    if (!s && names && strcmp(names, "all") != 0)
        s = add_named(out, links.system, names, &links, e);
    else if (!s)
        add_all(out, links.system, names != 0, &links);
    if (!s && !out->cores.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is no core (MasterComponent) in it");
    if (!s && out->cores.n == 1 && links.system->n_cores == 1)
        vec_push(&out->notes,
                 xasprintf("%s: one core, %s: a step takes all blocks one after the other, and no mapping can "
                           "change that",
                           path, out->cores.at[0].name));
    if (!s) {
        take_clocks(out);
        map_links_make(out, d, &links);
    }
    shimxml_system_free(links.system);
    shimxml_free(d);
    vec_release(&links.index);
    return s;
}

void map_machine_release(struct map_machine *m)
{
    for (size_t i = 0; m->ways && i < m->cores.n * m->cores.n; i++)
        vec_release(&m->ways[i].links);
    for (size_t i = 0; i < m->cores.n; i++) {
        free(m->cores.at[i].name);
        free(m->cores.at[i].arch);
    }
    for (size_t i = 0; i < m->notes.n; i++)
        free(m->notes.at[i]);
    vec_release(&m->cores);
    vec_release(&m->notes);
    free(m->ways);
    free(m->path);
    *m = (struct map_machine){0};
}
