/* template.c - the item template: reads its tables, finds a thread's events by name, computes items by formula. */
#include "perf-xml/template/template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/events/formula.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"

/* A formula that gives a general event from a source's events. The first rule whose events exist is used. */
struct rule {
    const char *formula;
    size_t next; /* the next rule of the same event, or NO_RULE */
};
#define NO_RULE SIZE_MAX
struct names {
    struct csv *table;
    struct map first; /* general event -> its first rule */
    VEC(struct rule) rules;
};
/* An event of the source. It belongs to the current thread if its `turn` is the current one. */
struct event {
    double value;
    struct perf_number number;
    size_t turn;
    bool measured, alias;
};
struct template
{
    struct csv *items;
    struct template_item *rows;
    size_t columns[5];
    struct names sources[6];
    const struct names *chosen;
    const char *source; /* the chosen source */
    struct map known;   /* names of events, and their short forms */
    VEC(struct event) events;
    size_t turn;
    const struct template_most *most;
    /* of the formula that is being evaluated */
    char *missing;
    size_t names_used;
    const struct event *last;
    bool all_measured;
    struct str why;
};

static const char *const sources[] = {"papi", "perf", "pfm", "likwid", "irprof", "estimate"};
enum { SOURCES = sizeof sources / sizeof *sources };

static enum status table(struct csv **out, const char *name, struct error *e)
{
    char *below = xasprintf("perf-xml/%s.csv", name), *path = resource_share(below);
    enum status s = csv_read(out, path, e);
    free(below);
    free(path);
    return s;
}

static enum status names_open(struct names *n, const char *name, struct error *e)
{
    size_t event, formula;
    enum status s = table(&n->table, name, e);
    if (!s)
        s = csv_need(n->table, "event", &event, e);
    if (!s)
        s = csv_need(n->table, "formula", &formula, e);
    for (size_t i = 0; !s && i < n->table->n_rows; i++) {
        const char *key = csv_cell(n->table, i, event);
        size_t at;
        vec_push(&n->rules, (struct rule){csv_cell(n->table, i, formula), NO_RULE});
        if (!map_get(&n->first, key, &at)) {
            map_put(&n->first, key, i);
            continue;
        }
        while (n->rules.at[at].next != NO_RULE)
            at = n->rules.at[at].next;
        n->rules.at[at].next = i;
    }
    return s;
}

static enum status items_open(struct template *t, struct error *e)
{
    static const char *const columns[] = {"category", "group", "item", "unit", "formula"};
    enum status s = table(&t->items, "items", e);
    for (size_t i = 0; !s && i < 5; i++)
        s = csv_need(t->items, columns[i], &t->columns[i], e);
    if (s)
        return s;
    t->rows = xcalloc(t->items->n_rows, sizeof *t->rows);
    for (size_t i = 0; i < t->items->n_rows; i++) {
        const char *cell[5];
        for (size_t k = 0; k < 5; k++)
            cell[k] = csv_cell(t->items, i, t->columns[k]);
        t->rows[i] = (struct template_item){cell[0], cell[1], cell[2], cell[3], cell[4]};
    }
    return OK;
}

enum status template_open(struct template **out, struct error *e)
{
    struct template *t = xcalloc(1, sizeof *t);
    t->turn = 1;
    enum status s = items_open(t, e);
    for (size_t i = 0; !s && i < SOURCES; i++)
        s = names_open(&t->sources[i], sources[i], e);
    if (s)
        template_free(t);
    else
        *out = t;
    return s;
}

void template_free(struct template *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < SOURCES; i++) {
        csv_free(t->sources[i].table);
        map_release(&t->sources[i].first);
        vec_release(&t->sources[i].rules);
    }
    csv_free(t->items);
    free(t->rows);
    map_release(&t->known);
    vec_release(&t->events);
    free(t->missing);
    str_release(&t->why);
    free(t);
}

void template_clear(struct template *t)
{
    t->turn++;
}

static void put(struct template *t, const char *name, const struct perf_data *d, bool alias)
{
    size_t i = map_number(&t->known, name);
    if (i == t->events.n)
        vec_push(&t->events, (struct event){0});
    struct event *v = &t->events.at[i];
    if (alias && v->turn == t->turn)
        return; /* a full name takes precedence over a short form */
    *v = (struct event){perf_number_real(&d->value), d->value, t->turn, d->state == PERF_MEASURED, alias};
}

/* "amd64_fam1ah_zen5::CYCLES_NO_RETIRE:ALL:u" is also found as CYCLES_NO_RETIRE:ALL. */
void template_event(struct template *t, const char *name, const struct perf_data *d)
{
    if (d->value.kind == PERF_NONE)
        return;
    put(t, name, d, false);
    const char *start = strstr(name, "::");
    start = start ? start + 2 : name;
    size_t n = strlen(start);
    const char *last = strrchr(start, ':');
    if (last && last[1] && !last[1 + strspn(last + 1, "ukhpPGHSDWe")])
        n = (size_t)(last - start);
    if (start == name && !start[n])
        return;
    char *alias = xstrndup(start, n);
    put(t, alias, d, true);
    free(alias);
}

static void miss(struct template *t, const char *what)
{
    if (!t->missing)
        t->missing = xstrdup(what);
}

/* ---- a formula over the source's events ---- */

static bool source_name(void *context, const char *name, double *value)
{
    struct template *t = context;
    size_t i;
    *value = 0;
    t->names_used++;
    if (!map_get(&t->known, name, &i) || t->events.at[i].turn != t->turn) {
        miss(t, name);
        return true;
    }
    t->last = &t->events.at[i];
    *value = t->last->value;
    return true;
}

