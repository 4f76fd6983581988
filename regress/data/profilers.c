/*
 * profilers.c - reads tables of ncu, nvprof, rocprof and rocprofv3.
 *
 * They differ in whether a counter is a column or a row, and in names. Lines that a profiler prints before, between and
 * after (==PROF== ...) are no part of the table. Sources: NVIDIA, Nsight Compute CLI (--csv, --page raw, "Metrics and
 * Units") and Profiler User's Guide (nvprof --csv); AMD, rocprof and rocprofv3 (Using rocprofv3, "Kernel counter
 * collection"). Tried on files that were made after these, not on a device.
 */
#include "regress/data/profilers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/str.h"

/* A form of table, recognised by its columns. */
struct form {
    const char *kernel;       /* column of the kernel's name */
    const char *counter;      /* column of a counter's name; NULL: each further column is a counter */
    const char *value, *unit; /* of the counter; unit NULL: there is none */
    const char *launches;     /* column of the number of launches in a row; NULL: one launch */
    const char *begin, *end;  /* time stamps [ns]; NULL: none */
};
static const struct form forms[] = {
    {"Kernel Name", "Metric Name", "Metric Value", "Metric Unit", 0, 0, 0}, /* ncu --csv */
    {"Kernel", "Metric Name", "Avg", 0, "Invocations", 0, 0},               /* nvprof --csv --metrics */
    {"Kernel", "Event Name", "Avg", 0, "Invocations", 0, 0},                /* nvprof --csv --events */
    {"Kernel_Name", "Counter_Name", "Counter_Value", 0, 0, "Start_Timestamp", "End_Timestamp"}, /* rocprofv3 */
    {"KernelName", 0, 0, 0, 0, "BeginNs", "EndNs"},                                             /* rocprof */
    {"Kernel Name", 0, 0, 0, 0, 0, 0}, /* ncu --csv --page raw */
};

/* Columns of wide tables that are not counters: who ran, where, how. */
static const char *const fixed[] = {
    "ID",      "Index",    "Process ID",  "Process Name", "Host Name",  "Kernel Name", "Kernel Time",
    "Context", "Stream",   "Device",      "CC",           "Block Size", "Grid Size",   "KernelName",
    "gpu-id",  "queue-id", "queue-index", "pid",          "tid",        "sig",         "obj",
    "BeginNs", "EndNs",    "DispatchNs",  "CompleteNs",   "DurationNs",
};

static bool is_fixed(const char *column)
{
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strcmp(fixed[i], column) == 0)
            return true;
    return false;
}

/* ---- cells ---- */

static void put(struct profilers *t, size_t row, const char *counter, double value, double launches)
{
    char place[64];
    snprintf(place, sizeof place, "%zu %zu", row, map_number(&t->columns, counter));
    size_t number = map_number(&t->places, place);
    while (t->cells.n <= number)
        vec_push(&t->cells, (struct profilers_cell){0, 0});
    t->cells.at[number].sum += value * launches;
    t->cells.at[number].launches += launches;
}

static const struct profilers_cell *cell(const struct profilers *t, size_t row, size_t column)
{
    char place[64];
    size_t number;
    snprintf(place, sizeof place, "%zu %zu", row, column);
    return map_get(&t->places, place, &number) ? &t->cells.at[number] : 0;
}

/* "copy(float*, int) [clone .kd]" is copy, "void f<float>(int)" is f<float>. The caller frees. */
static char *kernel_name(const char *text)
{
    size_t n = strlen(text), depth = 0, i = 0;
    const char *first = strncmp(text, "void ", 5) == 0 ? text + 5 : text;
    for (i = 0; first + i < text + n; i++) {
        depth += first[i] == '<';
        depth -= first[i] == '>' && depth;
        if (!depth && first[i] == '(' && i)
            break;
    }
    char *name = xstrndup(first, i), *clone = strstr(name, " [clone");
    if (clone)
        *clone = 0;
    if (text_ends(name, ".kd"))
        name[strlen(name) - 3] = 0;
    return name;
}

static size_t row_of(struct profilers *t, const char *program, const char *kernel)
{
    char *name = kernel_name(kernel), *key = xasprintf("%s\n%s", program, name);
    size_t row = map_number(&t->rows, key);
    free(name);
    free(key);
    return row;
}

/* A counter's name as a column. Spaces and brackets have a meaning in classifications, so they are replaced. The caller
 * frees. */
static char *column_name(const char *counter)
{
    char *name = xstrdup(counter);
    for (char *c = name; *c; c++)
        if (isspace((unsigned char)*c) || strchr("()*?#,=\"", *c))
            *c = '_';
    return name;
}

