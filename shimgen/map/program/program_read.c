/* program_read.c - a graph from a profile, a SHIM file and the model's sources. */
#include <stdlib.h>

#include "shimgen/blocks/cores.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/map/program/program_graph.h"
#include "shimgen/map/program/program_traffic.h"

static enum status graph(struct map_graph *out, const struct map_program_files *f, const struct blocks *b,
                         const struct trust *trust, const struct irprof_profile *traffic, struct error *e)
{
    struct board_args given = {0};
    struct map_ir ir = {0};
    enum status s = OK;
    args_add_words(&given, f->ir);
    if (!f->ir)
        s = map_ir_make(&ir, b, f->flags, e);
    const struct map_program p = {b, (const char *const *)(f->ir ? given.at : ir.paths), f->board != 0, trust, traffic};
    if (!s)
        s = map_graph_of_program(out, &p, e);
    for (size_t i = 0; i < b->notes.n; i++)
        vec_push(&out->notes, xstrdup(b->notes.at[i]));
    board_args_release(&given);
    map_ir_release(&ir);
    return s;
}

static enum status of_profile(struct map_graph *out, const struct map_program_files *f, const struct irprof_profile *p,
                              const struct blocks_cores *cores, struct error *e)
{
    struct blocks_request q = {.profile = p,
                               .region = p->n_regions - 1,
                               .cores = cores->at,
                               .n_cores = cores->n,
                               .method = estimator_choose(f->method, cores->at),
                               .board = f->board,
                               .step = f->step,
                               .folder = f->sources,
                               .changed_sources = f->changed_sources};
    struct blocks *b = 0;
    struct irprof_profile *other = 0;
    struct trust trust;
    if (f->board)
        trust_of_board(&trust, f->board);
    else
        trust_of_shim(&trust, cores->at, q.method, f->shim);
    enum status s = blocks_make(&b, &q, e);
    if (!s && f->traffic)
        s = irprof_read(&other, f->traffic, e);
    if (!s && other)
        s = traffic_same_sources(p, other, e);
    if (!s)
        s = graph(out, f, b, &trust, other ? other : p->traffic ? p : 0, e);
    irprof_free(other);
    blocks_free(b);
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
