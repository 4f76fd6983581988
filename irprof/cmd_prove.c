/* cmd_prove.c - irprof prove: does a stamped module do the same work as the one it was made from? */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "irprof/cc/link.h"
#include "irprof/commands.h"
#include "irprof/prove/prove.h"

struct options {
    const char *out, *format, *launch, *input, *results, *link, *link_stamped;
    bool run, stamp;
    long pairs, limit;
    double most;
};

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write here (default: standard output)", offsetof(struct options, out)},
    {CLI_CHOICE, "format", 'f', "text|csv", "text", "lines for people, or a table", offsetof(struct options, format)},
    {CLI_TEXT, "launch", 0, "FILE", 0, "the modules are kernels: run them as FILE says",
     offsetof(struct options, launch)},
    {CLI_BOOL, "run", 0, 0, 0, "the modules are programs: run them, with what follows -- as their arguments",
     offsetof(struct options, run)},
    {CLI_TEXT, "input", 0, "FILE", 0, "their standard input", offsetof(struct options, input)},
    {CLI_TEXT, "results", 0, "FILE,...", 0, "files that they write: compared, like standard output and exit status",
     offsetof(struct options, results)},
    {CLI_TEXT, "link", 0, "WORDS", 0, "what they are linked with, separated by spaces", offsetof(struct options, link)},
    {CLI_TEXT, "link-stamped", 0, "WORDS", 0, "also link STAMPED with these: the runtime of stamps",
     offsetof(struct options, link_stamped)},
    {CLI_BOOL, "stamp", 0, 0, 0,
     "STAMPED was made by 'irprof stamp': also link it with what 'irprof libs --stamp' prints",
     offsetof(struct options, stamp)},
    {CLI_INTEGER, "pairs", 0, "N", "0", "measure the run times of N pairs of runs; 0: do not",
     offsetof(struct options, pairs)},
    {CLI_REAL, "most", 0, "PERCENT", "2", "by how much the run time may grow", offsetof(struct options, most)},
    {CLI_INTEGER, "limit", 0, "SECONDS", "600", "processor time after which a run is ended",
     offsetof(struct options, limit)},
    {0},
};

static enum status check(const struct options *o, const struct cli_args *args, struct error *e)
{
    if (args->before != 2)
        return usage_error(e, "name two modules: the original, then the stamped one");
    if (o->launch && o->run)
        return usage_error(e, "--launch is for kernels, --run for programs: give one of them");
    if (!o->run && (o->input || o->results || o->link || o->link_stamped || o->pairs || args->argc > 2))
        return usage_error(e, "--input, --results, --link, --link-stamped, --pairs and arguments need --run");
    if (o->pairs < 0 || o->pairs > 100000)
        return usage_error(e, "--pairs: %ld is not a number from 0 to 100000", o->pairs);
    if (o->limit < 1 || o->limit > 1000000)
        return usage_error(e, "--limit: %ld is not a number of seconds from 1 to 1000000", o->limit);
    return OK;
}

static enum status print(const struct options *o, const struct prove_report *r, struct error *e)
{
    struct outfile out;
    enum status s = outfile_open(&out, o->out, e);
    if (s)
        return s;
    bool csv = strcmp(o->format, "csv") == 0;
    if (!csv)
        outfile_is_text(&out);
    prove_print(r, csv, out.f);
    s = outfile_commit(&out, e);
    if (!s && prove_rejected(r))
        s = error_set(e, ERR_FOUND, NOWHERE, "the stamped module does not do the original's work as it was");
    return s;
}

static size_t count_of(char *const *words)
{
    size_t n = 0;
    while (words[n])
        n++;
    return n;
}

/* Further words of STAMPED's link. The caller frees them with words_free. */
static char **words_of_stamped(const struct options *o)
{
    const char *flags[LINK_WORDS];
    char *owned;
    char **given = words_of(o->link_stamped ? o->link_stamped : "", " ");
    VEC(char *) all = {0};
    size_t n = stamp_link_flags(flags, &owned);
    for (size_t i = 0; o->stamp && i < n; i++)
        vec_push(&all, xstrdup(flags[i]));
    for (size_t i = 0; given[i]; i++)
        vec_push(&all, given[i]);
    vec_push(&all, NULL);
    free(given); /* its words belong to `all` now */
    free(owned);
    return all.at;
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct prove_options to = {
        .launch = o->launch, .run = o->run, .input = o->input, .pairs = o->pairs, .most = o->most, .limit = o->limit};
    char **results = 0, **link = 0, **link_stamped = 0;
    struct prove_report r = {0};
    enum status s = check(o, args, e);
    if (!s && o->results)
        s = split_list(o->results, "--results", &results, &to.n_results, e);
    to.results = results;
    to.link = link = words_of(o->link ? o->link : "", " ");
    to.link_stamped = link_stamped = words_of_stamped(o);
    if (!s) {
        to.n_link = count_of(link);
        to.n_link_stamped = count_of(link_stamped);
        to.arguments = args->argv + 2;
        to.n_arguments = (size_t)args->argc - 2;
        s = prove(&r, args->argv[0], args->argv[1], &to, e);
    }
    if (!s)
        s = print(o, &r, e);
    prove_report_release(&r);
    free(results);
    words_free(link);
    words_free(link_stamped);
    return s;
}

const struct cli_command cmd_prove = {
    .name = "prove",
    .synopsis = "prove BASE STAMPED [options] [-- ARGUMENTS]",
    .summary = "Proves that a module with timestamps does the work of the module that it was made of.",
    .details =
        "Four verdicts, each holds, does not, or not proved: structure (IR and machine code without the stamps),\n"
        "executed (how often), flip (results with never = 1), time. Exit code 1: one of them does not hold.\n"
        "'irprof stamp --prove BASE STAMPED' is 'irprof prove --stamp BASE STAMPED'.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = -1,
    .run = run,
};
