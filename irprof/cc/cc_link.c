/*
 * cc_link.c - the link. Objects, archives and libraries with code but without counters are listed in the profile: a
 * module that counts nothing and describes them is linked in. Only the linker knows which members of an archive it
 * takes. If there are members without counters, it is asked by -t -t, and the link is repeated with its answer.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cli.h"
#include "base/file.h"
#include "base/map.h"
#include "base/proc.h"
#include "base/str.h"
#include "irprof/cc/cc.h"
#include "irprof/cc/objects.h"

static const char why_object[] = "no counters in it", why_library[] = "shared library without counters",
                  why_bitcode[] = "LLVM IR that the linker turns into code", why_assembly[] = "assembly",
                  why_other[] = "not compiled to LLVM IR";

/* What was collected before the link. */
struct link {
    const struct cc_job *job;
    char **objects;     /* the objects of the sources */
    struct map missing; /* names; a value is an index into `why` */
    VEC(const char *) why;
    bool ask;     /* some inputs are archives or libraries with code but without counters */
    bool bitcode; /* some inputs are bitcode, which the linker compiles */
};

static void add_missing(struct link *l, const char *name, const char *why)
{
    if (map_get(&l->missing, name, 0))
        return;
    map_put(&l->missing, name, l->why.n);
    vec_push(&l->why, why);
}

/* Is it a library of the system, such as the C library? Everybody expects that such code has no counters, and calls of
 * it are counted. */
static bool is_of_system(const char *path)
{
    static const char *const places[] = {"/lib", "/usr/lib", "/usr/local/lib", 0};
    char *real = realpath(path, 0);
    bool system = false;
    for (size_t i = 0; places[i] && real; i++)
        system |= strncmp(real, places[i], strlen(places[i])) == 0;
    free(real);
    return system;
}

static bool is_shared(const char *path)
{
    return strstr(path_basename(path), ".so") != 0;
}

static const char *why(enum object_kind kind, const char *path)
{
    return kind == OBJECT_BITCODE ? why_bitcode : is_shared(path) ? why_library : why_object;
}

/* Looks at an input before the link. Objects are always linked; about anything else the linker decides. */
static void look_at_input(struct link *l, const char *path)
{
    struct object_members members = {0};
    if (is_of_system(path))
        return;
    enum object_kind kind = object_look(path, &members);
    l->bitcode |= kind == OBJECT_BITCODE;
    for (size_t i = 0; i < members.all.n; i++)
        l->bitcode |= members.all.at[i].kind == OBJECT_BITCODE;
    if (kind == OBJECT_ARCHIVE || (kind == OBJECT_BARE && is_shared(path)))
        l->ask |= kind == OBJECT_BARE || members.all.n;
    else if (kind == OBJECT_BARE || kind == OBJECT_BITCODE)
        add_missing(l, path, why(kind, path));
    object_members_release(&members);
}

/* -lNAME: looks at every file that it may mean. The linker will tell which one it was. */
static void look_at_library(struct link *l, const char *name)
{
    const struct cc_line *line = l->job->line;
    for (size_t i = 0; i < line->directories.n; i++) {
        for (size_t k = 0; k < 2; k++) {
            struct str path = STR_INIT;
            if (name[0] == ':')
                str_addf(&path, "%s/%s", line->directories.at[i], name + 1);
            else
                str_addf(&path, k ? "%s/lib%s.a" : "%s/lib%s.so", line->directories.at[i], name);
            look_at_input(l, str_text(&path));
            str_release(&path);
        }
    }
}

/* "-Wl,--whole-archive,libx.a": some of these words may be files. */
static void look_at_linker_words(struct link *l, const char *word)
{
    char *copy = xstrdup(word + strlen("-Wl,"));
    for (char *at = copy, *part; (part = strtok_r(at, ",", &at));)
        if (part[0] != '-')
            look_at_input(l, part);
    free(copy);
}

static const char *why_not_compiled(const struct cc_word *source)
{
    const char *dot = strrchr(path_basename(source->text), '.');
    bool assembly = source->language || (dot && (tolower((unsigned char)dot[1]) == 's' || strcmp(dot, ".asm") == 0));
    return assembly ? why_assembly : why_other;
}

