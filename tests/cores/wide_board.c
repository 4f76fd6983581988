/*
 * wide_board.c - CORE.ini PROGRAM [ARGUMENT...]: answers for a program of 'shimgen core' on an x86-64 core that is not
 * there. In the place of the measuring runtime it writes a result (boards/runtime/rt_report.c), in which each trial takes
 * what the model CORE.ini says of its machine code. No instruction of PROGRAM is executed, so any machine can do it.
 * tests/cores/fake makes a board of it.
 *
 * Text that fake/clang-wide puts into PROGRAM says what it is: "trial N IMAGE TRIPS" for each function, "access", "pair".
 *
 * WIDE_STATE   a folder: cycles of programs, and the number of launches so far (`launches`)
 * WIDE_SAYS    words with commas between; none: a PMU that counts right, and nobody else on the machine
 *     ticks        no PMU: ticks of another clock, one for 1.25 cycles
 *     zero, few, double   CPU_CYCLES reads 0, an eighth, twice as many: of known work too
 *     busy=P       another program makes each region up to P per cent longer, at random
 *     dies=N       launch N dies of SIGSEGV
 *     huge=N       the long form of trial N reads 2^60
 *     shrinks=N    the long form of trial N takes half of what its short form takes
 */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "boards/memory/points.h"
#include "shimgen/core/core_predict.h"

#define MARK     "@trials\n"
#define PER_TICK 1.25
enum { AROUND = 40, PASSES = 5, EVENTS = 16 };

/* What a program is. */
struct program {
    struct core_run run;
    size_t first;      /* trial */
    const char *probe; /* "access", "pair"; NULL: it has trials */
    double (*cycles)[2], (*missed)[2];
};
struct answer {
    FILE *f;
    unsigned long lines;
    char *events[EVENTS]; /* that are counted */
    size_t n;
    long launch;
};

/* The number after WORD=, 1 for the word alone, -1 when it is not there. */
static long told(const char *word)
{
    size_t n = strlen(word);
    for (const char *p = getenv("WIDE_SAYS"); p && *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ','))
        if (strncmp(p, word, n) == 0 && strchr("=,", p[n]))
            return p[n] == '=' ? strtol(p + n + 1, NULL, 10) : 1;
    return -1;
}

static bool ticks(const struct answer *a)
{
    return strcmp(a->events[0], "TSC_CYCLES") == 0;
}

/* ---- what the program is ---- */

static enum status read_program(struct program *p, const char *path, struct error *e)
{
    p->run.programs = xcalloc(1, sizeof *p->run.programs);
    p->run.n_programs = 1;
    enum status s = elf_read(&p->run.programs[0].code, path, e);
    const struct str *bytes = &p->run.programs[0].code.bytes;
    const char *at = s ? NULL : memmem(bytes->s, bytes->len, MARK, strlen(MARK));
    if (!s && !at)
        return error_set(e, ERR_INPUT, AT_FILE(path), "fake/clang-wide did not make it");
    unsigned number, image, trips;
    for (at = at ? at + strlen(MARK) : NULL; at && sscanf(at, "trial %u %u %u", &number, &image, &trips) == 3;
         at = strchr(at, '\n') + 1) {
        if (!p->run.trials.list.n)
            p->first = number / 2;
        while (p->run.trials.list.n <= number / 2)
            vec_push(&p->run.trials.list, (struct core_trial){.mispredicted = {NAN, NAN}});
        struct core_trial *t = &p->run.trials.list.at[number / 2];
        t->image = (enum core_image)image;
        t->trips = trips;
        t->units[number % 2] = number % 2 + 1;
    }
    p->probe = p->run.trials.list.n || !at ? NULL : strncmp(at, "access", 6) == 0 ? "access" : "pair";
    p->run.programs[0].n = p->run.trials.list.n;
    return s;
}

