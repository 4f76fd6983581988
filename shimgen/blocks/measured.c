/* measured.c - reads measured cycles of machine instructions, and finds each one's block. */
#include "shimgen/blocks/measured.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/map.h"
#include "shimgen/estimate/source_files.h"

enum { PROGRAM, REGION, ADDRESS, FUNCTION, FILE_, LINE, EXECUTIONS, CYCLES, CALLED, COLUMNS };
static const char *const names[COLUMNS] = {"program", "region",     "address", "function", "file",
                                           "line",    "executions", "cycles",  "called"};

struct instruction {
    uint64_t address, executions, cycles; /* includes what it called */
    const char *function, *file;          /* borrowed */
    uint32_t line;
    uint32_t block; /* BLOCK_NONE: its line does not tell */
};
struct reader {
    const struct blocks *b;
    const struct assignment *parts;
    struct csv *table;
    size_t column[COLUMNS];
    struct map functions; /* name -> the first function with it */
    struct map lines;     /* function, file and line of the profile's code -> block */
    VEC(struct instruction) code;
};

/* ---- the table ---- */

static enum status whole(uint64_t *to, const struct reader *r, size_t row, int column, struct error *e)
{
    double v;
    enum status s = csv_number(r->table, row, r->column[column], &v, e);
    if (!s && (v < 0 || v > 9e15 || v != (double)(uint64_t)v))
        s = error_set(e, ERR_INPUT, AT(r->table->path, r->table->lines[row]), "%s is not a count: '%s'", names[column],
                      csv_cell(r->table, row, r->column[column]));
    *to = s ? 0 : (uint64_t)v;
    return s;
}

static enum status take_row(struct reader *r, size_t row, struct error *e)
{
    struct instruction i = {.function = csv_cell(r->table, row, r->column[FUNCTION]),
                            .file = csv_cell(r->table, row, r->column[FILE_]),
                            .block = BLOCK_NONE};
    const char *address = csv_cell(r->table, row, r->column[ADDRESS]);
    char *end;
    uint64_t line = 0, called = 0;
    i.address = strtoull(address, &end, 16);
    if (end == address || *end)
        return error_set(e, ERR_INPUT, AT(r->table->path, r->table->lines[row]),
                         "'%s' is not an address: hexadecimal digits after 0x are needed", address);
    enum status s = whole(&line, r, row, LINE, e);
    if (!s)
        s = whole(&i.executions, r, row, EXECUTIONS, e);
    if (!s)
        s = whole(&i.cycles, r, row, CYCLES, e);
    if (!s)
        s = whole(&called, r, row, CALLED, e);
    i.line = line > UINT32_MAX ? 0 : (uint32_t)line;
    i.cycles += called;
    vec_push(&r->code, i);
    return s;
}

/* Is the row of this program? If the table has only one program, it counts whatever its name. */
static bool is_program(const struct reader *r, size_t row, bool only)
{
    return only || strcmp(csv_cell(r->table, row, r->column[PROGRAM]), r->b->request->profile->program) == 0;
}

static bool is_region(const struct reader *r, size_t row)
{
    const struct irprof_profile *p = r->b->request->profile;
    const char *measured = csv_cell(r->table, row, r->column[REGION]), *asked = p->regions[r->b->request->region].name;
    bool total = r->b->request->region + 1 == p->n_regions;
    return strcmp(measured, asked) == 0 || (total && strcmp(measured, IRPROF_REGION_MAIN) == 0);
}

static enum status take_rows(struct reader *r, struct error *e)
{
    const struct irprof_profile *p = r->b->request->profile;
    bool only = true;
    enum status s = OK;
    for (size_t i = 1; i < r->table->n_rows; i++)
        only &= strcmp(csv_cell(r->table, i, r->column[PROGRAM]), csv_cell(r->table, 0, r->column[PROGRAM])) == 0;
    for (size_t i = 0; i < r->table->n_rows && !s; i++)
        if (is_program(r, i, only) && is_region(r, i))
            s = take_row(r, i, e);
    if (!s && !r->code.n)
        s = error_set(e, ERR_INPUT, AT_FILE(r->table->path),
                      "has nothing of program '%s', region '%s': measure it with 'shimgen measure BOARD --lines'",
                      p->program, p->regions[r->b->request->region].name);
    return s;
}

static enum status read_table(struct reader *r, const char *path, struct error *e)
{
    enum status s = csv_read(&r->table, path, e);
    for (int i = 0; i < COLUMNS && !s; i++)
        s = csv_need(r->table, names[i], &r->column[i], e);
    return s ? s : take_rows(r, e);
}

