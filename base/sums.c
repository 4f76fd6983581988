/* sums.c - checksums.csv: reads it, writes it, compares it with the files that exist. */
#include "base/sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/progress.h"

struct sum {
    char *file, *text; /* owned */
};
struct sums {
    VEC(struct sum) at;
};

static void sum_release(struct sum *s)
{
    free(s->file);
    free(s->text);
}

static void sums_release(struct sums *s)
{
    for (size_t i = 0; i < s->at.n; i++)
        sum_release(&s->at.at[i]);
    vec_release(&s->at);
}

static char *sum_of(const char *path)
{
    uint64_t hash;
    struct error ignored = ERROR_INIT;
    enum status s = file_exists(path) ? file_hash(&hash, path, &ignored) : ERR_INPUT;
    error_release(&ignored);
    return s ? 0 : xasprintf("%016" PRIx64, hash);
}

static enum status read_rows(struct sums *out, const char *path, struct error *e)
{
    struct csv *c = 0;
    size_t file, sum;
    enum status s = csv_read(&c, path, e);
    if (!s)
        s = csv_need(c, "file", &file, e);
    if (!s)
        s = csv_need(c, "checksum", &sum, e);
    for (size_t i = 0; !s && i < c->n_rows; i++)
        vec_push(&out->at, (struct sum){xstrdup(csv_cell(c, i, file)), xstrdup(csv_cell(c, i, sum))});
    csv_free(c);
    return s;
}

/* A file that cannot be read counts as empty; a warning says so. */
static void read_sums(struct sums *out, const char *folder)
{
    struct error e = ERROR_INIT;
    char *path = path_join(folder, SUMS_FILE);
    *out = (struct sums){0};
    if (file_exists(path) && read_rows(out, path, &e)) {
        char *text = error_text(&e);
        progress_note("%s; therefore changes of the other files in its folder cannot be noticed", text);
        free(text);
    }
    error_release(&e);
    free(path);
}

static int by_name(const void *a, const void *b)
{
    const struct sum *x = a, *y = b;
    return strcmp(x->file, y->file);
}

static enum status write_sums(struct sums *s, const char *folder, struct error *e)
{
    struct outfile o;
    char *path = path_join(folder, SUMS_FILE);
    enum status status = outfile_open(&o, path, e);
    free(path);
    if (status)
        return status;
    if (s->at.n)
        qsort(s->at.at, s->at.n, sizeof *s->at.at, by_name);
    fputs("file,checksum\n", o.f);
    for (size_t i = 0; i < s->at.n; i++) {
        csv_put(o.f, s->at.at[i].file);
        fprintf(o.f, ",%s\n", s->at.at[i].text);
    }
    return outfile_commit(&o, e);
}

static bool is_among(const char *const *names, const char *file)
{
    for (; *names; names++)
        if (strcmp(*names, file) == 0)
            return true;
    return false;
}

/* Returns whether there was such a row. */
static bool drop(struct sums *s, const char *const *names)
{
    const size_t before = s->at.n;
    size_t kept = 0;
    for (size_t i = 0; i < s->at.n; i++) {
        if (is_among(names, s->at.at[i].file))
            sum_release(&s->at.at[i]);
        else
            s->at.at[kept++] = s->at.at[i];
    }
    s->at.n = kept;
    return kept < before;
}

static enum status change(const char *folder, const char *const *names, bool renew, struct error *e)
{
    struct sums sums;
    read_sums(&sums, folder);
    bool changed = drop(&sums, names) || renew;
    for (size_t i = 0; renew && names[i]; i++) {
        char *path = path_join(folder, names[i]), *text = sum_of(path);
        if (text)
            vec_push(&sums.at, (struct sum){xstrdup(names[i]), text});
        free(path);
    }
    enum status s = changed ? write_sums(&sums, folder, e) : OK;
    sums_release(&sums);
    return s;
}

enum status sums_remove(const char *folder, const char *const *names, struct error *e)
{
    return change(folder, names, false, e);
}

enum status sums_renew(const char *folder, const char *const *names, struct error *e)
{
    return change(folder, names, true, e);
}

void sums_note(const char *folder, const char *const *names, const char *so)
{
    struct sums sums;
    read_sums(&sums, folder);
    for (size_t i = 0; i < sums.at.n; i++) {
        if (names && !is_among(names, sums.at.at[i].file))
            continue;
        char *path = path_join(folder, sums.at.at[i].file), *text = sum_of(path);
        if (text && strcmp(text, sums.at.at[i].text) != 0)
            progress_note("%s: edited or damaged since the build wrote it; %s", path, so);
        free(text);
        free(path);
    }
    sums_release(&sums);
}

/* `path` without its last part; "." if it has only one. The caller frees. */
static char *folder_of(const char *path)
{
    const char *name = path_basename(path);
    return name > path + 1 ? xstrndup(path, (size_t)(name - path) - 1) : xstrdup(name > path ? "/" : ".");
}

void sums_note_read(const char *path)
{
    char *folder = folder_of(path);
    if (strcmp(path, "-") != 0)
        sums_note(folder, (const char *const[]){path_basename(path), 0}, SUMS_TAKEN);
    free(folder);
}

static bool is_of_build(const char *file)
{
    char *folder = folder_of(file), *above = folder_of(folder);
    char *sums = path_join(folder, SUMS_FILE), *sums_above = path_join(above, SUMS_FILE);
    bool found = file_exists(sums) || (strcmp(path_basename(folder), "work") == 0 && file_exists(sums_above));
    free(sums_above);
    free(sums);
    free(above);
    free(folder);
    return found;
}

enum status sums_explain(enum status s, struct error *e)
{
    if (s != ERR_INPUT || !e->file || !is_of_build(e->file))
        return s;
    char *file = xstrdup(e->file);
    error_set(e, s, AT(file, e->line), "%s; the same 'shimgen build' writes this file again", e->message);
    free(file);
    return s;
}
