/* tune_files.c - shimgen tune: reads a build's files, tunes the values, writes the tuned SHIM file. */
#include "shimgen/estimate/tune/tune_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/file.h"
#include "base/key.h"
#include "shim-xml/shimxml.h"
#include "shimgen/estimate/tune/roles.h"

struct inputs {
    char *shim, *values, *micro, *dataset, *profiles; /* owned */
    struct costs costs;                               /* as measured */
    struct costs fitted; /* costs to be multiplied by counts, which the file contained; may have none */
    struct regress_data *data;
    struct tune_programs programs;
};

static char *given_or(const char *given, const char *folder, const char *name)
{
    return given ? xstrdup(given) : path_join(folder, name);
}

/* A build's files are named after its folder, even if that is given as ".". */
static enum status find_places(struct inputs *in, const struct tune_files *f, struct error *e)
{
    char *folder = realpath(f->folder, 0);
    if (!folder)
        return error_set(e, ERR_INPUT, AT_FILE(f->folder), "there is no such folder: what 'shimgen build' wrote");
    char *name = xasprintf("%s.shim.xml", path_basename(folder));
    in->shim = given_or(f->shim, f->folder, name);
    in->values = given_or(f->values, f->folder, "work/values.csv");
    in->micro = given_or(f->micro, f->folder, "micro.csv");
    in->dataset = given_or(f->dataset, f->folder, "dataset.csv");
    in->profiles = given_or(f->profiles, f->folder, "work");
    free(name);
    free(folder);
    return OK;
}

static enum status read_micro(struct inputs *in, struct error *e)
{
    const char *event = tune_cycle_event(in->data);
    if (!event)
        return error_set(e, ERR_INPUT, AT_FILE(in->dataset), "it does not say which event its cycles are");
    return tune_micro_read(&in->costs, in->micro, event, e);
}

/* Reads costs fitted to counts: all instructions of a file that is for counts, or in a file of `shimgen build` those
 * with a prefix. */
static enum status read_fitted(struct inputs *in, const char *core, struct error *e)
{
    enum status s = costs_from_shim(&in->fitted, in->shim, core, "operand", e);
    if (!s && in->fitted.method && strcmp(in->fitted.method, "schedule") == 0 && !in->fitted.has_fitted)
        map_release(&in->fitted.names);
    return s;
}

static enum status read_all(struct inputs *in, const struct tune_files *f, struct error *e)
{
    enum status s = read_fitted(in, f->core, e);
    if (!s)
        s = costs_from_shim(&in->costs, in->shim, f->core, "operand", e);
    if (!s)
        s = tune_values_read(&in->costs, in->values, e);
    if (!s)
        s = regress_data_read(&in->data, in->dataset, e);
    if (!s && (f->micro || (!f->values && file_exists(in->micro))))
        s = read_micro(in, e);
    if (!s)
        s = roles_describe(in->data, f->samples, e);
    if (!s)
        s = tune_programs_read(&in->programs, in->data, in->profiles, e);
    for (size_t i = 0; i < in->programs.n && !s; i++)
        in->programs.at[i].measured *= (double)f->passes;
    return s;
}

/* Where the values come from, for readers of the file. */
static char *source_of(const struct schedule_model *m, const struct inputs *in)
{
    struct str text = STR_INIT;
    str_addf(&text, "shimgen %s, in cycles of the core, measured alone by microbenchmarks (%s).", SHIMGEN_VERSION,
             path_basename(in->values));
    str_add(&text,
            "\nLatency: until the result can be used; Pitch: until another of its kind can begin; typical: of the "
            "commonest type, best and worst over types and operands.");
    str_add(&text,
            "\nNames with a dot and shimgen:... are for shimgen estimate: add.i32: of one type; fitted.add: a cost to "
            "be multiplied by counts, by regression; factor...: of a kind's times in schedules.");
    if (m)
        str_addf(
            &text,
            "\nBy schedules with the factors the mean absolute error on the programs fitted on is %.3g %%, each left "
            "out %.3g %%.",
            100 * m->training.mean_abs, 100 * m->left_out.mean_abs);
    return str_detach(&text);
}

static void add_row(struct str *text, const char *before, const char *name, const char *end, const struct cycles *c)
{
    str_addf(text, "%s%s%s,32,32,%.9g,%.9g,%.9g\n", before, name, end, c->typical, c->best, c->worst);
}

