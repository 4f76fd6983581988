/* build.c - shimgen build: the steps from sample programs to a SHIM file. */
#include "shimgen/build/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"
#include "base/sums.h"
#include "regress/regress.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/units/count_units.h"
#include "shimgen/build/import_measurements.h"
#include "shimgen/units/jobs.h"
#include "shimgen/build/line.h"
#include "shimgen/units/measure_units.h"
#include "shimgen/probes/memory_probes.h"
#include "shimgen/probes/micro.h"
#include "shimgen/predictor/predictors.h"
#include "shimgen/publish/provenance.h"
#include "shimgen/units/quick.h"
#include "shimgen/units/room.h"
#include "shimgen/build/simulated.h"

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

/* ---- counts and measurements as one table ---- */

/* A dataset contains only numbers, so texts go into a table of their own, for `regress --domains`. */
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
                                 struct losses *losses, struct error *e)
{
    struct regress_join j = {0};
    enum status s = regress_join(&j, counts, o->measurements, REGRESS_EVENTS_MEASURED, e);
    if (s)
        return s;
    for (size_t i = 0; i < j.n_both; i++)
        progress_note("%s is measured and simulated: the measured values are taken", j.both[i]);
    for (size_t i = 0; i < j.n_together; i++)
        progress_note("%s", j.together[i]);
    for (size_t i = 0; i < j.n_unmatched; i++)
        if (j.unmatched[i].why != REGRESS_NOT_MEASURED || !strstr(j.unmatched[i].label, "(program)"))
            losses_add(losses, "join", j.unmatched[i].label, regress_unmatched_text(&j.unmatched[i]));
    s = write_domains(o, j.data, samples, e);
    if (!s)
        s = regress_data_write(j.data, o->dataset, e);
    regress_join_release(&j);
    return s;
}

/* ---- selection of units ---- */

static bool is_selected(const struct units *selection, const char *name)
{
    for (size_t i = 0; i < selection->n; i++)
        if (strcmp(selection->at[i].name, name) == 0)
            return true;
    return false;
}

/* Plans the selected units, and all others that exist: an earlier build may have made them. */
static void plan(struct line *l, const struct samples *selected)
{
    const struct board *whole = l->opt->whole ? l->opt->whole : l->board;
    struct units selection = {0};
    units_plan(&selection, selected, l->board, l->o->work, &l->simulate);
    units_plan(&l->units, &l->samples, whole, l->o->work, &l->simulate);
    size_t found = 0;
    for (size_t i = 0; i < l->units.n; i++) {
        l->units.at[i].wanted = is_selected(&selection, l->units.at[i].name);
        found += l->units.at[i].wanted;
    }
    if (found == selection.n) {
        units_release(&selection);
        return;
    }
    units_release(&l->units); /* frees levels that the board's description does not have */
    l->units = selection;
}

struct still_known {
    const struct line *l;
    struct map published; /* programs of the earlier build */
    size_t kept, stale;
};

/* Reads the programs whose measurements are in the output folder. A table that cannot be read has none. */
static void read_published(struct map *programs, const struct outputs *o)
{
    struct error e = ERROR_INIT;
    struct csv *c = 0;
    enum status s = file_exists(o->measurements) ? csv_read(&c, o->measurements, &e) : OK;
    for (size_t i = 0; !s && c && i < c->n_rows; i++)
        map_number(programs, csv_cell(c, i, 0));
    if (s) {
        char *text = error_text(&e);
        progress_note("%s; it is made again from the programs of this selection", text);
        free(text);
    }
    csv_free(c);
    error_release(&e);
}

/* Is the unit in the selection, or in what an earlier build has published? Units that were only tried, as for choosing
 * a predictor, are not part of a build. Samples outlive their list: they belong to the line. */
static bool is_known(const struct unit *u, void *context)
{
    struct still_known *k = context;
    const struct board *b = k->l->opt->whole ? k->l->opt->whole : k->l->board;
    if (u->wanted)
        return true;
    bool counted = b->how != BOARD_IMPORT && map_get(&k->published, u->name, 0) && unit_was_counted(u);
    bool known = counted && u->is_measured && unit_was_built(u, b, k->l->tools);
    k->kept += known;
    k->stale += counted && !known;
    return known;
}

