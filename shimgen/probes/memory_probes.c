/* memory_probes.c - the build step that measures memory accesses, and messages between cores. */
#include "shimgen/probes/memory_probes.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"
#include "boards/memory/memory.h"
#include "shim-xml/shimxml.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/units/unit.h"

enum {
    RUNS = 12, /* of each probe; a run takes some tenths of a second */
    /* up to so many cores, every core sends to every other; with more, only the first measured one sends */
    PAIR_CORES = 8,
    LINE = 64 /* if the skeleton does not tell */
};
#define BUDGET_S 10
#define STEP     "memory"

struct probing {
    struct board board; /* a copy of the user's board, with the settings that the probes need; borrows its texts */
    char *folder;       /* <work>/memory: the probes and their stamp */
    const char *work;
    struct runner *place; /* a connection to the board; NULL: each probe opens one */
    char *access, *pair;
    struct shimxml_system *system;
    struct board_args access_arguments; /* "64" "idle" "L1=49152" ... */
    size_t last_level;                  /* [bytes] */
    size_t first;                       /* the unit that is measured first, by index in `system` */
    size_t done;                        /* number of probes that were run */
    struct memory_table table;
    struct losses *losses;
    bool is_part; /* a core was left out */
    struct error *e;
};

/* ---- caches of the board ---- */

static enum status read_system(struct probing *p)
{
    struct shimxml_doc *d = 0;
    const struct shimxml_machine machine = {.name = p->board.name, .clock_hz = p->board.clock_hz};
    enum status s = *p->board.skeleton ? shimxml_read(&d, p->board.skeleton, p->e) : shimxml_new(&d, &machine, p->e);
    if (!s)
        s = shimxml_system(&p->system, d, p->e);
    shimxml_free(d);
    return s;
}

static bool is_unit(const struct shimxml_system *s, size_t core)
{
    return strcmp(s->cores[core].type, "PU") == 0;
}

/* The unit that is the board's core, else the first one. */
static enum status find_first(struct probing *p)
{
    const struct shimxml_system *s = p->system;
    size_t i = 0;
    for (p->first = s->n_cores; i < s->n_cores; i++)
        if (is_unit(s, i) && (p->first == s->n_cores || (p->board.core >= 0 && s->cores[i].pid == p->board.core)))
            p->first = i;
    return p->first < s->n_cores ? OK
                                 : error_set(p->e, ERR_INPUT, AT_FILE(p->board.skeleton),
                                             "there is no processing unit (MasterComponent of masterType PU)");
}

/* The data caches on the path of a core's accesses, innermost first. A cache of unknown size ends the list. */
static void find_levels(struct probing *p, size_t core)
{
    const struct shimxml_cache *c = 0;
    double before = 0;
    long line = 0;
    board_args_release(&p->access_arguments);
    ARGS_ADD(&p->access_arguments, "", "idle");
    while ((c = shimxml_next_cache(p->system, core, c)) && c->bytes > before && c->level <= 5) {
        char *level = xasprintf("L%d=%.0f", c->level, c->bytes);
        board_args_add(&p->access_arguments, level);
        free(level);
        before = c->bytes;
        line = c->line > line ? c->line : line;
    }
    p->last_level = (size_t)before;
    free(p->access_arguments.at[0]);
    p->access_arguments.at[0] = xasprintf("%ld", line ? line : LINE);
}

/* ---- the probes ---- */

static enum status compile_probe(const struct probing *p, const char *name, const char *out)
{
    struct board_args a = {0};
    char *folder = resource_share("memory"), *source = xasprintf("%s/%s.c", folder, name),
         *others = path_join(folder, "others.c");
    ARGS_ADD(&a, p->board.compiler);
    board_compile_flags(&p->board, p->board.levels[0].name, &a);
    ARGS_ADD(&a, "-O2", "-std=c17", "-D_GNU_SOURCE", source, others, "-o", out);
    enum status s = board_link_flags(&p->board, p->work, &a, p->e);
    if (!s)
        s = compile_run(&a, p->e);
    board_args_release(&a);
    free(folder);
    free(source);
    free(others);
    return s;
}

