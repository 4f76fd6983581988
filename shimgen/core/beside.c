/* beside.c - compares a measured core with another model of it, key by key. */
#include "shimgen/core/beside.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "sim/core/core_model.h"

struct pair {
    const struct iss_model *measured, *other;
    size_t exact, bounded, outside, not_observable, only_other;
    size_t ports, ports_same; /* pairs of classes, and those that share ports in both models or in neither */
};

/* ---- units: which kinds issue together; out of order: which share ports ---- */

static const struct iss_timing *class_of(const struct iss_model *m, const char *section)
{
    for (int c = 0; c < ISS_CLASS_N; c++) {
        size_t n = strlen(iss_class_names[c]);
        if (strncmp(iss_class_names[c], section, n) != 0)
            continue;
        if (section[n] == '.' && strncmp(section + n, ".32.", 4) == 0)
            return &m->timing32[c];
        if (section[n] == '.')
            return &m->timing[c];
    }
    return NULL;
}

static int taken_of(const struct iss_timing *t, unsigned unit)
{
    return (t->unit == unit ? t->take : 0) + (t->second_unit == unit ? 1 : 0);
}

static bool share_ports(const struct iss_timing *a, const struct iss_timing *b)
{
    uint64_t of_a = 0, of_b = 0;
    for (unsigned i = 0; i < a->n_uses; i++)
        of_a |= a->use[i].ports;
    for (unsigned i = 0; i < b->n_uses; i++)
        of_b |= b->use[i].ports;
    return of_a & of_b;
}

/* Can the two never issue in the same cycle? */
static bool exclude(const struct iss_model *m, const struct iss_timing *a, const struct iss_timing *b)
{
    if (m->window.reorder)
        return share_ports(a, b);
    for (unsigned u = 1; u < ISS_UNIT_N; u++)
        if (taken_of(a, u) && taken_of(b, u) && taken_of(a, u) + taken_of(b, u) > m->units[u])
            return true;
    return false;
}

/* Number of classes that issue together with that of `name` in one model but not in the other. */
static size_t different(const struct pair *p, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < p->measured->n_intervals; i++) {
        const struct iss_interval *v = &p->measured->intervals[i];
        const char *dot = strrchr(v->key, '.');
        if (!v->observable || !dot || strcmp(dot, ".unit") != 0)
            continue;
        n += exclude(p->measured, class_of(p->measured, name), class_of(p->measured, v->key)) !=
             exclude(p->other, class_of(p->other, name), class_of(p->other, v->key));
    }
    return n;
}

/* ---- lines ---- */

/* Why no trial determines the key; NULL: the key says it itself. */
static const char *reason(const char *key)
{
    static const struct {
        const char *key, *why;
    } reasons[] = {
        {"predictor", "schemes differ in patterns that no trial has; mispredictions are counted instead"},
        {"tlb", "no trial leaves the pages that a translation buffer holds"},
        {"l1i", "no trial is larger than the instruction cache"},
        {"l1d.latency", "unused: a hit is part of the load's latency"},
        {"replacement", "no trial fills a set"},
        {"pitch", "the probes' pitches include prefetching and as many misses as go at once"},
        {"size", "from the board's description"},
        {"ways", "from the board's description"},
        {"line", "from the board's description"},
        {"data.outstanding", "not told apart from prefetching"},
        {"data.s", "the prefetcher and the store buffer: no trial misses"},
        {"data.trigger", "the prefetcher: no trial misses"},
        {"data.ahead", "the prefetcher: no trial misses"},
        {"data.no_allocate", "no trial misses"},
        {"fetch.next_line", "no trial is larger than the instruction cache"},
        {"clock_hz", "from the board's description"},
        {"data.forward_wide", "the target has no store of more than 8 bytes"},
        {"write_back", "the target writes no address back"},
        {"predicated", "no trial tells a branch across just one instruction from others"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(key, reasons[i].key))
            return reasons[i].why;
    return "every value explains the trials: other limits hide it";
}

static size_t classes_with_units(const struct iss_model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_intervals; i++) {
        const char *dot = strrchr(m->intervals[i].key, '.');
        n += m->intervals[i].observable && dot && strcmp(dot, ".unit") == 0;
    }
    return n;
}

