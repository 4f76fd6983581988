/* known_work.c - judges what counters showed for known work, and finds the largest groups of trustworthy events. */
#include "boards/measure/known_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "boards/measure/run_stats.h"
#include "boards/runtime/rt.h"

/* ---- what an event must show of known work ---- */

/* The share of the constructed number that a correct PMU shows at least. Instructions, and additions in a chain, cannot
 * be fewer. A tenth of the loads may be fused or forwarded. Of lines in random order, 256 bytes apart, a prefetcher or
 * a repeated line saves far less than half. No predictor gets more than half of random branches right; a quarter is 30
 * standard deviations away from that. */
static double least_of(const char *event, const struct run_known *k)
{
    static const struct {
        const char *event;
        size_t figure;
        double share;
    } rules[] = {{"CPU_CYCLES", offsetof(struct run_known, adds), 0.9},
                 {"INST_RETIRED", offsetof(struct run_known, instructions), 1},
                 {"BR_MIS_PRED", offsetof(struct run_known, branches), 0.25},
                 {"L1D_CACHE", offsetof(struct run_known, loads), 0.9},
                 {"L1D_CACHE_REFILL", offsetof(struct run_known, near), 0.5},
                 {"L2D_CACHE", offsetof(struct run_known, near), 0.5},
                 {"L2D_CACHE_REFILL", offsetof(struct run_known, far), 0.5}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].event, event) == 0)
            return rules[i].share * *(const double *)((const char *)k + rules[i].figure);
    return 0;
}

#define SLACK 256 /* events that interrupts, page walks and a second hardware thread may add to any work */

static bool is_contract_event(const char *event)
{
    const struct run_known all = {.instructions = 1, .adds = 1, .loads = 1, .near = 1, .far = 1, .branches = 1};
    return least_of(event, &all) > 0;
}

/* By how much an event's counts alone and in the group may differ. Cycles of memory accesses depend on neighbours, so
 * cycles are compared on the chain of additions. Instructions are equal except for the kernel's. Misses and
 * mispredictions of some thousand random events repeat within a few per cent. Events with other names may be anything,
 * even time. */
static double tolerance_of(const char *event, const char *work, double alone)
{
    bool chain = strcmp(work, "chain") == 0;
    if (strcmp(event, "CPU_CYCLES") == 0)
        return chain ? 0.25 * alone + SLACK : INFINITY;
    if (strcmp(event, "INST_RETIRED") == 0)
        return 0.02 * alone + SLACK;
    if (is_contract_event(event))
        return 0.25 * alone + SLACK;
    return chain && alone >= 4 * SLACK ? 0.75 * alone : INFINITY;
}

/* ---- what a launch showed ---- */

static long index_of(const struct run_result *r, const char *event)
{
    for (size_t i = 0; r && i < r->events.n; i++)
        if (strcmp(r->events.at[i].name, event) == 0)
            return (long)i;
    return -1;
}

struct shown {
    double least, middle; /* over all iterations; NAN: the launch did not do this work, or did not count the event */
};

static struct shown shown_of(const struct run_result *r, const char *event, const char *work)
{
    struct shown s = {NAN, NAN};
    long at = index_of(r, event);
    VEC(double) x = {0};
    for (size_t i = 0; at >= 0 && i < r->known.n; i++)
        if (strcmp(r->known.at[i].name, work) == 0)
            vec_push(&x, r->known.at[i].counted[at]);
    if (x.n)
        s = (struct shown){quantile_of(x.at, x.n, 0), median_of(x.at, x.n)};
    vec_release(&x);
    return s;
}

/* ---- verdicts: NULL, or a sentence that the caller frees ---- */

/* Judges an event by itself. alone: what it showed alone; NULL: `r` is that. */
static char *against_work(const char *event, const struct run_result *r, const struct run_known *k,
                          const struct run_result *alone)
{
    struct shown here = shown_of(r, event, k->name), apart = shown_of(alone, event, k->name);
    double least = least_of(event, k);
    if (here.least <= 0 && (least > 0 || apart.least > SLACK))
        return alone ? xasprintf("it reads 0 in a group of %zu, and %.0f alone (known work: %s)", r->events.n,
                                 apart.middle, k->name)
                     : xasprintf("it reads 0 where it must count %.0f at least (known work: %s)", least, k->name);
    if (here.least < least)
        return xasprintf("it counts %.0f where it must count %.0f at least (known work: %s)", here.least, least,
                         k->name);
    if (strcmp(event, "BR_MIS_PRED") == 0 && k->branches > 0 && here.middle > 4 * k->branches + SLACK)
        return xasprintf("it counts %.0f mispredictions of %.0f branches", here.middle, 2 * k->branches);
    if (fabs(here.middle - apart.middle) > tolerance_of(event, k->name, apart.middle))
        return xasprintf("it counts %.0f in a group of %zu, and %.0f alone (known work: %s)", here.middle, r->events.n,
                         apart.middle, k->name);
    return 0;
}

