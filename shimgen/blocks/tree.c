#include "shimgen/blocks/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "shimgen/blocks/csource.h"
#include "shimgen/blocks/system.h"
#include "shimgen/blocks/words.h"

enum { MAX_DEPTH = 1000, MAX_CONDITIONS = 200 };

/* What covers the code at hand, innermost last. */
struct scope {
    uint32_t block;
    uint32_t depth; /* of the braces it was opened within */
    int level;
};
enum { LEVEL_FUNCTION, LEVEL_SYSTEM, LEVEL_BLOCK, LEVEL_STATE };
/* Braces and scopes as they were. */
struct position {
    uint32_t depth;
    size_t n_scopes;
    struct scope *scopes; /* owned in a condition */
};
struct reader {
    struct tree *tree;
    uint32_t source;
    const char *path;
    char *model; /* owned */
    VEC(struct scope) scopes;
    VEC(struct position) conditions; /* what the braces were before each #if that is open */
    uint32_t depth;
    char *head; /* owned; the last NAME ( outside of all */
    unsigned long head_line;
    unsigned behind;      /* pieces of code behind it and its parentheses: old declarations of parameters */
    struct words pending; /* a function's comment, before it */
    bool has_pending;
    bool in_function;
    bool in_hierarchy;          /* of the model's systems, in comments of the form // */
    uint32_t function;          /* at hand */
    bool elsewhere;             /* behind a #line that names another file */
    unsigned long base, number; /* physical line `base` is line `number` */
    VEC(struct tree_line) lines;
    unsigned long decided; /* the line whose block a piece of code other than a brace has decided */
    struct error *e;
};

/* ---- blocks ---- */

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

/* "a" -> "a, b"; nothing is said twice. */
static void append(char **list, const char *text)
{
    if (*list && strstr(*list, text))
        return;
    char *longer = *list ? xasprintf("%s, %s", *list, text) : xstrdup(text);
    free(*list);
    *list = longer;
}

/* The block of this kind and name: a new one, or that of an earlier comment. */
static uint32_t find_block(struct tree *t, enum block_kind kind, const char *where, const char *name)
{
    bool global = kind == BLOCK_MARKER || kind == BLOCK_REGION;
    char *key = xasprintf("%d\n%s\n%s", (int)kind, global ? "" : where, name);
    size_t n = t->numbers.n, number = map_number(&t->numbers, key);
    free(key);
    if (number == n)
        vec_push(&t->blocks, (struct block){.kind = kind, .name = xstrdup(name), .file = BLOCK_NONE});
    return (uint32_t)number;
}

static struct block *describe(struct reader *r, uint32_t number, const char *type, unsigned long line)
{
    struct block *b = &r->tree->blocks.at[number];
    if (!b->type) {
        b->type = xstrdup(type);
        b->model = xstrdup(r->model);
        b->file = r->source;
        b->line = line;
    }
    return b;
}

uint32_t tree_block(struct tree *t, enum block_kind kind, const char *type, const char *model, const char *name)
{
    uint32_t number = find_block(t, kind, model, name);
    struct block *b = &t->blocks.at[number];
    if (!b->type) {
        b->type = xstrdup(type);
        b->model = xstrdup(model);
    }
    return number;
}

uint32_t tree_find_function(const struct tree *t, uint32_t source, const char *name)
{
    char *key = xasprintf("%u\n%s", source, name);
    size_t at;
    bool found = map_get(&t->places, key, &at);
    free(key);
    return found ? (uint32_t)at : BLOCK_NONE;
}

void tree_finish(struct tree *t)
{
    for (size_t i = 0; i < t->blocks.n; i++) {
        struct block *b = &t->blocks.at[i];
        if (b->kind == BLOCK_SYSTEM || b->kind == BLOCK_MODEL || b->kind == BLOCK_STATE)
            b->system = system_of(t, b->model, b->name);
    }
}

static uint32_t words_block(struct reader *r, const struct words *w, unsigned long line)
{
    static const enum block_kind kinds[] = {[WORDS_BLOCK] = BLOCK_MODEL,
                                            [WORDS_SYSTEM] = BLOCK_SYSTEM,
                                            [WORDS_FUNCTION] = BLOCK_MODEL,
                                            [WORDS_STATE] = BLOCK_STATE,
                                            [WORDS_MARKER] = BLOCK_MARKER};
    uint32_t number = find_block(r->tree, kinds[w->kind], r->model, w->name);
    struct block *b = describe(r, number, w->type, line);
    if (w->label && !b->label)
        b->label = xstrdup(w->label);
    if (w->phase)
        append(&b->phases, w->phase);
    for (size_t i = 0; i < w->n_incorporates; i++)
        append(&b->incorporates, w->incorporates[i]);
    return number;
}

