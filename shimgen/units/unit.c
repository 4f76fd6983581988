/* unit.c - one sample program at one optimisation level: its files, stamps and state in a build. */
#include "shimgen/units/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/proc.h"
#include "base/program_name.h"
#include "base/progress.h"
#include "base/str.h"
#include "irprof/irprof.h"
#include "shimgen/units/headers.h"
#include "shimgen/units/image.h"
#include "shimgen/estimate/compile.h"

enum { COUNTED_TIMEOUT_S = 120 };

void units_plan(struct units *out, const struct samples *s, const struct board *b, const char *work,
                const struct board_args *simulate)
{
    VEC(struct unit) list = {0};
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < b->n_levels; k++) {
            struct unit u = {.sample = &s->at[i], .level = b->levels[k].name, .simulate = simulate, .wanted = true};
            u.name = program_at_level(s->at[i].name, u.level);
            u.folder = path_join(work, u.name);
            u.counted = path_join(u.folder, "counted");
            u.measured = path_join(u.folder, "measured");
            u.profile = path_join(u.folder, "profile");
            vec_push(&list, u);
        }
    }
    *out = (struct units){list.at, list.n};
}

static void unit_release(struct unit *u)
{
    free(u->name);
    free(u->folder);
    free(u->counted);
    free(u->measured);
    free(u->profile);
}

void units_release(struct units *u)
{
    for (size_t i = 0; i < u->n; i++)
        unit_release(&u->at[i]);
    free(u->at);
    *u = (struct units){0};
}

void units_filter(struct units *u, bool (*keep)(const struct unit *u, void *context), void *context)
{
    size_t kept = 0;
    for (size_t i = 0; i < u->n; i++) {
        if (keep(&u->at[i], context))
            u->at[kept++] = u->at[i];
        else
            unit_release(&u->at[i]);
    }
    u->n = kept;
}

/* ---- hashes of executables that have run ---- */

static char *hash_path(const char *path)
{
    return xasprintf("%s.hash", path);
}

enum status unit_program_hash(uint64_t *hash, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    char *stored = hash_path(path);
    enum status s = OK;
    if (file_exists(path) || !file_exists(stored))
        s = file_hash(hash, path, e);
    else if (!(s = file_read(&text, stored, 64, e)))
        *hash = strtoull(str_text(&text), 0, 16);
    str_release(&text);
    free(stored);
    return s;
}

/* An empty list adds nothing. */
static void hash_words(uint64_t *hash, const char *what, char *const *words)
{
    for (; words && *words; words++)
        *hash = hash_text(hash_text(*hash, what), *words);
}

enum status unit_run_hash(uint64_t *hash, const struct unit *u, const char *path, struct error *e)
{
    enum status s = unit_program_hash(hash, path, e);
    hash_words(hash, "argument", u->sample ? u->sample->arguments : 0);
    return s;
}

enum status unit_remove_program(const char *path, struct error *e)
{
    uint64_t hash;
    char *stored = hash_path(path);
    enum status s = unit_program_hash(&hash, path, e);
    char *text = s ? 0 : xasprintf("%016" PRIx64 "\n", hash);
    if (!s)
        s = file_write(stored, text, strlen(text), e);
    if (!s)
        unlink(path);
    free(text);
    free(stored);
    return s;
}

/* ---- stamps ---- */

static char *stamp_path(const char *folder, const char *step)
{
    return xasprintf("%s/%s.stamp", folder, step);
}

/* Files that a step made; a program that has run is represented by its hash. The caller frees. */
static struct stamp_made *made_of(const char *const *files, size_t *n)
{
    for (*n = 0; files && files[*n];)
        ++*n;
    struct stamp_made *made = xcalloc(*n + 1, sizeof *made);
    for (size_t i = 0; i < *n; i++) {
        struct error ignored = ERROR_INIT;
        made[i].name = path_basename(files[i]);
        made[i].there = unit_program_hash(&made[i].hash, files[i], &ignored) == OK;
        error_release(&ignored);
    }
    return made;
}

