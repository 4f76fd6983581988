/* sample_coverage.c - figures on how well a board's dataset covers instructions, keys and variables. */
#include "shimgen/coverage/sample_coverage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/key.h"
#include "base/map.h"
#include "base/str.h"
#include "shimgen/estimate/costs.h"

const char *coverage_source_text(enum coverage_source s)
{
    static const char *const texts[] = {"programs", "microbenchmark",  "its class",
                                        "as",       "the mean of all", "never in C"};
    return texts[s];
}

size_t coverage_count(const struct coverage *c, enum coverage_source s)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_instructions; i++)
        n += c->instructions[i].source == s;
    return n;
}

/* ---- instructions of the SHIM file ---- */

/* Does the key count this instruction of the list? */
static bool is_of(const struct ir_key *k, const char *name)
{
    return strlen(name) == k->n_instruction && memcmp(name, k->text, k->n_instruction) == 0;
}

/* Counts how often the rows execute it, and in how many programs. */
static void count_instruction(struct coverage_instruction *x, const struct regress_data *d,
                              const struct regress_rows *rows)
{
    bool *seen = xcalloc(d->n_groups, sizeof *seen);
    double waiting = 0;
    for (size_t j = 0; j < d->cols; j++) {
        struct ir_key k = ir_key(d->names[j]);
        bool same = d->kinds[j] == REGRESS_KEY && is_of(&k, x->name);
        for (size_t i = 0; same && i < rows->n; i++) {
            double count = d->values[rows->at[i] * d->cols + j];
            x->count += count;
            waiting += k.dependent ? count : 0;
            seen[d->groups[rows->at[i]]] |= count > 0;
        }
    }
    for (size_t g = 0; g < d->n_groups; g++)
        x->programs += seen[g];
    x->dependent = x->count > 0 ? waiting / x->count : (double)NAN;
    free(seen);
}

/* The table of microbenchmarks (docs/formats/micro.md), as far as needed here. */
struct micro {
    struct csv *csv; /* NULL: there is none */
    size_t key, even, use;
};

static enum status micro_open(struct micro *m, const char *path, struct error *e)
{
    enum status s = csv_read(&m->csv, path, e);
    if (!s)
        s = csv_need(m->csv, "key", &m->key, e);
    if (!s)
        s = csv_need(m->csv, "even", &m->even, e);
    return s ? s : csv_need(m->csv, "use", &m->use, e);
}

/* The first key of this instruction whose row gives the instruction's cost; NULL: none. */
static const char *find_micro(const struct micro *m, const char *instruction)
{
    const struct csv *c = m->csv;
    for (size_t i = 0; c && i < c->n_rows; i++) {
        if (strcmp(csv_cell(c, i, m->even), "yes") != 0 || strcmp(csv_cell(c, i, m->use), "apart") == 0)
            continue;
        struct ir_key k = ir_key(csv_cell(c, i, m->key));
        if (is_of(&k, instruction))
            return csv_cell(c, i, m->key);
    }
    return 0;
}

/* The stand-in whose value it takes if it has no microbenchmark; NULL: no named one. */
static const char *find_like(const struct micro *m, const struct ir_listed *listed)
{
    const struct ir_instruction *in = ir_instruction(listed->opcode);
    if (!m->csv || (!listed->spelling && !in->no_case))
        return 0;
    return listed->spelling ? in->name : ir_instruction(in->like[0])->name;
}

/* The variable of the instruction's most common key, if programs have shown its value; NULL: none. */
static const char *find_class(const struct regress_coverage *c, const struct ir_listed *listed)
{
    const char *commonest = ir_instruction(listed->opcode)->key;
    for (int dependent = 0; dependent < 2; dependent++) {
        char *key = ir_marked(commonest, strlen(commonest), dependent);
        size_t rule = regress_classes_rule(c->classes, key);
        free(key);
        size_t v = rule == REGRESS_NONE ? REGRESS_NONE : c->classes->rules[rule].variable;
        if (v != REGRESS_NONE && c->variables[v].rows > 0)
            return c->variables[v].name;
    }
    return 0;
}