/* ---- scopes ---- */

static void find_out(struct reader *r, unsigned long line, const char *text)
{
    vec_push(&r->tree->findings, xasprintf("%s:%lu: %s", r->path, line, text));
}

static void open_scope(struct reader *r, uint32_t block, int level)
{
    while (r->scopes.n && r->scopes.at[r->scopes.n - 1].depth == r->depth &&
           (r->scopes.at[r->scopes.n - 1].level >= level && r->scopes.at[r->scopes.n - 1].level > LEVEL_SYSTEM))
        r->scopes.n--;
    if (r->scopes.n && r->scopes.at[r->scopes.n - 1].block != block)
        r->tree->blocks.at[r->scopes.at[r->scopes.n - 1].block].inner++;
    vec_push(&r->scopes, (struct scope){block, r->depth, level});
}

/* The innermost scope within the braces at hand that is of this kind and name (NULL: any). */
static bool close_scope(struct reader *r, enum block_kind kind, const char *name)
{
    for (size_t i = r->scopes.n; i-- && r->scopes.at[i].depth == r->depth;) {
        const struct block *b = &r->tree->blocks.at[r->scopes.at[i].block];
        bool same_kind = b->kind == kind || (kind != BLOCK_MARKER && kind != BLOCK_REGION && b->kind <= BLOCK_MODEL);
        if (r->scopes.at[i].level > LEVEL_FUNCTION && same_kind && (!name || strcmp(b->name, name) == 0)) {
            r->scopes.n = i;
            return true;
        }
    }
    return false;
}

static int level_of(enum words_kind kind)
{
    return kind == WORDS_STATE                            ? LEVEL_STATE
           : kind == WORDS_SYSTEM || kind == WORDS_MARKER ? LEVEL_SYSTEM
                                                          : LEVEL_BLOCK;
}

static unsigned long presumed(const struct reader *r, unsigned long line)
{
    return r->number + (line - r->base);
}

static void code_comment(struct reader *r, const struct words *w, unsigned long line)
{
    line = presumed(r, line);
    if (!w->end) {
        open_scope(r, words_block(r, w, line), level_of(w->kind));
        return;
    }
    enum block_kind kind = w->kind == WORDS_MARKER ? BLOCK_MARKER : BLOCK_MODEL;
    if (!close_scope(r, kind, w->name) && kind == BLOCK_MARKER)
        find_out(r, line, "'shim: end' without a 'shim: block' before it within these braces: it is passed over");
}

static void outer_comment(struct reader *r, struct words *w)
{
    if (w->end || (w->kind != WORDS_SYSTEM && w->kind != WORDS_FUNCTION))
        return;
    words_release(&r->pending);
    r->pending = *w;
    r->has_pending = true;
    *w = (struct words){0};
}

static void comment(struct reader *r, const struct csource_event *event)
{
    if (r->depth == 0) {
        char *model = system_model(event->text);
        if (model) {
            free(r->model);
            r->model = model;
        }
        system_read(r->tree, r->model, event->text, &r->in_hierarchy);
    }
    if (!event->first || event->inside || r->elsewhere)
        return;
    struct words w;
    words_read(&w, event->text);
    if (w.kind != WORDS_NONE && r->in_function)
        code_comment(r, &w, event->line);
    else if (w.kind != WORDS_NONE && r->depth == 0)
        outer_comment(r, &w);
    words_release(&w);
}

/* ---- braces ---- */

static void begin_function(struct reader *r)
{
    uint32_t block;
    r->depth = 1;
    r->in_function = true;
    if (r->has_pending) {
        block = words_block(r, &r->pending, presumed(r, r->head_line));
    } else {
        char *where = xasprintf("%s/%s", r->model, path_basename(r->path));
        block = find_block(r->tree, BLOCK_FUNCTION, where, r->head);
        describe(r, block, "function", presumed(r, r->head_line));
        free(where);
    }
    vec_push(&r->scopes, (struct scope){block, 1, LEVEL_FUNCTION});
    char *key = xasprintf("%u\n%s", r->source, r->head);
    r->function = (uint32_t)map_number(&r->tree->places, key);
    if (r->function == r->tree->functions.n)
        vec_push(&r->tree->functions, (struct tree_function){r->source, block});
    free(key);
}