static void look_at_inputs(struct link *l)
{
    const struct cc_line *line = l->job->line;
    for (size_t i = 0; i < line->words.n; i++) {
        const struct cc_word *w = &line->words.at[i];
        if (w->kind == CC_OTHER)
            add_missing(l, w->text, why_not_compiled(w));
        else if (w->kind == CC_LINK && strncmp(w->text, "-Wl,", 4) == 0)
            look_at_linker_words(l, w->text);
        else if (w->kind == CC_LINK && w->text[0] != '-')
            look_at_input(l, w->text);
    }
    for (size_t i = 0; i < line->libraries.n; i++)
        look_at_library(l, line->libraries.at[i]);
}

/* ---- what the linker prints ---- */

/* Splits "FILE", "ARCHIVE(MEMBER)" or "(ARCHIVE)MEMBER" in place into `file` and `member`. NULL: there is no member. */
static void split_traced(char *text, char **file, char **member)
{
    size_t n = strlen(text);
    *file = text;
    *member = 0;
    char *open = strrchr(text, '('), *close = strchr(text, ')');
    if (text[0] == '(' && close) {
        *close = 0;
        *file = text + 1;
        *member = close + 1;
    } else if (open && n && text[n - 1] == ')') {
        *open = text[n - 1] = 0;
        *file = text;
        *member = open + 1;
    }
}

static bool is_own(const struct link *l, const char *file)
{
    const char *base = path_basename(file);
    return strncmp(file, l->job->directory, strlen(l->job->directory)) == 0 || strcmp(base, "libirprof_rt.a") == 0;
}

static void note_member(struct link *l, const char *archive, const char *member)
{
    struct object_members m;
    object_look(archive, &m);
    for (size_t i = 0; i < m.all.n; i++) {
        if (strcmp(m.all.at[i].name, member) != 0)
            continue;
        char *name = xasprintf("%s(%s)", archive, member);
        add_missing(l, name, why(m.all.at[i].kind, member));
        free(name);
    }
    object_members_release(&m);
}

/* Takes a line of the trace. Returns false if the line is not one. */
static bool note_traced(struct link *l, const char *line)
{
    char *text = xstrdup(line), *file, *member;
    split_traced(text, &file, &member);
    bool traced = file_exists(file);
    if (traced && !is_own(l, file) && !is_of_system(file)) {
        enum object_kind kind = member ? OBJECT_ARCHIVE : object_look(file, 0);
        if (member)
            note_member(l, file, member);
        else if (kind == OBJECT_BARE || kind == OBJECT_BITCODE)
            add_missing(l, file, why(kind, file));
    }
    free(text);
    return traced;
}

/* Reads the trace. Other lines go to *rest. */
static void note_trace(struct link *l, const char *trace, struct str *rest)
{
    for (const char *end; *trace; trace = *end ? end + 1 : end) {
        end = trace + strcspn(trace, "\n");
        char *line = xstrndup(trace, (size_t)(end - trace));
        if (!note_traced(l, line))
            str_addf(rest, "%s\n", line);
        free(line);
    }
}

/* ---- the command ---- */

/* Does the link bring a C library, which the runtime needs? */
static bool has_runtime(const struct cc_line *line)
{
    return !line->part && (!line->no_libc || line->names_libc);
}

static void add_inputs(struct cc_command *c, const struct link *l)
{
    const struct cc_line *line = l->job->line;
    size_t number = 0;
    for (size_t i = 0; i < line->words.n; i++) {
        const struct cc_word *w = &line->words.at[i];
        if (w->kind == CC_SOURCE || w->kind == CC_OTHER)
            cc_add(c, l->objects[number++]);
        else if (w->kind == CC_FLAG || w->kind == CC_LINK || (w->kind == CC_LTO && l->bitcode))
            cc_add(c, w->text);
    }
}

/* Links. With `trace`, the linker lists there what it takes. */
static enum status run_link(const struct link *l, const char *missing, struct proc_result *trace, struct error *e)
{
    const struct cc_line *line = l->job->line;
    struct cc_command c = {0};
    const char *runtime[LINK_WORDS];
    char *owned = 0;
    cc_add(&c, cc_compiler());
    add_inputs(&c, l);
    if (missing)
        cc_add(&c, missing);
    if (line->stamp_mode && strcmp(line->stamp_mode, "sled") == 0)
        cc_add(&c, "-fxray-instrument"); /* clang links XRay's runtime */
    if (trace)
        cc_add(&c, "-Wl,-t,-t");
    cc_add(&c, "-Qunused-arguments");
    if (line->verbose)
        cc_add(&c, "-v");
    const char *given = getenv("IRPROF_RUNTIME");
    char **objects = words_of(given ? given : "", "\n");
    for (char **object = objects; *object && has_runtime(line); object++)
        cc_add(&c, *object);
    if (has_runtime(line)) {
        size_t n = *objects ? 0 : line->stamp ? stamp_link_flags(runtime, &owned) : link_flags(runtime, &owned);
        for (size_t i = 0; i < n; i++)
            cc_add(&c, runtime[i]);
        if (line->no_libc)
            cc_add(&c, "-lc");
    }
    if (line->out) {
        cc_add(&c, "-o");
        cc_add(&c, line->out);
    }
    enum status s = cc_execute(&c, l->job, trace, e);
    words_free(objects);
    free(owned);
    return s;
}