static char *judge_event(const char *event, const struct run_result *r, const struct run_result *alone)
{
    char *why = 0;
    for (size_t i = 0; i < r->known.n && !why; i++)
        if (i == 0 || strcmp(r->known.at[i].name, r->known.at[i - 1].name) != 0)
            why = against_work(event, r, &r->known.at[i], alone);
    return why;
}

/* More refills than accesses: then the accesses are wrong, since known misses confirm refills best. A prefetcher may
 * bring the neighbouring line for each miss without an access, hence the factor 2. */
static const char *const accesses[][2] = {{"L1D_CACHE", "L1D_CACHE_REFILL"}, {"L2D_CACHE", "L2D_CACHE_REFILL"}};

static char *judge_accesses(const char *event, const struct run_result *r, const struct run_result *of_refills)
{
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        if (strcmp(accesses[i][0], event) != 0)
            continue;
        struct shown a = shown_of(r, event, "misses"), refills = shown_of(of_refills, accesses[i][1], "misses");
        if (refills.middle > 2 * a.middle + SLACK)
            return xasprintf("it counts %.0f accesses where %s counts %.0f (known work: misses)", a.middle,
                             accesses[i][1], refills.middle);
    }
    return 0;
}

/* ---- the search ---- */

struct candidate {
    char *name, *spec;
    struct run_result *alone;
    bool lost, placed, apart; /* apart: wrong in every group */
};
struct search {
    struct counter_plan *plan;
    prove_launch *launch;
    void *context;
    VEC(struct candidate) events;
    size_t most; /* largest group that has worked so far */
    struct error *e;
};

static void lose(struct search *s, struct candidate *c, char *owned_why)
{
    c->lost = true;
    vec_push(&s->plan->lost, (struct lost_event){xstrdup(c->name), owned_why});
}

static void split(struct search *s, const char *events)
{
    while (*events) {
        size_t n = strcspn(events, ","), name = strcspn(events, "=,");
        vec_push(&s->events, (struct candidate){.name = xstrndup(events, name), .spec = xstrndup(events, n)});
        events += n + (events[n] == ',');
    }
    s->most = s->events.n < RT_EVENTS ? s->events.n : RT_EVENTS;
}

static enum status launch_group(struct search *s, const size_t *members, size_t n, struct run_result **out)
{
    struct str spec = STR_INIT;
    for (size_t i = 0; i < n; i++)
        str_addf(&spec, "%s%s", i ? "," : "", s->events.at[members[i]].spec);
    *out = 0;
    enum status status = s->launch(s->context, str_text(&spec), out, s->e);
    s->plan->launches++;
    str_release(&spec);
    return status;
}

static char *why_not_opened(const struct run_result *r, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; r && i < r->left_out.n; i++)
        if (strncmp(r->left_out.at[i], name, n) == 0 && strncmp(r->left_out.at[i] + n, ": ", 2) == 0)
            return xstrdup(r->left_out.at[i] + n + 2);
    return xstrdup("it cannot be counted here");
}

/* Checks each event alone. Without correct cycles nothing else is of use. */
static enum status prove_alone(struct search *s)
{
    enum status status = OK;
    for (size_t i = 0; i < s->events.n && !status; i++) {
        struct candidate *c = &s->events.at[i];
        status = launch_group(s, &i, 1, &c->alone);
        if (status)
            break;
        s->plan->opened |= c->alone && c->alone->pmu;
        char *why = !c->alone || !c->alone->pmu || c->alone->known.n == 0 ? why_not_opened(c->alone, c->name)
                                                                          : judge_event(c->name, c->alone, 0);
        if (why)
            lose(s, c, why);
        if (i == 0 && c->lost)
            break;
    }
    for (size_t i = 1; i < s->events.n && !status; i++)
        for (size_t k = 1; k < s->events.n; k++) {
            struct candidate *c = &s->events.at[i], *of = &s->events.at[k];
            char *why = c->lost || of->lost || !of->alone ? 0 : judge_accesses(c->name, c->alone, of->alone);
            if (why)
                lose(s, c, why);
        }
    return status;
}

