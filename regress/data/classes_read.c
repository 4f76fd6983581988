/* classes_read.c - parses classification files. */
#include "regress/data/classes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/key.h"
#include "base/str.h"
#include "regress/data/data.h"

/* A line is a keyword and its operands. '#' starts a comment. See docs/formats/classes.md. */
struct reader {
    struct regress_classes *c;
    const char *path;
    unsigned long line;
    char *rest; /* the line after the keyword */
    struct error *e;
};

static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = 0;
    return text;
}

static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, " \t");
    char *end = word + strcspn(word, " \t");
    *rest = *end ? end + 1 : end;
    *end = 0;
    return word;
}

static enum status refuse(struct reader *r, const char *what, const char *found)
{
    return error_set(r->e, ERR_INPUT, AT(r->path, r->line), "%s: '%s'", what, found);
}

static bool good_name(const char *name)
{
    return *name && !name[strcspn(name, " \t\",=*?()")];
}

static enum status read_text(struct reader *r, char **to)
{
    free(*to);
    *to = xstrdup(trimmed(r->rest));
    return OK;
}

static enum status read_title(struct reader *r)
{
    return read_text(r, &r->c->title);
}

static enum status read_source(struct reader *r)
{
    return read_text(r, &r->c->source);
}

static enum status read_columns(struct reader *r)
{
    char *word = trimmed(r->rest);
    r->c->all = strcmp(word, "all") == 0;
    return r->c->all || strcmp(word, "keys") == 0 ? OK : refuse(r, "columns must be 'keys' or 'all'", word);
}

/* Reads patterns for a variable. With `split`, PATTERN_d goes to VARIABLE_d first. */
static enum status read_globs(struct reader *r, const char *variable, bool each, bool split)
{
    size_t v = REGRESS_NONE, v_d = REGRESS_NONE;
    if (variable)
        v = classes_add_variable(r->c, variable, r->line);
    if (split) {
        char *name = ir_marked(variable, strlen(variable), true);
        v_d = classes_add_variable(r->c, name, r->line);
        free(name);
    }
    size_t n = 0;
    for (char *glob = next_word(&r->rest); *glob; glob = next_word(&r->rest), n++) {
        if (split) {
            char *glob_d = ir_marked(glob, strlen(glob), true);
            classes_add_rule(r->c, glob_d, v_d, false, r->line);
            free(glob_d);
        }
        classes_add_rule(r->c, glob, v, each, r->line);
    }
    return n ? OK : refuse(r, "no pattern of keys follows", variable ? variable : "");
}

static enum status read_mapping(struct reader *r, bool split)
{
    char *name = next_word(&r->rest);
    if (!good_name(name))
        return refuse(r, "this cannot be the name of a variable", name);
    return read_globs(r, name, false, split);
}

static enum status read_map(struct reader *r)
{
    return read_mapping(r, false);
}

static enum status read_split(struct reader *r)
{
    return read_mapping(r, true);
}

static enum status read_ignore(struct reader *r)
{
    return read_globs(r, 0, false, false);
}

static enum status read_each(struct reader *r)
{
    return read_globs(r, 0, true, false);
}

static enum status name_and_formula(struct reader *r, char **name, char **formula)
{
    char *equals = strchr(r->rest, '=');
    if (!equals)
        return refuse(r, "NAME = FORMULA is expected, there is no '='", trimmed(r->rest));
    *equals = 0;
    *name = trimmed(r->rest);
    *formula = trimmed(equals + 1);
    return good_name(*name) ? OK : refuse(r, "this cannot be a name", *name);
}

