/* folded.c - writes cycles by call path, the input of flame graphs. */
#include "shimgen/estimate/folded.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/demangle.h"

/* fraction of all cycles: paths with less are not followed */
#define LEAST 1e-5
/* index of typical values among a function's costs */
#define TYPICAL 1

struct fold {
    const struct estimate *est;
    const struct callgraph *graph;
    const uint64_t *self; /* costs of each function's own code */
    size_t *first_arc;    /* owned; for each function, and the end: arcs are sorted by caller */
    uint32_t *members;    /* owned; functions sorted by cycle */
    size_t *first_member; /* owned; for each cycle, and the end */
    struct str *out;
    struct str path; /* such as "program;main" */
    bool mangled;
    double least;     /* in steps */
    double sum;       /* cycles so far */
    uint64_t written; /* of these, already written */
};

/* Lines have whole numbers: each gets the difference of successive sums, rounded down. */
static void put(struct fold *f, double steps)
{
    f->sum += steps * f->est->step;
    uint64_t all = f->sum > 0 ? (uint64_t)floor(f->sum + 1e-6) : 0;
    if (all <= f->written)
        return;
    str_addf(f->out, "%s %llu\n", str_text(&f->path), (unsigned long long)(all - f->written));
    f->written = all;
}

/* Appends a function to the path. ';' separates functions, so names must not contain it. Returns the previous
 * length. */
static size_t enter(struct fold *f, const char *linkage_name)
{
    size_t before = f->path.len;
    char *name = f->mangled ? xstrdup(linkage_name) : demangle(linkage_name);
    str_addch(&f->path, ';');
    for (const char *c = name; *c; c++)
        str_addch(&f->path, *c == ';' ? ',' : (unsigned char)*c < 32 || *c == 127 ? '_' : *c);
    free(name);
    return before;
}

static void leave(struct fold *f, size_t before)
{
    f->path.len = before;
    f->path.s[before] = 0;
}

static void follow(struct fold *f, uint32_t circle, double share);

/* Writes the own cost of each function in a cycle, with the function on top of the path; then follows what they
 * call. */
static void follow_function(struct fold *f, uint32_t function, double share)
{
    const struct callgraph *g = f->graph;
    double calls = 0;
    size_t before = enter(f, f->est->profile->functions[function].name);
    put(f, (double)f->self[ESTIMATE_CALLS_COSTS * (size_t)function + TYPICAL] * share);
    for (size_t i = f->first_arc[function]; i < f->first_arc[function + 1]; i++) {
        const struct callgraph_arc *a = &g->in->arcs[i];
        uint32_t to = g->circle[a->callee];
        calls += (double)a->calls;
        if (i + 1 < f->first_arc[function + 1] && a[1].callee == a->callee) /* another place with the same callee */
            continue;
        if (to != g->circle[function] && g->calls[to])
            follow(f, to, share * calls / (double)g->calls[to]);
        calls = 0;
    }
    leave(f, before);
}

static void follow(struct fold *f, uint32_t circle, double share)
{
    double steps = (double)f->graph->inclusive[ESTIMATE_CALLS_COSTS * (size_t)circle + TYPICAL] * share;
    size_t first = f->first_member[circle];
    if (steps < f->least && steps > 0) {
        size_t before = enter(f, f->est->profile->functions[f->members[first]].name);
        put(f, steps);
        leave(f, before);
        return;
    }
    for (size_t i = first; i < f->first_member[circle + 1] && steps > 0; i++)
        follow_function(f, f->members[i], share);
}

/* Finds where the arcs of each function, and the functions of each cycle, begin. */
static void index_graph(struct fold *f)
{
    const struct callgraph *g = f->graph;
    size_t n = g->in->n_functions;
    f->first_arc = xcalloc(n + 1, sizeof *f->first_arc);
    f->first_member = xcalloc(g->n_circles + 2, sizeof *f->first_member);
    f->members = xcalloc(n, sizeof *f->members);
    for (size_t i = 0; i < g->in->n_arcs; i++)
        f->first_arc[g->in->arcs[i].caller + 1]++;
    for (size_t i = 0; i < n; i++) {
        f->first_arc[i + 1] += f->first_arc[i];
        f->first_member[g->circle[i] + 2]++;
    }
    for (size_t i = 2; i < g->n_circles + 2; i++)
        f->first_member[i] += f->first_member[i - 1];
    for (uint32_t i = 0; i < n; i++)
        f->members[f->first_member[g->circle[i] + 1]++] = i;
}

/* The share of a cycle's cost without a known caller. */
static double not_called(const struct callgraph *g, uint32_t circle)
{
    double known = 0;
    for (size_t i = 0; i < g->in->n_arcs; i++)
        if (g->circle[g->in->arcs[i].callee] == circle && g->circle[g->in->arcs[i].caller] != circle)
            known += (double)g->in->arcs[i].calls;
    return !g->calls[circle] ? 1 : fmax(0, 1 - known / (double)g->calls[circle]);
}

void folded_add(struct str *out, const struct estimate *est, bool mangled)
{
    struct estimate_calls calls;
    estimate_calls_make(&calls, est);
    struct fold f = {.est = est,
                     .graph = &calls.graph,
                     .self = calls.self,
                     .out = out,
                     .mangled = mangled,
                     .least = LEAST * est->total.typical / est->step};
    index_graph(&f);
    str_add(&f.path, est->profile->program);
    for (uint32_t c = 0; c < calls.graph.n_circles; c++) {
        double share = not_called(&calls.graph, c);
        if (share > 0)
            follow(&f, c, share);
    }
    str_release(&f.path);
    free(f.first_arc);
    free(f.first_member);
    free(f.members);
    estimate_calls_release(&calls);
}