static enum status settings_hash(const struct probing *p, uint64_t *hash)
{
    uint64_t pair = 0;
    enum status s = file_hash(hash, p->access, p->e);
    if (!s)
        s = file_hash(&pair, p->pair, p->e);
    const double numbers[] = {p->board.core, p->board.source,         p->board.runs,
                              p->board.how,  p->board.raise_priority, (double)p->last_level};
    *hash = hash_bytes(hash_bytes(*hash, &pair, sizeof pair), numbers, sizeof numbers);
    for (size_t i = 0; i < p->access_arguments.n; i++)
        *hash = hash_text(*hash, p->access_arguments.at[i]);
    *hash = hash_text(*hash, p->board.ssh);
    char *plugin = resource_lib("shimgen-iss.so");
    const char *const simulator[] = {p->board.model, plugin};
    for (size_t i = 0; !s && p->board.how == BOARD_SIMULATOR && i < 2; i++) {
        uint64_t content = 0;
        s = file_hash(&content, simulator[i], p->e);
        *hash = hash_bytes(*hash, &content, sizeof content);
    }
    free(plugin);
    return s;
}

/* ---- measuring ---- */

static bool has_other_cores(const struct probing *p)
{
    return p->board.how != BOARD_SIMULATOR;
}

static enum status run(struct probing *p, const char *probe, const char *program, const char *const *arguments,
                       struct measurements *m)
{
    progress_show("measuring memory", p->done++, 0, program);
    return p->place ? board_measure_at(p->place, &p->board, probe, program, arguments, m, p->e)
                    : board_measure(&p->board, probe, program, arguments, m, p->e);
}

static enum status run_access(struct probing *p, const char *program, const char *state, struct measurements *m)
{
    free(p->access_arguments.at[1]);
    p->access_arguments.at[1] = xstrdup(state);
    return run(p, p->access, program, (const char *const *)p->access_arguments.at, m);
}

static enum status run_pair(struct probing *p, const char *program, const char *state, struct measurements *m)
{
    char *bytes = xasprintf("%zu", p->last_level / p->system->n_cores + ((size_t)4 << 20));
    const char *const arguments[] = {state, bytes, 0};
    enum status s = run(p, p->pair, program, arguments, m);
    free(bytes);
    return s;
}

static enum status run_pairs(struct probing *p, struct measurements *m)
{
    enum status s = run_pair(p, MEMORY_PAIR_IDLE, "idle", m);
    return s ? s : run_pair(p, MEMORY_PAIR_BUSY, "busy", m);
}

/* The core by the system's number. A simulated board has no number for the core that it times, so it is its pid in the
 * skeleton. */
static int core_of(const struct probing *p, const struct measurements *m)
{
    long pid = p->system->cores[p->first].pid;
    return m->conditions.core >= 0 ? m->conditions.core : pid >= 0 ? (int)pid : 0;
}

/* Keeps the measurements beside the probes, for whoever wants to look at them. */
static enum status take(struct probing *p, const struct measurements *m)
{
    char *name = xasprintf("%s/core-%d.csv", p->folder, core_of(p, m));
    enum status s = measurements_write(m, name, 0, p->e);
    if (!s)
        s = memory_evaluate(&p->table, m, core_of(p, m), p->e);
    free(name);
    return s;
}

static enum status measure_core(struct probing *p, int core, bool accesses, bool messages, int *measured)
{
    struct measurements *m = measurements_new();
    enum status s = OK;
    p->board.core = core;
    if (accesses)
        s = run_access(p, MEMORY_ACCESS_IDLE, "idle", m);
    if (!s && accesses && has_other_cores(p))
        s = run_access(p, MEMORY_ACCESS_BUSY, "busy", m);
    if (!s && messages)
        s = run_pairs(p, m);
    if (!s)
        s = take(p, m);
    if (!s && measured)
        *measured = core_of(p, m);
    measurements_free(m);
    return s;
}

