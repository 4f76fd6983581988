/*
 * plausible.c - refuses counts that are impossible. A program that writes beyond an array may overwrite its counters.
 * Then the profile is complete and its checksum right, but its numbers are nonsense. So profiles are checked for what
 * holds in every run. A region has no more than the program. At each place a branch is mispredicted at most as often as
 * it is executed. There are at most as many misses as accesses. Nothing happens more often than a core can do it.
 * Values that follow from the counters are not far below zero.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/events/event_limits.h"
#include "base/key.h"
#include "base/str.h"
#include "irprof/profile/profile.h"
#include "irprof/profile/windows_section.h"

/* A thread that is stopped between a counter and its event may have counted only one of them. At most so many threads
 * are stopped. */
static const uint64_t stopped = 4096;

/* A difference this large between counters is not due to a stopped thread: it would have been in a loop for an hour. */
static const uint64_t hours = UINT64_C(1) << 40;

static const char *cure(const struct irprof_profile *p)
{
    for (size_t i = 0; i < p->n_modules; i++)
        if (p->modules[i].counters == IRPROF_COUNTERS_PLAIN)
            return "the program has overwritten its counters, or used threads with --counters plain; find such writes "
                   "with "
                   "-fsanitize=address, and count again with --counters thread";
    return "the program has overwritten its counters; find the write with -fsanitize=address, correct it, and count "
           "again; "
           "if it happens only in the second run of main, which warms the caches, run main once (--cache cold, or "
           "'once' in the column 'main' of a manifest)";
}

static enum status impossible(const struct irprof_profile *p, const struct irprof_region *r, const char *what,
                              uint64_t n, const char *of_what, uint64_t most, struct error *e)
{
    return error_set(e, ERR_INPUT, AT_FILE(p->path),
                     "impossible counts: region '%s' has %" PRIu64 " %s, but %s %" PRIu64 "; %s", r->name, n, what,
                     of_what, most, cure(p));
}

/* ---- regions against the program ---- */

/* The counters, of all modules, that values are computed from. Others are no counts, but for example where a switch
 * went last. */
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

/* Counters only grow, so a region has no more than the program. */
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

/* All windows together have no more than the program, in any counter. */
static enum status check_windows(const struct irprof_profile *p, const struct profile_builder *b,
                                 const struct container *c, struct error *e)
{
    struct used used = {0, b, c};
    uint64_t *sum = xcalloc(c->n_counters, sizeof *sum);
    enum status s = OK;
    use_all(&used, p);
    for (size_t i = 0; i < c->windows->changes.n && !s; i++) {
        const struct container_change *change = &c->windows->changes.at[i];
        sum[change->counter] += change->more;
        if (used.at[change->counter] && (change->more > INT64_MAX || sum[change->counter] > c->counts[change->counter]))
            s = error_set(e, ERR_INPUT, AT_FILE(p->path),
                          "impossible counts: the windows of the run add up to more than the run; %s", cure(p));
    }
    free(used.at);
    free(sum);
    return s;
}

/* ---- events ---- */

/* An upper bound on the number of executed branches. */
static uint64_t branches(const struct irprof_profile *p, const uint64_t *keys)
{
    uint64_t sum = 0, some;
    for (size_t i = 0; i < p->n_keys; i++) {
        struct ir_key k = ir_key(p->keys[i]);
        if (__builtin_mul_overflow(keys[i], ir_key_branches(&k), &some) || __builtin_add_overflow(sum, some, &sum))
            return UINT64_MAX;
    }
    return sum;
}

static const uint64_t *count_of(const struct irprof_profile *p, const uint64_t *events, const char *name)
{
    size_t event = irprof_event(p, name);
    return event < p->n_events ? &events[event] : 0;
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
        if (text_begins(p->events[i], IRPROF_MISPREDICTED) && is_more(events[i], most))
            return impossible(p, r, p->events[i], events[i], "no more branches than", most, e);
    return OK;
}

/* ---- each place in the program ---- */

/* The events of a part of a segment, sorted by what they are compared with. */
struct part_events {
    uint64_t executions, mispredicted, accesses[2], refills[2];
};

