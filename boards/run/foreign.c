/* foreign.c - programs for a target other than this machine: checks for its C library, and compiles runtimes for it
 * from their installed sources. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/stamp.h"
#include "base/str.h"
#include "base/target.h"
#include "boards/description/causes.h"
#include "boards/machine/this_machine.h"

bool board_is_foreign(const struct board *b)
{
    return !target_is_here(board_target(b));
}

/* ---- the C library ---- */

/* Asks the compiler where a file for the target is. It prints the bare name if it finds none. */
static enum status compiler_finds(const struct board *b, const char *file, bool *there, struct error *e)
{
    char *target = xasprintf("--target=%s", board_target(b)), *ask = xasprintf("-print-file-name=%s", file);
    struct proc p = {
        .argv = (const char *const[]){b->compiler, target, ask, 0}, .capture = true, .timeout_s = 60, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_must(&p, &r, e);
    *there = strchr(str_text(&r.out), '/') != 0;
    proc_result_release(&r);
    free(ask);
    free(target);
    return s;
}

enum status board_check_target(const struct board *b, struct error *e)
{
    if (!board_is_foreign(b))
        return OK;
    char *compiler = proc_find(b->compiler);
    if (!compiler)
        return cause_error(e, ERR_SYSTEM, b->path, "compiler-missing", b->compiler);
    free(compiler);
    bool libc, libgcc;
    enum status s = compiler_finds(b, "crt1.o", &libc, e);
    if (!s)
        s = compiler_finds(b, "libgcc.a", &libgcc, e);
    if (s || (libc && libgcc))
        return s;
    const char *target = board_target(b), *debian = target_find(target)->debian;
    char *detail =
        debian ? xasprintf("%s (Debian's gcc-%s and libc6-dev-%s-cross)", target, target, debian) : xstrdup(target);
    s = cause_error(e, ERR_SYSTEM, b->path, "libc-missing", detail);
    free(detail);
    return s;
}

/* ---- runtimes ---- */

struct making {
    const struct board *b;
    const char *const *only;   /* the sources to compile; NULL: all */
    char *sources;             /* share/shimgen/runtime, absolute */
    char *folder;              /* absolute; where the objects are kept */
    struct board_args command; /* the compiler's command */
    struct board_args objects;
    uint64_t hash; /* of everything that they depend on */
};

static bool is_wanted(const struct making *m, const char *file)
{
    for (const char *const *o = m->only; o && *o; o++)
        if (strcmp(*o, file) == 0)
            return true;
    return !m->only;
}

/* Adds the sources of one folder below share/shimgen/runtime to the command. Headers only go into the hash. */
static enum status add_folder(struct making *m, const char *name, struct error *e)
{
    char *folder = path_join(m->sources, name), **files = 0;
    size_t n = 0;
    enum status s = list_directory(&files, &n, folder, e);
    for (size_t i = 0; i < n; i++) {
        char *path = path_join(folder, files[i]);
        uint64_t content = 0;
        if (!s && !file_is_directory(path))
            s = file_hash(&content, path, e);
        m->hash = hash_bytes(hash_text(m->hash, files[i]), &content, sizeof content);
        if (!s && text_ends(files[i], ".c") && is_wanted(m, files[i])) {
            char *object = xasprintf("%s/%.*s.o", m->folder, (int)strlen(files[i]) - 2, files[i]);
            board_args_add(&m->command, path);
            board_args_add(&m->objects, object);
            free(object);
        }
        free(path);
        free(files[i]);
    }
    free(files);
    free(folder);
    return s;
}

/* Hashes the compiler by its file: asking for its version each time would cost more than everything else. */
static void hash_compiler(struct making *m)
{
    char *path = proc_find(m->b->compiler);
    struct stat about = {0};
    if (path && stat(path, &about) == 0) {
        const int64_t numbers[] = {about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
        m->hash = hash_bytes(hash_text(m->hash, path), numbers, sizeof numbers);
    }
    free(path);
}

/* The objects that exist. The caller frees. */
static struct stamp_made *made_of(const struct making *m)
{
    struct stamp_made *made = xcalloc(m->objects.n + 1, sizeof *made);
    for (size_t i = 0; i < m->objects.n; i++)
        made[i] = stamp_made_of(m->objects.at[i]);
    return made;
}

static bool is_fresh(const struct making *m)
{
    const char *damaged = "";
    char *stamp = path_join(m->folder, "stamp");
    struct stamp_made *made = made_of(m);
    enum stamp_state state = stamp_check(stamp, m->hash, made, m->objects.n, &damaged);
    if (state == STAMP_DAMAGED)
        progress_note("%s/%s: changed or damaged since it was made; it is made again", m->folder, damaged);
    free(made);
    free(stamp);
    return state == STAMP_FRESH;
}

static enum status set_stamp(const struct making *m, struct error *e)
{
    char *stamp = path_join(m->folder, "stamp");
    struct stamp_made *made = made_of(m);
    enum status s = stamp_write(stamp, m->hash, made, m->objects.n, e);
    free(made);
    free(stamp);
    return s;
}

static enum status compile(const struct making *m, struct error *e)
{
    struct proc p = {.argv = (const char *const *)m->command.at,
                     .directory = m->folder, /* objects appear in it */
                     .capture = true,
                     .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = m->only ? OK : board_check_target(m->b, e); /* the kit needs no C library */
    if (!s)
        s = proc_must(&p, &r, e);
    proc_result_release(&r);
    return s ? s : set_stamp(m, e);
}

/* Finds the folders of a runtime: of its objects and of its sources. */
static enum status find_folders(struct making *m, const char *name, const char *work, struct error *e)
{
    char *sources = resource_share("runtime"), *objects = xasprintf("%s/runtime/%s", work, name);
    enum status s = make_directories(objects, e);
    m->folder = s ? 0 : realpath(objects, 0);
    m->sources = realpath(sources, 0);
    if (!s && !m->sources)
        s = cause_error(e, ERR_SYSTEM, m->b->path, "runtime-missing", sources);
    else if (!s && !m->folder)
        s = error_errno(e, AT_FILE(objects), "cannot be used");
    free(sources);
    free(objects);
    return s;
}

static void add_command(struct making *m)
{
    char *target = xasprintf("--target=%s", board_target(m->b)), *include = xasprintf("-I%s", m->sources);
    const char *const own[] = {
        m->b->compiler, target,     "-std=c17", "-D_GNU_SOURCE",
        include,        "-O2",      "-g",       "-fdebug-compilation-dir=.", /* independent of the folder */
        "-fPIC",        "-fno-lto", "-c",       0};
    for (const char *const *w = own; *w; w++)
        board_args_add(&m->command, *w);
    free(target);
    free(include);
    for (char **w = m->b->count_flags; w && *w; w++)
        board_args_add(&m->command, *w);
}

static enum status add_sources(struct making *m, const char *const *folders, struct error *e)
{
    enum status s = OK;
    m->hash = HASH_START;
    for (size_t i = 0; i < m->command.n; i++)
        m->hash = hash_text(m->hash, m->command.at[i]);
    hash_compiler(m);
    for (; *folders && !s; folders++)
        s = add_folder(m, *folders, e);
    return s;
}

/* Compiles what is missing, appends the objects, and releases `m`. */
static enum status finish(struct making *m, struct board_args *args, enum status s, struct error *e)
{
    if (!s && !is_fresh(m))
        s = compile(m, e);
    for (size_t i = 0; i < m->objects.n && !s; i++)
        board_args_add(args, m->objects.at[i]);
    board_args_release(&m->command);
    board_args_release(&m->objects);
    free(m->sources);
    free(m->folder);
    return s;
}

enum status board_foreign_runtime(const struct board *b, const char *name, const char *const *folders, const char *work,
                                  struct board_args *args, struct error *e)
{
    struct making m = {.b = b};
    enum status s = find_folders(&m, name, work, e);
    if (!s) {
        add_command(&m);
        s = add_sources(&m, folders, e);
    }
    return finish(&m, args, s, e);
}

/* ---- images ---- */

/* Writes the linker script: the kit's with the part's addresses in front, or the part's own. */
static enum status write_script(const struct making *m, char **script, struct error *e)
{
    const struct board_part *p = &m->b->part;
    char *own = path_join(m->sources, "boards/kit/files/part.ld");
    struct str text = STR_INIT, all = STR_INIT;
    if (*p->script) {
        free(own);
        *script = xstrdup(p->script);
        return file_exists(p->script) ? OK : error_errno(e, AT_FILE(p->script), "the linker script cannot be read");
    }
    enum status s = file_read(&text, own, FILE_LIMIT, e);
    str_addf(&all,
             "__shim_flash = 0x%" PRIx64 ";\n__shim_flash_size = 0x%" PRIx64 ";\n__shim_ram = 0x%" PRIx64
             ";\n__shim_ram_size = 0x%" PRIx64 ";\n__shim_stack_size = 0x%" PRIx64 ";\n%s",
             p->flash_start, p->flash, p->ram_start, p->ram, p->stack, str_text(&text));
    *script = path_join(m->folder, "part.ld");
    if (!s)
        s = file_write(*script, str_text(&all), all.len, e);
    str_release(&all);
    str_release(&text);
    free(own);
    return s;
}

enum status board_image_parts(const struct board *b, const char *work, struct board_args *objects, char **script,
                              struct error *e)
{
    char *start = xasprintf("start_%s.c", b->part.start);
    const char *const wanted[] = {"shim_kit.c", start, b->part.library ? 0 : "shim_library.c", 0};
    struct making m = {.b = b, .only = wanted};
    uint64_t port = 0;
    enum status s = find_folders(&m, "kit", work, e);
    if (!s)
        s = write_script(&m, script, e);
    if (!s) {
        board_kit_flags(b, &m.command);
        board_args_add(&m.command, "-c");
        s = add_sources(&m, (const char *const[]){"boards/kit/files", 0}, e);
    }
    if (!s && (s = file_hash(&port, b->part.port, e)))
        error_context(e, "the part's shim_port.h ([part] port in %s)", b->path);
    m.hash = hash_bytes(m.hash, &port, sizeof port);
    s = finish(&m, objects, s, e);
    free(start);
    return s;
}
