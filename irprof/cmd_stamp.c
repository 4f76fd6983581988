/* cmd_stamp.c - irprof stamp: puts timestamps into an LLVM IR file. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/commands.h"
#include "irprof/stamp/stamping.h"

struct options {
    const char *out, *points, *mode, *clock, *target, *results, *kernels, *group, *shared_by;
    long room, shared;
    bool prove;
};

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write here: bitcode, or text if the name ends in .ll",
     offsetof(struct options, out)},
    {CLI_TEXT, "points", 0, "POINTS", 0,
     "where the stamps are: function:NAME, region:NAME, loop:FILE:LINE, iteration:FILE:LINE, line:FILE:LINE, separated "
     "by commas; or a file with one per line",
     offsetof(struct options, points)},
    {CLI_CHOICE, "mode", 0, STAMP_MODES, STAMP_MODE_USUAL,
     "add: stamps beside the work; replace: in the place of results, under a guard; sled: room for calls that the run "
     "fills",
     offsetof(struct options, mode)},
    {CLI_CHOICE, "clock", 0, "rdtsc|rdtscp|cntvct|rdtime|rdcycle|clock64|globaltimer|memtime|cycles", 0,
     "which clock (default: the target's usual one)", offsetof(struct options, clock)},
    {CLI_TEXT, "target", 0, "TRIPLE", 0, "the clock of this target, not of the IR's", offsetof(struct options, target)},
    {CLI_TEXT, "results", 0, "OBJECTS", 0,
     "with replace: only stores to these, N (argument number N), FUNCTION:N or a global variable's name, with commas",
     offsetof(struct options, results)},
    {CLI_TEXT, "kernels", 0, "FUNCTIONS", 0, "further functions that are kernels", offsetof(struct options, kernels)},
    {CLI_TEXT, "group", 0, "X,Y,Z", 0, "work-items of a work-group, for kernels that do not say",
     offsetof(struct options, group)},
    {CLI_INTEGER, "room", 0, "N", "32", "stamps that a work-item of a kernel keeps", offsetof(struct options, room)},
    {CLI_INTEGER, "shared", 0, "BYTES", 0,
     "shared memory that a work-group may have (default: the target's usual limit)", offsetof(struct options, shared)},
    {CLI_CHOICE, "shared-by", 0, "launch|module", "launch",
     "shared memory for stamps: given by the launch (the command prints its size), or an array in the module",
     offsetof(struct options, shared_by)},
    {CLI_BOOL, "prove", 0, 0, 0,
     "add no stamps: prove that STAMPED does the work of BASE; takes the options of 'irprof prove'",
     offsetof(struct options, prove)}, /* main.c calls cmd_prove then */
    {0},
};

static enum stamp_mode mode_of(const char *word)
{
    return strcmp(word, "replace") == 0 ? STAMP_REPLACE : strcmp(word, "sled") == 0 ? STAMP_SLED : STAMP_ADD;
}

static enum status add_stamps(const struct options *o, const char *in, struct error *e)
{
    struct stamp_specs specs;
    char *notes = 0;
    const struct stamp_options to = {.mode = mode_of(o->mode),
                                     .target = o->target,
                                     .clock = o->clock,
                                     .results = o->results,
                                     .kernels = o->kernels,
                                     .group = o->group,
                                     .room = o->room,
                                     .shared = o->shared,
                                     .shared_in_module = strcmp(o->shared_by, "module") == 0};
    enum status s = stamp_specs_read(&specs, o->points, e);
    if (s)
        return s;
    s = stamp_file(in, o->out, &specs, &to, &notes, e);
    stamp_notes_print(notes, "irprof");
    free(notes);
    stamp_specs_release(&specs);
    return s;
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    if (!o->out)
        return usage_error(e, "say where to write with -o FILE");
    if (!o->points)
        return usage_error(e, "say where the stamps are with --points, for example --points function:NAME");
    if (o->room < 1)
        return usage_error(e, "--room %ld: a work-item keeps one stamp at least", o->room);
    if (o->shared < 0)
        return usage_error(e, "--shared %ld is not a number of bytes", o->shared);
    return add_stamps(o, args->argv[0], e);
}

const struct cli_command cmd_stamp = {
    .name = "stamp",
    .synopsis = "stamp IN -o FILE --points POINTS [options], or stamp --prove BASE STAMPED [options] [-- ARGUMENTS]",
    .summary = "Adds timestamps to LLVM IR, or puts them in the place of results.",
    .details =
        "Compile FILE with -Xclang -disable-llvm-passes, so that it is not optimised again, and link it with the\n"
        "flags that 'irprof libs --stamp' prints. The program then writes irprof.stamps, which 'irprof history' reads.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
