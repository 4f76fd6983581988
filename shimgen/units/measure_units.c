/* measure_units.c - measures a build's programs on the board, and keeps results that are up to date. */
#include "shimgen/units/measure_units.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/str.h"
#include "shimgen/units/jobs.h"
#include "shimgen/units/room.h"

/* A simulator is part of what is measured: its data file, plugin and emulator. */
static enum status simulator_hash(uint64_t *hash, const struct board *b, struct error *e)
{
    char *plugin = resource_lib("shimgen-iss.so"), *emulator = proc_find(b->emulator);
    const char *const files[] = {plugin, b->model, emulator};
    enum status s = OK;
    for (size_t i = 0; !s && i < sizeof files / sizeof *files && files[i]; i++) {
        uint64_t content = 0;
        s = file_hash(&content, files[i], e);
        *hash = hash_bytes(*hash, &content, sizeof content);
    }
    *hash = hash_text(*hash, b->emulator_cpu);
    free(emulator);
    free(plugin);
    return s;
}

enum status measure_place_hash(uint64_t *hash, const struct board *b, struct error *e)
{
    const double numbers[] = {b->how,      b->runs,      b->cache,     b->core, b->source, b->raise_priority,
                              b->clock_hz, b->precision, b->least_runs};
    *hash = hash_bytes(HASH_START, numbers, sizeof numbers);
    *hash = hash_text(*hash, b->ssh);
    for (size_t i = 0; b->part.command[i]; i++)
        *hash = hash_text(*hash, b->part.command[i]);
    for (size_t i = 0; i < b->n_events; i++)
        *hash = hash_text(hash_text(*hash, b->events[i].name), b->events[i].spec);
    return b->how == BOARD_SIMULATOR ? simulator_hash(hash, b, e) : OK;
}

/* Moves a program's entries from `from` to `to`; those in `from` are left empty. Returns false if there are none. */
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
    const struct measuring *how;
    char *csv, *conditions;
    uint64_t places[2];          /* measure_place_hash of the board's settings and of better ones, which may be equal */
    struct measurements *before; /* of an earlier run; NULL: none */
    struct measurements *now;
    bool *done;       /* for each unit: needs no measuring any more */
    bool *once;       /* for each unit: needs measuring, and its main cannot run twice */
    size_t *wanted;   /* units to be measured side by side */
    size_t n_wanted;  /* their number */
    size_t measured;  /* units measured in this run */
    size_t failed;    /* units left out in this run */
    struct error bad; /* about a table that a worker wrote */
};

static enum status settings_hash(uint64_t *hash, uint64_t place, const struct unit *u, struct error *e)
{
    enum status s = unit_run_hash(hash, u, u->measured, e);
    *hash = hash_bytes(*hash, &place, sizeof place);
    return s;
}

/* The unit's measurements, so that a table that was changed or damaged is noticed. */
static struct stamp_made rows_of(const struct measurements *m, const struct unit *u)
{
    struct stamp_made rows = {.name = "measurements", .hash = HASH_START};
    for (size_t i = 0; m && i < m->rows.n; i++) {
        const struct measurement *row = &m->rows.at[i];
        if (!row->program || strcmp(row->program, u->name) != 0)
            continue;
        char *value = format_double(row->value), *spread = format_double(row->stddev);
        char *text = xasprintf("%s\n%s\n%s\n%s\n%u\n", row->region, row->event, value, spread, row->runs);
        rows.hash = hash_text(rows.hash, text);
        rows.there = true;
        free(text);
        free(spread);
        free(value);
    }
    return rows;
}

static char *measured_stamp(const struct unit *u)
{
    return path_join(u->folder, "measured.stamp");
}

/* Does the stamp say that the unit was measured with these settings, or with better ones? */
static enum stamp_state state_of(const struct run *r, const struct unit *u)
{
    struct error ignored = ERROR_INIT;
    enum stamp_state state = STAMP_STALE;
    const struct stamp_made rows = rows_of(r->before, u);
    char *stamp = measured_stamp(u);
    for (size_t i = 0; i < 2 && state == STAMP_STALE; i++) {
        uint64_t settings;
        if (settings_hash(&settings, r->places[i], u, &ignored) == OK)
            state = stamp_check(stamp, settings, &rows, 1, 0);
    }
    free(stamp);
    error_release(&ignored);
    return state;
}

static enum status set_stamp(const struct run *r, const struct unit *u, struct error *e)
{
    uint64_t settings;
    const struct stamp_made rows = rows_of(r->now, u);
    char *stamp = measured_stamp(u);
    enum status s = settings_hash(&settings, r->places[0], u, e);
    if (!s)
        s = stamp_write(stamp, settings, &rows, 1, e);
    free(stamp);
    return s;
}