/* ---- values ---- */

/* Units that profilers choose by the size of a number, in bytes or nanoseconds. */
static const struct {
    const char *name;
    double factor;
} units[] = {
    {"byte", 1},
    {"Kbyte", 1e3},
    {"Mbyte", 1e6},
    {"Gbyte", 1e9},
    {"Tbyte", 1e12},
    {"nsecond", 1},
    {"usecond", 1e3},
    {"msecond", 1e6},
    {"second", 1e9},
    {"ns", 1},
    {"us", 1e3},
    {"ms", 1e6},
    {"s", 1e9},
    {"hz", 1},
    {"Khz", 1e3},
    {"Mhz", 1e6},
    {"Ghz", 1e9},
    {"cycle/second", 1},
    {"cycle/usecond", 1e6},
    {"cycle/nsecond", 1e9},
    {"byte/second", 1},
    {"Kbyte/second", 1e3},
    {"Mbyte/second", 1e6},
    {"Gbyte/second", 1e9},
    {"Tbyte/second", 1e12},
};

static double factor_of(const char *unit)
{
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, unit) == 0)
            return units[i].factor;
    return 1;
}

/* Parses "12,345.60"; "98%" and "5.2GB/s" are not numbers. Commas must stand before groups of three digits, else they
 * are decimal commas of another language. */
static bool read_value(const char *text, double *value)
{
    struct str digits = STR_INIT;
    bool fine = true;
    for (const char *c = text; *c && fine; c++) {
        if (*c == ',')
            fine = c > text && isdigit((unsigned char)c[-1]) && strspn(c + 1, "0123456789") == 3;
        else if (*c != '%' || c[1])
            str_addch(&digits, *c);
    }
    fine = fine && digits.len && parse_double(str_text(&digits), value) && isfinite(*value);
    str_release(&digits);
    return fine;
}

/* Is it what profilers write in place of a missing value? */
static bool is_absent(const char *text)
{
    static const char *const words[] = {"", "n/a", "N/A", "nan", "-nan", "<OVERFLOW>"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], text) == 0)
            return true;
    return false;
}

static enum status not_a_number(const struct csv *c, size_t row, const char *column, struct error *e, const char *text)
{
    return error_set(e, ERR_INPUT, AT(c->path, c->lines[row]),
                     "'%s' in column '%s' is not a number: run the profiler with LC_ALL=C", text, column);
}

/* ---- tables ---- */

struct reading {
    struct profilers *t;
    const char *program;
    const struct csv *c;
    const struct form *form;
    struct error *e;
};

static const char *text_of(const struct reading *r, size_t row, const char *column)
{
    size_t i;
    return column && csv_find(r->c, column, &i) ? csv_cell(r->c, row, i) : 0;
}

/* The time between two stamps, once for each launch. */
static enum status read_time(struct reading *r, size_t row, size_t to)
{
    const char *begin = text_of(r, row, r->form->begin), *end = text_of(r, row, r->form->end);
    double from, until;
    if (!begin || !end)
        return OK;
    if (!read_value(begin, &from) || !read_value(end, &until) || until < from)
        return error_set(r->e, ERR_INPUT, AT(r->c->path, r->c->lines[row]), "the kernel ends before it begins");
    put(r->t, to, PROFILERS_TIME, until - from, 1);
    return OK;
}

static enum status read_long(struct reading *r, size_t row)
{
    const struct form *f = r->form;
    const char *text = text_of(r, row, f->value), *times = text_of(r, row, f->launches);
    double value, launches = 1;
    size_t to = row_of(r->t, r->program, text_of(r, row, f->kernel));
    enum status s = f->begin ? read_time(r, row, to) : OK;
    if (s || is_absent(text))
        return s;
    if (!read_value(text, &value))
        return not_a_number(r->c, row, f->value, r->e, text);
    if (times && (!read_value(times, &launches) || !(launches >= 1)))
        return not_a_number(r->c, row, f->launches, r->e, times);
    const char *counter = text_of(r, row, f->counter);
    char *name = column_name(counter);
    value *= factor_of(text_of(r, row, f->unit));
    put(r->t, to, strcmp(counter, "gpu__time_duration.sum") == 0 ? PROFILERS_TIME : name, value, launches);
    free(name);
    return OK;
}

/* In ncu --page raw, the row after the header has the units and no kernel. */
static bool is_units(const struct reading *r, size_t row)
{
    return row == 0 && !*text_of(r, row, r->form->kernel);
}