/* Tries one order of a group: which members are wrong? Returns how many; `why` is about the first one. */
static size_t judge_group(struct search *s, const struct run_result *r, const size_t *members, size_t n, bool *bad,
                          char **why)
{
    size_t faults = 0;
    for (size_t i = 0; i < n; i++) {
        const struct candidate *c = &s->events.at[members[i]];
        char *fault =
            index_of(r, c->name) < 0 || !r->pmu ? why_not_opened(r, c->name) : judge_event(c->name, r, c->alone);
        if (!fault)
            fault = judge_accesses(c->name, r, r);
        bad[members[i]] = fault != 0;
        faults += fault != 0;
        if (fault && !*why)
            *why = xasprintf("%s: %s", c->name, fault);
        free(fault);
    }
    return faults;
}

/* Order 0: as it will be measured; 1: rotated by one; 2: reversed. The leader stays first. */
static void arrange(size_t *to, const size_t *members, size_t n, int order)
{
    memcpy(to, members, n * sizeof *to);
    for (size_t i = 1; i < n && order; i++)
        to[i] = order == 1 ? members[i + 1 < n ? i + 1 : 1] : members[n - i];
}

struct verdict {
    bool good;
    long culprit; /* the only member that is wrong in every order; -1: a place in the group is wrong, not an event */
    char *why;
};

static enum status try_group(struct search *s, const size_t *members, size_t n, struct run_result **kept,
                             struct verdict *v)
{
    size_t order[64];
    bool always[64], bad[64];
    enum status status = OK;
    size_t failed = 0, suspects = n;
    memset(always, 1, sizeof always);
    for (int k = 0; k < (n > 2 ? 3 : 2) && !status && suspects; k++) {
        struct run_result *r;
        arrange(order, members, n, n > 2 ? k : 0);
        memset(bad, 0, sizeof bad);
        status = launch_group(s, order, n, &r);
        if (status)
            break;
        failed += !r || judge_group(s, r, order, n, bad, &v->why) > 0;
        if (failed == (size_t)k + 1) /* wrong in all orders so far */
            for (size_t i = suspects = 0; i < n; i++)
                suspects += always[members[i]] = always[members[i]] && bad[members[i]];
        if (k == 0)
            *kept = r;
        else
            run_result_free(r);
    }
    v->good = failed == 0;
    for (size_t i = 1; i < n && failed && suspects == 1; i++)
        if (always[members[i]])
            v->culprit = (long)members[i];
    return status;
}

static void accept(struct search *s, const size_t *members, size_t n, const struct run_result *r)
{
    struct counter_set set = {0};
    for (size_t i = 0; i < n; i++) {
        struct candidate *c = &s->events.at[members[i]];
        struct shown sentinel = shown_of(r, c->name, "sentinel");
        vec_push(&set.events,
                 (struct set_event){.name = xstrdup(c->name), .spec = xstrdup(c->spec), .sentinel = sentinel.least});
        c->placed = true;
    }
    vec_push(&s->plan->sets, set);
}

/* The next group: the cycles and as many unplaced events as possible. An event that must be apart is alone. */
static size_t next_group(const struct search *s, size_t *members)
{
    size_t n = 0;
    members[n++] = 0;
    for (int apart = 0; apart < 2; apart++)
        for (size_t i = 1; i < s->events.n && n < s->most; i++) {
            const struct candidate *c = &s->events.at[i];
            if (c->lost || c->placed || c->apart != (apart == 1) || (apart && n > 1))
                continue;
            members[n++] = i;
        }
    return n;
}

static enum status prove_next(struct search *s, const size_t *members, size_t n)
{
    struct verdict v = {.culprit = -1};
    struct run_result *r = 0;
    enum status status = try_group(s, members, n, &r, &v);
    if (!status && v.good) {
        accept(s, members, n, r);
    } else if (!status) {
        char *so = n == 2           ? xasprintf("%s is counted in launches of its own", s->events.at[members[1]].name)
                   : v.culprit >= 0 ? xasprintf("%s is counted apart from the others", s->events.at[v.culprit].name)
                                    : xasprintf("groups of %zu events are tried", n - 1);
        vec_push(&s->plan->remarks, xasprintf("%s; %s", v.why ? v.why : "the group gave no result", so));
        free(so);
        if (n == 2)
            accept(s, &members[1], 1, s->events.at[members[1]].alone);
        else if (v.culprit >= 0)
            s->events.at[v.culprit].apart = true;
        else
            s->most = r && r->events.n < n - 1 && r->events.n >= 2 ? r->events.n : n - 1;
    }
    free(v.why);
    run_result_free(r);
    return status;
}

