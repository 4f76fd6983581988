/* Programs of csmith, which is found on this machine: the program, and the folder of its headers. Nothing of it is
 * ours. A program is of use when it ends soon and its checksum is the same unoptimised, with undefined behaviour
 * trapped, and optimised: two ways to one result. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/random.h"
#include "samples/generate/generate_program.h"
#include "shimgen/generate/generate_samples.h"

enum { MAKE_TIMEOUT_S = 20, COMPILE_TIMEOUT_S = 60, RUN_TIMEOUT_S = 2 };

enum status csmith_find(struct csmith *c, const char *compiler, struct error *e)
{
    static const char *const folders[] = {"include/csmith", "include/csmith-2.3.0", "include", "runtime"};
    *c = (struct csmith){.compiler = compiler, .program = proc_find("csmith")};
    if (!c->program)
        return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                         "csmith is not installed, so it cannot be a source of programs; install it (Debian: apt-get "
                         "install csmith libcsmith-dev), or take --generator own");
    const char *name = path_basename(c->program);
    char *bin = name == c->program ? xstrdup("./") : xstrndup(c->program, (size_t)(name - c->program));
    for (size_t i = 0; !c->include && i < sizeof folders / sizeof *folders; i++) {
        char *folder = xasprintf("%s../%s", bin, folders[i]), *header = path_join(folder, "csmith.h");
        if (file_exists(header))
            c->include = realpath(folder, 0);
        free(header);
        free(folder);
    }
    free(bin);
    if (!c->include)
        return error_set(e, ERR_UNSUPPORTED, AT_FILE(c->program),
                         "csmith is there but its header csmith.h is not beside it (include/csmith/csmith.h); install "
                         "both (Debian: apt-get install csmith libcsmith-dev)");
    return temp_directory(&c->work, "shimgen-csmith", e);
}

void csmith_release(struct csmith *c)
{
    free(c->program);
    free(c->include);
    free(c->work); /* removed at exit */
    *c = (struct csmith){0};
}

/* Whether the command ran and ended well; only a command that cannot be started is an error. */
static enum status attempt(bool *well, struct str *said, const char *folder, const char *const *argv, double timeout_s,
                           struct error *e)
{
    struct proc p = {.argv = argv, .directory = folder, .capture = true, .timeout_s = timeout_s, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_run(&p, &r, e);
    *well = !s && !r.exit_code && !r.signal && !r.timed_out;
    if (said)
        str_add(said, str_text(&r.out));
    proc_result_release(&r);
    return s;
}

/* In our folder: csmith leaves a file there, and writes its command line into the program, so that has no path in it.
 */
static enum status ask_csmith(bool *well, struct str *text, const struct csmith *c, uint64_t seed, struct error *e)
{
    char *number = xasprintf("%" PRIu64, seed), *path = path_join(c->work, "made.c");
    const char *const argv[] = {c->program,
                                "--seed",
                                number,
                                "--no-argc",
                                "--no-consts",
                                "--no-volatiles",
                                "--no-const-pointers",
                                "--no-volatile-pointers",
                                "--output",
                                "made.c",
                                0};
    enum status s = attempt(well, 0, c->work, argv, MAKE_TIMEOUT_S, e);
    if (!s && *well)
        s = file_read(text, path, (size_t)64 << 20, e);
    free(path);
    free(number);
    return s;
}

/* The checksum that the program prints when it is compiled so. */
static enum status ask_program(bool *well, struct str *sum, const struct csmith *c, const char *source,
                               const char *level, bool trap, struct error *e)
{
    char *program = path_join(c->work, "asked"), *samples = resource_share("samples"), *include = resource_include("");
    const char *const compile[] = {c->compiler,
                                   "-std=c17",
                                   "-w",
                                   level,
                                   "-I",
                                   samples,
                                   "-I",
                                   include,
                                   source,
                                   "-lm",
                                   "-o",
                                   program,
                                   trap ? "-fsanitize=undefined" : 0,
                                   "-fsanitize-trap=undefined",
                                   0};
    const char *const run[] = {program, 0};
    enum status s = attempt(well, 0, 0, compile, COMPILE_TIMEOUT_S, e);
    if (!s && *well)
        s = attempt(well, sum, 0, run, RUN_TIMEOUT_S, e);
    free(program);
    free(samples);
    free(include);
    return s;
}

static enum status find_checksum(bool *well, uint32_t *checksum, const struct csmith *c, const char *text,
                                 struct error *e)
{
    char *asking = 0, *path = path_join(c->work, "asked.c");
    struct str plain = STR_INIT, optimised = STR_INIT;
    enum status s = generate_ask_csmith(&asking, text, c->include, e);
    if (s == ERR_INPUT) { /* no variables: of no use, and no fault */
        error_release(e);
        s = OK;
        *well = false;
    }
    if (!s && *well)
        s = file_write(path, asking, strlen(asking), e);
    if (!s && *well)
        s = ask_program(well, &plain, c, path, "-O0", true, e);
    if (!s && *well)
        s = ask_program(well, &optimised, c, path, "-O2", false, e);
    if (!s && *well)
        *well = strcmp(str_text(&plain), str_text(&optimised)) == 0;
    *checksum = (uint32_t)strtoul(str_text(&plain), 0, 16);
    str_release(&plain);
    str_release(&optimised);
    free(path);
    free(asking);
    return s;
}

enum status csmith_make(struct candidate *out, bool *useful, const struct csmith *c, uint64_t seed, uint64_t number,
                        struct error *e)
{
    struct random r = random_start(seed ^ number * UINT64_C(0xda942042e4dd58b5));
    struct str text = STR_INIT;
    uint64_t theirs = random_next(&r) & 0x7fffffff;
    uint32_t checksum = 0;
    *useful = false;
    enum status s = ask_csmith(useful, &text, c, theirs, e);
    if (!s && *useful)
        s = find_checksum(useful, &checksum, c, str_text(&text), e);
    *useful = !s && *useful;
    if (*useful) {
        *out = (struct candidate){.name = xasprintf("c%" PRIu64 "_%04" PRIu64, seed, number), .work = 1};
        out->stresses = xasprintf("csmith seed %" PRIu64, theirs);
        s = generate_wrap_csmith(&out->source, str_text(&text), out->name, c->include, checksum, e);
    }
    str_release(&text);
    return s;
}
