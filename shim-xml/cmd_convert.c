/* shim-xml convert FILE --to 2.0|1.0 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"

struct options {
    const char *to, *form, *model, *memory, *points, *power, *output;
};

static void list(const struct shimxml_left_out *left, const struct options *o)
{
    for (size_t i = 0; i < left->n; i++)
        fprintf(stderr, "shim-xml: SHIM %s%s cannot hold, left out: %s (%zu)\n", o->to,
                o->form[0] == 'e' ? " in the Editor's form" : "", left->at[i].what, left->at[i].n);
}

static enum status check_options(const struct options *o, struct error *e)
{
    if (o->to[0] == '1' && (o->model || o->memory))
        return usage_error(e, "--model and --memory-table go with --to 2.0; for SHIM 1.0 there are merge and memory");
    if (o->to[0] == '1' && o->form[0] == 'e')
        return usage_error(e, "--form goes with --to 2.0: SHIM 1.0 has one form");
    if (o->points && (o->to[0] == '1' || o->form[0] == 'e'))
        return usage_error(e, "--points goes with --to 2.0 --form schema");
    if (o->power && !o->points)
        return usage_error(e, "--power-file goes with --points, whose description has the power");
    return OK;
}

static size_t folder_length(const char *path)
{
    return (size_t)(path_basename(path) - path);
}

/* The power file names the system file, and other tools look for that in the same folder. */
static enum status check_places(const struct options *o, struct error *e)
{
    size_t n = o->power ? folder_length(o->power) : 0;
    if (!o->power)
        return usage_error(e,
                           "the description has power, which SHIM 2.0 has in a file of its own: add --power-file FILE");
    if (strcmp(o->output, "-") == 0 || strcmp(o->power, "-") == 0 || folder_length(o->output) != n ||
        strncmp(o->output, o->power, n) != 0)
        return usage_error(e, "--power-file names the file of --output: give both, in one folder");
    return OK;
}

/* Nothing is written before all of it is valid. The power file is written last, since it refers to the other one. */
static enum status write_both(const struct shimxml_doc *d, const struct shimxml_doc *power, const struct options *o,
                              struct error *e)
{
    enum status s = power ? check_places(o, e) : OK;
    if (!s)
        s = shimxml_write(d, o->output, e);
    return s || !power ? s : shimxml_write(power, o->power, e);
}

/* Converts between the two forms of SHIM 2.0. *d is replaced by the result. */
static enum status to_form(struct shimxml_doc **d, const struct options *o, struct shimxml_left_out *left,
                           struct error *e)
{
    struct shimxml_doc *converted = 0;
    enum shimxml_form form = o->form[0] == 'e' ? SHIMXML_EDITORS_FORM : SHIMXML_SCHEMA_FORM;
    enum status s = shimxml_convert_form(&converted, *d, form, left, e);
    if (s)
        return s;
    shimxml_free(*d);
    *d = converted;
    return OK;
}

static enum status to_version(struct shimxml_doc **d, const struct options *o, struct shimxml_left_out *left,
                              struct error *e)
{
    struct shimxml_doc *converted = 0;
    enum status s = shimxml_convert(&converted, *d, o->to, o->model, left, e);
    if (s)
        return s;
    shimxml_free(*d);
    *d = converted;
    return OK;
}

/* A SHIM 2.0 file remains one; only its form changes. */
static enum status convert(struct shimxml_doc **d, const struct options *o, struct shimxml_left_out *left,
                           struct error *e)
{
    bool editors = o->form[0] == 'e', two = shimxml_is(shimxml_root(*d), "Shim");
    bool forms = o->to[0] == '2' && two && (editors || shimxml_is_editors(*d) || o->points);
    enum status s = OK;
    if (forms && (o->model || o->memory))
        return usage_error(e, "--model and --memory-table are for SHIM 1.0 files");
    if (!forms)
        s = to_version(d, o, left, e);
    if (!s && (forms || editors))
        s = to_form(d, o, left, e);
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct shimxml_doc *d = 0, *power = 0;
    struct shimxml_left_out left = {0};
    enum status s = check_options(o, e);
    if (!s)
        s = shimxml_read(&d, args->argv[0], e);
    if (!s && o->memory)
        s = shimxml_memory(d, o->memory, e);
    if (!s)
        s = convert(&d, o, &left, e);
    if (!s && o->points)
        s = shimxml_power(d, &power, o->points, path_basename(o->output), e);
    if (!s)
        s = write_both(d, power, o, e);
    if (!s)
        list(&left, o);
    shimxml_left_out_release(&left);
    shimxml_free(power);
    shimxml_free(d);
    return s;
}

static const struct cli_option options[] = {
    {CLI_CHOICE, "to", 0, "2.0|1.0", "2.0", "version of SHIM", offsetof(struct options, to)},
    {CLI_CHOICE, "form", 0, "schema|editor", "schema",
     "to 2.0: as the schema and the published readers want it, or as the SHIM Editor loads it",
     offsetof(struct options, form)},
    {CLI_TEXT, "model", 'm', "FILE", 0,
     "to 2.0: write an Instruction for each width, and functional units, from this model.json",
     offsetof(struct options, model)},
    {CLI_TEXT, "memory-table", 0, "FILE", 0, "to 2.0: write the costs of each cache level from this memory.csv",
     offsetof(struct options, memory)},
    {CLI_TEXT, "memory", 0, "FILE", 0, 0, offsetof(struct options, memory)},
    {CLI_TEXT, "points", 0, "FILE", 0, "to 2.0: write the operating points of this description (docs/formats/power.md)",
     offsetof(struct options, points)},
    {CLI_TEXT, "power-file", 0, "FILE", 0,
     "write the power of that description here, as a power configuration of the output",
     offsetof(struct options, power)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the file here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_convert = {
    .name = "convert",
    .synopsis = "convert FILE [options]",
    .summary = "Converts a SHIM 1.0 file to SHIM 2.0 (IEEE 2804), or 2.0 to 1.0, or between the forms of 2.0.",
    .details = "The result is valid if the file is valid and has no negative sizes. What the other version\n"
               "cannot represent is left out and listed on standard error. SHIM 2.0 as the SHIM Editor writes it is\n"
               "recognised, and comes out in the form of the schema.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
