/* callgrind.c - writes callgrind's format (callgrind.h). */
#include "irprof/report/callgrind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/demangle.h"
#include "base/map.h"
#include "irprof/profile/callgraph.h"

/* The costs of a source line in a function. */
struct line {
    uint32_t function, file, line;
    uint32_t part; /* the first of its parts in the profile's order */
};
struct writer {
    FILE *f;
    const struct callgrind *in;
    const struct irprof_profile *p;
    const struct irprof_region *region;
    VEC(struct line) parts; /* those that are written, sorted by function, file and line */
    size_t n_costs;
    uint64_t *self;                       /* owned; n_costs for each function */
    uint64_t *entries;                    /* owned; for each function */
    struct map objects, files, functions; /* names that have been written */
    const char *file;                     /* the current file */
};

/* ---- numbers ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_places(const struct line *x, const struct line *y)
{
    int c = compare_numbers(x->function, y->function);
    c = c ? c : compare_numbers(x->file, y->file);
    return c ? c : compare_numbers(x->line, y->line);
}

static int compare_parts(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int c = compare_places(x, y);
    return c ? c : compare_numbers(x->part, y->part);
}

static void add_part(uint64_t *to, const struct writer *w, uint32_t part)
{
    for (size_t i = 0; i < w->n_costs; i++)
        to[i] += w->in->parts[(size_t)part * w->n_costs + i];
}

static bool is_written(const struct writer *w, size_t segment, uint32_t part)
{
    bool is = w->region->executions[segment] > 0;
    for (size_t i = 0; i < w->n_costs && !is; i++)
        is = w->in->parts[(size_t)part * w->n_costs + i] > 0;
    return is;
}

static void sum_up(struct writer *w)
{
    const struct irprof_profile *p = w->p;
    w->self = xcalloc(p->n_functions, w->n_costs * sizeof *w->self);
    w->entries = xcalloc(p->n_functions, sizeof *w->entries);
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *s = &p->segments[i];
        if (s->block == 0 && s->number == 0)
            w->entries[s->function] = w->region->executions[i];
        for (uint32_t k = s->first_part; k < s->first_part + s->n_parts; k++) {
            if (!is_written(w, i, k))
                continue;
            vec_push(&w->parts, (struct line){s->function, p->parts[k].file, p->parts[k].line, k});
            add_part(w->self + s->function * w->n_costs, w, k);
        }
    }
    if (w->parts.n)
        qsort(w->parts.at, w->parts.n, sizeof *w->parts.at, compare_parts);
}

/* Calls of one function from one line of another. */
struct call {
    struct callgraph_arc arc; /* callee: IRPROF_NONE if it is not in the profile */
    const char *name;         /* NULL: called through a pointer */
    uint32_t file, line;
};
struct calls {
    VEC(struct call) all;
};

