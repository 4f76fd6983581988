/* estimate.c - the list of estimation methods; runs one of them. */
#include "shimgen/estimate/estimate.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"

#define ENTRY(name) &estimator_##name,
static const struct estimator *const estimators[] = {ESTIMATORS(ENTRY, ENTRY)};

const struct estimator *estimator_at(size_t i)
{
    return i < sizeof estimators / sizeof *estimators ? estimators[i] : 0;
}

const struct estimator *estimator_find(const char *name)
{
    for (size_t i = 0; estimator_at(i); i++)
        if (strcmp(estimator_at(i)->name, name) == 0)
            return estimator_at(i);
    return 0;
}

const struct estimator *estimator_choose(const char *name, const struct costs *c)
{
    if (!name)
        name = c->method;
    return name ? estimator_find(name) : &estimator_operand;
}

bool estimator_from_board(const struct estimator *method)
{
    return method == &estimator_compiled;
}

const char *estimate_doubt_name(enum estimate_doubt doubt)
{
    static const char *const names[DOUBTS] = {[DOUBT_LIBRARY] = "library functions without a cost",
                                              [DOUBT_GUESSED] = "library functions guessed",
                                              [DOUBT_CODE] = "code not found",
                                              [DOUBT_RARE] = "rare instructions"};
    return names[doubt];
}

void estimate_note(struct estimate *est, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    est->notes = xreallocarray(est->notes, est->n_notes + 1, sizeof *est->notes);
    est->notes[est->n_notes++] = xvasprintf(format, ap);
    va_end(ap);
}

/* ---- exact sums ---- */

/* The unit of which all parts are multiples [cycles]. The largest sum in this unit fits exactly into a double. */
static double step_for(double total)
{
    int exponent = 0;
    frexp(total, &exponent);
    return ldexp(1, exponent - 52 > -10 ? exponent - 52 : -10);
}

static enum status make_exact(struct estimate *est, struct error *e)
{
    double most = 0; /* no sum of any parts is larger */
    for (int bound = BOUND_BEST; bound < BOUNDS; bound++) {
        double sum = 0;
        for (size_t i = 0; i < est->profile->n_parts; i++)
            sum += fabs(cycles_pick(&est->parts[i], (enum bound)bound));
        if (!isfinite(sum))
            return error_set(e, ERR_INPUT, NOWHERE,
                             "core '%s': the cycles overflow: values in the SHIM file are too large", est->costs->core);
        most = fmax(most, sum);
    }
    est->step = step_for(2 * most);
    for (size_t i = 0; i < est->profile->n_parts; i++) {
        struct cycles *c = &est->parts[i];
        *c = (struct cycles){rint(c->best / est->step) * est->step, rint(c->typical / est->step) * est->step,
                             rint(c->worst / est->step) * est->step};
        causes_exact(&est->causes[i], c->typical, est->step);
        cycles_add(&est->total, c, 1);
    }
    return OK;
}

/* ---- impossible values ---- */

static bool in_order(const struct cycles *c)
{
    return c->best <= c->typical && c->typical <= c->worst;
}

/* Files may contain such values, since least squares may produce them. The estimate uses them, with a note. */
static void note_odd_values(struct estimate *est)
{
    size_t below = 0, disordered = 0;
    for (size_t i = 0; i < est->keys.n; i++) {
        const struct key_cost *k = &est->keys.at[i];
        below += fmin(k->pitch.typical, k->latency.typical) < 0;
        disordered += !in_order(&k->pitch) || !in_order(&k->latency);
    }
    if (below)
        estimate_note(est, "core %s: negative values, for %zu of the program's %zu kinds of instructions",
                      est->costs->core, below, est->keys.n);
    if (disordered)
        estimate_note(est,
                      "core %s: best, typical and worst are not in this order, for %zu of the program's %zu kinds of "
                      "instructions ('shim-xml check' names them)",
                      est->costs->core, disordered, est->keys.n);
}

