/* How often branches were taken, from the edges. A branch without a condition has nothing to tell. */
#include <inttypes.h>
#include <stdlib.h>

#include "irprof/report_private.h"

struct branch {
    const struct irprof_edge *edge; /* of a conditional branch: the one that is taken */
    uint64_t taken, not_taken;
};
struct branches {
    VEC(struct branch) all;
};

static bool conditional(const struct irprof_edge *e)
{
    return e->kind == IRPROF_EDGE_TRUE || e->kind == IRPROF_EDGE_FALSE;
}

static const char *kind_name(const struct irprof_edge *e)
{
    return conditional(e) ? "cond" : e->kind == IRPROF_EDGE_CASE ? "case" : "default";
}

/* The edges [first, end) leave one block: a branch is one row, a switch one for each edge. */
static void add_block(struct branches *b, const struct irprof_edge *edges, const uint64_t *taken, size_t first,
                      size_t end)
{
    struct branch one = {0};
    uint64_t executed = 0;
    for (size_t i = first; i < end; i++)
        executed += taken[i];
    for (size_t i = first; i < end && executed; i++) {
        if (conditional(&edges[i])) {
            if (!one.edge || edges[i].kind == IRPROF_EDGE_TRUE)
                one.edge = &edges[i];
            *(edges[i].kind == IRPROF_EDGE_TRUE ? &one.taken : &one.not_taken) += taken[i];
        } else if (edges[i].kind != IRPROF_EDGE_JUMP) {
            vec_push(&b->all, (struct branch){&edges[i], taken[i], executed - taken[i]});
        }
    }
    if (one.edge)
        vec_push(&b->all, one);
}

static struct branches list_branches(const struct section *s)
{
    struct branches b = {0};
    const struct irprof_profile *p = s->profile;
    for (size_t i = 0; i < p->n_edges;) {
        size_t first = i;
        while (i < p->n_edges && p->edges[i].function == p->edges[first].function &&
               p->edges[i].from == p->edges[first].from)
            i++;
        add_block(&b, p->edges, section_region(s)->taken, first, i);
    }
    return b;
}

/* The most executed first, otherwise as in the program. */
static int by_executions(const void *a, const void *b)
{
    const struct branch *x = a, *y = b;
    uint64_t n = x->taken + x->not_taken, m = y->taken + y->not_taken;
    if (n != m)
        return n < m ? 1 : -1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

void branches_text(const struct section *s, FILE *f)
{
    struct branches b = list_branches(s);
    if (b.all.n)
        qsort(b.all.at, b.all.n, sizeof *b.all.at, by_executions);
    fprintf(f, "%16s %16s %7s  %s\n", "taken", "not taken", "taken", "branch");
    for (size_t i = 0; i < b.all.n; i++) {
        const struct branch *row = &b.all.at[i];
        const struct irprof_edge *e = row->edge;
        char *place = section_place(s, e->file, e->line);
        fprintf(f, "%16" PRIu64 " %16" PRIu64 " %6.2f%%  %s block %" PRIu32, row->taken, row->not_taken,
                100.0 * (double)row->taken / (double)(row->taken + row->not_taken), section_function(s, e->function),
                e->from);
        if (!conditional(e))
            fprintf(f, " %s to block %" PRIu32, kind_name(e), e->to);
        fprintf(f, "  %s\n", place);
        free(place);
    }
    vec_release(&b.all);
}

const char branches_csv_header[] = "function,block,kind,to,file,line,taken,not_taken";

void branches_csv(const struct section *s, FILE *f)
{
    struct branches b = list_branches(s);
    for (size_t i = 0; i < b.all.n; i++) {
        const struct branch *row = &b.all.at[i];
        csv_start(s, f);
        csv_text(f, section_function(s, row->edge->function));
        fprintf(f, ",%" PRIu32 ",%s,%" PRIu32, row->edge->from, kind_name(row->edge), row->edge->to);
        csv_text(f, section_file(s, row->edge->file));
        csv_line(f, row->edge->line);
        fprintf(f, ",%" PRIu64 ",%" PRIu64 "\n", row->taken, row->not_taken);
    }
    vec_release(&b.all);
}

json_t *branches_json(const struct section *s)
{
    struct branches b = list_branches(s);
    json_t *rows = json_array();
    for (size_t i = 0; i < b.all.n; i++) {
        const struct branch *row = &b.all.at[i];
        json_t *o = json_object();
        json_object_set_new(o, "function", json_string_nocheck(section_function(s, row->edge->function)));
        json_object_set_new(o, "block", json_count(row->edge->from));
        json_object_set_new(o, "kind", json_string(kind_name(row->edge)));
        json_object_set_new(o, "to", json_count(row->edge->to));
        json_place(o, s, row->edge->file, row->edge->line);
        json_object_set_new(o, "taken", json_count(row->taken));
        json_object_set_new(o, "not_taken", json_count(row->not_taken));
        json_array_append_new(rows, o);
    }
    vec_release(&b.all);
    return rows;
}