static void keep_known(struct line *l)
{
    struct still_known k = {.l = l};
    read_published(&k.published, l->o);
    units_filter(&l->units, is_known, &k);
    if (k.kept)
        progress_note("%zu programs outside of the selection stay as an earlier build measured them", k.kept);
    if (k.stale)
        progress_note("%zu programs of an earlier build are not used: their sources, tools or settings have changed, "
                      "and they are outside of the selection",
                      k.stale);
    map_release(&k.published);
}

static struct measuring measuring_of(struct line *l)
{
    return (struct measuring){.place = l->place,
                              .workers = l->opt->jobs > 0 ? (size_t)l->opt->jobs : jobs_processors(),
                              .again = l->opt->again,
                              .losses = &l->losses,
                              .step = "measure",
                              .better = l->opt->whole};
}

/* A quick build simulates what was chosen before, or the board's own predictor. */
static enum status choose_predictor(struct line *l, struct error *e)
{
    const struct predictors_how how = {.place = l->place,
                                       .findings = &l->findings,
                                       .losses = &l->losses,
                                       .tools = l->tools,
                                       .jobs = l->opt->jobs,
                                       .again = l->opt->again};
    const enum predictors_choice choice = l->opt->simulate ? PREDICTORS_GIVEN
                                          : l->opt->quick  ? PREDICTORS_KEPT
                                                           : PREDICTORS_AGAIN;
    return predictors_choose(&l->simulate, choice, l->board, l->o, &l->samples, &how, e);
}

/* Programs for which the board has no room are not built; they are listed as losses. */
static void leave_out(struct line *l, struct samples *samples)
{
    for (char **w = l->board->left_out; *w; w++)
        if (samples_take_out(samples, *w))
            losses_add(&l->losses, "samples", *w, "left_out.txt: the board has no room for it");
}

static enum status choose_units(struct line *l, struct error *e)
{
    struct samples selected = {0};
    const struct measuring how = measuring_of(l);
    char *own = resource_share("samples"), *quick = l->opt->quick && !l->opt->programs ? quick_programs(e) : 0;
    const char *folder = l->opt->samples ? l->opt->samples : own;
    enum status s = l->opt->quick && !l->opt->programs && !quick ? e->status : OK;
    if (!s)
        s = samples_read(&selected, folder, quick ? quick : l->opt->programs, e);
    if (!s)
        leave_out(l, &selected);
    if (!s)
        s = samples_read(&l->samples, folder, 0, e);
    if (!s)
        leave_out(l, &l->samples);
    if (!s)
        s = choose_predictor(l, e);
    if (!s) {
        plan(l, &selected);
        s = measure_known(&l->units, l->board, l->o->work, &how, e);
    }
    if (!s)
        keep_known(l);
    for (size_t i = 0; !s && i < l->units.n; i++)
        l->units.at[i].sample = samples_find(&l->samples, l->units.at[i].name);
    samples_release(&selected);
    free(quick);
    free(own);
    return s;
}

/* ---- room on the disk ---- */

enum {
    UNIT_BYTES = 48 << 10,   /* kept for each program: profile, IR, stamps */
    WORKER_BYTES = 4 << 20,  /* while a program is being made */
    PROGRAM_BYTES = 1 << 20, /* an executable that waits to be measured */
    OTHER_BYTES = 64 << 20   /* microbenchmarks, probes, tables */
};

static enum status check_room(const struct line *l, struct error *e)
{
    uint64_t need = OTHER_BYTES + (uint64_t)WORKER_BYTES * jobs_processors();
    for (size_t i = 0; i < l->units.n; i++) {
        const struct unit *u = &l->units.at[i];
        need +=
            u->is_measured ? 0 : UNIT_BYTES + (l->board->how == BOARD_IMPORT || l->opt->farm.on ? 0 : PROGRAM_BYTES);
    }
    return room_check(l->o->work, l->opt->quick ? need / 2 : need, e);
}

/* ---- the line ---- */

