/* costs_shim.c - reads the costs of a core from a SHIM file, as a method needs them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/costs.h"
#include "shimgen/estimate/schedule/schedule_factors.h"
#include "shimgen/estimate/shim_core.h"

static struct cycles cycles_of(const struct shimxml_range *r)
{
    return (struct cycles){r->best, r->typical, r->worst};
}

/* ---- misses: by how much later the next level answers a read ---- */

/* What reads cost at a level: the largest size up to a word. Returns false if the file does not say. */
static bool read_costs(struct cycles *latency, struct cycles *pitch, const struct shimxml_system *s, size_t core,
                       size_t cache)
{
    long bytes = 0;
    for (size_t i = 0; i < s->n_accesses; i++) {
        const struct shimxml_access *a = &s->accesses[i];
        if (a->core != core || a->cache != cache || !strchr(a->rw, 'R') || a->bytes <= bytes || a->bytes > 8 ||
            isnan(a->latency.typical))
            continue;
        bytes = a->bytes;
        *latency = cycles_completed(cycles_of(&a->latency));
        *pitch = isnan(a->pitch.typical) ? *latency : cycles_completed(cycles_of(&a->pitch));
    }
    return bytes > 0;
}

static struct cycles later(const struct cycles *far, const struct cycles *near)
{
    return (struct cycles){fmax(0, far->best - near->best), fmax(0, far->typical - near->typical),
                           fmax(0, far->worst - near->worst)};
}

/* Two levels are simulated. Misses of the second are answered by the third one, or by the memory. */
static void find_refills(struct costs *out, const struct shimxml_system *s, size_t core)
{
    const struct shimxml_cache *cache = shimxml_next_cache(s, core, 0);
    struct cycles latency[3], pitch[3];
    for (size_t i = 0; i < 3; i++) {
        size_t there = cache ? (size_t)(cache - s->caches) : SHIMXML_MEMORY;
        if (!read_costs(&latency[i], &pitch[i], s, core, there))
            return;
        if (i) {
            out->refills[i - 1] = later(&latency[i], &latency[i - 1]);
            out->streams[i - 1] = later(&pitch[i], &pitch[i - 1]);
            out->n_refills = i;
        }
        if (!cache)
            return;
        cache = shimxml_next_cache(s, core, cache);
    }
}

/* ---- which values a method uses (docs/formats/shim-file.md) ---- */

static const char *after_prefix(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 ? name + n : 0;
}

static bool has_fitted(const struct costs *c)
{
    for (size_t i = 0; i < c->names.n; i++)
        if (after_prefix(c->names.keys[i], SHIMXML_FITTED))
            return true;
    return false;
}

/* Takes values fitted to counts, with their prefix removed; or all others except factors. */
static void take(struct costs *to, const struct costs *from, bool fitted)
{
    for (size_t i = 0; i < from->names.n; i++) {
        const char *name = from->names.keys[i], *plain = after_prefix(name, SHIMXML_FITTED);
        if (fitted ? plain != 0 : !plain && !after_prefix(name, SHIMXML_FACTOR))
            costs_add(to, fitted ? plain : name, from->pitch[i], from->latency[i]);
    }
}

/* Reads the factors. Returns false if the file has none. A missing factor is 1. */
static bool read_factors(double *by, const struct costs *c)
{
    bool any = false;
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++) {
        char *name = schedule_factor_instruction(k);
        size_t i;
        bool there = map_get(&c->names, name, &i);
        by[k] = there ? c->latency[i].typical : 1;
        any |= there;
        free(name);
    }
    return any;
}

static void scale(struct costs *c, const double *by)
{
    struct costs from;
    schedule_say_misprediction(c);
    costs_copy(&from, c);
    schedule_scale(c, &from, by);
    costs_release(&from);
}

/* `sum` and `operand` use costs fitted to counts if the file has them. Any other method uses times, multiplied by the
 * file's factors; COSTS_AS_MEASURED uses times as they are. */
static void take_for(struct costs *c, const char *method)
{
    double by[SCHEDULE_FACTORS];
    bool counts = method && (strcmp(method, "sum") == 0 || strcmp(method, "operand") == 0);
    bool measured = method && strcmp(method, COSTS_AS_MEASURED) == 0;
    c->has_fitted = has_fitted(c);
    bool fitted = counts && c->has_fitted, scaled = read_factors(by, c) && !counts && !measured;
    struct costs all = *c;
    c->names = (struct map){0};
    c->pitch = c->latency = 0;
    take(c, &all, fitted);
    map_release(&all.names);
    free(all.pitch);
    free(all.latency);
    if (scaled)
        scale(c, by);
}

/* ---- one core ---- */

/* The first entry of a name stands for all widths that the file lacks. */
static void add_instruction(struct costs *out, const struct shimxml_instruction *i)
{
    costs_add(out, i->name, cycles_of(&i->pitch), cycles_of(&i->latency));
    if (!i->widths.output)
        return;
    char *form = costs_form(i->name, &i->widths);
    costs_add(out, form, cycles_of(&i->pitch), cycles_of(&i->latency));
    free(form);
}