/* Is it the first core of its kind? */
static bool is_new_kind(const struct probing *p, size_t core)
{
    bool known = shimxml_same_kind(p->system, core, p->first);
    for (size_t i = 0; i < core && !known; i++)
        known = is_unit(p->system, i) && shimxml_same_kind(p->system, core, i);
    return !known;
}

/* Measures a core other than the first. If that fails, the others' values are still valid. */
static enum status measure_other(struct probing *p, size_t i, bool accesses, bool messages)
{
    find_levels(p, i);
    enum status s = measure_core(p, (int)p->system->cores[i].pid, accesses, messages, 0);
    char *what = xasprintf("memory as core %ld sees it", p->system->cores[i].pid);
    p->is_part |= s != OK;
    s = losses_take(p->losses, STEP, what, s, p->e);
    free(what);
    return s;
}

/* Measures a core of every kind, and, if there are few cores, every pair. Cores are identified by their pid. */
static enum status measure_cores(struct probing *p)
{
    const struct shimxml_system *s = p->system;
    int first;
    size_t units = 0;
    enum status status = measure_core(p, p->board.core, true, has_other_cores(p), &first);
    for (size_t i = 0; i < s->n_cores; i++)
        units += is_unit(s, i);
    for (size_t i = 0; !status && i < s->n_cores && has_other_cores(p); i++) {
        bool accesses = is_new_kind(p, i), messages = units <= PAIR_CORES;
        if (!is_unit(s, i) || s->cores[i].pid < 0 || s->cores[i].pid == first || !(accesses || messages))
            continue;
        status = measure_other(p, i, accesses, messages);
    }
    return status;
}

static enum status measure(struct probing *p, const struct outputs *o)
{
    uint64_t settings;
    enum status s = settings_hash(p, &settings);
    step_undone(p->folder, STEP);
    if (!s)
        s = measure_cores(p);
    progress_clear();
    for (size_t i = 0; !s && i < p->table.notes.n; i++)
        progress_note("memory: %s", p->table.notes.at[i]);
    if (!s)
        s = memory_write(&p->table, o->memory, p->e);
    return s || p->is_part ? s : step_done(p->folder, STEP, settings, (const char *const[]){o->memory, 0}, p->e);
}

static enum status prepare(struct probing *p)
{
    enum status s = make_directories(p->folder, p->e);
    if (!s)
        s = read_system(p);
    if (!s)
        s = find_first(p);
    if (s)
        return s;
    find_levels(p, p->first);
    s = compile_probe(p, "access", p->access);
    return s ? s : compile_probe(p, "pair", p->pair);
}

enum status memory_measure(const struct board *b, struct runner *place, const struct outputs *o, bool again,
                           struct losses *losses, struct error *e)
{
    if (b->how == BOARD_IMPORT || b->how == BOARD_COMMAND)
        return OK;
    struct probing p = {.board = *b, .work = o->work, .place = place, .losses = losses, .e = e};
    uint64_t settings;
    p.board.runs = b->runs < RUNS ? b->runs : RUNS;
    p.board.extra_runs = b->extra_runs < RUNS ? b->extra_runs : RUNS;
    p.board.budget_s = BUDGET_S;
    p.board.precision = 0;      /* a fixed number of runs is enough */
    p.board.cache = BOARD_WARM; /* the probes themselves bring into a cache what is to be there */
    p.folder = path_join(o->work, STEP);
    p.access = path_join(p.folder, "access");
    p.pair = path_join(p.folder, "pair");
    enum status s = prepare(&p);
    if (!s)
        s = settings_hash(&p, &settings);
    if (!s && (again || !step_is_fresh(p.folder, STEP, settings, (const char *const[]){o->memory, 0})))
        s = measure(&p, o);
    memory_release(&p.table);
    board_args_release(&p.access_arguments);
    shimxml_system_free(p.system);
    free(p.access);
    free(p.pair);
    free(p.folder);
    return s && s != ERR_CANCELLED ? error_context(e, "the cost of memory accesses (--no-memory leaves it out)") : s;
}