/* Asks the linker which inputs it takes. *done: that link was already the final one. */
static enum status ask_linker(struct link *l, bool *done, struct error *e)
{
    struct proc_result r = PROC_RESULT_INIT;
    struct str rest = STR_INIT;
    enum status s = run_link(l, 0, &r, e);
    note_trace(l, str_text(&r.out), &rest);
    *done = s || !l->missing.n;
    if (*done) {
        fwrite(str_text(&rest), 1, rest.len, stdout);
        fwrite(str_text(&r.err), 1, r.err.len, stderr);
    }
    str_release(&rest);
    proc_result_release(&r);
    return s;
}

/* Makes the object that lists what has no counters. */
static enum status make_missing(const struct link *l, const char *object, struct error *e)
{
    struct instrument_missing *list = xcalloc(l->missing.n, sizeof *list);
    for (size_t i = 0; i < l->missing.n; i++)
        list[i] = (struct instrument_missing){l->missing.keys[i], l->why.at[i]};
    char *ir = xasprintf("%s.bc", object);
    enum status s = instrument_missing(ir, list, l->missing.n, &l->job->options, e);
    if (!s)
        s = cc_make_code(l->job, ir, object, "-fPIC", e);
    free(ir);
    free(list);
    return s;
}

static enum status link_with_missing(struct link *l, struct error *e)
{
    if (l->job->line->stamp) /* only a profile lists what has no counters */
        return run_link(l, 0, 0, e);
    char *object = xasprintf("%s/missing.o", l->job->directory);
    bool done = false;
    enum status s = l->ask ? ask_linker(l, &done, e) : OK;
    if (!s && !done && l->missing.n)
        s = make_missing(l, object, e);
    if (!s && !done)
        s = run_link(l, l->missing.n ? object : 0, 0, e);
    free(object);
    return s;
}

/* The target in --target= or -target, such as "aarch64-linux-gnu"; NULL: none. */
static const char *target_of(const struct cc_line *line)
{
    const char *target = 0;
    for (size_t i = 0; i < line->words.n; i++) {
        const char *w = line->words.at[i].text;
        if (strncmp(w, "--target=", 9) == 0)
            target = w + 9;
        else if ((strcmp(w, "-target") == 0 || strcmp(w, "--target") == 0) && i + 1 < line->words.n)
            target = line->words.at[i + 1].text;
    }
    return target;
}

/* The runtime exists for this machine only. */
static enum status check_target(const struct cc_line *line, struct error *e)
{
    const char *target = target_of(line), *given = getenv("IRPROF_RUNTIME");
    struct utsname here;
    if (!target || (given && *given) || uname(&here))
        return OK;
    size_t n = strcspn(target, "-");
    bool same = strlen(here.machine) == n && strncmp(target, here.machine, n) == 0;
    same |= strcmp(here.machine, "aarch64") == 0 && n == 5 && strncmp(target, "arm64", n) == 0;
    same |= strcmp(here.machine, "x86_64") == 0 && n == 5 && strncmp(target, "amd64", n) == 0;
    return same ? OK
                : usage_error(e,
                              "--target=%s: the counting runtime that programs are linked with is for %s; 'shimgen cc "
                              "--board NAME' links a board's own, -c compiles without linking",
                              target, here.machine);
}

enum status cc_link(const struct cc_job *job, char **objects, struct error *e)
{
    const struct cc_line *line = job->line;
    enum status fits = check_target(line, e);
    if (fits)
        return fits;
    struct link l = {.job = job, .objects = objects};
    look_at_inputs(&l);
    if (line->lto)
        fprintf(stderr, "irprof cc: %s is left out: what is counted is each file's own optimised IR\n", line->lto);
    if (!line->part && !has_runtime(line))
        fprintf(stderr, "irprof cc: without a C library there is no runtime: this program will write no %s\n",
                line->stamp ? "stamps" : "profile");
    enum status s = link_with_missing(&l, e);
    map_release(&l.missing);
    vec_release(&l.why);
    return s;
}
