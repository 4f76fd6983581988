/* folded.c - writes cycles by call path, the input of flame graphs. */
#include "shimgen/estimate/folded.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/demangle.h"

/* Of all cycles: paths with less are not followed. */
#define LEAST 1e-5
/* Of a function's costs in the graph: by typical values. */
#define TYPICAL 1

struct fold {
    const struct estimate *est;
    const struct callgraph *graph;
    const uint64_t *self; /* costs of each function's own code */
    size_t *first_arc;    /* owned; of each function, and the end: arcs are by caller */
    uint32_t *members;    /* owned; functions by circle */
    size_t *first_member; /* owned; of each circle, and the end */
    struct str *out;
    struct str path; /* "program;main" */
    bool mangled;
    double least;     /* steps */
    double sum;       /* cycles so far */
    uint64_t written; /* of these */
};

/* Lines have whole numbers: each gets what the sum up to it, rounded down, is more than the sum before it. */
static void put(struct fold *f, double steps)
{
    f->sum += steps * f->est->step;
    uint64_t all = f->sum > 0 ? (uint64_t)floor(f->sum + 1e-6) : 0;
    if (all <= f->written)
        return;
    str_addf(f->out, "%s %llu\n", str_text(&f->path), (unsigned long long)(all - f->written));
    f->written = all;
}

/* ';' parts the functions of a path, so no name may have one. Returns the length of the path before. */
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

/* What the functions of a circle cost themselves, each on top of the path; then what they call. */
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
        if (i + 1 < f->first_arc[function + 1] && a[1].callee == a->callee) /* another place that calls it */
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

/* Where the arcs of each function begin, and the functions of each circle. */
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

/* The share of a circle's cycles that no known caller has. */
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
