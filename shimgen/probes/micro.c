/* micro.c - the build step that measures microbenchmarks of instructions. */
#include "shimgen/probes/micro.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/units/jobs.h"
#include "shimgen/probes/micro_time.h"
#include "shimgen/units/measure_units.h"
#include "shimgen/probes/micro_evaluate.h"
#include "shimgen/units/quick.h"
#include "shimgen/units/room.h"
#include "shimgen/units/unit.h"

enum {
    RUNS = 8,           /* of each module, if runs differ; a run takes some hundredths of a second */
    CHUNK = 40,         /* cases per module */
    LARGEST = 256 << 20 /* largest working set in memory [bytes]: a larger one would only take longer */
};
#define BUDGET_S 20
#define STEP     "micro"

struct micro_step {
    struct board board; /* a copy of the user's board, with the settings that microbenchmarks need; borrows its texts */
    const struct micro_options *opt;
    char *work;           /* <work>/micro */
    const char *runtimes; /* <work>: contains the board's runtimes */
    struct micro_set set;
    size_t *which, n; /* the wanted cases, by index in the set */
    struct units units;
    struct units units_left; /* those that compiled; their members belong to `units` */
    bool *failed;            /* for each unit */
    uint64_t tools;
};

/* ---- what is measured, for which target ---- */

/* What follows the processor's name, in LLVM's form: "+crc+fp16" becomes "+crc,+fp16". */
static char *feature_list(const char *text)
{
    struct str list = STR_INIT;
    for (const char *p = text; *p; p++)
        str_addf(&list, "%s%c", *p == '+' && p > text ? "," : "", *p);
    return str_detach(&list);
}

/* The processor in the board's flags: "-mcpu=cortex-a53+crc", on x86 "-march=znver4"; else "". */
static void target_of(const struct board *b, char **cpu, char **features)
{
    const char *value = "";
    for (char *const *f = b->levels[0].flags; *f; f++)
        if (strncmp(*f, "-mcpu=", 6) == 0)
            value = *f + 6;
        else if (!*board_target(b) && strncmp(*f, "-march=", 7) == 0 && strcmp(*f, "-march=native") != 0)
            value = *f + 7;
    size_t n = strcspn(value, "+");
    *cpu = xstrndup(value, n);
    *features = feature_list(value + n);
}

/* The triple in LLVM's form: for Arm, the flags tell which of the two states. The caller frees. */
static char *triple_of(const struct board *b)
{
    static const char arm[] = "arm";
    const char *triple = board_target(b);
    bool thumb = false;
    for (char *const *f = b->levels[0].flags; *f; f++)
        thumb = strcmp(*f, "-mthumb") == 0 || (thumb && strcmp(*f, "-marm") != 0);
    if (!thumb || strncmp(triple, arm, strlen(arm)) != 0)
        return xstrdup(triple);
    return xasprintf("thumb%s", triple + strlen(arm));
}

/* Working sets well inside one level and well outside the previous one; 0: not known. */
static void working_sets(const struct board *b, struct micro_target *t)
{
    struct shimxml_doc *d = 0;
    struct shimxml_system *system = 0;
    struct error ignored = ERROR_INIT;
    const struct shimxml_machine machine = {.name = b->name, .clock_hz = b->clock_hz};
    enum status s = *b->skeleton ? shimxml_read(&d, b->skeleton, &ignored) : shimxml_new(&d, &machine, &ignored);
    if (!s)
        s = shimxml_system(&system, d, &ignored);
    for (size_t i = 0; !s && i < system->n_cores; i++) {
        if (strcmp(system->cores[i].type, "PU") != 0 || (b->core >= 0 && system->cores[i].pid != b->core))
            continue;
        const struct shimxml_cache *first = shimxml_next_cache(system, i, 0),
                                   *second = first ? shimxml_next_cache(system, i, first) : 0, *last = second;
        if (!second || first->bytes <= 0 || second->bytes <= first->bytes)
            break;
        for (const struct shimxml_cache *c = second; (c = shimxml_next_cache(system, i, c)) && c->level <= 5;)
            last = c->bytes > last->bytes ? c : last;
        t->l2 = (size_t)sqrt(first->bytes * second->bytes);
        t->memory = (size_t)fmin(4 * last->bytes, LARGEST);
        break;
    }
    shimxml_system_free(system);
    shimxml_free(d);
    error_release(&ignored);
}