static void make_tables(struct program *p)
{
    p->cycles = xcalloc(p->run.trials.list.n + 1, sizeof *p->cycles);
    p->missed = xcalloc(p->run.trials.list.n + 1, sizeof *p->missed);
}

/* Of a whole call of each function. */
static enum status time_program(struct program *p, const char *core, struct error *e)
{
    struct iss_model *model = NULL;
    struct core_predict predict = {0};
    enum status s = iss_model_read(&model, core, e);
    if (!s)
        s = core_predict_new(&predict, &p->run, model, e);
    for (size_t i = 2 * p->first; !s && i < 2 * p->run.trials.list.n; i++) {
        unsigned trips = p->run.trials.list.at[i / 2].trips;
        p->cycles[i / 2][i % 2] = trips * core_predict_pass(&predict, i / 2, (int)(i % 2));
        p->missed[i / 2][i % 2] = trips * core_predict_missed(&predict, i / 2, (int)(i % 2));
    }
    if (predict.run)
        core_predict_release(&predict);
    iss_model_free(model);
    return s;
}

/* What earlier launches of the same program on the same core found is kept in WIDE_STATE. */
static enum status find_cycles(struct program *p, const char *core, const char *state, struct error *e)
{
    const struct str *code = &p->run.programs[0].code.bytes;
    char *path = xasprintf("%s/%016" PRIx64, state, hash_bytes(hash_text(HASH_START, core), code->s, code->len));
    size_t size = p->run.trials.list.n * sizeof *p->cycles;
    struct str kept = STR_INIT, all = STR_INIT;
    struct error ignored = ERROR_INIT;
    enum status s = OK;
    make_tables(p);
    if (!file_read(&kept, path, FILE_LIMIT, &ignored) && kept.len == 2 * size) {
        memcpy(p->cycles, kept.s, size);
        memcpy(p->missed, kept.s + size, size);
    } else {
        s = time_program(p, core, e);
        str_addn(&all, (const char *)p->cycles, size);
        str_addn(&all, (const char *)p->missed, size);
        if (!s)
            s = file_write(path, str_text(&all), all.len, e);
    }
    error_release(&ignored);
    str_release(&all);
    str_release(&kept);
    free(path);
    return s;
}

/* ---- the result ---- */

static void __attribute__((format(printf, 2, 3))) put(struct answer *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vfprintf(a->f, fmt, ap);
    va_end(ap);
    fputc('\n', a->f);
    a->lines++;
}

/* Between 0 and 1, for a launch and a region. */
static double any(const struct answer *a, const char *region)
{
    uint64_t x = hash_bytes(hash_text(HASH_START, region), &a->launch, sizeof a->launch);
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    return (double)((x ^ x >> 33) >> 11) / (double)(UINT64_C(1) << 53);
}

static double wrong(double cycles)
{
    return told("zero") > 0 ? 0 : told("few") > 0 ? cycles / 8 : told("double") > 0 ? 2 * cycles : cycles;
}

static double shown(const struct answer *a, const char *event, const char *region, double cycles, double missed)
{
    double slower = told("busy") > 0 ? 1 + (double)told("busy") / 100 * any(a, region) : 1;
    if (strcmp(event, "TSC_CYCLES") == 0)
        return round((cycles * slower + AROUND) / PER_TICK);
    if (strcmp(event, "CPU_CYCLES") == 0)
        return round(wrong(cycles * slower + AROUND));
    return strcmp(event, "BR_MIS_PRED") == 0 ? round(missed) : 2 * round(cycles);
}

/* Names have no spaces but in probes of memory. */
static void put_name(FILE *f, const char *name)
{
    for (; *name; name++)
        if (*name == ' ')
            fputs("%20", f);
        else
            fputc(*name, f);
}

