#include "shimgen/counting.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/progress.h"
#include "shimgen/compile.h"
#include "shimgen/jobs.h"

struct preparing {
    const struct units *units;
    const struct board *board;
    const char *work;
    uint64_t tools;
    bool again;
    bool count; /* counted programs run here, side by side */
};

static enum status count_one(const struct preparing *p, const struct unit *u, struct error *e)
{
    struct runner *place = 0;
    if (!p->again && unit_is_counted(u))
        return OK;
    enum status s = runner_open(&place, p->board, RUN_COUNTED, e);
    if (!s)
        s = unit_count(u, place, p->again, e);
    runner_close(place);
    return s;
}

static enum status prepare_one(size_t i, void *context, struct error *e)
{
    const struct preparing *p = context;
    const struct unit *u = &p->units->at[i];
    enum status s = unit_build(u, p->board, p->work, p->tools, p->again, e);
    return s || !p->count ? s : count_one(p, u, e);
}

static void prepared_one(size_t i, size_t done, size_t total, void *context)
{
    const struct preparing *p = context;
    progress_show(p->count ? "compiling and counting" : "compiling", done, total, p->units->at[i].name);
}

/* On the board itself, one after the other by one connection. */
static enum status count_there(const struct preparing *p, struct runner *place, struct error *e)
{
    struct runner *own = 0;
    enum status s = OK;
    for (size_t i = 0; !s && i < p->units->n; i++) {
        progress_show("counting on the board", i, p->units->n, p->units->at[i].name);
        if (!p->again && unit_is_counted(&p->units->at[i]))
            continue;
        if (!place)
            s = runner_open(&own, p->board, RUN_COUNTED, e);
        if (!s)
            s = unit_count(&p->units->at[i], place ? place : own, p->again, e);
        place = place ? place : own;
    }
    runner_close(own);
    return s;
}

enum status count_units(const struct units *u, const struct board *b, const char *work, struct runner *place, long jobs,
                        bool again, struct error *e)
{
    struct preparing p = {u, b, work, 0, again, runner_is_here(b, RUN_COUNTED)};
    size_t workers = jobs > 0 ? (size_t)jobs : jobs_processors();
    enum status s = unit_tools_hash(&p.tools, b, work, e);
    if (!s)
        s = jobs_run(u->n, workers, prepare_one, prepared_one, &p, e);
    if (!s && !p.count)
        s = count_there(&p, place, e);
    progress_clear();
    return s;
}

enum status counts_write(const struct units *u, const char *with, const char *path, struct error *e)
{
    struct board_args a = {0};
    char *irprof = resource_program("irprof");
    ARGS_ADD(&a, irprof, "table");
    if (with)
        ARGS_ADD(&a, "--with", with);
    for (size_t i = 0; i < u->n; i++) {
        char *operand = xasprintf("%s=%s", u->at[i].name, u->at[i].profile);
        board_args_add(&a, operand);
        free(operand);
    }
    ARGS_ADD(&a, "-o", path);
    enum status s = compile_run(&a, e);
    free(irprof);
    board_args_release(&a);
    return s;
}
