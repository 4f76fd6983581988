/* compile.c - runs the compilers that turn a source into optimised IR, counted IR and an object. */
#include "shimgen/estimate/compile.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/str.h"

void args_add_all(struct board_args *a, const char *const *texts)
{
    for (; texts && *texts; texts++)
        board_args_add(a, *texts);
}

void args_add_words(struct board_args *a, const char *text)
{
    char **words = words_of(text ? text : "", " \t\n");
    args_add_all(a, (const char *const *)words);
    words_free(words);
}

enum status compile_run(const struct board_args *command, struct error *e)
{
    struct proc p = {.argv = (const char *const *)command->at, .capture = true, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_must(&p, &r, e);
    proc_result_release(&r);
    return s;
}

enum status compile_ir(const struct board *b, const char *level, const char *const *flags, const char *source,
                       const char *ir, struct error *e)
{
    struct board_args a = {0};
    ARGS_ADD(&a, b->compiler);
    board_compile_flags(b, level, &a);
    args_add_all(&a, flags);
    ARGS_ADD(&a, "-g", "-emit-llvm", "-c", source, "-o", ir);
    enum status s = compile_run(&a, e);
    board_args_release(&a);
    return s;
}

enum status compile_object(const struct board *b, const char *level, const char *ir, const char *object,
                           struct error *e)
{
    struct board_args a = {0};
    ARGS_ADD(&a, b->compiler);
    board_compile_flags(b, level, &a);
    ARGS_ADD(&a, "-Wno-unused-command-line-argument", "-Xclang", "-disable-llvm-passes", "-c", ir, "-o", object);
    enum status s = compile_run(&a, e);
    board_args_release(&a);
    return s;
}

enum status compile_counted_object(const struct board *b, const char *level, const char *ir, const char *object,
                                   struct error *e)
{
    struct board_args a = {0};
    ARGS_ADD(&a, b->compiler);
    board_counted_flags(b, level, &a);
    ARGS_ADD(&a, "-Wno-unused-command-line-argument", "-Xclang", "-disable-llvm-passes", "-c", ir, "-o", object);
    enum status s = compile_run(&a, e);
    board_args_release(&a);
    return s;
}

enum status compile_counters(const char *ir, const char *const *options, const char *out, struct error *e)
{
    struct board_args a = {0};
    char *irprof = resource_program("irprof");
    ARGS_ADD(&a, irprof, "instrument");
    args_add_all(&a, options);
    ARGS_ADD(&a, ir, "-o", out);
    enum status s = compile_run(&a, e);
    free(irprof);
    board_args_release(&a);
    return s;
}

enum status compile_counted_link(const struct board *b, const char *work, struct board_args *link, struct error *e)
{
    enum status s = OK;
    if (board_is_foreign(b)) {
        char *target = xasprintf("--target=%s", board_target(b));
        ARGS_ADD(link, target);
        free(target);
        s = board_foreign_runtime(b, "counting", (const char *const[]){"irprof/runtime", "sim/branch", "sim/cache", 0},
                                  work, link, e);
    } else {
        char *runtime = resource_lib("libirprof_rt.a");
        ARGS_ADD(link, "-Wl,--whole-archive", runtime, "-Wl,--no-whole-archive");
        free(runtime);
    }
    if (board_is_bare(b))
        ARGS_ADD(link, "-static"); /* the board's own link flags are for images */
    else
        args_add_all(link, (const char *const *)b->link_flags);
    ARGS_ADD(link, "-lm", "-lpthread");
    return s;
}