static const char *const levels[][2] = {{"L1D_CACHE", "L1D_CACHE_REFILL"}, {"L2D_CACHE", "L2D_CACHE_REFILL"}};
enum { LEVELS = sizeof levels / sizeof *levels };

static void add_site(struct part_events *to, const char *event, uint64_t n)
{
    if (text_begins(event, IRPROF_MISPREDICTED))
        to->mispredicted = n > to->mispredicted ? n : to->mispredicted; /* of several predictors, the worst */
    for (size_t k = 0; k < LEVELS; k++) {
        to->accesses[k] += strcmp(event, levels[k][0]) == 0 ? n : 0;
        to->refills[k] += strcmp(event, levels[k][1]) == 0 ? n : 0;
    }
}

static enum status check_part(const struct irprof_profile *p, const struct irprof_region *r, size_t segment,
                              const struct irprof_part *part, struct error *e)
{
    struct part_events n = {.executions = r->executions[segment]};
    for (size_t i = part->first_event_site; i < part->first_event_site + part->n_event_sites; i++)
        add_site(&n, p->events[p->event_sites[i].event], r->event_counts[i]);
    char *where = part->file < p->n_files ? xasprintf("%s:%u can have no more than", p->files[part->file], part->line)
                                          : xstrdup("their block can have no more than");
    uint64_t branches;
    enum status s = OK;
    if (__builtin_mul_overflow(n.executions, IR_SWITCH_BRANCHES, &branches))
        branches = UINT64_MAX;
    if (is_more(n.mispredicted, branches))
        s = impossible(p, r, "mispredictions in one place", n.mispredicted, where, branches, e);
    for (size_t k = 0; k < LEVELS && !s; k++)
        if (n.accesses[k] && is_more(n.refills[k], n.accesses[k]))
            s = impossible(p, r, levels[k][1], n.refills[k], where, n.accesses[k], e);
    free(where);
    return s;
}

/* The largest count at one place, over all runs of a merged profile. */
static enum status check_size(const struct irprof_profile *p, const struct irprof_region *r, const char *what,
                              uint64_t n, struct error *e)
{
    return (double)n / (double)p->runs > EVENT_MOST
               ? impossible(p, r, what, n, "more than any run can have is", (uint64_t)EVENT_MOST, e)
               : OK;
}

static enum status check_places(const struct irprof_profile *p, const struct irprof_region *r, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; i < p->n_segments && !s; i++) {
        const struct irprof_segment *at = &p->segments[i];
        s = check_size(p, r, "executions of one block", r->executions[i], e);
        for (size_t k = at->first_part; k < at->first_part + at->n_parts && !s; k++)
            s = check_part(p, r, i, &p->parts[k], e);
    }
    for (size_t i = 0; i < p->n_event_sites && !s; i++)
        s = check_size(p, r, p->events[p->event_sites[i].event], r->event_counts[i], e);
    return s;
}

/* Checked only if the program ended by itself: a signal may end a loop whose counter is in a register. */
static enum status check_missing(const struct irprof_profile *p, const struct irprof_region *r, struct error *e)
{
    return p->end == IRPROF_END_EXIT && r->missing / p->runs > hours
               ? impossible(p, r, "executions too few in one place", r->missing, "no run lacks more than", hours, e)
               : OK;
}

/* ---- the program as a whole ---- */

static enum status check_refills(const struct irprof_profile *p, const struct irprof_region *r, const uint64_t *events,
                                 struct error *e)
{
    for (size_t i = 0; i < LEVELS; i++) {
        const uint64_t *accesses = count_of(p, events, levels[i][0]), *refills = count_of(p, events, levels[i][1]);
        char *of_what = xasprintf("%s is", levels[i][0]);
        enum status s = refills && accesses && is_more(*refills, *accesses)
                            ? impossible(p, r, levels[i][1], *refills, of_what, *accesses, e)
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
    if (!s && c->windows)
        s = check_windows(p, b, c, e);
    for (size_t r = 0; r < p->n_regions && !s; r++) {
        if (p->regions[r].flaws)
            continue;
        s = p->n_events ? check_events(p, r, e) : OK;
        s = s ? s : check_places(p, &p->regions[r], e);
        s = s ? s : check_missing(p, &p->regions[r], e);
    }
    return s;
}
