/* build_publish.c - the second half of a build: fit, SHIM files, comparison, report. In this order each is written as
 * early as possible. Part of build.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/sums.h"
#include "regress/regress.h"
#include "shimgen/values/evaluate.h"
#include "shimgen/values/evidence.h"
#include "shimgen/build/build.h"
#include "shimgen/build/line.h"
#include "shimgen/build/publish.h"
#include "shimgen/report_data/report_data.h"
#include "shimgen/units/room.h"

struct results {
    struct regress_data *data;
    struct evaluation evaluation;
    struct evidence evidence;
    struct schedule_model *schedule;
};

static struct evaluation_spec spec_of(const struct line *l)
{
    return (struct evaluation_spec){l->opt->classes, l->opt->solver, !l->opt->no_compare && !l->opt->quick};
}

/* ---- models ---- */

static enum status fit(struct line *l, struct results *r, struct error *e)
{
    const struct evaluation_spec spec = spec_of(l);
    enum status s = regress_data_read(&r->data, l->o->dataset, e);
    if (!s)
        s = evaluation_fit(&r->evaluation, r->data, &l->samples, &spec, e);
    return s ? s : regress_model_write(r->evaluation.model, l->o->model, e);
}

/* If it cannot be made, that of an earlier build must not stand beside the new data. */
static enum status fit_programs(struct line *l, struct results *r, struct error *e)
{
    enum status s = evaluation_fit_programs(&r->evaluation, r->data, e);
    bool failed = s != OK;
    s = losses_take(&l->losses, "programs", "programs.json", s, e);
    if (s)
        return s;
    if (r->evaluation.programs)
        return regress_model_write(r->evaluation.programs, l->o->programs, e);
    if (!failed)
        progress_note(
            "no programs.json: the dataset lacks events of the target's code, so whole programs have no model");
    return remove_tree(l->o->programs, e);
}

/* ---- SHIM files ---- */

static enum status read_evidence(struct line *l, struct results *r, struct error *e)
{
    struct measurements *m = 0;
    enum status s = measurements_read(&m, l->o->measurements, l->o->conditions, e);
    if (!s) {
        s = evidence_read(&r->evidence, l->o, measurements_cycle_event(m), e);
        s = losses_take(&l->losses, "values", "values of microbenchmarks", s, e);
    }
    measurements_free(m);
    return s;
}

static enum status make_shim(struct line *l, struct results *r, struct error *e)
{
    enum status s = read_evidence(l, r, e);
    if (!s)
        s = publish_merged(l->board, l->o, &r->evidence, &l->losses, e);
    return s && s != ERR_CANCELLED ? error_context(e, "%s cannot be made", path_basename(l->o->shim)) : s;
}

static enum status make_schedule(struct line *l, struct results *r, struct error *e)
{
    enum status s = publish_schedule(&r->schedule, l->board, l->o, r->data, &r->evidence, &l->losses, e);
    r->evidence.times = r->schedule;
    return losses_take(&l->losses, "schedule", path_basename(l->o->schedule_shim), s, e);
}

/* ---- comparison ---- */

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* A classification that is impossible with any solver counts as one loss. It is not a loss that its events are not
 * known here. */
static void note_unavailable(struct losses *l, const struct regress_crossval *c, bool say)
{
    for (size_t i = 0; c && i < c->n; i++) {
        const struct regress_crossval_line *x = &c->lines[i];
        bool alike = i && same_text(c->lines[i - 1].unavailable, x->unavailable) &&
                     strcmp(c->lines[i - 1].classes, x->classes) == 0;
        bool next_alike = i + 1 < c->n && same_text(c->lines[i + 1].unavailable, x->unavailable) &&
                          strcmp(c->lines[i + 1].classes, x->classes) == 0;
        if (!x->unavailable || alike)
            continue;
        char *what = next_alike ? xasprintf("classification '%s'", x->classes)
                                : xasprintf("classification '%s' with %s", x->classes, x->solver);
        if (!x->not_here)
            losses_add(l, "compare", what, x->unavailable);
        else if (say)
            progress_note("not available here: %s: %s", what, x->unavailable);
        free(what);
    }
}

static enum status compare(struct line *l, struct results *r, struct error *e)
{
    const struct evaluation_spec spec = spec_of(l);
    enum status s = evaluation_compare(&r->evaluation, r->data, &spec, e);
    s = losses_take(&l->losses, "compare", "comparison of classifications", s, e);
    note_unavailable(&l->losses, r->evaluation.left_out, true);
    note_unavailable(&l->losses, r->evaluation.tested, false); /* the same ones are unavailable */
    return s;
}

/* ---- report and final messages ---- */