enum stamp_state step_state(const char *folder, const char *step, uint64_t inputs, const char *const *files)
{
    size_t n;
    const char *damaged = "";
    char *path = stamp_path(folder, step);
    struct stamp_made *made = made_of(files, &n);
    enum stamp_state state = stamp_check(path, inputs, made, n, &damaged);
    if (state == STAMP_DAMAGED)
        progress_note("%s%s%s: changed or damaged since it was made; it is made again", folder, *damaged ? "/" : "",
                      damaged);
    free(made);
    free(path);
    return state;
}

bool step_is_fresh(const char *folder, const char *step, uint64_t inputs, const char *const *files)
{
    return step_state(folder, step, inputs, files) == STAMP_FRESH;
}

enum status step_done(const char *folder, const char *step, uint64_t inputs, const char *const *files, struct error *e)
{
    size_t n;
    char *path = stamp_path(folder, step);
    struct stamp_made *made = made_of(files, &n);
    enum status s = stamp_write(path, inputs, made, n, e);
    free(made);
    free(path);
    return s;
}

void step_undone(const char *folder, const char *step)
{
    char *path = stamp_path(folder, step);
    unlink(path);
    free(path);
}

/* ---- what a unit is made from ---- */

/* Hashes the content of a file, and frees the path. */
static enum status hash_file(uint64_t *h, char *path, struct error *e)
{
    uint64_t content = 0;
    enum status s = file_hash(&content, path, e);
    *h = hash_bytes(*h, &content, sizeof content);
    free(path);
    return s;
}

/* Hashes the link line of a runtime and its files. The place of `work` does not count: what is made on another machine,
 * in another folder, is the same. */
static enum status hash_link(uint64_t *hash, const struct board_args *link, const char *work, struct error *e)
{
    enum status s = OK;
    char *folder = realpath(work, 0);
    const size_t n = folder ? strlen(folder) : 0;
    for (size_t i = 0; !s && i < link->n; i++) {
        bool inside = n && strncmp(link->at[i], folder, n) == 0 && link->at[i][n] == '/';
        *hash = hash_text(*hash, link->at[i] + (inside ? n : 0));
        if (*link->at[i] == '/' && file_exists(link->at[i]))
            s = hash_file(hash, xstrdup(link->at[i]), e);
    }
    free(folder);
    return s;
}

/* If boards are measured with warm caches, main runs once before it is counted (irprof/runtime/rt_main.c), unless
 * `once`. */
static enum status counted_link(const struct board *b, bool once, const char *work, struct board_args *link,
                                struct error *e)
{
    if (b->cache == BOARD_WARM && !once)
        ARGS_ADD(link, "-Wl,--wrap=main");
    return compile_counted_link(b, work, link, e);
}