static void take_instruction(struct coverage_instruction *x, const struct ir_listed *listed,
                             const struct coverage_input *in, const struct regress_coverage *c,
                             const struct regress_rows *rows, const struct micro *m)
{
    const char *micro = find_micro(m, listed->name), *like = find_like(m, listed), *class = find_class(c, listed);
    const char *from = micro ? micro : like ? like : class;
    *x = (struct coverage_instruction){.name = listed->name, .makes = listed->what};
    count_instruction(x, in->data, rows);
    x->source = x->count > 0    ? COVERAGE_SEEN
                : micro         ? COVERAGE_MICRO
                : !listed->in_c ? COVERAGE_NEVER
                : like          ? COVERAGE_LIKE
                : class         ? COVERAGE_CLASS
                                : COVERAGE_NONE;
    x->from = x->source == COVERAGE_SEEN || !from ? 0 : xstrdup(from);
}

static enum status take_instructions(struct coverage *out, const struct coverage_input *in,
                                     const struct regress_rows *rows, struct error *e)
{
    struct micro micro = {0};
    enum status s = in->micro ? micro_open(&micro, in->micro, e) : OK;
    if (!s) {
        out->instructions = xcalloc(IR_LISTED, sizeof *out->instructions);
        out->n_instructions = IR_LISTED;
    }
    for (size_t k = 0; !s && k < IR_LISTED; k++)
        take_instruction(&out->instructions[k], ir_listed(k), in, out->of, rows, &micro);
    csv_free(micro.csv);
    return s;
}

/* ---- samples that would help ---- */

#define EXAMPLES 2

/* For each program, the share of its counts that belongs to variable v, by rows of the data. */
static double *parts_of(const struct coverage *c, const struct regress_data *d, const struct regress_rows *rows,
                        size_t v)
{
    double *of = xcalloc(2 * d->n_groups, sizeof *of), *all = of + d->n_groups;
    size_t *variable = xcalloc(d->cols, sizeof *variable);
    for (size_t j = 0; j < d->cols; j++) {
        size_t rule = d->kinds[j] == REGRESS_KEY ? regress_classes_rule(c->of->classes, d->names[j]) : REGRESS_NONE;
        variable[j] = rule == REGRESS_NONE ? REGRESS_NONE : c->of->classes->rules[rule].variable;
    }
    for (size_t k = 0; k < rows->n; k++) {
        size_t g = d->groups[rows->at[k]];
        for (size_t j = 0; j < d->cols; j++) {
            double count = variable[j] == REGRESS_NONE ? 0 : d->values[rows->at[k] * d->cols + j];
            all[g] += count;
            of[g] += variable[j] == v ? count : 0;
        }
    }
    for (size_t g = 0; g < d->n_groups; g++)
        of[g] = all[g] > 0 ? of[g] / all[g] : 0;
    free(variable);
    return of;
}

static void name_example(struct str *out, const struct samples *samples, const char *program)
{
    const struct sample *s = samples ? samples_find(samples, program) : 0;
    str_addf(out, "%s%s", out->len ? ", " : "more programs like ", program);
    if (s)
        str_addf(out, " (%s%s%s)", s->domain, *s->stresses ? ": " : "", s->stresses);
}

/* Adds programs that have more of v than others. */
static void add_examples(struct str *out, const struct coverage *c, const struct coverage_input *in,
                         const struct regress_rows *rows, size_t v)
{
    double *parts = parts_of(c, in->data, rows, v);
    for (size_t i = 0; i < EXAMPLES; i++) {
        size_t best = 0;
        for (size_t g = 1; g < in->data->n_groups; g++)
            best = parts[g] > parts[best] ? g : best;
        if (!(parts[best] > 0))
            break;
        name_example(out, in->samples, in->data->group_names[best]);
        parts[best] = 0;
    }
    free(parts);
}

