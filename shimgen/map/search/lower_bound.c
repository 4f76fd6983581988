/* lower_bound.c - lower bounds on the time of any plan. */
#include <math.h>
#include <stdlib.h>

#include "shimgen/map/search/problem.h"

/* The earliest time at which an arc's data can be on this core. */
static double arrives(const struct map_problem *p, const double *earliest, size_t arc, size_t core)
{
    size_t from = p->arcs[arc].from;
    double least = INFINITY;
    for (size_t c = 0; c < p->n_cores; c++)
        least = fmin(least, earliest[from * p->n_cores + c] + map_arc_cost(p, arc, c, core));
    return least;
}

/* The earliest end of each block on each core if cores were never busy. A predecessor may be on a different core for
 * each arc, so this never exceeds a plan's time. */
double map_path_bound(const struct map_problem *p)
{
    double *earliest = xcalloc(p->n * p->n_cores, sizeof *earliest), most = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t b = p->order[i];
        double least = INFINITY;
        for (size_t c = 0; c < p->n_cores; c++) {
            double start = 0;
            for (size_t k = p->in.first[b]; k < p->in.first[b + 1]; k++)
                start = fmax(start, arrives(p, earliest, p->in.at[k], c));
            earliest[b * p->n_cores + c] = start + p->time[b * p->n_cores + c];
            least = fmin(least, earliest[b * p->n_cores + c]);
        }
        most = fmax(most, least);
    }
    free(earliest);
    return most;
}

/* Number of cores on which any block may be. */
static size_t useful_cores(const struct map_problem *p)
{
    size_t n = 0;
    for (size_t c = 0; c < p->n_cores; c++) {
        size_t b = 0;
        while (b < p->n && isinf(p->time[b * p->n_cores + c]))
            b++;
        n += b < p->n;
    }
    return n;
}

/* All of a group is on one core. */
static double group_bound(const struct map_problem *p, double *all)
{
    double most = 0;
    *all = 0;
    for (size_t g = 0; g < p->n_groups; g++) {
        double least = INFINITY;
        for (size_t c = 0; c < p->n_cores; c++) {
            double sum = 0;
            for (size_t k = p->members.first[g]; k < p->members.first[g + 1]; k++)
                sum += p->time[p->members.at[k] * p->n_cores + c];
            least = fmin(least, sum);
        }
        most = fmax(most, least);
        *all += least;
    }
    return most;
}

double map_lower_bound(const struct map_problem *p)
{
    double all, group = group_bound(p, &all), n = (double)useful_cores(p);
    return fmax(map_path_bound(p), fmax(group, n > 0 ? all / n : 0));
}
