/* record.c - runs perf on a program as often as its events need counters, and checks the counters first. */
#include "shimgen/offload/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/proc.h"
#include "base/str.h"

/* runs whose instructions differ by more are not of the same program */
#define SAME_WORK 0.05
/* below this fraction of the time, an event shares its counter with another one */
#define WHOLE_TIME 0.995
enum { FIXED_MOST = 2 }; /* time and instructions, which are in each set */

struct recorder {
    const struct offload_recording *r;
    char *perf;               /* owned: its path */
    VEC(const char *) events; /* borrowed: events to count */
    const char *fixed[FIXED_MOST];
    size_t n_fixed, counters, next, files;
    double instructions; /* of the first set; 0: not known */
};
/* A set of events that is counted in one run. */
struct set {
    const char *events[FIXED_MOST + OFFLOAD_COUNTERS_MOST];
    double counts[FIXED_MOST + OFFLOAD_COUNTERS_MOST]; /* NAN: the counter does not work */
    size_t n;
    bool shared; /* counters were multiplexed */
};

/* ---- perf ---- */

/* Runs perf with these arguments, followed by the user's command if `with_command`. */
static enum status run_perf(const struct recorder *p, const char *const *arguments, bool with_command,
                            const char *out_path, bool quiet, int *exit_code, struct error *e)
{
    VEC(const char *) argv = {0};
    struct proc_result result = PROC_RESULT_INIT;
    vec_push(&argv, p->perf);
    for (; *arguments; arguments++)
        vec_push(&argv, *arguments);
    for (size_t i = 0; with_command && p->r->command[i]; i++)
        vec_push(&argv, p->r->command[i]);
    vec_push(&argv, NULL);
    struct proc run = {.argv = argv.at, .out_path = out_path, .capture = quiet, .cpu = -1};
    enum status s = proc_run(&run, &result, e);
    if (!s && result.signal)
        s = error_set(e, ERR_SYSTEM, NOWHERE, "perf %s was ended by signal %d", argv.at[1], result.signal);
    *exit_code = result.exit_code;
    proc_result_release(&result);
    vec_release(&argv);
    return s;
}

static char *event_list(const struct set *set)
{
    struct str text = STR_INIT;
    for (size_t i = 0; i < set->n; i++)
        str_addf(&text, "%s%s:u", i ? "," : "", set->events[i]);
    char *list = xstrdup(str_text(&text));
    str_release(&text);
    return list;
}

/* Reads "1234,,cycles:u,5678,100.00,..." of `perf stat -x,`. */
static void read_count(struct set *set, const char *line, size_t n)
{
    char *text = xstrndup(line, n), *rest = text, *field[5];
    size_t fields = 0;
    while (fields < 5 && (field[fields] = strsep(&rest, ",")))
        fields++;
    for (size_t i = 0; fields >= 3 && i < set->n; i++) {
        size_t length = strlen(set->events[i]);
        double running;
        if (strncmp(field[2], set->events[i], length) != 0 || (field[2][length] && field[2][length] != ':'))
            continue;
        if (!parse_double(field[0], &set->counts[i])) /* "<not supported>", "<not counted>" */
            set->counts[i] = NAN;
        if (fields == 5 && parse_double(field[4], &running) && running < 100 * WHOLE_TIME)
            set->shared = true;
    }
    free(text);
}

static enum status count_set(struct recorder *p, struct set *set, bool with_command, struct error *e)
{
    char *path = xasprintf("%s/counts", p->r->folder), *list = event_list(set);
    const char *arguments[] = {"stat", "-x", ",", "-o", path, "-e", list, "--", with_command ? NULL : "true", NULL};
    struct str text = STR_INIT;
    int exit_code;
    set->shared = false;
    for (size_t i = 0; i < set->n; i++)
        set->counts[i] = NAN;
    unlink(path);
    enum status s = run_perf(p, arguments, with_command, NULL, !with_command, &exit_code, e);
    if (!s && with_command && exit_code)
        s = error_set(e, ERR_SYSTEM, NOWHERE,
                      "perf stat %s ends with %d: the command fails, or perf may not count here", p->r->command[0],
                      exit_code);
    if (!s && file_exists(path))
        s = file_read(&text, path, FILE_LIMIT, e);
    for (const char *line = str_text(&text); !s && *line; line += strcspn(line, "\n"), line += *line == '\n')
        read_count(set, line, strcspn(line, "\n"));
    unlink(path);
    str_release(&text);
    free(path);
    free(list);
    return s;
}

static enum status sample_set(struct recorder *p, const struct set *set, struct error *e)
{
    char *list = event_list(set), *data = xasprintf("%s/samples", p->r->folder);
    char *text = xasprintf("%s/%zu.txt", p->r->folder, p->files + 1);
    const char *record[] = {"record", "-q", "-g", "-o", data, "-e", list, "--", NULL};
    const char *script[] = {"script", "-i", data, "-F", "comm,tid,time,period,event,ip,sym,dso", NULL};
    int exit_code;
    enum status s = run_perf(p, record, true, NULL, false, &exit_code, e);
    if (!s && !exit_code)
        s = run_perf(p, script, false, text, false, &exit_code, e);
    if (!s && exit_code)
        s = error_set(e, ERR_SYSTEM, NOWHERE, "perf cannot sample %s: it ends with %d", list, exit_code);
    unlink(data);
    p->files += !s;
    free(list);
    free(data);
    free(text);
    return s;
}

/* ---- which events exist ---- */

