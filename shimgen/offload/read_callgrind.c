/* read_callgrind.c - reads a callgrind file as a table of functions and calls, and decodes its instructions to
 * operations. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"
#include "shimgen/offload/arcs.h"
#include "shimgen/offload/callgrind_loops.h"
#include "shimgen/offload/callgrind_line.h"
#include "shimgen/offload/code_arithmetic.h"

/* Events by callgrind's names. */
enum event { IR, I1MR, D1MR, D1MW, ILMR, DLMR, DLMW, EVENTS };
static const char *const event_names[EVENTS] = {"Ir", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw"};

/* Cycles of a miss in KCachegrind's cycle estimate: Ir + 10 L1m + 100 LLm. */
enum { CYCLES_L1 = 10, CYCLES_LL = 100 };
/* a note is made from this share of instructions on */
#define WORTH_A_NOTE 0.01

struct reading {
    struct offload_table *t;
    const struct accelerator *a;
    struct callgrind_file file;
    struct code_arithmetic *code;
    struct map functions; /* keys: object, file, name */
    struct str key;
    size_t column[EVENTS]; /* of each event; CALLGRIND_EVENTS: the file lacks it */
    struct offload_cache d1, ll;
    char *object, *source, *called_object, *called_source; /* owned: "ob", "fl", "cob", "cfl" */
    uint32_t function, callee, object_number;
    uint64_t calls;
    struct callgrind_loops loops;
    uint32_t source_number; /* of `source`, among the loops' files */
    double taken;           /* count of the jump whose target follows */
    uint64_t target;
    bool in_jump, jumps_away;                                  /* jumps_away: into another function */
    bool in_call, has_function, has_callee, has_events, whole; /* whole: the totals come after the last cost */
    double undecoded, nameless;
};

/* ---- header ---- */

static void keep(char **where, const char *text)
{
    char *copy = text ? xstrdup(text) : NULL;
    free(*where);
    *where = copy;
}

static enum status read_events(struct reading *r, struct error *e)
{
    char **words = words_of(r->file.value, " \t");
    enum status s = OK;
    size_t n = 0;
    for (size_t i = 0; i < EVENTS; i++)
        r->column[i] = CALLGRIND_EVENTS;
    for (; words[n] && n < CALLGRIND_EVENTS; n++)
        for (size_t i = 0; i < EVENTS; i++)
            if (strcmp(words[n], event_names[i]) == 0)
                r->column[i] = n;
    if (words[n] || r->column[IR] == CALLGRIND_EVENTS)
        s = error_set(e, ERR_INPUT, AT(r->file.path, r->file.line),
                      words[n] ? "there are more than %d events" : "the events have no Ir: instructions executed",
                      CALLGRIND_EVENTS);
    r->file.n_events = n;
    r->has_events = true;
    words_free(words);
    return s;
}

/* Reads "D1 cache: 32768 B, 64 B, 8-way associative". */
static void read_cache(struct reading *r)
{
    struct offload_cache c = {.ways = 1};
    const char *at = strchr(r->file.value, ':');
    struct offload_cache *which = strncmp(r->file.value, "D1 cache", 8) == 0   ? &r->d1
                                  : strncmp(r->file.value, "LL cache", 8) == 0 ? &r->ll
                                                                               : NULL;
    if (which && at && sscanf(at, ": %" SCNu64 " B, %u B, %u", &c.size, &c.line, &c.ways) >= 2)
        *which = c;
}

static enum status header(struct reading *r, struct error *e)
{
    const char *word = r->file.word, *value = r->file.value;
    if (strcmp(word, "events") == 0)
        return read_events(r, e);
    if (strcmp(word, "positions") == 0) {
        r->file.has_address = strstr(value, "instr") != NULL;
        r->file.has_line = strstr(value, "line") != NULL;
    } else if (strcmp(word, "desc") == 0) {
        read_cache(r);
    } else if (strcmp(word, "cmd") == 0) {
        char *program = xstrndup(value, strcspn(value, " \t"));
        keep(&r->t->program, path_basename(program));
        free(program);
    } else if (strcmp(word, "totals") == 0 || strcmp(word, "summary") == 0) {
        r->whole = true;
    }
    return OK;
}

/* ---- functions ---- */

static bool of_program(const struct reading *r, const char *object)
{
    return r->t->program && object && strcmp(path_basename(object), r->t->program) == 0;
}

static bool has_name(const char *text)
{
    return text && strcmp(text, "???") != 0;
}

/* A library function's name tells what it does. In the program itself the name counts only if the source is unknown,
 * since the user's own function may have that name. */
static unsigned obstacles_of(const struct reading *r, const char *object, const char *source, const char *name)
{
    return of_program(r, object) && has_name(source) ? 0 : offload_library_obstacles(name);
}

/* Length of a name without the recursion depth that callgrind appends: "walk'2". */
static size_t name_length(const char *name)
{
    const char *quote = strrchr(name, '\'');
    bool depth = quote && quote > name && quote[1] && !quote[1 + strspn(quote + 1, "0123456789")];
    return depth ? (size_t)(quote - name) : strlen(name);
}

static uint32_t function_of(struct reading *r, const char *object, const char *source, const char *name)
{
    size_t length = name_length(name);
    str_clear(&r->key);
    str_addf(&r->key, "%s\n%s\n%.*s", object ? object : "", source ? source : "", (int)length, name);
    size_t n = r->functions.n, number = map_number(&r->functions, r->key.s);
    if (number == n) {
        struct offload_function f = {.name = xstrndup(name, length), .file = has_name(source) ? xstrdup(source) : NULL};
        f.obstacles = obstacles_of(r, object, source, name);
        offload_add_function(r->t, f);
    }
    return (uint32_t)number;
}

static void name_line(struct reading *r)
{
    const char *word = r->file.word, *value = r->file.value;
    if (strcmp(word, "ob") == 0) {
        keep(&r->object, value);
        r->object_number = code_arithmetic_object(r->code, value);
    } else if (strcmp(word, "fl") == 0 || strcmp(word, "fi") == 0 || strcmp(word, "fe") == 0) {
        keep(&r->source, value);
        r->source_number = (uint32_t)map_number(&r->loops.files, value);
    } else if (strcmp(word, "fn") == 0) {
        r->function = function_of(r, r->object, r->source, value);
        r->has_function = true;
    } else if (strcmp(word, "jfn") == 0) {
        r->jumps_away = true;
    } else if (strcmp(word, "cob") == 0) {
        keep(&r->called_object, value);
    } else if (strcmp(word, "cfl") == 0 || strcmp(word, "cfi") == 0) {
        keep(&r->called_source, value);
    } else if (strcmp(word, "cfn") == 0) {
        r->callee = function_of(r, r->called_object ? r->called_object : r->object,
                                r->called_source ? r->called_source : r->source, value);
        r->has_callee = true;
        keep(&r->called_object, NULL);
        keep(&r->called_source, NULL);
    }
}

/* ---- costs ---- */

static double cost(const struct reading *r, enum event event)
{
    return r->column[event] < CALLGRIND_EVENTS ? (double)r->file.costs[r->column[event]] : 0;
}

static void call_costs(struct reading *r)
{
    vec_push(&r->t->arcs, (struct offload_arc){r->function, r->callee, (double)r->calls, cost(r, IR)});
    r->t->functions.at[r->callee].calls += (double)r->calls;
    r->in_call = r->has_callee = false;
}

static void self_costs(struct reading *r)
{
    struct offload_function *f = &r->t->functions.at[r->function];
    double times = cost(r, IR);
    struct arithmetic does;
    f->self[OFFLOAD_INSTRUCTIONS] += times;
    f->self[OFFLOAD_TIME] += times + CYCLES_L1 * (cost(r, I1MR) + cost(r, D1MR) + cost(r, D1MW)) +
                             CYCLES_LL * (cost(r, ILMR) + cost(r, DLMR) + cost(r, DLMW));
    bool by_d1 = r->d1.size == r->a->local.size;
    bool l2_by_d1 = r->d1.size == r->a->host_l2.size;
    double beyond_d1 = (cost(r, D1MR) + cost(r, D1MW)) * r->d1.line;
    double beyond_ll = (cost(r, DLMR) + cost(r, DLMW)) * r->ll.line;
    f->self[OFFLOAD_BYTES] += by_d1 ? beyond_d1 : beyond_ll;
    f->self[OFFLOAD_BYTES_L2] += l2_by_d1 ? beyond_d1 : beyond_ll;
    if (times <= 0)
        return;
    if (r->file.has_address && r->source)
        vec_push(&r->loops.code,
                 (struct loop_code){{r->function, r->file.address}, times, r->source_number, (uint32_t)r->file.source});
    if (!r->file.has_address || !r->object || !code_arithmetic_at(&does, r->code, r->object_number, r->file.address))
        r->undecoded += times;
    else
        operations_count(&f->operations, &does, times);
}

/* The target of a jump has no costs. */
static void end_jump(struct reading *r)
{
    if (r->file.has_address && !r->jumps_away && r->target <= r->file.address && r->taken > 0)
        vec_push(&r->loops.jumps, (struct loop_jump){{r->function, r->target}, r->file.address, r->taken});
    r->in_jump = r->jumps_away = false;
}

static enum status costs(struct reading *r, struct error *e)
{
    const char *missing = !r->has_events                 ? "costs stand before the line \"events:\""
                          : !r->has_function             ? "costs stand before the line \"fn=\""
                          : r->in_call && !r->has_callee ? "a call has no line \"cfn=\""
                                                         : NULL;
    if (missing)
        return error_set(e, ERR_INPUT, AT(r->file.path, r->file.line),
                         "%s; is it a whole file of valgrind --tool=callgrind?", missing);
    r->whole = false;
    if (r->in_jump)
        end_jump(r);
    else if (r->in_call)
        call_costs(r);
    else
        self_costs(r);
    return OK;
}

/* ---- the file ---- */

static enum status read_lines(struct reading *r, struct error *e)
{
    enum callgrind_kind kind = CALLGRIND_HEADER;
    while (kind != CALLGRIND_END) {
        enum status s = callgrind_next(&kind, &r->file, e);
        if (!s && kind == CALLGRIND_HEADER)
            s = header(r, e);
        if (!s && kind == CALLGRIND_COSTS)
            s = costs(r, e);
        if (s)
            return s;
        if (kind == CALLGRIND_NAME)
            name_line(r);
        if (kind == CALLGRIND_CALLS) {
            r->in_call = true;
            r->calls = r->file.calls;
        }
        if (kind == CALLGRIND_JUMP) {
            r->in_jump = true;
            r->taken = (double)r->file.calls;
            r->target = r->file.target;
        }
    }
    if (!r->whole)
        return error_set(e, ERR_INPUT, AT(r->file.path, r->file.line),
                         "the file ends before its totals: it was cut off, or the program is still running");
    return OK;
}

static double sum_of(const struct offload_table *t, enum offload_cost k)
{
    double sum = 0;
    for (size_t i = 0; i < t->functions.n; i++)
        sum += t->functions.at[i].self[k];
    return sum;
}

static void finish_functions(struct reading *r)
{
    for (size_t i = 0; i < r->t->functions.n; i++) {
        struct offload_function *f = &r->t->functions.at[i];
        f->self[OFFLOAD_FLOPS] = operations_flops(&f->operations);
        f->self[OFFLOAD_INTEGERS] = f->operations.integers;
        f->self[OFFLOAD_TIME] = isnan(r->a->host_clock) ? 0 : f->self[OFFLOAD_TIME] / r->a->host_clock;
        if (strncmp(f->name, "0x", 2) == 0 || !has_name(f->name))
            r->nameless += f->self[OFFLOAD_INSTRUCTIONS];
    }
}

static void say_operations(struct reading *r, double instructions)
{
    struct offload_table *t = r->t;
    double undecoded = instructions > 0 ? r->undecoded / instructions : 0;
    if (!r->file.has_address)
        offload_note(t, "the operations are unknown: the file has no addresses of instructions; run callgrind with "
                        "--dump-instr=yes");
    else if (undecoded < 1)
        t->known |= 1U << OFFLOAD_FLOPS | 1U << OFFLOAD_INTEGERS;
    if (r->file.has_address && undecoded > WORTH_A_NOTE)
        offload_note(t,
                     "the operations of %.1f %% of the instructions are unknown and not counted: their programs and "
                     "libraries are not here, have changed since, or are not for x86-64",
                     100 * undecoded);
    if (instructions > 0 && r->nameless / instructions > WORTH_A_NOTE)
        offload_note(t, "%.1f %% of the instructions are in functions without a name: the program has no symbols there",
                     100 * r->nameless / instructions);
}

static void say_caches(struct reading *r)
{
    struct offload_table *t = r->t;
    const struct accelerator *a = r->a;
    bool cached = r->column[D1MR] < CALLGRIND_EVENTS && r->d1.size;
    if (cached && (r->d1.size == a->local.size || r->ll.size == a->local.size))
        t->known |= 1U << OFFLOAD_BYTES;
    else
        offload_note(t,
                     "the bytes demanded are unknown: no cache of the accelerator's local memory was simulated; run "
                     "callgrind with --cache-sim=yes --D1=%" PRIu64 ",%u,%u",
                     a->local.size, a->local.ways, a->local.line);
    if (cached && a->host_l2.size && (r->d1.size == a->host_l2.size || r->ll.size == a->host_l2.size))
        t->known |= 1U << OFFLOAD_BYTES_L2;
    if (isnan(a->host_clock)) {
        offload_note(t, "no times: shares are of executed instructions; [host] clock in the accelerator's file gives "
                        "times");
        return;
    }
    t->known |= 1U << OFFLOAD_TIME;
    offload_note(t, "times are an estimate: instructions + %d x first-level misses + %d x last-level misses, at %g GHz",
                 CYCLES_L1, CYCLES_LL, a->host_clock / 1e9);
}

static void finish(struct reading *r)
{
    double instructions = sum_of(r->t, OFFLOAD_INSTRUCTIONS);
    finish_functions(r);
    offload_join_arcs(r->t);
    callgrind_loops_finish(&r->loops, r->t);
    r->t->known |= 1U << OFFLOAD_INSTRUCTIONS;
    say_operations(r, instructions);
    say_caches(r);
    if (!r->t->program)
        r->t->program = xstrdup(path_basename(r->t->path));
}

static void release(struct reading *r)
{
    char *owned[] = {r->object, r->source, r->called_object, r->called_source};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    code_arithmetic_free(r->code);
    map_release(&r->functions);
    callgrind_loops_release(&r->loops);
    str_release(&r->key);
    callgrind_close(&r->file);
}

enum status offload_read_callgrind(struct offload_table *out, const char *path, const struct accelerator *a,
                                   struct error *e)
{
    struct reading r = {.t = out, .a = a};
    struct stat st = {.st_mtime = 0};
    *out = (struct offload_table){.path = xstrdup(path), .kind = xstrdup("callgrind file")};
    enum status s = callgrind_open(&r.file, path, e);
    if (!s) {
        fstat(fileno(r.file.f), &st);
        r.code = code_arithmetic_new(st.st_mtime);
        s = read_lines(&r, e);
    }
    if (!s)
        finish(&r);
    release(&r);
    return s;
}