enum status unit_tools_hash(uint64_t *hash, const struct board *b, const char *work, struct error *e)
{
    struct proc p = {.argv = (const char *const[]){b->compiler, "--version", 0}, .capture = true, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_must(&p, &r, e);
    *hash = hash_text(HASH_START, str_text(&r.out));
    proc_result_release(&r);
    if (!s)
        s = hash_file(hash, resource_program("irprof"), e);
    if (!s)
        s = hash_file(hash, resource_include("shim_region.h"), e);
    if (!s)
        s = hash_file(hash, resource_share("samples/sample.h"), e);
    struct board_args measured = {0}, counted = {0};
    if (!s && b->how != BOARD_IMPORT)
        s = board_link_flags(b, work, &measured, e);
    if (!s)
        s = counted_link(b, false, work, &counted, e);
    if (!s)
        s = hash_link(hash, &measured, work, e);
    if (!s)
        s = hash_link(hash, &counted, work, e);
    board_args_release(&measured);
    board_args_release(&counted);
    return s;
}

/* The compiler's list of the headers that a source includes. */
static char *headers_list(const struct unit *u, size_t source)
{
    return xasprintf("%s/%zu.d", u->folder, source);
}

static enum status inputs_hash(uint64_t *hash, const struct unit *u, const struct board *b, uint64_t tools,
                               struct error *e)
{
    struct board_args flags = {0};
    board_compile_flags(b, u->level, &flags);
    *hash = hash_bytes(HASH_START, &tools, sizeof tools);
    for (size_t i = 0; i < flags.n; i++)
        *hash = hash_text(*hash, flags.at[i]);
    board_args_release(&flags);
    for (size_t i = 0; u->simulate && i < u->simulate->n; i++)
        *hash = hash_text(*hash, u->simulate->at[i]);
    if (u->sample->once)
        *hash = hash_text(*hash, "main once");
    hash_words(hash, "include", u->sample->includes);
    hash_words(hash, "define", u->sample->defines);
    enum status s = OK;
    for (size_t i = 0; !s && i < u->sample->n_sources; i++) {
        char *list = headers_list(u, i);
        s = hash_file(hash, xstrdup(u->sample->sources[i]), e);
        headers_hash(hash, list);
        free(list);
    }
    return s;
}

/* Flags for a source: the manifest's, and those that write its list of headers. */
static void add_flags(struct board_args *flags, const struct unit *u, size_t source)
{
    char *samples = resource_share("samples"), *list = headers_list(u, source);
    ARGS_ADD(flags, "-std=c17", "-I", samples, "-MMD", "-MF", list);
    for (char **f = u->sample->includes; *f; f++)
        ARGS_ADD(flags, "-I", *f);
    for (char **d = u->sample->defines; *d; d++)
        ARGS_ADD(flags, "-D", *d);
    free(list);
    free(samples);
}

/* Makes the objects of both programs from one source, and adds their paths to the lists. */
static enum status build_source(const struct board *b, const struct unit *u, size_t i, struct board_args *plain,
                                struct board_args *counted, struct error *e)
{
    char *ir = xasprintf("%s/%zu.bc", u->folder, i), *with_counters = xasprintf("%s/%zu.i.bc", u->folder, i);
    char *object = xasprintf("%s/%zu.o", u->folder, i), *object_counted = xasprintf("%s/%zu.i.o", u->folder, i);
    struct board_args flags = {0};
    add_flags(&flags, u, i);
    enum status s = compile_ir(b, u->level, (const char *const *)flags.at, u->sample->sources[i], ir, e);
    if (!s)
        s = compile_object(b, u->level, ir, object, e);
    if (!s)
        s = compile_counters(ir, u->simulate ? (const char *const *)u->simulate->at : 0, with_counters, e);
    if (!s)
        s = compile_counted_object(b, u->level, with_counters, object_counted, e);
    ARGS_ADD(plain, object);
    ARGS_ADD(counted, object_counted);
    board_args_release(&flags);
    free(ir);
    free(with_counters);
    free(object);
    free(object_counted);
    return s;
}

static enum status link_measured(const struct unit *u, const struct board *b, const char *work,
                                 struct board_args *objects, struct error *e)
{
    if (b->how == BOARD_COMMAND) {
        const struct image_program program = {.name = u->name, .work = u->sample ? u->sample->work : 0};
        return image_link(b, &program, objects, u->folder, work, u->measured, e);
    }
    enum status s = board_link_flags(b, work, objects, e);
    ARGS_ADD(objects, "-lm", "-o", u->measured);
    return s ? s : compile_run(objects, e);
}

/* Removes what the executables were made from. The optimised IR stays, for estimates. */
static void remove_objects(const struct unit *u)
{
    static const char *const kinds[] = {"i.bc", "o", "i.o"};
    for (size_t i = 0; i < u->sample->n_sources; i++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            char *path = xasprintf("%s/%zu.%s", u->folder, i, kinds[k]);
            unlink(path);
            free(path);
        }
    }
}

