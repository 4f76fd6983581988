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
    size_t stresses, main; /* n_columns: not there */
};

static bool wanted(const char *name, char **globs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (glob_match(globs[i], name))
            return true;
    return n == 0;
}

static enum status take_sources(struct sample *s, const struct manifest *m, size_t row, struct error *e)
{
    VEC(char *) list = {0};
    enum status status = OK;
    for (const char *p = csv_cell(m->csv, row, m->sources); *p && !status;) {
        size_t n = strcspn(p, " ");
        if (n) {
            char *name = xstrndup(p, n);
            char *path = path_join(m->folder, name);
            if (!file_exists(path))
                status =
                    error_set(e, ERR_INPUT, AT(m->csv->path, m->csv->lines[row]), "there is no source file '%s'", name);
            vec_push(&list, path);
            free(name);
        }
        p += n + (p[n] == ' ');
    }
    if (!status && !list.n)
        status = error_set(e, ERR_INPUT, AT(m->csv->path, m->csv->lines[row]), "column 'sources' is empty");
    s->sources = list.at;
    s->n_sources = list.n;
    return status;
}

static void sample_release(struct sample *s)
{
    for (size_t i = 0; i < s->n_sources; i++)
        free(s->sources[i]);
    free(s->sources);
    free(s->name);
    free(s->domain);
    free(s->stresses);
}

/* It becomes a part of paths; '@' is taken by the level. */
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
        return error_set(e, ERR_INPUT, at,
                         "'%s' is no name for a program: it names a folder and files; use letters, digits, '_', '-', "
                         "'.' and '+', not '.' first",
                         csv_cell(m->csv, row, m->program));
    if (!s->test && strcmp(role, "train") != 0)
        return error_set(e, ERR_INPUT, at, "role '%s': must be train or test", role);
    if (*runs && !s->once && strcmp(runs, "twice") != 0)
        return error_set(e, ERR_INPUT, at, "main '%s': must be once, or twice (as where nothing is said)", runs);
    enum status status = csv_number(m->csv, row, m->work, &s->work, e);
    return status ? status : take_sources(s, m, row, e);
}

static enum status open_manifest(struct manifest *m, const char *path, struct error *e)
{
    enum status s = csv_read(&m->csv, path, e);
    const struct {
        const char *name;
        size_t *at;
    } columns[] = {{"program", &m->program},
                   {"domain", &m->domain},
                   {"role", &m->role},
                   {"sources", &m->sources},
                   {"work", &m->work}};
    for (size_t i = 0; !s && i < sizeof columns / sizeof *columns; i++)
        s = csv_need(m->csv, columns[i].name, columns[i].at, e);
    if (!s && !csv_find(m->csv, "stresses", &m->stresses))
        m->stresses = m->csv->n_columns;
    if (!s && !csv_find(m->csv, "main", &m->main))
        m->main = m->csv->n_columns;
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
                s = error_set(e, ERR_INPUT, AT(path, m.csv->lines[row]), "program '%s' stands here twice", one.name);
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

const struct sample *samples_find(const struct samples *s, const char *program)
{
    for (size_t i = 0; i < s->n; i++)
        if (program_is(program, s->at[i].name))
            return &s->at[i];
    return 0;
}