static bool is_part(const struct micro_step *p)
{
    return p->opt->keys || p->opt->quick;
}

static bool is_wanted(const char *key, char *const *globs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (glob_match(globs[i], key))
            return true;
    return n == 0;
}

/* Is the key part of a wanted case's copies? It is measured too, since it must be subtracted. */
static bool is_companion(const struct micro_step *p, const char *key, char *const *globs, size_t n)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < p->set.n; i++) {
        const struct micro_case *c = &p->set.at[i];
        if (c->share != MICRO_MINUS || !is_wanted(c->key, globs, n))
            continue;
        for (const char *w = c->with; *(w += strspn(w, " ")); w += strcspn(w, " "))
            if (strcspn(w, " ") == length && strncmp(w, key, length) == 0)
                return true;
    }
    return false;
}

static enum status choose(struct micro_step *p, struct error *e)
{
    char **globs = 0;
    size_t n = 0;
    enum status s = p->opt->keys ? split_list(p->opt->keys, "--keys", &globs, &n, e) : OK;
    if (s)
        return s;
    bool any = false;
    p->which = xcalloc(p->set.n + 1, sizeof *p->which);
    for (size_t i = 0; i < p->set.n; i++) {
        const struct micro_case *c = &p->set.at[i];
        bool wanted = is_wanted(c->key, globs, n) && (!p->opt->quick || (c->typical && !c->apart));
        if (wanted || (!p->opt->quick && is_companion(p, c->key, globs, n)))
            p->which[p->n++] = i;
        any |= wanted;
    }
    free(globs);
    return any ? OK : usage_error(e, "--keys: no instruction that can be measured here is like '%s'", p->opt->keys);
}

/* ---- modules ---- */

static enum status plan(struct micro_step *p, struct error *e)
{
    enum status s = OK;
    p->units.n = (p->n + CHUNK - 1) / CHUNK;
    p->units.at = xcalloc(p->units.n, sizeof *p->units.at);
    for (size_t i = 0; i < p->units.n; i++) {
        struct unit *u = &p->units.at[i];
        u->level = "O2";
        u->name = xasprintf("micro/%zu", i);
        u->folder = xasprintf("%s/%zu", p->work, i);
        u->measured = path_join(u->folder, "measured");
        u->wanted = true;
        if (!s)
            s = make_directories(u->folder, e);
    }
    return s;
}

static const size_t *cases_of(const struct micro_step *p, size_t unit, size_t *n)
{
    *n = p->n - unit * CHUNK < CHUNK ? p->n - unit * CHUNK : CHUNK;
    return p->which + unit * CHUNK;
}

static char *object_of(const struct unit *u)
{
    return path_join(u->folder, "micro.o");
}

static struct measuring measuring_of(const struct micro_step *p)
{
    return (struct measuring){.place = p->opt->place,
                              .workers = p->opt->workers,
                              .again = p->opt->again,
                              .losses = p->opt->losses,
                              .step = STEP};
}

/* The board's flags, but always with the back end of -O2, so that values stay in registers. */
static enum status compile(const struct micro_step *p, const struct unit *u, const char *ir, struct error *e)
{
    char *object = object_of(u);
    struct board_args compile = {0}, link = {0};
    ARGS_ADD(&compile, p->board.compiler);
    board_compile_flags(&p->board, p->board.levels[0].name, &compile);
    ARGS_ADD(&compile, "-O2", "-Wno-unused-command-line-argument", "-Wno-override-module", "-Xclang",
             "-disable-llvm-passes", "-c", ir, "-o", object);
    enum status s = compile_run(&compile, e);
    ARGS_ADD(&link, p->board.compiler, object);
    if (!s)
        s = board_link_flags(&p->board, p->runtimes, &link, e);
    ARGS_ADD(&link, "-lm", "-o", u->measured);
    if (!s)
        s = compile_run(&link, e);
    board_args_release(&compile);
    board_args_release(&link);
    free(object);
    return s;
}

