/* build_flags.c - compiler and linker flags for a board. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "boards/description/causes.h"

static void add_all(struct board_args *args, char *const *flags)
{
    for (; *flags; flags++)
        board_args_add(args, *flags);
}

static void add_target(const char *target, struct board_args *args)
{
    if (!*target)
        return;
    char *flag = xasprintf("--target=%s", target);
    board_args_add(args, flag);
    free(flag);
}

/* Adds headers that declare what samples use, and stand in for shim_region.h. They are not a C library's. */
static void add_kit_headers(struct board_args *args)
{
    static const char *const folders[] = {"include", "declarations"};
    board_args_add(args, "-nostdlibinc");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *relative = xasprintf("runtime/boards/kit/files/%s", folders[i]), *folder = resource_share(relative);
        board_args_add(args, "-isystem");
        board_args_add(args, folder);
        free(folder);
        free(relative);
    }
    board_args_add(args, "-DSHIM_KIT");
}

static const struct board_level *level_of(const struct board *b, const char *level)
{
    const struct board_level *l = board_find_level(b, level);
    if (!l)
        BUG("level '%s' is not of board '%s'", level, b->name);
    return l;
}

void board_compile_flags(const struct board *b, const char *level, struct board_args *args)
{
    const struct board_level *l = level_of(b, level);
    add_target(board_is_bare(b) ? b->target : board_target(b), args);
    add_all(args, l->flags);
    if (board_is_bare(b)) {
        add_kit_headers(args);
        return;
    }
    add_all(args, b->count_flags);
    char *folder = resource_include(""), *flag = xasprintf("-I%s", folder);
    board_args_add(args, flag);
    free(flag);
    free(folder);
}

void board_counted_flags(const struct board *b, const char *level, struct board_args *args)
{
    if (!board_is_bare(b)) {
        board_compile_flags(b, level, args);
        return;
    }
    /* the IR may name processors and features that the other target does not know: they are ignored */
    add_target(board_target(b), args);
    board_args_add(args, level_of(b, level)->flags[0]);
    board_args_add(args, "-w");
    add_all(args, b->count_flags);
}

void board_kit_flags(const struct board *b, struct board_args *args)
{
    static const char *const own[] = {"-Os", "-std=c89", "-pedantic-errors", "-ffreestanding", "-fno-builtin", 0};
    char *runs = xasprintf("-DSHIM_RUNS=%u", b->runs), *cold = xasprintf("-DSHIM_COLD=%d", b->cache == BOARD_COLD);
    const char *base = path_basename(b->part.port);
    char *port = base == b->part.port ? xstrdup("-I.") : xasprintf("-I%.*s", (int)(base - b->part.port), b->part.port);
    char *folder = resource_share("runtime/boards/kit/files"), *kit = xasprintf("-I%s", folder);
    board_args_add(args, b->compiler);
    add_target(b->target, args);
    add_all(args, b->levels[0].flags + 1);
    for (const char *const *w = own; *w; w++)
        board_args_add(args, *w);
    if (!*b->part.script)
        board_args_add(args, "-DSHIM_KIT_SCRIPT");
    board_args_add(args, runs);
    board_args_add(args, cold);
    board_args_add(args, port);
    board_args_add(args, kit);
    free(kit);
    free(folder);
    free(port);
    free(cold);
    free(runs);
}

static enum status add_runtime(const struct board *b, const char *work, struct board_args *args, struct error *e)
{
    if (board_is_foreign(b))
        return board_foreign_runtime(b, "measuring", (const char *const[]){"boards/runtime", 0}, work, args, e);
    char *runtime = resource_lib("shim_measure_rt.o");
    enum status s = file_exists(runtime) ? OK : cause_error(e, ERR_SYSTEM, b->path, "runtime-missing", runtime);
    if (!s)
        board_args_add(args, runtime);
    free(runtime);
    return s;
}

enum status board_link_flags(const struct board *b, const char *work, struct board_args *args, struct error *e)
{
    if (board_is_bare(b)) { /* flags for an image; shimgen/units/image.c puts them in their order */
        char *script = 0;
        add_all(args, b->part.linker);
        enum status s = board_image_parts(b, work, args, &script, e);
        if (!s)
            board_args_add(args, script);
        free(script);
        add_all(args, b->link_flags);
        return s;
    }
    add_target(board_target(b), args);
    enum status s = add_runtime(b, work, args, e);
    if (s)
        return s;
    board_args_add(args, "-Wl,--wrap=main");
    board_args_add(args, "-Wl,-z,now"); /* binds symbols at the start, so that none is looked up inside a region */
    add_all(args, b->link_flags);
    return OK;
}
