/* assign.c - assigns each part of a profile to a block, system or function. */
#include "shimgen/blocks/assign.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "shimgen/blocks/block_names.h"
#include "shimgen/estimate/source_files.h"

/* ---- sources ---- */

/* Is it the file that was compiled? A changed file is an error, or a note if lines are to be trusted. */
static enum status check_source(enum source_state *state, struct blocks *b, size_t file, const char *path,
                                struct error *e)
{
    static const char
        differs[] = "is not the file that was compiled (its MD5 is not the one in the program's debug information): "
                    "its lines may belong to other code",
        mixed[] = "was changed between compilations of the program's modules: its lines may belong to other code",
        newer[] = "was changed after the profile was written: its lines may have changed";
    const struct irprof_profile *p = b->request->profile;
    enum status s = source_compare(state, p, file, path, e);
    const char *what = s ? 0 : *state == SOURCE_CHANGED ? differs : *state == SOURCE_MIXED ? mixed : 0;
    if (what && !b->request->changed_sources)
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "%s; build the program and run it again, give that file's folder with --sources DIR, or trust "
                         "its lines with --changed-sources",
                         what);
    if (!s && *state == SOURCE_NEWER)
        what = newer;
    if (what)
        vec_push(&b->notes, xasprintf("source '%s' %s", path, what));
    return s;
}

/* A source file of the profile. */
struct file {
    uint32_t source; /* index in the tree, or BLOCK_NONE */
    enum source_state state;
    bool noted; /* it was noted that it has code outside its known functions */
};

