/* report_fill.c - turns a build's files and its evaluation into the data of the report page. Part of report_data.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/file.h"
#include "base/map.h"
#include "base/program_name.h"
#include "base/str.h"
#include "shimgen/report/report.h"
#include "shimgen/report_data/report_fill.h"

/* The report borrows its texts. Those made here live in the arena until the page is written. */
static char *keep(struct fill *f, char *owned)
{
    vec_push(&f->texts, owned);
    return owned;
}

typedef VEC(struct report_fact) facts_t;

static void fact(facts_t *list, const char *name, const char *value, const char *note)
{
    vec_push(list, (struct report_fact){name, value && *value ? value : 0, note});
}

/* ---- the machine and how it was measured ---- */

static void fill_machine(struct fill *f, const struct board *b, const struct conditions *c)
{
    facts_t list = {0};
    fact(&list, "processor", c->cpu, 0);
    fact(&list, "architecture", c->architecture, 0);
    fact(&list, "kernel", c->kernel, 0);
    fact(&list, "virtual machine", *c->hypervisor ? c->hypervisor : "no", 0);
    fact(&list, "compiler", b->compiler, 0);
    if (c->clock_hz > 0)
        fact(&list, "core clock", keep(f, xasprintf("%.6g MHz", c->clock_hz / 1e6)), c->clock_source);
    f->report.facts = list.at;
    f->report.n_facts = list.n;
    f->report.clock.event = c->cycle_event;
    f->report.clock.core_cycles = c->cycle_event && strcmp(c->cycle_event, "CPU_CYCLES") == 0;
    f->report.clock.sentence = f->report.clock.core_cycles ? 0 : c->cycle_nature;
}

typedef VEC(struct report_finding) finding_list;

/* Notes of one kind, each about one program ("NAME: the runs spread by 12 %: ..."), become one finding with their
 * number. */
static void add_notes(struct fill *f, finding_list *list, char **notes)
{
    static const char kind[] = ": the runs spread by";
    size_t spread = 0;
    const char *first = 0;
    for (; notes && *notes; notes++) {
        if (!strstr(*notes, kind)) {
            vec_push(list, (struct report_finding){REPORT_WARNING, *notes, 0});
            continue;
        }
        first = first ? first : *notes;
        spread++;
    }
    if (spread == 1)
        vec_push(list, (struct report_finding){REPORT_WARNING, first, 0});
    else if (spread)
        vec_push(list,
                 (struct report_finding){REPORT_WARNING,
                                         keep(f, xasprintf("%zu measurements have runs that spread widely, as: %s; the "
                                                           "others stand in conditions.json",
                                                           spread, first)),
                                         0});
}

static void fill_conditions(struct fill *f, const struct conditions *c)
{
    facts_t list = {0};
    fact(&list, "cycles", c->cycle_event, 0);
    if (c->cycle_hz > 0)
        fact(&list, "frequency of the counter", keep(f, xasprintf("%.6g MHz", c->cycle_hz / 1e6)), 0);
    char *until = c->precision > 0
                      ? xasprintf("up to %u, until cycles are known to %.3g %%", c->runs, 100 * c->precision)
                      : xasprintf("%u", c->runs);
    fact(&list, "runs per program", keep(f, until), "one process each; the centre is Huber's estimator");
    fact(&list, "caches before each run", c->cache, c->cache_method);
    fact(&list, "core", keep(f, xasprintf("%d", c->core)), "the process is pinned to it");
    fact(&list, "priority", c->priority, 0);
    fact(&list, "memory", c->memory, "made resident before the region, so that page faults do not fall into it");
    fact(&list, "cost of entering a region", keep(f, xasprintf("%.4g cycles", c->overhead_cycles)),
         "measured, and taken off");
    fact(&list, "date", c->date, 0);
    f->report.conditions = list.at;
    f->report.n_conditions = list.n;
    finding_list findings = {0};
    add_notes(f, &findings, c->notes);
    for (char **n = c->events_left_out; n && *n; n++)
        vec_push(&findings, (struct report_finding){REPORT_NOTE, keep(f, xasprintf("event left out: %s", *n)), 0});
    f->report.findings = findings.at;
    f->report.n_findings = findings.n;
}

/* ---- programs ---- */

static const struct measured_program *find_measured(const struct measurements *m, const char *program)
{
    for (size_t i = 0; i < m->programs.n; i++)
        if (strcmp(m->programs.at[i].program, program) == 0)
            return &m->programs.at[i];
    return 0;
}

static void fill_measurement(struct report_program *p, const struct measurements *m, const char *program,
                             const char *region)
{
    const char *event = measurements_cycle_event(m);
    const struct measurement *row = event ? measurements_find(m, program, region, event) : 0;
    const struct measured_program *launches = find_measured(m, program);
    if (row) {
        p->stddev = row->stddev;
        p->runs = row->runs;
    }
    if (launches)
        p->dropped = launches->disturbed;
}

