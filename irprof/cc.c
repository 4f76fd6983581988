/*
 * The stages of the driver. For a source that is counted:
 *     clang <flags> -emit-llvm -c x.c -o T/0.bc               all optimisation happens here
 *     the instrumenter, T/0.bc -> T/0.i.bc
 *     clang <flags> -Xclang -disable-llvm-passes -c T/0.i.bc  code generation alone
 * then, unless -c was given, the link, with the runtime. T is a temporary directory.
 */
#include "irprof/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/cli.h"
#include "base/proc.h"
#include "base/str.h"
#include "irprof/instrument.h"
#include "irprof/link.h"

/* A command in the making; borrows its words. */
struct command {
    VEC(const char *) words;
};

static const char *compiler(void)
{
    const char *given = getenv("IRPROF_CC");
    return given && *given ? given : "clang-19";
}

static void add(struct command *c, const char *word)
{
    vec_push(&c->words, word);
}

/* The words of some kinds, in their order; kinds is a set of bits. */
static void add_words(struct command *c, const struct cc_line *line, unsigned kinds)
{
    for (size_t i = 0; i < line->words.n; i++)
        if (kinds & 1u << line->words.at[i].kind)
            add(c, line->words.at[i].text);
}

static enum status execute(struct command *c, const struct cc_line *line, struct error *e)
{
    struct proc_result r = PROC_RESULT_INIT;
    add(c, 0);
    if (line->verbose) {
        for (size_t i = 0; i + 1 < c->words.n; i++)
            fprintf(stderr, "%s%s", i ? " " : "", c->words.at[i]);
        fputc('\n', stderr);
    }
    struct proc p = {.argv = c->words.at, .cpu = -1};
    enum status s = proc_run(&p, &r, e);
    vec_release(&c->words);
    if (!s && r.signal)
        s = error_set(e, ERR_SYSTEM, NOWHERE, "'%s' was killed by signal %d", compiler(), r.signal);
    else if (!s && r.exit_code)
        s = error_set(e, ERR_FOUND, NOWHERE, "'%s' exited with %d", compiler(), r.exit_code);
    proc_result_release(&r);
    return s;
}

/* What all stages of one run share. */
struct job {
    const struct cc_line *line;
    char *directory;               /* temporary; owned */
    const char *flags[LINK_WORDS]; /* compile_flags */
    size_t n_flags;
    char *flags_owned;
    struct instrument_options options;
};

/* "x.c" and "o" -> "x.o": where an output goes that has no -o. The caller frees. */
static char *stem_with(const char *path, const char *suffix)
{
    const char *name = path_basename(path);
    const char *dot = strrchr(name, '.');
    return xasprintf("%.*s.%s", (int)(dot && dot != name ? (size_t)(dot - name) : strlen(name)), name, suffix);
}

/* The same beside the path itself. */
static char *replace_suffix(const char *path, const char *suffix)
{
    const char *name = path_basename(path);
    const char *dot = strrchr(name, '.');
    size_t n = dot && dot != name ? (size_t)(dot - path) : strlen(path);
    return xasprintf("%.*s.%s", (int)n, path, suffix);
}

/* The dependency file and the target in it, as clang would name them: after the output, or after the source. What the
 * user said of either comes first. */
static void add_dependencies(struct command *c, const struct cc_line *line, const char *source, char **owned)
{
    add_words(c, line, 1u << CC_DEPEND);
    if (!line->depend)
        return;
    if (!line->has_mf) {
        owned[0] = line->out ? replace_suffix(line->out, "d") : stem_with(source, "d");
        add(c, "-MF");
        add(c, owned[0]);
    }
    if (!line->has_mt) {
        owned[1] = line->out ? xstrdup(line->out) : stem_with(source, "o");
        add(c, "-MQ");
        add(c, owned[1]);
    }
}

static void add_source(struct command *c, const struct cc_word *source, const char *path)
{
    if (source->language) {
        add(c, "-x");
        add(c, source->language);
    }
    add(c, path);
}

