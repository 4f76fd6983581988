/* kit_log.c - reads the lines of a log in order: starts of the part, and complete programs. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "boards/kit/kit.h"

/* The program whose lines are being read. */
struct kit_reading {
    struct kit_program p;
    uint32_t block, lines; /* checksum and number of its lines so far */
    bool problem;          /* the kit itself says that it is of no use */
};

/* No part can have more. They limit what a hostile log can make us do. */
enum { MOST_PROGRAMS = 4096, MOST_STARTS = 4096 };
#define LOG_LIMIT ((size_t)64 << 20)

struct reader {
    struct kit_log *log;
    const char *path; /* borrowed from the log */
    unsigned long line;
    struct error *e;
};

/* ---- memory ---- */

struct kit_log *kit_log_new(void)
{
    return xcalloc(1, sizeof(struct kit_log));
}

static void program_release(struct kit_program *p)
{
    for (size_t i = 0; i < p->regions.n; i++)
        free(p->regions.at[i].name);
    vec_release(&p->regions);
    free(p->name);
    free(p->origin);
}

static void drop_reading(struct kit_session *s)
{
    if (s->reading)
        program_release(&s->reading->p);
    free(s->reading);
    s->reading = 0;
}

void kit_log_free(struct kit_log *log)
{
    if (!log)
        return;
    for (size_t i = 0; i < log->programs.n; i++)
        program_release(&log->programs.at[i]);
    for (size_t i = 0; i < log->sessions.n; i++) {
        drop_reading(&log->sessions.at[i]);
        free(log->sessions.at[i].name);
        free(log->sessions.at[i].counter);
    }
    for (size_t i = 0; i < log->paths.n; i++)
        free(log->paths.at[i]);
    for (size_t i = 0; i < log->notes.n; i++)
        free(log->notes.at[i]);
    vec_release(&log->programs);
    vec_release(&log->sessions);
    vec_release(&log->paths);
    vec_release(&log->notes);
    free(log);
}

/* ---- lines ---- */

static enum status broken(const struct reader *r, const char *what)
{
    return error_set(r->e, ERR_INPUT, AT(r->path, r->line),
                     "a complete line that the kit does not print: %s; use the log of a kit of this version", what);
}

/* The latest session with this tag. NULL: its first line is missing. */
static struct kit_session *session_of(struct kit_log *log, uint32_t tag)
{
    for (size_t i = log->sessions.n; i--;)
        if (log->sessions.at[i].tag == tag)
            return &log->sessions.at[i];
    return 0;
}

/* Marks the current program as incomplete. */
static void cut_reading(struct reader *r, struct kit_session *s, const char *why)
{
    const struct kit_reading *p = s->reading;
    if (p && !p->problem)
        vec_push(&r->log->notes, xasprintf("%s:%lu: %s is incomplete (%s): left out unless it appears again", p->p.path,
                                           p->p.line, p->p.name, why));
    drop_reading(s);
}

static bool numbers(const struct kit_line *l, size_t from, size_t n, uint32_t *to)
{
    bool good = l->n >= from + n;
    for (size_t i = 0; i < n && good; i++)
        good = kit_number(l->fields[from + i], &to[i]);
    return good;
}

/* Takes "start 1 IMAGE PART STARTS PROGRAMS NAME". */
static enum status take_start(struct reader *r, const struct kit_line *l)
{
    uint32_t n[5];
    if (l->n != 6 || !numbers(l, 0, 5, n))
        return broken(r, "start");
    if (n[4] > MOST_PROGRAMS)
        return broken(r, "more programs than an image can have");
    if (r->log->sessions.n == MOST_STARTS)
        return error_set(r->e, ERR_INPUT, AT(r->path, r->line),
                         "the part was started more than %d times; take the text since it runs through", MOST_STARTS);
    if (n[0] != 1)
        return error_set(r->e, ERR_UNSUPPORTED, AT(r->path, r->line),
                         "a log of version %u; this shimgen reads version 1: make the kit again", n[0]);
    for (size_t i = 0; i < r->log->sessions.n; i++)
        if (r->log->sessions.at[i].part == n[2])
            cut_reading(r, &r->log->sessions.at[i], "the part was started again");
    vec_push(&r->log->sessions, (struct kit_session){.path = r->path,
                                                     .line = r->line,
                                                     .tag = l->tag,
                                                     .last = l->number,
                                                     .image = n[1],
                                                     .part = n[2],
                                                     .starts = n[3],
                                                     .n_programs = n[4],
                                                     .name = xstrdup(l->fields[5]),
                                                     .counter = xstrdup("")});
    return OK;
}

