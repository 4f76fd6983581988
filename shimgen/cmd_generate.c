/* shimgen generate -o FOLDER: random training programs, chosen by design of experiments. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/board/board_options.h"
#include "shimgen/commands.h"
#include "shimgen/generate/generate_samples.h"

enum { MOST_PROGRAMS = 10000, POOL_FACTOR = 4 };

struct options {
    struct board_choice choice;
    const char *out, *set, *classes, *given, *board, *counts;
    long n, seed, pool, jobs;
    bool no_design;
};

static enum status check(const struct options *o, struct error *e)
{
    if (!o->out)
        return usage_error(e, "say where the programs go: -o FOLDER");
    if (o->n < 1 || o->n > MOST_PROGRAMS)
        return usage_error(e, "-n %ld: from 1 to %d programs can be made at once", o->n, MOST_PROGRAMS);
    if (o->seed < 0)
        return usage_error(e, "--seed %ld: must not be negative", o->seed);
    if (o->pool && (o->pool < o->n || o->pool > POOL_FACTOR * MOST_PROGRAMS))
        return usage_error(e, "--candidates %ld: %ld programs are to be chosen from it (at most %d are made)", o->pool,
                           o->n, POOL_FACTOR * MOST_PROGRAMS);
    if (o->no_design && (o->given || o->counts || o->pool))
        return usage_error(e, "--no-design does not choose: --given, --counts and --candidates cannot be used with it");
    if (!*o->set || strpbrk(o->set, "/,@ \"") || *o->set == '.')
        return usage_error(e, "--set '%s' is not a name for a set of programs", o->set);
    return OK;
}

static void print_line(const char *what, const struct regress_design_figures *f)
{
    printf("%-28s %8zu %6zu %6zu ", what, f->programs, f->rows, f->rank);
    if (isinf(f->condition))
        printf("%12s", "dependent");
    else
        printf("%12.3g", f->condition);
    printf(" %9.2f\n", f->log_det);
}

static void print_design(const struct options *o, const struct board *b, const struct candidates *c,
                         const struct design_result *r)
{
    const struct regress_design *d = r->design;
    printf("%zu candidates counted for %s at", c->n, b->name);
    for (size_t i = 0; i < b->n_levels; i++)
        printf(" %s", b->levels[i].name);
    printf("; %zu too short or too long, %zu given already\n", r->too_short, d->repeated);
    printf("classification '%s': %zu variables occur", o->classes, d->n_variables);
    for (size_t i = 0; i < d->n_absent; i++)
        printf("%s%s", i ? " " : "; in no row: ", d->absent[i]);
    printf("\n\n%-28s %8s %6s %6s %12s %9s\n", "", "programs", "rows", "rank", "condition", "log det");
    if (d->given.rows)
        print_line("given", &d->given);
    char *by_design = xasprintf("%s%ld by design", d->given.rows ? "and " : "", o->n);
    char *at_random = xasprintf("%s%ld at random (median)", d->given.rows ? "and " : "", o->n);
    print_line(at_random, &d->random);
    print_line(by_design, &d->chosen);
    print_line(d->given.rows ? "and all candidates" : "all candidates", &d->all);
    printf("at random: %zu draws, the best has log det %.2f\n", d->draws, d->best_at_random);
    free(by_design);
    free(at_random);
}

static enum status make(const struct options *o, const struct board *b, struct error *e)
{
    struct candidates c = {0};
    struct design_result r = {0};
    size_t pool = (size_t)(o->no_design ? o->n : o->pool ? o->pool : POOL_FACTOR * o->n);
    const struct design_order order = {b,         o->set,       o->classes,        o->given,
                                       o->counts, (size_t)o->n, (uint64_t)o->seed, o->jobs};
    candidates_make(&c, (uint64_t)o->seed, pool);
    enum status s = OK;
    if (!o->no_design)
        s = design_candidates(&r, &c, &order, e);
    if (!s)
        s = candidates_write(&c, r.marked, o->out, o->set, "generated", e);
    if (!s && !o->no_design)
        print_design(o, b, &c, &r);
    if (!s)
        printf("%ld programs in %s/%s\n", o->n, o->out, o->set);
    design_result_release(&r);
    candidates_release(&c);
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    (void)args;
    const struct options *o = opt;
    struct board *b = 0;
    char *manifest = 0;
    enum status s = check(o, e);
    if (!s) {
        manifest = xasprintf("%s/%s/manifest.csv", o->out, o->set);
        if (file_exists(manifest))
            s = error_set(e, ERR_INPUT, AT_FILE(manifest), "is there already; name another set (--set), or remove it");
    }
    if (!s)
        s = board_choose(&b, o->board, &o->choice, e);
    if (!s)
        s = make(o, b, e);
    board_free(b);
    free(manifest);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FOLDER", 0, "folder of sample sets, for 'shimgen build --samples'",
     offsetof(struct options, out)},
    {CLI_TEXT, "out", 0, "FOLDER", 0, 0, offsetof(struct options, out)},
    {CLI_INTEGER, "number", 'n', "N", "40", "number of programs", offsetof(struct options, n)},
    {CLI_INTEGER, "seed", 0, "N", "1", "a seed always gives the same programs", offsetof(struct options, seed)},
    {CLI_TEXT, "classes", 'c', "NAME|FILE", REGRESS_DEFAULT_CLASSES,
     "classification whose variables are to be determined", offsetof(struct options, classes)},
    {CLI_TEXT, "given", 'g', "FILE", 0, "existing counts or dataset: choose programs that complement it",
     offsetof(struct options, given)},
    {CLI_INTEGER, "candidates", 0, "N", "0", "number of programs to choose from (0: four times -n)",
     offsetof(struct options, pool)},
    {CLI_INTEGER, "pool", 0, "N", 0, 0, offsetof(struct options, pool)},
    {CLI_BOOL, "no-design", 0, 0, 0, "take the first programs without counting and choosing",
     offsetof(struct options, no_design)},
    {CLI_BOOL, "luck", 0, 0, 0, 0, offsetof(struct options, no_design)},
    {CLI_TEXT, "set", 0, "NAME", "generated", "name of the set", offsetof(struct options, set)},
    {CLI_TEXT, "board", 0, "BOARD", "host", "compile and count for this board, at its levels",
     offsetof(struct options, board)},
    {CLI_TEXT, "levels", 0, "LIST", 0, "optimisation levels, such as O0,O2", offsetof(struct options, choice.levels)},
    {CLI_TEXT, "counts", 0, "FILE", 0, "keep the counts of all candidates in this table",
     offsetof(struct options, counts)},
    {CLI_INTEGER, "jobs", 'j', "N", "0", "compile in N processes (0: one per processor)",
     offsetof(struct options, jobs)},
    {0},
};

const struct cli_command cmd_generate = {
    .name = "generate",
    .synopsis = "generate -o FOLDER [options]",
    .summary = "Generates random programs to fit on: those that determine a classification's values best.",
    .details =
        "Draws candidates: programs that are well-defined and deterministic, and verify their checksum. Counts them\n"
        "like samples. Chooses by D-optimality: log det of the relative rows, including those of --given. Writes\n"
        "a source file each and manifest.csv into FOLDER/SET/. 'condition' is the condition number of the rows. A "
        "seed\n"
        "gives the same programs on every machine; the choice depends on the compiler and the board.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 0,
    .max_args = 0,
    .run = run,
};
