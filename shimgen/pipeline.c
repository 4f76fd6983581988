#include "shimgen/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/progress.h"
#include "regress/regress.h"
#include "shimgen/compile.h"
#include "shimgen/counting.h"
#include "shimgen/evaluate.h"
#include "shimgen/evidence.h"
#include "shimgen/import.h"
#include "shimgen/jobs.h"
#include "shimgen/measure.h"
#include "shimgen/memory.h"
#include "shimgen/micro.h"
#include "shimgen/predictors.h"
#include "shimgen/publish.h"
#include "shimgen/samples.h"
#include "shimgen/simulated.h"
#include "shimgen/unit.h"

/* ---- doctor ---- */

static enum status consult_doctor(struct runner **place, const struct board *b, struct findings *f, struct error *e)
{
    runner_consult(place, b, f);
    const struct finding *first = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct finding *x = &f->at[i];
        if (x->severity != FINDING_NOTE)
            progress_note("%s: %s%s%s%s%s", finding_severity_name(x->severity), x->what, *x->consequence ? "; so " : "",
                          x->consequence, *x->remedy ? "; cure: " : "", x->remedy);
        if (x->severity == FINDING_ERROR && !first)
            first = x;
    }
    return first ? error_set(e, ERR_UNSUPPORTED, NOWHERE, "%s cannot be measured: %s%s%s", b->name, first->what,
                             *first->remedy ? "; " : "", first->remedy)
                 : OK;
}

/* ---- counts and measurements to one table ---- */

/* Text has no place among a dataset's numbers: a table of its own, for `regress --domains`. */
static enum status write_domains(const struct outputs *o, const struct regress_data *d, const struct samples *samples,
                                 struct error *e)
{
    struct outfile f;
    enum status s = outfile_open(&f, o->domains, e);
    if (s)
        return s;
    fputs("program,domain,role\n", f.f);
    for (size_t g = 0; g < d->n_groups; g++) {
        const struct sample *sample = samples_find(samples, d->group_names[g]);
        if (!sample)
            continue;
        csv_put(f.f, d->group_names[g]);
        fputc(',', f.f);
        csv_put(f.f, sample->domain);
        fprintf(f.f, ",%s\n", sample->test ? "test" : "train");
    }
    return outfile_commit(&f, e);
}

static enum status write_dataset(const struct outputs *o, const char *counts, const struct samples *samples,
                                 struct error *e)
{
    struct regress_join j = {0};
    enum status s = regress_join(&j, counts, o->measurements, REGRESS_EVENTS_MEASURED, e);
    if (s)
        return s;
    for (size_t i = 0; i < j.n_both; i++)
        progress_note("%s is measured and simulated: the measured values are taken", j.both[i]);
    for (size_t i = 0; i < j.n_unmatched; i++)
        if (j.unmatched[i].why != REGRESS_NOT_MEASURED || !strstr(j.unmatched[i].label, "(program)"))
            progress_note("left out: %s %s", j.unmatched[i].label, regress_unmatched_text(&j.unmatched[i]));
    s = write_domains(o, j.data, samples, e);
    if (!s)
        s = regress_data_write(j.data, o->dataset, e);
    regress_join_release(&j);
    return s;
}

/* ---- the line ---- */

static enum status read_samples(struct samples *s, const struct pipeline_options *opt, struct error *e)
{
    char *own = resource_share("samples");
    enum status status = samples_read(s, opt->samples ? opt->samples : own, opt->programs, e);
    free(own);
    return status;
}

static enum status measure_all(const struct units *u, const struct board *b, struct runner *place,
                               const struct outputs *o, const struct findings *f, const struct pipeline_options *opt,
                               struct error *e)
{
    struct measurements *m = 0;
    const struct measuring how = {place, opt->jobs > 0 ? (size_t)opt->jobs : jobs_processors(), opt->again,
                                  opt->keep_going};
    enum status s = measure_units(&m, u, b, o->work, f, &how, e);
    if (!s)
        s = measurements_write(m, o->measurements, o->conditions, e);
    measurements_free(m);
    return s;
}

static enum status measure_micro(const struct board *b, struct runner *place, const struct outputs *o,
                                 const struct findings *f, const struct pipeline_options *opt, struct error *e)
{
    const size_t workers = opt->jobs > 0 ? (size_t)opt->jobs : jobs_processors();
    const struct micro_options how = {place, f, 0, workers, opt->again};
    enum status s = micro_measure(b, o, &how, e);
    return s && s != ERR_CANCELLED ? error_context(e, "--no-micro leaves them out") : s;
}

