/* provenance.c - records what a build was made from. */
#include "shimgen/publish/provenance.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/proc.h"
#include "shimgen/pack/pack.h"

/* The first line that a tool prints about its version; NULL: there is no such tool. */
static json_t *version_of(const char *tool)
{
    const char *const argv[] = {tool, "--version", 0};
    struct proc p = {.argv = argv, .capture = true, .timeout_s = 60, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    struct error ignored = ERROR_INIT;
    json_t *text = 0;
    if (tool && *tool && proc_run(&p, &r, &ignored) == OK && !r.exit_code && !r.signal) {
        char *line = xstrndup(str_text(&r.out), strcspn(str_text(&r.out), "\n"));
        text = json_text(line);
        free(line);
    }
    proc_result_release(&r);
    error_release(&ignored);
    return text ? text : json_null();
}

static enum status put_sum(json_t *o, const char *key, char *owned_path, struct error *e)
{
    char *sum = 0;
    enum status s = pack_sha256(&sum, owned_path, e);
    if (!s)
        json_put_text(o, key, sum);
    free(sum);
    free(owned_path);
    return s;
}

static enum status tools_json(json_t **out, const struct board *b, struct error *e)
{
    json_t *o = *out = json_object();
    json_put_text(o, "shimgen", SHIMGEN_VERSION);
    json_put(o, "compiler", version_of(b->compiler));
    json_put(o, "emulator", version_of(b->emulator));
    enum status s = put_sum(o, "irprof_sha256", resource_program("irprof"), e);
    if (!s && b->how == BOARD_SIMULATOR)
        s = put_sum(o, "simulator_sha256", resource_lib("shimgen-iss.so"), e);
    return s;
}

static enum status sample_json(json_t **out, const struct sample *x, struct error *e)
{
    json_t *o = *out = json_object(), *files = json_array();
    enum status s = OK;
    json_put_text(o, "program", x->name);
    json_put(o, "files", files);
    for (size_t i = 0; !s && i < x->n_sources; i++) {
        json_t *file = json_object();
        json_put_text(file, "name", path_basename(x->sources[i]));
        s = put_sum(file, "sha256", xstrdup(x->sources[i]), e);
        json_array_append_new(files, file);
    }
    return s;
}

/* Lists each program once, whatever levels it has. */
static enum status samples_json(json_t **out, const struct units *u, struct error *e)
{
    struct map seen = {0};
    enum status s = OK;
    *out = json_array();
    for (size_t i = 0; !s && i < u->n; i++) {
        const struct sample *x = u->at[i].sample;
        json_t *o = 0;
        if (!x || map_get(&seen, x->name, 0))
            continue;
        map_put(&seen, x->name, 1);
        s = sample_json(&o, x, e);
        json_array_append_new(*out, o);
    }
    map_release(&seen);
    return s;
}

enum status provenance_write(const struct board *b, const struct units *u, const char *path, struct error *e)
{
    json_t *o = json_pack("{s:s, s:i}", "format", "shimgen-provenance", "version", 1), *tools = 0, *samples = 0;
    json_put_text(o, "board", b->name);
    json_put_text(o, "title", b->title);
    json_put_text(o, "target", board_target(b));
    json_put_text(o, "how", board_how_name(b->how));
    enum status s = tools_json(&tools, b, e);
    json_put(o, "tools", tools);
    if (!s) {
        s = samples_json(&samples, u, e);
        json_put(o, "samples", samples);
    }
    if (!s)
        s = json_write(o, path, e);
    json_decref(o);
    return s;
}
