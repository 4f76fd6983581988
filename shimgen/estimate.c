#include "shimgen/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static struct cycles completed(struct cycles c)
{
    if (isnan(c.best))
        c.best = c.typical;
    if (isnan(c.worst))
        c.worst = c.typical;
    return c;
}

void costs_add(struct costs *c, const char *instruction, struct cycles pitch, struct cycles latency)
{
    if (map_get(&c->names, instruction, 0))
        return;
    size_t i = map_number(&c->names, instruction);
    c->pitch = xreallocarray(c->pitch, i + 1, sizeof *c->pitch);
    c->latency = xreallocarray(c->latency, i + 1, sizeof *c->latency);
    c->pitch[i] = completed(pitch);
    c->latency[i] = completed(latency);
}

void costs_release(struct costs *c)
{
    map_release(&c->names);
    free(c->pitch);
    free(c->latency);
    free(c->core);
    *c = (struct costs){0};
}

char *key_instruction(const char *key, bool *dependent)
{
    size_t n = strlen(key);
    *dependent = n > 2 && strcmp(key + n - 2, "_d") == 0;
    if (*dependent)
        n -= 2;
    size_t dot = strcspn(key, ".");
    return xstrndup(key, dot < n ? dot : n);
}

/* SHIM files written after the reference list misspell one instruction. */
static bool find_cost(const struct costs *c, const char *instruction, size_t *i)
{
    return map_get(&c->names, instruction, i) ||
           (strcmp(instruction, "extractvalue") == 0 && map_get(&c->names, "extractivalue", i));
}

void key_costs_init(struct key_costs *k, const struct irprof_profile *p, const struct costs *c)
{
    k->n = p->n_keys;
    k->at = xcalloc(k->n, sizeof *k->at);
    k->known = xcalloc(k->n, sizeof *k->known);
    k->instructions = xcalloc(k->n, sizeof *k->instructions);
    for (size_t i = 0; i < k->n; i++) {
        bool dependent;
        size_t at;
        k->instructions[i] = key_instruction(p->keys[i], &dependent);
        k->known[i] = find_cost(c, k->instructions[i], &at);
        if (k->known[i])
            k->at[i] = dependent ? c->latency[at] : c->pitch[at];
    }
}

void key_costs_release(struct key_costs *k)
{
    for (size_t i = 0; i < k->n; i++)
        free(k->instructions[i]);
    free(k->instructions);
    free(k->known);
    free(k->at);
    *k = (struct key_costs){0};
}

struct cycles estimate_row(const struct irprof_row *row, const struct key_costs *k)
{
    struct cycles sum = {0};
    for (size_t i = 0; i < row->n_counts; i++) {
        const struct cycles *c = &k->at[row->counts[i].key];
        double count = (double)row->counts[i].count;
        sum.best += count * c->best;
        sum.typical += count * c->typical;
        sum.worst += count * c->worst;
    }
    return sum;
}

static int by_count(const void *a, const void *b)
{
    const struct missing *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->instruction, y->instruction);
}

void estimate_missing(struct missing **out, size_t *n, const struct irprof_row *total, const struct key_costs *k)
{
    VEC(struct missing) list = {0};
    for (size_t i = 0; i < total->n_counts; i++) {
        uint32_t key = total->counts[i].key;
        if (k->known[key])
            continue;
        size_t at = 0;
        while (at < list.n && strcmp(list.at[at].instruction, k->instructions[key]) != 0)
            at++;
        if (at == list.n)
            vec_push(&list, (struct missing){k->instructions[key], 0});
        list.at[at].count += total->counts[i].count;
    }
    if (list.n)
        qsort(list.at, list.n, sizeof *list.at, by_count);
    *out = list.at;
    *n = list.n;
}