/* Takes "conditions HZ WAIT INTERRUPTS CACHES MPU COLD RUNS BITS COUNTER". */
static enum status take_conditions(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    uint32_t n[8];
    if (l->n != 9 || !numbers(l, 0, 8, n))
        return broken(r, l->word);
    s->hz = n[0];
    s->wait_states = n[1];
    s->interrupts = n[2];
    s->caches = n[3];
    s->mpu = n[4];
    s->cold = n[5];
    s->runs = n[6];
    s->bits = n[7];
    free(s->counter);
    s->counter = xstrdup(l->fields[8]);
    s->has_conditions = true;
    return OK;
}

static enum status take_loops(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    uint32_t n[3];
    if (l->n != 3 || !numbers(l, 0, 3, n))
        return broken(r, l->word);
    s->iterations = n[0];
    s->once = n[1];
    s->twice = n[2];
    s->has_loops = true;
    return OK;
}

static enum status take_clocks(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    uint32_t n[2];
    if (l->n != 3 || !kit_long_number(l->fields[0], &s->clock_cycles) || !numbers(l, 1, 2, n))
        return broken(r, l->word);
    s->ticks = n[0];
    s->ticks_hz = n[1];
    s->has_clocks = true;
    return OK;
}

static enum status take_cost(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    uint32_t n[3];
    if (l->n != 3 || !numbers(l, 0, 3, n) || n[0] == 0)
        return broken(r, l->word);
    s->empties = n[0];
    s->inside = n[1];
    s->around = n[2];
    s->has_cost = true;
    return OK;
}

/* Takes "problem WORD NAME", which is about the current program, or about the part. */
static enum status take_problem(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    if (l->n != 2)
        return broken(r, l->word);
    if (strcmp(l->fields[0], "counter-still") == 0)
        return error_set(r->e, ERR_INPUT, AT(r->path, r->line),
                         "the counter %s of '%s' stands still: nothing can be measured by it; choose another one in "
                         "shim_port.h (SHIM_COUNTER), or find out what keeps it from counting",
                         l->fields[1], s->name);
    if (s->reading) {
        s->reading->problem = true;
        vec_push(&r->log->notes, xasprintf("%s:%lu: %s is left out: %s (%s)", r->path, r->line, s->reading->p.name,
                                           l->fields[0], l->fields[1]));
    }
    return OK;
}

static enum status take_passed(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    uint32_t index;
    (void)s;
    if (l->n != 2 || !numbers(l, 0, 1, &index))
        return broken(r, l->word);
    vec_push(&r->log->notes,
             xasprintf("%s:%lu: %s is left out: the part was reset each time that it ran (a watchdog, a "
                       "fault?)",
                       r->path, r->line, l->fields[1]));
    return OK;
}

static enum status take_done(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    uint32_t starts;
    if (l->n != 1 || !numbers(l, 0, 1, &starts))
        return broken(r, l->word);
    s->done = true;
    return OK;
}

/* Takes "program INDEX WORK ID ORIGIN NAME". */
static enum status take_program(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    uint32_t n[3];
    if (l->n != 5 || !numbers(l, 0, 3, n))
        return broken(r, l->word);
    if (strcmp(l->fields[3], "ir") != 0 && strcmp(l->fields[3], "c") != 0)
        return broken(r, "a program that is made neither from 'ir' nor from 'c'");
    cut_reading(r, s, "its end did not come");
    struct kit_reading *p = s->reading = xcalloc(1, sizeof *p);
    p->p = (struct kit_program){.name = xstrdup(l->fields[4]),
                                .origin = xstrdup(l->fields[3]),
                                .index = n[0],
                                .work = n[1],
                                .id = n[2],
                                .session = (size_t)(s - r->log->sessions.at),
                                .path = r->path,
                                .line = r->line};
    p->block = UINT32_MAX;
    return OK;
}

