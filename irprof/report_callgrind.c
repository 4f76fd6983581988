/*
 * A region in callgrind's format, for KCachegrind, QCachegrind and callgrind_annotate
 * (docs/formats/callgrind.md; the format: valgrind's manual, "Callgrind Format
 * Specification"). Costs are instructions by class, and the events recorded.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "irprof/callgraph.h"
#include "irprof/report.h"

/* The classes, as columns behind the sum of all. */
enum { COST_ALL, COST_INT, COST_FP, COST_MULDIV, COST_LOAD, COST_STORE, COST_BRANCH, COST_CALL, COST_OTHER, COST_N };
static const struct {
    const char *name, *title;
} costs[COST_N] = {
    [COST_ALL] = {"Ir", "IR instructions"},
    [COST_INT] = {"IrInt", "Integer arithmetic, logic, comparisons"},
    [COST_FP] = {"IrFp", "Floating-point arithmetic and comparisons"},
    [COST_MULDIV] = {"IrMulDiv", "Multiplications and divisions"},
    [COST_LOAD] = {"IrLoad", "Loads"},
    [COST_STORE] = {"IrStore", "Stores"},
    [COST_BRANCH] = {"IrBranch", "Branches and switches"},
    [COST_CALL] = {"IrCall", "Calls and returns"},
    [COST_OTHER] = {"IrOther", "Other instructions"},
};

/* Patterns of keys; the first that matches decides. */
static const struct {
    const char *pattern;
    int cost;
} classes[] = {
    {"add.*", COST_INT},
    {"sub.*", COST_INT},
    {"and.*", COST_INT},
    {"or.*", COST_INT},
    {"xor.*", COST_INT},
    {"shl.*", COST_INT},
    {"lshr.*", COST_INT},
    {"ashr.*", COST_INT},
    {"icmp.*", COST_INT},
    {"fadd.*", COST_FP},
    {"fsub.*", COST_FP},
    {"fneg.*", COST_FP},
    {"fcmp.*", COST_FP},
    {"mul.*", COST_MULDIV},
    {"?div.*", COST_MULDIV},
    {"?rem.*", COST_MULDIV},
    {"fmul.*", COST_MULDIV},
    {"call.llvm.fma.*", COST_MULDIV},
    {"call.llvm.fmuladd.*", COST_MULDIV},
    {"load.*", COST_LOAD},
    {"store.*", COST_STORE},
    {"br.*", COST_BRANCH},
    {"switch.*", COST_BRANCH},
    {"indirectbr*", COST_BRANCH},
    {"call.*", COST_CALL},
    {"callbr.*", COST_CALL},
    {"invoke.*", COST_CALL},
    {"ret*", COST_CALL},
    {"*", COST_OTHER},
};

static int class_of(const char *key)
{
    size_t i = 0;
    while (!glob_match(classes[i].pattern, key))
        i++;
    return classes[i].cost;
}

struct writer {
    FILE *f;
    const struct irprof_profile *p;
    const struct irprof_region *region;
    struct irprof_groups *lines;          /* owned; by function, file and line */
    int *classes;                         /* owned; of each key */
    size_t n_costs;                       /* COST_N and the events */
    uint64_t *self;                       /* owned; of each function, n_costs each */
    uint64_t *entries;                    /* owned; of each function */
    struct map objects, files, functions; /* names written so far */
    const char *file;                     /* the one that lines are of */
};

/* ---- numbers ---- */

static void add_line(uint64_t *to, const struct writer *w, const struct irprof_row *row)
{
    to[COST_ALL] += row->total;
    for (size_t i = 0; i < row->n_counts; i++)
        to[w->classes[row->counts[i].key]] += row->counts[i].count;
    for (size_t i = 0; i < w->p->n_events; i++)
        to[COST_N + i] += row->events[i];
}

static void sum_up(struct writer *w)
{
    const struct irprof_profile *p = w->p;
    w->classes = xcalloc(p->n_keys, sizeof *w->classes);
    for (size_t i = 0; i < p->n_keys; i++)
        w->classes[i] = class_of(p->keys[i]);
    w->n_costs = COST_N + p->n_events;
    w->self = xcalloc(p->n_functions, w->n_costs * sizeof *w->self);
    for (size_t i = 0; i < w->lines->n_rows; i++)
        add_line(w->self + w->lines->rows[i].function * w->n_costs, w, &w->lines->rows[i]);
    w->entries = xcalloc(p->n_functions, sizeof *w->entries);
    for (size_t i = 0; i < p->n_segments; i++)
        if (p->segments[i].block == 0 && p->segments[i].number == 0)
            w->entries[p->segments[i].function] = w->region->executions[i];
}

