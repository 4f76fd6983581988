/* page_json.c - the report's data as JSON. Members have the names of the fields in report.h; docs/formats/report.md
 * lists them. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "shimgen/report/derived.h"
#include "shimgen/page/html.h"
#include "shimgen/report/report.h"

static json_t *text(const char *s)
{
    if (!s)
        return json_null();
    char *clean = html_clean_utf8(s);
    json_t *value = json_string(clean);
    free(clean);
    return value;
}

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void set(json_t *object, const char *name, json_t *value)
{
    if (json_object_set_new(object, name, value))
        BUG("the member '%s' cannot be set", name);
}

static void append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value))
        BUG("an element cannot be added");
}

static json_t *ratio(const struct report_ratio *r)
{
    json_t *o = json_object();
    set(o, "regions", json_integer((json_int_t)r->n));
    set(o, "median", number(r->n ? r->median : NAN));
    set(o, "low", number(r->n ? r->low : NAN));
    set(o, "high", number(r->n ? r->high : NAN));
    return o;
}

static json_t *simulated(const struct report_simulated *s)
{
    json_t *o = json_object();
    set(o, "event", text(s->event));
    set(o, "predictor", text(s->predictor));
    set(o, "chosen", json_boolean(s->chosen));
    set(o, "all", ratio(&s->all));
    set(o, "unseen", ratio(&s->unseen));
    set(o, "test", ratio(&s->test));
    return o;
}

static json_t *shares(size_t n, const double *values)
{
    if (!values)
        return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        append(array, number(values[i]));
    return array;
}

static json_t *program(const struct report *r, const struct report_program *p)
{
    json_t *o = json_object();
    set(o, "name", text(p->name));
    set(o, "region", text(p->region));
    set(o, "set", text(p->set));
    set(o, "domain", text(p->domain));
    set(o, "level", text(p->level));
    set(o, "role", json_string(p->role == REPORT_TEST ? "test" : "train"));
    set(o, "measured", number(p->measured));
    set(o, "stddev", number(p->stddev));
    set(o, "runs", json_integer(p->runs));
    set(o, "dropped", json_integer(p->dropped));
    set(o, "predicted", number(p->predicted));
    set(o, "predicted_heldout", number(heldout_prediction(p)));
    set(o, "low", number(p->low));
    set(o, "high", number(p->high));
    set(o, "instructions", number(p->instructions));
    set(o, "training_error", number(training_error(p)));
    set(o, "heldout_error", number(heldout_error(p)));
    set(o, "shares", shares(r->n_classes, p->shares));
    set(o, "account", shares(r->n_accounts, p->account));
    return o;
}

static json_t *errors(const struct report_errors *e)
{
    if (!e->rows)
        return json_null();
    json_t *o = json_object();
    set(o, "rows", json_integer((json_int_t)e->rows));
    set(o, "mean", number(e->mean));
    set(o, "mean_abs", number(e->mean_abs));
    set(o, "median_abs", number(e->median_abs));
    set(o, "worst", number(e->worst));
    set(o, "worst_program", text(e->worst_program));
    return o;
}

static json_t *evaluation(const struct report *r, const struct report_evaluation *v)
{
    json_t *o = json_object();
    set(o, "classes", text(v->classes));
    set(o, "solver", text(v->solver));
    set(o, "scheme", text(v->scheme));
    set(o, "chosen", json_boolean(is_chosen(r, v)));
    set(o, "baseline", json_boolean(v->baseline));
    set(o, "why_not", text(v->why_not));
    set(o, "heldout", v->why_not ? json_null() : errors(&v->heldout));
    set(o, "train", v->why_not ? json_null() : errors(&v->train));
    return o;
}

static json_t *cycles_of_programs(const struct report *r, const double *cycles)
{
    json_t *array = json_array();
    for (size_t i = 0; i < r->n_programs; i++)
        append(array, number(cycles ? cycles[i] : REPORT_UNKNOWN));
    return array;
}

static json_t *estimator(const struct report *r, const struct report_estimator *x)
{
    json_t *o = json_object();
    set(o, "name", text(x->name));
    set(o, "values", text(x->values));
    set(o, "estimated", cycles_of_programs(r, x->estimated));
    set(o, "left_out", cycles_of_programs(r, x->left_out));
    return o;
}

static json_t *value(const struct report_value *v)
{
    json_t *o = json_object();
    set(o, "variable", text(v->variable));
    set(o, "value", number(v->value));
    set(o, "low", number(v->low));
    set(o, "high", number(v->high));
    set(o, "rows", json_integer((json_int_t)v->rows));
    set(o, "count", number(v->count));
    set(o, "share", number(v->share));
    set(o, "inherited", text(v->inherited));
    return o;
}

static json_t *cycles(const struct report_cycles *c)
{
    json_t *array = json_array();
    append(array, number(c->best));
    append(array, number(c->typical));
    append(array, number(c->worst));
    return array;
}

static json_t *instruction(const struct report_instruction *i)
{
    json_t *o = json_object();
    set(o, "name", text(i->name));
    set(o, "pitch", cycles(&i->pitch));
    set(o, "latency", cycles(&i->latency));
    set(o, "inherited", text(i->inherited));
    return o;
}

static json_t *covered(const struct report_covered *v)
{
    json_t *o = json_object();
    set(o, "variable", text(v->variable));
    set(o, "programs", json_integer((json_int_t)v->programs));
    set(o, "share", number(v->share));
    set(o, "cycles", number(v->cycles));
    set(o, "dependent", number(v->dependent));
    set(o, "effective", number(v->effective));
    set(o, "strongest", number(v->strongest));
    set(o, "strongest_of", text(v->strongest_of));
    set(o, "value", number(v->value));
    set(o, "error", number(v->error));
    set(o, "standing", text(v->standing));
    set(o, "words", text(v->words));
    set(o, "help", text(v->help));
    return o;
}

static json_t *coverage(const struct report_coverage *c)
{
    json_t *o = json_object(), *variables = json_array();
    for (size_t i = 0; i < c->n_variables; i++)
        append(variables, covered(&c->variables[i]));
    set(o, "condition", number(c->condition));
    set(o, "scatter", number(c->scatter));
    set(o, "executed", json_integer((json_int_t)c->executed));
    set(o, "microbenchmark", json_integer((json_int_t)c->micro));
    set(o, "of_class", json_integer((json_int_t)c->of_class));
    set(o, "as_other", json_integer((json_int_t)c->as_other));
    set(o, "of_all", json_integer((json_int_t)c->of_all));
    set(o, "never_in_c", json_integer((json_int_t)c->never));
    set(o, "variables", variables);
    return o;
}

static json_t *finding(const struct report_finding *f)
{
    static const char *const words[] = {"note", "warning", "error"};
    json_t *o = json_object();
    set(o, "severity", json_string(words[f->severity]));
    set(o, "text", text(f->text));
    set(o, "remedy", text(f->remedy));
    return o;
}

static json_t *facts(const struct report_fact *f, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *o = json_object();
        set(o, "name", text(f[i].name));
        set(o, "value", text(f[i].value));
        set(o, "note", text(f[i].note));
        append(array, o);
    }
    return array;
}

static json_t *headline(const struct report *r)
{
    const struct report_evaluation *v = headline_evaluation(r), *test = test_evaluation(r);
    json_t *o = json_object();
    set(o, "scheme", v ? text(v->scheme) : json_null());
    set(o, "heldout", v ? errors(&v->heldout) : json_null());
    set(o, "train", v ? errors(&v->train) : json_null());
    set(o, "test", test ? errors(&test->heldout) : json_null());
    return o;
}

static json_t *clock_of(const struct report *r)
{
    json_t *o = json_object();
    set(o, "event", text(r->clock.event));
    set(o, "core_cycles", json_boolean(r->clock.core_cycles));
    return o;
}

static json_t *document(const struct report *r)
{
    json_t *o = json_object(), *classes = json_array(), *programs = json_array(), *evaluations = json_array(),
           *values = json_array(), *instructions = json_array(), *accesses = json_array(), *micro = json_array(),
           *findings = json_array();
    for (size_t i = 0; i < r->n_classes; i++)
        append(classes, text(r->classes[i]));
    for (size_t i = 0; i < r->n_programs; i++)
        append(programs, program(r, &r->programs[i]));
    for (size_t i = 0; i < r->n_evaluations; i++)
        append(evaluations, evaluation(r, &r->evaluations[i]));
    for (size_t i = 0; i < r->n_values; i++)
        append(values, value(&r->values[i]));
    for (size_t i = 0; i < r->n_instructions; i++)
        append(instructions, instruction(&r->instructions[i]));
    for (size_t i = 0; i < r->n_accesses; i++)
        append(accesses, instruction(&r->accesses[i]));
    for (size_t i = 0; i < r->n_micro; i++)
        append(micro, instruction(&r->micro[i]));
    for (size_t i = 0; i < r->n_findings; i++)
        append(findings, finding(&r->findings[i]));
    set(o, "format", json_string("shimgen report 1"));
    set(o, "title", text(r->title));
    set(o, "board", text(r->board));
    set(o, "version", text(r->version));
    set(o, "generated", text(r->generated));
    set(o, "headline", headline(r));
    set(o, "clock", clock_of(r));
    set(o, "facts", facts(r->facts, r->n_facts));
    set(o, "conditions", facts(r->conditions, r->n_conditions));
    set(o, "findings", findings);
    set(o, "classes", classes);
    json_t *events = json_array();
    for (size_t i = 0; i < r->n_simulated; i++)
        append(events, simulated(&r->simulated[i]));
    set(o, "simulated", events);
    set(o, "predictor", text(r->predictor));
    json_t *accounts = json_array();
    for (size_t i = 0; i < r->n_accounts; i++)
        append(accounts, text(r->accounts[i]));
    set(o, "accounts", accounts);
    set(o, "account_model", text(r->account_model));
    set(o, "evaluations", evaluations);
    json_t *estimators = json_array();
    for (size_t i = 0; i < r->n_estimators; i++)
        append(estimators, estimator(r, &r->estimators[i]));
    set(o, "estimators", estimators);
    set(o, "interval", number(r->interval));
    set(o, "values", values);
    set(o, "coverage", r->coverage.n_variables ? coverage(&r->coverage) : json_null());
    set(o, "instructions", instructions);
    set(o, "evidence", text(r->evidence));
    set(o, "micro", micro);
    set(o, "accesses", accesses);
    set(o, "programs", programs);
    return o;
}

void report_json(const struct report *r, struct str *out)
{
    json_t *o = document(r);
    char *dump = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!dump)
        BUG("the report cannot be written as JSON");
    str_add(out, dump);
    free(dump);
    json_decref(o);
}
