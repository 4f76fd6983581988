/* engine_slurm.c - runs tasks as a job array of Slurm. Slurm queues them, gives each a processor, and requeues those of
 * a failed node. The build's folder must be shared by all nodes. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "shimgen/farm/engine_private.h"

enum { ARRAY_DEFAULT = 1001 }; /* MaxArraySize if scontrol does not tell; slurm.conf(5) */
#define LOOK_S  0.3            /* between checks of the results' folder */
#define QUEUE_S 5.0            /* between requests to the controller */
/* time that a result may take to appear on a shared file system after its job has ended */
#define LATE_S 3.0
enum { MOST_UNANSWERED = 24 }; /* unanswered requests in a row: two minutes */

/* ---- the cluster ---- */

/* The number after `key` in lines "key = number"; `otherwise` if there is none. */
static size_t number_of(const char *text, const char *key, size_t otherwise)
{
    const char *at = strstr(text, key);
    at = at ? strchr(at, '=') : 0;
    long n = at ? strtol(at + 1, 0, 10) : 0;
    return n > 0 ? (size_t)n : otherwise;
}

/* Lines of sinfo about the partition, or the default one. The caller frees. */
static enum status ask_nodes(const struct engine *g, const char *format, char **out, struct error *e)
{
    const char *argv[8] = {"sinfo", "-h", "-N", "-o", format, 0};
    if (g->argument) {
        argv[5] = "-p";
        argv[6] = g->argument;
    }
    return engine_ask(argv, out, e);
}

static enum status no_partition(const struct engine *g, struct error *e)
{
    char *all = 0;
    enum status s = engine_ask((const char *const[]){"sinfo", "-h", "-o", "%R", 0}, &all, e);
    if (s)
        return s;
    char **words = words_of(all, "\n"), *list = words_text(words);
    s = error_set(e, ERR_INPUT, NOWHERE, "Slurm has no partition '%s' with nodes; it has: %s",
                  g->argument ? g->argument : "default", *list ? list : "none");
    free(list);
    words_free(words);
    free(all);
    return s;
}

/* Takes "node1 idle 0/4/0/4": name, state, processors (allocated/idle/other/total). Nodes out of service are not
 * used. */
static void take_node(struct engine *g, char *line, struct str *states)
{
    char **words = words_of(line, " ");
    unsigned allocated = 0, idle = 0;
    if (words[0] && words[1] && words[2] && sscanf(words[2], "%u/%u", &allocated, &idle) == 2) {
        str_addf(states, "%s%s is %s", states->len ? ", " : "", words[0], words[1]);
        if (allocated + idle) {
            g->processors += allocated + idle;
            vec_push(&g->places, xstrdup(words[0]));
        }
    }
    words_free(words);
}

static enum status find_nodes(struct engine *g, struct error *e)
{
    char *text = 0;
    struct str states = STR_INIT;
    enum status s = ask_nodes(g, "%N %T %C", &text, e);
    if (s)
        return s;
    char **lines = words_of(text, "\n");
    if (!*lines)
        s = no_partition(g, e);
    g->processors = 0;
    for (char **l = lines; *l; l++)
        take_node(g, *l, &states);
    if (!s && !g->places.n)
        s = error_set(e, ERR_SYSTEM, NOWHERE, "no node of Slurm's partition '%s' is in service (%s)",
                      g->argument ? g->argument : "default", str_text(&states));
    words_free(lines);
    str_release(&states);
    free(text);
    return s;
}

static enum status slurm_open(struct engine *g, struct error *e)
{
    static const char *const needed[] = {"sbatch", "squeue", "scancel", "sinfo", "scontrol"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        char *path = proc_find(needed[i]);
        if (!path)
            return error_set(e, ERR_SYSTEM, NOWHERE, "--on slurm: there is no %s here; install slurm-client",
                             needed[i]);
        free(path);
    }
    char *config = 0;
    enum status s = engine_ask((const char *const[]){"scontrol", "show", "config", 0}, &config, e);
    if (!s)
        g->most_tasks = number_of(config, "MaxArraySize", ARRAY_DEFAULT) - 1;
    free(config);
    return s ? error_context(e, "--on slurm: the controller does not answer") : find_nodes(g, e);
}

/* ---- a job ---- */

static bool is_chosen(const struct engine_batch *b, const char *place)
{
    for (size_t i = 0; i < b->n_places; i++)
        if (strcmp(b->places[i], place) == 0)
            return true;
    return !b->n_places;
}

/* Nodes of the partition that must not be used, separated by commas. The caller frees. */
static char *others(const struct engine *g, const struct engine_batch *b)
{
    struct str s = STR_INIT;
    for (size_t i = 0; i < g->places.n; i++)
        if (!is_chosen(b, g->places.at[i]))
            str_addf(&s, "%s%s", s.len ? "," : "", g->places.at[i]);
    return s.len ? str_detach(&s) : 0;
}

/* "0-3,7": indices of an array in sbatch's form. The caller frees. */
static char *ranges(const size_t *tasks, size_t n)
{
    struct str s = STR_INIT;
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && tasks[k] == tasks[k - 1] + 1; k++)
            ;
        str_addf(&s, k - i > 1 ? "%s%zu-%zu" : "%s%zu", s.len ? "," : "", tasks[i], tasks[k - 1]);
    }
    return str_detach(&s);
}