static void add_rows(struct str *text, const char *before, const struct costs *c)
{
    for (size_t i = 0; i < c->names.n; i++) {
        add_row(text, before, c->names.keys[i], "", &c->pitch[i]);
        add_row(text, before, c->names.keys[i], IR_DEPENDENT, &c->latency[i]);
    }
}

/* Both values of a factor's entry are the factor. */
static void add_factors(struct str *text, const struct schedule_model *m)
{
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++) {
        char *name = schedule_factor_instruction(k);
        double v = m->factors[k].factor;
        add_row(text, "", name, "", &(struct cycles){v, v, v});
        add_row(text, "", name, IR_DEPENDENT, &(struct cycles){v, v, v});
        free(name);
    }
}

/* Imports it as a latency CSV, which keeps everything else in the file. */
static enum status import(struct shimxml_doc *d, const struct str *text, struct error *e)
{
    char *folder = 0;
    enum status s = temp_directory(&folder, "shimgen-tune", e);
    char *table = path_join(folder ? folder : "", "latency.csv");
    if (!s)
        s = file_write(table, str_text(text), text->len, e);
    if (!s) {
        shimxml_drop_instructions(d);
        s = shimxml_import(d, table, 0, e);
    }
    unlink(table);
    if (folder)
        rmdir(folder);
    free(table);
    free(folder);
    return s;
}

/* The interval of estimates by costs of counts, from a file of times or from one of counts alone. */
static char *fitted_interval_of(const struct shimxml_doc *d)
{
    const char *method = 0;
    struct error ignored = ERROR_INIT;
    char *text = shimxml_annotation(d, "fitted-interval");
    if (!text && !shimxml_method(&method, d, &ignored) && strcmp(method, "operand") == 0)
        text = shimxml_annotation(d, "interval");
    error_release(&ignored);
    return text;
}

static enum status write_values(const struct schedule_model *m, const struct inputs *in, const char *path,
                                struct error *e)
{
    struct shimxml_doc *d = 0;
    struct str text = STR_INIT;
    char *source = source_of(m, in);
    str_add(&text, "# performance\n");
    add_rows(&text, "", &in->costs);
    if (m) { /* otherwise only the measured times are wanted */
        add_rows(&text, SHIMXML_FITTED, &in->fitted);
        add_factors(&text, m);
    }
    enum status s = shimxml_read(&d, in->shim, e);
    char *of_counts = !s && m ? fitted_interval_of(d) : 0;
    if (!s)
        s = import(d, &text, e);
    if (!s) {
        shimxml_say_source(d, source, 0);
        shimxml_set_method(d, "schedule");
        shimxml_set_intervals(d, m ? m->intervals : 0, m ? m->n_intervals : 0);
        shimxml_annotate(d, "fitted-interval", of_counts);
        shimxml_seal(d);
        s = shimxml_write(d, path, e);
    }
    shimxml_free(d);
    free(of_counts);
    free(source);
    str_release(&text);
    return s;
}

static enum status fit(struct schedule_model **out, struct inputs *in, const struct tune_files *f, struct error *e)
{
    struct tune_result r;
    struct costs tuned;
    costs_copy(&tuned, &in->costs);
    enum status s = tune(&r, &tuned, &in->programs, true, e);
    if (!s)
        schedule_model_make(out, &r, &in->programs, in->data, f->shim_out);
    if (!s && f->model_out)
        s = schedule_model_write(*out, f->model_out, e);
    tune_release(&r);
    costs_release(&tuned);
    return s;
}

enum status tune_files(struct schedule_model **out, const struct tune_files *f, struct error *e)
{
    struct inputs in = {0};
    *out = 0;
    enum status s = find_places(&in, f, e);
    if (!s)
        s = read_all(&in, f, e);
    if (!s && !f->as_measured)
        s = fit(out, &in, f, e);
    if (!s)
        s = write_values(*out, &in, f->shim_out, e);
    if (s) {
        schedule_model_free(*out);
        *out = 0;
    }
    tune_programs_release(&in.programs);
    regress_data_free(in.data);
    costs_release(&in.costs);
    costs_release(&in.fitted);
    free(in.shim);
    free(in.values);
    free(in.micro);
    free(in.dataset);
    free(in.profiles);
    return s;
}
