/* kit_folder.c - makes the folder of a kit: compiles programs, chooses those that fit, assigns them to images, writes
 * them and the kit's files. Prints how many programs fit which part. */
#include "shimgen/kit/kit_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "samples/manifest.h"
#include "shimgen/kit/kit_images.h"
#include "shimgen/kit/part_choose.h"
#include "shimgen/kit/part_fit.h"
#include "shimgen/units/image.h"

/* ---- the table: how many programs fit which part ---- */

static const size_t ram_kib[] = {8, 16, 32, 64, 128, 256, 1024};
enum { N_SIZES = sizeof ram_kib / sizeof *ram_kib };

static size_t count_fitting(const struct part_fit *f, const struct board *b, size_t ram, enum part_needs most,
                            bool doubles)
{
    size_t n = 0, room = part_room(ram, f->kit_ram + b->part.stack);
    for (size_t i = 0; i < f->items.n; i++) {
        const struct part_item *x = &f->items.at[i];
        n += *x->object && x->ram <= room && x->flash <= part_room(b->part.flash, f->kit_flash) && x->needs <= most &&
             (doubles || !x->soft_double);
    }
    return n;
}

static void print_table(const struct part_fit *f, const struct board *b)
{
    printf("\nprograms of %zu that fit parts with %zu KiB of flash:\n%-10s %12s %12s %18s %12s\n", f->items.n,
           (size_t)b->part.flash >> 10, "RAM", "no library", "helpers", "and no doubles", "C library");
    for (size_t i = 0; i < N_SIZES; i++) {
        size_t ram = ram_kib[i] << 10;
        printf("%6zu KiB %12zu %12zu %18zu %12zu\n", ram_kib[i], count_fitting(f, b, ram, PART_NEEDS_NOTHING, true),
               count_fitting(f, b, ram, PART_NEEDS_HELPERS, true), count_fitting(f, b, ram, PART_NEEDS_HELPERS, false),
               count_fitting(f, b, ram, PART_NEEDS_LIBRARY, true));
    }
}

static void print_list(const struct part_fit *f)
{
    for (size_t i = 0; i < f->items.n; i++) {
        const struct part_item *x = &f->items.at[i];
        printf("%-32s %8zu %8zu  %s\n", x->unit->name, x->flash, x->ram, x->why ? x->why : "fits");
    }
}

static size_t count_left(const struct part_fit *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->items.n; i++)
        n += !f->items.at[i].why;
    return n;
}

/* ---- the folder ---- */

struct writing {
    const struct board *b;
    const struct kit_images *k;
    const char *out;
    struct error *e;
};

static enum status put_text(const struct writing *w, const char *name, char *text)
{
    char *path = path_join(w->out, name);
    enum status s = file_write(path, text, strlen(text), w->e);
    free(path);
    free(text);
    return s;
}

static enum status copy(const struct writing *w, const char *from, const char *to)
{
    struct str text = STR_INIT;
    char *path = path_join(w->out, to), *folder = xstrdup(path);
    *strrchr(folder, '/') = 0;
    enum status s = make_directories(folder, w->e);
    if (!s)
        s = file_read(&text, from, FILE_LIMIT, w->e);
    if (!s)
        s = file_write(path, str_text(&text), text.len, w->e);
    str_release(&text);
    free(folder);
    free(path);
    return s;
}

static enum status copy_kit_file(const struct writing *w, const char *name, const char *to)
{
    char *relative = xasprintf("runtime/boards/kit/files/%s", name), *from = resource_share(relative);
    enum status s = copy(w, from, to);
    free(from);
    free(relative);
    return s;
}

