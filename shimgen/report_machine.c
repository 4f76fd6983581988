/* report_machine.c - the machine's block diagram and the instruction values for the report, from the SHIM file. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shim-xml/shimxml.h"
#include "shimgen/estimate/costs.h"
#include "shimgen/report_fill.h"

static char *keep(struct fill *f, char *owned)
{
    vec_push(&f->texts, owned);
    return owned;
}

static enum report_cache_kind kind_of(const char *type)
{
    return strcmp(type, "DATA") == 0          ? REPORT_CACHE_DATA
           : strcmp(type, "INSTRUCTION") == 0 ? REPORT_CACHE_INSTRUCTION
                                              : REPORT_CACHE_UNIFIED;
}

static struct report_cache cache_of(const struct shimxml_cache *c)
{
    return (struct report_cache){(unsigned)c->level, kind_of(c->type),  (uint64_t)c->bytes,
                                 (unsigned)c->line,  (unsigned)c->ways, 1};
}

/* Cores that look alike (architecture, clock) side by side are one cluster. */
static bool alike(const struct shimxml_core *a, const struct shimxml_core *b)
{
    return strcmp(a->arch, b->arch) == 0 && a->clock_hz == b->clock_hz;
}

typedef VEC(struct report_cache) cache_list;

static void add_cluster(struct fill *f, const struct shimxml_system *s, size_t first, size_t n, int measured)
{
    struct report_cluster c = REPORT_CLUSTER_INIT;
    c.name = keep(f, xstrdup(s->cores[first].arch));
    c.cores = (unsigned)n;
    if (s->cores[first].clock_hz > 0)
        c.hertz = s->cores[first].clock_hz;
    c.first_core = (unsigned)first;
    if (measured >= (int)first && measured < (int)(first + n))
        c.measured = 1 + (unsigned)(measured - (int)first);
    cache_list list = {0};
    for (size_t i = 0; i < s->n_caches; i++)
        if (s->caches[i].core == first)
            vec_push(&list, cache_of(&s->caches[i]));
    c.caches = list.at;
    c.n_caches = list.n;
    if (list.at)
        keep(f, (char *)list.at);
    f->report.clusters = xreallocarray(f->report.clusters, f->report.n_clusters + 1, sizeof *f->report.clusters);
    f->report.clusters[f->report.n_clusters++] = c;
}

static void fill_diagram(struct fill *f, const struct shimxml_system *s, int measured)
{
    for (size_t i = 0; i < s->n_cores;) {
        size_t n = 1;
        while (i + n < s->n_cores && alike(&s->cores[i], &s->cores[i + n]))
            n++;
        add_cluster(f, s, i, n, measured);
        i += n;
    }
    cache_list shared = {0};
    for (size_t i = 0; i < s->n_caches; i++)
        if (s->caches[i].core == SHIMXML_SHARED)
            vec_push(&shared, cache_of(&s->caches[i]));
    f->report.shared_caches = shared.at;
    f->report.n_shared_caches = shared.n;
    f->report.memories = xcalloc(s->n_memories, sizeof *f->report.memories);
    for (size_t i = 0; i < s->n_memories; i++)
        f->report.memories[f->report.n_memories++] =
            (struct report_memory){keep(f, xstrdup(s->memories[i].name)), (uint64_t)s->memories[i].bytes};
}

static void fill_instruction(struct fill *f, const struct shimxml_instruction *x, const struct regress_model *m,
                             const struct evidence *v)
{
    struct report_instruction r = REPORT_INSTRUCTION_INIT;
    r.name = keep(f, xstrdup(x->name));
    r.pitch = (struct report_cycles){x->pitch.best, x->pitch.typical, x->pitch.worst};
    r.latency = (struct report_cycles){x->latency.best, x->latency.typical, x->latency.worst};
    bool inherited = evidence_of(v, m, x->name, MICRO_PITCH) >= EVIDENCE_INHERITED &&
                     evidence_of(v, m, x->name, MICRO_LATENCY) >= EVIDENCE_INHERITED;
    const struct micro_value *given = micro_values_of(&v->values, x->name, MICRO_PITCH);
    char *pitch = keep(f, evidence_text(v, m, x->name, MICRO_PITCH)),
         *latency = keep(f, evidence_text(v, m, x->name, MICRO_LATENCY));
    r.inherited = !inherited ? 0 : given ? given->like : "its class";
    r.evidence = strcmp(pitch, latency) == 0 ? pitch : keep(f, xasprintf("pitch: %s. Latency: %s", pitch, latency));
    f->report.instructions[f->report.n_instructions++] = r;
}

static void fill_instructions(struct fill *f, const struct shimxml_core *c, const struct regress_model *m,
                              const struct evidence *v)
{
    f->report.instructions = xcalloc(c->n_instructions, sizeof *f->report.instructions);
    f->report.evidence = keep(f, evidence_sentence(v, m));
    for (size_t i = 0; i < c->n_instructions; i++)
        fill_instruction(f, &c->instructions[i], m, v);
}

enum status report_fill_machine(struct fill *f, const char *shim, int measured_core, const struct regress_model *m,
                                const struct evidence *v, struct error *e)
{
    struct shimxml_doc *d = 0;
    struct shimxml_system *s = 0;
    enum status status = shimxml_read(&d, shim, e);
    if (!status)
        status = shimxml_system(&s, d, e);
    if (!status) {
        fill_diagram(f, s, measured_core);
        const struct shimxml_core *core = 0;
        for (size_t i = 0; i < s->n_cores && !core; i++)
            core = s->cores[i].n_instructions ? &s->cores[i] : 0;
        if (core)
            fill_instructions(f, core, m, v);
    }
    shimxml_system_free(s);
    shimxml_free(d);
    return status;
}
