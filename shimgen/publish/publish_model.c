/* publish_model.c - packs a build's results and the board's description. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "shimgen/pack/pack.h"
#include "shimgen/publish/model_private.h"

/* Files of a build, besides BOARD.shim.xml. `needed`: without it there is no pack. */
static const struct {
    const char *name;
    bool needed;
} files[] = {{MODEL_PROVENANCE, true}, {"measurements.csv", true}, {"conditions.json", true}, {"dataset.csv", true},
             {"model.json", true},     {"counts.csv", true},       {"domains.csv", true},     {"report.html", true},
             {MODEL_SUMS, true},       {"schedule.json", false},   {"programs.json", false},  {"micro.csv", false},
             {"memory.csv", false},    {"predictor.json", false},  {"losses.csv", false}};

static enum status no_build(const char *folder, const char *name, const struct board *b, struct error *e)
{
    return error_set(e, ERR_INPUT, AT_FILE(folder),
                     "there is no %s: a build that ended with a SHIM file is published; run 'shimgen build %s'", name,
                     b->name);
}

static enum status add_file(struct pack_members *m, const char *folder, const char *name, bool needed,
                            const struct board *b, struct error *e)
{
    char *path = path_join(folder, name);
    enum status s = file_exists(path) ? OK : needed ? no_build(folder, name, b, e) : ERR_FOUND;
    if (!s)
        pack_add(m, name, path);
    free(path);
    return s == ERR_FOUND ? OK : s;
}

static void add_board_file(struct pack_members *m, const char *path)
{
    char *name = xasprintf("board/%s", path_basename(path));
    if (*path && file_exists(path) && pack_name_is_good(name))
        pack_add(m, name, path);
    free(name);
}

static void add_board(struct pack_members *m, const struct board *b)
{
    add_board_file(m, b->path);
    add_board_file(m, b->skeleton);
    add_board_file(m, b->model ? b->model : "");
    add_board_file(m, b->packages);
}

/* Adds the names of files that were changed since the build to the index. */
static enum status find_edited(json_t *edited, const char *folder, const struct pack_members *m, struct error *e)
{
    char *path = path_join(folder, MODEL_SUMS);
    struct csv *c = 0;
    struct map sums = {0};
    size_t file, sum;
    enum status s = csv_read(&c, path, e);
    if (!s)
        s = csv_need(c, "file", &file, e);
    if (!s)
        s = csv_need(c, "checksum", &sum, e);
    for (size_t i = 0; !s && i < c->n_rows; i++)
        map_put(&sums, csv_cell(c, i, file), (size_t)strtoull(csv_cell(c, i, sum), 0, 16));
    for (size_t i = 0; !s && i < m->list.n; i++) {
        size_t written;
        uint64_t is;
        if (!map_get(&sums, m->list.at[i].name, &written))
            continue;
        s = file_hash(&is, m->list.at[i].path, e);
        if (!s && is != written)
            json_array_append_new(edited, json_text(m->list.at[i].name));
    }
    map_release(&sums);
    csv_free(c);
    free(path);
    return s;
}

static json_t *index_of(const struct board *b, const struct measurements *measured)
{
    const struct conditions *c = &measured->conditions;
    json_t *o = json_pack("{s:s}", "kind", MODEL_KIND);
    json_put_text(o, "board", b->name);
    json_put_text(o, "title", b->title);
    json_put_text(o, "target", board_target(b));
    json_put_text(o, "measured", c->date);
    json_put_text(o, "cpu", c->cpu);
    json_put_text(o, "kernel", c->kernel);
    json_put_text(o, "hypervisor", c->hypervisor);
    json_put_text(o, "cycles", c->cycle_nature);
    return o;
}

static enum status gather(struct pack_members *m, const struct board *b, const char *folder, struct error *e)
{
    char *shim = xasprintf("%s.shim.xml", b->name);
    enum status s = add_file(m, folder, shim, true, b, e);
    for (size_t i = 0; !s && i < sizeof files / sizeof *files; i++)
        s = add_file(m, folder, files[i].name, files[i].needed, b, e);
    add_board(m, b);
    free(shim);
    return s;
}

enum status model_publish(const struct board *b, const char *folder, const char *path, struct error *e)
{
    struct pack_members members = {0};
    struct measurements *measured = 0;
    char *csv = path_join(folder, "measurements.csv"), *conditions = path_join(folder, "conditions.json");
    enum status s = gather(&members, b, folder, e);
    if (!s)
        s = measurements_read(&measured, csv, conditions, e);
    json_t *index = s ? 0 : index_of(b, measured), *edited = json_array();
    if (!s)
        s = find_edited(edited, folder, &members, e);
    if (!s) {
        json_object_set(index, "edited", edited);
        s = pack_write(path, index, &members, e);
    }
    json_decref(edited);
    json_decref(index);
    measurements_free(measured);
    pack_members_release(&members);
    free(conditions);
    free(csv);
    return s;
}
