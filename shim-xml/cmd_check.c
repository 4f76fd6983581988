/* shim-xml check FILE... */
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"
#include "shim-xml/document/text.h"

struct options {
    const char *format, *profile;
    bool strict, quiet;
};

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void print_text(const char *path, const struct shimxml_findings *f, bool quiet)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct shimxml_finding *x = &f->at[i];
        if (quiet && x->severity == SHIMXML_HINT)
            continue;
        fputs(path, stdout);
        if (x->line)
            printf(":%lu", x->line);
        printf(": %s [%s]: %s\n", shimxml_severity_name(x->severity), x->rule, x->text);
        if (x->line)
            printf("    at    %s\n", x->path);
        printf("    means %s\n    fix   %s\n", x->meaning, x->remedy);
    }
    printf("%s: %zu error%s, %zu warning%s, %zu hint%s", path, f->errors, plural(f->errors), f->warnings,
           plural(f->warnings), f->hints, plural(f->hints));
    if (f->omitted)
        printf(" (%zu not listed: the first %d of a rule are)", f->omitted, SHIMXML_LISTED);
    putchar('\n');
}

static json_t *as_json(const char *path, const struct shimxml_findings *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n; i++) {
        const struct shimxml_finding *x = &f->at[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:s, s:s, s:s, s:s}", "severity",
                                              shimxml_severity_name(x->severity), "rule", x->rule, "line",
                                              (json_int_t)x->line, "path", x->path, "text", x->text, "meaning",
                                              x->meaning, "remedy", x->remedy));
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:o}", "file", path, "errors", (json_int_t)f->errors, "warnings",
                     (json_int_t)f->warnings, "hints", (json_int_t)f->hints, "omitted", (json_int_t)f->omitted,
                     "findings", list);
}

/* ---- the reference readers ---- */

static const char *word(const struct shimxml_verdict *v)
{
    return !v->n ? "met" : v->severity == SHIMXML_ERROR ? "BROKEN" : "loses";
}

static void print_verdicts(const char *path, const struct shimxml_verdicts *v)
{
    printf("%s: the reference tools want\n", path);
    for (size_t i = 0; i < v->n; i++) {
        const struct shimxml_verdict *x = &v->at[i];
        printf("  %-6s  %-15s  %s\n", word(x), x->rule, x->wants);
        if (x->n)
            printf("          line %lu: %s (%zu place%s); %s\n", x->line, x->text, x->n, plural(x->n), x->otherwise);
    }
    printf("%s: %s the reference tools\n", path, v->broken ? "not for" : "goes through");
}

static json_t *verdicts_as_json(const char *path, const struct shimxml_verdicts *v)
{
    json_t *list = json_array();
    for (size_t i = 0; i < v->n; i++) {
        const struct shimxml_verdict *x = &v->at[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:I, s:I, s:s?, s:s, s:s}", "rule", x->rule, "severity",
                                              shimxml_severity_name(x->severity), "met", !x->n, "places",
                                              (json_int_t)x->n, "line", (json_int_t)x->line, "text", x->text, "wants",
                                              x->wants, "otherwise", x->otherwise));
    }
    return json_pack("{s:s, s:b, s:o}", "file", path, "passes", v->broken == 0, "rules", list);
}

/* ---- the command ---- */

/* `list`: receives JSON; NULL: text is printed. */
static void put_findings(const struct options *o, const struct shimxml_findings *f, const char *path, json_t *list)
{
    if (list)
        json_array_append_new(list, as_json(path, f));
    else
        print_text(path, f, o->quiet);
}

/* Returns whether the file fails. */
static bool judge_readers(const struct shimxml_doc *d, const char *path, json_t *list)
{
    struct shimxml_verdicts v;
    shimxml_check_readers(d, &v);
    bool bad = v.broken;
    if (list)
        json_array_append_new(list, verdicts_as_json(path, &v));
    else
        print_verdicts(path, &v);
    shimxml_verdicts_release(&v);
    return bad;
}

static bool judge(const struct options *o, const struct shimxml_doc *d, const char *path, json_t *list)
{
    if (o->profile)
        return judge_readers(d, path, list);
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    bool bad = f.errors || (o->strict && f.warnings);
    put_findings(o, &f, path, list);
    shimxml_findings_release(&f);
    return bad;
}

/* A file that cannot be read fails; the next one is checked nevertheless. */
static void say_unreadable(const struct options *o, const struct error *e, const char *path, json_t *list)
{
    struct shimxml_findings f = {0};
    shimxml_unreadable(&f, e);
    if (o->profile && list)
        json_array_append_new(
            list, json_pack("{s:s, s:b, s:s, s:[]}", "file", path, "passes", 0, "unreadable", f.at[0].text, "rules"));
    else
        put_findings(o, &f, path, list);
    shimxml_findings_release(&f);
}

static bool check_file(const struct options *o, const char *name, json_t *list)
{
    struct error e = ERROR_INIT;
    struct shimxml_doc *d = 0;
    char *path = text_printable(name, PATH_MAX);
    bool bad = true;
    if (shimxml_read(&d, name, &e))
        say_unreadable(o, &e, path, list);
    else
        bad = judge(o, d, path, list);
    error_release(&e);
    shimxml_free(d);
    free(path);
    return bad;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    bool bad = false;
    if (o->profile && (o->strict || o->quiet))
        return usage_error(e, "--profile has neither --strict nor --quiet");
    json_t *files = strcmp(o->format, "json") == 0 ? json_array() : 0;
    for (int i = 0; i < args->argc; i++)
        bad |= check_file(o, args->argv[i], files);
    enum status s = files ? json_write(files, 0, e) : OK;
    json_decref(files);
    return s ? s : bad ? ERR_FOUND : OK;
}

static const struct cli_option options[] = {
    {CLI_CHOICE, "format", 'f', "text|json", "text", "output format", offsetof(struct options, format)},
    {CLI_CHOICE, "profile", 0, "reference-readers", 0,
     "check instead, rule by rule, whether the reference tools can use the file", offsetof(struct options, profile)},
    {CLI_BOOL, "strict", 0, 0, 0, "exit 1 on warnings too", offsetof(struct options, strict)},
    {CLI_BOOL, "quiet", 'q', 0, 0, "leave out hints", offsetof(struct options, quiet)},
    {0},
};
const struct cli_command cmd_check = {
    .name = "check",
    .synopsis = "check FILE... [options]",
    .summary = "Reports everything that is wrong with SHIM files, by the official schema and beyond it.",
    .details =
        "Errors make a file invalid, warnings make it doubtful, hints tell what a reader might miss. Each finding\n"
        "has its line, its place, its consequence for a reader of the file, and its remedy.\n"
        "A file that cannot be read has the error 'unreadable', and the others are judged. Files packed by gzip or\n"
        "bzip2 are read as they are. Exit 1: errors were found (with --strict: or warnings; with --profile: a rule\n"
        "is broken).",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