static enum status find_places(struct run *r, struct error *e)
{
    enum status s = measure_place_hash(&r->places[0], r->board, e);
    return s ? s : measure_place_hash(&r->places[1], r->how->better ? r->how->better : r->board, e);
}

/* Saves the table, with rows of programs that are not in this run. */
static enum status save(struct run *r, struct error *e)
{
    struct measurements all = *r->now;
    memset(&all.rows, 0, sizeof all.rows);
    memset(&all.programs, 0, sizeof all.programs);
    struct measurements *const parts[] = {r->now, r->before};
    for (size_t k = 0; k < 2 && parts[k]; k++) {
        for (size_t i = 0; i < parts[k]->rows.n; i++)
            if (parts[k]->rows.at[i].program)
                vec_push(&all.rows, parts[k]->rows.at[i]);
        for (size_t i = 0; i < parts[k]->programs.n; i++)
            if (parts[k]->programs.at[i].program)
                vec_push(&all.programs, parts[k]->programs.at[i]);
    }
    enum status s = measurements_write(&all, r->csv, r->conditions, e);
    vec_release(&all.rows);
    vec_release(&all.programs);
    return s;
}

/* so many failures before the first success are a fault of the board, not of the programs */
enum { HOPELESS = 40 };

/* After a failure. Returns OK if the others are to continue. */
static enum status failed(struct run *r, const struct unit *u, enum status s, struct error *e)
{
    bool gone = r->board->how == BOARD_SSH && s == ERR_SYSTEM; /* the board fails, not the program */
    bool hopeless = ++r->failed >= HOPELESS && !r->measured;
    if (!r->how->losses || gone || hopeless)
        return error_context(e, "%s", u->name);
    enum status left = losses_take(r->how->losses, r->how->step, u->name, s, e);
    return left ? error_context(e, "%s", u->name) : OK;
}

/* The unit's measurement is in r->now, so it counts as done. */
static enum status finish_unit(struct run *r, const struct unit *u, struct error *e)
{
    r->measured++;
    enum status s = save(r, e);
    if (!s)
        s = set_stamp(r, u, e);
    return s ? s : unit_remove_program(u->measured, e);
}

/* If the counts are from a single run of main, cold caches are measured too. The board's settings are for the
 * others. */
static enum status measure_unit(const struct run *r, struct runner *place, size_t i, struct measurements *m,
                                struct error *e)
{
    const struct unit *u = &r->units->at[i];
    struct board b = *r->board;
    enum status s = room_check(u->folder, 0, e);
    if (s)
        return s;
    if (r->once[i])
        b.cache = BOARD_COLD;
    const char *const *arguments = u->sample ? (const char *const *)u->sample->arguments : 0;
    s = place ? board_measure_at(place, &b, u->measured, u->name, arguments, m, e)
              : board_measure(&b, u->measured, u->name, arguments, m, e);
    if (!s && r->once[i]) {
        free(m->conditions.cache);
        m->conditions.cache = xstrdup("warm");
    }
    return s;
}

/* Finds these programs, and prints a line about them. */
static void find_once(struct run *r)
{
    enum { NAMED = 5 };
    size_t n = 0;
    struct str names = STR_INIT;
    for (size_t i = 0; i < r->units->n && r->board->cache == BOARD_WARM; i++) {
        r->once[i] = !r->done[i] && unit_ran_once(&r->units->at[i]);
        if (r->once[i] && n++ < NAMED)
            str_addf(&names, "%s%s", n > 1 ? ", " : "", r->units->at[i].name);
    }
    if (n)
        progress_note("%zu program%s whose main cannot run twice %s counted and measured in one run, with cold caches: "
                      "%s%s; its manifest or 'irprof report' of its profile says why",
                      n, n == 1 ? "" : "s", n == 1 ? "is" : "are", str_text(&names), n > NAMED ? ", ..." : "");
    str_release(&names);
}

/* ---- one after the other ---- */

static enum status measure_one(struct run *r, struct runner *place, size_t i, struct error *e)
{
    const struct unit *u = &r->units->at[i];
    step_undone(u->folder, "measured");
    enum status s = measure_unit(r, place, i, r->now, e);
    return s ? failed(r, u, s, e) : finish_unit(r, u, e);
}

static enum status measure_in_turn(struct run *r, struct error *e)
{
    struct runner *own = 0, *place = r->how->place;
    enum status s = OK;
    size_t turn = 0;
    for (size_t i = 0; !s && i < r->units->n; i++) {
        if (r->done[i])
            continue;
        progress_show("measuring", turn++, r->n_wanted, r->units->at[i].name);
        if (!place) {
            s = runner_open(&own, r->board, RUN_MEASURED, e);
            place = own;
        }
        if (!s)
            s = measure_one(r, place, i, e);
    }
    runner_close(own);
    return s;
}