/* "A53_0", or, if several cores have that name, "A53_0 (MC_A53_0)". The caller frees. */
static char *name_of(const struct shimxml_system *s, size_t core)
{
    const struct shimxml_core *c = &s->cores[core];
    for (size_t i = 0; i < s->n_cores; i++)
        if (i != core && strcmp(s->cores[i].name, c->name) == 0)
            return xasprintf("%s (%s)", c->name, c->id);
    return xstrdup(c->name);
}

/* ---- files that a reference tool has changed ---- */

/* If the tool has removed values, no estimate is possible. Other changes may be intended, so there is only a note. */
static enum status check_values(const struct shimxml_core *c, const char *path, struct error *e)
{
    if (c->seal == SHIMXML_CHANGED && c->rewritten)
        return error_set(
            e, ERR_INPUT, AT_FILE(path),
            "core '%s': its instruction values were rewritten by %s; take the file from before, or put the "
            "values back (shim-xml merge --by core FILE BEFORE)",
            c->name, c->rewritten);
    return OK;
}

static char *warning_of(const struct shimxml_core *c)
{
    if (c->seal == SHIMXML_CHANGED)
        return xasprintf("core %s: its instruction values were changed after shimgen wrote them: its factors and "
                         "intervals are for those from before",
                         c->name);
    return c->rewritten
               ? xasprintf("core %s: its instruction values are not those of shimgen, but of %s", c->name, c->rewritten)
               : 0;
}

/* Takes the file's intervals, or those of its costs of counts if these are used. They were found with `operand`. */
static void take_interval(struct costs *out, const struct shimxml_system *s, const char *method)
{
    bool counts = method && strcmp(method, "operand") == 0 && out->has_fitted && s->fitted_interval;
    const char *text = counts ? s->fitted_interval : s->interval;
    out->interval = text ? xstrdup(text) : 0;
    out->interval_for = counts ? "operand" : s->method;
}

static void costs_of(struct costs *out, const struct shimxml_system *s, size_t core, const char *method)
{
    const struct shimxml_core *c = &s->cores[core];
    *out = (struct costs){.clock_hz = c->clock_hz, .core = name_of(s, core), .method = s->method};
    out->warning = warning_of(c);
    find_refills(out, s, core);
    for (size_t i = 0; i < c->n_instructions; i++)
        add_instruction(out, &c->instructions[i]);
    take_for(out, method ? method : s->method);
    if (c->seal != SHIMXML_CHANGED)
        take_interval(out, s, method);
}

enum status costs_from_shim(struct costs *out, const char *path, const char *core, const char *method, struct error *e)
{
    struct shimxml_system *system = 0;
    size_t index = 0;
    enum status s = shim_system(&system, path, e);
    if (!s)
        s = shim_core(&index, system, path, core, e);
    if (!s && !system->cores[index].n_instructions)
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "core '%s' has no instruction set, so nothing can be estimated for it; merge a model into it "
                      "(shim-xml merge)",
                      system->cores[index].name);
    if (!s)
        s = check_values(&system->cores[index], path, e);
    if (!s)
        costs_of(out, system, index, method);
    shimxml_system_free(system);
    return s;
}

static bool same(const struct costs *a, const struct costs *b)
{
    size_t n = a->names.n;
    if (n != b->names.n || a->clock_hz != b->clock_hz || a->load_use != b->load_use || a->address_use != b->address_use)
        return false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(a->names.keys[i], b->names.keys[i]) != 0)
            return false;
    return memcmp(a->pitch, b->pitch, n * sizeof *a->pitch) == 0 &&
           memcmp(a->latency, b->latency, n * sizeof *a->latency) == 0 && a->n_refills == b->n_refills &&
           memcmp(a->refills, b->refills, a->n_refills * sizeof *a->refills) == 0 &&
           memcmp(a->streams, b->streams, a->n_refills * sizeof *a->streams) == 0;
}

enum status costs_list(struct costs **out, size_t *n, const char *path, const char *method, struct error *e)
{
    struct shimxml_system *system = 0;
    VEC(struct costs) list = {0};
    enum status s = shim_system(&system, path, e);
    for (size_t i = 0; !s && i < system->n_cores; i++) {
        struct costs c;
        if (strcmp(system->cores[i].type, "PU") != 0 || !system->cores[i].n_instructions)
            continue;
        s = check_values(&system->cores[i], path, e);
        if (s)
            break;
        costs_of(&c, system, i, method);
        size_t k = 0;
        while (k < list.n && !same(&list.at[k], &c))
            k++;
        if (k == list.n) {
            vec_push(&list, c);
        } else {
            list.at[k].alike++;
            costs_release(&c);
        }
    }
    if (!s && !list.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "no processing unit in it has an instruction set, so nothing can be estimated; merge a model "
                      "into it (shim-xml merge)");
    shimxml_system_free(system);
    *out = list.at;
    *n = list.n;
    return s;
}
