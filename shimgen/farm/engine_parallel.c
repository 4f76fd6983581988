/* engine_parallel.c - runs tasks by GNU parallel on machines that ssh can reach. It starts them, tries them again
 * elsewhere, and fetches their results. The machines need the same shimgen and rsync, but no common file system. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "shimgen/farm/engine_private.h"

enum { PROCESSORS_A_LOGIN = 4 }; /* assumed when choosing the number of tasks; parallel itself counts them */

/* The 8 of "8/user@host": tasks at a time there. */
static size_t processors_of(const char *login)
{
    long n = strchr(login, '/') ? strtol(login, 0, 10) : 0;
    return n > 0 && n < 10000 ? (size_t)n : PROCESSORS_A_LOGIN;
}

/* Is it this machine? ":" is, and so is "2/:", with two tasks at a time. */
static bool is_here(const char *login)
{
    const char *slash = strchr(login, '/');
    return strcmp(slash ? slash + 1 : login, ":") == 0;
}

static enum status parallel_open(struct engine *g, struct error *e)
{
    char *path = proc_find("parallel"), *said = 0;
    if (!path)
        return error_set(e, ERR_SYSTEM, NOWHERE, "--on parallel: there is no parallel here; install GNU parallel");
    free(path);
    enum status s = engine_ask((const char *const[]){"parallel", "--version", 0}, &said, e);
    if (!s && strncmp(said, "GNU parallel", 12) != 0)
        s = error_set(e, ERR_SYSTEM, NOWHERE, "--on parallel: the parallel here is not GNU parallel; install that");
    free(said);
    char **logins = words_of(g->argument, ", ");
    size_t here = 0;
    g->processors = 0;
    for (char **l = logins; *l; l++) {
        g->processors += processors_of(*l);
        here += is_here(*l);
        vec_push(&g->places, xstrdup(*l));
    }
    words_free(logins);
    if (!s && !g->places.n)
        s = error_set(e, ERR_INPUT, NOWHERE,
                      "--on parallel: no login is named; user@host,2/other@host, ':' is this machine");
    if (!s && here && here < g->places.n)
        s = error_set(e, ERR_INPUT, NOWHERE,
                      "--on parallel: ':' is this machine, where files are not carried as for the others; name it like "
                      "them, user@localhost, or leave it out");
    return s;
}

static char *logins_of(const struct engine *g, const struct engine_batch *b)
{
    struct str s = STR_INIT;
    const char *const *places = b->n_places ? b->places : (const char *const *)g->places.at;
    size_t n = b->n_places ? b->n_places : g->places.n;
    for (size_t i = 0; i < n; i++)
        str_addf(&s, "%s%s", i ? "," : "", places[i]);
    return str_detach(&s);
}

/* A task that fails or does not come back is tried three times, on different machines if possible. For other machines,
 * the plan is copied to a folder of parallel's own, and results are copied back. */
static void make_command(struct str *args, const char *logins, bool here, const struct engine_batch *b)
{
    char *task = task_command("", "{}", "\"$(hostname)\"");
    str_addf(args, "parallel\n--will-cite\n--halt\nnever\n--retries\n3\n--sshlogin\n%s\n", logins);
    if (!here)
        str_add(args,
                "--basefile\nplan.json\n--return\nresults/{}.pack\n--return\nlogs/{}.txt\n--cleanup\n--workdir\n...\n");
    str_addf(args, "mkdir -p results logs && %s >logs/{}.txt 2>&1\n:::\n", task);
    for (size_t i = 0; i < b->n; i++)
        str_addf(args, "%zu\n", b->tasks[i]);
    free(task);
}

static enum status parallel_run(const struct engine *g, const struct engine_batch *b, struct error *e)
{
    struct str args = STR_INIT;
    char *logins = logins_of(g, b);
    make_command(&args, logins, is_here(g->places.at[0]), b);
    char **words = words_of(str_text(&args), "\n");
    struct proc p = {.argv = (const char *const *)words, .directory = b->folder, .capture = true, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_run(&p, &r, e);
    /* up to 100 it is the number of failed tasks, 101 means more; the results tell which ones */
    if (!s && (r.signal || r.exit_code > 101)) {
        char *how = proc_how_ended(&p, &r);
        s = error_set(e, ERR_SYSTEM, NOWHERE, "GNU parallel %s: %s", how, str_text(&r.err));
        free(how);
    } else if (!s && r.exit_code && !batch_results(b) && r.err.len) {
        progress_note("GNU parallel says: %s", str_text(&r.err));
    }
    proc_result_release(&r);
    words_free(words);
    str_release(&args);
    free(logins);
    return s;
}

const struct engine_kind engine_parallel = {"parallel", "LOGINS", true, parallel_open, 0, parallel_run};