/* ---- side by side: each worker writes a table of its unit, which is taken over here ---- */

static char *own_table(const struct unit *u)
{
    return path_join(u->folder, "measured.csv");
}

static char *own_conditions(const struct unit *u)
{
    return path_join(u->folder, "measured.json");
}

static enum status measure_apart(size_t i, void *context, struct error *e)
{
    const struct run *r = context;
    const struct unit *u = &r->units->at[r->wanted[i]];
    char *csv = own_table(u), *conditions = own_conditions(u);
    struct measurements *m = measurements_new();
    step_undone(u->folder, "measured");
    enum status s = remove_tree(csv, e);
    if (!s)
        s = measure_unit(r, 0, r->wanted[i], m, e);
    if (!s)
        s = measurements_write(m, csv, conditions, e);
    measurements_free(m);
    free(conditions);
    free(csv);
    return s;
}

static enum status failed_apart(size_t i, enum status s, void *context, struct error *e)
{
    struct run *r = context;
    return failed(r, &r->units->at[r->wanted[i]], s, e);
}

static enum status take_table(struct run *r, const struct unit *u, struct error *e)
{
    char *csv = own_table(u), *conditions = own_conditions(u);
    struct measurements *m = 0;
    enum status s = measurements_read(&m, csv, conditions, e);
    if (m) {
        move_program(r->now, m, u->name);
        if (!r->now->conditions.cycle_event || !*r->now->conditions.cycle_event)
            swap_conditions(r->now, m);
        s = finish_unit(r, u, e);
    }
    unlink(csv);
    unlink(conditions);
    measurements_free(m);
    free(conditions);
    free(csv);
    return s;
}

static void measured_apart(size_t i, size_t done, size_t total, void *context)
{
    struct run *r = context;
    const struct unit *u = &r->units->at[r->wanted[i]];
    progress_show("measuring", done, total, u->name);
    if (!r->bad.message)
        (void)!take_table(r, u, &r->bad);
}

static enum status measure_side_by_side(struct run *r, struct error *e)
{
    size_t n = 0;
    r->wanted = xcalloc(r->units->n, sizeof *r->wanted);
    for (size_t i = 0; i < r->units->n; i++)
        if (!r->done[i])
            r->wanted[n++] = i;
    enum status s = jobs_try(n, r->how->workers, measure_apart, measured_apart, failed_apart, r, e);
    if (!s && r->bad.message)
        s = error_set(e, r->bad.status, AT(r->bad.file, r->bad.line), "%s", r->bad.message);
    error_release(&r->bad);
    free(r->wanted);
    return s;
}

/* ---- everything together ---- */

static bool is_kept(const struct run *r, const struct unit *u)
{
    return !(r->how->again && u->wanted) && state_of(r, u) == STAMP_FRESH;
}

/* Takes over what is still valid from an earlier run, before anything is measured, so every table that is saved
 * contains it. The rest is dropped. */