static enum status inputs_hash(const struct micro_step *p, uint64_t *hash, const char *ir, struct error *e)
{
    struct board_args flags = {0};
    uint64_t module = 0;
    enum status s = file_hash(&module, ir, e);
    *hash = hash_bytes(hash_bytes(HASH_START, &p->tools, sizeof p->tools), &module, sizeof module);
    board_compile_flags(&p->board, p->board.levels[0].name, &flags);
    for (size_t i = 0; i < flags.n; i++)
        *hash = hash_text(*hash, flags.at[i]);
    board_args_release(&flags);
    return s;
}

static enum status build_one(size_t i, void *context, struct error *e)
{
    const struct micro_step *p = context;
    const struct unit *u = &p->units.at[i];
    uint64_t inputs = 0;
    size_t n;
    const size_t *which = cases_of(p, i, &n);
    char *ir = path_join(u->folder, "micro.bc");
    enum status s = room_check(u->folder, 0, e);
    if (!s)
        s = micro_emit(&p->set, which, n, ir, e);
    if (!s)
        s = inputs_hash(p, &inputs, ir, e);
    bool there = u->is_measured || file_exists(u->measured); /* an executable is removed after it has run */
    char *object = object_of(u);
    const char *const made[] = {object, u->measured, NULL};
    if (!s && (p->opt->again || !step_is_fresh(u->folder, "built", inputs, made) || !there)) {
        step_undone(u->folder, "built");
        s = compile(p, u, ir, e);
        if (!s)
            s = step_done(u->folder, "built", inputs, made, e);
    }
    free(object);
    free(ir);
    return s ? error_context(e, "%s", u->name) : OK;
}

static void built_one(size_t i, size_t done, size_t total, void *context)
{
    const struct micro_step *p = context;
    progress_show("compiling microbenchmarks", done, total, p->units.at[i].name);
}

static enum status failed_one(size_t i, enum status s, void *context, struct error *e)
{
    struct micro_step *p = context;
    p->failed[i] = true;
    return losses_take(p->opt->losses, STEP, p->units.at[i].name, s, e);
}

static enum status build_all(struct micro_step *p, struct error *e)
{
    const struct measuring how = measuring_of(p);
    enum status s = unit_tools_hash(&p->tools, &p->board, p->runtimes, e);
    if (!s)
        s = measure_known(&p->units, &p->board, p->work, &how, e);
    p->failed = xcalloc(p->units.n + 1, sizeof *p->failed);
    if (!s)
        s = jobs_try(p->units.n, p->opt->workers, build_one, built_one, failed_one, p, e);
    progress_clear();
    return s;
}

/* ---- the table ---- */

static enum status read_codes(const struct micro_step *p, struct micro_code *codes, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; !s && i < p->units.n; i++) {
        size_t n;
        const size_t *which = cases_of(p, i, &n);
        if (p->failed[i])
            continue;
        char *object = object_of(&p->units.at[i]);
        s = micro_read_code(&p->set, which, n, object, codes + i * CHUNK, e);
        free(object);
    }
    return s;
}

/* Existing rows keep their order. New rows replace them (fresh), or are added only if there is none. */
static enum status merge_into(struct micro_table *table, const char *path, bool only_new, struct error *e)
{
    struct micro_table all = {0};
    enum status s = file_exists(path) ? micro_table_read(&all, path, e) : OK;
    if (s)
        return error_context(e, "the rows of other instructions cannot be kept; remove the file to start again");
    for (size_t i = 0; i < table->rows.n; i++) {
        struct micro_row *r = &table->rows.at[i], *old = micro_table_row(&all, r);
        if (!old) {
            vec_push(&all.rows, *r);
            *r = (struct micro_row){0};
        } else if (!only_new) {
            struct micro_row swapped = *old;
            *old = *r;
            *r = swapped;
        }
    }
    struct micro_table measured = *table;
    table->rows.at = all.rows.at, table->rows.n = all.rows.n, table->rows.cap = all.rows.cap;
    memset(&measured.notes, 0, sizeof measured.notes);
    micro_table_release(&measured);
    return OK;
}