static enum status prepare(struct line *l, struct error *e)
{
    steps_begin(&l->steps, "prepare");
    args_add_words(&l->simulate, l->opt->simulate);
    enum status s = l->opt->simulate ? OK : simulated_defaults(&l->simulate, l->board, e);
    if (l->simulate.n && l->board->cache == BOARD_COLD)
        args_add_words(&l->simulate, "--cold-regions"); /* as they are measured */
    if (!s)
        s = consult_doctor(&l->place, l->board, &l->findings, e);
    if (!s)
        s = make_directories(l->o->work, e);
    if (!s)
        s = unit_tools_hash(&l->tools, l->board, l->o->work, e);
    if (!s)
        s = choose_units(l, e);
    return s ? s : check_room(l, e);
}

/* Rows and stamps that come back are as if made here. Later steps make what is missing. */
static enum status use_farm(struct line *l, struct error *e)
{
    const struct farm_order order = {.how = &l->opt->farm,
                                     .board = l->board,
                                     .samples = l->opt->samples,
                                     .simulate = &l->simulate,
                                     .tools = l->tools,
                                     .work = l->o->work,
                                     .again = l->opt->again,
                                     .losses = &l->losses,
                                     .findings = &l->findings};
    if (!l->opt->farm.on)
        return OK;
    steps_begin(&l->steps, "farm");
    return farm_run(&l->units, &order, e);
}

static enum status count(struct line *l, struct error *e)
{
    const struct counting how = {l->place, l->opt->jobs, l->opt->again, &l->losses};
    steps_begin(&l->steps, "compile and count");
    enum status s = count_units(&l->units, l->board, l->o->work, l->tools, &how, e);
    if (!s)
        s = counts_write(&l->units, 0, l->o->counts, e);
    if (!s && l->simulate.n)
        s = counts_write(&l->units, "events", l->o->counted, e);
    if (!s && l->simulate.n)
        s = counts_write(&l->units, "events,predictors", l->o->simulated, e);
    return s;
}

static enum status import_all(struct line *l, struct error *e)
{
    size_t missing = 0;
    enum status s = import_measurements(l->board, l->o, !l->opt->strict, &missing, e);
    if (!s && missing) {
        char *cause = xasprintf("the table has no cycles of them; %s lists them, to be filled in", l->o->wanted),
             *what = xasprintf("%zu regions", missing);
        losses_add(&l->losses, "measure", what, cause);
        free(what);
        free(cause);
    }
    return s;
}

static enum status measure(struct line *l, struct error *e)
{
    struct measurements *m = 0;
    const struct measuring how = measuring_of(l);
    steps_begin(&l->steps, "measure");
    if (l->board->how == BOARD_IMPORT)
        return import_all(l, e);
    enum status s = measure_units(&m, &l->units, l->board, l->o->work, &l->findings, &how, e);
    if (!s)
        s = measurements_write(m, l->o->measurements, l->o->conditions, e);
    measurements_free(m);
    return s;
}

/* A step that may fail. Its table from an earlier build is kept; if there is none, the values are not known. */
static enum status optional(struct line *l, const char *step, const char *table, enum status s, struct error *e)
{
    const char *name = path_basename(table);
    char *what = file_exists(table) ? xasprintf("%s (an earlier build's is used)", name) : xstrdup(name);
    s = losses_take(&l->losses, step, what, s, e);
    free(what);
    return s;
}

static enum status measure_memory(struct line *l, struct error *e)
{
    if (l->opt->no_memory || l->opt->quick)
        return OK;
    steps_begin(&l->steps, "memory");
    enum status s = memory_measure(l->board, l->place, l->o, l->opt->again, &l->losses, e);
    return optional(l, "memory", l->o->memory, s, e);
}

static enum status measure_micro(struct line *l, struct error *e)
{
    const struct micro_options how = {.place = l->place,
                                      .findings = &l->findings,
                                      .losses = &l->losses,
                                      .quick = l->opt->quick,
                                      .workers = l->opt->jobs > 0 ? (size_t)l->opt->jobs : jobs_processors(),
                                      .again = l->opt->again};
    if (l->opt->no_micro)
        return OK;
    steps_begin(&l->steps, "microbenchmarks");
    return optional(l, "micro", l->o->micro, micro_measure(l->board, l->o, &how, e), e);
}