/* Standard input as a source: the child has none, so it becomes a file. */
static enum status save_input(const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, "-", FILE_LIMIT, e);
    if (!s)
        s = file_write(path, str_text(&text), text.len, e);
    str_release(&text);
    return s;
}

static enum status make_ir(const struct job *job, const struct cc_word *source, const char *path, const char *out,
                           struct error *e)
{
    struct command c = {0};
    char *owned[2] = {0, 0};
    add(&c, compiler());
    add_words(&c, job->line, 1u << CC_FLAG | 1u << CC_COMPILE);
    for (size_t i = 0; i < job->n_flags; i++)
        add(&c, job->flags[i]);
    add_dependencies(&c, job->line, source->text, owned);
    add(&c, "-Qunused-arguments");
    add(&c, "-emit-llvm");
    add(&c, "-c");
    if (path != source->text) {
        add(&c, "-iquote"); /* standard input includes from where we are */
        add(&c, ".");
    }
    add_source(&c, source, path);
    add(&c, "-o");
    add(&c, out);
    enum status s = execute(&c, job->line, e);
    free(owned[0]);
    free(owned[1]);
    return s;
}

static enum status make_code(const struct job *job, const char *ir, const char *out, struct error *e)
{
    struct command c = {0};
    add(&c, compiler());
    add_words(&c, job->line, 1u << CC_FLAG);
    const char *const rest[] = {
        "-Qunused-arguments", "-Xclang", "-disable-llvm-passes", "-x", "ir", "-c", ir, "-o", out};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        add(&c, rest[i]);
    return execute(&c, job->line, e);
}

static enum status instrument_stage(const struct job *job, const char *ir, const char *out, struct error *e)
{
    if (job->line->verbose)
        fprintf(stderr, "irprof instrument %s -o %s\n", ir, out);
    return instrument_file(ir, out, &job->options, e);
}

static enum status compile_source(const struct job *job, const struct cc_word *source, size_t number,
                                  const char *object, struct error *e)
{
    char *input = xasprintf("%s/%zu.input", job->directory, number);
    char *ir = xasprintf("%s/%zu.bc", job->directory, number);
    char *counted = xasprintf("%s/%zu.i.bc", job->directory, number);
    bool from_input = strcmp(source->text, "-") == 0;
    enum status s = from_input ? save_input(input, e) : OK;
    if (!s)
        s = make_ir(job, source, from_input ? input : source->text, ir, e);
    if (!s)
        s = instrument_stage(job, ir, counted, e);
    if (!s)
        s = make_code(job, counted, object, e);
    unlink(ir);
    unlink(counted);
    free(input);
    free(ir);
    free(counted);
    return s;
}

static enum status assemble(const struct job *job, const struct cc_word *source, const char *object, struct error *e)
{
    struct command c = {0};
    add(&c, compiler());
    add_words(&c, job->line, 1u << CC_FLAG | 1u << CC_COMPILE | 1u << CC_DEPEND);
    add(&c, "-Qunused-arguments");
    add(&c, "-c");
    add_source(&c, source, source->text);
    add(&c, "-o");
    add(&c, object);
    return execute(&c, job->line, e);
}

/* Every source becomes T/N.o. */
static enum status compile_all(const struct job *job, char **objects, struct error *e)
{
    size_t number = 0;
    for (size_t i = 0; i < job->line->words.n; i++) {
        const struct cc_word *w = &job->line->words.at[i];
        if (w->kind != CC_SOURCE && w->kind != CC_ASSEMBLY)
            continue;
        objects[number] = xasprintf("%s/%zu.o", job->directory, number);
        enum status s = w->kind == CC_SOURCE ? compile_source(job, w, number, objects[number], e)
                                             : assemble(job, w, objects[number], e);
        if (s)
            return s;
        number++;
    }
    return OK;
}