static void forget_head(struct reader *r)
{
    free(r->head);
    r->head = 0;
    if (r->has_pending)
        words_release(&r->pending);
    r->has_pending = false;
}

static enum status open_brace(struct reader *r, unsigned long line)
{
    if (r->depth == MAX_DEPTH)
        return error_set(r->e, ERR_INPUT, AT(r->path, line), "braces are nested deeper than %d", MAX_DEPTH);
    if (r->depth == 0 && r->head) {
        begin_function(r);
        forget_head(r);
    } else {
        r->depth++;
    }
    return OK;
}

static void close_brace(struct reader *r)
{
    if (r->depth)
        r->depth--;
    while (r->scopes.n && r->scopes.at[r->scopes.n - 1].depth > r->depth && (r->scopes.n > 1 || r->depth))
        r->scopes.n--;
    if (r->depth == 0)
        r->in_function = false;
}

/* ---- conditions: the branches of an #if begin with the same braces ---- */

static void set_position(struct reader *r, const struct position *p)
{
    r->depth = p->depth;
    r->scopes.n = 0;
    for (size_t i = 0; i < p->n_scopes; i++)
        vec_push(&r->scopes, p->scopes[i]);
    r->in_function = r->depth > 0 && r->scopes.n > 0;
}

static enum status condition(struct reader *r, const struct csource_event *event)
{
    if (event->kind == CSOURCE_IF) {
        if (r->conditions.n == MAX_CONDITIONS)
            return error_set(r->e, ERR_INPUT, AT(r->path, event->line), "more than %d #if are open", MAX_CONDITIONS);
        struct position p = {r->depth, r->scopes.n, 0};
        p.scopes = r->scopes.n ? xmemdup(r->scopes.at, r->scopes.n * sizeof *r->scopes.at) : 0;
        vec_push(&r->conditions, p);
    } else if (r->conditions.n && event->kind == CSOURCE_ELSE) {
        set_position(r, &r->conditions.at[r->conditions.n - 1]);
    } else if (r->conditions.n) {
        free(r->conditions.at[--r->conditions.n].scopes);
    }
    return OK;
}

/* ---- lines ---- */

/* The line has code of the block at hand; a brace decides only where nothing else does. */
static void code_line(struct reader *r, unsigned long line, bool brace)
{
    if (!r->scopes.n || r->elsewhere || (r->decided == line && r->lines.n))
        return;
    uint32_t block = r->scopes.at[r->scopes.n - 1].block;
    unsigned long at = presumed(r, line);
    struct tree_line *last = r->lines.n ? &r->lines.at[r->lines.n - 1] : 0;
    if (last && last->line == at)
        last->block = block;
    else
        vec_push(&r->lines, (struct tree_line){at, block, r->function, 0});
    if (!brace)
        r->decided = line;
}

static void region(struct reader *r, const struct csource_event *event)
{
    if (!r->in_function || r->elsewhere)
        return;
    unsigned long line = presumed(r, event->line);
    if (event->kind == CSOURCE_REGION_BEGIN) {
        uint32_t block = find_block(r->tree, BLOCK_REGION, "", event->text);
        describe(r, block, "region", line);
        open_scope(r, block, LEVEL_SYSTEM);
    } else if (!close_scope(r, BLOCK_REGION, event->text)) {
        find_out(r, line, "shim_region_end without its shim_region_begin within these braces: it is passed over");
    }
}

static void line_directive(struct reader *r, const struct csource_event *event)
{
    r->base = event->line + 1;
    r->number = event->number;
    if (!event->text)
        return;
    bool other = strcmp(path_basename(event->text), path_basename(r->path)) != 0;
    if (other && !r->elsewhere)
        find_out(r, event->line, "#line names another file: what follows is looked for there");
    r->elsewhere = other;
}

static void head(struct reader *r, const struct csource_event *event)
{
    static const char *const none[] = {"__attribute__", "__declspec", "_Alignas", "__asm__", "asm", "_Static_assert"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strcmp(event->text, none[i]) == 0)
            return;
    free(r->head);
    r->head = xstrdup(event->text);
    r->head_line = event->line;
    r->behind = 0;
}