/* How reliable a quick build is, by its own held-out errors; NULL: it is not a quick build. The caller frees. */
static char *quick_text(const struct line *l, const struct results *r)
{
    const struct regress_model *m = r->evaluation.model;
    const struct regress_errors *own = r->schedule ? &r->schedule->left_out : &m->held_out;
    if (!l->opt->quick)
        return 0;
    char *errors =
        own->n ? xasprintf("; median error of programs left out in turn: %.0f %%", 100 * own->median_abs) : xstrdup("");
    char *text = xasprintf("a quick build: made from %zu of %zu programs%s. More programs make a better file: the same "
                           "command without --quick continues from here",
                           r->data->n_groups, l->samples.n, errors);
    free(errors);
    return text;
}

static void print_quick(const struct line *l, const struct results *r)
{
    char *text = quick_text(l, r);
    if (text)
        printf("%s\n", text);
    free(text);
}

static enum status make_report(struct line *l, struct results *r, struct error *e)
{
    char *quick = quick_text(l, r);
    enum status s = publish_report(l->board, l->o, r->data, &l->samples, &r->evaluation, &r->evidence, r->schedule,
                                   quick, &l->losses, e);
    free(quick);
    return losses_take(&l->losses, "report", path_basename(l->o->report), s, e);
}

static void print_losses(const struct losses *l)
{
    if (l->list.n)
        printf("left out (%s):\n", l->list.n == 1 ? "1 thing" : "all of it in losses.csv");
    for (size_t i = 0; i < l->list.n; i++) {
        char *text = loss_text(&l->list.at[i]);
        if (i < 20)
            printf("  %s\n", text);
        else if (i == 20)
            printf("  and %zu more\n", l->list.n - 20);
        free(text);
    }
}

static void print_cost(struct line *l)
{
    char *times = steps_text(&l->steps), *room = room_text(room_used(l->o->work));
    printf("time: %s\n", times);
    if (l->opt->clean)
        printf("%s: %s, removed (--clean)\n", l->o->work, room);
    else if (file_exists(l->o->work))
        printf("%s: %s, kept so that the next build can continue; --clean removes it\n", l->o->work, room);
    free(room);
    free(times);
}

static enum status judge_losses(const struct line *l, struct error *e)
{
    if (!l->opt->strict || !l->losses.list.n)
        return OK;
    char *first = loss_text(&l->losses.list.at[0]);
    enum status s = error_set(e, ERR_INPUT, NOWHERE, "--strict: %zu left out: %s%s", l->losses.list.n, first,
                              l->losses.list.n > 1 ? "; and others, see losses.csv" : "");
    free(first);
    return s;
}

enum status publish_unfitted(struct line *l, struct error *e)
{
    losses_remove(&l->losses, "fit");
    losses_add(
        &l->losses, "fit", "models, SHIM files and report",
        "no program of this build has the role 'train' in its manifest, so there is nothing to fit on; dataset.csv "
        "has the counts and measurements: 'regress predict' compares another build's model with them");
    enum status s = losses_write(&l->losses, l->o->losses, e);
    return s ? s : judge_losses(l, e);
}

static void drop_own(struct losses *l)
{
    static const char *const steps[] = {"programs", "values", "shim", "schedule", "compare", "report"};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        losses_remove(l, steps[i]);
}

static enum status make_files(struct line *l, struct results *r, struct error *e)
{
    steps_begin(&l->steps, "fit");
    enum status s = fit(l, r, e);
    if (!s)
        s = fit_programs(l, r, e);
    if (!s)
        s = make_shim(l, r, e);
    if (!s) {
        steps_begin(&l->steps, "values for schedules");
        s = make_schedule(l, r, e);
    }
    if (!s) {
        steps_begin(&l->steps, "compare");
        s = compare(l, r, e);
    }
    if (!s) {
        steps_begin(&l->steps, "report");
        s = make_report(l, r, e);
    }
    steps_end(&l->steps);
    return s;
}

/* Records checksums: the files are as they were written. */
static enum status note_sums(const struct line *l, struct error *e)
{
    const char *names[OUTPUTS_MOST];
    enum status s = OK;
    outputs_names(names, l->o, OUTPUTS_MEASURED);
    if (l->measures)
        s = sums_renew(l->o->directory, names, e);
    outputs_names(names, l->o, OUTPUTS_PUBLISHED);
    return s ? s : sums_renew(l->o->directory, names, e);
}

enum status publish(struct line *l, struct error *e)
{
    struct results r = {0};
    drop_own(&l->losses);
    enum status s = make_files(l, &r, e);
    if (!s)
        s = losses_write(&l->losses, l->o->losses, e);
    if (!s)
        s = note_sums(l, e);
    if (!s) {
        publish_summary(l->o, &r.evaluation, &r.evidence, r.schedule);
        print_quick(l, &r);
        print_losses(&l->losses);
        print_cost(l);
        s = judge_losses(l, e);
    }
    schedule_model_free(r.schedule);
    evidence_release(&r.evidence);
    evaluation_release(&r.evaluation);
    regress_data_free(r.data);
    return s;
}