/* An object appears whole or not at all. */
static enum status deliver(const char *object, const char *to, struct error *e)
{
    struct str bytes = STR_INIT;
    enum status s = file_read(&bytes, object, FILE_LIMIT, e);
    if (!s)
        s = file_write(to, bytes.s, bytes.len, e);
    str_release(&bytes);
    return s;
}

static enum status deliver_all(const struct job *job, char **objects, struct error *e)
{
    size_t number = 0;
    enum status s = OK;
    for (size_t i = 0; i < job->line->words.n && !s; i++) {
        const struct cc_word *w = &job->line->words.at[i];
        if (w->kind != CC_SOURCE && w->kind != CC_ASSEMBLY)
            continue;
        char *to = job->line->out ? xstrdup(job->line->out) : stem_with(w->text, "o");
        s = deliver(objects[number++], to, e);
        free(to);
    }
    return s;
}

static enum status link_all(const struct job *job, char **objects, struct error *e)
{
    struct command c = {0};
    const char *runtime[LINK_WORDS];
    char *owned = 0;
    size_t number = 0;
    add(&c, compiler());
    for (size_t i = 0; i < job->line->words.n; i++) {
        const struct cc_word *w = &job->line->words.at[i];
        if (w->kind == CC_SOURCE || w->kind == CC_ASSEMBLY)
            add(&c, objects[number++]);
        else if (w->kind == CC_FLAG || w->kind == CC_LINK)
            add(&c, w->text);
    }
    add(&c, "-Qunused-arguments");
    if (!job->line->no_runtime) {
        size_t n = link_flags(runtime, &owned);
        for (size_t i = 0; i < n; i++)
            add(&c, runtime[i]);
    }
    if (job->line->out) {
        add(&c, "-o");
        add(&c, job->line->out);
    }
    enum status s = execute(&c, job->line, e);
    free(owned);
    return s;
}

enum status cc_run(const struct cc_line *line, struct error *e)
{
    if (line->compile_only && line->out && line->n_sources > 1)
        return usage_error(e, "-o names one file, but -c makes %zu of these sources", line->n_sources);
    if (line->dropped)
        fprintf(stderr, "irprof cc: %s is left out: what is counted is each file's own optimised IR\n", line->dropped);
    struct job job = {.line = line};
    const char *counters = getenv("IRPROF_COUNTERS");
    int used;
    enum status wrong = counters ? instrument_option(&job.options, "--counters", counters, &used, e) : OK;
    if (wrong)
        return wrong;
    job.n_flags = compile_flags(job.flags, &job.flags_owned);
    char **objects = xcalloc(line->n_sources, sizeof *objects);
    enum status s = temp_directory(&job.directory, "irprof", e);
    if (!s)
        s = compile_all(&job, objects, e);
    if (!s)
        s = line->compile_only ? deliver_all(&job, objects, e) : link_all(&job, objects, e);
    if (job.directory) {
        enum status removed = remove_tree(job.directory, s ? 0 : e);
        cleanup_forget(job.directory);
        s = s ? s : removed;
    }
    for (size_t i = 0; i < line->n_sources; i++)
        free(objects[i]);
    free(objects);
    free(job.directory);
    free(job.flags_owned);
    return s;
}

enum status cc_become(char **argv, int argc, struct error *e)
{
    struct command c = {0};
    const char *flags[LINK_WORDS];
    char *owned;
    size_t n = compile_flags(flags, &owned);
    add(&c, compiler());
    for (int i = 0; i < argc; i++)
        add(&c, argv[i]);
    add(&c, "-Qunused-arguments");
    for (size_t i = 0; i < n; i++)
        add(&c, flags[i]);
    add(&c, 0);
    execvp(compiler(), (char *const *)c.words.at);
    enum status s = error_errno(e, NOWHERE, "'%s' cannot be run; name a clang in IRPROF_CC", compiler());
    vec_release(&c.words);
    free(owned);
    return s;
}
