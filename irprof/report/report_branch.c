/*
 * report_branch.c - how often branches were taken, by their edges, and mispredicted, if that was recorded.
 * Unconditional branches are left out.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/report/formats.h"

/* A block ends with at most one branch, so the block's mispredictions are that branch's. */
static const char misprediction[] = "BR_MIS_PRED";

struct branch {
    const struct irprof_edge *edge; /* of a conditional branch, the edge that is taken */
    uint64_t taken, not_taken;
    bool predicted; /* mispredictions are known */
    uint64_t mispredicted;
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

/* Adds the rows of a block, which the edges [first, end) leave: one for a branch, one for each edge of a switch. */
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
            vec_push(&b->all, (struct branch){.edge = &edges[i], .taken = taken[i], .not_taken = executed - taken[i]});
        }
    }
    if (one.edge)
        vec_push(&b->all, one);
}

static uint64_t mispredicted_in(const struct section *s, const struct irprof_segment *segment, size_t event)
{
    const struct irprof_profile *p = s->profile;
    uint64_t n = 0;
    for (size_t k = segment->first_part; k < segment->first_part + segment->n_parts; k++) {
        const struct irprof_part *part = &p->parts[k];
        for (size_t i = part->first_event_site; i < part->first_event_site + part->n_event_sites; i++)
            if (p->event_sites[i].event == event)
                n += section_region(s)->event_counts[i];
    }
    return n;
}

/* Is it the last segment of its block? It contains the branch; other segments may contain calls through pointers. */
static bool is_last(const struct irprof_profile *p, size_t segment)
{
    const struct irprof_segment *at = &p->segments[segment];
    return segment + 1 == p->n_segments || at[1].function != at->function || at[1].block != at->block;
}

/* Adds mispredictions. Branches and segments are both sorted by block. */
static void add_mispredictions(struct branches *b, const struct section *s, size_t event)
{
    const struct irprof_profile *p = s->profile;
    size_t segment = 0;
    for (size_t i = 0; i < b->all.n; i++) {
        struct branch *row = &b->all.at[i];
        const struct irprof_edge *e = row->edge;
        row->predicted = conditional(e);
        for (; segment < p->n_segments; segment++) {
            const struct irprof_segment *at = &p->segments[segment];
            if (at->function > e->function || (at->function == e->function && at->block > e->from))
                break;
            if (at->function == e->function && at->block == e->from && is_last(p, segment))
                row->mispredicted += mispredicted_in(s, at, event);
        }
    }
}

static struct branches list_branches(const struct section *s)
{
    struct branches b = {0};
    const struct irprof_profile *p = s->profile;
    size_t event = irprof_event(p, misprediction);
    for (size_t i = 0; i < p->n_edges;) {
        size_t first = i;
        while (i < p->n_edges && p->edges[i].function == p->edges[first].function &&
               p->edges[i].from == p->edges[first].from)
            i++;
        add_block(&b, p->edges, section_region(s)->taken, first, i);
    }
    if (event < p->n_events)
        add_mispredictions(&b, s, event);
    return b;
}

/* The most executed first; ties in the program's order. */
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
    bool predicted = irprof_event(s->profile, misprediction) < s->profile->n_events;
    fprintf(f, "%16s %16s %7s  ", "taken", "not taken", "taken");
    if (predicted)
        fprintf(f, "%*s  ", event_width(misprediction), misprediction);
    fputs("branch\n", f);
    for (size_t i = 0; i < b.all.n; i++) {
        const struct branch *row = &b.all.at[i];
        const struct irprof_edge *e = row->edge;
        char *place = section_place(s, e->file, e->line);
        fprintf(f, "%16" PRIu64 " %16" PRIu64 " %6.2f%%  ", row->taken, row->not_taken,
                100.0 * (double)row->taken / (double)(row->taken + row->not_taken));
        if (row->predicted)
            fprintf(f, "%*" PRIu64 "  ", event_width(misprediction), row->mispredicted);
        else if (predicted)
            fprintf(f, "%*s  ", event_width(misprediction), "-");
        char *function = section_words(s, e->function);
        fprintf(f, "%s block %" PRIu32, function, e->from);
        free(function);
        if (!conditional(e))
            fprintf(f, " %s to block %" PRIu32, kind_name(e), e->to);
        fprintf(f, "  %s\n", place);
        free(place);
    }
    vec_release(&b.all);
}

/* Does any of the programs have mispredictions? */
static bool has_column(const struct sections *all)
{
    for (size_t i = 0; i < all->n_events; i++)
        if (strcmp(all->events[i], misprediction) == 0)
            return true;
    return false;
}

void branches_csv_header(const struct sections *all, FILE *f)
{
    fputs("function,block,kind,to,file,line,taken,not_taken", f);
    if (has_column(all))
        csv_text(f, misprediction);
}

void branches_csv(const struct sections *all, const struct section *s, FILE *f)
{
    struct branches b = list_branches(s);
    bool column = has_column(all);
    for (size_t i = 0; i < b.all.n; i++) {
        const struct branch *row = &b.all.at[i];
        csv_start(s, f);
        csv_text(f, section_function(s, row->edge->function));
        fprintf(f, ",%" PRIu32 ",%s,%" PRIu32, row->edge->from, kind_name(row->edge), row->edge->to);
        csv_text(f, section_file(s, row->edge->file));
        csv_line(f, row->edge->line);
        fprintf(f, ",%" PRIu64 ",%" PRIu64, row->taken, row->not_taken);
        if (row->predicted)
            fprintf(f, ",%" PRIu64, row->mispredicted);
        else if (column)
            fputc(',', f);
        csv_readable(s, row->edge->function, f);
        fputc('\n', f);
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
        json_function(o, s, row->edge->function);
        json_object_set_new(o, "block", json_count(row->edge->from));
        json_object_set_new(o, "kind", json_string(kind_name(row->edge)));
        json_object_set_new(o, "to", json_count(row->edge->to));
        json_place(o, s, row->edge->file, row->edge->line);
        json_object_set_new(o, "taken", json_count(row->taken));
        json_object_set_new(o, "not_taken", json_count(row->not_taken));
        if (row->predicted)
            json_object_set_new(o, "events", json_pack("{s:I}", misprediction, (json_int_t)row->mispredicted));
        json_array_append_new(rows, o);
    }
    vec_release(&b.all);
    return rows;
}