/* Removes hashes of earlier executables, which would be taken for those of new ones. */
static void drop_programs(const struct unit *u)
{
    const char *const programs[] = {u->counted, u->measured};
    for (size_t i = 0; i < 2; i++) {
        char *stored = hash_path(programs[i]);
        unlink(stored);
        unlink(programs[i]);
        free(stored);
    }
}

static enum status build(const struct unit *u, const struct board *b, const char *work, struct error *e)
{
    struct board_args plain = {0}, counted = {0};
    drop_programs(u);
    ARGS_ADD(&plain, b->compiler);
    ARGS_ADD(&counted, b->compiler);
    enum status s = OK;
    for (size_t i = 0; !s && i < u->sample->n_sources; i++)
        s = build_source(b, u, i, &plain, &counted, e);
    if (!s && b->how != BOARD_IMPORT)
        s = link_measured(u, b, work, &plain, e);
    if (!s)
        s = counted_link(b, u->sample->once, work, &counted, e);
    ARGS_ADD(&counted, "-o", u->counted);
    if (!s)
        s = compile_run(&counted, e);
    remove_objects(u);
    board_args_release(&plain);
    board_args_release(&counted);
    return s;
}

/* What building makes: the optimised IR and the list of headers of each source, and the programs. */
static void add_made(struct board_args *made, const struct unit *u, const struct board *b)
{
    for (size_t i = 0; i < u->sample->n_sources; i++) {
        char *ir = xasprintf("%s/%zu.bc", u->folder, i), *list = headers_list(u, i);
        ARGS_ADD(made, ir, list);
        free(list);
        free(ir);
    }
    board_args_add(made, u->counted);
    if (b->how != BOARD_IMPORT)
        board_args_add(made, u->measured);
}

/* Does everything that still has to run exist? */
static bool is_there(const struct unit *u, const struct board *b)
{
    return (file_exists(u->counted) || unit_is_counted(u)) &&
           (b->how == BOARD_IMPORT || u->is_measured || file_exists(u->measured));
}

enum status unit_build(const struct unit *u, const struct board *b, const char *work, uint64_t tools, bool again,
                       struct error *e)
{
    uint64_t inputs;
    enum status s = inputs_hash(&inputs, u, b, tools, e);
    struct board_args made = {0};
    add_made(&made, u, b);
    bool fresh = !s && !(again && u->wanted) &&
                 step_is_fresh(u->folder, "built", inputs, (const char *const *)made.at) && is_there(u, b);
    if (!fresh && !s) {
        step_undone(u->folder, "built");
        s = make_directories(u->folder, e);
        if (!s)
            s = build(u, b, work, e);
        if (!s) /* the compiler has just written which headers it includes */
            s = inputs_hash(&inputs, u, b, tools, e);
        if (!s)
            s = step_done(u->folder, "built", inputs, (const char *const *)made.at, e);
    }
    board_args_release(&made);
    return s;
}

bool unit_was_built(const struct unit *u, const struct board *b, uint64_t tools)
{
    uint64_t inputs;
    struct error ignored = ERROR_INIT;
    char *stamp = stamp_path(u->folder, "built");
    struct stamp_made none = {0};
    bool done =
        inputs_hash(&inputs, u, b, tools, &ignored) == OK && stamp_check(stamp, inputs, &none, 0, NULL) != STAMP_STALE;
    free(stamp);
    error_release(&ignored);
    return done;
}

/* Returns OK if the profile can be read and every region in it can be used. */
static enum status check_profile(const struct unit *u, struct error *e)
{
    struct irprof_profile *p = 0;
    enum status s = irprof_read(&p, u->profile, e);
    for (size_t i = 0; !s && i < p->n_regions; i++)
        s = irprof_region_usable(p, i, e);
    irprof_free(p);
    return s;
}