/* ---- blocks by line ---- */

static char *line_key(const char *function, const char *file, uint32_t line)
{
    char *plain = source_plain(file), *key = xasprintf("%s\n%s\n%u", function, plain, line);
    free(plain);
    return key;
}

static void know_lines(struct reader *r)
{
    const struct irprof_profile *p = r->b->request->profile;
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *s = &p->segments[i];
        for (uint32_t k = s->first_part; k < s->first_part + s->n_parts; k++) {
            if (!p->parts[k].line || p->parts[k].file == IRPROF_NONE)
                continue;
            char *key = line_key(p->functions[s->function].name, p->files[p->parts[k].file], p->parts[k].line);
            if (!map_get(&r->lines, key, 0))
                map_put(&r->lines, key, r->parts->block[k]);
            free(key);
        }
    }
}

static void know_functions(struct reader *r)
{
    const struct irprof_profile *p = r->b->request->profile;
    for (size_t i = p->n_functions; i-- > 0;)
        map_put(&r->functions, p->functions[i].name, r->parts->row[r->parts->function[i]]);
}

static void find_lines(struct reader *r)
{
    for (size_t i = 0; i < r->code.n; i++) {
        struct instruction *at = &r->code.at[i];
        size_t block;
        char *key = line_key(at->function, at->file, at->line);
        if (at->line && map_get(&r->lines, key, &block))
            at->block = (uint32_t)block;
        free(key);
    }
}

/* ---- code without a line ---- */

/* Does b follow a within the same function? */
static bool follows(const struct instruction *a, const struct instruction *b)
{
    return b->address > a->address && b->address - a->address <= 4 && strcmp(a->function, b->function) == 0;
}

/* The block of the first instruction that has one, from `from` up to `end`, or else backwards; BLOCK_NONE: none. */
static uint32_t block_after(const struct reader *r, size_t from, size_t end)
{
    while (from < end && r->code.at[from].block == BLOCK_NONE)
        from++;
    return from < end ? r->code.at[from].block : BLOCK_NONE;
}

static uint32_t block_before(const struct reader *r, size_t from, size_t first)
{
    while (from > first && r->code.at[from - 1].block == BLOCK_NONE)
        from--;
    return from > first ? r->code.at[from - 1].block : BLOCK_NONE;
}

/* Adds instructions first ... end - 1, which are executed together. Code of the same function is around them, up to
 * `last`. */
static void add_run(const struct reader *r, size_t first, size_t end, size_t last, uint64_t *cycles,
                    uint64_t *elsewhere)
{
    size_t function = BLOCK_NONE;
    map_get(&r->functions, r->code.at[first].function, &function);
    for (size_t i = first; i < end; i++) {
        uint32_t block = block_after(r, i, end);
        if (block == BLOCK_NONE)
            block = block_before(r, i, first);
        if (block == BLOCK_NONE)
            block = block_after(r, end, last);
        block = block == BLOCK_NONE ? (uint32_t)function : block;
        *(block != BLOCK_NONE ? &cycles[block] : elsewhere) += r->code.at[i].cycles;
    }
}

/* The end of the code that follows `first` in its function without a gap. */
static size_t end_of_code(const struct reader *r, size_t first)
{
    while (first + 1 < r->code.n && follows(&r->code.at[first], &r->code.at[first + 1]))
        first++;
    return first + 1;
}

static void add_all(const struct reader *r, uint64_t *cycles, uint64_t *elsewhere)
{
    for (size_t first = 0, last; first < r->code.n; first = last) {
        last = end_of_code(r, first);
        for (size_t from = first, end; from < last; from = end) {
            for (end = from + 1; end < last && r->code.at[end].executions == r->code.at[from].executions;)
                end++;
            add_run(r, from, end, last, cycles, elsewhere);
        }
    }
}

enum status measured_read(uint64_t *cycles, uint64_t *elsewhere, const struct blocks *b, const struct assignment *parts,
                          const char *path, struct error *e)
{
    struct reader r = {.b = b, .parts = parts};
    *elsewhere = 0;
    enum status s = read_table(&r, path, e);
    if (!s) {
        know_lines(&r);
        know_functions(&r);
        find_lines(&r);
    }
    if (!s)
        add_all(&r, cycles, elsewhere);
    map_release(&r.functions);
    map_release(&r.lines);
    vec_release(&r.code);
    csv_free(r.table);
    return s;
}
