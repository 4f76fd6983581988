/* schedule_events.c - costs that are not in instruction values: cache misses and mispredicted branches, if the profile
 * has them. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#include "shimgen/estimate/schedule/schedule.h"

/* A misprediction costs so many additions, if the file does not tell. */
static const double lost_in_order = 7, lost_out_of_order = 14;

/* By how much a conditional branch is longer at worst. If that is long, it is a misprediction. */
double schedule_misprediction(const struct costs *c)
{
    size_t br, add;
    double known = costs_has(c, IR_BR, &br) ? c->latency[br].worst - c->latency[br].typical : 0;
    double times = costs_out_of_order(c) ? lost_out_of_order : lost_in_order;
    double usual = costs_has(c, IR_ADD, &add) ? c->latency[add].typical * times : 0;
    return known > usual / 4 ? known : usual;
}

/* Missed lines, mispredictions, and lines that a simulated prefetcher brought before they were requested. */
enum { L1, L2, BRANCH, FETCHED_L1, FETCHED_L2, N_EVENTS };
static const char *const names[N_EVENTS] = {"L1D_CACHE_REFILL", "L2D_CACHE_REFILL", "BR_MIS_PRED",
                                            "L1D_CACHE_REFILL_HWPRF", "L2D_CACHE_REFILL_HWPRF"};

/* A miss of a level costs what the next level takes. */
static const enum estimate_cause causes[N_EVENTS] = {CAUSE_L2, CAUSE_MEMORY, CAUSE_MISPREDICTIONS, CAUSE_L2,
                                                     CAUSE_MEMORY};

struct events {
    struct cycles waits[N_EVENTS],
        streams[N_EVENTS];   /* for each event: if something waits for it, and if nothing does */
    bool there[N_EVENTS];    /* in the profile */
    bool *jumps;             /* of each part: does it end in a switch, or call through a pointer? */
    bool *calls;             /* of each part: does it call through a pointer? */
    float *waiting;          /* of each part: the share of its misses that is waited for */
    struct cycles *streamed; /* of each part: cycles of lines that were prefetched */
    double *from_memory;     /* of each part: the typical share of that from main memory */
    double *mispredicted;    /* of each part: branches */
};

static bool is_switch(const struct irprof_edge *edge)
{
    return edge->kind == IRPROF_EDGE_CASE || edge->kind == IRPROF_EDGE_DEFAULT;
}

/* The part of a branch or switch: that of the last instruction in its block. Returns false if nothing is counted
 * there. */
static bool part_of_branch(size_t *part, const struct schedule *s, const struct irprof_edge *edge)
{
    uint32_t b = schedule_find_block(s, edge->function, edge->from);
    if (b == IRPROF_NONE || !s->blocks[b].n)
        return false;
    *part = s->p->instructions[s->blocks[b].first + s->blocks[b].n - 1].part;
    return true;
}

static void find_jumps(const struct events *v, const struct schedule *s)
{
    size_t part;
    for (size_t i = 0; i < s->p->n_edges; i++)
        if (is_switch(&s->p->edges[i]) && part_of_branch(&part, s, &s->p->edges[i]))
            v->jumps[part] = true;
    for (size_t i = 0; i < s->p->n_instructions; i++) {
        uint32_t at = s->p->instructions[i].part;
        v->calls[at] |= s->keys[s->p->instructions[i].key].form == IR_INDIRECT;
        v->jumps[at] |= v->calls[at];
    }
}

/* Was the switch simulated? */
static bool is_recorded(const struct irprof_profile *p, size_t part)
{
    const struct irprof_part *at = &p->parts[part];
    for (size_t h = at->first_event_site; h < at->first_event_site + at->n_event_sites; h++)
        if (strcmp(p->events[p->event_sites[h].event], names[BRANCH]) == 0)
            return true;
    return false;
}

static void add_event_counts(struct estimate *out, struct events *v, const struct schedule *s, size_t part)
{
    const struct irprof_profile *p = s->p;
    const struct irprof_part *at = &p->parts[part];
    for (size_t h = at->first_event_site; h < at->first_event_site + at->n_event_sites; h++)
        for (size_t k = 0; k < N_EVENTS; k++) {
            if (strcmp(p->events[p->event_sites[h].event], names[k]) != 0)
                continue;
            if (k == BRANCH && s->out_of_order &&
                v->jumps[part]) /* such a core predicts tables by more than the last target */
                continue;
            double times = (double)s->region->event_counts[h], waits = k > L2 ? 1 : (double)v->waiting[part];
            v->mispredicted[part] += k == BRANCH ? times : 0;
            causes_add(&out->causes[part], &out->parts[part], causes[k], &v->waits[k], times * waits);
            causes_add(&out->causes[part], &out->parts[part], causes[k], &v->streams[k],
                       k > L2 ? 0 : times * (1 - waits));
            cycles_add(&v->streamed[part], &v->streams[k], k > BRANCH ? times : 0);
            v->from_memory[part] += k == FETCHED_L2 ? v->streams[k].typical * times : 0;
        }
}