/* The variable to which each column of the data belongs; REGRESS_NONE: none. Use free(). */
static size_t *variables_of(const struct regress_data *d, const struct regress_model *m)
{
    struct map keys = {0};
    for (size_t k = 0; k < m->n_keys; k++)
        map_put(&keys, m->keys[k].key, m->keys[k].variable);
    size_t *variables = xcalloc(d->cols, sizeof *variables);
    for (size_t i = 0; i < d->cols; i++)
        if (d->kinds[i] != REGRESS_KEY || !map_get(&keys, d->names[i], &variables[i]))
            variables[i] = REGRESS_NONE;
    map_release(&keys);
    return variables;
}

/* For each variable, the fraction of a row's cycles, by its keys' costs. */
static double *shares_of(struct fill *f, const struct regress_data *d, const struct regress_model *m,
                         const size_t *variables, size_t row)
{
    double *shares = xcalloc(m->n_values, sizeof *shares), sum = 0;
    for (size_t i = 0; i < d->cols; i++) {
        if (variables[i] == REGRESS_NONE)
            continue;
        double cycles = d->values[row * d->cols + i] * m->values[variables[i]].value;
        shares[variables[i]] += cycles;
        sum += cycles;
    }
    for (size_t k = 0; k < m->n_values && sum > 0; k++)
        shares[k] /= sum;
    keep(f, (char *)shares);
    return shares;
}

static double executed(const struct regress_data *d, size_t row)
{
    double sum = 0;
    for (size_t i = 0; i < d->cols; i++)
        if (d->kinds[i] == REGRESS_KEY)
            sum += d->values[row * d->cols + i];
    return sum;
}

static void fill_held_out(struct report_program *programs, const struct regress_crossval *c, size_t line)
{
    if (!c || line >= c->n)
        return;
    for (size_t i = 0; i < c->lines[line].n_predictions; i++) {
        const struct regress_prediction *p = &c->lines[line].predictions[i];
        programs[p->row].predicted_heldout = p->estimate;
    }
}

static enum status fill_programs(struct fill *f, const struct regress_data *d, const struct measurements *m,
                                 const struct samples *s, const struct evaluation *v, struct error *e)
{
    struct regress_prediction *predictions = 0;
    size_t n = 0;
    size_t *variables = variables_of(d, v->model);
    enum status status = regress_predict(&predictions, &n, v->model, d, 0, e);
    struct report_program *programs = xcalloc(d->n, sizeof *programs);
    for (size_t i = 0; !status && i < d->n; i++) {
        const struct sample *sample = samples_find(s, d->programs[i]);
        struct program_name name = program_name(d->programs[i], strlen(d->programs[i]));
        struct report_program p = REPORT_PROGRAM_INIT;
        p.name = d->programs[i];
        p.region = strcmp(d->labels[i], d->programs[i]) != 0 ? d->regions[i] : 0; /* not if it has the program's name */
        p.set = keep(f, xstrndup(name.text, name.n_set ? name.n_set : name.n_program));
        p.domain = sample ? sample->domain : 0;
        p.level = name.level;
        p.role = sample && sample->test ? REPORT_TEST : REPORT_TRAIN;
        p.measured = predictions[i].measured;
        p.predicted = predictions[i].estimate;
        p.low = predictions[i].low;
        p.high = predictions[i].high;
        p.instructions = executed(d, i);
        p.shares = shares_of(f, d, v->model, variables, i);
        fill_measurement(&p, m, d->programs[i], d->regions[i]);
        programs[i] = p;
    }
    if (!status) {
        fill_held_out(programs, v->left_out, v->chosen);
        fill_held_out(programs, v->tested, v->chosen);
    }
    f->report.programs = programs;
    f->report.n_programs = status ? 0 : d->n;
    free(predictions);
    free(variables);
    return status;
}

/* ---- evaluations ---- */

static struct report_errors errors_of(const struct regress_errors *from)
{
    struct report_errors to = REPORT_ERRORS_INIT;
    to.rows = from->n;
    to.mean = from->mean;
    to.mean_abs = from->mean_abs;
    to.median_abs = from->median_abs;
    to.worst = from->worst;
    to.worst_program = from->worst_of;
    return to;
}

static void fill_evaluations(struct fill *f, const struct regress_crossval *c, const char *scheme)
{
    for (size_t i = 0; c && i < c->n; i++) {
        const struct regress_crossval_line *line = &c->lines[i];
        struct report_evaluation r = REPORT_EVALUATION_INIT;
        r.baseline = !*line->classes;
        r.classes = r.baseline ? "instructions" : line->classes;
        r.solver = r.baseline ? "one cost for all" : line->solver;
        r.scheme = scheme;
        r.why_not = line->unavailable;
        r.train = errors_of(&line->training);
        r.heldout = errors_of(&line->held_out);
        double *each = xcalloc(line->n_predictions, sizeof *each);
        for (size_t k = 0; k < line->n_predictions; k++)
            each[k] = line->predictions[k].error;
        r.heldout.each = r.heldout.rows == line->n_predictions ? each : 0;
        keep(f, (char *)each);
        vec_push(&f->evaluations, r);
    }
}

