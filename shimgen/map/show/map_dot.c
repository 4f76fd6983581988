/* map_dot.c - writes a mapping as a graph for Graphviz, with a cluster for each core. */
#include <stdlib.h>

#include "shimgen/map/show/map_show.h"

/* Inside DOT's quotes, only these two characters need a backslash. */
static void put_quoted(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', f);
        fputc(*text == '\n' ? ' ' : *text, f);
    }
    fputc('"', f);
}

static void put_core(const struct map_report *r, size_t core, FILE *f)
{
    const struct map_problem *p = &r->point->problem;
    fprintf(f, "  subgraph cluster_%zu {\n    label=", core);
    put_quoted(f, r->machine->cores.at[p->cores[core]].name);
    fputs(";\n", f);
    for (size_t b = 0; b < p->n; b++) {
        if (map_core_index(r, b) != core)
            continue;
        char *label = xasprintf("%s: %.6g %s", r->graph->blocks.at[b].name, p->free_time[b * p->n_cores + core],
                                r->machine->unit);
        fprintf(f, "    b%zu [label=", b);
        put_quoted(f, label);
        fputs("];\n", f);
        free(label);
    }
    fputs("  }\n", f);
}

void map_dot(const struct map_report *r, FILE *f)
{
    const struct map_problem *p = &r->point->problem;
    fputs("digraph ", f);
    put_quoted(f, r->graph->name);
    fputs(" {\n  node [shape=box];\n", f);
    for (size_t c = 0; c < p->n_cores; c++)
        put_core(r, c, f);
    for (size_t i = 0; i < p->n_arcs; i++) {
        const struct map_arc *a = &p->arcs[i];
        size_t from = map_core_index(r, a->from), to = map_core_index(r, a->to);
        fprintf(f, "  b%zu -> b%zu [label=\"%g B", a->from, a->to, a->bytes);
        if (from != to)
            fprintf(f, ", %.6g %s\", penwidth=2", map_arc_cost(p, i, from, to), r->machine->unit);
        else
            fputs("\"", f);
        fprintf(f, "%s];\n", a->delay ? ", style=dashed, constraint=false" : "");
    }
    fputs("}\n", f);
}