static int compare_calls(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    int c = compare_numbers(x->arc.caller, y->arc.caller);
    c = c ? c : compare_numbers(x->file, y->file);
    c = c ? c : compare_numbers(x->line, y->line);
    c = c ? c : compare_numbers(x->arc.callee, y->arc.callee);
    return c ? c : strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

/* The calls made in the region, sorted by function, file and line. */
static struct calls list_calls(const struct writer *w)
{
    struct calls c = {0};
    for (size_t i = 0; i < w->p->n_calls; i++) {
        const struct irprof_call *call = &w->p->calls[i];
        uint64_t n = w->region->executions[call->segment];
        struct callgraph_arc arc = {w->p->segments[call->segment].function, call->callee, n};
        if (n)
            vec_push(&c.all, (struct call){arc, call->name, call->file, call->line});
    }
    if (c.all.n)
        qsort(c.all.at, c.all.n, sizeof *c.all.at, compare_calls);
    size_t n = 0;
    for (size_t i = 0; i < c.all.n; i++) {
        if (n && compare_calls(&c.all.at[n - 1], &c.all.at[i]) == 0)
            c.all.at[n - 1].arc.calls += c.all.at[i].arc.calls;
        else
            c.all.at[n++] = c.all.at[i];
    }
    c.all.n = n;
    return c;
}

/* ---- names: written in full once, then as "(number)" ---- */

/* Writes a name as one line. */
static void put_text(FILE *f, const char *text, bool spaces)
{
    for (const char *s = text; *s; s++)
        fputc((unsigned char)*s < 32 || *s == 127 ? '?' : *s == ' ' && !spaces ? '_' : *s, f);
}

static void put_name(struct writer *w, const char *key, struct map *names, const char *name)
{
    size_t n = names->n, number = map_number(names, name);
    fprintf(w->f, "%s=(%zu)", key, number + 1);
    if (number == n) {
        fputc(' ', w->f);
        put_text(w->f, name, true);
    }
    fputc('\n', w->f);
}

static void put_function_name(struct writer *w, const char *key, const char *name)
{
    char *readable = w->in->mangled ? xstrdup(name) : demangle(name);
    put_name(w, key, &w->functions, readable);
    free(readable);
}

/* The function's file; without debug information, its module. */
static const char *function_file(const struct writer *w, uint32_t function)
{
    const struct irprof_function *f = &w->p->functions[function];
    if (f->file != IRPROF_NONE)
        return w->p->files[f->file];
    const char *module = w->p->modules[f->module].name;
    return *module ? module : "???";
}

/* Trailing zeros are left out. */
static void put_costs(const struct writer *w, uint32_t line, const uint64_t *cost)
{
    size_t n = w->n_costs;
    while (n > 1 && !cost[n - 1])
        n--;
    fprintf(w->f, "%" PRIu32, line);
    for (size_t i = 0; i < n; i++)
        fprintf(w->f, " %" PRIu64, cost[i]);
    fputc('\n', w->f);
}

/* Names the file of the next line if it changes; `own` is the function's. Code without a line counts as line 0 of its
 * function's file. */
static void enter_file(struct writer *w, uint32_t file, const char *own)
{
    const char *name = file == IRPROF_NONE ? own : w->p->files[file];
    if (strcmp(name, w->file) != 0)
        put_name(w, strcmp(name, own) == 0 ? "fe" : "fi", &w->files, name);
    w->file = name;
}

/* ---- the body ---- */

static void put_call(struct writer *w, const struct callgraph *g, const struct call *call, const char *own,
                     uint64_t *cost)
{
    static const char unknown[] = "(through a pointer)";
    uint32_t line = 0;
    bool inside = call->arc.callee != IRPROF_NONE;
    enter_file(w, call->file, own);
    memset(cost, 0, w->n_costs * sizeof *cost);
    if (inside) {
        callgraph_share(cost, g, &call->arc);
        line = w->p->functions[call->arc.callee].line;
    }
    put_name(w, "cob", &w->objects, inside ? w->p->program : "(not counted)");
    put_name(w, "cfi", &w->files, inside ? function_file(w, call->arc.callee) : "???");
    put_function_name(w, "cfn", call->name ? call->name : unknown);
    fprintf(w->f, "calls=%" PRIu64 " %" PRIu32 "\n", call->arc.calls, line);
    put_costs(w, call->line, cost);
}

static void put_function(struct writer *w, uint32_t function)
{
    const char *own = function_file(w, function);
    fputc('\n', w->f);
    put_name(w, "fl", &w->files, own);
    put_function_name(w, "fn", w->p->functions[function].name);
    w->file = own;
}

/* Writes the lines of one function from parts[i] on. Returns the index after them. */
static size_t put_lines(struct writer *w, size_t i, const char *own, uint64_t *cost)
{
    uint32_t function = w->parts.at[i].function;
    while (i < w->parts.n && w->parts.at[i].function == function) {
        const struct line *first = &w->parts.at[i];
        memset(cost, 0, w->n_costs * sizeof *cost);
        for (; i < w->parts.n && compare_places(first, &w->parts.at[i]) == 0; i++)
            add_part(cost, w, w->parts.at[i].part);
        enter_file(w, first->file, own);
        put_costs(w, first->line, cost);
    }
    return i;
}

static void put_body(struct writer *w, const struct callgraph *g, const struct calls *calls)
{
    uint64_t *cost = xcalloc(w->n_costs, sizeof *cost);
    size_t part = 0, call = 0;
    for (uint32_t function = 0; function < w->p->n_functions; function++) {
        const char *own = function_file(w, function);
        bool runs = part < w->parts.n && w->parts.at[part].function == function;
        if (!runs && !(call < calls->all.n && calls->all.at[call].arc.caller == function))
            continue;
        put_function(w, function);
        if (runs)
            part = put_lines(w, part, own, cost);
        for (; call < calls->all.n && calls->all.at[call].arc.caller == function; call++)
            put_call(w, g, &calls->all.at[call], own, cost);
    }
    free(cost);
}

static void put_line(struct writer *w, const char *before, const char *text)
{
    fputs(before, w->f);
    put_text(w->f, text, true);
    fputc('\n', w->f);
}

static void put_head(struct writer *w)
{
    FILE *f = w->f;
    fputs("# callgrind format\nversion: 1\n", f);
    put_line(w, "creator: ", w->in->creator);
    put_line(w, "cmd: ", w->in->program);
    fputs("part: 1\n", f);
    put_line(w, "desc: Region: ", w->region->name);
    fprintf(f, "desc: Runs: %" PRIu64 "\n", w->p->runs);
    for (const char *const *about = w->in->about; *about; about++)
        put_line(w, "desc: ", *about);
    fputs("desc: Calls: exact; inclusive costs are shared among callers in proportion to their calls\n"
          "positions: line\n",
          f);
    for (size_t i = 0; i < w->n_costs; i++)
        if (w->in->titles[i])
            fprintf(f, "event: %s : %s\n", w->in->names[i], w->in->titles[i]);
    fputs("events:", f);
    for (size_t i = 0; i < w->n_costs; i++) {
        fputc(' ', f);
        put_text(f, w->in->names[i], false);
    }
    fputs("\nsummary:", f);
    for (size_t k = 0; k < w->n_costs; k++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < w->p->n_functions; i++)
            sum += w->self[i * w->n_costs + k];
        fprintf(f, " %" PRIu64, sum);
    }
    fputc('\n', f);
}

static void write_all(struct writer *w)
{
    sum_up(w);
    struct calls calls = list_calls(w);
    VEC(struct callgraph_arc) arcs = {0};
    for (size_t i = 0; i < calls.all.n; i++)
        if (calls.all.at[i].arc.callee != IRPROF_NONE)
            vec_push(&arcs, calls.all.at[i].arc);
    struct callgraph g;
    struct callgraph_input input = {w->p->n_functions, w->n_costs, w->entries, w->self, arcs.at, arcs.n};
    callgraph_make(&g, &input);
    put_head(w);
    fputc('\n', w->f);
    put_name(w, "ob", &w->objects, w->p->program);
    put_body(w, &g, &calls);
    callgraph_release(&g);
    vec_release(&arcs);
    vec_release(&calls.all);
}

void irprof_callgrind(const struct callgrind *c, FILE *f)
{
    struct writer w = {
        .f = f, .in = c, .p = c->profile, .region = &c->profile->regions[c->region], .n_costs = c->n_costs};
    write_all(&w);
    vec_release(&w.parts);
    free(w.self);
    free(w.entries);
    map_release(&w.objects);
    map_release(&w.files);
    map_release(&w.functions);
}