/* int f(a) int a; { ... } is a function too. */
static void outer_semicolon(struct reader *r)
{
    char *kept = r->behind > 1 ? r->head : 0;
    if (kept)
        r->head = 0;
    forget_head(r);
    r->head = kept;
}

static void outer_code(struct reader *r, const struct csource_event *event)
{
    if (r->depth || event->inside)
        return;
    if (event->kind == CSOURCE_SEMICOLON)
        outer_semicolon(r);
    else if (event->kind == CSOURCE_HEAD)
        head(r, event);
    else
        r->behind++;
}

static enum status handle(void *context, const struct csource_event *event, struct error *e)
{
    struct reader *r = context;
    (void)e;
    enum status s = OK;
    switch (event->kind) {
    case CSOURCE_COMMENT:
        comment(r, event);
        break;
    case CSOURCE_OPEN:
        s = open_brace(r, event->line);
        if (r->in_function)
            code_line(r, event->line, true);
        break;
    case CSOURCE_CLOSE: {
        bool inside = r->in_function;
        close_brace(r);
        if (inside)
            code_line(r, event->line, true);
        if (!r->in_function) {
            r->scopes.n = 0;
            forget_head(r);
        }
        break;
    }
    case CSOURCE_REGION_BEGIN:
    case CSOURCE_REGION_END:
        region(r, event);
        break;
    case CSOURCE_IF:
    case CSOURCE_ELSE:
    case CSOURCE_ENDIF:
        s = condition(r, event);
        break;
    case CSOURCE_LINE:
        line_directive(r, event);
        break;
    case CSOURCE_HEAD:
    case CSOURCE_SEMICOLON:
    case CSOURCE_CODE:
        if (r->in_function)
            code_line(r, event->line, false);
        else
            outer_code(r, event);
        break;
    }
    return s;
}

/* ---- a source ---- */

static int compare_lines(const void *a, const void *b)
{
    const struct tree_line *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

static void finish(struct reader *r, struct tree_source *source)
{
    if (r->lines.n)
        qsort(r->lines.at, r->lines.n, sizeof *r->lines.at, compare_lines);
    size_t n = 0;
    uint32_t run = 0;
    for (size_t i = 0; i < r->lines.n; i++) {
        struct tree_line *line = &r->lines.at[i];
        if (n && r->lines.at[n - 1].line == line->line)
            continue; /* twice by #line: the first stands */
        run += n && r->lines.at[n - 1].block != line->block;
        r->lines.at[n] = *line;
        r->lines.at[n++].run = run;
        r->tree->blocks.at[line->block].lines++;
    }
    source->lines = r->lines.at;
    source->n_lines = n;
}

static void release_reader(struct reader *r)
{
    for (size_t i = 0; i < r->conditions.n; i++)
        free(r->conditions.at[i].scopes);
    vec_release(&r->conditions);
    vec_release(&r->scopes);
    words_release(&r->pending);
    free(r->head);
    free(r->model);
}

/* "src/controller.c" -> "controller" */
static char *stem(const char *path)
{
    const char *name = path_basename(path), *dot = strrchr(name, '.');
    return dot && dot > name ? xstrndup(name, (size_t)(dot - name)) : xstrdup(name);
}

enum status tree_add(struct tree *t, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    if (s) {
        str_release(&text);
        return s;
    }
    vec_push(&t->sources, (struct tree_source){.path = xstrdup(path)});
    struct reader r = {.tree = t, .source = (uint32_t)t->sources.n - 1, .path = path, .model = stem(path)};
    r.base = r.number = 1;
    r.e = e;
    s = csource_scan(str_text(&text), text.len, path, handle, &r, e);
    finish(&r, &t->sources.at[r.source]);
    if (!s)
        system_headers(t, path, r.model);
    release_reader(&r);
    str_release(&text);
    return s;
}

const struct tree_line *tree_line(const struct tree_source *s, unsigned long line)
{
    const struct tree_line key = {.line = line};
    return s->n_lines ? bsearch(&key, s->lines, s->n_lines, sizeof *s->lines, compare_lines) : 0;
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
    map_release(&t->places);
    map_release(&t->systems);
}
