#include "shimgen/estimate/estimate.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const struct estimator *const estimators[] = {
    &estimator_sum,
    &estimator_operand,
    &estimator_schedule,
    &estimator_compiled,
};

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

void estimate_note(struct estimate *est, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    est->notes = xreallocarray(est->notes, est->n_notes + 1, sizeof *est->notes);
    est->notes[est->n_notes++] = xvasprintf(format, ap);
    va_end(ap);
}

/* ---- what was assumed ---- */

static void assume(struct estimate *est, const char *instruction, const char *as, uint64_t count, double cycles)
{
    size_t i = 0;
    while (i < est->n_assumed && strcmp(est->assumed[i].instruction, instruction) != 0)
        i++;
    if (i == est->n_assumed) {
        est->assumed = xreallocarray(est->assumed, ++est->n_assumed, sizeof *est->assumed);
        est->assumed[i] = (struct assumption){.instruction = xstrdup(instruction), .as = xstrdup(as)};
    }
    est->assumed[i].count += count;
    est->assumed[i].cycles += cycles;
}

static int by_cycles(const void *a, const void *b)
{
    const struct assumption *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    return strcmp(x->instruction, y->instruction);
}

static void find_assumed(struct estimate *est)
{
    const struct irprof_profile *p = est->profile;
    uint64_t *counts = xcalloc(p->n_keys, sizeof *counts);
    irprof_key_counts(p, est->region, counts);
    for (size_t i = 0; i < p->n_keys; i++) {
        const struct key_cost *k = &est->keys.at[i];
        double each = k->dependent ? k->latency.typical : k->pitch.typical;
        if (k->assumed && counts[i])
            assume(est, k->instruction, k->assumed, counts[i], (double)counts[i] * each);
    }
    free(counts);
}

/* ---- calls of functions whose code nobody counted ---- */

/* The part that a call stands in: of its line, else the last of its segment. */
static uint32_t part_of(const struct irprof_profile *p, const struct irprof_call *call)
{
    const struct irprof_segment *s = &p->segments[call->segment];
    for (uint32_t i = s->first_part; i < s->first_part + s->n_parts; i++)
        if (p->parts[i].file == call->file && p->parts[i].line == call->line)
            return i;
    return s->first_part + s->n_parts - 1;
}

/* Has the profile this key, of a call of the C library? Then its cost is known by that. */
static bool has_key(const struct irprof_profile *p, const char *key)
{
    size_t n = strlen(key);
    for (size_t i = 0; i < p->n_keys; i++)
        if (strncmp(p->keys[i], key, n) == 0 && (!p->keys[i][n] || strcmp(p->keys[i] + n, "_d") == 0))
            return true;
    return false;
}

/* What a function takes beside the call itself: the Latency of "call.library.NAME", where the file has it. */
static void add_library_calls(struct estimate *est)
{
    const struct irprof_profile *p = est->profile;
    for (size_t i = 0; i < p->n_calls; i++) {
        const struct irprof_call *call = &p->calls[i];
        uint64_t times = p->regions[est->region].executions[call->segment];
        if (!times || !call->name || call->callee != IRPROF_NONE || !p->segments[call->segment].n_parts)
            continue;
        char *name = xasprintf("call.library.%s", call->name);
        size_t at;
        if (!has_key(p, name) && map_get(&est->costs->names, name, &at))
            cycles_add(&est->parts[part_of(p, call)], &est->costs->latency[at], (double)times);
        else if (!has_key(p, name))
            assume(est, name, "the call alone", times, 0);
        free(name);
    }
}

/* ---- sums that are exact ---- */

/* The step of which all parts are multiples [cycles]: with the largest sum it still fits in a double. */
static double step_for(double total)
{
    int exponent = 0;
    frexp(total, &exponent);
    return ldexp(1, exponent - 52 > -10 ? exponent - 52 : -10);
}

static enum status make_exact(struct estimate *est, struct error *e)
{
    double most = 0; /* no sum of any parts is larger */
    for (int which = 0; which < 3; which++) {
        double sum = 0;
        for (size_t i = 0; i < est->profile->n_parts; i++)
            sum += fabs(cycles_pick(&est->parts[i], which));
        if (!isfinite(sum))
            return error_set(e, ERR_INPUT, NOWHERE,
                             "core '%s': the cycles are beyond all numbers: values of the SHIM file are too large",
                             est->costs->core);
        most = fmax(most, sum);
    }
    est->step = step_for(2 * most);
    for (size_t i = 0; i < est->profile->n_parts; i++) {
        struct cycles *c = &est->parts[i];
        *c = (struct cycles){rint(c->best / est->step) * est->step, rint(c->typical / est->step) * est->step,
                             rint(c->worst / est->step) * est->step};
        cycles_add(&est->total, c, 1);
    }
    return OK;
}

/* ---- what cannot be ---- */

static bool in_order(const struct cycles *c)
{
    return c->best <= c->typical && c->typical <= c->worst;
}

/* Files may say it, and least squares finds it; the estimate is what they make of it. */
static void note_odd_values(struct estimate *est)
{
    size_t below = 0, disordered = 0;
    for (size_t i = 0; i < est->keys.n; i++) {
        const struct key_cost *k = &est->keys.at[i];
        below += fmin(k->pitch.typical, k->latency.typical) < 0;
        disordered += !in_order(&k->pitch) || !in_order(&k->latency);
    }
    if (below)
        estimate_note(est, "core %s: values below 0, of %zu of the program's %zu kinds of instructions",
                      est->costs->core, below, est->keys.n);
    if (disordered)
        estimate_note(est,
                      "core %s: best, typical and worst are not in this order, for %zu of the program's %zu kinds of "
                      "instructions ('shim-xml check' names them)",
                      est->costs->core, disordered, est->keys.n);
}

enum status estimate_run(struct estimate **out, const struct estimator *method, const struct estimate_request *q,
                         struct error *e)
{
    struct estimate *est = xcalloc(1, sizeof *est);
    *est = (struct estimate){.method = method, .profile = q->profile, .costs = q->costs, .region = q->region};
    est->parts = xcalloc(q->profile->n_parts, sizeof *est->parts);
    key_costs_init(&est->keys, q->profile, q->costs);
    enum status s = irprof_region_usable(q->profile, q->region, e);
    if (!s)
        s = method->run(est, q, e);
    if (!s && !estimator_from_board(method))
        add_library_calls(est);
    if (!s)
        s = make_exact(est, e);
    if (s) {
        estimate_free(est);
        return s;
    }
    if (!estimator_from_board(method)) {
        find_assumed(est);
        note_odd_values(est);
    }
    if (est->n_assumed)
        qsort(est->assumed, est->n_assumed, sizeof *est->assumed, by_cycles);
    *out = est;
    return OK;
}

void estimate_free(struct estimate *est)
{
    if (!est)
        return;
    for (size_t i = 0; i < est->n_assumed; i++) {
        free(est->assumed[i].instruction);
        free(est->assumed[i].as);
    }
    for (size_t i = 0; i < est->n_notes; i++)
        free(est->notes[i]);
    free(est->assumed);
    free(est->notes);
    free(est->parts);
    key_costs_release(&est->keys);
    free(est);
}