/* Counts, for each part, its loads and stores per execution, and its executions. */
static void count_accesses(const struct schedule *s, double *accesses, double *times)
{
    const struct irprof_profile *p = s->p;
    for (size_t g = 0; g < p->n_segments; g++) {
        const struct irprof_segment *segment = &p->segments[g];
        for (uint32_t i = segment->first_instruction; i < segment->first_instruction + segment->n_instructions; i++) {
            accesses[p->instructions[i].part] += s->code[i].load || s->code[i].store;
            times[p->instructions[i].part] = (double)s->region->executions[g];
        }
    }
}

static void overlap_misses(struct events *v, const struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    double *misses = xcalloc(p->n_parts, sizeof *misses), *accesses = xcalloc(p->n_parts, sizeof *accesses),
           *times = xcalloc(p->n_parts, sizeof *times);
    count_accesses(s, accesses, times);
    for (size_t i = 0; i < p->n_parts; i++) {
        const struct irprof_part *at = &p->parts[i];
        for (size_t h = at->first_event_site; h < at->first_event_site + at->n_event_sites; h++)
            if (strcmp(p->events[p->event_sites[h].event], names[L1]) == 0)
                misses[i] += (double)s->region->event_counts[h];
        misses[i] = times[i] * accesses[i] > 0 ? misses[i] / (times[i] * accesses[i]) : 0;
    }
    schedule_overlap(s, misses, v->waiting);
    free(misses);
    free(accesses);
    free(times);
}

/* Without a prefetcher in the profile, counted misses are assumed to be prefetched as fast as memory delivers. With
 * one, its lines are the prefetched ones, and all other misses are waited for; but a core that executes out of order
 * has several misses in flight. */
static void find_costs(struct events *v, const struct schedule *s)
{
    const struct costs *costs = s->est->costs;
    double lost = schedule_misprediction(costs);
    for (size_t e = 0; e < s->p->n_events; e++)
        for (size_t k = 0; k < N_EVENTS; k++)
            v->there[k] |= strcmp(s->p->events[e], names[k]) == 0;
    for (size_t k = 0; k < costs->n_refills; k++) {
        v->waits[k] = costs->refills[k];
        v->streams[k] = v->streams[k + FETCHED_L1] = costs->streams[k];
    }
    v->waits[BRANCH] = (struct cycles){lost, lost, lost};
    float *loads = xcalloc(s->p->n_parts, sizeof *loads);
    schedule_misses(s, v->waiting, loads);
    if (v->there[FETCHED_L1] && !s->out_of_order)
        memcpy(v->waiting, loads, s->p->n_parts * sizeof *loads);
    free(loads);
    if (!s->out_of_order)
        overlap_misses(v, s);
}

/* Prefetched lines arrive while the loop runs. Of the cycles beyond the loop's own, each part has its share. */
static double left_of(double streamed, double busy)
{
    return streamed > busy ? (streamed - busy) / streamed : 0;
}

static void add_streams(struct estimate *out, const struct events *v, const struct irprof_profile *p)
{
    struct cycles *busy = xcalloc(p->n_loops + 1, sizeof *busy), *streamed = xcalloc(p->n_loops + 1, sizeof *streamed);
    for (size_t g = 0; g < p->n_segments; g++) {
        const struct irprof_segment *segment = &p->segments[g];
        size_t loop = segment->loop == IRPROF_NONE ? p->n_loops : segment->loop;
        for (size_t i = segment->first_part; i < segment->first_part + segment->n_parts; i++) {
            cycles_add(&busy[loop], &out->parts[i], loop < p->n_loops);
            cycles_add(&streamed[loop], &v->streamed[i], 1);
        }
    }
    for (size_t g = 0; g < p->n_segments; g++) {
        const struct irprof_segment *segment = &p->segments[g];
        size_t l = segment->loop == IRPROF_NONE ? p->n_loops : segment->loop;
        for (size_t i = segment->first_part; i < segment->first_part + segment->n_parts; i++) {
            out->parts[i].best += v->streamed[i].best * left_of(streamed[l].best, busy[l].best);
            double left = left_of(streamed[l].typical, busy[l].typical);
            out->parts[i].typical += v->streamed[i].typical * left;
            out->causes[i].at[CAUSE_L2] += (v->streamed[i].typical - v->from_memory[i]) * left;
            out->causes[i].at[CAUSE_MEMORY] += v->from_memory[i] * left;
            out->parts[i].worst += v->streamed[i].worst * left_of(streamed[l].worst, busy[l].worst);
        }
    }
    free(busy);
    free(streamed);
}

/* For cores that issue in order, if switches were not simulated. (Others have predictors for such jumps.) A jump
 * through a table is predicted to go where it went before. If n jumps go to i with probability p_i, independently, n (1
 * - sum p_i^2) are mispredicted. */