static bool source_optional(void *context, const char *name, double *value)
{
    struct template *t = context;
    size_t i;
    *value = map_get(&t->known, name, &i) && t->events.at[i].turn == t->turn ? t->events.at[i].value : 0;
    t->names_used += 2; /* so that it does not count as a plain name */
    return true;
}

static bool source_sum(void *context, const char *glob, bool *taken, double *value)
{
    struct template *t = context;
    t->names_used += 2;
    for (size_t i = 0; i < t->events.n; i++)
        if (!taken[i] && t->events.at[i].turn == t->turn && !t->events.at[i].alias &&
            glob_match(glob, t->known.keys[i])) {
            taken[i] = true;
            *value += t->events.at[i].value;
            t->last = &t->events.at[i];
        }
    return true;
}

/* Returns false if an event is missing (t->missing), or if the formula has no value (t->missing says why). */
static bool rule_value(struct template *t, const char *formula, double *value)
{
    struct formula_scope scope = {source_name, source_optional, source_sum, t->events.n, t};
    char *why = 0;
    t->names_used = 0;
    t->last = 0;
    free(t->missing);
    t->missing = 0;
    if (!formula_value(formula, &scope, value, &why))
        miss(t, why);
    free(why);
    return !t->missing;
}

/* Takes the first rule of an event that gives a value. If there is none, `missing` is that of the first rule. */
static bool general(struct template *t, const char *name, double *value)
{
    size_t i;
    char *first = 0;
    free(t->missing);
    t->missing = 0;
    if (!map_get(&t->chosen->first, name, &i)) {
        t->missing = xasprintf("%s event gives %s", t->source, name);
        return false;
    }
    for (; i != NO_RULE; i = t->chosen->rules.at[i].next) {
        if (rule_value(t, t->chosen->rules.at[i].formula, value)) {
            t->all_measured =
                t->names_used == 1 && t->last && t->last->measured && !strpbrk(t->chosen->rules.at[i].formula, "+*/( ");
            free(first);
            return true;
        }
        if (!first)
            first = xstrdup(t->missing);
    }
    free(t->missing);
    t->missing = first;
    return false;
}

bool template_general(struct template *t, const char *event, double *value)
{
    return t->chosen && general(t, event, value);
}

bool template_choose(struct template *t, const char *names)
{
    size_t most = 0;
    double value;
    for (size_t k = 0; k < SOURCES; k++) {
        size_t found = 0;
        const struct map *m = &t->sources[k].first;
        if (strcmp(names, sources[k]) == 0) {
            t->chosen = &t->sources[k];
            t->source = sources[k];
            return true;
        }
        const struct names *before = t->chosen;
        t->chosen = &t->sources[k];
        for (size_t i = 0; i < m->n; i++)
            found += general(t, m->keys[i], &value) && t->last;
        t->chosen = before;
        if (found > most) {
            most = found;
            t->chosen = &t->sources[k];
            t->source = sources[k];
        }
    }
    return most > 0;
}

/* ---- a formula over general events ---- */

struct item_scope {
    struct template *t;
    char *missing;
    size_t used;
};

static bool item_name(void *context, const char *name, double *value)
{
    struct item_scope *x = context;
    struct template *t = x->t;
    x->used++;
    *value = 0;
    if (strcmp(name, "PROCESS_TIME") == 0 || strcmp(name, "PROCESS_INSTRUCTIONS") == 0) {
        *value = name[8] == 'T' ? t->most->time : t->most->instructions;
        x->used++;
    } else if (!general(t, name, value) && !x->missing) {
        x->missing = xstrdup(t->missing);
    }
    return true;
}

static bool item_optional(void *context, const char *name, double *value)
{
    if (!template_general(((struct item_scope *)context)->t, name, value))
        *value = 0;
    return true;
}

static bool item_sum(void *context, const char *glob, bool *taken, double *value)
{
    (void)context;
    (void)glob;
    (void)taken;
    (void)value;
    return true;
}

/* Is the formula a single event? Then the item keeps the event's number: it was measured, and stays exact. */
static bool is_event(const struct template *t, const char *formula, const struct item_scope *x)
{
    return x->used == 1 && t->all_measured && !strpbrk(formula, "+*/( ");
}

void template_value(struct template *t, size_t i, const struct template_most *most, struct perf_data *d)
{
    const struct template_item *row = &t->rows[i];
    struct item_scope x = {.t = t};
    struct formula_scope scope = {item_name, item_optional, item_sum, 0, &x};
    double value = 0;
    char *fault = 0;
    t->most = most;
    t->all_measured = false;
    *d = (struct perf_data){.unit = row->unit, .state = PERF_DERIVED};
    bool good = formula_value(row->formula, &scope, &value, &fault);
    str_clear(&t->why);
    if (x.missing)
        str_addf(&t->why, "no %s", x.missing);
    else if (!good || !isfinite(value))
        str_addf(&t->why, "%s", fault ? fault : "no finite number");
    if (t->why.len) {
        d->state = PERF_UNAVAILABLE;
        d->why = str_text(&t->why);
    } else if (is_event(t, row->formula, &x)) {
        d->state = PERF_MEASURED;
        d->value = t->last->number;
    } else if (value >= 0 && value < 9e15 && value == floor(value)) {
        d->value = perf_unsigned((uint64_t)value);
    } else {
        d->value = (struct perf_number){.kind = PERF_REAL, .d = value};
    }
    free(x.missing);
    free(fault);
}

size_t template_items(const struct template *t)
{
    return t->items->n_rows;
}

const struct template_item *template_item_at(const struct template *t, size_t i)
{
    return &t->rows[i];
}