static enum status read_wide(struct reading *r, size_t row)
{
    const struct csv *c = r->c;
    if (is_units(r, row))
        return OK;
    size_t to = row_of(r->t, r->program, text_of(r, row, r->form->kernel));
    enum status s = read_time(r, row, to);
    for (size_t i = 0; !s && i < c->n_columns; i++) {
        const char *text = csv_cell(c, row, i), *name = c->columns[i];
        double value;
        if (is_fixed(name) || is_absent(text))
            continue;
        bool number = read_value(text, &value);
        if (!number && is_units(r, 0))
            continue; /* a word, such as the name of a cache setting */
        if (!number)
            return not_a_number(c, row, name, r->e, text);
        char *column = column_name(name);
        value *= is_units(r, 0) ? factor_of(csv_cell(c, 0, i)) : 1;
        put(r->t, to, strcmp(name, "gpu__time_duration.sum") == 0 ? PROFILERS_TIME : column, value, 1);
        free(column);
    }
    return s;
}

static const struct form *form_of(const struct csv *c)
{
    size_t i;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (csv_find(c, forms[k].kernel, &i) && (!forms[k].counter || csv_find(c, forms[k].counter, &i)) &&
            (!forms[k].value || csv_find(c, forms[k].value, &i)))
            return &forms[k];
    return 0;
}

/* ---- what a profiler prints around its table ---- */

static bool begins_table(const char *line, size_t n)
{
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        const char *at = memmem(line, n, forms[k].kernel, strlen(forms[k].kernel));
        if (at && memchr(line, ',', n) && line[0] != '=')
            return true;
    }
    return false;
}

/* Returns the table alone. Other lines become empty, so that line numbers stay. Returns false if there is no table. */
static bool table_of(struct str *out, const char *text)
{
    bool inside = false;
    while (*text) {
        size_t n = strcspn(text, "\n");
        inside |= begins_table(text, n);
        if (inside && strncmp(text, "==", 2) != 0)
            str_addn(out, text, n);
        str_addch(out, '\n');
        text += n + (text[n] == '\n');
    }
    return inside;
}

enum status profilers_add(struct profilers *t, const char *program, const char *path, struct error *e)
{
    struct str text = STR_INIT, table = STR_INIT;
    struct csv *c = 0;
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    if (!s && (memchr(str_text(&text), 0, text.len) || !table_of(&table, str_text(&text))))
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "is not a table of kernels that ncu --csv, nvprof --csv, rocprof or rocprofv3 has written");
    if (!s)
        s = csv_parse(&c, str_text(&table), table.len, path, e);
    str_release(&text);
    str_release(&table);
    struct reading r = {t, program, c, s ? 0 : form_of(c), e};
    if (!s && !r.form)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "has kernels, but no columns of counters that are known");
    for (size_t row = 0; !s && row < c->n_rows; row++)
        s = r.form->counter ? read_long(&r, row) : read_wide(&r, row);
    if (!s && !t->columns.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "has no value of any counter");
    csv_free(c);
    return s;
}

/* ---- writing ---- */

/* The first row without a value; rows.n: there is none. */
static size_t lacking(const struct profilers *t, size_t column)
{
    size_t row = 0;
    while (row < t->rows.n && cell(t, row, column))
        row++;
    return row;
}

void profilers_write(const struct profilers *t, FILE *f, void (*say)(const char *column, const char *kernel))
{
    bool *taken = xcalloc(t->columns.n, sizeof *taken);
    fputs("program,region", f);
    for (size_t i = 0; i < t->columns.n; i++) {
        size_t row = lacking(t, i);
        taken[i] = row == t->rows.n;
        if (!taken[i]) {
            say(t->columns.keys[i], strchr(t->rows.keys[row], '\n') + 1);
            continue;
        }
        fputc(',', f);
        csv_put(f, t->columns.keys[i]);
    }
    fputc('\n', f);
    for (size_t row = 0; row < t->rows.n; row++) {
        const char *key = t->rows.keys[row];
        char *program = xstrndup(key, strcspn(key, "\n"));
        csv_put(f, program);
        fputc(',', f);
        csv_put(f, strchr(key, '\n') + 1);
        free(program);
        for (size_t i = 0; i < t->columns.n; i++) {
            const struct profilers_cell *c = taken[i] ? cell(t, row, i) : 0;
            char *text = c ? format_double(c->sum / c->launches) : 0;
            if (text)
                fprintf(f, ",%s", text);
            free(text);
        }
        fputc('\n', f);
    }
    free(taken);
}

void profilers_release(struct profilers *t)
{
    map_release(&t->rows);
    map_release(&t->columns);
    map_release(&t->places);
    vec_release(&t->cells);
}
