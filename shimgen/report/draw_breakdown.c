/* draw_breakdown.c - draws held-out errors by set, optimisation level and domain. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"
#include "shimgen/page/svg.h"

typedef const char *group_of(const struct report_program *p);

static const char *set_of(const struct report_program *p)
{
    return p->set;
}

static const char *domain_of(const struct report_program *p)
{
    return p->domain;
}

static const char *level_of(const struct report_program *p)
{
    return p->level;
}

static const struct {
    const char *kind;
    group_of *of;
} kinds[] = {{"set", set_of}, {"level", level_of}, {"domain", domain_of}};
enum { KINDS = sizeof kinds / sizeof *kinds, UNFOLDED = 12 };

struct group {
    const char *name;
    size_t n;
    double sum, worst; /* of absolute held-out errors */
};
struct groups {
    VEC(struct group) list;
};

static void group_add(struct groups *g, const char *name, double error)
{
    for (size_t i = 0; i < g->list.n; i++) {
        struct group *at = &g->list.at[i];
        if (strcmp(at->name, name))
            continue;
        at->n++;
        at->sum += fabs(error);
        if (fabs(error) > fabs(at->worst))
            at->worst = error;
        return;
    }
    vec_push(&g->list, (struct group){name, 1, fabs(error), error});
}

/* Sorts the largest mean first. */
static int compare_groups(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    double of_x = x->sum / (double)x->n, of_y = y->sum / (double)y->n;
    if (of_x != of_y)
        return of_x < of_y ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void group_row(struct str *out, const struct scale *s, const char *kind, const struct group *g)
{
    html_addf(out, "<tr><td>%s</td><th scope=\"row\">%s</th><td class=\"num\">%zu</td>", kind, g->name, g->n);
    html_number_cell(out, g->sum / (double)g->n, figure_percent);
    html_number_cell(out, g->worst, figure_error);
    str_add(out, "<td class=\"lanes\">");
    lane_open(out, s, 20);
    lane_range(out, s, "reach", g->sum / (double)g->n, fabs(g->worst), 10);
    lane_stroke(out, s, "reach", fabs(g->worst), 10, 4);
    lane_mark(out, s, MARK_HELDOUT, g->sum / (double)g->n, 10, g->name);
    lane_close(out);
    str_add(out, "</td></tr>\n");
}

static struct groups collect(const struct report *r, group_of *of)
{
    struct groups g = {{0}};
    for (size_t i = 0; i < r->n_programs; i++) {
        double e = heldout_error(&r->programs[i]);
        if (isfinite(e) && has_text(of(&r->programs[i])))
            group_add(&g, of(&r->programs[i]), e);
    }
    if (g.list.n)
        qsort(g.list.at, g.list.n, sizeof *g.list.at, compare_groups);
    return g;
}

static void head(struct str *out, struct scale *s, const char *caption)
{
    html_table_open(out, "chart sortable", caption);
    str_add(out, "<thead><tr><th scope=\"col\">by</th><th scope=\"col\">group</th>"
                 "<th scope=\"col\" class=\"num\">programs</th><th scope=\"col\" class=\"num\">mean |error|</th>"
                 "<th scope=\"col\" class=\"num\">worst</th><th scope=\"col\" class=\"lanes\">");
    lane_axis(out, s, figure_short_percent);
    str_add(out, "</th></tr></thead><tbody>\n");
}

/* If there are many groups of a kind, draws the worst; the others are collapsed. */
static void draw_groups(struct str *out, struct scale *s, const struct groups groups[KINDS])
{
    size_t folded = 0;
    head(out, s,
         "Dot: mean of the absolute held-out errors; line: to the worst. Test programs are included; the axis "
         "is logarithmic.");
    for (size_t k = 0; k < KINDS; k++)
        for (size_t i = 0; i < groups[k].list.n; i++)
            if (i < UNFOLDED)
                group_row(out, s, kinds[k].kind, &groups[k].list.at[i]);
            else
                folded++;
    html_table_close(out);
    if (!folded)
        return;
    html_addf(out, "<details><summary>%zu more, with smaller errors</summary>\n", folded);
    head(out, s, "The same of the other groups.");
    for (size_t k = 0; k < KINDS; k++)
        for (size_t i = UNFOLDED; i < groups[k].list.n; i++)
            group_row(out, s, kinds[k].kind, &groups[k].list.at[i]);
    html_table_close(out);
    str_add(out, "</details>\n");
}

void draw_breakdown(const struct report *r, struct str *out)
{
    struct groups groups[KINDS];
    double worst = 0;
    size_t total = 0;
    for (size_t k = 0; k < KINDS; k++) {
        groups[k] = collect(r, kinds[k].of);
        total += groups[k].list.n;
        for (size_t i = 0; i < groups[k].list.n; i++)
            worst = fmax(worst, fabs(groups[k].list.at[i].worst));
    }
    if (total) {
        struct scale s = scale_log(0.01, fmin(fmax(worst, 0.1), 10), true);
        str_add(out, "<h3>Held-out error by kind of program</h3>\n");
        draw_groups(out, &s, groups);
    }
    for (size_t k = 0; k < KINDS; k++)
        vec_release(&groups[k].list);
}
