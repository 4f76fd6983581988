/* shim-xml show FILE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"
#include "shim-xml/document/text.h"

struct options {
    const char *core, *as, *kind, *columns, *format, *fold, *output;
};

/* Prints a name from the file on one line. */
static void print_name(const char *before, const char *name)
{
    char *clean = text_printable(name, TEXT_LIMIT);
    printf("%s%s", before, clean);
    free(clean);
}

static void print_number(double v)
{
    if (isnan(v))
        printf(" %9s", "-");
    else
        printf(" %9.3f", v);
}

static void print_bytes(double bytes)
{
    struct str text = STR_INIT;
    text_bytes(&text, bytes);
    fputs(str_text(&text), stdout);
    str_release(&text);
}

static void print_cache(const struct shimxml_cache *c, const char *indent)
{
    printf("%scache ", indent);
    print_name("", c->name);
    print_name(": ", c->type);
    fputs(", ", stdout);
    print_bytes(c->bytes);
    if (c->ways)
        printf(", %ld ways", c->ways);
    if (c->line)
        printf(", %ld-byte lines", c->line);
    putchar('\n');
}

static void print_core(const struct shimxml_system *s, size_t k, bool values)
{
    const struct shimxml_core *c = &s->cores[k];
    print_name("core ", c->name);
    print_name(": ", c->type);
    print_name(", ", c->arch);
    fputs(", ", stdout);
    if (c->clock_hz > 0)
        printf("%.6g MHz", c->clock_hz / 1e6);
    else
        printf("clock unknown");
    printf(", %zu instruction%s\n", c->n_instructions, c->n_instructions == 1 ? "" : "s");
    for (size_t i = 0; i < s->n_caches; i++)
        if (s->caches[i].core == k)
            print_cache(&s->caches[i], "    ");
    if (!values || !c->n_instructions)
        return;
    printf("    %-16s %29s %29s\n", "", "Pitch best typical worst", "Latency best typical worst");
    for (size_t i = 0; i < c->n_instructions; i++) {
        const struct shimxml_instruction *x = &c->instructions[i];
        const double numbers[] = {x->pitch.best,   x->pitch.typical,   x->pitch.worst,
                                  x->latency.best, x->latency.typical, x->latency.worst};
        char *name = text_printable(x->name, TEXT_LIMIT);
        printf("    %-16s", name);
        free(name);
        for (size_t n = 0; n < 6; n++)
            print_number(numbers[n]);
        putchar('\n');
    }
}

static bool is_wanted(const struct options *o, const struct shimxml_core *c)
{
    return !o->core || glob_match(o->core, c->name);
}

static void print_system(const struct options *o, const struct shimxml_system *s)
{
    print_name("system ", s->name);
    putchar('\n');
    for (size_t i = 0; i < s->n_memories; i++) {
        print_name("memory ", s->memories[i].name);
        fputs(": ", stdout);
        print_bytes(s->memories[i].bytes);
        putchar('\n');
    }
    for (size_t i = 0; i < s->n_caches; i++)
        if (s->caches[i].core == SHIMXML_SHARED)
            print_cache(&s->caches[i], "");
    for (size_t i = 0; i < s->n_cores; i++)
        if (is_wanted(o, &s->cores[i]))
            print_core(s, i, o->core != 0);
}

static void print_power(const struct shimxml_doc *d)
{
    char *text = shimxml_power_text(d);
    fputs(text, stdout);
    free(text);
}

static enum status summary(const struct options *o, const struct shimxml_doc *d, struct error *e)
{
    struct shimxml_system *s = 0;
    if (shimxml_child(shimxml_root(d), "PowerConfiguration") && !o->core) {
        print_power(d);
        return OK;
    }
    enum status status = shimxml_system(&s, d, e);
    size_t wanted = 0;
    for (size_t i = 0; !status && i < s->n_cores; i++)
        wanted += is_wanted(o, &s->cores[i]);
    if (!status && o->core && !wanted)
        status = error_set(e, ERR_INPUT, AT_FILE(shimxml_path(d)), "no core is named '%s'", o->core);
    if (!status)
        print_system(o, s);
    if (!status && !o->core)
        print_power(d);
    shimxml_system_free(s);
    return status;
}

