/* line_cycles.c - finds which code is the program's own (it has source lines), and the lines of executed code. */
#include "shimgen/profile/line_cycles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/file.h"
#include "shimgen/estimate/compiled/compiled_elf.h"
#include "shimgen/profile/source_lines.h"

struct line_cycles {
    char *program;
    char *folder, *own, *cycles; /* files for the simulator */
    struct elf elf;
};

/* ---- before the run ---- */

/* Adds functions with source lines in ascending order, each address once. */
static void add_own(struct str *to, const struct elf *elf, const struct source_line *lines)
{
    uint64_t beyond = 0;
    for (size_t i = 0; i < elf->n_functions; i++) {
        const struct elf_function *f = &elf->functions[i];
        uint64_t from = f->address > beyond ? f->address : beyond, end = f->address + f->size;
        if (!lines[i].file || end <= from)
            continue;
        str_addf(to, "%" PRIx64 " %" PRIx64 "\n", from, end);
        beyond = end;
    }
}

static enum status write_own(const struct line_cycles *l, struct error *e)
{
    size_t n = l->elf.n_functions;
    uint64_t *starts = xcalloc(n + 1, sizeof *starts);
    struct source_line *lines = xcalloc(n + 1, sizeof *lines);
    struct str text = STR_INIT;
    for (size_t i = 0; i < n; i++)
        starts[i] = l->elf.functions[i].address;
    enum status s = source_lines(lines, l->program, starts, n, e);
    if (!s) {
        add_own(&text, &l->elf, lines);
        s = file_write(l->own, str_text(&text), text.len, e);
    }
    str_release(&text);
    source_lines_release(lines, n);
    free(lines);
    free(starts);
    return s;
}

enum status line_cycles_open(struct line_cycles **out, struct runner *place, const char *program, struct error *e)
{
    struct line_cycles *l = xcalloc(1, sizeof *l);
    l->program = xstrdup(program);
    enum status s = elf_read(&l->elf, program, e);
    if (!s)
        s = temp_directory(&l->folder, "shimgen-cycles", e);
    if (!s) {
        l->own = path_join(l->folder, "own");
        l->cycles = path_join(l->folder, "cycles");
        s = write_own(l, e);
    }
    if (!s)
        s = runner_cycles(place, l->own, l->cycles, e);
    if (s) {
        line_cycles_close(l);
        l = 0;
    }
    *out = l;
    return s;
}

/* ---- after the run ---- */

/* A line written by the simulator. */
struct counted {
    uint64_t address, executions;
    int64_t cycles, called;
    const char *region; /* points into the text */
};
typedef VEC(struct counted) counts;

/* Splits the text in place. */
static enum status parse(counts *to, char *text, const char *path, struct error *e)
{
    for (char *at = text, *end; at && *at; at = end + 1) {
        struct counted c = {0};
        int read = 0;
        end = strchr(at, '\n');
        if (end)
            *end = 0;
        if (!end ||
            sscanf(at, "%" SCNx64 " %" SCNu64 " %" SCNd64 " %" SCNd64 " %n", &c.address, &c.executions, &c.cycles,
                   &c.called, &read) != 4 ||
            !read)
            return error_set(e, ERR_INPUT, AT_FILE(path), "the simulator's table of cycles is cut short or damaged");
        c.region = at + read;
        vec_push(to, c);
    }
    return OK;
}

static void put(const struct line_cycles *l, const char *name, const struct counted *c, const struct source_line *line,
                FILE *f)
{
    const struct elf_function *function = elf_function_at(&l->elf, c->address);
    csv_put(f, name);
    fputc(',', f);
    csv_put(f, c->region);
    fprintf(f, ",0x%" PRIx64 ",", c->address);
    csv_put(f, function ? function->name : "");
    fputc(',', f);
    csv_put(f, line->file ? line->file : "");
    fprintf(f, ",%u,%" PRIu64 ",%" PRId64 ",%" PRId64 "\n", line->line, c->executions, c->cycles, c->called);
}

void line_cycles_header(FILE *f)
{
    fputs("program,region,address,function,file,line,executions,cycles,called\n", f);
}

static enum status put_all(const struct line_cycles *l, const char *name, const counts *all, FILE *f, struct error *e)
{
    uint64_t *addresses = xcalloc(all->n + 1, sizeof *addresses);
    struct source_line *lines = xcalloc(all->n + 1, sizeof *lines);
    for (size_t i = 0; i < all->n; i++)
        addresses[i] = all->at[i].address;
    enum status s = source_lines(lines, l->program, addresses, all->n, e);
    for (size_t i = 0; !s && i < all->n; i++)
        put(l, name, &all->at[i], &lines[i], f);
    source_lines_release(lines, all->n);
    free(lines);
    free(addresses);
    return s;
}

enum status line_cycles_add(const struct line_cycles *l, const char *name, FILE *f, struct error *e)
{
    struct str text = STR_INIT;
    counts all = {0};
    enum status s = file_read(&text, l->cycles, FILE_LIMIT, e);
    if (!s)
        s = parse(&all, text.s, l->cycles, e);
    if (!s)
        s = put_all(l, name, &all, f, e);
    vec_release(&all);
    str_release(&text);
    return s;
}

void line_cycles_close(struct line_cycles *l)
{
    struct error ignored = ERROR_INIT;
    if (!l)
        return;
    if (l->folder) {
        (void)!remove_tree(l->folder, &ignored);
        cleanup_remove(l->folder);
    }
    error_release(&ignored);
    elf_release(&l->elf);
    free(l->own);
    free(l->cycles);
    free(l->folder);
    free(l->program);
    free(l);
}