static void line_of_unit(struct pair *p, FILE *to, const struct iss_interval *v)
{
    size_t wrong = class_of(p->other, v->key) ? different(p, v->key) : 0;
    if (p->measured->window.reorder) {
        size_t all = classes_with_units(p->measured);
        fprintf(to, "%s,,,,,%s,shares ports with others as in the other model: %zu of %zu\n", v->key,
                wrong ? "differs" : "exact", all - wrong, all);
        p->ports += all;
        p->ports_same += all - wrong;
        return;
    }
    fprintf(to, "%s,,,,,%s", v->key, wrong ? "outside" : "exact");
    if (wrong)
        fprintf(to, ",goes together with %zu others as in the other model it does not", wrong);
    else
        fputs(",goes together with the same classes", to);
    fputc('\n', to);
    p->outside += wrong > 0;
    p->exact += !wrong;
}

static void line(struct pair *p, FILE *to, const struct iss_interval *v)
{
    int64_t here = 0, there = 0;
    const char *dot = strrchr(v->key, '.');
    if (!v->observable) {
        fprintf(to, "%s,,,,,not observable,%s\n", v->key, reason(v->key));
        p->not_observable++;
        return;
    }
    if (dot && strcmp(dot, ".unit") == 0) {
        line_of_unit(p, to, v);
        return;
    }
    if (!iss_model_value(p->measured, v->key, &here) || !iss_model_value(p->other, v->key, &there))
        return;
    if (strcmp(v->key, "memory.latency_ns") == 0) {
        here = (here + 500) / 1000; /* picoseconds */
        there = (there + 500) / 1000;
    }
    bool in = there >= v->low && there <= v->high;
    fprintf(to, "%s,%lld,%lld,%lld,%lld,%s,\n", v->key, (long long)here, (long long)there, (long long)v->low,
            (long long)v->high,
            !in                 ? "outside"
            : v->low == v->high ? "exact"
                                : "within");
    p->outside += !in;
    p->exact += in && v->low == v->high;
    p->bounded += in && v->low != v->high;
}

static bool has_interval(const struct iss_model *m, const char *key)
{
    for (size_t i = 0; i < m->n_intervals; i++)
        if (strcmp(m->intervals[i].key, key) == 0)
            return true;
    return false;
}

/* Figures of the whole core that were not measured. */
static void others(struct pair *p, FILE *to)
{
    for (size_t i = 0; i < iss_model_figures(); i++) {
        const char *section, *name = iss_model_figure(i, &section);
        char *key = xasprintf("%s.%s", section, name);
        if (!has_interval(p->measured, key)) {
            fprintf(to, "%s,,,,,not observable,%s\n", key, reason(key));
            p->not_observable++;
        }
        free(key);
    }
}

enum status core_beside(FILE *to, const char *path, const char *other, struct error *e)
{
    struct iss_model *a = NULL, *b = NULL;
    enum status s = iss_model_read(&a, path, e);
    if (!s)
        s = iss_model_read(&b, other, e);
    if (!s && !a->n_intervals)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "it has no [interval]: only what 'shimgen core BOARD' measured has");
    if (!s && strcmp(a->architecture, b->architecture) != 0)
        s = error_set(e, ERR_INPUT, AT_FILE(other), "its core is of %s, the other one of %s", b->architecture,
                      a->architecture);
    if (!s) {
        struct pair p = {.measured = a, .other = b};
        fputs("key,measured,other,low,high,verdict,reason\n", to);
        for (size_t i = 0; i < a->n_intervals; i++)
            line(&p, to, &a->intervals[i]);
        others(&p, to);
        size_t all = p.exact + p.bounded + p.outside;
        fprintf(to,
                "# %zu of %zu observable figures within their interval (%.1f %%): %zu of them to the cycle, %zu in a "
                "wider interval; %zu outside; %zu not observable\n",
                p.exact + p.bounded, all, all ? 100.0 * (double)(p.exact + p.bounded) / (double)all : 0, p.exact,
                p.bounded, p.outside, p.not_observable);
        if (p.ports)
            fprintf(to, "# %.1f %% of the pairs of classes share ports in both models, or in neither\n",
                    100.0 * (double)p.ports_same / (double)p.ports);
    }
    iss_model_free(a);
    iss_model_free(b);
    return s;
}
