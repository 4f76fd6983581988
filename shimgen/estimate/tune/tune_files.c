/* tune_files.c - shimgen tune: reads a build's files, tunes, writes the tuned SHIM file. */
#include "shimgen/estimate/tune/tune_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/file.h"
#include "base/key.h"
#include "shim-xml/shimxml.h"
#include "shimgen/estimate/roles.h"

struct inputs {
    char *shim, *values, *micro, *dataset, *profiles; /* owned */
    struct costs costs;
    struct regress_data *data;
    struct tune_programs programs;
};

static char *given_or(const char *given, const char *folder, const char *name)
{
    return given ? xstrdup(given) : path_join(folder, name);
}

/* A build's files are named after its folder, whatever that is called here ("."). */
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

static enum status read_all(struct inputs *in, const struct tune_files *f, struct error *e)
{
    enum status s = costs_from_shim(&in->costs, in->shim, f->core, e);
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

/* Where the values are from, for whoever reads the file. */
static char *source_of(const struct schedule_model *m, const struct inputs *in)
{
    struct str text = STR_INIT;
    str_addf(&text, "shimgen %s, for the method schedule of shimgen estimate, whose times they are.", SHIMGEN_VERSION);
    str_addf(&text,
             "\nLatency: until the result can be used; Pitch: until another of its kind can begin; measured by "
             "microbenchmarks (%s), best and worst over their conditions.",
             path_basename(in->values));
    if (m)
        str_addf(&text,
                 "\nScaled by kind of instruction so that schedules take what programs took; each factor pulled to 1. "
                 "Mean absolute error on the programs fitted on %.3g %%, each left out %.3g %%.",
                 100 * m->training.mean_abs, 100 * m->left_out.mean_abs);
    return str_detach(&text);
}

/* Through the latency CSV, which keeps what else the file says. */
static enum status write_values(const struct schedule_model *m, const struct inputs *in, const char *path,
                                struct error *e)
{
    struct shimxml_doc *d = 0;
    struct str text = STR_INIT;
    char *folder = 0, *source = source_of(m, in);
    str_add(&text, "# performance\n");
    for (size_t i = 0; i < in->costs.names.n; i++) {
        const struct cycles *p = &in->costs.pitch[i], *l = &in->costs.latency[i];
        const char *name = in->costs.names.keys[i];
        str_addf(&text, "%s,32,32,%.9g,%.9g,%.9g\n", name, p->typical, p->best, p->worst);
        str_addf(&text, "%s" IR_DEPENDENT ",32,32,%.9g,%.9g,%.9g\n", name, l->typical, l->best, l->worst);
    }
    enum status s = temp_directory(&folder, "shimgen-tune", e);
    char *table = path_join(folder ? folder : "", "latency.csv");
    if (!s)
        s = file_write(table, str_text(&text), text.len, e);
    if (!s)
        s = shimxml_read(&d, in->shim, e);
    if (!s)
        s = shimxml_import(d, table, 0, e);
    if (!s) {
        shimxml_say_source(d, source, 0);
        shimxml_set_method(d, "schedule");
        shimxml_set_intervals(d, m ? m->intervals : 0, m ? m->n_intervals : 0);
    }
    if (!s)
        s = shimxml_write(d, path, e);
    shimxml_free(d);
    unlink(table);
    free(table);
    free(folder);
    free(source);
    str_release(&text);
    return s;
}

static enum status fit(struct schedule_model **out, struct inputs *in, const struct tune_files *f, struct error *e)
{
    struct tune_result r;
    enum status s = tune(&r, &in->costs, &in->programs, true, e);
    if (!s)
        schedule_model_make(out, &r, &in->programs, in->data, f->shim_out);
    if (!s && f->model_out)
        s = schedule_model_write(*out, f->model_out, e);
    tune_release(&r);
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
    free(in.shim);
    free(in.values);
    free(in.micro);
    free(in.dataset);
    free(in.profiles);
    return s;
}
