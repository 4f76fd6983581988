/* show_table.c - lists all elements of a kind as a table: aligned text for people, CSV and JSON for programs. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "shim-xml/document/clocks.h"
#include "shim-xml/document/instruction_widths.h"
#include "shim-xml/document/doc.h"
#include "shim-xml/document/text.h"

/* Columns that are not attributes: `in` (names of the elements around it), `line`, `clock`, `instruction` (its
 * operation in SHIM 2.0, else its name), and the six values of a Performance. */
static const struct {
    const char *kind, *columns;
} usual[] = {
    {"MasterComponent", "name,masterType,arch,pid,nThread,endian,clock,in"},
    {"Cache", "name,cacheType,size,nWay,lineSize,cacheCoherency,in,cacheRef"},
    {"SlaveComponent", "name,size,rwType,in"},
    {"AccessType", "name,rwType,accessByteSize,alignmentByteSize,nBurst,in"},
    {"SubSpace", "name,start,end,endian,in"},
    {"MasterSlaveBinding", "slaveComponentRef,in"},
    {"Accessor", "masterComponentRef,in"},
    {"Instruction", "instruction,pitch.best,pitch.typical,pitch.worst,latency.best,latency.typical,latency.worst,in"},
    {"Performance", "in,accessTypeRef,pitch.best,pitch.typical,pitch.worst,latency.best,latency.typical,latency.worst"},
    {"Connection", "from,to,pitch.typical,latency.best,latency.typical,latency.worst,in"},
};
static const char *const overview[] = {"MasterComponent", "Cache", "SlaveComponent", "SubSpace"};

struct cell {
    char *text;    /* as people read it */
    double number; /* as programs read it; NAN: a text */
};
struct sheet {
    const char *kind;
    char **columns;
    size_t n_columns;
    VEC(struct cell) cells; /* row by row */
    size_t n_rows;
};

/* ---- cells ---- */

static void add_name(struct str *out, const struct shimxml_node *n)
{
    const char *name = n ? shimxml_get(n, "name") : 0, *other = 0;
    if (!name && shimxml_is(n, "MasterSlaveBinding"))
        other = "slaveComponentRef";
    else if (!name && shimxml_is(n, "Accessor"))
        other = "masterComponentRef";
    if (other && shimxml_target(n, other))
        name = shimxml_get(shimxml_target(n, other), "name");
    if (name)
        str_addf(out, "%s%s", out->len ? "/" : "", name);
}

/* The names of the elements around it, below the root. */
static char *place_of(const struct shimxml_node *n)
{
    VEC(const struct shimxml_node *) way = {0};
    struct str out = STR_INIT;
    for (n = shimxml_parent(n); n && shimxml_parent(n); n = shimxml_parent(n))
        vec_push(&way, n);
    for (size_t i = way.n; i--;)
        add_name(&out, way.at[i]);
    vec_release(&way);
    return str_detach(&out);
}

static struct cell text_cell(char *text)
{
    char *clean = text_printable(text ? text : "", TEXT_LIMIT);
    free(text);
    return (struct cell){clean, NAN};
}

static struct cell number_cell(double v)
{
    return (struct cell){isnan(v) ? xstrdup("") : xasprintf("%.6g", v), v};
}

/* "pitch.best": of the Performance that the element is or contains. */
static bool value_cell(struct cell *out, const struct shimxml_node *n, const char *column)
{
    static const char *const parts[][2] = {{"pitch.", "Pitch"}, {"latency.", "Latency"}};
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(parts[i][0]);
        if (strncmp(column, parts[i][0], length) != 0)
            continue;
        const struct shimxml_node *p = shimxml_is(n, "Performance") ? n : shimxml_child(n, "Performance");
        *out = number_cell(shimxml_number(shimxml_child(p, parts[i][1]), column + length));
        return true;
    }
    return false;
}

/* The element's own clock, else the system's. */
static struct cell clock_cell(const struct shimxml_doc *d, const struct shimxml_node *n)
{
    double own = clock_of(n), hz = own > 0 ? own : clock_of(shimxml_root(d));
    struct str text = STR_INIT;
    text_hertz(&text, hz);
    return (struct cell){str_detach(&text), hz > 0 ? hz : (double)NAN};
}

static struct cell size_cell(const struct shimxml_node *n)
{
    struct str text = STR_INIT;
    text_bytes(&text, shimxml_bytes(n));
    return (struct cell){str_detach(&text), shimxml_bytes(n)};
}

static char *targets_of(const struct shimxml_node *n, const char *kind)
{
    struct str out = STR_INIT;
    for (const struct shimxml_node *r = shimxml_child(n, kind); r; r = shimxml_next(r, kind)) {
        const struct shimxml_node *target = shimxml_target(r, 0);
        const char *name = target ? shimxml_get(target, "name") : "?";
        str_addf(&out, "%s%s", out.len ? " " : "", name ? name : "?");
    }
    return str_detach(&out);
}

