/* tree_read.c - reads the blocks of a C source into the tree. Part of block_tree.h, which has the rules. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "shimgen/blocks/block_names.h"
#include "shimgen/blocks/block_tree.h"
#include "shimgen/blocks/braces.h"
#include "shimgen/blocks/charts.h"
#include "shimgen/blocks/csource.h"
#include "shimgen/blocks/comment_words.h"

enum { MAX_DEPTH = 1000, MAX_CONDITIONS = 200 };

/* The text before a brace. After "if (...)" or "else" the brace opens a compound; after nothing it only groups. */
struct statement {
    bool begun;
    unsigned long line; /* the line on which it began */
    bool controls;      /* its last token is ')', "else" or "do" */
};
/* Outside functions: the text before a brace or a semicolon. */
struct head {
    char *name; /* owned; the last NAME ( */
    unsigned long line;
    unsigned after;       /* tokens after it and its parentheses: old-style declarations of parameters */
    bool around;          /* namespace, extern, in C++ also class, struct or union: its braces may contain functions */
    bool names_space;     /* a namespace, whatever macros follow it */
    bool initialises;     /* a ':' came after the name: each NAME ( of a constructor's list is no function */
    struct words comment; /* the comment before a function */
    bool has_comment;
};
struct reader {
    struct tree *tree;
    uint32_t source;
    const char *path; /* borrowed */
    char *model;      /* owned */
    struct chart_marks charts;
    struct braces open;
    VEC(struct braces) conditions; /* owned; the open braces before each unfinished #if */
    struct head head;
    struct statement statement;
    bool cpp;                   /* C++, by the file's name or by words that C does not have */
    bool in_hierarchy;          /* in the hierarchy of the model's systems, a sequence of // comments */
    uint32_t function;          /* the current function */
    bool elsewhere;             /* after a #line that names another file */
    unsigned long base, number; /* physical line `base` is line `number` */
    VEC(struct tree_line) lines;
    unsigned long decided; /* the latest line whose block was decided by a token other than a brace */
    struct error *e;
};

static unsigned long presumed(const struct reader *r, unsigned long line)
{
    return r->number + (line - r->base);
}

/* ---- blocks ---- */