static enum status evaluate(const struct micro_step *p, const struct measurements *m, const char *path, struct error *e)
{
    struct micro_code *codes = xcalloc(p->n + 1, sizeof *codes);
    struct micro_table table = {0};
    enum status s = read_codes(p, codes, e);
    if (!s)
        s = micro_evaluate(&table, &p->set, p->which, p->n, codes, m, e);
    for (size_t i = 0; !s && i < table.notes.n; i++)
        progress_note("microbenchmarks: %s", table.notes.at[i]);
    if (!s && is_part(p))
        s = merge_into(&table, path, p->opt->quick, e);
    if (!s)
        s = micro_table_write(&table, path, e);
    micro_table_release(&table);
    for (size_t i = 0; i < p->n; i++)
        micro_code_release(&codes[i]);
    free(codes);
    return s;
}

static void drop_failed(struct micro_step *p)
{
    p->units_left.at = xcalloc(p->units.n + 1, sizeof *p->units_left.at);
    for (size_t i = 0; i < p->units.n; i++)
        if (!p->failed[i])
            p->units_left.at[p->units_left.n++] = p->units.at[i];
}

/* Timed by a model of the core instead of run. */
static enum status time_units(struct measurements **out, const struct micro_step *p, struct error *e)
{
    enum status s = OK;
    *out = measurements_new();
    for (size_t i = 0; !s && i < p->units.n; i++) {
        size_t n;
        const size_t *which = cases_of(p, i, &n);
        if (!p->failed[i])
            s = micro_time(*out, &p->set, which, n, p->units.at[i].measured, p->opt->core, e);
    }
    return s;
}

static enum status run(struct micro_step *p, const struct outputs *o, struct error *e)
{
    static const struct findings none = {0};
    const struct measuring how = measuring_of(p);
    struct measurements *m = 0;
    enum status s = choose(p, e);
    if (!s)
        s = plan(p, e);
    if (!s)
        s = build_all(p, e);
    if (!s)
        drop_failed(p);
    if (!s && p->opt->core)
        s = time_units(&m, p, e);
    else if (!s)
        s = measure_units(&m, &p->units_left, &p->board, p->work, p->opt->findings ? p->opt->findings : &none, &how, e);
    if (!s)
        s = evaluate(p, m, o->micro, e);
    measurements_free(m);
    return s;
}

enum status micro_measure(const struct board *b, const struct outputs *o, const struct micro_options *opt,
                          struct error *e)
{
    if (b->how == BOARD_IMPORT || b->how == BOARD_COMMAND)
        return OK;
    struct micro_step p = {.board = *b, .opt = opt, .runtimes = o->work};
    p.work = path_join(o->work, !is_part(&p) ? STEP : opt->quick ? STEP "/quick" : STEP "/keys");
    char *triple = triple_of(b);
    struct micro_target target = {.triple = triple};
    char *cpu, *features;
    target_of(b, &cpu, &features);
    target.cpu = cpu;
    target.features = features;
    if (!opt->core)
        working_sets(b, &target);
    p.board.runs = b->runs < RUNS ? b->runs : RUNS;
    if (opt->quick && p.board.runs > QUICK_RUNS)
        p.board.runs = QUICK_RUNS;
    p.board.extra_runs = b->extra_runs < RUNS ? b->extra_runs : RUNS;
    p.board.precision = 0;
    p.board.budget_s = BUDGET_S;
    p.board.cache = BOARD_WARM; /* loops that need data in another cache level bring them there */
    enum status s = micro_cases(&p.set, &target, e);
    if (!s)
        s = run(&p, o, e);
    units_release(&p.units);
    free(p.units_left.at);
    free(p.failed);
    micro_release(&p.set);
    free(p.which);
    free(p.work);
    free(features);
    free(cpu);
    free(triple);
    return s && s != ERR_CANCELLED && s != ERR_USAGE ? error_context(e, "microbenchmarks") : s;
}