static enum status is_known(bool *known, struct recorder *p, const char *event, struct error *e)
{
    struct set set = {.events = {event}, .n = 1};
    enum status s = count_set(p, &set, false, e);
    *known = !s && !isnan(set.counts[0]);
    return s;
}

/* Finds the events of each set: for time, the first existing one of a list; and instructions, to compare the runs. */
static enum status find_events(struct recorder *p, struct error *e)
{
    const struct event_weights *w = p->r->weights;
    bool time = false, instructions = false;
    enum status s = OK;
    for (size_t i = 0; !s && i < w->events.n; i++) {
        enum event_meaning m = w->events.at[i].meaning;
        bool timing = m == EVENT_CYCLES || m == EVENT_SECONDS, known;
        if ((timing && time) || (m == EVENT_INSTRUCTIONS && instructions))
            continue;
        s = is_known(&known, p, w->events.at[i].event, e);
        if (!known && !s)
            fprintf(stderr, "shimgen: perf cannot count %s here: it is left out\n", w->events.at[i].event);
        if (s || !known)
            continue;
        time |= timing;
        instructions |= m == EVENT_INSTRUCTIONS;
        if (timing || m == EVENT_INSTRUCTIONS)
            p->fixed[p->n_fixed++] = w->events.at[i].event;
        else
            vec_push(&p->events, w->events.at[i].event);
    }
    if (!s && !time)
        s = error_set(
            e, ERR_UNSUPPORTED, AT_FILE(w->path),
            "perf can count no event of sections [cycles] and [seconds] here; does this machine let perf count "
            "(perf_event_paranoid, a virtual machine without counters)?");
    if (!s && !p->events.n)
        s = error_set(e, ERR_UNSUPPORTED, AT_FILE(w->path),
                      "perf can count no event of sections [operations] and [bytes] here; take another --events FILE");
    return s;
}

/* ---- sets ---- */

static void fill_set(struct set *set, const struct recorder *p)
{
    set->n = 0;
    for (size_t i = 0; i < p->n_fixed; i++)
        set->events[set->n++] = p->fixed[i];
    for (size_t i = 0; i < p->counters && p->next + i < p->events.n; i++)
        set->events[set->n++] = p->events.at[p->next + i];
}

static bool is_instructions(const struct recorder *p, const char *event)
{
    for (size_t i = 0; i < p->r->weights->events.n; i++)
        if (strcmp(p->r->weights->events.at[i].event, event) == 0)
            return p->r->weights->events.at[i].meaning == EVENT_INSTRUCTIONS;
    return false;
}

/* Time and instructions must count. If they read nothing, the counters do not work. If instructions differ from the
 * first set's, the runs do not belong together. */
static enum status check_fixed(struct recorder *p, const struct set *set, struct error *e)
{
    for (size_t i = 0; i < p->n_fixed; i++) {
        double count = set->counts[i];
        if (!(count > 0))
            return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                             "%s counts nothing in a whole run of %s: the counters do not work here", set->events[i],
                             p->r->command[0]);
        if (!is_instructions(p, set->events[i]))
            continue;
        if (p->instructions > 0 && fabs(count / p->instructions - 1) > SAME_WORK)
            return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                             "%s executes %.0f instructions in one run and %.0f in another: its runs cannot be put "
                             "together; give it the same input each time",
                             p->r->command[0], p->instructions, count);
        if (p->instructions <= 0)
            p->instructions = count;
    }
    return OK;
}

/* Removes events that count nothing in a whole run. */
static void drop_dead(struct set *set, const struct recorder *p)
{
    size_t kept = p->n_fixed;
    for (size_t i = p->n_fixed; i < set->n; i++) {
        if (set->counts[i] > 0)
            set->events[kept++] = set->events[i];
        else
            fprintf(stderr,
                    "shimgen: %s counts nothing in a whole run: the program has none of them, or the counter does not "
                    "work; it is left out\n",
                    set->events[i]);
    }
    set->n = kept;
}

static enum status record_set(struct recorder *p, struct error *e)
{
    struct set set;
    fill_set(&set, p);
    size_t counted = set.n - p->n_fixed;
    enum status s = count_set(p, &set, true, e);
    if (!s && set.shared && p->counters > 1) {
        p->counters--;
        fprintf(stderr, "shimgen: the processor has too few counters: counted again, at most %zu at once\n",
                p->counters);
        return OK;
    }
    if (!s && set.shared)
        s = error_set(e, ERR_UNSUPPORTED, NOWHERE,
                      "the counters are shared with another program: %s is not counted all "
                      "the time",
                      set.events[set.n - 1]);
    if (!s)
        s = check_fixed(p, &set, e);
    if (s)
        return s;
    p->next += counted;
    drop_dead(&set, p);
    return set.n > p->n_fixed ? sample_set(p, &set, e) : OK;
}

enum status offload_record(size_t *files, const struct offload_recording *r, struct error *e)
{
    struct recorder p = {.r = r, .perf = proc_find("perf"), .counters = r->counters < 64 ? r->counters : 64};
    enum status s = p.perf
                        ? make_directories(r->folder, e)
                        : error_set(e, ERR_UNSUPPORTED, NOWHERE, "perf is not here; on Debian: apt install linux-perf");
    if (!s)
        s = find_events(&p, e);
    while (!s && p.next < p.events.n)
        s = record_set(&p, e);
    if (!s && !p.files)
        s = error_set(e, ERR_UNSUPPORTED, NOWHERE,
                      "no event of sections [operations] and [bytes] counts anything in %s: nothing is recorded",
                      r->command[0]);
    *files = p.files;
    vec_release(&p.events);
    free(p.perf);
    return s;
}
