/* csv.c - reads and writes RFC 4180 tables, with protection against spreadsheet formulas. */
#include "base/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"

/* Fields are unquoted in place: the text shrinks as it is read, and `to` never passes `from`. */
struct reader {
    const char *path;
    char *from, *end;
    unsigned long line;
    struct error *e;
};

enum after { FIELD, ROW }; /* what a field was followed by */

/* Would a spreadsheet take it for a formula? */
static bool starts_formula(const char *field)
{
    return *field && strchr("=+-@\t\r", *field);
}

/* Does it begin with an apostrophe that csv_put has added? It adds one before a formula, and before another such
 * apostrophe. */
static bool is_defused(const char *field)
{
    return *field == '\'' && (field[1] == '\'' || starts_formula(field + 1));
}

/* Reads a quoted field, from its opening quote to after its closing one. *to is set to the end of its text in place. */
static enum status read_quoted(struct reader *r, char **to)
{
    unsigned long opened = r->line;
    for (r->from++;; r->from++) {
        if (r->from == r->end)
            return error_set(r->e, ERR_INPUT, AT(r->path, opened),
                             "this quoted field is never closed; put a quote at its end");
        if (*r->from == '"') {
            r->from++;
            if (r->from == r->end || *r->from != '"')
                break;
        }
        r->line += *r->from == '\n';
        *(*to)++ = *r->from;
    }
    if (r->from < r->end && !strchr(",\r\n", *r->from))
        return error_set(r->e, ERR_INPUT, AT(r->path, r->line),
                         "text after the closing quote of a field; write each quote inside a field twice");
    return OK;
}

/* Reads a field without quotes. */
static enum status read_plain(struct reader *r, char **to)
{
    while (r->from < r->end && !strchr(",\r\n", *r->from)) {
        if (*r->from == '"')
            return error_set(r->e, ERR_INPUT, AT(r->path, r->line),
                             "a quote inside a field that does not start with one; put the field in quotes, and write "
                             "each quote inside it twice");
        *(*to)++ = *r->from++;
    }
    return OK;
}

static enum after skip_separator(struct reader *r)
{
    if (r->from == r->end)
        return ROW;
    enum after after = *r->from == ',' ? FIELD : ROW;
    if (*r->from == '\r' && r->from + 1 < r->end && r->from[1] == '\n')
        r->from++;
    r->line += after == ROW;
    r->from++;
    return after;
}

/* Reads one field at r->from. *field is its text, NUL-terminated in place. */
static enum status read_field(struct reader *r, char **field, enum after *after)
{
    char *to = *field = r->from;
    enum status s = r->from < r->end && *r->from == '"' ? read_quoted(r, &to) : read_plain(r, &to);
    if (s)
        return s;
    *after = skip_separator(r);
    *to = 0; /* overwrites at most the separator, which has been read */
    *field += is_defused(*field);
    return OK;
}

typedef VEC(char *) fields_t;

static enum status read_row(struct reader *r, fields_t *fields)
{
    enum after after;
    do {
        char *field;
        if (read_field(r, &field, &after))
            return ERR_INPUT;
        vec_push(fields, field);
    } while (after == FIELD);
    return OK;
}

static void skip_blank_lines(struct reader *r)
{
    while (r->from < r->end && (*r->from == '\n' || *r->from == '\r')) {
        r->line += *r->from == '\n';
        r->from++;
    }
}

static enum status take_header(struct csv *c, struct reader *r)
{
    fields_t fields = {0};
    skip_blank_lines(r);
    if (r->from == r->end)
        return error_set(r->e, ERR_INPUT, AT_FILE(c->path), "empty: a header row with the column names is needed");
    unsigned long line = r->line;
    enum status s = read_row(r, &fields);
    struct map seen = {0};
    for (size_t i = 0; !s && i < fields.n; i++) {
        if (!*fields.at[i])
            s = error_set(r->e, ERR_INPUT, AT(c->path, line), "column %zu has no name; give it one", i + 1);
        else if (map_get(&seen, fields.at[i], 0))
            s = error_set(r->e, ERR_INPUT, AT(c->path, line), "two columns are named '%s'; rename one, or take it out",
                          fields.at[i]);
        else
            map_put(&seen, fields.at[i], i);
    }
    map_release(&seen);
    c->columns = fields.at;
    c->n_columns = fields.n;
    return s;
}