static void add_switches(struct estimate *out, const struct events *v, const struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    for (size_t i = 0, end; i < p->n_edges; i = end) {
        const struct irprof_edge *edge = &p->edges[i];
        double n = 0, squares = 0;
        for (end = i; end < p->n_edges && p->edges[end].function == edge->function && p->edges[end].from == edge->from;
             end++) {
            double taken = (double)s->region->taken[end];
            n += is_switch(&p->edges[end]) ? taken : 0;
            squares += is_switch(&p->edges[end]) ? taken * taken : 0;
        }
        size_t part;
        if (n > 0 && part_of_branch(&part, s, edge) && !is_recorded(p, part)) {
            causes_add(&out->causes[part], &out->parts[part], CAUSE_MISPREDICTIONS, &v->waits[BRANCH], n - squares / n);
            v->mispredicted[part] += n - squares / n;
        }
    }
}

/* ---- who pays for a misprediction? ---- */

/* How likely it is that a mispredicted branch went this way, relative to its other edges. If a branch goes a way n_i of
 * n times, independently, a two-bit counter is wrong on that way in proportion to n - n_i: its states have the
 * probabilities 1 : x : x^2 : x^3, where x is the odds. For a switch that is predicted to go where it went before, it
 * is n_i (n - n_i). */
static double wrong_way(const struct irprof_edge *edge, double taken, double all)
{
    return is_switch(edge) ? taken * (all - taken) : taken > 0 ? all - taken : 0;
}

/* On a core that issues in order, the cycles appear when the first instruction after the branch issues. So they belong
 * to one of the blocks that the branch's edges from..end lead to. */
static void hand_on(struct estimate *out, const struct events *v, const struct schedule *s, size_t from, size_t end)
{
    const struct irprof_profile *p = s->p;
    double all = 0, weights = 0;
    size_t branch, to;
    if (!part_of_branch(&branch, s, &p->edges[from]) || !(v->mispredicted[branch] > 0) || v->calls[branch])
        return;
    for (size_t i = from; i < end; i++)
        all += (double)s->region->taken[i];
    for (size_t i = from; i < end; i++)
        weights += wrong_way(&p->edges[i], (double)s->region->taken[i], all);
    for (size_t i = from; i < end && weights > 0; i++) {
        double times = v->mispredicted[branch] * wrong_way(&p->edges[i], (double)s->region->taken[i], all) / weights;
        if (!schedule_first_part(&to, s, p->edges[i].function, p->edges[i].to))
            continue;
        causes_add(&out->causes[branch], &out->parts[branch], CAUSE_MISPREDICTIONS, &v->waits[BRANCH], -times);
        causes_add(&out->causes[to], &out->parts[to], CAUSE_MISPREDICTIONS, &v->waits[BRANCH], times);
    }
}

static void hand_mispredictions_on(struct estimate *out, const struct events *v, const struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    for (size_t i = 0, end; i < p->n_edges; i = end) {
        const struct irprof_edge *edge = &p->edges[i];
        for (end = i + 1;
             end < p->n_edges && p->edges[end].function == edge->function && p->edges[end].from == edge->from; end++)
            ;
        hand_on(out, v, s, i, end);
    }
}

void schedule_events(struct estimate *out, const struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    struct events v = {.jumps = xcalloc(p->n_parts, sizeof *v.jumps),
                       .calls = xcalloc(p->n_parts, sizeof *v.calls),
                       .mispredicted = xcalloc(p->n_parts, sizeof *v.mispredicted),
                       .waiting = xcalloc(p->n_parts, sizeof *v.waiting),
                       .streamed = xcalloc(p->n_parts, sizeof *v.streamed),
                       .from_memory = xcalloc(p->n_parts, sizeof *v.from_memory)};
    find_costs(&v, s);
    find_jumps(&v, s);
    for (size_t i = 0; i < p->n_parts; i++)
        add_event_counts(out, &v, s, i);
    if (v.there[BRANCH] && !s->out_of_order)
        add_switches(out, &v, s);
    add_streams(out, &v, p);
    if (v.there[BRANCH] && !s->out_of_order)
        hand_mispredictions_on(out, &v, s);
    free(v.jumps);
    free(v.calls);
    free(v.mispredicted);
    free(v.waiting);
    free(v.streamed);
    free(v.from_memory);
    for (size_t k = 0; k < N_EVENTS; k++)
        if (v.there[k] && (k == BRANCH || out->costs->n_refills > k % FETCHED_L1))
            out->known_causes |= 1u << causes[k];
    if (!v.there[L1])
        estimate_note(
            out, "cache misses are not in the profile, hence not in the estimate: 'shimgen profile' simulates the SHIM "
                 "file's caches");
    else if (!out->costs->n_refills)
        estimate_note(out, "the SHIM file does not say what cache misses cost: they are not in the estimate");
    if (!v.there[BRANCH])
        estimate_note(out, "mispredicted branches are not in the profile, hence not in the estimate: 'shimgen profile "
                           "--branches gshare:12:8' simulates them");
}
