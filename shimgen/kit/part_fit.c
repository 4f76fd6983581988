/* part_fit.c - compiles every program for the part, and reads sizes and calls from the ELF files. */
#include "shimgen/kit/part_fit.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"
#include "base/str.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/units/image.h"
#include "shimgen/units/jobs.h"

/* ---- object files ---- */

struct object_facts {
    size_t flash, ram;
    struct map defined; /* global names */
    VEC(char *) undefined;
};

static void facts_release(struct object_facts *f)
{
    for (size_t i = 0; i < f->undefined.n; i++)
        free(f->undefined.at[i]);
    vec_release(&f->undefined);
    map_release(&f->defined);
}

static void add_section(struct object_facts *f, const GElf_Shdr *h)
{
    enum { FILL = 8 }; /* bytes of padding per section */
    if (!(h->sh_flags & SHF_ALLOC) || h->sh_size == 0)
        return;
    size_t size = (size_t)h->sh_size + (h->sh_size % FILL ? FILL - h->sh_size % FILL : 0);
    if (h->sh_type != SHT_NOBITS)
        f->flash += size;
    if (h->sh_flags & SHF_WRITE)
        f->ram += size;
}

static void add_symbols(struct object_facts *f, Elf *elf, Elf_Scn *section, const GElf_Shdr *h)
{
    Elf_Data *data = elf_getdata(section, 0);
    size_t n = data && h->sh_entsize ? h->sh_size / h->sh_entsize : 0;
    for (size_t i = 1; i < n; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || GELF_ST_BIND(symbol.st_info) == STB_LOCAL)
            continue;
        const char *name = elf_strptr(elf, h->sh_link, symbol.st_name);
        if (!name || !*name)
            continue;
        if (symbol.st_shndx == SHN_UNDEF)
            vec_push(&f->undefined, xstrdup(name));
        else
            map_put(&f->defined, name, 0);
    }
}

/* Adds a file's facts. */
static enum status add_object(struct object_facts *f, const char *path, struct error *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno(e, AT_FILE(path), "cannot be read");
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, 0);
    Elf_Scn *section = 0;
    while (elf && (section = elf_nextscn(elf, section))) {
        GElf_Shdr h;
        if (!gelf_getshdr(section, &h))
            continue;
        add_section(f, &h);
        if (h.sh_type == SHT_SYMTAB)
            add_symbols(f, elf, section, &h);
    }
    bool good = elf && elf_kind(elf) == ELF_K_ELF;
    elf_end(elf);
    close(fd);
    return good ? OK : error_set(e, ERR_SYSTEM, AT_FILE(path), "the compiler wrote no ELF file");
}

/* ---- compiling ---- */

struct compiling {
    const struct board *b;
    const struct units *units;
    const char *folder;
};

static char *object_path(const struct compiling *c, size_t i)
{
    return xasprintf("%s/%zu.o", c->folder, i);
}

static char *why_path(const struct compiling *c, size_t i)
{
    return xasprintf("%s/%zu.why", c->folder, i);
}

static enum status compile_source(const struct compiling *c, size_t i, size_t source, struct board_args *objects,
                                  struct error *e)
{
    const struct unit *u = &c->units->at[i];
    char *samples = resource_share("samples"), *ir = xasprintf("%s/%zu.%zu.bc", c->folder, i, source),
         *object = xasprintf("%s/%zu.%zu.o", c->folder, i, source);
    struct board_args flags = {0};
    ARGS_ADD(&flags, "-std=c17", "-I", samples);
    for (char **f = u->sample->includes; *f; f++)
        ARGS_ADD(&flags, "-I", *f);
    for (char **d = u->sample->defines; *d; d++)
        ARGS_ADD(&flags, "-D", *d);
    enum status s = compile_ir(c->b, u->level, (const char *const *)flags.at, u->sample->sources[source], ir, e);
    if (!s)
        s = compile_object(c->b, u->level, ir, object, e);
    board_args_add(objects, object);
    unlink(ir);
    board_args_release(&flags);
    free(object);
    free(ir);
    free(samples);
    return s;
}

/* A program that does not compile gets the reason. */
static enum status compile_one(size_t i, void *context, struct error *e)
{
    const struct compiling *c = context;
    const struct unit *u = &c->units->at[i];
    struct board_args objects = {0};
    struct error own = ERROR_INIT;
    enum status s = OK;
    char *to = object_path(c, i), *why = why_path(c, i), *symbol = xasprintf("shim_main_%zu", i);
    for (size_t k = 0; k < u->sample->n_sources && !s; k++)
        s = compile_source(c, i, k, &objects, &own);
    if (!s)
        s = image_object((const char *const *)objects.at, objects.n, symbol, to, &own);
    for (size_t k = 0; k < objects.n; k++)
        unlink(objects.at[k]);
    if (s && s != ERR_CANCELLED) {
        char *text = error_text(&own);
        s = file_write(why, text, strlen(text), e);
        free(text);
    } else if (s) {
        s = error_set(e, s, NOWHERE, "interrupted");
    }
    error_release(&own);
    board_args_release(&objects);
    free(symbol);
    free(why);
    free(to);
    return s;
}

static void compiled_one(size_t i, size_t done, size_t total, void *context)
{
    const struct compiling *c = context;
    progress_show("compiling", done, total, c->units->at[i].name);
}

/* ---- judging ---- */

/* Is it a helper function of the compiler, which images have without a C library? Names are those of libgcc and
 * compiler-rt. */