static enum status read_let(struct reader *r)
{
    char *name, *formula;
    enum status s = name_and_formula(r, &name, &formula);
    if (s)
        return s;
    for (size_t i = 0; i < r->c->n_lets; i++)
        if (strcmp(r->c->lets[i].name, name) == 0)
            return refuse(r, "this name is given a second time", name);
    if (name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] ||
        isdigit((unsigned char)*name))
        return refuse(r, "a name in formulas is made of letters, digits and '_'", name);
    if (data_column_kind(name) != REGRESS_KEY)
        return refuse(r, "a name of capitals only is an event; use a small letter", name);
    classes_add_let(r->c, name, formula, r->line);
    return OK;
}

static enum status read_count(struct reader *r)
{
    char *name, *formula;
    enum status s = name_and_formula(r, &name, &formula);
    if (s)
        return s;
    size_t at = classes_add_variable(r->c, name, r->line);
    struct regress_variable *v = &r->c->variables[at];
    if (v->formula)
        return refuse(r, "this variable has a formula already", name);
    v->formula = xstrdup(formula);
    v->line = r->line;
    return OK;
}

static enum status read_prior(struct reader *r)
{
    char *name = next_word(&r->rest);
    char *number = trimmed(r->rest);
    size_t v = classes_find_variable(r->c, name);
    if (v == REGRESS_NONE)
        return refuse(r, "no line above names this variable", name);
    double value;
    if (!parse_double(number, &value) || !(value > 0 && value <= 1e6))
        return refuse(r, "a prior is a number above 0, at most 1e6", number);
    r->c->variables[v].prior = value;
    char *waiting = ir_marked(name, strlen(name), true);
    size_t v_d = classes_find_variable(r->c, waiting);
    if (v_d != REGRESS_NONE)
        r->c->variables[v_d].prior = value;
    free(waiting);
    return OK;
}

static bool parse_bound(const char *text, double *value)
{
    *value = INFINITY;
    return strcmp(text, "inf") == 0 || (parse_double(text, value) && *value >= 0);
}

static enum status read_bound(struct reader *r)
{
    char *name = next_word(&r->rest), *low = next_word(&r->rest), *high = trimmed(r->rest);
    size_t v = classes_find_variable(r->c, name);
    if (v == REGRESS_NONE)
        return refuse(r, "no line above names this variable", name);
    struct regress_variable *to = &r->c->variables[v];
    if (!parse_bound(low, &to->low) || isinf(to->low))
        return refuse(r, "the lower bound is a number from 0", low);
    if (!parse_bound(high, &to->high) || to->high < to->low)
        return refuse(r, "the upper bound is a number from the lower one on, or inf", high);
    return OK;
}

static enum status read_order(struct reader *r)
{
    char *low = next_word(&r->rest), *high = trimmed(r->rest);
    size_t below = classes_find_variable(r->c, low), above = classes_find_variable(r->c, high);
    if (below == REGRESS_NONE || above == REGRESS_NONE)
        return refuse(r, "no line above names this variable", below == REGRESS_NONE ? low : high);
    struct regress_variable *to = &r->c->variables[above];
    if (to->below != REGRESS_NONE)
        return refuse(r, "this variable is above another already, and can be above only one", high);
    to->below = below;
    to->order_line = r->line;
    return OK;
}

static enum status read_group(struct reader *r)
{
    char *path = next_word(&r->rest);
    if (!*path || *path == '/' || path[strlen(path) - 1] == '/' || strstr(path, "//"))
        return refuse(r, "a group is a name, or several names separated by '/', the outermost first", path);
    size_t n = 0;
    for (char *glob = next_word(&r->rest); *glob; glob = next_word(&r->rest), n++) {
        bool known = false;
        for (size_t i = 0; i < r->c->n_variables; i++) {
            if (!glob_match(glob, r->c->variables[i].name))
                continue;
            free(r->c->variables[i].group);
            r->c->variables[i].group = xstrdup(path);
            known = true;
        }
        if (!known)
            return refuse(r, "no line above names such a variable", glob);
    }
    return n ? OK : refuse(r, "no variable follows", path);
}

