/* publish_schedule.c - the second SHIM file of a build: times of single instructions, as a schedule needs them. Part of
 * publish.h. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"
#include "shimgen/estimate/tune_files.h"
#include "shimgen/publish.h"
#include "shimgen/unit.h"

#define STEP "schedule"

/* Nothing of an earlier build may stand beside this one's files. */
static enum status leave_out(const struct outputs *o, const char *why, struct error *e)
{
    const struct unit u = {.folder = o->work};
    stamp_clear(&u, STEP);
    progress_note("no %s, no %s: %s", path_basename(o->schedule_shim), path_basename(o->schedule), why);
    enum status s = remove_tree(o->schedule_shim, e);
    return s ? s : remove_tree(o->schedule, e);
}

static enum status add_file(uint64_t *hash, const char *path, struct error *e)
{
    uint64_t content = 0;
    enum status s = file_hash(&content, path, e);
    *hash = hash_bytes(*hash, &content, sizeof content);
    return s;
}

/* Of all that it is made of, this program among it. */
static enum status inputs_hash(uint64_t *hash, const struct outputs *o, const struct regress_data *d, struct error *e)
{
    char *program = resource_program("shimgen"), *values = path_join(o->work, "values.csv");
    const char *const files[] = {program, values, o->shim, o->dataset, o->domains};
    *hash = HASH_START;
    enum status s = OK;
    for (size_t i = 0; i < sizeof files / sizeof *files && !s; i++)
        s = add_file(hash, files[i], e);
    for (size_t i = 0; i < d->n && !s; i++) {
        char *path = xasprintf("%s/%s/profile", o->work, d->programs[i]);
        s = add_file(hash, path, e);
        free(path);
    }
    free(values);
    free(program);
    return s;
}

static enum status make(struct schedule_model **out, const struct outputs *o, uint64_t inputs, struct error *e)
{
    const struct unit u = {.folder = o->work};
    const struct tune_files f = {
        .folder = o->directory, .shim = o->shim, .passes = 1, .shim_out = o->schedule_shim, .model_out = o->schedule};
    stamp_clear(&u, STEP);
    progress_show("fit", 0, 1, "values for schedules");
    enum status s = tune_files(out, &f, e);
    progress_clear();
    return s ? s : stamp_set(&u, STEP, inputs, e);
}

enum status publish_schedule(struct schedule_model **out, const struct outputs *o, const struct regress_data *d,
                             const struct evidence *evidence, struct error *e)
{
    const struct unit u = {.folder = o->work};
    uint64_t inputs;
    struct error why = ERROR_INIT;
    *out = 0;
    if (!evidence->values.at.n)
        return leave_out(o, "a schedule needs the times of single instructions, which microbenchmarks measure", e);
    enum status s = inputs_hash(&inputs, o, d, &why);
    if (!s && stamp_fresh(&u, STEP, inputs) && file_exists(o->schedule_shim))
        s = schedule_model_read(out, o->schedule, &why);
    else if (!s)
        s = make(out, o, inputs, &why);
    if (s == ERR_INPUT || s == ERR_SYSTEM) { /* profiles are gone, no program to fit on: the rest of the build stands */
        char *text = error_text(&why);
        s = leave_out(o, text, e);
        free(text);
    } else if (s) {
        s = error_set(e, s, NOWHERE, "%s", why.message);
    }
    error_release(&why);
    return s;
}