static enum status write_kit(const struct writing *w)
{
    static const char *const all[] = {
        "shim_kit.c", "shim_kit.h", "shim_counters.h", "include/shim_region.h", "include/shim_sample.h", 0};
    static const char *const without[] = {"shim_library.c", "declarations/math.h", "declarations/stdlib.h",
                                          "declarations/string.h", 0};
    const struct board_part *p = &w->b->part;
    char *start = xasprintf("start_%s.c", p->start);
    enum status s = OK;
    for (const char *const *name = all; *name && !s; name++)
        s = copy_kit_file(w, *name, *name);
    if (!s && strcmp(p->start, "none") != 0)
        s = copy_kit_file(w, start, start);
    for (const char *const *name = without; *name && !s && !p->library; name++)
        s = copy_kit_file(w, *name, *name);
    if (!s)
        s = *p->script ? copy(w, p->script, "part.ld") : copy_kit_file(w, "part.ld", "part.ld");
    if (!s)
        s = file_exists(p->port) ? copy(w, p->port, "shim_port.h")
                                 : copy_kit_file(w, "shim_port_template.h", "shim_port.h");
    free(start);
    return s;
}

/* All headers of a set are written, but only the sources of the chosen programs. */
static enum status write_headers(const struct writing *w, const char *set)
{
    char *relative = xasprintf("samples/%s", set), *folder = resource_share(relative), **files = 0;
    size_t n = 0;
    enum status s = list_directory(&files, &n, folder, w->e);
    for (size_t i = 0; i < n; i++) {
        if (!s && text_ends(files[i], ".h")) {
            char *from = path_join(folder, files[i]), *to = xasprintf("samples/%s/%s", set, files[i]);
            s = copy(w, from, to);
            free(to);
            free(from);
        }
        free(files[i]);
    }
    free(files);
    free(folder);
    free(relative);
    return s;
}

static enum status write_program(const struct writing *w, const struct part_item *x, struct map *sets)
{
    const struct sample *sample = x->unit->sample;
    const char *slash = strchr(sample->name, '/');
    char *set = xstrndup(sample->name, slash ? (size_t)(slash - sample->name) : 0);
    char *name = kit_object_name(x), *object = xasprintf("objects/%s", name);
    enum status s = w->k->fit->stand_in ? OK : copy(w, x->object, object);
    for (size_t i = 0; i < sample->n_sources && !s; i++) {
        char *to = xasprintf("samples/%s/%s", set, path_basename(sample->sources[i]));
        s = copy(w, sample->sources[i], to);
        free(to);
    }
    if (!s && !map_get(sets, set, 0)) {
        map_put(sets, set, 0);
        s = write_headers(w, set);
    }
    free(object);
    free(name);
    free(set);
    return s;
}

static enum status write_table(const struct writing *w, size_t i)
{
    const struct kit_image *image = &w->k->at.at[i];
    struct image_program *rows = xcalloc(image->items.n + 1, sizeof *rows);
    for (size_t j = 0; j < image->items.n; j++) {
        const struct part_item *x = image->items.at[j];
        rows[j] = (struct image_program){x->unit->name, x->symbol, x->unit->sample->work, x->id};
    }
    char *name = xasprintf("programs_%zu.c", i + 1);
    enum status s = put_text(w, name, image_table(rows, image->items.n));
    free(name);
    free(rows);
    return s;
}

static enum status write_programs(const struct writing *w)
{
    struct map sets = {0};
    char *header = resource_share("samples/sample.h");
    enum status s = copy(w, header, "samples/sample.h");
    for (size_t i = 0; i < w->k->at.n && !s; i++) {
        s = write_table(w, i);
        for (size_t j = 0; j < w->k->at.at[i].items.n && !s; j++)
            s = write_program(w, w->k->at.at[i].items.at[j], &sets);
    }
    map_release(&sets);
    free(header);
    return s;
}

