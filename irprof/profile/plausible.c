/*
 * Counts that cannot be. A program that writes beyond an array may write over its counters; then the profile is whole,
 * its checksum right, and its numbers are nonsense. What must hold for the counts of every run is looked at where
 * profiles are read: a region has no more than the program; a branch is mispredicted no oftener than it is executed; no
 * more lines are missed than accessed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "irprof/profile/profile.h"

/* Where a thread is stopped between a counter and the event that belongs to it, the event may be counted alone: so many
 * threads at most. */
static const uint64_t stopped = 4096;
/* A switch is at most so many comparisons in a row: a tree of 32 and a few ranges (branch_switch.c). */
static const uint64_t of_a_switch = 40;

static const char *cure(const struct irprof_profile *p)
{
    for (size_t i = 0; i < p->n_modules; i++)
        if (p->modules[i].counters == IRPROF_COUNTERS_PLAIN)
            return "the program has written over its counters, or counted threads with --counters plain; build it with "
                   "-fsanitize=address to find such writes, and count it again with --counters thread";
    return "the program has written over its counters; build it with -fsanitize=address to find where it writes beyond "
           "its data, correct that, and count it again";
}

static enum status impossible(const struct irprof_profile *p, const struct irprof_region *r, const char *what,
                              uint64_t n, const char *of_what, uint64_t most, struct error *e)
{
    return error_set(e, ERR_INPUT, AT_FILE(p->path),
                     "counts that cannot be: region '%s' has %" PRIu64 " %s, but %s %" PRIu64 "; %s", r->name, n, what,
                     of_what, most, cure(p));
}

/* ---- a region and the program ---- */

/* Counters of all modules, one after the other, that values are made of. Others are no counts: where a switch went
 * last. */
struct used {
    bool *at; /* owned */
    const struct profile_builder *b;
    const struct container *c;
};

static void use(struct used *u, size_t module, size_t value)
{
    if (value < u->b->values.at[module].n_counters)
        u->at[u->c->modules[module].first_counter + value] = true;
}

static void use_segment(struct used *u, const struct irprof_profile *p, size_t segment)
{
    const struct irprof_segment *s = &p->segments[segment];
    size_t module = p->functions[s->function].module;
    use(u, module, u->b->counted.segments.at[segment]);
    for (size_t k = s->first_part; k < s->first_part + s->n_parts; k++) {
        const struct irprof_part *part = &p->parts[k];
        for (size_t i = part->first_event_site; i < part->first_event_site + part->n_event_sites; i++)
            if (u->b->counted.event_sites.at[i].own)
                use(u, module, u->b->counted.event_sites.at[i].value);
    }
}

static void use_all(struct used *u, const struct irprof_profile *p)
{
    u->at = xcalloc(u->c->n_counters, sizeof *u->at);
    for (size_t m = 0; m < u->c->n_modules; m++)
        for (size_t i = 0; i < u->b->values.at[m].terms.n; i++)
            use(u, m, u->b->values.at[m].terms.at[i].value);
    for (size_t i = 0; i < p->n_segments; i++)
        use_segment(u, p, i);
    for (size_t i = 0; i < p->n_edges; i++)
        use(u, p->functions[p->edges[i].function].module, u->b->counted.edges.at[i]);
}

/* Counters only grow. */
static enum status check_regions(const struct irprof_profile *p, const struct profile_builder *b,
                                 const struct container *c, struct error *e)
{
    struct used used = {0, b, c};
    enum status s = OK;
    use_all(&used, p);
    for (size_t r = 0; r < c->n_regions && !s; r++)
        for (size_t i = 0; i < c->n_counters && !s && !p->regions[r].flaws; i++)
            if (used.at[i] && c->regions[r].counts[i] > c->counts[i])
                s = impossible(p, &p->regions[r], "in one counter", c->regions[r].counts[i], "the whole program has",
                               c->counts[i], e);
    free(used.at);
    return s;
}

/* ---- events ---- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* How many branches were executed, at most. */
static uint64_t branches(const struct irprof_profile *p, const uint64_t *keys)
{
    uint64_t sum = 0, some;
    for (size_t i = 0; i < p->n_keys; i++) {
        struct ir_key k = ir_key(p->keys[i]);
        uint64_t each = k.form == IR_CONDITIONAL ? 1 : k.opcode == IR_SWITCH ? of_a_switch : 0;
        if (__builtin_mul_overflow(keys[i], each, &some) || __builtin_add_overflow(sum, some, &sum))
            return UINT64_MAX;
    }
    return sum;
}

static const uint64_t *count_of(const struct irprof_profile *p, const uint64_t *events, const char *name)
{
    for (size_t i = 0; i < p->n_events; i++)
        if (strcmp(p->events[i], name) == 0)
            return &events[i];
    return 0;
}

static bool is_more(uint64_t n, uint64_t than)
{
    return n > than && n - than > stopped;
}

static enum status check_mispredictions(const struct irprof_profile *p, const struct irprof_region *r,
                                        const uint64_t *events, const uint64_t *keys, struct error *e)
{
    uint64_t most = branches(p, keys);
    for (size_t i = 0; i < p->n_events; i++)
        if (begins(p->events[i], IRPROF_MISPREDICTED) && is_more(events[i], most))
            return impossible(p, r, p->events[i], events[i], "no more branches than", most, e);
    return OK;
}

static enum status check_refills(const struct irprof_profile *p, const struct irprof_region *r, const uint64_t *events,
                                 struct error *e)
{
    static const char *const pairs[][2] = {{"L1D_CACHE_REFILL", "L1D_CACHE"}, {"L2D_CACHE_REFILL", "L2D_CACHE"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const uint64_t *refills = count_of(p, events, pairs[i][0]), *accesses = count_of(p, events, pairs[i][1]);
        char *of_what = xasprintf("%s is", pairs[i][1]);
        enum status s = refills && accesses && is_more(*refills, *accesses)
                            ? impossible(p, r, pairs[i][0], *refills, of_what, *accesses, e)
                            : OK;
        free(of_what);
        if (s)
            return s;
    }
    return OK;
}

static enum status check_events(const struct irprof_profile *p, size_t region, struct error *e)
{
    const struct irprof_region *r = &p->regions[region];
    uint64_t *events = xcalloc(p->n_events, sizeof *events), *keys = xcalloc(p->n_keys, sizeof *keys);
    irprof_event_counts(p, region, events);
    irprof_key_counts(p, region, keys);
    enum status s = check_mispredictions(p, r, events, keys, e);
    if (!s)
        s = check_refills(p, r, events, e);
    free(events);
    free(keys);
    return s;
}

enum status plausible_check(const struct irprof_profile *p, const struct profile_builder *b, const struct container *c,
                            struct error *e)
{
    enum status s = c->n_regions ? check_regions(p, b, c, e) : OK;
    for (size_t r = 0; r < p->n_regions && p->n_events && !s; r++)
        if (!p->regions[r].flaws)
            s = check_events(p, r, e);
    return s;
}
