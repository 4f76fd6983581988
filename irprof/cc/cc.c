/*
 * The stages of the driver. For a source that is counted:
 *     clang <flags> -emit-llvm -c x.c -o T/0.bc               all optimisation happens here
 *     the instrumenter, T/0.bc -> T/0.i.bc
 *     clang <flags> -Xclang -disable-llvm-passes -c T/0.i.bc  code generation alone
 * then, unless -c was given, the link (cc_link.c). T is a temporary directory.
 */
#include "irprof/cc/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/file.h"
#include "base/str.h"
#include "irprof/cc/step_names.h"

/* "x.c" and "o" give "x.o": where an output without -o goes. The caller frees. */
static char *stem_with(const char *path, const char *suffix)
{
    const char *name = path_basename(path);
    const char *dot = strrchr(name, '.');
    return xasprintf("%.*s.%s", (int)(dot && dot != name ? (size_t)(dot - name) : strlen(name)), name, suffix);
}

/* The same, in the folder of `path`. */
static char *replace_suffix(const char *path, const char *suffix)
{
    const char *name = path_basename(path);
    const char *dot = strrchr(name, '.');
    size_t n = dot && dot != name ? (size_t)(dot - path) : strlen(path);
    return xasprintf("%.*s.%s", (int)n, path, suffix);
}

/* Words that are allocated for one command. */
struct made {
    char *at[4];
    size_t n;
};

static void add_made(struct cc_command *c, struct made *made, char *word)
{
    made->at[made->n++] = word;
    cc_add(c, word);
}

static void made_release(struct made *made)
{
    for (size_t i = 0; i < made->n; i++)
        free(made->at[i]);
}

/* The dependency file and the target named in it, as clang would choose them: after the output, or after the source.
 * Options of the user's take precedence. */
static void add_dependencies(struct cc_command *c, const struct cc_line *line, const char *source, struct made *made)
{
    if (!line->depend)
        return;
    if (!line->has_mf) {
        cc_add(c, "-MF");
        add_made(c, made, line->out ? replace_suffix(line->out, "d") : stem_with(source, "d"));
    }
    if (!line->has_mt) {
        cc_add(c, "-MQ");
        add_made(c, made, line->out ? xstrdup(line->out) : stem_with(source, "o"));
    }
}

/* What the names of --coverage's files begin with, as in clang. For an object they stand beside it. For sources that
 * are linked at once, the program's name comes first ("prog-a"; without -o "a-a"), so each source has files of its
 * own. */
static char *coverage_stem(const struct cc_line *line, const char *source)
{
    if (line->compile_only)
        return line->out ? replace_suffix(line->out, "gc") : stem_with(source, "gc");
    char *own = stem_with(source, "gc"), *stem = xasprintf("%s-%s", line->out ? line->out : "a", own);
    free(own);
    return stem;
}

/* Names the files of --coverage. Their paths become part of the program. */
static void add_coverage(struct cc_command *c, const struct cc_line *line, const char *source, struct made *made)
{
    if (!line->coverage)
        return;
    char *here = getcwd(0, 0);
    char *stem = coverage_stem(line, source);
    char *path = stem[0] == '/' || !here ? xstrdup(stem) : path_join(here, stem);
    cc_add(c, "-Xclang");
    add_made(c, made, xasprintf("-coverage-notes-file=%sno", path));
    cc_add(c, "-Xclang");
    add_made(c, made, xasprintf("-coverage-data-file=%sda", path));
    free(here);
    free(stem);
    free(path);
}

static void add_source(struct cc_command *c, const struct cc_word *source)
{
    if (source->language) {
        cc_add(c, "-x");
        cc_add(c, source->language);
    }
    cc_add(c, source->text);
}

/* Flags that the driver adds must not cause a warning that they are unused. */
static void add_own_flags(struct cc_command *c, const char *const *flags, size_t n)
{
    cc_add(c, "--start-no-unused-arguments");
    for (size_t i = 0; i < n; i++)
        cc_add(c, flags[i]);
    cc_add(c, "--end-no-unused-arguments");
}

static bool has_debug(const struct cc_line *line)
{
    for (size_t i = 0; i < line->words.n; i++)
        if (strncmp(line->words.at[i].text, "-g", 2) == 0)
            return true;
    return false;
}

/* With -c clang gets everything that the user gave. It is asked for bitcode in a way that its driver does not notice.
 * So it warns about unused options, and refuses them under -Werror, as for an object. */