static enum status write_folder(const struct writing *w)
{
    if (mkdir(w->out, 0777))
        return error_errno(w->e, AT_FILE(w->out), "the kit's folder cannot be made");
    cleanup_add(w->out);
    enum status s = write_kit(w);
    if (!s)
        s = write_programs(w);
    if (!s)
        s = put_text(w, "Makefile", kit_makefile(w->b, w->k));
    if (!s && !w->k->fit->stand_in)
        s = put_text(w, "CMakeLists.txt", kit_cmake(w->b, w->k));
    if (!s)
        s = put_text(w, "programs.csv", kit_programs_csv(w->k));
    if (!s)
        s = put_text(w, "README.txt", kit_readme(w->b, w->k));
    cleanup_remove(w->out);
    if (s) {
        struct error ignored = ERROR_INIT;
        (void)!remove_tree(w->out, &ignored);
        error_release(&ignored);
    }
    return s;
}

/* ---- everything together ---- */

static enum status finish(const struct board *b, const struct kit_order *o, struct part_fit *f, struct error *e)
{
    struct kit_images k;
    kit_images_pack(&k, f, b);
    const struct writing w = {b, &k, o->out, e};
    enum status s = OK;
    if (o->list)
        print_list(f);
    printf("%s: %zu of %zu programs %s; %zu KiB of RAM, %zu of flash, %zu of stack, %s\n", b->name, k.n_programs,
           f->items.n, o->n ? "are chosen" : "fit", (size_t)b->part.ram >> 10, (size_t)b->part.flash >> 10,
           (size_t)b->part.stack >> 10, b->part.library ? "with a C library" : "without a C library");
    if (f->stand_in)
        printf(
            "sizes are those of %s, which stands in: LLVM makes no code for %s. UNTESTED: your compiler makes it from "
            "C\n",
            board_target(b), b->target);
    if (!o->out)
        print_table(f, b);
    else if (!k.n_programs)
        s = error_set(e, ERR_INPUT, NOWHERE, "no program fits; --list says why of each");
    else
        s = write_folder(&w);
    if (!s && o->out)
        printf("%s: %zu image%s; next: %s/README.txt\n", o->out, k.at.n, k.at.n == 1 ? "" : "s", o->out);
    kit_images_release(&k);
    return s;
}

static enum status check(const struct board *b, const struct kit_order *o, struct error *e)
{
    if (!b->part.ram || !b->part.flash)
        return error_set(
            e, ERR_INPUT, AT_FILE(b->path),
            "a kit is for parts without an operating system: say in board.ini what there is, [part] flash = "
            "256K and ram = 32K ('shimgen board new NAME --target thumbv7em-none-eabihf' writes one)");
    if (o->out && file_exists(o->out))
        return error_set(e, ERR_INPUT, AT_FILE(o->out), "is there already; name another folder");
    return OK;
}

static enum status make(const struct board *b, const struct kit_order *o, const char *work, struct error *e)
{
    struct samples samples = {0};
    struct units units = {0};
    struct part_fit f = {0};
    char *own = resource_share("samples"), *objects = path_join(work, "objects");
    enum status s = samples_read(&samples, own, o->programs, e);
    if (!s)
        s = make_directories(objects, e);
    if (!s) {
        units_plan(&units, &samples, b, work, 0);
        s = part_fit(&f, b, &units, objects, o->jobs, e);
    }
    if (!s && o->n && count_left(&f)) {
        const struct part_choice c = {o->classes, (size_t)o->n, o->jobs};
        s = part_choose(&f, b, &c, work, e);
    }
    if (!s)
        s = finish(b, o, &f, e);
    part_fit_release(&f);
    units_release(&units);
    samples_release(&samples);
    free(objects);
    free(own);
    return s;
}

enum status kit_make(const struct board *b, const struct kit_order *o, struct error *e)
{
    char *work = 0;
    enum status s = check(b, o, e);
    if (!s)
        s = temp_directory(&work, "shimgen-kit", e);
    if (!s)
        s = make(b, o, work, e);
    if (work) {
        struct error ignored = ERROR_INIT;
        (void)!remove_tree(work, &ignored);
        cleanup_remove(work);
        error_release(&ignored);
    }
    free(work);
    return s;
}
