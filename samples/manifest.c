/* manifest.c - reads the manifests of sample programs. */
#include "samples/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/program_name.h"
#include "base/str.h"

struct manifest {
    const char *set, *folder;
    struct csv *csv;
    size_t program, domain, role, sources, work;
    size_t stresses, main, include, define, arguments; /* n_columns: there is no such column */
};

static bool wanted(const char *name, char **globs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (glob_match(globs[i], name))
            return true;
    return n == 0;
}

/* NULL if the column does not exist. */
static char **words_in(const struct manifest *m, size_t row, size_t column)
{
    return words_of(column < m->csv->n_columns ? csv_cell(m->csv, row, column) : "", " ");
}

/* Makes paths relative to the set's folder. exists(path) must hold for each. */
static enum status take_paths(char ***out, const struct manifest *m, size_t row, size_t column,
                              bool (*exists)(const char *path), const char *what, struct error *e)
{
    enum status status = OK;
    *out = words_in(m, row, column);
    for (char **w = *out; *w; w++) {
        char *path = path_join(m->folder, *w);
        if (!status && !exists(path))
            status = error_set(e, ERR_INPUT, AT(m->csv->path, m->csv->lines[row]), "there is no %s '%s'", what, *w);
        free(*w);
        *w = path;
    }
    return status;
}

static enum status take_sources(struct sample *s, const struct manifest *m, size_t row, struct error *e)
{
    enum status status = take_paths(&s->sources, m, row, m->sources, file_exists, "source file", e);
    while (s->sources[s->n_sources])
        s->n_sources++;
    if (!status && !s->n_sources)
        status = error_set(e, ERR_INPUT, AT(m->csv->path, m->csv->lines[row]), "column 'sources' is empty");
    return status;
}

/* Is it NAME or NAME=VALUE, as -D takes it? */
static bool is_macro(const char *text)
{
    size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return n && (*text < '0' || *text > '9') && (!text[n] || text[n] == '=');
}

/* Reads how the program is compiled and called. */
static enum status take_use(struct sample *s, const struct manifest *m, size_t row, struct error *e)
{
    s->arguments = words_in(m, row, m->arguments);
    s->defines = words_in(m, row, m->define);
    for (char **d = s->defines; *d; d++)
        if (!is_macro(*d))
            return error_set(e, ERR_INPUT, AT(m->csv->path, m->csv->lines[row]),
                             "define '%s': must be NAME or NAME=VALUE", *d);
    return take_paths(&s->includes, m, row, m->include, file_is_directory, "folder", e);
}

static void sample_release(struct sample *s)
{
    words_free(s->sources);
    words_free(s->includes);
    words_free(s->defines);
    words_free(s->arguments);
    free(s->name);
    free(s->domain);
    free(s->stresses);
}

/* A program's name becomes part of paths, and '@' separates the level. */
static bool is_program_name(const char *name)
{
    enum { LONGEST = 100 };
    size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.+");
    return n && !name[n] && n <= LONGEST && *name != '.' && *name != '-';
}

static enum status take_row(struct sample *s, const struct manifest *m, size_t row, struct error *e)
{
    struct loc at = AT(m->csv->path, m->csv->lines[row]);
    *s = (struct sample){.name = xasprintf("%s/%s", m->set, csv_cell(m->csv, row, m->program)),
                         .domain = xstrdup(csv_cell(m->csv, row, m->domain))};
    s->stresses = xstrdup(m->stresses < m->csv->n_columns ? csv_cell(m->csv, row, m->stresses) : "");
    const char *role = csv_cell(m->csv, row, m->role);
    const char *runs = m->main < m->csv->n_columns ? csv_cell(m->csv, row, m->main) : "";
    s->once = strcmp(runs, "once") == 0;
    s->test = strcmp(role, "test") == 0;
    if (!is_program_name(csv_cell(m->csv, row, m->program)))
        return error_set(
            e, ERR_INPUT, at,
            "'%s' is not a name for a program: it names a folder and files; use letters, digits, '_', '-', "
            "'.' and '+', not '.' first",
            csv_cell(m->csv, row, m->program));
    if (!s->test && strcmp(role, "train") != 0)
        return error_set(e, ERR_INPUT, at, "role '%s': must be train or test", role);
    if (*runs && !s->once && strcmp(runs, "twice") != 0)
        return error_set(e, ERR_INPUT, at, "main '%s': must be once, or twice (as where nothing is said)", runs);
    enum status status = csv_number(m->csv, row, m->work, &s->work, e);
    if (!status)
        status = take_sources(s, m, row, e);
    return status ? status : take_use(s, m, row, e);
}

