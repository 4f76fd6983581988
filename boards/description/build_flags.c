/* build_flags.c - what the compiler is told for a board. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "boards/description/private.h"

static void add_all(struct board_args *args, char *const *flags)
{
    for (; *flags; flags++)
        board_args_add(args, *flags);
}

static void add_target(const struct board *b, struct board_args *args)
{
    if (!*board_target(b))
        return;
    char *flag = xasprintf("--target=%s", board_target(b));
    board_args_add(args, flag);
    free(flag);
}

void board_compile_flags(const struct board *b, const char *level, struct board_args *args)
{
    const struct board_level *l = board_find_level(b, level);
    if (!l)
        BUG("level '%s' is not of board '%s'", level, b->name);
    add_target(b, args);
    add_all(args, l->flags);
    add_all(args, b->count_flags);
    char *folder = resource_include(""), *flag = xasprintf("-I%s", folder);
    board_args_add(args, flag);
    free(flag);
    free(folder);
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
    add_target(b, args);
    enum status s = add_runtime(b, work, args, e);
    if (s)
        return s;
    board_args_add(args, "-Wl,--wrap=main");
    board_args_add(args, "-Wl,-z,now"); /* no symbol is looked up inside a region */
    add_all(args, b->link_flags);
    return OK;
}
