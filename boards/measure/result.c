/* result.c - reads what runtime/rt_report.c has written. */
#include "boards/measure/result.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "boards/description/causes.h"

struct reader {
    struct run_result *r;
    const char *path;
    unsigned long line;
    char *at;    /* the rest of the line */
    bool beyond; /* a number of this line is larger than any run can have */
    struct error *e;
};

/* Limit on all counts: doubles hold whole numbers exactly up to here, and it is cycles of a month. */
#define MOST_COUNTED 0x1p53

static enum status broken(struct reader *d, const char *what)
{
    return error_set(d->e, ERR_INPUT, AT(d->path, d->line), "not a result of the measuring runtime: %s",
                     d->beyond ? "a number that no run can have" : what);
}

static char *next_word(struct reader *d)
{
    d->at += strspn(d->at, " ");
    char *word = d->at;
    d->at += strcspn(d->at, " ");
    if (*d->at)
        *d->at++ = 0;
    return word;
}

/* Takes a name and decodes %XX; "%" alone is the empty name. The caller frees. */
static char *next_name(struct reader *d)
{
    struct str name = STR_INIT;
    str_add(&name, "");
    for (const char *p = next_word(d); *p; p++) {
        char hex[3] = {0};
        if (*p == '%' && p[1] && p[2]) {
            memcpy(hex, p + 1, 2);
            str_addch(&name, (char)strtol(hex, 0, 16));
            p += 2;
        } else if (*p != '%') {
            str_addch(&name, *p);
        }
    }
    return str_detach(&name);
}

static bool next_integer(struct reader *d, long long *value)
{
    char *end;
    const char *word = next_word(d);
    errno = 0;
    *value = strtoll(word, &end, 10);
    return *word && !*end && !errno;
}

static bool next_count(struct reader *d, double *value)
{
    char *end;
    const char *word = next_word(d);
    errno = 0;
    *value = (double)strtoull(word, &end, 10);
    bool number = *word >= '0' && *word <= '9' && !*end;
    d->beyond = number && (errno || *value > MOST_COUNTED);
    return number && !d->beyond;
}

/* As next_count, but for a difference of two readings. If the program was moved, they may be of two cores' counters;
 * such a run does not count. */
static bool next_difference(struct reader *d, bool moved, double *value)
{
    bool good = next_count(d, value);
    if (good || !d->beyond || !moved)
        return good;
    d->beyond = false;
    *value = 0;
    return true;
}

/* Is it plain text? Names of events, and words that appear in messages and reports, must be. */
static bool is_plain(const char *text, bool spaces)
{
    for (; *text; text++)
        if (*text < '!' || *text > '~')
            if (!spaces || *text != ' ')
                return false;
    return true;
}

static enum status take_words(struct reader *d, char **to, const char *words)
{
    free(*to);
    *to = xstrdup(words);
    return is_plain(words, true) ? OK : broken(d, "a name that is not plain text");
}

static void replace(char **to, char *owned)
{
    free(*to);
    *to = owned;
}

static enum status line_source(struct reader *d)
{
    d->r->pmu = strcmp(next_word(d), "pmu") == 0;
    return OK;
}
static enum status line_clock(struct reader *d)
{
    enum status s = take_words(d, &d->r->clock, next_word(d));
    return s ? s : next_count(d, &d->r->clock_hz) ? OK : broken(d, "no frequency");
}
static enum status line_core(struct reader *d)
{
    double ppm;
    if (!next_count(d, &ppm))
        return broken(d, "no ratio");
    d->r->core_per_tick = ppm / 1e6;
    return OK;
}
static enum status line_own(struct reader *d)
{
    d->r->own_regions = strcmp(next_word(d), "1") == 0;
    return OK;
}
static enum status line_cache(struct reader *d)
{
    d->r->cold = strcmp(next_word(d), "cold") == 0;
    return OK;
}
static enum status line_place(struct reader *d)
{
    d->r->new_place = strcmp(next_word(d), "1") == 0;
    return OK;
}
static enum status line_flush(struct reader *d)
{
    if (!next_count(d, &d->r->flushes) || !next_count(d, &d->r->flush_bytes) || !next_count(d, &d->r->flush_skipped))
        return broken(d, "no size");
    return take_words(d, &d->r->flush_method, d->at);
}
static enum status line_priority(struct reader *d)
{
    return take_words(d, &d->r->priority, d->at);
}
static enum status line_memory(struct reader *d)
{
    return take_words(d, &d->r->memory, next_word(d));
}
static enum status line_threads(struct reader *d)
{
    return next_count(d, &d->r->other_threads_ns) ? OK : broken(d, "no time");
}

/* 0: the event does not fit; else the errno of perf_event_open. */
static const char *reason_text(long long reason)
{
    switch (reason) {
    case 0:
        return "it does not fit in the group of counters";
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV:
        return "this machine does not have it";
    case EACCES:
    case EPERM:
        return WHY_REFUSED " (sysctl kernel.perf_event_paranoid, or a container's seccomp profile)";
    case ENOSYS:
        return "the kernel is built without performance counters";
    default:
        return strerrordesc_np((int)reason) ? strerrordesc_np((int)reason) : "the kernel refuses it";
    }
}

