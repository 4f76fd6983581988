/* shown.c - chooses what tables and pages show. */
#include "shimgen/blocks/print/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

bool shown_steps(const struct blocks_print *p)
{
    return p->blocks->steps && !p->whole_run;
}

bool shown_measured(const struct blocks_print *p)
{
    return p->blocks->request->measured && !shown_steps(p);
}

double shown_cycles(const struct blocks_print *p, const struct blocks_row *row, size_t core)
{
    return shown_steps(p) ? row->steps[core].mean : row->cycles[core].typical;
}

double shown_total(const struct blocks_print *p, size_t core)
{
    return shown_steps(p) ? p->blocks->steps[core].mean : p->blocks->total[core].typical;
}

double shown_inclusive(const struct blocks_print *p, const struct blocks_row *row, size_t core)
{
    if (!shown_steps(p))
        return row->inclusive[core];
    return row->step_inclusive ? row->step_inclusive[core] : row->steps[core].mean;
}

double shown_share(const struct blocks_print *p, const struct blocks_row *row, size_t core)
{
    double all = shown_total(p, core);
    return all > 0 ? shown_cycles(p, row, core) / all : 0;
}

double shown_count(const struct blocks_print *p, uint64_t in_run, uint64_t in_steps)
{
    return shown_steps(p) ? (double)in_steps / (double)p->blocks->n_steps : (double)in_run;
}

/* ---- cores ---- */

static bool same_cycles(const struct cycles *a, const struct cycles *b)
{
    return a->typical == b->typical && a->best == b->best && a->worst == b->worst;
}

static bool same_step(const struct blocks_step *a, const struct blocks_step *b)
{
    return a->mean == b->mean && a->best == b->best && a->worst == b->worst;
}

static bool same_cores(const struct blocks *b, size_t x, size_t y)
{
    if (b->request->cores[x].clock_hz != b->request->cores[y].clock_hz || !same_cycles(&b->total[x], &b->total[y]))
        return false;
    for (size_t i = 0; i < b->n_rows; i++)
        if (!same_cycles(&b->rows[i].cycles[x], &b->rows[i].cycles[y]) ||
            (b->steps && !same_step(&b->rows[i].steps[x], &b->rows[i].steps[y])))
            return false;
    return true;
}

static void fold_cores(struct shown *s, const struct blocks *b)
{
    s->cores = xcalloc(b->request->n_cores, sizeof *s->cores);
    for (size_t i = 0; i < b->request->n_cores; i++) {
        size_t k = 0;
        while (k < s->n_cores && !same_cores(b, s->cores[k].core, i))
            k++;
        struct shown_core *core = &s->cores[k];
        char *names = k < s->n_cores ? xasprintf("%s, %s", core->names, b->request->cores[i].core)
                                     : xstrdup(b->request->cores[i].core);
        if (k == s->n_cores) {
            core->core = i;
            s->n_cores++;
        }
        free(core->names);
        core->names = names;
    }
}

/* ---- rows ---- */

struct place {
    const struct blocks_row *row;
    double cycles;
    size_t number;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool has_cycles(const struct shown *s, const struct blocks_print *p, const struct blocks_row *row)
{
    bool any = shown_measured(p) && row->measured;
    for (size_t i = 0; i < s->n_cores; i++)
        any |= shown_cycles(p, row, s->cores[i].core) != 0 || shown_inclusive(p, row, s->cores[i].core) != 0;
    return any;
}

static void choose_rows(struct shown *s, const struct blocks_print *p)
{
    const struct blocks *b = p->blocks;
    struct place *places = xcalloc(b->n_rows, sizeof *places);
    size_t n = 0;
    for (size_t i = 0; i < b->n_rows; i++) {
        if (!p->all && !has_cycles(s, p, &b->rows[i]))
            s->n_empty++;
        else
            places[n++] = (struct place){&b->rows[i], shown_cycles(p, &b->rows[i], 0), i};
    }
    if (n)
        qsort(places, n, sizeof *places, compare_places);
    s->rows = xcalloc(n, sizeof *s->rows);
    s->cut_cycles = xcalloc(s->n_cores, sizeof *s->cut_cycles);
    for (size_t i = 0; i < n; i++) {
        if (!p->top || i < p->top) {
            s->rows[s->n_rows++] = places[i].row;
            continue;
        }
        s->n_cut++;
        for (size_t k = 0; k < s->n_cores; k++)
            s->cut_cycles[k] += shown_cycles(p, places[i].row, s->cores[k].core);
    }
    free(places);
}

void shown_make(struct shown *s, const struct blocks_print *p)
{
    *s = (struct shown){0};
    fold_cores(s, p->blocks);
    choose_rows(s, p);
}

void shown_release(struct shown *s)
{
    for (size_t i = 0; i < s->n_cores; i++)
        free(s->cores[i].names);
    free(s->cores);
    free(s->rows);
    free(s->cut_cycles);
    *s = (struct shown){0};
}
