/* publish_schedule.c - writes a build's SHIM file: times of single instructions, and what estimates need besides. Part
 * of publish.h. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"
#include "shimgen/estimate/tune/tune_files.h"
#include "shimgen/build/publish.h"
#include "shimgen/units/unit.h"

#define STEP "schedule"

static enum status copy(const char *to, const char *from, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, from, FILE_LIMIT, e);
    if (!s)
        s = file_write(to, str_text(&text), text.len, e);
    str_release(&text);
    return s;
}

/* Only fitted costs are available. Files of an earlier build must not stand beside the new ones. */
static enum status publish_fitted(const struct outputs *o, struct error *e)
{
    step_undone(o->work, STEP);
    enum status s = copy(o->shim, o->merged, e);
    if (!s)
        s = remove_tree(o->schedule_shim, e);
    return s ? s : remove_tree(o->schedule, e);
}

static enum status leave_out(const struct outputs *o, struct losses *losses, const char *why, struct error *e)
{
    char *what = xasprintf("times of instructions in %s, and %s", path_basename(o->shim), path_basename(o->schedule));
    losses_add(losses, STEP, what, why);
    free(what);
    return publish_fitted(o, e);
}

/* Used if no microbenchmarks were measured, or if their loss is already noted. */
static enum status without_values(const struct outputs *o, struct error *e)
{
    progress_note("%s has only fitted costs, no %s: times of single instructions are measured by microbenchmarks",
                  path_basename(o->shim), path_basename(o->schedule));
    return publish_fitted(o, e);
}

static enum status add_file(uint64_t *hash, const char *path, struct error *e)
{
    uint64_t content = 0;
    enum status s = file_hash(&content, path, e);
    *hash = hash_bytes(*hash, &content, sizeof content);
    return s;
}

/* Hashes everything that the file is made of, this program included. */
static enum status inputs_hash(uint64_t *hash, const struct outputs *o, const struct regress_data *d, struct error *e)
{
    char *program = resource_program("shimgen"), *values = path_join(o->work, "values.csv");
    const char *const files[] = {program, values, o->merged, o->dataset, o->domains};
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

static enum status make(struct schedule_model **out, const struct board *b, const struct outputs *o, uint64_t inputs,
                        struct losses *losses, struct error *e)
{
    const char *const made[] = {o->shim, o->schedule_shim, o->schedule, NULL};
    const struct tune_files f = {
        .folder = o->directory, .shim = o->merged, .passes = 1, .shim_out = o->shim, .model_out = o->schedule};
    step_undone(o->work, STEP);
    enum status s = tune_files(out, &f, e);
    if (!s)
        s = losses_take(losses, STEP, "how far estimates by compiled are off, in the SHIM file",
                        publish_compiled(b, o, e), e);
    if (!s)
        s = copy(o->schedule_shim, o->shim, e);
    return s ? s : step_done(o->work, STEP, inputs, made, e);
}

static bool has_profiles(const struct outputs *o, const struct regress_data *d)
{
    char *path = xasprintf("%s/%s/profile", o->work, d->n ? d->programs[0] : "");
    bool there = file_exists(path);
    free(path);
    return there;
}

/* After --clean work/ is gone; what the earlier build made with it is kept. */
static enum status keep_earlier(struct schedule_model **out, const struct outputs *o, struct losses *losses,
                                struct error *e)
{
    char *what = xasprintf("a new %s", path_basename(o->shim));
    losses_add(losses, STEP, what, "the profiles in work/ are gone; the earlier build's file stays");
    free(what);
    return schedule_model_read(out, o->schedule, e);
}

enum status publish_schedule(struct schedule_model **out, const struct board *b, const struct outputs *o,
                             const struct regress_data *d, const struct evidence *evidence, struct losses *losses,
                             struct error *e)
{
    const char *const made[] = {o->shim, o->schedule_shim, o->schedule, NULL};
    uint64_t inputs;
    struct error why = ERROR_INIT;
    *out = 0;
    if (!evidence->values.at.n)
        return without_values(o, e);
    enum status s = inputs_hash(&inputs, o, d, &why);
    if (!s && step_is_fresh(o->work, STEP, inputs, made))
        s = schedule_model_read(out, o->schedule, &why);
    else if (!s)
        s = make(out, b, o, inputs, losses, &why);
    if (s && file_exists(o->schedule_shim) && !has_profiles(o, d)) {
        error_release(&why);
        return keep_earlier(out, o, losses, e);
    }
    /* profiles are gone, or there is no program to fit on: the rest of the build is valid */
    if (s && s != ERR_CANCELLED) {
        char *text = error_text(&why);
        s = leave_out(o, losses, text, e);
        free(text);
    } else if (s) {
        s = error_set(e, s, NOWHERE, "%s", why.message);
    }
    error_release(&why);
    return s;
}