static enum status line_left_out(struct reader *d)
{
    long long reason;
    char *name = next_word(d);
    if (!is_plain(name, false) || !next_integer(d, &reason) || reason < 0 || reason > INT_MAX)
        return broken(d, "no name and reason");
    vec_push(&d->r->left_out, xasprintf("%s: %s", name, reason_text(reason)));
    return OK;
}
static enum status line_event(struct reader *d)
{
    struct run_event event = {.name = xstrdup(next_word(d))};
    bool good =
        *event.name && is_plain(event.name, false) && next_count(d, &event.inside) && next_count(d, &event.pair);
    event.inside /= 1000;
    event.pair /= 1000;
    vec_push(&d->r->events, event);
    return good ? OK : broken(d, "an event without its overhead");
}
static enum status line_region(struct reader *d)
{
    struct run_region g = {.name = next_name(d)};
    enum { INTERRUPTS = 4 }; /* its index; -1: unknown */
    long long n[8];
    double enabled = 0, running = 0;
    bool good = next_count(d, &g.entries) && next_count(d, &g.pairs);
    g.outer = next_name(d);
    for (int i = 0; i < 8; i++)
        good = good && next_integer(d, &n[i]) && n[i] >= (i == INTERRUPTS ? -1 : 0);
    good = good && next_count(d, &enabled) && next_count(d, &running);
    if (good) {
        g.voluntary = (long)n[0];
        g.involuntary = (long)n[1];
        g.minor = (long)n[2];
        g.major = (long)n[3];
        g.interrupts = n[4];
        g.moved = n[5] != 0;
        g.width = (double)n[6] / 1000;
        g.clock = (double)n[7] / 1e6;
        g.enabled = (uint64_t)enabled;
        g.running = (uint64_t)running;
    }
    vec_push(&d->r->regions, g);
    return good ? OK : broken(d, "a region with too few numbers");
}
static enum status line_value_row(struct reader *d)
{
    struct run_result *r = d->r;
    if (r->regions.n == 0 || r->regions.at[r->regions.n - 1].raw)
        return broken(d, "values without a region");
    struct run_region *g = &r->regions.at[r->regions.n - 1];
    g->raw = xcalloc(r->events.n + 1, sizeof *g->raw);
    for (size_t i = 0; i < r->events.n; i++)
        if (!next_difference(d, g->moved, &g->raw[i]))
            return broken(d, "too few values");
    return *next_word(d) ? broken(d, "too many values") : OK;
}
static enum status line_calibrated(struct reader *d)
{
    d->r->calibrated = strcmp(next_word(d), "full") == 0;
    return OK;
}
static enum status line_reads(struct reader *d)
{
    return next_count(d, &d->r->reads) ? OK : broken(d, "no number of readings");
}
static enum status line_known(struct reader *d)
{
    struct run_known k = {.name = xstrdup(next_word(d))};
    bool good = *k.name && next_count(d, &k.instructions) && next_count(d, &k.adds) && next_count(d, &k.loads) &&
                next_count(d, &k.near) && next_count(d, &k.far) && next_count(d, &k.branches);
    vec_push(&d->r->known, k);
    return good ? OK : broken(d, "known work without its figures");
}
static enum status line_counted(struct reader *d)
{
    struct run_result *r = d->r;
    struct run_known *k = r->known.n ? &r->known.at[r->known.n - 1] : 0;
    if (!k || k->counted)
        return broken(d, "counts without known work");
    k->counted = xcalloc(r->events.n + 1, sizeof *k->counted);
    for (size_t i = 0; i < r->events.n; i++)
        if (!next_count(d, &k->counted[i]))
            return broken(d, "too few counts");
    return *next_word(d) ? broken(d, "too many counts") : OK;
}
static enum status line_problem(struct reader *d)
{
    replace(&d->r->problem, xstrdup(next_word(d)));
    replace(&d->r->problem_name, next_name(d));
    return cause_find(d->r->problem) ? OK : broken(d, "an unknown problem");
}

static const struct {
    const char *word;
    enum status (*take)(struct reader *);
} kinds[] = {{"source", line_source},         {"clock", line_clock},     {"core_ppm", line_core},
             {"cache", line_cache},           {"own_regions", line_own}, {"flush", line_flush},
             {"priority", line_priority},     {"memory", line_memory},   {"other_threads_ns", line_threads},
             {"left_out", line_left_out},     {"event", line_event},     {"region", line_region},
             {"value", line_value_row},       {"problem", line_problem}, {"new_place", line_place},
             {"calibrated", line_calibrated}, {"reads", line_reads},     {"known", line_known},
             {"counted", line_counted}};

static enum status take_line(struct reader *d)
{
    d->beyond = false;
    const char *word = next_word(d);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].word, word) == 0)
            return kinds[i].take(d);
    return broken(d, "an unknown line");
}

