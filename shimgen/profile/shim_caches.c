/* shim_caches.c - reads the data caches of a core in a SHIM file, as a geometry for the cache simulator. */
#include "shimgen/profile/shim_caches.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

/* the simulator's limit, far beyond any cache */
#define LARGEST ((double)(1ULL << 40))

static bool holds_data(const struct shimxml_cache *c)
{
    return strcmp(c->type, "INSTRUCTION") != 0;
}

static bool refers_to(const struct shimxml_system *s, const struct shimxml_cache *c, const struct shimxml_cache *inner)
{
    for (size_t i = 0; i < c->n_inner; i++) {
        const struct shimxml_cache *at = &s->caches[c->inner[i]];
        if (inner ? at == inner : holds_data(at))
            return true;
    }
    return false;
}

/* Caches that may be a core's level: the first one, and the names of all. */
struct candidates {
    const struct shimxml_cache *first;
    size_t n;
    struct str names;
};

static void add(struct candidates *c, const struct shimxml_cache *cache)
{
    if (!c->n++)
        c->first = cache;
    str_addf(&c->names, "%s'%s'", c->names.len ? ", " : "", cache->name);
}

static struct candidates first_levels(const struct shimxml_system *s, size_t core)
{
    struct candidates c = {0, 0, STR_INIT};
    for (size_t i = 0; i < s->n_caches; i++)
        if (s->caches[i].core == core && holds_data(&s->caches[i]) && !refers_to(s, &s->caches[i], 0))
            add(&c, &s->caches[i]);
    return c;
}

static struct candidates second_levels(const struct shimxml_system *s, const struct shimxml_cache *l1d)
{
    struct candidates c = {0, 0, STR_INIT};
    for (size_t i = 0; i < s->n_caches; i++)
        if (&s->caches[i] != l1d && holds_data(&s->caches[i]) && refers_to(s, &s->caches[i], l1d))
            add(&c, &s->caches[i]);
    return c;
}

/* Data caches outside cores that refer to nothing: the file does not tell whose second level they are. */
static struct candidates unattached(const struct shimxml_system *s)
{
    struct candidates c = {0, 0, STR_INIT};
    for (size_t i = 0; i < s->n_caches; i++)
        if (s->caches[i].core == SHIMXML_SHARED && holds_data(&s->caches[i]) && !s->caches[i].n_inner)
            add(&c, &s->caches[i]);
    return c;
}

enum status shim_data_caches(struct data_caches *out, const struct shimxml_system *s, size_t core, const char *path,
                             struct error *e)
{
    const char *name = s->cores[core].name;
    struct candidates first = first_levels(s, core), second = {0, 0, STR_INIT}, loose = {0, 0, STR_INIT};
    enum status status = OK;
    if (first.n == 1)
        second = second_levels(s, first.first);
    if (first.n == 1 && !second.n)
        loose = unattached(s);
    if (!first.n)
        status = error_set(e, ERR_INPUT, AT_FILE(path),
                           "core '%s' has no data cache of its own; add one to its MasterComponent, choose another "
                           "core with --core, or give --l1d and --l2",
                           name);
    else if (first.n > 1)
        status = error_set(e, ERR_INPUT, AT_FILE(path),
                           "which is the first data cache of core '%s': %s? Let the outer ones refer to the inner one "
                           "(cacheRef), or give --l1d and --l2",
                           name, str_text(&first.names));
    else if (second.n > 1)
        status = error_set(
            e, ERR_INPUT, AT_FILE(path),
            "which is the next level after '%s' of core '%s': %s? All refer to it (cacheRef); leave one, or give --l2",
            first.first->name, name, str_text(&second.names));
    else if (loose.n)
        status = error_set(e, ERR_INPUT, AT_FILE(path),
                           "is %s the next level after '%s' of core '%s'? It refers to no cache; add a cacheRef, or "
                           "give --l2 (--l2 none: there is no next level)",
                           str_text(&loose.names), first.first->name, name);
    else
        *out = (struct data_caches){first.first, second.first};
    str_release(&first.names);
    str_release(&second.names);
    str_release(&loose.names);
    return status;
}

/* The file's number, cut to what fits; the simulator refuses it then. */
static uint32_t cut(long n)
{
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

enum status shim_cache_geometry(struct sim_cache *out, const struct shimxml_cache *c, enum sim_replacement replacement,
                                const char *path, const char *option, struct error *e)
{
    const char *missing = !(c->bytes > 0) ? "size"
                          : !c->ways      ? "number of ways (nWay)"
                          : !c->line      ? "line size (lineSize)"
                                          : 0;
    if (missing)
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "the %s of cache '%s' is not given, so it cannot be simulated; add it to the file, or give %s "
                         "SIZE:WAYS:LINE",
                         missing, c->name, option);
    struct sim_cache_levels alone = {
        .l1d = {(uint64_t)(c->bytes < LARGEST ? c->bytes : LARGEST), cut(c->ways), cut(c->line), replacement}};
    const char *fault = sim_cache_levels_check(&alone);
    if (fault)
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "cache '%s' of %.0f bytes, %ld ways, lines of %ld bytes cannot be simulated: %s; correct the "
                         "file, or give %s SIZE:WAYS:LINE",
                         c->name, c->bytes, c->ways, c->line, fault + strlen("l1d: "), option);
    *out = alone.l1d;
    return OK;
}

static const char *const replacements[SIM_REPLACEMENT_N] = {"lru", "fifo", "random", "plru"};

enum sim_replacement shim_cache_replacement(const char *name)
{
    int i = 0;
    while (i < SIM_REPLACEMENT_N && strcmp(replacements[i], name) != 0)
        i++;
    return (enum sim_replacement)i;
}

char *shim_cache_text(const struct sim_cache *c)
{
    const char *unit = c->size % (1 << 20) == 0 ? "M" : c->size % 1024 == 0 ? "K" : "";
    uint64_t number = *unit == 'M' ? c->size >> 20 : *unit ? c->size >> 10 : c->size;
    return xasprintf("%llu%s:%u:%u:%s", (unsigned long long)number, unit, c->ways, c->line,
                     replacements[c->replacement]);
}