enum status pipeline_build(const struct board *b, const struct outputs *o, const struct pipeline_options *opt,
                           struct error *e)
{
    struct findings findings = {0};
    struct samples samples = {0};
    struct units units = {0};
    struct board_args simulate = {0};
    args_add_words(&simulate, opt->simulate);
    enum status s = opt->simulate ? OK : simulated_defaults(&simulate, b, e);
    if (simulate.n && b->cache == BOARD_COLD)
        args_add_words(&simulate, "--cold-regions"); /* as they are measured */
    cancel_defer();
    struct runner *place = 0;
    if (!s)
        s = consult_doctor(&place, b, &findings, e);
    if (!s)
        s = read_samples(&samples, opt, e);
    if (!s)
        s = make_directories(o->work, e);
    if (!s)
        s = predictors_choose(&simulate, !opt->simulate, b, o, &samples,
                              &(struct predictors_how){place, &findings, opt->jobs, opt->again, opt->keep_going}, e);
    if (!s)
        s = units_plan(&units, &samples, b, o->work, &simulate, e);
    if (!s)
        s = count_units(&units, b, o->work, place, opt->jobs, opt->again, e);
    if (!s)
        s = counts_write(&units, 0, o->counts, e);
    if (!s && simulate.n)
        s = counts_write(&units, "events", o->counted, e);
    if (!s && simulate.n)
        s = counts_write(&units, "events,predictors", o->simulated, e);
    if (!s)
        s = b->how == BOARD_IMPORT ? import_measurements(b, o, opt->keep_going, e)
                                   : measure_all(&units, b, place, o, &findings, opt, e);
    if (!s && !opt->no_memory)
        s = memory_measure(b, place, o, opt->again, e);
    if (!s && !opt->no_micro)
        s = measure_micro(b, place, o, &findings, opt, e);
    if (!s)
        s = write_dataset(o, simulate.n ? o->counted : o->counts, &samples, e);
    runner_close(place);
    units_release(&units);
    board_args_release(&simulate);
    samples_release(&samples);
    findings_release(&findings);
    if (!s)
        s = pipeline_publish(b, o, opt, e);
    if (s == ERR_CANCELLED)
        return error_set(e, s, NOWHERE, "interrupted; the same command goes on where it was");
    return s;
}

static enum status read_evidence(struct evidence *v, const struct outputs *o, struct error *e)
{
    struct measurements *m = 0;
    enum status s = measurements_read(&m, o->measurements, o->conditions, e);
    if (!s)
        s = evidence_read(v, o, measurements_cycle_event(m), e);
    measurements_free(m);
    return s;
}

/* Without one an earlier build's must not stand beside this one's data. */
static enum status write_programs(const struct regress_model *m, const struct outputs *o, struct error *e)
{
    if (m)
        return regress_model_write(m, o->programs, e);
    progress_note("no programs.json: the dataset lacks events of the target's code, so whole programs have no model");
    return remove_tree(o->programs, e);
}

enum status pipeline_publish(const struct board *b, const struct outputs *o, const struct pipeline_options *opt,
                             struct error *e)
{
    struct regress_data *d = 0;
    struct samples samples = {0};
    struct evaluation v = {0};
    struct evidence evidence = {0};
    struct schedule_model *schedule = 0;
    enum status s = regress_data_read(&d, o->dataset, e);
    if (!s)
        s = read_samples(&samples, opt, e);
    if (!s)
        s = evaluate(&v, d, &samples, opt->classes, opt->solver, !opt->no_compare, e);
    if (!s)
        s = regress_model_write(v.model, o->model, e);
    if (!s)
        s = write_programs(v.programs, o, e);
    if (!s)
        s = read_evidence(&evidence, o, e);
    if (!s)
        s = publish_shim(b, o, &evidence, e);
    if (!s)
        s = publish_schedule(&schedule, o, d, &evidence, e);
    if (!s)
        s = publish_report(b, o, d, &samples, &v, &evidence, schedule, e);
    if (!s)
        publish_summary(o, &v, &evidence, schedule);
    schedule_model_free(schedule);
    evidence_release(&evidence);
    evaluation_release(&v);
    samples_release(&samples);
    regress_data_free(d);
    return s;
}