static bool same_place(const char *a, const char *b)
{
    char *x = source_plain(a), *y = source_plain(b);
    bool same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

/* Checks files of the profile that were found at the same place. Two spellings of one path are one source. If several
 * folders have sources of one name, the file is at most one of them. */
static enum status check_found(struct file *files, const struct blocks *b, size_t i, const char *path, struct error *e)
{
    const struct irprof_profile *p = b->request->profile;
    enum status s = OK;
    char *plain = source_plain(p->files[i]);
    for (size_t k = 0; k < i && !s && files[i].source == BLOCK_NONE; k++) {
        if (files[k].source == BLOCK_NONE || !same_place(b->tree.sources.at[files[k].source].path, path))
            continue;
        char *other = source_plain(p->files[k]);
        if (strcmp(plain, other) == 0)
            files[i] = files[k];
        else
            s = error_set(
                e, ERR_INPUT, AT_FILE(path),
                "was found for two sources of the program, '%s' and '%s': give a folder with --sources DIR in "
                "which they are in folders of these names",
                p->files[k], p->files[i]);
        free(other);
    }
    free(plain);
    return s;
}

static enum status add_source(struct file *files, struct blocks *b, size_t i, const char *path, struct error *e)
{
    enum status s = check_found(files, b, i, path, e);
    if (s || files[i].source != BLOCK_NONE)
        return s;
    s = check_source(&files[i].state, b, i, path, e);
    if (!s)
        s = tree_add(&b->tree, path, e);
    files[i].source = (uint32_t)b->tree.sources.n - 1;
    return s;
}

static enum status read_sources(struct file *files, struct blocks *b, const bool *needed, struct error *e)
{
    const struct irprof_profile *p = b->request->profile;
    size_t wanted = 0;
    enum status s = OK;
    for (size_t i = 0; i < p->n_files && !s; i++) {
        files[i].source = BLOCK_NONE;
        if (!needed[i])
            continue;
        wanted++;
        char *path = source_find(p->files[i], b->request->folder);
        if (!path) {
            vec_push(
                &b->notes,
                xasprintf(
                    "source '%s' does not exist: its code is shown by function; give its folder with --sources DIR",
                    p->files[i]));
            continue;
        }
        s = add_source(files, b, i, path, e);
        free(path);
    }
    if (!s && !wanted)
        return error_set(e, ERR_INPUT, AT_FILE(p->path), "has no source lines: compile the program with -g");
    if (!s && !b->tree.sources.n && b->request->by != BLOCKS_BY_FUNCTION)
        return error_set(e, ERR_INPUT, AT_FILE(p->path),
                         "none of its sources exists (the first is '%s'): give their folder with --sources DIR",
                         p->files[0]);
    return s;
}

/* Reads headers without code: they may contain the names of systems. */
static void read_headers(struct blocks *b)
{
    const struct irprof_profile *p = b->request->profile;
    for (size_t i = 0; i < p->n_files; i++) {
        const char *dot = strrchr(path_basename(p->files[i]), '.');
        char *path = dot && (dot[1] == 'h' || dot[1] == 'H') ? source_find(p->files[i], b->request->folder) : 0;
        if (path)
            system_header(&b->tree, path);
        free(path);
    }
}

/* Marks the files that contain code. */
static bool *needed_files(const struct irprof_profile *p)
{
    bool *needed = xcalloc(p->n_files, sizeof *needed);
    for (size_t i = 0; i < p->n_parts; i++)
        if (p->parts[i].file != IRPROF_NONE && p->parts[i].line)
            needed[p->parts[i].file] = true;
    return needed;
}

/* ---- parts ---- */

struct assigner {
    struct blocks *b;
    const struct irprof_profile *p;
    struct file *files;
    struct assignment *out;
    char *strange;    /* owned; first place with code outside all known functions; NULL: none */
    size_t n_strange; /* number of sources with such code */
};

/* The tree's function for a function of the profile, or BLOCK_NONE. */
static uint32_t tree_function_of(const struct assigner *a, uint32_t function)
{
    const struct irprof_function *f = &a->p->functions[function];
    uint32_t source = f->file == IRPROF_NONE ? BLOCK_NONE : a->files[f->file].source;
    size_t n = strcspn(f->name, "."); /* "filter.1", "filter.specialized.2": copies by the optimiser */
    if (source == BLOCK_NONE)
        return BLOCK_NONE;
    char *name = xstrndup(f->name, n);
    uint32_t number = tree_find_function(&a->b->tree, source, name, f->line);
    free(name);
    return number;
}

static uint32_t function_block(const struct assigner *a, uint32_t function)
{
    uint32_t number = a->b->request->by == BLOCKS_BY_FUNCTION ? BLOCK_NONE : tree_function_of(a, function);
    if (number != BLOCK_NONE)
        return a->b->tree.functions.at[number].block;
    const struct irprof_function *f = &a->p->functions[function];
    return tree_block(&a->b->tree, BLOCK_FUNCTION, "function", a->p->modules[f->module].name, f->name);
}

/* Assigns code on a line where the source has no code. If the file is not known to have changed, its braces probably
 * were not understood: C++, or macros that begin functions. */
static enum status assign_strange(struct assigner *a, uint32_t k, uint32_t function, struct error *e)
{
    const struct irprof_part *part = &a->p->parts[k];
    struct file *file = &a->files[part->file];
    const char *path = a->b->tree.sources.at[file->source].path, *name = a->p->functions[function].name;
    if (file->state != SOURCE_SAME && file->state != SOURCE_UNKNOWN)
        return error_set(e, ERR_INPUT, AT(path, part->line),
                         "the profile has code of function '%s' here, and the source has none: the source was changed "
                         "since the program was built, or the profile is another build's; build and run it again",
                         name);
    if (!a->n_strange)
        a->strange =
            xasprintf("%s:%u: code of '%s' is in no function that was found in this source", path, part->line, name);
    a->n_strange += !file->noted;
    file->noted = true;
    a->out->block[k] = function_block(a, function);
    return OK;
}

static void note_strange(struct assigner *a)
{
    struct str others = STR_INIT;
    if (a->n_strange > 1)
        str_addf(&others, " (and so in %zu other sources)", a->n_strange - 1);
    if (a->n_strange)
        vec_push(&a->b->notes,
                 xasprintf("%s%s: unusual C++, macros that begin functions, or another build's profile; such "
                           "code counts as its functions', without blocks",
                           a->strange, str_text(&others)));
    free(a->strange);
    str_release(&others);
}

/* Assigns a part that has a line, if its source was found. */
static enum status assign_lined(struct assigner *a, uint32_t k, uint32_t function, struct error *e)
{
    const struct irprof_part *part = &a->p->parts[k];
    const struct tree_source *source = &a->b->tree.sources.at[a->files[part->file].source];
    const struct tree_line *line = tree_line(source, part->line);
    if (!line)
        return assign_strange(a, k, function, e);
    uint32_t own = tree_function_of(a, function);
    a->out->block[k] = line->block;
    a->out->nest[k] = line->nest;
    a->out->inlined[k] = own != line->function;
    a->out->line[k] = own == line->function ? line : 0;
    return OK;
}

/* Assigns the parts of a basic block that have no line: segments from `first` up to `end`. */
static void assign_merged(const struct assigner *a, size_t first, size_t end)
{
    const struct irprof_segment *s = a->p->segments;
    uint32_t only = BLOCK_NONE, nest = BLOCK_NONE;
    bool several = false;
    for (size_t i = first; i < end; i++) {
        for (uint32_t k = s[i].first_part; k < s[i].first_part + s[i].n_parts; k++) {
            if (a->out->merged[k])
                continue;
            several |= only != BLOCK_NONE && only != a->out->block[k];
            only = a->out->block[k];
            nest = a->out->nest[k];
        }
    }
    if (only == BLOCK_NONE || several) {
        only = function_block(a, s[first].function);
        nest = BLOCK_NONE;
    }
    for (size_t i = first; i < end; i++)
        for (uint32_t k = s[i].first_part; k < s[i].first_part + s[i].n_parts; k++)
            if (a->out->merged[k]) {
                a->out->block[k] = only;
                a->out->nest[k] = nest;
            }
}

static enum status assign_segment(struct assigner *a, size_t i, struct error *e)
{
    const struct irprof_segment *segment = &a->p->segments[i];
    enum status s = OK;
    for (uint32_t k = segment->first_part; k < segment->first_part + segment->n_parts && !s; k++) {
        const struct irprof_part *part = &a->p->parts[k];
        a->out->merged[k] = !part->line || part->file == IRPROF_NONE;
        if (!a->out->merged[k] && a->files[part->file].source != BLOCK_NONE)
            s = assign_lined(a, k, segment->function, e);
        else if (!a->out->merged[k])
            a->out->block[k] = function_block(a, segment->function);
        if (!s && a->b->request->by == BLOCKS_BY_FUNCTION) {
            a->out->block[k] = function_block(a, segment->function);
            a->out->nest[k] = BLOCK_NONE;
        }
    }
    return s;
}

static enum status assign_parts(struct assigner *a, struct error *e)
{
    const struct irprof_segment *s = a->p->segments;
    enum status status = OK;
    for (size_t first = 0, end; first < a->p->n_segments && !status; first = end) {
        for (end = first; end < a->p->n_segments && s[end].function == s[first].function &&
                          s[end].block == s[first].block && !status;
             end++)
            status = assign_segment(a, end, e);
        if (!status)
            assign_merged(a, first, end);
    }
    return status;
}

/* ---- calls ---- */

static void assign_call(struct assigner *a, size_t i)
{
    const struct irprof_call *call = &a->p->calls[i];
    uint32_t function = a->p->segments[call->segment].function;
    uint32_t source = call->file == IRPROF_NONE ? BLOCK_NONE : a->files[call->file].source;
    const struct tree_line *line =
        source == BLOCK_NONE || !call->line ? 0 : tree_line(&a->b->tree.sources.at[source], call->line);
    bool lines = line && a->b->request->by != BLOCKS_BY_FUNCTION;
    a->out->call_nest[i] = lines ? line->calls : BLOCK_NONE;
    a->out->call_block[i] = lines ? a->b->tree.nests.at[line->calls].block : a->out->function[function];
}

static void assign_calls(struct assigner *a)
{
    for (uint32_t i = 0; i < a->p->n_functions; i++)
        a->out->function[i] = function_block(a, i);
    for (size_t i = 0; i < a->p->n_calls; i++)
        assign_call(a, i);
}

/* ---- systems ---- */

static uint32_t *own_rows(const struct blocks *b)
{
    uint32_t *row = xcalloc(b->tree.blocks.n, sizeof *row);
    for (uint32_t i = 0; i < b->tree.blocks.n; i++)
        row[i] = i;
    return row;
}

/* The row in which each block is counted: its own, or its system's. */
static void join_systems(struct blocks *b, struct assignment *out)
{
    size_t n = b->tree.blocks.n;
    uint32_t *row = out->row;
    for (uint32_t i = 0; i < n; i++) {
        const struct block *block = &b->tree.blocks.at[i];
        if (!block->system)
            continue;
        char *model = xstrdup(block->model), *system = xstrdup(block->system);
        row[i] = tree_block(&b->tree, BLOCK_SYSTEM, "system", model, system);
        b->tree.blocks.at[row[i]].qualified = strncmp(system, "<", 1) == 0;
        free(model);
        free(system);
    }
    for (size_t k = 0; k < b->request->profile->n_parts; k++)
        out->block[k] = row[out->block[k]];
    out->row = xreallocarray(out->row, b->tree.blocks.n, sizeof *out->row);
    for (uint32_t i = (uint32_t)n; i < b->tree.blocks.n; i++)
        out->row[i] = i; /* the systems' own rows */
}

enum status assign(struct assignment *out, struct blocks *b, struct error *e)
{
    const struct irprof_profile *p = b->request->profile;
    struct assigner a = {.b = b, .p = p, .files = xcalloc(p->n_files, sizeof *a.files), .out = out};
    *out = (struct assignment){.block = xcalloc(p->n_parts, sizeof *out->block),
                               .merged = xcalloc(p->n_parts, sizeof *out->merged),
                               .inlined = xcalloc(p->n_parts, sizeof *out->inlined),
                               .nest = xcalloc(p->n_parts, sizeof *out->nest),
                               .call_nest = xcalloc(p->n_calls, sizeof *out->call_nest),
                               .call_block = xcalloc(p->n_calls, sizeof *out->call_block),
                               .function = xcalloc(p->n_functions, sizeof *out->function),
                               .line = xcalloc(p->n_parts, sizeof *out->line)};
    for (size_t k = 0; k < p->n_parts; k++)
        out->nest[k] = BLOCK_NONE;
    bool *needed = needed_files(p);
    enum status s = read_sources(a.files, b, needed, e);
    if (!s) {
        read_headers(b);
        systems_name(&b->tree);
        tree_finish(&b->tree);
        system_note_unnamed(&b->tree);
        s = assign_parts(&a, e);
    }
    note_strange(&a);
    if (!s) {
        assign_calls(&a);
        out->row = own_rows(b);
    }
    if (!s && b->request->by == BLOCKS_BY_SYSTEM)
        join_systems(b, out);
    free(needed);
    free(a.files);
    return s;
}

void assignment_release(struct assignment *a)
{
    free(a->block);
    free(a->merged);
    free(a->inlined);
    free(a->line);
    free(a->nest);
    free(a->call_nest);
    free(a->call_block);
    free(a->function);
    free(a->row);
    *a = (struct assignment){0};
}