static void put_region(struct answer *a, const char *name, double cycles, double missed, bool huge)
{
    fputs("region ", a->f);
    put_name(a->f, name);
    fputs(" 1 0 ", a->f);
    put_name(a->f, name);
    put(a, " 0 0 0 0 0 0 4000 %.0f 1000 1000", 1e6 * PER_TICK);
    fputs("value", a->f);
    for (size_t i = 0; i < a->n; i++)
        fprintf(a->f, " %.0f", huge ? 0x1p60 : shown(a, a->events[i], name, cycles, missed));
    put(a, "%s", "");
}

/* Of known work: a chain of additions, loads, misses, random branches; or a little of each. */
static void put_known(struct answer *a, const char *name, unsigned adds, unsigned branches)
{
    put(a, "known %s %u %u 0 0 0 %u", name, adds + 2 * branches, adds, branches);
    fputs("counted", a->f);
    for (size_t i = 0; i < a->n; i++)
        fprintf(a->f, " %.0f",
                strcmp(a->events[i], "CPU_CYCLES") == 0    ? wrong(adds + 10 * branches)
                : strcmp(a->events[i], "BR_MIS_PRED") == 0 ? branches / 2
                                                           : adds + 2 * branches);
    put(a, "%s", "");
}

/* SHIM_MEASURE_EVENTS, "NAME=TYPE:CONFIG,...". */
static void choose_events(struct answer *a)
{
    const char *source = getenv("SHIM_MEASURE_SOURCE"), *asked = getenv("SHIM_MEASURE_EVENTS");
    bool pmu = told("ticks") < 0 && asked && *asked && !(source && strcmp(source, "constant") == 0);
    for (; pmu && *asked && a->n < EVENTS; asked += strcspn(asked, ",") + (asked[strcspn(asked, ",")] == ','))
        a->events[a->n++] = xstrndup(asked, strcspn(asked, "="));
    if (!pmu)
        a->events[a->n++] = xstrdup("TSC_CYCLES");
}

static void put_head(struct answer *a, bool proves)
{
    put(a, "shim-measure 1");
    put(a, "source %s", ticks(a) ? "constant" : "pmu");
    put(a, "clock TSC_CYCLES 2000000000");
    put(a, "core_ppm %.0f", 1e6 * PER_TICK);
    put(a, "cache warm");
    put(a, "new_place 1");
    put(a, "priority fifo");
    put(a, "memory locked");
    put(a, "other_threads_ns 0");
    put(a, "calibrated full");
    put(a, "reads 0");
    if (ticks(a))
        put(a, "left_out CPU_CYCLES 13");
    for (size_t i = 0; i < a->n; i++)
        put(a, "event %s %.0f 0", a->events[i],
            i > 0      ? 0
            : ticks(a) ? 1000 * round(AROUND / PER_TICK)
                       : 1000 * wrong(AROUND));
    for (int i = 0; i < PASSES && proves && !ticks(a); i++) {
        put_known(a, "chain", 4096, 0);
        put_known(a, "branches", 0, 4096);
        put_known(a, "sentinel", 512, 512);
    }
    for (int i = 0; i < 2 && !proves && !ticks(a); i++)
        put_known(a, "sentinel", 512, 512);
    put(a, "own_regions 1");
}

static void put_trials(struct answer *a, const struct program *p)
{
    for (size_t i = 2 * p->first; i < 2 * p->run.trials.list.n; i++) {
        double cycles = p->cycles[i / 2][i % 2];
        if (!isfinite(cycles))
            continue;
        if (i % 2 && told("shrinks") == (long)(i / 2))
            cycles = p->cycles[i / 2][0] / 2;
        for (int again = 0; again < 2; again++) {
            char *name = xasprintf("%s_%zu", again ? "again" : "core", i);
            put_region(a, name, cycles, p->missed[i / 2][i % 2], i % 2 && told("huge") == (long)(i / 2));
            free(name);
        }
    }
}

/* ---- probes of memory ---- */

