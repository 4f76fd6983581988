/* Moves of the search: what may be split off a variable, and which variables may become one. */
#include "regress/validate/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"

#define LEAST_GROUPS 3  /* in which a variable that is split off must occur, and the rest */
#define MOST_PAIRS   60 /* merges that are tried */

void move_release(struct move *m)
{
    draft_release(&m->draft);
    free(m->what);
    free(m->errors);
    *m = (struct move){0};
}

void moves_release(struct moves *m)
{
    for (size_t k = 0; k < m->n; k++)
        move_release(&m->at[k]);
    free(m->at);
    *m = (struct moves){0};
}

/* The draft of a new move, to be changed. */
static struct draft *add_move(struct moves *out, const struct stand *s, char *what)
{
    out->at = xreallocarray(out->at, out->n + 1, sizeof *out->at);
    out->at[out->n] = (struct move){.what = what, .draft = draft_copy(s->draft)};
    return &out->at[out->n++].draft;
}

/* Of the data, the i-th row that the search has. */
static size_t row_of(const struct stand *s, size_t i)
{
    return s->rows ? s->rows->at[i] : i;
}

/* ---- splits ---- */

/* What keys are alike by: opcode, type, dependence. Free it. */
enum feature { OPCODE, TYPE, WAITS, N_FEATURES };
static char *feature_of(const char *key, enum feature kind)
{
    size_t n = strlen(key);
    bool waits = n > 2 && strcmp(key + n - 2, "_d") == 0;
    size_t end = waits ? n - 2 : n, dot = strcspn(key, ".");
    if (kind == WAITS)
        return xstrdup(waits ? "waiting" : "");
    if (kind == OPCODE)
        return xstrndup(key, dot < end ? dot : end);
    return dot < end ? xstrndup(key + dot + 1, end - dot - 1) : xstrdup("");
}

/* Whether the columns marked occur in enough groups. */
static bool enough(const struct stand *s, const bool *marked)
{
    bool *seen = xcalloc(s->n_groups, sizeof *seen);
    size_t groups = 0;
    for (size_t i = 0; i < s->n; i++) {
        const double *row = s->d->values + row_of(s, i) * s->d->cols;
        bool there = false;
        for (size_t j = 0; !there && j < s->d->cols; j++)
            there = marked[j] && row[j] != 0;
        groups += there && !seen[s->group[i]];
        seen[s->group[i]] |= there;
    }
    free(seen);
    return groups >= LEAST_GROUPS;
}

/* "alu" and "xor" to "alu.xor", "alu_d" to "alu.xor_d", and no name that there is. */
static char *new_name(const struct table *t, const char *name, const char *feature)
{
    size_t n = strlen(name);
    bool waits = n > 2 && strcmp(name + n - 2, "_d") == 0;
    char *made = strcmp(feature, "waiting") == 0
                     ? xasprintf("%s_d", name)
                     : xasprintf("%.*s.%s%s", (int)(waits ? n - 2 : n), name, feature, waits ? "_d" : "");
    while (classes_find_variable(t->classes, made) != REGRESS_NONE) {
        char *longer = xasprintf("%s+", made);
        free(made);
        made = longer;
    }
    return made;
}

static void try_split(struct moves *out, const struct stand *s, size_t v, const char *feature, enum feature kind)
{
    const struct regress_data *d = s->d;
    bool *in = xcalloc(d->cols, sizeof *in), *rest = xcalloc(d->cols, sizeof *rest);
    struct str keys = STR_INIT;
    for (size_t j = 0; j < d->cols; j++) {
        if (!s->table->is_key[j] || s->table->variable_of[j] != v)
            continue;
        char *own = feature_of(d->names[j], kind);
        in[j] = strcmp(own, feature) == 0;
        rest[j] = !in[j];
        if (in[j])
            str_addf(&keys, " %s", d->names[j]);
        free(own);
    }
    if (enough(s, in) && enough(s, rest)) {
        const struct regress_variable *off = &s->table->classes->variables[v];
        char *made = new_name(s->table, off->name, feature);
        draft_split(add_move(out, s, xasprintf("split %s off %s", made, off->name)), made, str_text(&keys), off);
        free(made);
    }
    str_release(&keys);
    free(in);
    free(rest);
}

/* One for each thing of a kind that keys of variable v are alike by. */
static void add_splits(struct moves *out, const struct stand *s, size_t v, enum feature kind)
{
    struct map seen = {0};
    for (size_t j = 0; j < s->d->cols; j++) {
        if (!s->table->is_key[j] || s->table->variable_of[j] != v || strpbrk(s->d->names[j], " \t\"#*?"))
            continue;
        char *feature = feature_of(s->d->names[j], kind);
        if (*feature && !map_get(&seen, feature, 0))
            try_split(out, s, v, feature, kind);
        map_put(&seen, feature, 0);
        free(feature);
    }
    map_release(&seen);
}

void moves_add_splits(struct moves *out, const struct stand *s)
{
    for (size_t v = 0; v < s->table->p; v++)
        for (int kind = 0; kind < N_FEATURES && !s->table->classes->variables[v].formula; kind++)
            add_splits(out, s, v, (enum feature)kind);
}

/* ---- merges ---- */

struct pair {
    size_t a, b;
    double apart;
};
static int by_distance(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->apart != y->apart)
        return x->apart < y->apart ? -1 : 1;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}

static double count_of(const struct stand *s, size_t v)
{
    double count = 0;
    for (size_t i = 0; i < s->n; i++)
        count += s->table->counts[row_of(s, i) * s->table->p + v];
    return count;
}

/* The variable with more counts keeps its name. */
void moves_add_merges(struct moves *out, const struct stand *s, const double *x)
{
    const struct table *t = s->table;
    const struct regress_variable *of = t->classes->variables;
    VEC(struct pair) pairs = {0};
    double *count = xcalloc(t->p, sizeof *count);
    for (size_t v = 0; v < t->p; v++)
        count[v] = of[v].formula ? 0 : count_of(s, v);
    for (size_t a = 0; a < t->p; a++)
        for (size_t b = a + 1; b < t->p; b++)
            if (count[a] != 0 && count[b] != 0)
                vec_push(&pairs, (struct pair){a, b, fabs(x[a] - x[b]) / (fabs(x[a]) + fabs(x[b]) + 1e-300)});
    if (pairs.n)
        qsort(pairs.at, pairs.n, sizeof *pairs.at, by_distance);
    for (size_t k = 0; k < pairs.n && k < MOST_PAIRS; k++) {
        bool first = count[pairs.at[k].a] >= count[pairs.at[k].b];
        const char *kept = of[first ? pairs.at[k].a : pairs.at[k].b].name;
        const char *gone = of[first ? pairs.at[k].b : pairs.at[k].a].name;
        draft_merge(add_move(out, s, xasprintf("merge %s into %s", gone, kept)), gone, kept);
    }
    free(count);
    vec_release(&pairs);
}