/* Turns "a" into "a, b"; a text that is already there is not added again. */
static void append(char **list, const char *text)
{
    if (*list && strstr(*list, text))
        return;
    char *longer = *list ? xasprintf("%s, %s", *list, text) : xstrdup(text);
    free(*list);
    *list = longer;
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

static uint32_t words_block(struct reader *r, const struct words *w, unsigned long line)
{
    static const enum block_kind kinds[] = {[WORDS_BLOCK] = BLOCK_MODEL,
                                            [WORDS_SYSTEM] = BLOCK_SYSTEM,
                                            [WORDS_FUNCTION] = BLOCK_MODEL,
                                            [WORDS_STATE] = BLOCK_STATE,
                                            [WORDS_MARKER] = BLOCK_MARKER};
    uint32_t number = tree_number(r->tree, kinds[w->kind], r->model, w->name);
    struct block *b = describe(r, number, w->type, line);
    if (w->label && !b->label)
        b->label = xstrdup(w->label);
    if (w->phase)
        append(&b->phases, w->phase);
    for (size_t i = 0; i < w->n_incorporates; i++)
        append(&b->incorporates, w->incorporates[i]);
    return number;
}

/* ---- comments ---- */

static void find_out(struct reader *r, unsigned long line, const char *text)
{
    vec_push(&r->tree->findings, xasprintf("%s:%lu: %s", r->path, line, text));
}

static int level_of(enum words_kind kind)
{
    return kind == WORDS_STATE                            ? LEVEL_STATE
           : kind == WORDS_SYSTEM || kind == WORDS_MARKER ? LEVEL_SYSTEM
                                                          : LEVEL_BLOCK;
}

/* Is the block outside the chart or system around it? Then its comment is about an expression there. *chart: whether
 * that is a chart. */
static bool is_outside(const struct reader *r, const struct words *w, bool *chart)
{
    const struct scope *around = w->kind == WORDS_BLOCK ? scope_around(&r->open, r->tree, false) : 0;
    if (!around)
        return false;
    const char *name = r->tree->blocks.at[around->block].name;
    bool beside = around->depth == r->open.compounds.n;
    *chart = around->chart;
    if (strcmp(name, w->name) == 0 || !same_system(name, w->name))
        return false;
    if (around->chart && (!beside || around->level <= LEVEL_SYSTEM))
        return true;
    return beside && around->fresh;
}

static void open_comment(struct reader *r, const struct words *w, unsigned long line)
{
    bool is_chart = w->kind == WORDS_BLOCK && chart_type(w->type), in_chart = false;
    bool outside = is_outside(r, w, &in_chart);
    int level = is_chart && chart_is_ended(&r->charts, w->name, line) ? LEVEL_SYSTEM
                : outside && in_chart                                 ? LEVEL_EXPRESSION
                                                                      : level_of(w->kind);
    uint32_t number = words_block(r, w, presumed(r, line));
    const struct scope *chart = w->kind == WORDS_STATE ? scope_around(&r->open, r->tree, true) : 0;
    if (chart && r->tree->blocks.at[number].parent == BLOCK_NONE)
        r->tree->blocks.at[number].parent = chart->block;
    scope_open(&r->open, r->tree, number, level);
    struct scope *top = scope_top(&r->open);
    top->chart = is_chart;
    top->extent = outside ? EXTENT_UNKNOWN : EXTENT_OPEN;
    top->within_chart = outside && in_chart;
    top->calls_outer = outside && block_calls_nothing(w->type);
}

static void code_comment(struct reader *r, const struct words *w, unsigned long line)
{
    if (!w->end) {
        open_comment(r, w, line);
        return;
    }
    line = presumed(r, line);
    enum block_kind kind = w->kind == WORDS_MARKER ? BLOCK_MARKER : BLOCK_MODEL;
    if (!scope_close(&r->open, r->tree, kind, w->name) && kind == BLOCK_MARKER)
        find_out(r, line, "'shim: end' without a 'shim: block' before it within these braces: it is ignored");
}

static void outer_comment(struct reader *r, struct words *w)
{
    if (w->end || (w->kind != WORDS_SYSTEM && w->kind != WORDS_FUNCTION))
        return;
    words_release(&r->head.comment);
    r->head.comment = *w;
    r->head.has_comment = true;
    *w = (struct words){0};
}

static void comment(struct reader *r, const struct csource_event *event)
{
    bool outside = !r->open.compounds.n;
    if (outside) {
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
    if (w.kind == WORDS_NONE && r->open.in_function && chart_acts(event->text))
        scope_resume_chart(&r->open, r->tree);
    else if (w.kind != WORDS_NONE && r->open.in_function)
        code_comment(r, &w, event->line);
    else if (w.kind != WORDS_NONE && outside)
        outer_comment(r, &w);
    words_release(&w);
}

/* ---- outside functions ---- */

static void clear_head(struct reader *r)
{
    free(r->head.name);
    words_release(&r->head.comment);
    r->head = (struct head){0};
}

static void named(struct reader *r, const struct csource_event *event)
{
    static const char *const none[] = {"__attribute__", "__declspec", "_Alignas", "__asm__", "asm", "_Static_assert"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strcmp(event->text, none[i]) == 0)
            return;
    if (r->head.initialises)
        return;
    free(r->head.name);
    r->head.name = xstrdup(event->text);
    r->head.line = event->line;
    r->head.after = 0;
}

static void other_piece(struct reader *r, const struct csource_event *event)
{
    static const char *const around[] = {"namespace", "extern", "class", "struct", "union"};
    static const char *const cpp[] = {"namespace", "class", "template"};
    r->head.after++;
    for (size_t i = 0; i < sizeof cpp / sizeof *cpp; i++)
        r->cpp |= event->word && strcmp(event->word, cpp[i]) == 0;
    r->head.names_space |= event->word && strcmp(event->word, "namespace") == 0;
    for (size_t i = 0; i < (r->cpp ? sizeof around / sizeof *around : 2); i++)
        r->head.around |= event->word && strcmp(event->word, around[i]) == 0;
    if (event->character == '=')
        r->head.around = false; /* a value follows */
    r->head.initialises |= r->head.name && event->character == ':';
}

/* int f(a) int a; { ... } is a function as well. */
static void outer_semicolon(struct reader *r)
{
    struct head kept = r->head;
    bool old = kept.after > 1 && kept.name && !r->cpp;
    if (old)
        r->head.name = 0;
    clear_head(r);
    if (old) {
        r->head.name = kept.name;
        r->head.line = kept.line;
    }
}

static void outer_code(struct reader *r, const struct csource_event *event)
{
    if (r->open.compounds.n || event->inside)
        return;
    if (event->kind == CSOURCE_SEMICOLON)
        outer_semicolon(r);
    else if (event->kind == CSOURCE_HEAD)
        named(r, event);
    else
        other_piece(r, event);
}

/* ---- braces ---- */

static uint32_t add_compound(struct reader *r, uint32_t parent, unsigned long first, unsigned long last)
{
    for (size_t i = r->lines.n; i-- && r->lines.at[i].line >= presumed(r, first);)
        r->lines.at[i].leads = true;
    vec_push(&r->tree->compounds, (struct compound){parent, presumed(r, first), presumed(r, last)});
    return (uint32_t)r->tree->compounds.n - 1;
}

static void begin_function(struct reader *r, unsigned long line)
{
    uint32_t block;
    unsigned long at = presumed(r, r->head.line);
    if (r->head.has_comment) {
        block = words_block(r, &r->head.comment, at);
    } else {
        /* in C++ several functions may have one name */
        char *where = xasprintf("%s/%s:%lu", r->model, path_basename(r->path), at);
        block = tree_number(r->tree, BLOCK_FUNCTION, where, r->head.name);
        describe(r, block, "function", at);
        free(where);
    }
    braces_open(&r->open, add_compound(r, BLOCK_NONE, r->head.line, line));
    r->open.in_function = true;
    const struct block *b = &r->tree->blocks.at[block];
    bool chart = b->kind == BLOCK_MODEL && chart_type(b->type);
    uint32_t nest = tree_nest(r->tree, block, BLOCK_NONE);
    vec_push(&r->open.scopes,
             (struct scope){.block = block, .depth = 1, .level = LEVEL_FUNCTION, .nest = nest, .chart = chart});
    r->function = tree_add_function(r->tree, r->source, r->head.name, at, block);
    clear_head(r);
}

static void open_within(struct reader *r, unsigned long line)
{
    uint32_t around = braces_compound(&r->open);
    bool controlled = r->open.in_function && r->statement.begun && r->statement.controls;
    braces_open(&r->open, controlled ? add_compound(r, around, r->statement.line, line) : around);
}

static enum status open_brace(struct reader *r, unsigned long line)
{
    if (r->open.compounds.n == MAX_DEPTH)
        return error_set(r->e, ERR_INPUT, AT(r->path, line), "braces are nested deeper than %d", MAX_DEPTH);
    if (!r->open.compounds.n && r->head.name && !r->head.names_space) {
        begin_function(r, line);
    } else if (!r->open.compounds.n && r->head.around) {
        clear_head(r);
    } else {
        open_within(r, line);
    }
    return OK;
}

/* ---- lines ---- */

/* The line has code of the current block. A brace decides only if nothing else does. */
static void code_line(struct reader *r, unsigned long line, uint32_t compound, bool brace)
{
    if (!r->open.scopes.n || r->elsewhere || (r->decided == line && r->lines.n))
        return;
    const struct scope *top = scope_top(&r->open);
    uint32_t calls = top->calls_outer ? r->tree->nests.at[top->nest].outer : top->nest;
    unsigned long at = presumed(r, line);
    if (!at)
        return; /* after #line 0, which compilers accept: code without a line */
    struct tree_line *last = r->lines.n ? &r->lines.at[r->lines.n - 1] : 0;
    if (last && last->line == at) {
        last->block = top->block;
        last->nest = top->nest;
        last->calls = calls;
        last->compound = compound;
    } else {
        vec_push(&r->lines, (struct tree_line){.line = at,
                                               .block = top->block,
                                               .function = r->function,
                                               .compound = compound,
                                               .nest = top->nest,
                                               .calls = calls});
    }
    if (!brace)
        r->decided = line;
}

static void inner_code(struct reader *r, const struct csource_event *event)
{
    struct statement *s = &r->statement;
    if (event->word && (strcmp(event->word, "case") == 0 || strcmp(event->word, "default") == 0))
        scope_label(&r->open);
    scope_code(&r->open, event->word);
    code_line(r, event->line, braces_compound(&r->open), false);
    if (event->kind == CSOURCE_SEMICOLON) {
        scope_statement_ends(&r->open);
        *s = (struct statement){0};
        return;
    }
    if (!s->begun)
        *s = (struct statement){.begun = true, .line = event->line};
    s->controls = event->character == ')' ||
                  (event->word && (strcmp(event->word, "else") == 0 || strcmp(event->word, "do") == 0));
}

static void region(struct reader *r, const struct csource_event *event)
{
    if (!r->open.in_function || r->elsewhere)
        return;
    unsigned long line = presumed(r, event->line);
    if (event->kind == CSOURCE_REGION_BEGIN) {
        uint32_t block = tree_number(r->tree, BLOCK_REGION, "", event->text);
        describe(r, block, "region", line);
        scope_open(&r->open, r->tree, block, LEVEL_SYSTEM);
    } else if (!scope_close(&r->open, r->tree, BLOCK_REGION, event->text)) {
        find_out(r, line, "shim_region_end without its shim_region_begin within these braces: it is ignored");
    }
}

/* ---- directives ---- */

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

/* All branches of an #if begin with the same open braces. */
static enum status condition(struct reader *r, const struct csource_event *event)
{
    if (event->kind == CSOURCE_IF) {
        if (r->conditions.n == MAX_CONDITIONS)
            return error_set(r->e, ERR_INPUT, AT(r->path, event->line), "more than %d #if are open", MAX_CONDITIONS);
        vec_push(&r->conditions, braces_copy(&r->open));
    } else if (r->conditions.n && event->kind == CSOURCE_ELSE) {
        braces_release(&r->open);
        r->open = braces_copy(&r->conditions.at[r->conditions.n - 1]);
    } else if (r->conditions.n) {
        braces_release(&r->conditions.at[--r->conditions.n]);
    }
    return OK;
}

/* ---- the whole source ---- */

static enum status brace(struct reader *r, const struct csource_event *event)
{
    bool inside = r->open.in_function;
    uint32_t compound = braces_compound(&r->open);
    enum status s = OK;
    if (event->kind == CSOURCE_OPEN) {
        scope_brace_opens(&r->open);
        s = open_brace(r, event->line);
    } else {
        braces_close(&r->open);
    }
    if (inside || r->open.in_function)
        code_line(r, event->line, event->kind == CSOURCE_OPEN ? braces_compound(&r->open) : compound, true);
    if (event->kind == CSOURCE_CLOSE && scope_top(&r->open) && scope_top(&r->open)->extent == EXTENT_STATEMENT)
        scope_statement_ends(&r->open);
    if (!r->open.in_function && event->kind == CSOURCE_CLOSE) {
        r->open.scopes.n = 0;
        clear_head(r);
    }
    r->statement = (struct statement){0};
    return s;
}

static enum status handle(void *context, const struct csource_event *event, struct error *e)
{
    struct reader *r = context;
    (void)e;
    switch (event->kind) {
    case CSOURCE_COMMENT:
        comment(r, event);
        return OK;
    case CSOURCE_OPEN:
    case CSOURCE_CLOSE:
        return brace(r, event);
    case CSOURCE_REGION_BEGIN:
    case CSOURCE_REGION_END:
        region(r, event);
        return OK;
    case CSOURCE_IF:
    case CSOURCE_ELSE:
    case CSOURCE_ENDIF:
        return condition(r, event);
    case CSOURCE_LINE:
        line_directive(r, event);
        return OK;
    case CSOURCE_HEAD:
    case CSOURCE_SEMICOLON:
    case CSOURCE_CODE:
        break;
    }
    if (r->open.in_function)
        inner_code(r, event);
    else
        outer_code(r, event);
    return OK;
}

static void release_reader(struct reader *r)
{
    for (size_t i = 0; i < r->conditions.n; i++)
        braces_release(&r->conditions.at[i]);
    vec_release(&r->conditions);
    braces_release(&r->open);
    chart_marks_release(&r->charts);
    clear_head(r);
    free(r->model);
}

/* "src/controller.c" -> "controller" */
static char *stem(const char *path)
{
    const char *name = path_basename(path), *dot = strrchr(name, '.');
    return dot && dot > name ? xstrndup(name, (size_t)(dot - name)) : xstrdup(name);
}

static bool is_cpp(const char *path)
{
    static const char *const endings[] = {".C", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++"};
    const char *dot = strrchr(path_basename(path), '.');
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (dot && strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

/* Fills in the source's lines; adds to the tree's blocks, functions, compounds, systems and findings. */
static enum status read_text(struct tree *t, uint32_t source, const char *text, size_t n, struct error *e)
{
    const char *path = t->sources.at[source].path;
    struct reader r = {.tree = t,
                       .source = source,
                       .path = path,
                       .model = stem(path),
                       .cpp = is_cpp(path),
                       .base = 1,
                       .number = 1,
                       .e = e};
    chart_marks_read(&r.charts, text, n);
    enum status s = csource_scan(text, n, path, handle, &r, e);
    struct tree_source *into = &t->sources.at[source];
    into->lines = r.lines.at;
    into->n_lines = r.lines.n;
    tree_sort_lines(t, into);
    if (!s)
        system_headers(t, path, r.model);
    release_reader(&r);
    return s;
}

enum status tree_add(struct tree *t, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    if (!s) {
        vec_push(&t->sources, (struct tree_source){.path = xstrdup(path)});
        s = read_text(t, (uint32_t)t->sources.n - 1, str_text(&text), text.len, e);
    }
    str_release(&text);
    return s;
}