/* References are shown as names of their targets, addresses as they are usually written, numbers as numbers. */
static struct cell attribute_cell(const struct shimxml_node *n, const char *column)
{
    const char *value = shimxml_get(n, column);
    double v;
    if (!value)
        return number_cell(NAN);
    const struct shimxml_node *target = shimxml_target(n, column);
    if (n->name->spec && target && strcmp(column, "id") != 0 && strcmp(column, "name") != 0 &&
        shimxml_get(target, "name"))
        return text_cell(xstrdup(shimxml_get(target, "name")));
    size_t rank = schema_attribute_rank(n->name->spec, column);
    enum schema_type type = rank == SCHEMA_NO_RANK ? TYPE_string : n->name->spec->attributes[rank].type;
    if (type == TYPE_long && !schema_bad_value(type, value))
        return (struct cell){xasprintf("0x%llx", (unsigned long long)strtoll(value, 0, 10)),
                             (double)strtoll(value, 0, 10)};
    if ((type == TYPE_int || type == TYPE_uint || type == TYPE_float) && parse_double(value, &v))
        return number_cell(v);
    return text_cell(xstrdup(value));
}

static struct cell cell_of(const struct shimxml_doc *d, const struct shimxml_node *n, const char *column)
{
    struct cell c;
    if (strcmp(column, "in") == 0)
        return text_cell(place_of(n));
    if (strcmp(column, "line") == 0)
        return number_cell((double)shimxml_line(n));
    if (strcmp(column, "clock") == 0)
        return clock_cell(d, n);
    if (strcmp(column, "instruction") == 0)
        return text_cell(xstrdup(instruction_name(n)));
    if (strcmp(column, "size") == 0 && shimxml_get(n, "sizeUnit"))
        return size_cell(n);
    if (strcmp(column, "cacheRef") == 0)
        return text_cell(targets_of(n, doc_of(n)->schema->cache_ref));
    if (value_cell(&c, n, column))
        return c;
    return attribute_cell(n, column);
}

/* ---- a sheet ---- */

static void sheet_release(struct sheet *s)
{
    for (size_t i = 0; i < s->cells.n; i++)
        free(s->cells.at[i].text);
    vec_release(&s->cells);
    free(s->columns);
}

static char *columns_of(const struct shimxml_doc *d, const char *kind)
{
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(usual[i].kind, kind) == 0)
            return xstrdup(usual[i].columns);
    const struct shimxml_node *n = shimxml_following(shimxml_root(d), 0, kind);
    struct str out = STR_INIT;
    for (const struct schema_attribute *a = n && n->name->spec ? n->name->spec->attributes : 0; a && a->name; a++)
        str_addf(&out, "%s,", a->name);
    str_add(&out, "in");
    return str_detach(&out);
}

static bool is_known_column(const struct schema_element *spec, const char *column)
{
    static const char *const others[] = {
        "in",          "line",         "instruction",     "clock",        "cacheRef", "pitch.best", "pitch.typical",
        "pitch.worst", "latency.best", "latency.typical", "latency.worst"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], column) == 0)
            return true;
    return !spec || schema_attribute_rank(spec, column) != SCHEMA_NO_RANK;
}

static bool is_of_core(const struct shimxml_node *n, const char *core)
{
    const struct shimxml_node *master = shimxml_is(n, "MasterComponent") ? n : shimxml_owner(n, "MasterComponent");
    if (!master && shimxml_owner(n, "Accessor"))
        master = shimxml_target(shimxml_owner(n, "Accessor"), "masterComponentRef");
    const char *name = master ? shimxml_get(master, "name") : 0;
    return !core || (name && glob_match(core, name));
}

static enum status fill(struct sheet *s, const struct shimxml_doc *d, const struct shimxml_table *t, const char *kind,
                        struct error *e)
{
    *s = (struct sheet){.kind = kind};
    char *columns = t->columns ? xstrdup(t->columns) : columns_of(d, kind);
    enum status status = split_list(columns, "columns", &s->columns, &s->n_columns, e);
    free(columns);
    const struct shimxml_node *root = shimxml_root(d), *n = shimxml_following(root, 0, kind);
    for (size_t i = 0; !status && n && i < s->n_columns; i++)
        if (!is_known_column(n->name->spec, s->columns[i]))
            status = error_set(e, ERR_INPUT, NOWHERE, "there is no column '%s' for %s", s->columns[i], kind);
    for (; !status && n; n = shimxml_following(root, n, kind)) {
        if (!is_of_core(n, t->core))
            continue;
        for (size_t i = 0; i < s->n_columns; i++)
            vec_push(&s->cells, cell_of(d, n, s->columns[i]));
        s->n_rows++;
    }
    return status;
}

/* ---- output ---- */

