/* perf-xml check FILE... */
#include <stdio.h>

#include "perf-xml/commands.h"
#include "perf-xml/perfxml.h"

struct counter {
    struct perf_sink sink;
    size_t opened[PERF_ITEM + 1], values, callpaths;
};

static enum status count_group(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    (void)e;
    ((struct counter *)s)->opened[g->level]++;
    return OK;
}

static enum status count_value(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    (void)e;
    ((struct counter *)s)->values += d->value.kind != PERF_NONE;
    return OK;
}

static enum status count_callpath(struct perf_sink *s, const struct perf_callpath *c, struct error *e)
{
    (void)c;
    (void)e;
    ((struct counter *)s)->callpaths++;
    return OK;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    enum status s = OK, all = OK;
    (void)opt;
    for (int i = 0; i < args->argc; i++) {
        struct counter c = {.sink = {.open = count_group, .data = count_value, .callpath = count_callpath}};
        s = perf_read(args->argv[i], &c.sink, e);
        if (!s)
            printf("%s: good: %zu processes, %zu threads, %zu call paths, %zu values\n", args->argv[i],
                   c.opened[PERF_PROCESS], c.opened[PERF_THREAD], c.callpaths, c.values);
        else if (args->argc > 1)
            error_print(e, args->program);
        if (s && args->argc > 1)
            all = ERR_FOUND;
    }
    return all ? all : s;
}

const struct cli_command cmd_check = {
    .name = "check",
    .synopsis = "check FILE...",
    .summary = "Reads files to their end and says whether they are whole and well-formed. Exit 1: one is not.",
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