/* A profile has its own checksum. A damaged one is removed, so that it is reported once. */
static bool has_profile(const struct unit *u)
{
    struct error e = ERROR_INIT;
    if (!file_exists(u->profile))
        return false;
    bool good = check_profile(u, &e) == OK;
    if (!good) {
        char *text = error_text(&e);
        progress_note("%s; it is counted again", text);
        free(text);
        unlink(u->profile);
    }
    error_release(&e);
    return good;
}

bool unit_was_counted(const struct unit *u)
{
    uint64_t program;
    struct error ignored = ERROR_INIT;
    bool done =
        unit_run_hash(&program, u, u->counted, &ignored) == OK && step_is_fresh(u->folder, "counted", program, NULL);
    error_release(&ignored);
    return done;
}

bool unit_is_counted(const struct unit *u)
{
    return unit_was_counted(u) && has_profile(u);
}

bool unit_ran_once(const struct unit *u)
{
    if (u->sample && u->sample->once)
        return true;
    struct irprof_profile *p = 0;
    struct error ignored = ERROR_INIT;
    bool once = u->profile && file_exists(u->profile) && irprof_read(&p, u->profile, &ignored) == OK && p->once;
    irprof_free(p);
    error_release(&ignored);
    return once;
}

/* in memory that forked processes share */
struct count_budget {
    double seconds;
    _Atomic uint64_t spent_ms;
};

struct count_budget *count_budget_new(double seconds)
{
    struct count_budget *b = mmap(0, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b == MAP_FAILED)
        return 0;
    b->seconds = seconds;
    return b;
}

bool count_budget_is_spent(const struct count_budget *b)
{
    return b && 1e-3 * (double)b->spent_ms >= b->seconds;
}

void count_budget_free(struct count_budget *b)
{
    if (b)
        munmap(b, sizeof *b);
}

static enum status count(const struct unit *u, struct runner *place, struct error *e)
{
    if (count_budget_is_spent(u->count_budget))
        return error_set(e, ERR_SYSTEM, NOWHERE, "not counted: the time limit was used up by others");
    struct run_request q = {.arguments = (const char *const *)u->sample->arguments,
                            .result_variable = "IRPROF_OUT",
                            .result = u->profile,
                            .timeout_s = COUNTED_TIMEOUT_S,
                            .cpu_limit_s = u->count_cpu_limit_s,
                            .core = -1};
    struct run_end end = RUN_END_INIT;
    enum status s = runner_put(place, u->counted, e);
    if (!s)
        s = runner_run(place, &q, &end, e);
    if (u->count_budget)
        u->count_budget->spent_ms += (uint64_t)(1000 * end.cpu_s);
    const char *said = str_text(&end.messages);
    if (!s && (end.exit_code || end.signal || end.timed_out)) {
        char *how = run_how_ended(&q, &end);
        s = error_set(e, ERR_INPUT, NOWHERE, "the counted program %s%s%s", how, *said ? ":\n" : "", said);
        free(how);
    } else if (!s && !end.written) {
        s = error_set(e, ERR_INPUT, NOWHERE, "the counted program wrote no profile%s%s", *said ? ": " : "", said);
    }
    run_end_release(&end);
    return s;
}

enum status unit_count(const struct unit *u, struct runner *place, bool again, struct error *e)
{
    uint64_t program;
    if (!(again && u->wanted) && unit_is_counted(u))
        return file_exists(u->counted) ? unit_remove_program(u->counted, e) : OK;
    step_undone(u->folder, "counted");
    enum status s = unit_run_hash(&program, u, u->counted, e);
    if (!s)
        s = count(u, place, e);
    if (!s)
        s = check_profile(u, e);
    if (!s)
        s = step_done(u->folder, "counted", program, NULL, e);
    if (!s)
        s = unit_remove_program(u->counted, e);
    return s;
}