static enum status drawing(const struct options *o, const struct shimxml_doc *d, struct error *e)
{
    const struct shimxml_drawing how = {.fold = strcmp(o->fold, "all") == 0    ? SHIMXML_FOLD
                                                : strcmp(o->fold, "none") == 0 ? SHIMXML_FOLD_NONE
                                                                               : SHIMXML_FOLD_MANY,
                                        .marked = o->core};
    char *svg = 0;
    enum status s = shimxml_draw(&svg, d, &how, e);
    if (!s)
        s = file_write(o->output, svg, strlen(svg), e);
    free(svg);
    return s;
}

/* csv and json write tables. */
static bool is_table_format(const char *format)
{
    return strcmp(format, "csv") == 0 || strcmp(format, "json") == 0;
}

/* The view: "summary", "table", "tree" or "svg". */
static const char *view_of(const struct options *o)
{
    if (o->as)
        return o->as;
    if (strcmp(o->format, "text") == 0)
        return o->kind || o->columns ? "table" : "summary";
    return is_table_format(o->format) ? "table" : o->format;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    const char *as = view_of(o);
    bool table = strcmp(as, "table") == 0;
    if (!table && (o->kind || o->columns || is_table_format(o->format)))
        return usage_error(e, "--kind and --columns go with tables: --format text, table, csv or json");
    if (o->columns && !o->kind)
        return usage_error(e, "--columns: of which --kind?");
    if (strcmp(o->format, "csv") == 0 && !o->kind)
        return usage_error(e, "--format csv: of which --kind?");
    if (strcmp(as, "summary") == 0 && strcmp(o->output, "-") != 0)
        return usage_error(e, "--output goes with --format table, tree, svg, csv and json");
    struct shimxml_doc *d = 0;
    enum status s = shimxml_read(&d, args->argv[0], e);
    if (!s && strcmp(as, "summary") == 0)
        s = summary(o, d, e);
    else if (!s && strcmp(as, "tree") == 0)
        s = shimxml_tree(d, o->output, e);
    else if (!s && table)
        s = shimxml_table(
            d, &(struct shimxml_table){o->kind, o->columns, is_table_format(o->format) ? o->format : "text", o->core},
            o->output, e);
    else if (!s)
        s = drawing(o, d, e);
    shimxml_free(d);
    return s;
}

static const struct cli_option options[] = {
    {CLI_CHOICE, "format", 'f', "text|table|tree|svg|csv|json", "text",
     "text: a summary, or a table with --kind; table: tables; tree: a tree; svg: a drawing; csv, json: tables for "
     "programs (bytes, Hz)",
     offsetof(struct options, format)},
    {CLI_CHOICE, "as", 0, "summary|tree|table|svg", 0, 0, offsetof(struct options, as)},
    {CLI_TEXT, "core", 0, "GLOB", 0,
     "text: these cores with their values; table: their content; svg: highlight the core",
     offsetof(struct options, core)},
    {CLI_TEXT, "kind", 0, "NAME", 0, "table: elements of this name, such as Cache or Instruction",
     offsetof(struct options, kind)},
    {CLI_TEXT, "columns", 0, "LIST", 0,
     "table: attributes, and in, line, clock, instruction, pitch.best ... latency.worst",
     offsetof(struct options, columns)},
    {CLI_CHOICE, "fold", 0, "many|all|none", "many", "svg: draw equal cores, sets and memories as one block",
     offsetof(struct options, fold)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the result here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_show = {
    .name = "show",
    .synopsis = "show FILE [options]",
    .summary = "Shows what a SHIM file describes: as a summary, a tree, tables of elements, or a block diagram.",
    .details =
        "The svg shows cores with their clocks, caches and access types, shared caches, memories and connecting\n"
        "lines. With more than 8 masters, equal ones are drawn as one block. Any browser displays it.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
