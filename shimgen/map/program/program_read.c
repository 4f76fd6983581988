/* program_read.c - makes a graph from a profile, a SHIM file and the model's sources. */
#include <stdlib.h>

#include "base/file.h"
#include "shimgen/blocks/cores.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/map/program/program_graph.h"
#include "shimgen/map/program/program_traffic.h"

static enum status graph(struct map_graph *out, const struct map_program_files *f, struct blocks *const *rate,
                         const struct map_rates *rates, const struct trust *trust, const struct irprof_profile *traffic,
                         struct error *e)
{
    const struct blocks *b = rate[0];
    struct board_args given = {0};
    struct map_ir ir = {0};
    enum status s = OK;
    args_add_words(&given, f->ir);
    if (!f->ir)
        s = map_ir_make(&ir, b, f->flags, e);
    const struct map_program p = {.blocks = b,
                                  .rate = (const struct blocks *const *)rate,
                                  .rates = rates,
                                  .inside = f->inside,
                                  .ir = (const char *const *)(f->ir ? given.at : ir.paths),
                                  .one_kind = f->board != 0,
                                  .trust = trust,
                                  .traffic = traffic,
                                  .emit = f->emit,
                                  .split = f->split};
    if (!s && f->emit)
        s = make_directories(f->emit, e);
    if (!s)
        s = map_graph_of_program(out, &p, e);
    for (size_t i = 0; i < b->notes.n; i++)
        vec_push(&out->notes, xstrdup(b->notes.at[i]));
    board_args_release(&given);
    map_ir_release(&ir);
    return s;
}

/* Reads the blocks of each rate, and makes a graph of them. */
static enum status of_rates(struct map_graph *out, const struct map_program_files *f,
                            const struct blocks_request *request, struct map_rates *rates, const struct trust *trust,
                            struct error *e)
{
    size_t n = rates->at.n;
    struct blocks **rate = xcalloc(n, sizeof(struct blocks *));
    struct blocks_request *q = xcalloc(n, sizeof *q);
    struct irprof_profile *other = 0;
    enum status s = f->traffic ? irprof_read(&other, f->traffic, e) : OK;
    if (!s && other)
        s = traffic_same_sources(request->profile, other, e);
    for (size_t i = 0; i < n && !s; i++) {
        q[i] = *request;
        q[i].step = rates->at.at[i].step;
        s = blocks_make(&rate[i], &q[i], e);
        if (!s && !q[i].step && rate[i]->step)
            rates->at.at[i].step = xstrndup(rate[i]->step->name, rate[i]->step->n_function);
    }
    if (!s)
        s = graph(out, f, rate, rates, trust, other ? other : request->profile->traffic ? request->profile : 0, e);
    for (size_t i = 0; i < n; i++)
        blocks_free(rate[i]);
    irprof_free(other);
    free(rate);
    free(q);
    return s;
}

static enum status of_profile(struct map_graph *out, const struct map_program_files *f, const struct irprof_profile *p,
                              const struct blocks_cores *cores, struct error *e)
{
    const struct blocks_request q = {.profile = p,
                                     .region = p->n_regions - 1,
                                     .cores = cores->at,
                                     .n_cores = cores->n,
                                     .method = estimator_choose(f->method, cores->at),
                                     .board = f->board,
                                     .folder = f->sources,
                                     .changed_sources = f->changed_sources};
    struct map_rates one = {0};
    struct trust trust;
    if (f->board)
        trust_of_board(&trust, f->board, NULL);
    else
        trust_of_shim(&trust, cores->at, q.method, f->shim);
    vec_push(&one.at, (struct map_rate){f->step ? xstrdup(f->step) : 0, 1});
    enum status s = of_rates(out, f, &q, f->rates && f->rates->at.n ? f->rates : &one, &trust, e);
    map_rates_release(&one);
    trust_release(&trust);
    return s;
}

enum status map_program_read(struct map_graph *out, const struct map_program_files *f, struct error *e)
{
    struct blocks_cores cores = {0};
    struct irprof_profile *p = 0;
    *out = (struct map_graph){0};
    enum status s = f->board ? blocks_cores_of_board(&cores, f->board, e)
                             : blocks_cores_read(&cores, f->shim, f->core ? f->core : "all", f->method, e);
    if (!s)
        s = irprof_read(&p, f->profile, e);
    if (!s)
        s = of_profile(out, f, p, &cores, e);
    irprof_free(p);
    blocks_cores_release(&cores);
    return s;
}
