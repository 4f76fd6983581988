/* block_tree.c - the tree of blocks in memory. */
#include "shimgen/blocks/block_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shimgen/blocks/charts.h"

/* ---- blocks ---- */

uint32_t tree_number(struct tree *t, enum block_kind kind, const char *where, const char *name)
{
    bool global = kind == BLOCK_MARKER || kind == BLOCK_REGION;
    char *key = xasprintf("%d\n%s\n%s", (int)kind, global ? "" : where, name);
    size_t n = t->numbers.n, number = map_number(&t->numbers, key);
    free(key);
    if (number == n)
        vec_push(&t->blocks,
                 (struct block){.kind = kind, .name = xstrdup(name), .file = BLOCK_NONE, .parent = BLOCK_NONE});
    return (uint32_t)number;
}

uint32_t tree_block(struct tree *t, enum block_kind kind, const char *type, const char *model, const char *name)
{
    uint32_t number = tree_number(t, kind, model, name);
    struct block *b = &t->blocks.at[number];
    if (!b->type) {
        b->type = xstrdup(type);
        b->model = xstrdup(model);
    }
    return number;
}

uint32_t tree_nest(struct tree *t, uint32_t block, uint32_t outer)
{
    char *key = xasprintf("%u\n%u", outer, block);
    size_t n = t->nest_numbers.n, number = map_number(&t->nest_numbers, key);
    free(key);
    if (number == n)
        vec_push(&t->nests, (struct nest){block, outer});
    return (uint32_t)number;
}

/* Finds the chart of a state that was not inside its chart's comment, by the name of the state's system. */
static uint32_t chart_of(const struct tree *t, const struct block *state)
{
    for (uint32_t i = 0; state->system && i < t->blocks.n; i++) {
        const struct block *b = &t->blocks.at[i];
        const char *local = b->kind == BLOCK_MODEL && chart_type(b->type) ? strchr(b->name, '>') : 0;
        size_t n = local && b->system && strcmp(b->model, state->model) == 0 ? strlen(b->system) : 0;
        if (n && strncmp(state->system, b->system, n) == 0 && strcmp(state->system + n, local + 1) == 0)
            return i;
    }
    return BLOCK_NONE;
}

/* If there are several models, blocks may have equal names, so the model is added. */
static void qualify(struct tree *t)
{
    const char *model = 0;
    bool several = false;
    for (size_t i = 0; i < t->blocks.n; i++) {
        const struct block *b = &t->blocks.at[i];
        several |= b->system && model && strcmp(model, b->model) != 0;
        model = b->system && !model ? b->model : model;
    }
    for (size_t i = 0; i < t->blocks.n; i++)
        t->blocks.at[i].qualified = several && t->blocks.at[i].system;
}

void tree_finish(struct tree *t)
{
    for (size_t i = 0; i < t->blocks.n; i++)
        if (t->blocks.at[i].kind == BLOCK_STATE && t->blocks.at[i].parent == BLOCK_NONE)
            t->blocks.at[i].parent = chart_of(t, &t->blocks.at[i]);
    qualify(t);
}

static void release_block(struct block *b)
{
    free(b->type);
    free(b->name);
    free(b->label);
    free(b->model);
    free(b->system);
    free(b->phases);
    free(b->incorporates);
}

/* ---- functions ---- */

static char *key_of_name(uint32_t source, const char *name)
{
    return xasprintf("%u\n%s", source, name);
}

static char *key_of_line(uint32_t source, unsigned long line)
{
    return xasprintf("%u\n:%lu", source, line);
}

/* Takes over the key. */
static uint32_t find(const struct tree *t, char *key)
{
    size_t at;
    bool found = map_get(&t->places, key, &at);
    free(key);
    return found ? (uint32_t)at : BLOCK_NONE;
}

uint32_t tree_add_function(struct tree *t, uint32_t source, const char *name, unsigned long line, uint32_t block)
{
    char *keys[] = {key_of_line(source, line), key_of_name(source, name)};
    uint32_t number = (uint32_t)t->functions.n;
    vec_push(&t->functions, (struct tree_function){source, block});
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!map_get(&t->places, keys[i], 0))
            map_put(&t->places, keys[i], number);
        free(keys[i]);
    }
    return number;
}

uint32_t tree_find_function(const struct tree *t, uint32_t source, const char *name, unsigned long line)
{
    uint32_t number = find(t, key_of_line(source, line));
    return number != BLOCK_NONE ? number : find(t, key_of_name(source, name));
}

/* ---- sources ---- */

static int compare_lines(const void *a, const void *b)
{
    const struct tree_line *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

const struct tree_line *tree_line(const struct tree_source *s, unsigned long line)
{
    const struct tree_line key = {.line = line};
    return s->n_lines ? bsearch(&key, s->lines, s->n_lines, sizeof *s->lines, compare_lines) : 0;
}

void tree_sort_lines(struct tree *t, struct tree_source *s)
{
    size_t n = 0;
    uint32_t run = 0;
    if (s->n_lines)
        qsort(s->lines, s->n_lines, sizeof *s->lines, compare_lines);
    for (size_t i = 0; i < s->n_lines; i++) {
        struct tree_line line = s->lines[i];
        if (n && s->lines[n - 1].line == line.line)
            continue; /* twice because of #line: the first one counts */
        run += n && s->lines[n - 1].block != line.block;
        line.run = run;
        s->lines[n++] = line;
        t->blocks.at[line.block].lines++;
    }
    s->n_lines = n;
}

/* ---- compounds ---- */

bool compound_heads(const struct tree *t, uint32_t compound, unsigned long line)
{
    const struct compound *c = compound == BLOCK_NONE ? 0 : &t->compounds.at[compound];
    return c && line >= c->first && line <= c->last;
}

void tree_release(struct tree *t)
{
    for (size_t i = 0; i < t->blocks.n; i++)
        release_block(&t->blocks.at[i]);
    for (size_t i = 0; i < t->sources.n; i++) {
        free(t->sources.at[i].path);
        free(t->sources.at[i].lines);
    }
    for (size_t i = 0; i < t->titles.n; i++)
        free(t->titles.at[i]);
    for (size_t i = 0; i < t->findings.n; i++)
        free(t->findings.at[i]);
    vec_release(&t->blocks);
    vec_release(&t->sources);
    vec_release(&t->titles);
    vec_release(&t->findings);
    map_release(&t->numbers);
    vec_release(&t->functions);
    vec_release(&t->compounds);
    vec_release(&t->nests);
    map_release(&t->nest_numbers);
    map_release(&t->places);
    map_release(&t->systems);
}