static enum status make_ir(const struct cc_job *job, const struct cc_word *source, const char *out, struct error *e)
{
    const struct cc_line *line = job->line;
    struct cc_command c = {0};
    struct made made = {{0}, 0};
    bool alike = line->compile_only && !line->other_assembler;
    cc_add(&c, cc_compiler());
    cc_add_words(&c, line, 1u << CC_FLAG | 1u << CC_COMPILE | 1u << CC_DEPEND | (alike ? 1u << CC_LINK : 0));
    add_own_flags(&c, job->flags, job->n_flags);
    char *stamped = cc_stamp_functions(job);
    char *listed = xasprintf("%s,%s,%s", job->options.steps ? job->options.steps : "",
                             job->options.instances ? job->options.instances : "", stamped);
    free(stamped);
    if (line->stamp && !has_debug(line))
        cc_add(&c, "-gline-tables-only"); /* loops and lines are identified by it */
    char **kept = step_names_kept(listed);
    free(listed);
    for (char **option = kept; *option; option++) {
        cc_add(&c, "-mllvm");
        cc_add(&c, *option);
    }
    add_dependencies(&c, line, source->text, &made);
    add_coverage(&c, line, source->text, &made);
    if (line->verbose)
        cc_add(&c, "-v");
    if (alike) {
        cc_add(&c, "-Xclang");
        cc_add(&c, "-emit-llvm-bc");
    } else {
        cc_add(&c, "-Qunused-arguments");
        cc_add(&c, "-emit-llvm");
    }
    cc_add(&c, "-c");
    add_source(&c, source);
    cc_add(&c, "-o");
    cc_add(&c, out);
    enum status s = cc_execute(&c, job, 0, e);
    made_release(&made);
    words_free(kept);
    return s;
}

enum status cc_make_code(const struct cc_job *job, const char *ir, const char *object, const char *extra,
                         struct error *e)
{
    struct cc_command c = {0};
    cc_add(&c, cc_compiler());
    cc_add_words(&c, job->line, 1u << CC_FLAG);
    if (extra)
        cc_add(&c, extra);
    /* clang has already complained about options when it made the IR */
    const char *const rest[] = {"-Qunused-arguments",
                                "-Wno-unknown-warning-option",
                                "-Wno-ignored-optimization-argument",
                                "-Wno-overriding-option",
                                "-Wno-deprecated-ofast",
                                "-Wno-override-module",
                                "-Xclang",
                                "-disable-llvm-passes",
                                "-x",
                                "ir",
                                "-c",
                                ir,
                                "-o",
                                object};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        cc_add(&c, rest[i]);
    return cc_execute(&c, job, 0, e);
}

/* Is the source IR? clang passes it on without verifying it. */
static bool is_ir(const struct cc_word *source)
{
    return source->language ? !strcmp(source->language, "ir")
                            : text_ends(source->text, ".ll") || text_ends(source->text, ".bc");
}

static enum status instrument_stage(const struct cc_job *job, const struct cc_word *source, const char *ir,
                                    const char *out, struct error *e)
{
    if (job->line->stamp)
        return cc_stamp_ir(job, ir, out, e);
    if (job->line->verbose)
        fprintf(stderr, "irprof instrument %s -o %s\n", ir, out);
    return instrument_file(ir, out, !is_ir(source), &job->options, e);
}

/* With IRPROF_KEEP_IR=FOLDER the counted IR is kept: beside the object as OBJECT.bc with -c, otherwise in the folder as
 * NUMBER.bc. */
static enum status keep_ir(const struct cc_job *job, const char *ir, size_t number, const char *object, struct error *e)
{
    const char *folder = getenv("IRPROF_KEEP_IR");
    struct str bytes = STR_INIT;
    if (!folder || !*folder)
        return OK;
    char *to = job->line->compile_only ? xasprintf("%s.bc", object) : xasprintf("%s/%zu.bc", folder, number);
    enum status s = file_read(&bytes, ir, FILE_LIMIT, e);
    if (!s)
        s = file_write(to, str_text(&bytes), bytes.len, e);
    str_release(&bytes);
    free(to);
    return s;
}

static enum status compile_source(const struct cc_job *job, const struct cc_word *source, size_t number,
                                  const char *object, struct error *e)
{
    char *ir = xasprintf("%s/%zu.bc", job->directory, number);
    char *counted = xasprintf("%s/%zu.i.bc", job->directory, number);
    enum status s = make_ir(job, source, ir, e);
    if (!s)
        s = instrument_stage(job, source, ir, counted, e);
    if (!s)
        s = cc_make_code(job, counted, object, 0, e);
    if (!s)
        s = keep_ir(job, ir, number, object, e);
    unlink(ir);
    unlink(counted);
    free(ir);
    free(counted);
    return s;
}