static enum status prove_groups(struct search *s)
{
    size_t members[64], n, zero = 0;
    enum status status = OK;
    if (s->most < 2)
        s->most = 2;
    while (!status && (n = next_group(s, members)) > 1)
        status = prove_next(s, members, n);
    bool cycles = false;
    for (size_t i = 0; i < s->plan->sets.n; i++)
        cycles |= strcmp(s->plan->sets.at[i].events.at[0].name, s->events.at[0].name) == 0;
    if (!status && !cycles) { /* cycles only work alone, and still come first */
        accept(s, &zero, 1, s->events.at[0].alone);
        struct counter_set first = s->plan->sets.at[s->plan->sets.n - 1];
        memmove(&s->plan->sets.at[1], &s->plan->sets.at[0], (s->plan->sets.n - 1) * sizeof first);
        s->plan->sets.at[0] = first;
    }
    return status;
}

enum status prove_counters(struct counter_plan *plan, const char *events, prove_launch *launch, void *context,
                           struct error *e)
{
    enum { MOST_EVENTS = 64 };
    *plan = (struct counter_plan){0};
    struct search s = {.plan = plan, .launch = launch, .context = context, .e = e};
    split(&s, events);
    enum status status = s.events.n && s.events.n <= MOST_EVENTS ? prove_alone(&s) : OK;
    if (!status && s.events.n && s.events.n <= MOST_EVENTS && !s.events.at[0].lost)
        status = prove_groups(&s);
    for (size_t i = 0; i < s.events.n; i++) {
        free(s.events.at[i].name);
        free(s.events.at[i].spec);
        run_result_free(s.events.at[i].alone);
    }
    vec_release(&s.events);
    return status;
}

void counter_plan_release(struct counter_plan *plan)
{
    for (size_t i = 0; i < plan->sets.n; i++) {
        struct counter_set *set = &plan->sets.at[i];
        for (size_t k = 0; k < set->events.n; k++) {
            free(set->events.at[k].name);
            free(set->events.at[k].spec);
            vec_release(&set->events.at[k].inside);
            vec_release(&set->events.at[k].pair);
        }
        vec_release(&set->events);
    }
    for (size_t i = 0; i < plan->lost.n; i++) {
        free(plan->lost.at[i].name);
        free(plan->lost.at[i].why);
    }
    for (size_t i = 0; i < plan->remarks.n; i++)
        free(plan->remarks.at[i]);
    vec_release(&plan->sets);
    vec_release(&plan->lost);
    vec_release(&plan->remarks);
}

char *counter_set_spec(const struct counter_set *set)
{
    struct str spec = STR_INIT;
    str_add(&spec, "");
    for (size_t i = 0; i < set->events.n; i++)
        str_addf(&spec, "%s%s", i ? "," : "", set->events.at[i].spec);
    return str_detach(&spec);
}

/* ---- later: do the counters still work? ---- */

/* Is the count below its limit? If no limit is known: below a quarter of what the check showed. */
static bool is_dead(const struct set_event *event, const struct run_known *k, double counted)
{
    double least = least_of(event->name, k);
    if (least <= 0 && strcmp(k->name, "sentinel") == 0 && event->sentinel >= SLACK / 4)
        least = event->sentinel / 4;
    return counted < least;
}

bool sentinels_hold(const struct counter_set *set, const struct run_result *r, const char **dead)
{
    *dead = 0;
    for (size_t i = 0; i < set->events.n && !*dead; i++)
        if (r->events.n <= i || strcmp(r->events.at[i].name, set->events.at[i].name) != 0)
            *dead = set->events.at[i].name;
    for (size_t k = 0; k < r->known.n; k++)
        for (size_t i = 0; i < set->events.n && !*dead; i++)
            if (is_dead(&set->events.at[i], &r->known.at[k], r->known.at[k].counted[i]))
                *dead = set->events.at[i].name;
    if (r->known.n == 0 && !*dead)
        *dead = set->events.at[0].name;
    return !*dead;
}