static bool is_helper(const char *name)
{
    return strncmp(name, "__", 2) == 0;
}

/* Does the helper calculate with doubles? Run-time ABI for the Arm architecture, 4.1: __aeabi_d..., __aeabi_*2d;
 * libgcc: __adddf3, __fixdfsi ... */
static bool is_double_helper(const char *name)
{
    size_t n = strlen(name);
    if (strncmp(name, "__aeabi_", 8) == 0)
        return name[8] == 'd' || strncmp(name + 8, "cd", 2) == 0 || (n > 10 && strcmp(name + n - 2, "2d") == 0);
    return strncmp(name, "__", 2) == 0 && strstr(name, "df") != 0;
}

static void judge(struct part_item *x, const struct object_facts *f, const struct part_fit *fit, const struct map *kit,
                  const struct board *b)
{
    enum { MOST_NAMED = 3 };
    struct str calls = STR_INIT;
    size_t n = 0;
    str_add(&calls, "");
    for (size_t i = 0; i < f->undefined.n; i++) {
        const char *name = f->undefined.at[i];
        bool own = map_get(kit, name, 0);
        x->soft_double |= is_double_helper(name);
        if (own)
            continue;
        enum part_needs needs = is_helper(name) ? PART_NEEDS_HELPERS : PART_NEEDS_LIBRARY;
        x->needs = needs > x->needs ? needs : x->needs;
        n++;
        if (n <= MOST_NAMED)
            str_addf(&calls, "%s%s", calls.len ? ", " : "", name);
    }
    if (n > MOST_NAMED)
        str_addf(&calls, " and %zu more", n - MOST_NAMED);
    x->calls = str_detach(&calls);
    x->flash = f->flash;
    x->ram = f->ram;
    const size_t ram = part_room(b->part.ram, fit->kit_ram + b->part.stack),
                 flash = part_room(b->part.flash, fit->kit_flash);
    if (x->ram > ram)
        x->why = xasprintf("%zu bytes of RAM, %zu are there", x->ram, ram);
    else if (x->flash > flash)
        x->why = xasprintf("%zu bytes of flash, %zu are there", x->flash, flash);
    else if (*x->calls && !b->part.library)
        x->why = xasprintf("it calls %s, and there is no library", x->calls);
}

size_t part_room(size_t all, size_t taken)
{
    return all > taken ? all - taken : 0;
}

static enum status look_at(struct part_item *x, const struct part_fit *fit, const struct map *kit,
                           const struct board *b, struct error *e)
{
    struct object_facts f = {0};
    enum status s = add_object(&f, x->object, e);
    if (!s)
        s = image_id(&x->id, x->object, e);
    if (!s)
        judge(x, &f, fit, kit, b);
    facts_release(&f);
    return s;
}

/* what the linker adds to the sections of objects: vectors, tables, alignment */
enum { LINKER_BYTES = 512 };

/* Finds the sizes of the kit and what it defines. If the board makes no images, those of a typical kit. */
static enum status examine_kit(struct part_fit *out, struct object_facts *kit, const struct board *b,
                               const char *folder, struct error *e)
{
    struct board_args objects = {0};
    char *script = 0;
    enum status s = OK;
    if (out->stand_in) {
        out->kit_flash = 6 << 10;
        out->kit_ram = 2 << 10;
        return OK;
    }
    s = board_image_parts(b, folder, &objects, &script, e);
    for (size_t i = 0; i < objects.n && !s; i++)
        s = add_object(kit, objects.at[i], e);
    out->kit_flash = kit->flash + LINKER_BYTES;
    out->kit_ram = kit->ram;
    board_args_release(&objects);
    free(script);
    return s;
}

static enum status examine(struct part_fit *out, const struct compiling *c, const struct map *kit, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; i < c->units->n && !s; i++) {
        char *object = object_path(c, i), *why = why_path(c, i);
        struct part_item x = {.unit = &c->units->at[i], .symbol = xasprintf("shim_main_%zu", i)};
        struct str text = STR_INIT;
        x.object = xstrdup(file_exists(object) ? object : "");
        if (*x.object) {
            s = look_at(&x, out, kit, c->b, e);
        } else {
            s = file_read(&text, why, FILE_LIMIT, e);
            x.why = xasprintf("it does not compile: %.300s", str_text(&text));
            x.calls = xstrdup("");
        }
        vec_push(&out->items, x);
        str_release(&text);
        free(why);
        free(object);
    }
    return s;
}

enum status part_fit(struct part_fit *out, const struct board *b, const struct units *u, const char *folder, long jobs,
                     struct error *e)
{
    struct compiling c = {b, u, folder};
    struct object_facts kit = {0};
    *out = (struct part_fit){.stand_in = !board_is_bare(b)};
    enum status s = examine_kit(out, &kit, b, folder, e);
    if (!s)
        s = jobs_run(u->n, jobs > 0 ? (size_t)jobs : jobs_processors(), compile_one, compiled_one, &c, e);
    progress_clear();
    map_put(&kit.defined, "shim_region_begin", 0);
    map_put(&kit.defined, "shim_region_end", 0);
    if (!s)
        s = examine(out, &c, &kit.defined, e);
    facts_release(&kit);
    return s;
}

void part_fit_release(struct part_fit *f)
{
    for (size_t i = 0; i < f->items.n; i++) {
        free(f->items.at[i].symbol);
        free(f->items.at[i].object);
        free(f->items.at[i].calls);
        free(f->items.at[i].why);
    }
    vec_release(&f->items);
}
