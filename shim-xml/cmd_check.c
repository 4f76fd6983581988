/* shim-xml check FILE... */
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"
#include "shim-xml/text.h"

struct options {
    const char *format;
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
        printf("%s:%lu: %s [%s]: %s\n", path, x->line, shimxml_severity_name(x->severity), x->rule, x->text);
        printf("    at    %s\n    means %s\n    mend  %s\n", x->path, x->meaning, x->remedy);
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

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    bool json = strcmp(o->format, "json") == 0, bad = false;
    json_t *files = json_array();
    enum status s = OK;
    for (int i = 0; !s && i < args->argc; i++) {
        struct shimxml_doc *d = 0;
        struct shimxml_findings f = {0};
        s = shimxml_read(&d, args->argv[i], e);
        if (s)
            break;
        shimxml_check(d, &f);
        char *path = text_printable(args->argv[i], PATH_MAX);
        bad |= f.errors || (o->strict && f.warnings);
        if (json)
            json_array_append_new(files, as_json(path, &f));
        else
            print_text(path, &f, o->quiet);
        free(path);
        shimxml_findings_release(&f);
        shimxml_free(d);
    }
    if (!s && json)
        s = json_write(files, 0, e);
    json_decref(files);
    return s ? s : bad ? ERR_FOUND : OK;
}

static const struct cli_option options[] = {
    {CLI_CHOICE, "format", 0, "text|json", "text", "how to print", offsetof(struct options, format)},
    {CLI_BOOL, "strict", 0, 0, 0, "exit 1 on warnings too", offsetof(struct options, strict)},
    {CLI_BOOL, "quiet", 'q', 0, 0, "leave out hints", offsetof(struct options, quiet)},
    {0},
};
const struct cli_command cmd_check = {
    .name = "check",
    .synopsis = "check FILE... [options]",
    .summary = "Says all that is wrong with SHIM files: what the official schema says, and what it cannot say.",
    .details = "Exit 1: errors were found (with --strict: or warnings), or a file is not XML.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
