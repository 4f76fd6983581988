/* compiled_notes.c - notes on what an estimate by method compiled could not take into account. */
#include "shimgen/estimate/compiled/compiled.h"

#include <stdlib.h>

#include "shimgen/estimate/compiled/compiled_unmeasured.h"

/* Calls of a library function; name NULL: of something unknown. */
struct called {
    struct library_cost cost;
    double times;
};

static void add_call(struct called *list, size_t *n, size_t most, const struct library_cost *cost, double times)
{
    size_t i = 0;
    while (i < *n && list[i].cost.name != cost->name)
        i++;
    if (i == most)
        return;
    if (i == *n)
        list[(*n)++] = (struct called){*cost, 0};
    list[i].times += times;
}

static size_t find_calls(const struct compiled *w, struct called *list, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < w->machine.n; i++)
        for (size_t k = 0; k < w->machine.functions[i].n; k++) {
            const struct node *node = &w->machine.functions[i].nodes[k];
            double times = w->flows[i].nodes[k];
            if (!node_calls(node) || !node->callee || times <= 0)
                continue;
            struct library_cost cost = library_call(w->library, node->callee);
            if (cost.name || cost.cycles.typical < 0)
                add_call(list, &n, most, &cost, times);
        }
    return n;
}

static void note_library(struct estimate *out, const struct library_cost *c, double times, double total)
{
    double share = 100 * times * c->cycles.typical / (total > 0 ? total : 1);
    if (c->cycles.typical < 0) {
        out->doubts |= 1u << DOUBT_LIBRARY;
        estimate_note(out, "%.0f calls of %s are not in the estimate: its code is not known", times,
                      c->name ? c->name : "a library");
    } else if (share >= 0.1) {
        out->doubts |= c->measured ? 0 : 1u << DOUBT_GUESSED;
        estimate_note(
            out,
            "%s of a library was called %.0f times, nothing of it was counted: %s %.0f cycles a call, %.2g %% of "
            "the estimate",
            c->name, times, c->measured ? "as measured" : "guessed at", c->cycles.typical, share);
    }
}

static void note_libraries(struct compiled *w, double total)
{
    enum { NAMED = 32 };
    struct called list[NAMED];
    size_t n = find_calls(w, list, NAMED);
    for (size_t i = 0; i < n; i++)
        note_library(w->out, &list[i].cost, list[i].times, total);
}

/* Notes where the core's timing comes from, and what is unknown in it. */
static void note_core(struct compiled *w)
{
    char *origin = iss_model_origin(w->model), *unknown = iss_model_unknown(w->model);
    if (origin)
        estimate_note(w->out, "%s", origin);
    if (*unknown)
        estimate_note(w->out, "not known of the core, and taken to cost nothing: %s", unknown);
    free(origin);
    free(unknown);
}

/* About the program's own code, and library functions whose cost is guessed from their code. */
static void note_unmeasured(struct compiled *w, double total)
{
    struct unmeasured_list l = {0};
    for (size_t i = 0; i < w->machine.n; i++) {
        const struct machine_function *f = &w->machine.functions[i];
        unmeasured_add(&l, f, &w->flows[i], &w->costs[ISS_QUOTIENT_MEAN][i], &w->program.elf, w->model, w->triple);
        for (size_t k = 0; k < f->n; k++)
            if (node_calls(&f->nodes[k]) && f->nodes[k].callee && w->flows[i].nodes[k] > 0)
                library_called(w->library, f->nodes[k].callee, w->flows[i].nodes[k]);
    }
    library_unmeasured(w->library, &l);
    unmeasured_tell(w->out, &l, w->model, total);
    unmeasured_release(&l);
}

void compiled_notes(struct compiled *w)
{
    note_core(w);
    double lost = 0, all = 0, total = 0;
    for (size_t i = 0; i < w->profile->n_parts; i++)
        total += w->out->parts[i].typical;
    note_unmeasured(w, total);
    for (size_t i = 0; i < w->machine.n; i++) {
        lost += w->flows[i].lost;
        all += w->flows[i].all;
    }
    if (w->event == w->profile->n_events && !w->model->predictor.none)
        estimate_note(w->out, "mispredictions are estimated as the less frequent direction of each branch: the profile "
                              "has none (shimgen profile --branches)");
    if (!w->has_misses && !w->model->no_caches)
        estimate_note(w->out, "cache misses are not in the estimate: the profile has none (shimgen profile --memory)");
    if (all > 0 && lost > 0.001 * all)
        estimate_note(w->out,
                      "%.2g %% of the transitions between blocks were not found in the machine code and cost nothing",
                      100 * lost / all);
    if (all > 0 && lost > 0.001 * all)
        w->out->doubts |= 1u << DOUBT_CODE;
    note_libraries(w, total);
}
