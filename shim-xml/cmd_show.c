/* shim-xml show FILE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"
#include "shim-xml/text.h"

struct options {
    const char *core;
};

/* A name of the file's, on one line. */
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
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t u = 0;
    for (; bytes >= 1024 && u < 4; u++)
        bytes /= 1024;
    printf("%.4g %s", bytes, units[u]);
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

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct shimxml_doc *d = 0;
    struct shimxml_system *s = 0;
    enum status status = shimxml_read(&d, args->argv[0], e);
    if (!status)
        status = shimxml_system(&s, d, e);
    size_t wanted = 0;
    for (size_t i = 0; !status && i < s->n_cores; i++)
        wanted += is_wanted(o, &s->cores[i]);
    if (!status && o->core && !wanted)
        status = error_set(e, ERR_INPUT, AT_FILE(args->argv[0]), "no core is named '%s'", o->core);
    if (!status)
        print_system(o, s);
    shimxml_system_free(s);
    shimxml_free(d);
    return status;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "core", 0, "GLOB", 0, "only these cores, with their instruction values", offsetof(struct options, core)},
    {0},
};
const struct cli_command cmd_show = {
    .name = "show",
    .synopsis = "show FILE [--core GLOB]",
    .summary = "Lists what a SHIM file describes: memories, caches, cores; with --core the instruction values.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