static const struct {
    const char *word;
    enum status (*read)(struct reader *);
} keywords[] = {
    {"title", read_title}, {"source", read_source}, {"columns", read_columns}, {"map", read_map},
    {"split", read_split}, {"ignore", read_ignore}, {"each", read_each},       {"let", read_let},
    {"count", read_count}, {"prior", read_prior},   {"group", read_group},     {"bound", read_bound},
    {"order", read_order},
};
#define N_KEYWORDS (sizeof keywords / sizeof *keywords)

static enum status unknown_keyword(struct reader *r, const char *word)
{
    const char *words[N_KEYWORDS];
    for (size_t i = 0; i < N_KEYWORDS; i++)
        words[i] = keywords[i].word;
    const char *near = nearest_word(word, words, N_KEYWORDS);
    return error_set(r->e, ERR_INPUT, AT(r->path, r->line), "unknown keyword '%s'%s%s%s", word,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static enum status read_line(struct reader *r, char *line)
{
    line[strcspn(line, "#\r")] = 0;
    r->rest = line;
    char *word = next_word(&r->rest);
    if (!*word)
        return OK;
    for (size_t i = 0; i < N_KEYWORDS; i++)
        if (strcmp(keywords[i].word, word) == 0)
            return keywords[i].read(r);
    return unknown_keyword(r, word);
}

enum status classes_parse(struct regress_classes **out, const char *text, const char *name, const char *path,
                          struct error *e)
{
    struct reader r = {classes_new(name, path), path, 0, 0, e};
    char *copy = xstrdup(text);
    enum status s = OK;
    for (char *line = copy, *next; !s && line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        r.line++;
        s = read_line(&r, line);
    }
    free(copy);
    if (!s)
        s = classes_finish(r.c, e);
    if (s)
        regress_classes_free(r.c);
    else
        *out = r.c;
    return s;
}

static enum status read_file(struct regress_classes **out, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, (size_t)1 << 20, e);
    if (!s && strlen(str_text(&text)) != text.len)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "not a classification (it holds a NUL byte)");
    if (!s) {
        const char *base = path_basename(path);
        const char *dot = strrchr(base, '.');
        char *name = xstrndup(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
        s = classes_parse(out, str_text(&text), name, path, e);
        free(name);
    }
    str_release(&text);
    return s;
}

static bool is_file_name(const char *name)
{
    return strchr(name, '/') || text_ends(name, ".classes");
}

static enum status unknown_name(const char *name, struct error *e)
{
    char **names = 0;
    size_t n = 0;
    enum status s = regress_classes_list(&names, &n, e);
    if (s)
        return s;
    struct str all = STR_INIT;
    for (size_t i = 0; i < n; i++)
        str_addf(&all, "%s%s", i ? ", " : "", names[i]);
    s = error_set(e, ERR_INPUT, NOWHERE, "there is no classification '%s'; there are %s (or name a file, ./%s.classes)",
                  name, str_text(&all), name);
    str_release(&all);
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
    return s;
}

enum status regress_classes_load(struct regress_classes **out, const char *name, struct error *e)
{
    if (is_file_name(name))
        return read_file(out, name, e);
    char *relative = xasprintf("classes/%s.classes", name);
    char *path = resource_share(relative);
    enum status s = file_exists(path) ? read_file(out, path, e) : unknown_name(name, e);
    free(relative);
    free(path);
    return s;
}

enum status regress_classes_list(char ***names, size_t *n, struct error *e)
{
    char *folder = resource_share("classes");
    char **files = 0;
    size_t n_files = 0, kept = 0;
    enum status s = list_directory(&files, &n_files, folder, e);
    free(folder);
    if (s)
        return s;
    for (size_t i = 0; i < n_files; i++) {
        char *dot = strrchr(files[i], '.');
        if (dot && strcmp(dot, ".classes") == 0) {
            *dot = 0;
            files[kept++] = files[i];
        } else {
            free(files[i]);
        }
    }
    *names = files;
    *n = kept;
    return OK;
}