static enum status keep_fresh(struct run *r, struct error *e)
{
    struct measurements *stale = measurements_new();
    enum status s = OK;
    r->n_wanted = r->units->n;
    for (size_t i = 0; !s && r->before && i < r->units->n; i++) {
        const struct unit *u = &r->units->at[i];
        bool fresh = is_kept(r, u);
        if (!fresh && !r->how->again && state_of(r, u) == STAMP_DAMAGED)
            progress_note(
                "%s: the rows of %s were changed or damaged since they were measured; they are measured again", r->csv,
                u->name);
        r->done[i] = move_program(fresh ? r->now : stale, r->before, u->name) && fresh;
        r->n_wanted -= r->done[i];
        if (r->done[i] && file_exists(u->measured))
            s = unit_remove_program(u->measured, e);
    }
    measurements_free(stale);
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

/* Describes the machine as it is where the programs ran. */
static void describe(struct run *r, const struct findings *findings)
{
    struct board_machine machine;
    struct runner *own = 0;
    struct error ignored = ERROR_INIT;
    const struct runner *place = r->how->place;
    if (!place && runner_open(&own, r->board, RUN_MEASURED, &ignored) == OK)
        place = own;
    board_detect(&machine, r->board, place ? runner_root(place) : "");
    char *date = today();
    measurements_describe(r->now, r->board, &machine, findings, date);
    free(date);
    board_machine_release(&machine);
    runner_close(own);
    error_release(&ignored);
}

static enum status none_measured(const struct run *r, struct error *e)
{
    char *first = losses_first(r->how->losses, r->how->step);
    enum status s = error_set(e, ERR_INPUT, NOWHERE, "none of %zu programs could be measured; %s", r->units->n, first);
    free(first);
    return s;
}

static enum status measure_all(struct run *r, const struct findings *findings, struct error *e)
{
    r->done = xcalloc(r->units->n, sizeof *r->done);
    r->once = xcalloc(r->units->n, sizeof *r->once);
    enum status s = find_places(r, e);
    if (!s)
        s = keep_fresh(r, e);
    if (!s)
        find_once(r);
    bool apart = !r->how->place && r->how->workers > 1 && runner_parallel(r->board, RUN_MEASURED);
    if (!s)
        s = apart ? measure_side_by_side(r, e) : measure_in_turn(r, e);
    free(r->done);
    free(r->once);
    if (s) {
        progress_clear();
        return s;
    }
    progress_clear();
    sort_by_unit(r);
    if (!r->now->rows.n)
        return none_measured(r, e);
    if (r->measured)
        describe(r, findings);
    return save(r, e);
}

/* What cannot be read is measured again. */
static void read_before(struct run *r)
{
    struct error e = ERROR_INIT;
    enum status s = file_exists(r->conditions)
                        ? measurements_resume(&r->before, r->csv, r->conditions, &e)
                        : error_set(&e, ERR_INPUT, AT_FILE(r->conditions), "this file is not there any more");
    if (s) {
        char *text = error_text(&e);
        progress_note("%s; everything is measured again", text);
        free(text);
        r->before = 0;
    }
    error_release(&e);
}

static bool has_program(const struct measurements *m, const char *program)
{
    for (size_t i = 0; i < m->rows.n; i++)
        if (m->rows.at[i].program && strcmp(m->rows.at[i].program, program) == 0)
            return true;
    return false;
}

enum status measure_known(struct units *u, const struct board *b, const char *work, const struct measuring *how,
                          struct error *e)
{
    struct run r = {.units = u, .board = b, .how = how};
    r.csv = path_join(work, "measurements.csv");
    r.conditions = path_join(work, "conditions.json");
    enum status s = OK;
    if (file_exists(r.csv) && !(s = find_places(&r, e)))
        read_before(&r);
    for (size_t i = 0; !s && r.before && i < u->n; i++)
        u->at[i].is_measured = is_kept(&r, &u->at[i]) && has_program(r.before, u->at[i].name);
    measurements_free(r.before);
    free(r.conditions);
    free(r.csv);
    return s;
}

/* Replaces an earlier run's rows of these programs; its other rows stay. */
static enum status adopt_rows(struct run *r, struct units *u, struct measurements *table, struct error *e)
{
    struct measurements *stale = measurements_new();
    r->done = xcalloc(u->n, sizeof *r->done);
    for (size_t i = 0; i < u->n; i++) {
        r->done[i] = move_program(r->now, table, u->at[i].name);
        if (r->done[i])
            move_program(stale, r->before, u->at[i].name);
    }
    measurements_free(stale);
    swap_conditions(r->now, table);
    enum status s = save(r, e);
    for (size_t i = 0; !s && i < u->n; i++) {
        if (!r->done[i])
            continue;
        s = set_stamp(r, &u->at[i], e);
        u->at[i].is_measured = !s;
    }
    free(r->done);
    return s;
}

enum status measure_adopt(struct units *u, struct measurements *table, const struct board *b, const char *work,
                          struct error *e)
{
    const struct measuring how = {0};
    struct run r = {.units = u, .board = b, .how = &how, .now = measurements_new()};
    r.csv = path_join(work, "measurements.csv");
    r.conditions = path_join(work, "conditions.json");
    if (file_exists(r.csv))
        read_before(&r);
    enum status s = find_places(&r, e);
    if (!s)
        s = adopt_rows(&r, u, table, e);
    measurements_free(r.before);
    measurements_free(r.now);
    free(r.csv);
    free(r.conditions);
    return s;
}

enum status measure_units(struct measurements **out, const struct units *u, const struct board *b, const char *work,
                          const struct findings *findings, const struct measuring *how, struct error *e)
{
    struct run r = {.units = u, .board = b, .how = how, .now = measurements_new(), .bad = ERROR_INIT};
    r.csv = path_join(work, "measurements.csv");
    r.conditions = path_join(work, "conditions.json");
    if (file_exists(r.csv))
        read_before(&r);
    enum status s = measure_all(&r, findings, e);
    measurements_free(r.before);
    free(r.csv);
    free(r.conditions);
    if (s)
        measurements_free(r.now);
    else
        *out = r.now;
    return s;
}