static void put_point(struct answer *a, const char *place, const char *quantity, char access, int bytes, double cycles)
{
    char *name = xasprintf("%s %s %c %d", place, quantity, access, bytes);
    put_region(a, name, POINT_ACCESSES * cycles, 0, false);
    free(name);
}

static void put_place(struct answer *a, const char *place, double latency, bool first)
{
    for (int bytes = 1; bytes <= 8; bytes *= 2) {
        put_point(a, place, "latency", 'R', bytes, latency + 1);
        put_point(a, place, "pitch", 'R', bytes, latency / 8);
        put_point(a, place, "latency", 'W', bytes, latency + 20);
        put_point(a, place, "pitch", 'W', bytes, latency / 4);
        if (first)
            put_point(a, place, "chain", 'R', bytes, latency);
    }
    if (!first)
        return;
    put_point(a, place, "pointer", 'R', 8, latency);
    put_point(a, place, "fence", 'W', 0, 20);
}

/* Of "L1=BYTES", "L2=BYTES" ... A level takes five times as long as the one before, and memory likewise. */
static void put_accesses(struct answer *a, char **levels)
{
    double latency = 4;
    for (char **level = levels; *level; level++, latency *= 5) {
        char *place = xasprintf("%.*s near", (int)strcspn(*level, "="), *level);
        put_place(a, place, latency, level == levels);
        free(place);
    }
    put_place(a, POINT_MEMORY " near", latency, false);
    put_place(a, POINT_MEMORY " far", 2 * latency, false);
}

/* ---- the whole ---- */

static enum status count_launch(struct answer *a, const char *state, struct error *e)
{
    struct str text = STR_INIT;
    struct error ignored = ERROR_INIT;
    char *path = path_join(state, "launches");
    a->launch = 1 + (file_read(&text, path, 64, &ignored) ? 0 : strtol(str_text(&text), NULL, 10));
    str_clear(&text);
    str_addf(&text, "%ld\n", a->launch);
    enum status s = file_write(path, str_text(&text), text.len, e);
    error_release(&ignored);
    str_release(&text);
    free(path);
    return s;
}

static enum status answer(struct program *p, char **argv, const char *out, const char *state, struct error *e)
{
    struct answer a = {0};
    bool proves = getenv("SHIM_MEASURE_PROVE") != NULL;
    enum status s = proves ? OK : count_launch(&a, state, e);
    if (!s && !proves && told("dies") == a.launch)
        raise(SIGSEGV);
    if (!s && !p->probe)
        s = find_cycles(p, argv[1], state, e);
    if (s)
        return s;
    a.f = fopen(out, "w");
    if (!a.f)
        return error_errno(e, AT_FILE(out), "cannot be written");
    choose_events(&a);
    put_head(&a, proves);
    if (!proves && !p->probe)
        put_trials(&a, p);
    else if (!proves && strcmp(p->probe, "access") == 0)
        put_accesses(&a, argv + 5);
    else if (!proves)
        put_region(&a, POINT_ALONE, 1000, 0, false);
    fprintf(a.f, "end %lu\n", a.lines);
    for (size_t i = 0; i < a.n; i++)
        free(a.events[i]);
    return fclose(a.f) ? error_errno(e, AT_FILE(out), "cannot be written") : OK;
}

int main(int argc, char **argv)
{
    struct error e = ERROR_INIT;
    struct program p = {0};
    const char *out = getenv("SHIM_MEASURE_OUT"), *state = getenv("WIDE_STATE");
    if (argc < 3 || !out || !state) {
        fputs("wide_board: CORE.ini PROGRAM, WIDE_STATE and SHIM_MEASURE_OUT are needed\n", stderr);
        return 2;
    }
    enum status s = read_program(&p, argv[2], &e);
    if (!s)
        s = answer(&p, argv, out, state, &e);
    if (s)
        error_print(&e, "wide_board");
    core_run_release(&p.run);
    free(p.cycles);
    free(p.missed);
    return s ? 1 : 0;
}
