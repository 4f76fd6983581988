/* annotate.c - collects the cycles of source lines, and prints the sources with them. */
#include "shimgen/estimate/annotate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "shimgen/estimate/source_files.h"

enum { AROUND = 3 }; /* lines without code that are printed before and after those with code */

/* ---- lines ---- */

static int compare_lines(const void *a, const void *b)
{
    const struct annotated_line *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

static int compare_files(const void *a, const void *b)
{
    const struct annotated_file *x = a, *y = b;
    return x->cycles != y->cycles ? (x->cycles < y->cycles) - (x->cycles > y->cycles) : strcmp(x->path, y->path);
}

static const char *wrong_with(enum source_state state)
{
    static const char *const words[] = {[SOURCE_SAME] = 0,
                                        [SOURCE_CHANGED] = "it has changed since it was compiled",
                                        [SOURCE_MIXED] = "the program was compiled from several states of it",
                                        [SOURCE_NEWER] = "it is newer than the profile",
                                        [SOURCE_UNKNOWN] = 0};
    return words[state];
}

static enum status find_source(struct annotated_file *f, const struct irprof_profile *p, size_t number,
                               const char *folder, struct error *e)
{
    enum source_state state = SOURCE_UNKNOWN;
    char *found = source_find(f->path, folder);
    enum status s = found ? source_compare(&state, p, number, found, e) : OK;
    f->found = found ? source_plain(found) : 0;
    free(found);
    f->state = wrong_with(state);
    return s;
}

/* Adds the rows of one file. */
static enum status add_file(struct annotation *a, const struct estimate *est, uint32_t file,
                            const struct estimate_row *rows, size_t n, const char *folder, struct error *e)
{
    struct annotated_file f = {.program = xstrdup(est->profile->program), .path = xstrdup(est->profile->files[file])};
    for (size_t i = 0; i < n; i++) {
        if (rows[i].file != file)
            continue;
        f.cycles += rows[i].cycles.typical;
        vec_push(&f.lines, (struct annotated_line){rows[i].line, rows[i].cycles.typical, rows[i].instructions});
    }
    f.share = est->total.typical > 0 ? f.cycles / est->total.typical : 0;
    qsort(f.lines.at, f.lines.n, sizeof *f.lines.at, compare_lines);
    enum status s = find_source(&f, est->profile, file, folder, e);
    vec_push(&a->files, f);
    return s;
}

static bool has_rows(uint32_t file, const struct estimate_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].file == file)
            return true;
    return false;
}

enum status annotation_add(struct annotation *a, const struct estimate *est, const char *folder, struct error *e)
{
    struct estimate_row *rows;
    size_t n, first = a->files.n;
    enum status s = OK;
    estimate_rows(&rows, &n, est, ESTIMATE_BY_LINE);
    for (uint32_t file = 0; file < est->profile->n_files && !s; file++)
        if (has_rows(file, rows, n))
            s = add_file(a, est, file, rows, n, folder, e);
    if (a->files.n > first)
        qsort(a->files.at + first, a->files.n - first, sizeof *a->files.at, compare_files);
    free(rows);
    return s;
}

void annotation_release(struct annotation *a)
{
    for (size_t i = 0; i < a->files.n; i++) {
        free(a->files.at[i].program);
        free(a->files.at[i].path);
        free(a->files.at[i].found);
        vec_release(&a->files.at[i].lines);
    }
    vec_release(&a->files);
}

/* ---- text ---- */

/* Prints without control characters, which a source may contain. */
static void put_source(const char *text, size_t n, FILE *f)
{
    for (size_t i = 0; i < n; i++)
        fputc(((unsigned char)text[i] < 32 && text[i] != '\t') || text[i] == 127 ? ' ' : text[i], f);
    fputc('\n', f);
}

static void put_line(const struct annotated_line *l, double all, unsigned long number, FILE *f)
{
    if (l)
        fprintf(f, "%14.0f %6.2f%% %12" PRIu64 " |%6lu  ", l->cycles, all > 0 ? 100 * l->cycles / all : 0,
                l->instructions, number);
    else
        fprintf(f, "%14s %7s %12s |%6lu  ", "", "", "", number);
}

/* Is code near this line? k: the first line with code from here on. Unknown lines are line 0. */
static bool is_near(const struct annotated_file *a, size_t k, unsigned long number)
{
    return (k < a->lines.n && a->lines.at[k].line <= number + AROUND) ||
           (k > 0 && a->lines.at[k - 1].line && a->lines.at[k - 1].line + AROUND >= number);
}

static void write_source(const struct annotated_file *a, double all, const char *text, FILE *f)
{
    unsigned long number = 1;
    bool left_out = false;
    size_t k = 0;
    for (; k < a->lines.n && !a->lines.at[k].line; k++) {
        put_line(&a->lines.at[k], all, 0, f);
        fputs("(code without a line)\n", f);
    }
    for (const char *at = text; *at; number++) {
        size_t n = strcspn(at, "\n");
        bool code = k < a->lines.n && a->lines.at[k].line == number;
        if (!is_near(a, k, number)) {
            left_out = true;
        } else {
            if (left_out)
                fprintf(f, "%36s\n", "...");
            left_out = false;
            put_line(code ? &a->lines.at[k] : 0, all, number, f);
            put_source(at, n, f);
        }
        k += code;
        at += n + (at[n] == '\n');
    }
}

static void write_lines(const struct annotated_file *a, double all, FILE *f)
{
    for (size_t k = 0; k < a->lines.n; k++) {
        put_line(&a->lines.at[k], all, a->lines.at[k].line, f);
        fputc('\n', f);
    }
}

static enum status write_file(const struct annotated_file *a, FILE *f, struct error *e)
{
    struct str text = STR_INIT;
    double all = a->share > 0 ? a->cycles / a->share : 0;
    enum status s = a->found ? file_read(&text, a->found, FILE_LIMIT, e) : OK;
    if (s)
        return s;
    fprintf(f, "%s of %s: %.0f cycles, %.2f%%%s\n", a->found ? a->found : a->path, a->program, a->cycles,
            100 * a->share, a->found ? "" : "; the source is not there");
    if (a->state)
        fprintf(f, "%s: lines may not fit\n", a->state);
    fprintf(f, "%14s %7s %12s |%6s\n", "cycles", "share", "instructions", "line");
    if (a->found)
        write_source(a, all, str_text(&text), f);
    else
        write_lines(a, all, f);
    str_release(&text);
    return OK;
}

/* ---- lcov ---- */

static void write_lcov(const struct annotated_file *a, FILE *f)
{
    size_t known = 0;
    fprintf(f, "TN:\nSF:%s\n", a->found ? a->found : a->path);
    for (size_t k = 0; k < a->lines.n; k++) {
        if (!a->lines.at[k].line)
            continue;
        known++;
        fprintf(f, "DA:%u,%.0f\n", a->lines.at[k].line, ceil(a->lines.at[k].cycles));
    }
    fprintf(f, "LF:%zu\nLH:%zu\nend_of_record\n", known, known);
}

enum status annotation_print(const struct annotation *a, bool lcov, const char *path, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    if (!lcov)
        outfile_is_text(&o);
    for (size_t i = 0; i < a->files.n && !s; i++) {
        if (lcov)
            write_lcov(&a->files.at[i], o.f);
        else
            s = write_file(&a->files.at[i], o.f, e);
        if (!lcov && i + 1 < a->files.n)
            fputc('\n', o.f);
    }
    if (s) {
        outfile_abort(&o);
        return s;
    }
    return outfile_commit(&o, e);
}