/* ---- values ---- */

static void fill_values(struct fill *f, const struct evaluation *v)
{
    const struct regress_model *m = v->model;
    f->report.values = xcalloc(m->n_values, sizeof *f->report.values);
    f->report.n_values = m->n_values;
    double all = 0;
    for (size_t k = 0; k < m->n_values; k++)
        all += m->values[k].count * m->values[k].value;
    VEC(const char *) names = {0};
    for (size_t k = 0; k < m->n_values; k++) {
        struct report_value r = REPORT_VALUE_INIT;
        r.variable = m->values[k].name;
        r.value = m->values[k].value;
        r.low = m->values[k].low;
        r.high = m->values[k].high;
        r.rows = m->values[k].rows;
        r.count = m->values[k].count;
        r.share = all > 0 ? m->values[k].count * m->values[k].value / all : REPORT_UNKNOWN;
        r.inherited = m->values[k].rows ? 0 : "no program has it";
        f->report.values[k] = r;
        vec_push(&names, m->values[k].name);
    }
    f->report.classes = names.at;
    f->report.n_classes = names.n;
}

/* ---- files ---- */

static void fill_files(struct fill *f, const struct outputs *o)
{
    const struct {
        const char *path, *what;
    } files[] = {
        {o->shim, "the SHIM 1.0 description of the machine, with the fitted values"},
        {o->model, "the fitted model of instructions: values, intervals, evidence"},
        {o->programs, "the fitted model of whole programs, by the code of the target"},
        {o->dataset, "counts and measurements, a row per program and level"},
        {o->measurements, "what was measured"},
        {o->conditions, "under which conditions"},
        {o->counts, "executed IR instructions"},
        {o->memory, "what accesses to memory and messages between cores cost"},
        {o->micro, "what single instructions cost, by microbenchmarks"},
    };
    enum { N = sizeof files / sizeof *files };
    f->report.files = xcalloc(N, sizeof *f->report.files);
    for (size_t i = 0; i < N; i++) {
        struct stat st;
        bool there = stat(files[i].path, &st) == 0;
        if (!there && files[i].path != o->shim && files[i].path != o->dataset && files[i].path != o->model)
            continue;
        f->report.files[f->report.n_files++] =
            (struct report_file){path_basename(files[i].path), files[i].what, there ? (uint64_t)st.st_size : 0};
    }
}

enum status report_fill(struct fill *f, const struct board *b, const struct outputs *o, const struct regress_data *d,
                        const struct measurements *m, const struct samples *s, const struct evaluation *v,
                        struct error *e)
{
    f->report = (struct report)REPORT_INIT;
    f->report.title = b->title;
    f->report.board = b->name;
    f->report.version = SHIMGEN_VERSION;
    f->report.generated = m->conditions.date;
    f->report.interval = v->model->level > 0 ? v->model->level : REPORT_UNKNOWN;
    fill_machine(f, b, &m->conditions);
    fill_conditions(f, &m->conditions);
    fill_values(f, v);
    fill_evaluations(f, v->left_out, "leave-one-out");
    fill_evaluations(f, v->tested, "test programs");
    f->report.evaluations = f->evaluations.at;
    f->report.n_evaluations = f->evaluations.n;
    f->report.chosen_classes = v->model->classes->name;
    f->report.chosen_solver = v->model->solver;
    fill_files(f, o);
    f->commands[0] = keep(f, xasprintf("shimgen build %s", b->name));
    f->commands[1] = keep(f, xasprintf("shimgen report %s", b->name));
    f->report.commands = f->commands;
    f->report.n_commands = 2;
    return fill_programs(f, d, m, s, v, e);
}

void report_fill_losses(struct fill *f, const char *quick, const struct losses *l)
{
    finding_list list = {f->report.findings, f->report.n_findings, f->report.n_findings};
    if (quick)
        vec_push(&list, (struct report_finding){REPORT_WARNING, keep(f, xasprintf("This is %s.", quick)), 0});
    for (size_t i = 0; i < l->list.n; i++) {
        char *text = loss_text(&l->list.at[i]);
        vec_push(&list, (struct report_finding){REPORT_WARNING, keep(f, xasprintf("Left out: %s", text)), 0});
        free(text);
    }
    f->report.findings = list.at;
    f->report.n_findings = list.n;
}

void fill_release(struct fill *f)
{
    for (size_t i = 0; i < f->texts.n; i++)
        free(f->texts.at[i]);
    vec_release(&f->texts);
    vec_release(&f->evaluations);
    vec_release(&f->estimators);
    free(f->report.facts);
    free(f->report.conditions);
    free(f->report.findings);
    free(f->report.programs);
    free(f->report.values);
    free(f->report.classes);
    free(f->report.files);
    free(f->report.instructions);
    free(f->report.accesses);
    free(f->report.micro);
    free(f->report.simulated);
}