struct column {
    const char *name;
    size_t *at;
};

static enum status open_manifest(struct manifest *m, const char *path, struct error *e)
{
    enum status s = csv_read(&m->csv, path, e);
    const struct column columns[] = {{"program", &m->program},
                                     {"domain", &m->domain},
                                     {"role", &m->role},
                                     {"sources", &m->sources},
                                     {"work", &m->work}};
    for (size_t i = 0; !s && i < sizeof columns / sizeof *columns; i++)
        s = csv_need(m->csv, columns[i].name, columns[i].at, e);
    const struct column optional[] = {{"stresses", &m->stresses},
                                      {"main", &m->main},
                                      {"include", &m->include},
                                      {"define", &m->define},
                                      {"arguments", &m->arguments}};
    for (size_t i = 0; !s && i < sizeof optional / sizeof *optional; i++)
        if (!csv_find(m->csv, optional[i].name, optional[i].at))
            *optional[i].at = m->csv->n_columns;
    return s;
}

typedef VEC(struct sample) sample_list;

static enum status read_set(sample_list *list, const char *folder, const char *set, char **globs, size_t n_globs,
                            struct error *e)
{
    struct manifest m = {.set = set, .folder = folder};
    char *path = path_join(folder, "manifest.csv");
    enum status s = file_exists(path) ? open_manifest(&m, path, e) : OK;
    for (size_t row = 0; !s && m.csv && row < m.csv->n_rows; row++) {
        struct sample one;
        s = take_row(&one, &m, row, e);
        for (size_t i = 0; !s && i < list->n; i++)
            if (strcmp(list->at[i].name, one.name) == 0)
                s = error_set(e, ERR_INPUT, AT(path, m.csv->lines[row]), "program '%s' occurs twice here", one.name);
        if (!s && wanted(one.name, globs, n_globs))
            vec_push(list, one);
        else
            sample_release(&one);
    }
    csv_free(m.csv);
    free(path);
    return s;
}

enum status samples_read(struct samples *out, const char *folder, const char *globs, struct error *e)
{
    char **parts = 0, **sets = 0;
    size_t n_parts = 0, n_sets = 0;
    sample_list list = {0};
    enum status s = globs ? split_list(globs, "programs", &parts, &n_parts, e) : OK;
    if (!s)
        s = list_directory(&sets, &n_sets, folder, e);
    for (size_t i = 0; !s && i < n_sets; i++) {
        char *path = path_join(folder, sets[i]);
        if (file_is_directory(path))
            s = read_set(&list, path, sets[i], parts, n_parts, e);
        free(path);
    }
    for (size_t i = 0; i < n_sets; i++)
        free(sets[i]);
    free(sets);
    free(parts);
    *out = (struct samples){list.at, list.n};
    if (!s && !list.n)
        s = error_set(e, ERR_INPUT, AT_FILE(folder), "no sample program%s%s here", globs ? " matches " : "",
                      globs ? globs : "");
    if (s)
        samples_release(out);
    return s;
}

void samples_release(struct samples *s)
{
    for (size_t i = 0; i < s->n; i++)
        sample_release(&s->at[i]);
    free(s->at);
    *s = (struct samples){0};
}

bool samples_take_out(struct samples *s, const char *name)
{
    size_t i = 0;
    while (i < s->n && strcmp(s->at[i].name, name) != 0)
        i++;
    if (i == s->n)
        return false;
    sample_release(&s->at[i]);
    memmove(&s->at[i], &s->at[i + 1], (s->n - i - 1) * sizeof *s->at);
    s->n--;
    return true;
}

const struct sample *samples_find(const struct samples *s, const char *program)
{
    for (size_t i = 0; i < s->n; i++)
        if (program_is(program, s->at[i].name))
            return &s->at[i];
    return 0;
}