/* Adds the C code that becomes the instructions of a variable. */
static void add_kinds(struct str *out, const struct regress_coverage *c, size_t v)
{
    for (size_t k = 0; k < IR_LISTED; k++) {
        const struct ir_listed *listed = ir_listed(k);
        size_t rule = regress_classes_rule(c->classes, ir_instruction(listed->opcode)->key);
        size_t of = rule == REGRESS_NONE ? REGRESS_NONE : c->classes->rules[rule].variable;
        size_t twin = c->classes->variables[v].twin;
        if (of != REGRESS_NONE && (of == v || of == twin) && listed->in_c)
            str_addf(out, "%s%s: %s", out->len ? "; " : "", listed->name, listed->what);
    }
}

static char *help_for(const struct coverage *c, const struct coverage_input *in, const struct regress_rows *rows,
                      size_t v)
{
    const struct regress_covered *x = &c->of->variables[v];
    struct str text = STR_INIT;
    if (x->standing == REGRESS_WELL)
        return 0;
    if (x->standing == REGRESS_ABSENT || x->standing == REGRESS_ONE_PROGRAM)
        add_kinds(&text, c->of, v);
    else
        add_examples(&text, c, in, rows, v);
    if (x->standing == REGRESS_ALIKE)
        str_addf(&text, "%sin other proportions to '%s'", text.len ? ", " : "programs with it ",
                 c->of->variables[x->like].name);
    char *out = text.len ? str_detach(&text) : 0;
    str_release(&text);
    return out;
}

/* ---- the whole ---- */

/* Chooses rows that are not of test programs. Returns their number. */
static size_t choose_rows(struct regress_rows *rows, const struct regress_data *d, const struct samples *samples)
{
    *rows = (struct regress_rows){xcalloc(d->n, sizeof *rows->at), 0};
    for (size_t i = 0; i < d->n; i++) {
        const struct sample *s = samples ? samples_find(samples, d->programs[i]) : 0;
        if (!s || !s->test)
            rows->at[rows->n++] = i;
    }
    return d->n - rows->n;
}

static enum status rank_pool(struct coverage *out, const struct coverage_input *in, struct error *e)
{
    struct regress_rows rows;
    choose_rows(&rows, in->pool, in->samples);
    enum status s =
        regress_coverage_pool(&out->candidates, &out->n_candidates, out->of, in->pool, &rows, in->data, in->most, e);
    free(rows.at);
    return s;
}

enum status coverage_make(struct coverage *out, const struct coverage_input *in, struct error *e)
{
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    struct regress_rows rows;
    *out = (struct coverage){0};
    settings.target = in->target;
    settings.absolute = in->absolute;
    out->test_rows = choose_rows(&rows, in->data, in->samples);
    enum status s = rows.n ? OK
                           : error_set(e, ERR_INPUT, AT_FILE(in->data->path),
                                       "all rows are of test programs: nothing is fitted on them");
    if (!s)
        s = regress_coverage(&out->of, in->data, in->classes, in->model, &settings, &rows, e);
    if (!s && in->pool)
        s = rank_pool(out, in, e);
    if (!s)
        s = take_instructions(out, in, &rows, e);
    if (!s)
        out->help = xcalloc(out->of->n_variables, sizeof *out->help);
    for (size_t v = 0; !s && v < out->of->n_variables; v++)
        out->help[v] = help_for(out, in, &rows, v);
    free(rows.at);
    return s;
}

void coverage_release(struct coverage *c)
{
    for (size_t v = 0; c->help && v < c->of->n_variables; v++)
        free(c->help[v]);
    free(c->help);
    for (size_t i = 0; i < c->n_instructions; i++)
        free(c->instructions[i].from);
    free(c->instructions);
    regress_candidates_free(c->candidates, c->n_candidates);
    regress_coverage_free(c->of);
    *c = (struct coverage){0};
}