static void add_owned(struct str *list, char *owned)
{
    str_add(list, owned);
    str_addch(list, '\n');
    free(owned);
}

/* *job: its number. The caller frees. */
static enum status submit(const struct engine *g, const struct engine_batch *b, char **job, struct error *e)
{
    struct str args = STR_INIT; /* one per line; Slurm itself refuses a path with a line break */
    char *folder = xasprintf("%s/", b->folder), *not_on = others(g, b), *array = ranges(b->tasks, b->n);
    char *command = task_command(folder, "$SLURM_ARRAY_TASK_ID", "\"$SLURMD_NODENAME\"");
    str_add(&args, "sbatch\n--parsable\n--requeue\n--open-mode=truncate\n--job-name=shimgen\n--ntasks=1\n");
    add_owned(&args, xasprintf("--array=%s", array));
    add_owned(&args, xasprintf("--chdir=%s", b->folder));
    add_owned(&args, xasprintf("--output=%slogs/%%a.txt", folder));
    if (g->argument)
        add_owned(&args, xasprintf("--partition=%s", g->argument));
    if (not_on)
        add_owned(&args, xasprintf("--exclude=%s", not_on));
    add_owned(&args, xasprintf("--wrap=exec %s", command));
    char **words = words_of(str_text(&args), "\n"), *said = 0;
    enum status s = engine_ask((const char *const *)words, &said, e);
    if (!s) { /* "NUMBER" or "NUMBER;CLUSTER" */
        said[strcspn(said, ";\n")] = 0;
        *job = said;
    }
    words_free(words);
    str_release(&args);
    free(command);
    free(array);
    free(not_on);
    free(folder);
    return s;
}

static void cancel(const char *job)
{
    struct error ignored = ERROR_INIT;
    struct proc_result r = PROC_RESULT_INIT;
    const char *const argv[] = {"scancel", job, 0};
    struct proc p = {.argv = argv, .capture = true, .winding_up = true, .timeout_s = 20, .cpu = -1};
    (void)!proc_run(&p, &r, &ignored);
    proc_result_release(&r);
    error_release(&ignored);
}

/* ---- waiting ---- */

struct queue {
    size_t running, waiting;
    char *why;      /* unanswered requests in a row */
    bool gone;      /* no task is in the queue any more */
    size_t unknown; /* unanswered requests in a row */
};

/* Reads lines "STATE REASON". A job that ended some time ago is not known any more: "Invalid job id specified". */
static enum status look(const char *job, struct queue *q, struct error *e)
{
    const char *const argv[] = {"squeue", "-h", "-r", "-j", job, "-o", "%T %r", 0};
    struct proc p = {.argv = argv, .capture = true, .timeout_s = 60, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_run(&p, &r, e);
    free(q->why);
    q->why = 0;
    q->running = q->waiting = 0;
    bool answered = !s && r.exit_code == 0 && !r.signal;
    if (answered) {
        char **lines = words_of(str_text(&r.out), "\n");
        for (char **l = lines; *l; l++) {
            bool pending = strncmp(*l, "PENDING", 7) == 0;
            q->waiting += pending;
            q->running += !pending;
            if (pending && !q->why)
                q->why = xstrdup(*l + 7 + ((*l)[7] == ' '));
        }
        q->gone = !*lines;
        words_free(lines);
    } else if (!s && strstr(str_text(&r.err), "Invalid job id")) {
        q->gone = answered = true;
    }
    q->unknown = answered ? 0 : q->unknown + 1;
    if (!s && q->unknown > MOST_UNANSWERED)
        s = error_set(e, ERR_SYSTEM, NOWHERE, "Slurm's controller does not answer any more: %s", str_text(&r.err));
    proc_result_release(&r);
    return s;
}

static void show(const struct engine_batch *b, size_t done, const struct queue *q)
{
    char *text = q->why ? xasprintf("%zu running, %zu waiting (%s)", q->running, q->waiting, q->why)
                        : xasprintf("%zu running", q->running);
    if (done < b->n)
        progress_show("tasks on slurm", done, b->n, text);
    free(text);
}

static enum status wait_for(const struct engine_batch *b, const char *job, struct error *e)
{
    struct queue q = {0};
    double waited = QUEUE_S - 1, late = 0;
    enum status s = OK;
    size_t done = 0;
    while (!s && late < LATE_S && (done = batch_results(b)) < b->n) {
        engine_sleep(LOOK_S);
        waited += LOOK_S;
        late += q.gone ? LOOK_S : 0;
        if (cancelled())
            s = error_set(e, ERR_CANCELLED, NOWHERE, "interrupted");
        else if (!q.gone && waited >= QUEUE_S) {
            s = look(job, &q, e);
            waited = 0;
        }
        show(b, done, &q);
    }
    progress_clear();
    free(q.why);
    return s;
}

static enum status slurm_run(const struct engine *g, const struct engine_batch *b, struct error *e)
{
    char *job = 0;
    enum status s = submit(g, b, &job, e);
    if (s)
        return s;
    s = wait_for(b, job, e);
    if (s)
        cancel(job);
    free(job);
    return s;
}

const struct engine_kind engine_slurm = {"slurm", "PARTITION", false, slurm_open, 0, slurm_run};
