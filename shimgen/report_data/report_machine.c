/* report_machine.c - for the report: the machine's block diagram and instruction values, from the SHIM file. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shim-xml/shimxml.h"
#include "shimgen/estimate/costs.h"
#include "shimgen/report_data/report_fill.h"

static char *keep(struct fill *f, char *owned)
{
    vec_push(&f->texts, owned);
    return owned;
}

/* The core that programs ran on is highlighted. */
static enum status fill_diagram(struct fill *f, const struct shimxml_doc *d, const struct shimxml_system *s,
                                int measured, struct error *e)
{
    const char *core = measured >= 0 && (size_t)measured < s->n_cores ? s->cores[measured].name : 0;
    char *svg = 0;
    enum status status =
        shimxml_draw(&svg, d, &(struct shimxml_drawing){.marked = core, .mark = "measured", .in_page = true}, e);
    if (!status)
        f->report.drawing = keep(f, svg);
    return status;
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
        if (!strchr(c->instructions[i].name, '.')) /* other names are shimgen's own: of one type, of a function ... */
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
    if (!status)
        status = fill_diagram(f, d, s, measured_core, e);
    if (!status) {
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