/* Takes "region RUN ENTRIES PAIRS CYCLES NAME". */
static enum status take_region(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    uint32_t n[3];
    double cycles;
    if (l->n != 5 || !numbers(l, 0, 3, n) || !kit_long_number(l->fields[3], &cycles))
        return broken(r, l->word);
    if (s->reading)
        vec_push(&s->reading->p.regions, (struct kit_region){xstrdup(l->fields[4]), n[0], n[1], n[2], cycles});
    return OK;
}

/* Takes "end INDEX RUNS LINES CHECKSUM". The program is kept if all of its lines have come. */
static enum status take_end(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    struct kit_reading *p = s->reading;
    uint32_t n[4];
    if (l->n != 4 || !numbers(l, 0, 4, n))
        return broken(r, l->word);
    if (!p)
        return OK;
    if (p->lines != n[2] || (p->block ^ UINT32_MAX) != n[3] || p->p.index != n[0]) {
        cut_reading(r, s, "some of its lines are missing");
        return OK;
    }
    p->p.runs = n[1];
    if (!p->problem && !p->p.regions.n)
        vec_push(&r->log->notes, xasprintf("%s:%lu: %s is left out: it has no region", r->path, r->line, p->p.name));
    if (!p->problem && p->p.runs && p->p.regions.n) {
        vec_push(&r->log->programs, p->p);
        p->p = (struct kit_program){0};
    }
    drop_reading(s);
    return OK;
}

static const struct {
    const char *word;
    enum status (*take)(struct reader *, struct kit_session *, const struct kit_line *);
} words[] = {{"conditions", take_conditions},
             {"loops", take_loops},
             {"clocks", take_clocks},
             {"cost", take_cost},
             {"problem", take_problem},
             {"done", take_done},
             {"program", take_program},
             {"region", take_region},
             {"end", take_end},
             {"passed", take_passed}};

static enum status take_word(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, l->word) == 0)
            return words[i].take(r, s, l);
    return broken(r, "an unknown word");
}

/* Each line of a start has a higher number than the previous one. Lines in between may be missing. */
static enum status check_order(struct reader *r, struct kit_session *s, const struct kit_line *l)
{
    if (l->number > s->last) {
        s->last = l->number;
        return OK;
    }
    return error_set(
        r->e, ERR_INPUT, AT(r->path, r->line),
        "line %u of a start after its line %u: two boards are mixed in this log, or its lines are not in "
        "their order; import each board's text by itself (and give each an ID: SHIM_PORT_ID in shim_port.h)",
        l->number, s->last);
}

/* All lines of a program except the last one are part of its checksum. */
static void add_to_block(struct kit_session *s, const struct kit_line *l)
{
    if (!s->reading || strcmp(l->word, "end") == 0)
        return;
    s->reading->block = kit_crc(s->reading->block, l->body, l->length);
    s->reading->lines++;
}

static enum status take_good(struct reader *r, const struct kit_line *l)
{
    if (strcmp(l->word, "start") == 0)
        return take_start(r, l);
    struct kit_session *s = session_of(r->log, l->tag);
    if (!s)
        return OK; /* its start is missing, so its conditions are not known */
    enum status status = check_order(r, s, l);
    bool first = strcmp(l->word, "program") == 0;
    if (!status && !first)
        add_to_block(s, l);
    if (!status)
        status = take_word(r, s, l);
    if (first)
        add_to_block(s, l);
    return status;
}

static enum status take_line(struct reader *r, const char *text)
{
    struct kit_line l;
    enum kit_line_kind kind = kit_line_take(&l, text);
    r->log->broken += kind == KIT_LINE_BROKEN;
    r->log->good += kind == KIT_LINE_GOOD;
    enum status s = kind == KIT_LINE_GOOD ? take_good(r, &l) : OK;
    kit_line_release(&l);
    return s;
}

enum status kit_log_read(struct kit_log *log, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, LOG_LIMIT, e);
    if (s)
        return s;
    vec_push(&log->paths, xstrdup(path));
    struct reader r = {log, log->paths.at[log->paths.n - 1], 0, e};
    for (size_t i = 0; i < text.len; i++)
        if (!text.s[i])
            text.s[i] = '?';
    for (char *at = text.len ? text.s : (char *)"", *next; *at && !s; at = next) {
        size_t n = strcspn(at, "\n");
        next = at + n + (at[n] == '\n');
        at[n] = 0;
        r.line++;
        s = take_line(&r, at);
    }
    str_release(&text);
    return s;
}