/* Calls of one function from one line of another. */
struct call {
    struct callgraph_arc arc; /* callee: IRPROF_NONE if it is not in the profile */
    const char *name;         /* NULL: through a pointer */
    uint32_t file, line;
};
struct calls {
    VEC(struct call) all;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_calls(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    int c = compare_numbers(x->arc.caller, y->arc.caller);
    c = c ? c : compare_numbers(x->file, y->file);
    c = c ? c : compare_numbers(x->line, y->line);
    c = c ? c : compare_numbers(x->arc.callee, y->arc.callee);
    return c ? c : strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

/* The calls made in the region, by function, file and line. */
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

/* ---- names: written out the first time, "(number)" from then on ---- */

/* A name is one line. */
static void put_text(FILE *f, const char *text, bool blanks)
{
    for (const char *s = text; *s; s++)
        fputc((unsigned char)*s < 32 || *s == 127 ? '?' : *s == ' ' && !blanks ? '_' : *s, f);
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

/* Where the function is; its module, if the program has no debug information. */
static const char *function_file(const struct writer *w, uint32_t function)
{
    const struct irprof_function *f = &w->p->functions[function];
    if (f->file != IRPROF_NONE)
        return w->p->files[f->file];
    const char *module = w->p->modules[f->module].name;
    return *module ? module : "???";
}

/* Costs behind the last that is not 0 are left out. */
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

/* The file of the next line; `own` is the function's. What has no line at all is at line 0 of its function's file. */
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
    put_name(w, "cfn", &w->functions, call->name ? call->name : unknown);
    fprintf(w->f, "calls=%" PRIu64 " %" PRIu32 "\n", call->arc.calls, line);
    put_costs(w, call->line, cost);
}

static void put_function(struct writer *w, uint32_t function)
{
    const char *own = function_file(w, function);
    fputc('\n', w->f);
    put_name(w, "fl", &w->files, own);
    put_name(w, "fn", &w->functions, w->p->functions[function].name);
    w->file = own;
}

static void put_body(struct writer *w, const struct callgraph *g, const struct calls *calls)
{
    uint64_t *cost = xcalloc(w->n_costs, sizeof *cost);
    size_t row = 0, call = 0;
    for (uint32_t function = 0; function < w->p->n_functions; function++) {
        const char *own = function_file(w, function);
        const struct irprof_row *rows = w->lines->rows;
        bool runs = row < w->lines->n_rows && rows[row].function == function;
        if (!runs && !(call < calls->all.n && calls->all.at[call].arc.caller == function))
            continue;
        put_function(w, function);
        for (; row < w->lines->n_rows && rows[row].function == function; row++) {
            enter_file(w, rows[row].file, own);
            memset(cost, 0, w->n_costs * sizeof *cost);
            add_line(cost, w, &rows[row]);
            put_costs(w, rows[row].line, cost);
        }
        for (; call < calls->all.n && calls->all.at[call].arc.caller == function; call++)
            put_call(w, g, &calls->all.at[call], own, cost);
    }
    free(cost);
}

static void put_head(struct writer *w, const struct report_program *program)
{
    FILE *f = w->f;
    const struct irprof_profile *p = w->p;
    fputs("# callgrind format\nversion: 1\ncreator: irprof\ncmd: ", f);
    put_text(f, program->name, true);
    fputs("\npart: 1\ndesc: Region: ", f);
    put_text(f, w->region->name, true);
    fprintf(f, "\ndesc: Runs: %" PRIu64 "\n", p->runs);
    fputs("desc: Costs: LLVM IR instructions executed, exact\n"
          "desc: Calls: exact; inclusive costs are shared among callers in proportion to their calls\n"
          "positions: line\n",
          f);
    for (size_t i = 0; i < COST_N; i++)
        fprintf(f, "event: %s : %s\n", costs[i].name, costs[i].title);
    fputs("events:", f);
    for (size_t i = 0; i < COST_N; i++)
        fprintf(f, " %s", costs[i].name);
    for (size_t i = 0; i < p->n_events; i++) {
        fputc(' ', f);
        put_text(f, p->events[i], false);
    }
    fputs("\nsummary:", f);
    for (size_t k = 0; k < w->n_costs; k++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < p->n_functions; i++)
            sum += w->self[i * w->n_costs + k];
        fprintf(f, " %" PRIu64, sum);
    }
    fputc('\n', f);
}

static void write_all(struct writer *w, const struct report_program *program)
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
    put_head(w, program);
    fputc('\n', w->f);
    put_name(w, "ob", &w->objects, w->p->program);
    put_body(w, &g, &calls);
    callgraph_release(&g);
    vec_release(&arcs);
    vec_release(&calls.all);
}

enum status callgrind_write(const struct report_program *program, size_t region, FILE *f, struct error *e)
{
    struct writer w = {.f = f, .p = program->profile, .region = &program->profile->regions[region]};
    enum status s = irprof_group(&w.lines, w.p, region, IRPROF_BY_FUNCTION_LINE, e);
    if (s)
        return s;
    write_all(&w, program);
    irprof_groups_free(w.lines);
    free(w.classes);
    free(w.self);
    free(w.entries);
    map_release(&w.objects);
    map_release(&w.files);
    map_release(&w.functions);
    return OK;
}