/* Files that cannot become IR are compiled by clang as usual. */
static enum status compile_other(const struct cc_job *job, const struct cc_word *source, const char *object,
                                 struct error *e)
{
    struct cc_command c = {0};
    struct made made = {{0}, 0};
    cc_add(&c, cc_compiler());
    cc_add_words(&c, job->line, 1u << CC_FLAG | 1u << CC_COMPILE | 1u << CC_DEPEND);
    add_dependencies(&c, job->line, source->text, &made);
    cc_add(&c, "-Qunused-arguments");
    cc_add(&c, "-c");
    add_source(&c, source);
    cc_add(&c, "-o");
    cc_add(&c, object);
    enum status s = cc_execute(&c, job, 0, e);
    made_release(&made);
    return s;
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Compiles each source to an object: with -c the requested one, otherwise T/N.o. clang writes an object whole or not at
 * all. */
static enum status compile_all(const struct cc_job *job, char **objects, struct error *e)
{
    const struct cc_line *line = job->line;
    size_t number = 0;
    for (size_t i = 0; i < line->words.n; i++) {
        const struct cc_word *w = &line->words.at[i];
        if (w->kind != CC_SOURCE && w->kind != CC_OTHER)
            continue;
        objects[number] = !line->compile_only ? xasprintf("%s/%zu.o", job->directory, number)
                          : line->out         ? xstrdup(line->out)
                                              : stem_with(strcmp(w->text, "-") ? w->text : "-.c", "o");
        enum status s = w->kind == CC_SOURCE ? compile_source(job, w, number, objects[number], e)
                                             : compile_other(job, w, objects[number], e);
        if (s && is_file(objects[number]))
            unlink(objects[number]); /* removes an older object, as clang does */
        if (s)
            return s;
        number++;
    }
    return OK;
}

/* Reads IRPROF_FLAGS, options of `irprof instrument` separated by spaces, and IRPROF_COUNTERS. */
static enum status read_options(struct cc_job *job, struct error *e)
{
    const char *given = getenv("IRPROF_FLAGS"), *counters = getenv("IRPROF_COUNTERS");
    VEC(char *) words = {0};
    enum status s = OK;
    int used = 0;
    job->options_owned = xstrdup(given ? given : "");
    for (char *at = job->options_owned, *w; (w = strtok_r(at, " \t\n", &at));)
        vec_push(&words, w);
    for (size_t i = 0; i < words.n && !s; i += (size_t)used) {
        s = instrument_option(&job->options, words.at[i], i + 1 < words.n ? words.at[i + 1] : 0, &used, e);
        if (!s && used < 1)
            s = usage_error(e,
                            "IRPROF_FLAGS has '%s', which is not an option of 'irprof instrument' or lacks its value",
                            words.at[i]);
    }
    vec_release(&words);
    if (!s && counters)
        s = instrument_option(&job->options, "--counters", counters, &used, e);
    return s;
}

static enum status run_job(struct cc_job *job, struct error *e)
{
    size_t n = job->line->n_sources + job->line->n_others;
    char **objects = xcalloc(n, sizeof *objects);
    job->n_flags = compile_flags(job->flags, &job->flags_owned);
    enum status s = temp_directory(&job->directory, "irprof", e);
    if (!s)
        s = compile_all(job, objects, e);
    if (!s)
        s = cc_stamp_check(job, e);
    if (!s && !job->line->compile_only)
        s = cc_link(job, objects, e);
    if (job->directory) {
        enum status removed = remove_tree(job->directory, s ? 0 : e);
        cleanup_remove(job->directory);
        s = s ? s : removed;
    }
    for (size_t i = 0; i < n; i++)
        free(objects[i]);
    free(objects);
    free(job->directory);
    free(job->flags_owned);
    return s;
}

enum status cc_run(const struct cc_line *line, struct error *e)
{
    if (line->compile_only && line->out && line->n_sources + line->n_others > 1)
        return usage_error(e, "-o names one file, but -c makes %zu of these sources", line->n_sources + line->n_others);
    if (line->dropped)
        fprintf(stderr, "irprof cc: %s is left out\n", line->dropped);
    struct cc_job job = {.line = line};
    enum status s = read_options(&job, e);
    if (!s)
        s = cc_stamp_read(&job, e);
    if (!s)
        s = run_job(&job, e);
    stamp_specs_release(&job.stamps);
    free(job.options_owned);
    return s;
}

enum status cc_become(char **argv, int argc, struct error *e)
{
    struct cc_command c = {0};
    const char *flags[LINK_WORDS];
    char *owned;
    size_t n = compile_flags(flags, &owned);
    cc_add(&c, cc_compiler());
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--stamp", 7) == 0)
            i += !strchr(argv[i], '='); /* an option of the driver's own; its value may be the next word */
        else
            cc_add(&c, argv[i]);
    }
    add_own_flags(&c, flags, n);
    cc_add(&c, 0);
    execvp(cc_compiler(), (char *const *)c.words.at);
    enum status s = error_errno(e, NOWHERE, "'%s' cannot be run; name a clang in IRPROF_CC", cc_compiler());
    vec_release(&c.words);
    free(owned);
    return s;
}
