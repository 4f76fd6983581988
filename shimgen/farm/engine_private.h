/* engine_private.h - what every engine implements; between the engine_*.c and engines.c only. */
#ifndef SHIMGEN_FARM_ENGINE_PRIVATE_H
#define SHIMGEN_FARM_ENGINE_PRIVATE_H

#include <stdbool.h>

#include "base/alloc.h"
#include "base/str.h"
#include "shimgen/farm/engine.h"

struct engine_kind {
    const char *name;     /* before the colon of --on */
    const char *argument; /* what follows it, for messages: "FILE" */
    bool needs_argument;
    enum status (*open)(struct engine *g, struct error *e);
    void (*close)(struct engine *g);
    enum status (*run)(const struct engine *g, const struct engine_batch *b, struct error *e);
};
struct engine {
    const struct engine_kind *kind;
    char *argument; /* NULL: none; owned */
    size_t processors, most_tasks;
    VEC(char *) places; /* owned */
    void *own;          /* the kind's */
};
extern const struct engine_kind engine_slurm, engine_command, engine_parallel;

/* Appends a word, quoted for a shell only if it needs quotes: a command that passes the word on to another shell would lose
 * them. */
void shell_word(struct str *s, const char *word);
/* The command line of a task for a shell. folder: ends in a slash, "" where it runs in that folder; number and place are
 * texts of the shell: "3", "$SLURM_ARRAY_TASK_ID". The caller frees. */
char *task_command(const char *folder, const char *number, const char *place);

/* Runs a program and waits; *out: its standard output (the caller frees), NULL: not wanted. An exit status other than 0 is
 * ERR_SYSTEM, with the last line of its output. */
enum status engine_ask(const char *const *argv, char **out, struct error *e) MUST_CHECK;
void engine_sleep(double seconds); /* until then, or until a signal */
/* How many of the batch have their result. */
size_t batch_results(const struct engine_batch *b);

#endif
