#include "shimgen/measure.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"

/* What a measurement depends on: the executable and the conditions asked for. */
static enum status settings_hash(uint64_t *hash, const struct unit *u, const struct board *b, struct error *e)
{
    enum status s = file_hash(hash, u->measured, e);
    const double numbers[] = {b->runs, b->cache, b->core, b->source, b->raise_priority, b->clock_hz};
    *hash = hash_bytes(*hash, numbers, sizeof numbers);
    for (size_t i = 0; i < b->n_events; i++)
        *hash = hash_text(*hash, b->events[i].name);
    return s;
}

/* Moves what `from` has of a program into `to`; false when it has nothing. The moved entries are left empty. */
static bool move_program(struct measurements *to, struct measurements *from, const char *program)
{
    bool found = false;
    for (size_t i = 0; from && i < from->rows.n; i++) {
        struct measurement *row = &from->rows.at[i];
        if (!row->program || strcmp(row->program, program) != 0)
            continue;
        vec_push(&to->rows, *row);
        *row = (struct measurement){0};
        found = true;
    }
    for (size_t i = 0; from && i < from->programs.n; i++) {
        struct measured_program *p = &from->programs.at[i];
        if (!p->program || strcmp(p->program, program) != 0)
            continue;
        vec_push(&to->programs, *p);
        *p = (struct measured_program){0};
    }
    return found;
}

static void swap_conditions(struct measurements *a, struct measurements *b)
{
    struct conditions keep = a->conditions;
    a->conditions = b->conditions;
    b->conditions = keep;
}

struct run {
    const struct units *units;
    const struct board *board;
    char *csv, *conditions;
    struct measurements *before; /* of an earlier run; NULL: none */
    struct measurements *now;
    size_t measured; /* units measured this time */
    bool keep_going;
};

static enum status save(struct run *r, struct error *e)
{
    return measurements_write(r->now, r->csv, r->conditions, e);
}

static enum status measure_one(struct run *r, const struct unit *u, struct error *e)
{
    uint64_t settings;
    stamp_clear(u, "measured");
    enum status s = settings_hash(&settings, u, r->board, e);
    if (!s)
        s = board_measure(r->board, u->measured, u->name, 0, r->now, e);
    if (s && s != ERR_CANCELLED && r->keep_going) {
        char *text = error_text(e);
        progress_note("left out: %s: %s", u->name, text);
        free(text);
        error_release(e);
        return OK;
    }
    if (s)
        return error_context(e, "%s", u->name);
    r->measured++;
    s = save(r, e);
    return s ? s : stamp_set(u, "measured", settings, e);
}

/* Takes over what an earlier run has and is still true, before anything new is measured: so every table that is saved
 * from then on holds it. done[i]: unit i needs no measuring. */
static enum status keep_fresh(struct run *r, bool *done, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; !s && r->before && i < r->units->n; i++) {
        const struct unit *u = &r->units->at[i];
        uint64_t settings;
        s = settings_hash(&settings, u, r->board, e);
        done[i] = !s && stamp_fresh(u, "measured", settings) && move_program(r->now, r->before, u->name);
    }
    if (!s && r->before)
        swap_conditions(r->now, r->before);
    return s;
}

static void sort_by_unit(struct run *r)
{
    struct measurements *sorted = measurements_new();
    for (size_t i = 0; i < r->units->n; i++)
        move_program(sorted, r->now, r->units->at[i].name);
    swap_conditions(sorted, r->now);
    measurements_free(r->now);
    r->now = sorted;
}

static char *today(void)
{
    char text[32];
    time_t now = time(0);
    struct tm tm;
    strftime(text, sizeof text, "%Y-%m-%d", gmtime_r(&now, &tm));
    return xstrdup(text);
}

static enum status measure_all(struct run *r, const struct findings *findings, bool again, struct error *e)
{
    bool *done = xcalloc(r->units->n, sizeof *done);
    enum status s = again ? OK : keep_fresh(r, done, e);
    for (size_t i = 0; !s && i < r->units->n; i++) {
        progress_show("measuring", i, r->units->n, r->units->at[i].name);
        if (!done[i])
            s = measure_one(r, &r->units->at[i], e);
    }
    free(done);
    if (s) {
        progress_clear();
        return s;
    }
    progress_show("measuring", r->units->n, r->units->n, "");
    sort_by_unit(r);
    if (r->measured) {
        struct board_machine machine;
        board_detect(&machine, r->board, "");
        char *date = today();
        measurements_describe(r->now, r->board, &machine, findings, date);
        free(date);
        board_machine_release(&machine);
    }
    return save(r, e);
}

enum status measure_units(struct measurements **out, const struct units *u, const struct board *b, const char *work,
                          const struct findings *findings, bool again, bool keep_going, struct error *e)
{
    struct run r = {.units = u, .board = b, .now = measurements_new(), .keep_going = keep_going};
    r.csv = path_join(work, "measurements.csv");
    r.conditions = path_join(work, "conditions.json");
    enum status s = OK;
    if (file_exists(r.csv))
        s = measurements_read(&r.before, r.csv, r.conditions, e);
    if (!s)
        s = measure_all(&r, findings, again, e);
    measurements_free(r.before);
    free(r.csv);
    free(r.conditions);
    if (s)
        measurements_free(r.now);
    else
        *out = r.now;
    return s;
}
