/* rows.c - selects rows by name, domain and role, and reads domains and roles. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "regress/regress.h"

/* ---- domains and roles ---- */

static void say(char ***texts, size_t n, size_t row, const char *text)
{
    if (!text || (!*text && !*texts))
        return;
    if (!*texts) {
        *texts = xcalloc(n, sizeof **texts);
        for (size_t i = 0; i < n; i++)
            (*texts)[i] = xstrdup("");
    }
    free((*texts)[row]);
    (*texts)[row] = xstrdup(text);
}

void regress_data_describe(struct regress_data *d, size_t row, const char *domain, const char *role)
{
    say(&d->domains, d->n, row, domain);
    say(&d->roles, d->n, row, role);
}

/* "SET/" for a file SET/manifest.csv, else "". The caller frees. */
static char *set_of(const char *path)
{
    if (strcmp(path_basename(path), "manifest.csv") != 0)
        return xstrdup("");
    char *folder = xstrndup(path, (size_t)(path_basename(path) - path));
    size_t n = strlen(folder);
    if (n)
        folder[n - 1] = 0;
    char *set = n ? xasprintf("%s/", path_basename(folder)) : xstrdup("");
    free(folder);
    return set;
}

/* Sets each row's domain by the name of its group. */
static enum status take_domains(struct regress_data *d, const struct csv *c, struct error *e)
{
    size_t program, domain, role, used = 0;
    enum status s = csv_need(c, "program", &program, e);
    if (!s)
        s = csv_need(c, "domain", &domain, e);
    if (s)
        return s;
    bool has_role = csv_find(c, "role", &role);
    char *set = set_of(c->path);
    struct map lines = {0};
    for (size_t k = 0; k < c->n_rows; k++) {
        const char *name = csv_cell(c, k, program);
        char *full = strchr(name, '/') ? xstrdup(name) : xasprintf("%s%s", set, name);
        map_put(&lines, full, k);
        free(full);
    }
    for (size_t i = 0; i < d->n; i++) {
        size_t k;
        if (!map_get(&lines, d->group_names[d->groups[i]], &k))
            continue;
        regress_data_describe(d, i, csv_cell(c, k, domain), has_role ? csv_cell(c, k, role) : 0);
        used++;
    }
    if (!used)
        s = error_set(e, ERR_INPUT, AT_FILE(c->path), "no program of this table is in %s; its first is '%s'", d->path,
                      d->group_names[0]);
    free(set);
    map_release(&lines);
    return s;
}

enum status regress_data_read_domains(struct regress_data *d, const char *paths, struct error *e)
{
    char **list = 0;
    size_t n = 0;
    enum status s = split_list(paths, "tables of domains", &list, &n, e);
    for (size_t k = 0; !s && k < n; k++) {
        struct csv *c = 0;
        s = csv_read(&c, list[k], e);
        if (!s)
            s = take_domains(d, c, e);
        csv_free(c);
    }
    free(list);
    return s;
}

/* ---- patterns ---- */

static bool row_matches(const struct regress_data *d, size_t i, const char *pattern)
{
    if (strncmp(pattern, "domain:", 7) == 0)
        return d->domains && glob_match(pattern + 7, d->domains[i]);
    if (strncmp(pattern, "role:", 5) == 0)
        return d->roles && glob_match(pattern + 5, d->roles[i]);
    return glob_match(pattern, d->programs[i]) || glob_match(pattern, d->labels[i]);
}

static enum status no_match(const struct regress_data *d, const char *pattern, struct error *e)
{
    bool domain = strncmp(pattern, "domain:", 7) == 0, role = strncmp(pattern, "role:", 5) == 0;
    if ((domain && !d->domains) || (role && !d->roles))
        return error_set(e, ERR_INPUT, AT_FILE(d->path),
                         "no row says its %s; give the samples' manifests with --domains FILE,...",
                         domain ? "domain" : "role");
    return error_set(e, ERR_INPUT, AT_FILE(d->path), "no program matches '%s'; the first row is '%s'", pattern,
                     d->labels[0]);
}

enum status regress_rows_select(struct regress_rows *out, const struct regress_data *d, const char *patterns,
                                struct error *e)
{
    struct regress_rows rows = {xcalloc(d->n, sizeof *rows.at), 0};
    char **globs = 0;
    size_t n_globs = 0;
    enum status s = patterns ? split_list(patterns, "row patterns", &globs, &n_globs, e) : OK;
    bool *used = xcalloc(n_globs, sizeof *used);
    for (size_t i = 0; !s && i < d->n; i++) {
        bool take = !patterns;
        for (size_t g = 0; g < n_globs; g++) {
            if (row_matches(d, i, globs[g]))
                take = used[g] = true;
        }
        if (take)
            rows.at[rows.n++] = i;
    }
    for (size_t g = 0; !s && g < n_globs; g++)
        if (!used[g])
            s = no_match(d, globs[g], e);
    free(used);
    free(globs);
    if (s)
        free(rows.at);
    else
        *out = rows;
    return s;
}