/* ---- calls of functions without counts ---- */

static const char the_call[] = "the call alone"; /* the text in costs.c */

/* The part that contains a call: by its line, else the last one of its segment. */
static uint32_t part_of(const struct irprof_profile *p, const struct irprof_call *call)
{
    const struct irprof_segment *s = &p->segments[call->segment];
    for (uint32_t i = s->first_part; i < s->first_part + s->n_parts; i++)
        if (p->parts[i].file == call->file && p->parts[i].line == call->line)
            return i;
    return s->first_part + s->n_parts - 1;
}

/* Does the profile have a key for calls of this C library function? Then its cost is known by the key. */
static bool has_key(const struct estimate *est, const char *function)
{
    size_t n = strlen(function);
    for (size_t i = 0; i < est->keys.n; i++) {
        const struct ir_key *k = &est->keys.at[i].key;
        if (k->opcode == IR_CALL && k->form == IR_LIBRARY && k->n_name == n && memcmp(k->name, function, n) == 0)
            return true;
    }
    return false;
}

/* Adds what a function takes besides the call itself: the Latency of "call.library.NAME", if the file has it. */
static void library_calls_add(struct estimate *est)
{
    const struct irprof_profile *p = est->profile;
    struct cycles pitch, latency; /* of the call itself, which is in the estimate already */
    costs_of_instruction(&pitch, &latency, est->costs, IR_CALL);
    for (size_t i = 0; i < p->n_calls; i++) {
        const struct irprof_call *call = &p->calls[i];
        uint64_t times = p->regions[est->region].executions[call->segment];
        if (!times || !call->name || call->callee != IRPROF_NONE || !p->segments[call->segment].n_parts)
            continue;
        char *name = ir_library_key(call->name);
        size_t at;
        bool has = has_key(est, call->name);
        if (!has && map_get(&est->costs->names, name, &at))
            causes_add(&est->causes[part_of(p, call)], &est->parts[part_of(p, call)], CAUSE_CALLS,
                       &est->costs->latency[at], (double)times);
        else if (!has)
            assumed_add(&est->assumed, name, the_call, times, (double)times * latency.typical);
        free(name);
    }
}

enum status estimate_run(struct estimate **out, const struct estimator *method, const struct estimate_request *q,
                         struct error *e)
{
    struct estimate *est = xcalloc(1, sizeof *est);
    *est = (struct estimate){.method = method, .profile = q->profile, .costs = q->costs, .region = q->region};
    est->parts = xcalloc(q->profile->n_parts, sizeof *est->parts);
    est->causes = xcalloc(q->profile->n_parts, sizeof *est->causes);
    key_costs_init(&est->keys, q->profile, q->costs);
    enum status s = irprof_region_usable(q->profile, q->region, e);
    if (!s)
        s = method->run(est, q, e);
    if (!s && !estimator_from_board(method))
        library_calls_add(est);
    if (!s)
        s = make_exact(est, e);
    if (s) {
        estimate_free(est);
        return s;
    }
    if (!estimator_from_board(method)) {
        assumed_find(&est->assumed, &est->keys, q->profile, q->region);
        if (assumed_of_library(&est->assumed))
            est->doubts |= 1u << DOUBT_LIBRARY;
        note_odd_values(est);
        if (q->costs->warning)
            estimate_note(est, "%s", q->costs->warning);
    }
    *out = est;
    return OK;
}

void estimate_free(struct estimate *est)
{
    if (!est)
        return;
    for (size_t i = 0; i < est->n_notes; i++)
        free(est->notes[i]);
    assumed_release(&est->assumed);
    for (size_t i = 0; i < est->n_unmeasured; i++) {
        free(est->unmeasured[i].instruction);
        free(est->unmeasured[i].as);
    }
    free(est->unmeasured);
    free(est->notes);
    free(est->parts);
    free(est->causes);
    key_costs_release(&est->keys);
    free(est);
}