/* If the runtime reported a problem (lost counters, an open region), the error says that and not its consequences. */
static enum status check_regions(struct reader *d)
{
    const struct run_result *r = d->r;
    bool cycles = r->pmu && r->events.n && board_is_cycle_event(r->events.at[0].name);
    for (size_t i = 0; !r->problem && i < r->regions.n; i++) {
        const struct run_region *g = &r->regions.at[i];
        const char *wrong = g->entries <= 0                                   ? "is never entered"
                            : cycles && g->raw && !g->moved && g->raw[0] <= 0 ? "takes no cycles"
                                                                              : 0;
        if (wrong)
            return error_set(d->e, ERR_INPUT, AT_FILE(d->path), "not a result of the measuring runtime: region '%s' %s",
                             g->name, wrong);
    }
    return OK;
}

static enum status take_lines(struct reader *d, char *text)
{
    bool ended = false;
    enum status s = OK;
    for (char *next = text; *next && !s && !ended;) {
        char *eol = strchr(next, '\n');
        d->line++;
        d->at = next;
        if (!eol)
            break; /* cut off within a line */
        *eol = 0;
        next = eol + 1;
        if (d->line == 1) {
            s = strcmp(d->at, "shim-measure 1") == 0 ? OK : broken(d, "the first line is not 'shim-measure 1'");
        } else if (strncmp(d->at, "end ", 4) == 0) {
            long n;
            ended = parse_long(d->at + 4, &n) && n == (long)d->line - 1 && !*next;
            if (!ended)
                s = broken(d, "the last line does not fit the others");
        } else {
            s = take_line(d);
        }
    }
    if (!s && !ended)
        s = error_set(d->e, ERR_INPUT, AT_FILE(d->path), "the result is cut: the line 'end' is missing");
    return s ? s : check_regions(d);
}

enum status run_result_read(struct run_result **out, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, (size_t)64 << 20, e);
    if (s)
        return s;
    struct run_result *r = xcalloc(1, sizeof *r);
    r->calibrated = true;
    struct reader d = {.r = r, .path = path, .e = e};
    if (memchr(str_text(&text), 0, text.len))
        s = broken(&d, "it holds a NUL byte");
    else
        s = take_lines(&d, text.s ? text.s : (char *)"");
    for (size_t i = 0; i < r->regions.n && !s; i++)
        if (!r->regions.at[i].raw)
            s = broken(&d, "a region without values");
    for (size_t i = 0; i < r->known.n && !s; i++)
        if (!r->known.at[i].counted)
            s = broken(&d, "known work without counts");
    if (!s && (r->events.n == 0 || !r->clock || !r->priority || !r->memory))
        s = broken(&d, "lines are missing");
    str_release(&text);
    if (s) {
        run_result_free(r);
        return s;
    }
    *out = r;
    return OK;
}

void run_result_free(struct run_result *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->regions.n; i++) {
        free(r->regions.at[i].name);
        free(r->regions.at[i].outer);
        free(r->regions.at[i].raw);
    }
    for (size_t i = 0; i < r->events.n; i++)
        free(r->events.at[i].name);
    for (size_t i = 0; i < r->known.n; i++) {
        free(r->known.at[i].name);
        free(r->known.at[i].counted);
    }
    vec_release(&r->known);
    for (size_t i = 0; i < r->left_out.n; i++)
        free(r->left_out.at[i]);
    vec_release(&r->regions);
    vec_release(&r->events);
    vec_release(&r->left_out);
    free(r->clock);
    free(r->priority);
    free(r->memory);
    free(r->flush_method);
    free(r->problem);
    free(r->problem_name);
    free(r);
}

bool group_complete(uint64_t enabled, uint64_t running)
{
    return running == enabled; /* both 0: the region is shorter than the kernel's clock resolves */
}

double net_value(double raw, double entries, double pairs, double inside, double pair)
{
    double net = raw - entries * inside - pairs * pair;
    return net > 0 ? net : 0;
}

enum status run_result_check(const struct run_result *r, const char *program, struct error *e)
{
    if (r->problem) {
        const char *detail = r->problem_name;
        if (strcmp(r->problem, "no-pmu") == 0 && r->left_out.n) {
            char *why = xasprintf(" (%s)", r->left_out.at[0]);
            cause_error(e, ERR_UNSUPPORTED, program, r->problem, why);
            free(why);
            return ERR_UNSUPPORTED;
        }
        return cause_error(e, ERR_UNSUPPORTED, program, r->problem, detail);
    }
    if (r->other_threads_ns > 20e3) { /* less is within the resolution of the two clocks */
        char *ms = xasprintf("%.3f", r->other_threads_ns / 1e6);
        cause_error(e, ERR_UNSUPPORTED, program, "threads", ms);
        free(ms);
        return ERR_UNSUPPORTED;
    }
    for (size_t i = 0; i < r->regions.n && r->pmu; i++)
        if (!group_complete(r->regions.at[i].enabled, r->regions.at[i].running))
            return cause_error(e, ERR_UNSUPPORTED, program, "multiplexed", r->regions.at[i].name);
    if (r->regions.n == 0)
        return error_set(e, ERR_INPUT, NOWHERE, "%s: no region was measured", program);
    return OK;
}