static void line_release(struct line *l)
{
    runner_close(l->place);
    units_release(&l->units);
    board_args_release(&l->simulate);
    samples_release(&l->samples);
    findings_release(&l->findings);
    losses_release(&l->losses);
    steps_release(&l->steps);
}

static enum status clean(const struct line *l, struct error *e)
{
    return l->opt->clean ? remove_tree(l->o->work, e) : OK;
}

/* ---- files in the folder that were edited or damaged ---- */

/* Notes edited files, whose changes are lost since everything is made again. A file with a stamp is checked by its
 * step. */
static void note_lost(const struct outputs *o)
{
    const char *const again[] = {
        path_basename(o->dataset), path_basename(o->measurements), path_basename(o->conditions),
        path_basename(o->counts),  path_basename(o->domains),      path_basename(o->provenance),
        path_basename(o->shim),    path_basename(o->model),        path_basename(o->programs),
        path_basename(o->report),  path_basename(o->losses),       NULL};
    sums_note(o->directory, again, "it is made again");
}

static enum status begin_files(const struct line *l, struct error *e)
{
    const char *names[OUTPUTS_MOST];
    if (l->opt->no_memory || l->opt->quick)
        sums_note_read(l->o->memory);
    if (l->opt->no_micro || l->opt->quick)
        sums_note_read(l->o->micro);
    note_lost(l->o);
    outputs_names(names, l->o, OUTPUTS_MEASURED);
    enum status s = sums_remove(l->o->directory, names, e);
    outputs_names(names, l->o, OUTPUTS_PUBLISHED);
    return s ? s : sums_remove(l->o->directory, names, e);
}

static enum status begin_report(const struct outputs *o, struct error *e)
{
    const char *names[OUTPUTS_MOST];
    outputs_names(names, o, OUTPUTS_MEASURED);
    sums_note(o->directory, names, SUMS_TAKEN);
    outputs_names(names, o, OUTPUTS_PUBLISHED);
    return sums_remove(o->directory, names, e);
}

/* Is there anything to fit values on? */
static bool has_training(const struct line *l)
{
    for (size_t i = 0; i < l->units.n; i++)
        if (!l->units.at[i].sample->test)
            return true;
    return false;
}

enum status pipeline_build(const struct board *b, const struct outputs *o, const struct pipeline_options *opt,
                           struct error *e)
{
    struct line l = {.board = b, .o = o, .opt = opt, .losses.folder = o->directory, .measures = true};
    cancel_defer();
    enum status s = opt->farm.on ? farm_check(&opt->farm, b, e) : OK;
    if (!s)
        s = begin_files(&l, e);
    if (!s)
        s = prepare(&l, e);
    if (!s)
        s = use_farm(&l, e);
    if (!s && opt->farm.on && opt->farm.plan_only) {
        line_release(&l);
        progress_end();
        return OK;
    }
    if (!s)
        s = count(&l, e);
    if (!s)
        s = measure(&l, e);
    if (!s)
        s = measure_memory(&l, e);
    if (!s)
        s = measure_micro(&l, e);
    if (!s)
        s = write_dataset(o, l.simulate.n ? o->counted : o->counts, &l.samples, &l.losses, e);
    if (!s)
        s = provenance_write(b, &l.units, o->provenance, e);
    runner_close(l.place);
    l.place = 0;
    if (!s)
        s = has_training(&l) ? publish(&l, e) : publish_unfitted(&l, e);
    if (!s)
        s = clean(&l, e);
    progress_end();
    line_release(&l);
    if (s == ERR_CANCELLED)
        return error_set(e, s, NOWHERE, "interrupted; the same command continues the build");
    return s;
}

enum status pipeline_publish(const struct board *b, const struct outputs *o, const struct pipeline_options *opt,
                             struct error *e)
{
    struct line l = {.board = b, .o = o, .opt = opt, .losses.folder = o->directory};
    char *own = resource_share("samples");
    enum status s = begin_report(o, e);
    if (!s) {
        s = losses_read(&l.losses, o->losses, e);
        s = losses_take(&l.losses, "report", "earlier losses", s, e);
    }
    if (!s)
        s = samples_read(&l.samples, opt->samples ? opt->samples : own, 0, e);
    if (!s)
        s = publish(&l, e);
    progress_end();
    free(own);
    line_release(&l);
    return s;
}
