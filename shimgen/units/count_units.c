/* count_units.c - compiles, instruments and counts the programs of a build, and writes their table of counts. */
#include "shimgen/units/count_units.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/units/jobs.h"
#include "shimgen/units/room.h"

#define STEP "count"
/* so many failures before the first success are a fault of the tools or the board, not of the programs */
enum { HOPELESS = 40 };

struct preparing {
    const struct units *units;
    const struct board *board;
    const char *work;
    uint64_t tools;
    const struct counting *how;
    bool count;   /* counted programs run here, side by side */
    bool *failed; /* for each unit */
    size_t n_failed, n_done;
};

static enum status count_one(const struct preparing *p, const struct unit *u, struct error *e)
{
    struct runner *place = 0;
    if (!(p->how->again && u->wanted) && unit_is_counted(u))
        return unit_count(u, 0, false, e);
    enum status s = runner_open(&place, p->board, RUN_COUNTED, e);
    if (!s)
        s = unit_count(u, place, p->how->again, e);
    runner_close(place);
    return s;
}

static enum status prepare_one(size_t i, void *context, struct error *e)
{
    const struct preparing *p = context;
    const struct unit *u = &p->units->at[i];
    enum status s = room_check(p->work, 0, e);
    if (!s)
        s = unit_build(u, p->board, p->work, p->tools, p->how->again, e);
    return s || !p->count ? s : count_one(p, u, e);
}

static void prepared_one(size_t i, size_t done, size_t total, void *context)
{
    struct preparing *p = context;
    p->n_done++;
    progress_show(p->count ? "compiling and counting" : "compiling", done, total, p->units->at[i].name);
}

static enum status failed_one(size_t i, enum status s, void *context, struct error *e)
{
    struct preparing *p = context;
    const char *name = p->units->at[i].name;
    if (++p->n_failed >= HOPELESS && !p->n_done)
        return error_context(e, "%s", name);
    p->failed[i] = true;
    enum status left = losses_take(p->how->losses, STEP, name, s, e);
    return left ? error_context(e, "%s", name) : OK;
}

/* Runs on the board itself, one after the other over one connection. */
static enum status count_there(struct preparing *p, struct error *e)
{
    struct runner *own = 0, *place = p->how->place;
    enum status s = OK;
    for (size_t i = 0; !s && i < p->units->n; i++) {
        const struct unit *u = &p->units->at[i];
        progress_show("counting on the board", i, p->units->n, u->name);
        if (p->failed[i] || (!(p->how->again && u->wanted) && unit_is_counted(u)))
            continue;
        if (!place)
            s = runner_open(&own, p->board, RUN_COUNTED, e);
        place = place ? place : own;
        if (s)
            break;
        s = unit_count(u, place, p->how->again, e);
        bool gone = p->board->how == BOARD_SSH && s == ERR_SYSTEM; /* the board fails, not the program */
        if (s && !gone)
            s = failed_one(i, s, p, e);
        else if (s)
            error_context(e, "%s", u->name);
        else
            p->n_done++;
    }
    runner_close(own);
    return s;
}

static bool has_not_failed(const struct unit *u, void *context)
{
    const struct preparing *p = context;
    return !p->failed[u - p->units->at];
}

enum status count_units(struct units *u, const struct board *b, const char *work, uint64_t tools,
                        const struct counting *how, struct error *e)
{
    struct preparing p = {u, b, work, tools, how, runner_is_here(b, RUN_COUNTED), 0, 0, 0};
    const size_t workers = how->jobs > 0 ? (size_t)how->jobs : jobs_processors(), all = u->n;
    p.failed = xcalloc(u->n + 1, sizeof *p.failed);
    enum status s = jobs_try(u->n, workers, prepare_one, prepared_one, failed_one, &p, e);
    if (!s && !p.count)
        s = count_there(&p, e);
    progress_clear();
    if (!s)
        units_filter(u, has_not_failed, &p);
    free(p.failed);
    if (!s && !u->n) {
        char *first = losses_first(how->losses, STEP);
        s = error_set(e, ERR_INPUT, NOWHERE, "none of %zu programs could be compiled and counted; %s", all, first);
        free(first);
    }
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
