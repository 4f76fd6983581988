/* Classifications as the search changes them. */
#include "regress/validate/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"

static void add_front(struct draft *k, const char *name, const char *group, const char *keys)
{
    vec_push(&k->fronts, ((struct front){xstrdup(name), xstrdup(group), xstrdup(keys)}));
}

static void add_prior(struct draft *k, const char *name, double value)
{
    vec_push(&k->priors, ((struct prior){xstrdup(name), value}));
}

struct draft draft_of(const struct regress_classes *start)
{
    struct draft k = {.start = start, .names = xcalloc(start->n_variables, sizeof *k.names)};
    for (size_t i = 0; i < start->n_variables; i++)
        k.names[i] = xstrdup(start->variables[i].name);
    return k;
}

struct draft draft_copy(const struct draft *from)
{
    struct draft to = {.start = from->start, .names = xcalloc(from->start->n_variables, sizeof *to.names)};
    for (size_t i = 0; i < from->start->n_variables; i++)
        to.names[i] = xstrdup(from->names[i]);
    for (size_t i = 0; i < from->fronts.n; i++)
        add_front(&to, from->fronts.at[i].name, from->fronts.at[i].group, from->fronts.at[i].keys);
    for (size_t i = 0; i < from->priors.n; i++)
        add_prior(&to, from->priors.at[i].name, from->priors.at[i].value);
    return to;
}

void draft_release(struct draft *k)
{
    for (size_t i = 0; k->names && i < k->start->n_variables; i++)
        free(k->names[i]);
    for (size_t i = 0; i < k->fronts.n; i++) {
        free(k->fronts.at[i].name);
        free(k->fronts.at[i].group);
        free(k->fronts.at[i].keys);
    }
    for (size_t i = 0; i < k->priors.n; i++)
        free(k->priors.at[i].name);
    free(k->names);
    vec_release(&k->fronts);
    vec_release(&k->priors);
    *k = (struct draft){0};
}

void draft_split(struct draft *k, const char *name, const char *keys, const struct regress_variable *off)
{
    add_front(k, name, off->group, keys);
    add_prior(k, name, off->prior);
}

static void replace(char **name, const char *from, const char *to)
{
    if (strcmp(*name, from) != 0)
        return;
    free(*name);
    *name = xstrdup(to);
}

void draft_merge(struct draft *k, const char *from, const char *to)
{
    size_t kept = 0;
    for (size_t i = 0; i < k->start->n_variables; i++)
        replace(&k->names[i], from, to);
    for (size_t i = 0; i < k->fronts.n; i++)
        replace(&k->fronts.at[i].name, from, to);
    for (size_t i = 0; i < k->priors.n; i++) {
        if (strcmp(k->priors.at[i].name, from) == 0)
            free(k->priors.at[i].name);
        else
            k->priors.at[kept++] = k->priors.at[i];
    }
    k->priors.n = kept;
}

size_t draft_variables(const struct draft *k)
{
    struct map names = {0};
    for (size_t i = 0; i < k->start->n_variables; i++)
        map_number(&names, k->names[i]);
    for (size_t i = 0; i < k->fronts.n; i++)
        map_number(&names, k->fronts.at[i].name);
    size_t n = names.n;
    map_release(&names);
    return n;
}

/* ---- as text ---- */

/* Rules of one variable that follow each other are one line. */
static void add_rules(struct str *out, const struct draft *k)
{
    const struct regress_classes *c = k->start;
    for (size_t i = 0; i < c->n_rules; i++) {
        size_t v = c->rules[i].variable, before = i ? c->rules[i - 1].variable : REGRESS_NONE;
        if (before != REGRESS_NONE && v != REGRESS_NONE && strcmp(k->names[before], k->names[v]) == 0)
            str_addf(out, " %s", c->rules[i].glob);
        else if (v == REGRESS_NONE)
            str_addf(out, "%signore %s", i ? "\n" : "", c->rules[i].glob);
        else
            str_addf(out, "%smap %s %s", i ? "\n" : "", k->names[v], c->rules[i].glob);
    }
    str_add(out, "\n");
}

/* Of merged variables the first one's count. */
static void add_what_is_known(struct str *out, const struct draft *k)
{
    struct map said = {0};
    for (size_t i = 0; i < k->start->n_variables; i++) {
        const struct regress_variable *v = &k->start->variables[i];
        bool first = !map_get(&said, k->names[i], 0);
        if (first && v->prior != 1)
            str_addf(out, "prior %s %.15g\n", k->names[i], v->prior);
        if (first && v->group)
            str_addf(out, "group %s %s\n", v->group, k->names[i]);
        map_put(&said, k->names[i], 0);
    }
    for (size_t i = 0; i < k->fronts.n; i++)
        if (k->fronts.at[i].group)
            str_addf(out, "group %s %s\n", k->fronts.at[i].group, k->fronts.at[i].name);
    for (size_t i = 0; i < k->priors.n; i++)
        str_addf(out, "prior %s %.15g\n", k->priors.at[i].name, k->priors.at[i].value);
    map_release(&said);
}

char *draft_text(const struct draft *k)
{
    const struct regress_classes *c = k->start;
    struct str out = STR_INIT;
    str_addf(&out, "title  %s, as regress search changed it\n%s", c->name, c->all ? "columns all\n" : "");
    for (size_t i = 0; i < c->n_lets; i++)
        str_addf(&out, "let %s = %s\n", c->lets[i].name, c->lets[i].formula);
    for (size_t i = 0; i < c->n_variables; i++)
        if (c->variables[i].formula)
            str_addf(&out, "count %s = %s\n", k->names[i], c->variables[i].formula);
    for (size_t i = k->fronts.n; i--;)
        str_addf(&out, "map %s%s\n", k->fronts.at[i].name, k->fronts.at[i].keys);
    add_rules(&out, k);
    add_what_is_known(&out, k);
    return str_detach(&out);
}