static enum status take_rows(struct csv *c, struct reader *r)
{
    fields_t cells = {0};
    VEC(unsigned long) lines = {0};
    enum status s = OK;
    for (skip_blank_lines(r); !s && r->from < r->end; skip_blank_lines(r)) {
        unsigned long line = r->line;
        size_t before = cells.n;
        s = read_row(r, &cells);
        size_t got = cells.n - before;
        if (!s && got != c->n_columns)
            s = error_set(r->e, ERR_INPUT, AT(c->path, line), "%zu fields, but the header has %zu columns%s", got,
                          c->n_columns,
                          got < c->n_columns ? " (is the file cut off?); complete the row, or take it out"
                                             : "; put fields that hold commas in quotes");
        vec_push(&lines, line);
    }
    c->cells = cells.at;
    c->lines = lines.at;
    c->n_rows = lines.n;
    return s;
}

enum status csv_parse(struct csv **out, const char *text, size_t n, const char *name, struct error *e)
{
    if (memchr(text, 0, n))
        return error_set(e, ERR_INPUT, AT_FILE(name), "not a CSV file (it holds a NUL byte); save it as UTF-8 text");
    struct csv *c = xcalloc(1, sizeof *c);
    c->path = xstrdup(name);
    c->text = xstrndup(text, n);
    struct reader r = {c->path, c->text, c->text + n, 1, e};
    if (n >= 3 && memcmp(c->text, "\xef\xbb\xbf", 3) == 0)
        r.from += 3;
    enum status s = take_header(c, &r);
    if (!s)
        s = take_rows(c, &r);
    if (s) {
        csv_free(c);
        return s;
    }
    *out = c;
    return OK;
}

enum status csv_read(struct csv **out, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    if (!s)
        s = csv_parse(out, str_text(&text), text.len, path, e);
    str_release(&text);
    return s;
}

void csv_free(struct csv *c)
{
    if (!c)
        return;
    free(c->path);
    free(c->columns);
    free(c->cells);
    free(c->lines);
    free(c->text);
    free(c);
}

const char *csv_cell(const struct csv *c, size_t row, size_t column)
{
    if (row >= c->n_rows || column >= c->n_columns)
        BUG("cell %zu,%zu of a %zu x %zu table", row, column, c->n_rows, c->n_columns);
    return c->cells[row * c->n_columns + column];
}

bool csv_find(const struct csv *c, const char *column, size_t *index)
{
    for (size_t i = 0; i < c->n_columns; i++) {
        if (strcmp(c->columns[i], column) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

enum status csv_need(const struct csv *c, const char *column, size_t *index, struct error *e)
{
    if (csv_find(c, column, index))
        return OK;
    struct str names = STR_INIT;
    for (size_t i = 0; i < c->n_columns && i < 12; i++)
        str_addf(&names, "%s%s", i ? ", " : "", c->columns[i]);
    if (c->n_columns > 12)
        str_addf(&names, ", ... (%zu in all)", c->n_columns);
    enum status s = error_set(e, ERR_INPUT, AT(c->path, 1), "there is no column '%s'; the columns are: %s", column,
                              str_text(&names));
    str_release(&names);
    return s;
}

/* Advice for a cell that is not a finite number. */
static const char *number_cure(const char *text)
{
    double value;
    size_t digits = strspn(text, "+-0123456789");
    char rest = text[strspn(text, "+-0123456789.eE ")];
    if (!*text)
        return "fill in the cell, or take the row out";
    if (parse_double(text, &value))
        return "write a finite one, or take the row out";
    if (digits && text[digits] == ',' && !text[digits + 1 + strspn(text + digits + 1, "0123456789")])
        return "write the decimal comma as a point";
    if (digits && rest && !strchr(",;:xX", rest))
        return "write only the number, without its unit";
    return "correct it, or take the row out";
}

enum status csv_number(const struct csv *c, size_t row, size_t column, double *value, struct error *e)
{
    const char *text = csv_cell(c, row, column);
    if (parse_double(text, value) && isfinite(*value))
        return OK;
    return error_set(e, ERR_INPUT, AT(c->path, c->lines[row]), "column '%s': '%.60s' is not a finite number; %s",
                     c->columns[column], text, number_cure(text));
}

const char *csv_defused(const char *field)
{
    double number;
    return is_defused(field) || (starts_formula(field) && !parse_double(field, &number)) ? "'" : "";
}

void csv_put(FILE *f, const char *field)
{
    const char *before = csv_defused(field);
    if (!strpbrk(field, ",\"\r\n")) {
        fprintf(f, "%s%s", before, field);
        return;
    }
    fprintf(f, "\"%s", before);
    for (; *field; field++) {
        if (*field == '"')
            fputc('"', f);
        fputc(*field, f);
    }
    fputc('"', f);
}