static size_t letters(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

static void add_padded(struct str *line, const char *text, size_t width, bool right)
{
    size_t n = letters(text), pad = n < width ? width - n : 0;
    str_addf(line, "%s%*s%s%*s", line->len ? "  " : "", right ? (int)pad : 0, "", text, right ? 0 : (int)pad, "");
}

static void put_line(FILE *f, struct str *line)
{
    size_t n = line->len;
    while (n && line->s[n - 1] == ' ')
        n--;
    fprintf(f, "%.*s\n", (int)n, str_text(line));
    str_clear(line);
}

/* A column is as wide as its widest cell, up to WIDEST. A longer cell (an annotation) shifts only its own row. */
enum { WIDEST = 64 };

static void put_text(FILE *f, const struct sheet *s)
{
    size_t *widths = xcalloc(s->n_columns + 1, sizeof *widths);
    bool *right = xcalloc(s->n_columns + 1, sizeof *right);
    for (size_t c = 0; c < s->n_columns; c++) {
        widths[c] = letters(s->columns[c]);
        right[c] = s->n_rows > 0;
        for (size_t r = 0; r < s->n_rows; r++) {
            const struct cell *x = &s->cells.at[r * s->n_columns + c];
            size_t n = letters(x->text) < WIDEST ? letters(x->text) : WIDEST;
            widths[c] = n > widths[c] ? n : widths[c];
            right[c] &= !*x->text || !isnan(x->number);
        }
    }
    struct str line = STR_INIT;
    for (size_t c = 0; c < s->n_columns; c++)
        add_padded(&line, s->columns[c], widths[c], right[c]);
    put_line(f, &line);
    for (size_t i = 0; i < s->cells.n; i++) {
        size_t c = i % s->n_columns;
        add_padded(&line, s->cells.at[i].text, widths[c], right[c]);
        if (c + 1 == s->n_columns)
            put_line(f, &line);
    }
    str_release(&line);
    free(widths);
    free(right);
}

static void put_csv(FILE *f, const struct sheet *s)
{
    for (size_t c = 0; c < s->n_columns; c++) {
        csv_put(f, s->columns[c]);
        fputc(c + 1 < s->n_columns ? ',' : '\n', f);
    }
    for (size_t i = 0; i < s->cells.n; i++) {
        const struct cell *x = &s->cells.at[i];
        char *number = isnan(x->number) ? 0 : format_double(x->number);
        csv_put(f, number ? number : x->text);
        fputc((i + 1) % s->n_columns ? ',' : '\n', f);
        free(number);
    }
}

static json_t *json_cell(const struct cell *x)
{
    if (isnan(x->number))
        return *x->text ? json_string(x->text) : json_null();
    if (x->number == floor(x->number) && fabs(x->number) < 1e15)
        return json_integer((json_int_t)x->number);
    return isfinite(x->number) ? json_real(x->number) : json_string(x->text);
}

static json_t *as_json(const struct sheet *s)
{
    json_t *rows = json_array();
    for (size_t r = 0; r < s->n_rows; r++) {
        json_t *row = json_object();
        for (size_t c = 0; c < s->n_columns; c++) {
            json_object_set_new(row, s->columns[c], json_cell(&s->cells.at[r * s->n_columns + c]));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

/* ---- the whole table ---- */

static enum status one_kind(const struct shimxml_doc *d, const struct shimxml_table *t, const char *kind, FILE *f,
                            json_t *all, bool titled, struct error *e)
{
    struct sheet s;
    enum status status = fill(&s, d, t, kind, e);
    if (!status && all)
        json_object_set_new(all, kind, as_json(&s));
    else if (!status && strcmp(t->format, "csv") == 0)
        put_csv(f, &s);
    else if (!status && (s.n_rows || !titled)) {
        if (titled)
            fprintf(f, "%s (%zu)\n", kind, s.n_rows);
        put_text(f, &s);
        if (titled)
            fputc('\n', f);
    }
    sheet_release(&s);
    return status;
}

enum status shimxml_table(const struct shimxml_doc *d, const struct shimxml_table *t, const char *path, struct error *e)
{
    bool json = strcmp(t->format, "json") == 0;
    size_t kinds = t->kind ? 1 : sizeof overview / sizeof *overview;
    if (t->kind && !shimxml_following(shimxml_root(d), 0, t->kind))
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "there is no %.60s in it", t->kind);
    json_t *all = json ? json_object() : 0;
    struct outfile o = {0};
    enum status s = json ? OK : outfile_open(&o, path, e);
    if (s)
        return s;
    for (size_t i = 0; !s && i < kinds; i++)
        s = one_kind(d, t, t->kind ? t->kind : overview[i], o.f, all, !t->kind, e);
    if (json) {
        s = s ? s : json_write(all, path, e);
        json_decref(all);
        return s;
    }
    if (s) {
        outfile_abort(&o);
        return s;
    }
    return outfile_commit(&o, e);
}
