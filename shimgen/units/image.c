/* image.c - links an image of one program for a part without an operating system: objects, kit, table. */
#include "shimgen/units/image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/str.h"
#include "boards/kit/kit.h"
#include "shimgen/estimate/compile.h"

/* The names of LLVM's tools contain a number if several versions are installed. */
static char *tool(const char *name)
{
    char *numbered = xasprintf("%s-19", name), *found = proc_find(numbered);
    free(numbered);
    return found ? found : xstrdup(name);
}

static enum status join(const char *const *objects, size_t n, const char *to, struct error *e)
{
    struct board_args a = {0};
    char *linker = tool("ld.lld");
    ARGS_ADD(&a, linker, "-r", "-o", to);
    for (size_t i = 0; i < n; i++)
        board_args_add(&a, objects[i]);
    enum status s = compile_run(&a, e);
    board_args_release(&a);
    free(linker);
    return s;
}

/* Makes all names except one local, since programs of an image may share names. */
enum status image_object(const char *const *objects, size_t n, const char *symbol, const char *to, struct error *e)
{
    struct board_args a = {0};
    char *objcopy = tool("llvm-objcopy"), *rename = xasprintf("--redefine-sym=main=%s", symbol);
    char *whole = n > 1 ? xasprintf("%s.r", to) : xstrdup(objects[0]);
    enum status s = n > 1 ? join(objects, n, whole, e) : OK;
    ARGS_ADD(&a, objcopy, rename, "--keep-global-symbol=main", "--strip-debug", whole, to);
    if (!s)
        s = compile_run(&a, e);
    if (n > 1)
        unlink(whole);
    board_args_release(&a);
    free(whole);
    free(rename);
    free(objcopy);
    return s;
}

enum status image_id(uint32_t *id, const char *object, struct error *e)
{
    struct str bytes = STR_INIT;
    enum status s = file_read(&bytes, object, FILE_LIMIT, e);
    if (!s)
        *id = kit_crc(UINT32_MAX, str_text(&bytes), bytes.len) ^ UINT32_MAX;
    str_release(&bytes);
    return s;
}

/* The work in a word of the part, as a hexadecimal number. */
static uint32_t work_word(double work)
{
    return work < 0 ? 0 : work > UINT32_MAX ? UINT32_MAX : (uint32_t)work;
}

char *image_table(const struct image_program *programs, size_t n)
{
    struct str text = STR_INIT;
    str_add(&text,
            "/* programs.c - the programs of the image; written by shimgen. */\n#include \"shim_kit.h\"\n\n"
            "#ifndef SHIM_ORIGIN\n#define SHIM_ORIGIN \"ir\" /* the objects that came with the kit */\n#endif\n\n");
    for (size_t i = 0; i < n; i++)
        str_addf(&text, "int %s(int, char **);\n", programs[i].symbol);
    str_add(&text, "\nconst struct shim_program shim_programs[] = {\n");
    for (size_t i = 0; i < n; i++)
        str_addf(&text, "    {\"%s\", %s, SHIM_ORIGIN, 0x%" PRIx32 "ul, 0x%08" PRIx32 "ul},\n", programs[i].name,
                 programs[i].symbol, work_word(programs[i].work), programs[i].id);
    uint32_t image = kit_crc(UINT32_MAX, str_text(&text), text.len) ^ UINT32_MAX;
    str_addf(&text,
             "};\nconst unsigned shim_n_programs = %zu;\nconst unsigned long shim_image_id = 0x%08" PRIx32 "ul;\n", n,
             image);
    return str_detach(&text);
}

#define ONLY_MAIN "shim_main_0"

/* Writes and compiles the table of one program. */
static enum status make_table(const struct board *b, const struct image_program *program, const char *folder,
                              const char *object, const char *to, struct error *e)
{
    struct image_program p = *program;
    struct board_args a = {0};
    char *source = xasprintf("%s/programs.c", folder);
    enum status s = image_id(&p.id, object, e);
    p.symbol = ONLY_MAIN;
    char *text = s ? 0 : image_table(&p, 1);
    if (!s)
        s = file_write(source, text, strlen(text), e);
    board_kit_flags(b, &a);
    ARGS_ADD(&a, "-c", source, "-o", to);
    if (!s)
        s = compile_run(&a, e);
    unlink(source);
    board_args_release(&a);
    free(text);
    free(source);
    return s;
}

/* Links. On failure, the error has the linker's first complaint and what it means. */
static enum status link_image(const struct board *b, const struct board_args *a, struct error *e)
{
    struct error linker = ERROR_INIT;
    enum status s = compile_run(a, &linker);
    if (!s)
        return OK;
    char *all = error_text(&linker), *line = strstr(all, "error: ");
    line = line ? line + strlen("error: ") : all;
    line[strcspn(line, "\n")] = 0;
    error_set(e, s, NOWHERE, "the image cannot be linked: %s%s", line,
              strstr(line, "undefined symbol") && !b->part.library ? " (there is no C library: [part] library)" : "");
    free(all);
    error_release(&linker);
    return s;
}

enum status image_link(const struct board *b, const struct image_program *program, const struct board_args *args,
                       const char *folder, const char *work, const char *image, struct error *e)
{
    struct board_args kit = {0}, a = {0};
    char *script = 0, *object = xasprintf("%s/program.o", folder), *table = xasprintf("%s/programs.o", folder);
    enum status s = board_image_parts(b, work, &kit, &script, e);
    if (!s)
        s = image_object((const char *const *)args->at + 1, args->n - 1, ONLY_MAIN, object, e);
    if (!s)
        s = make_table(b, program, folder, object, table, e);
    args_add_all(&a, (const char *const *)b->part.linker);
    ARGS_ADD(&a, "-T", script ? script : "", "-o", image);
    args_add_all(&a, (const char *const *)kit.at);
    ARGS_ADD(&a, table, object);
    args_add_all(&a, (const char *const *)b->link_flags);
    if (!s)
        s = link_image(b, &a, e);
    unlink(object);
    unlink(table);
    board_args_release(&kit);
    board_args_release(&a);
    free(script);
    free(object);
    free(table);
    return s;
}
