/* A module's description, as describe.c wrote it. Every number is checked before it is used. */
#include <stdlib.h>
#include <string.h>

#include "irprof/format.h"
#include "irprof/profile.h"

struct reader {
    const unsigned char *at, *end;
    const char *wrong; /* the first thing that was; NULL so far */
    const char *path;
};

static uint64_t fail(struct reader *r, const char *what)
{
    if (!r->wrong)
        r->wrong = what;
    r->at = r->end;
    return 0;
}

/* LEB128, at most 64 bits. */
static uint64_t number(struct reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0; r->at < r->end; shift += 7) {
        unsigned char byte = *r->at++;
        if (shift > 63 || (shift == 63 && byte > 1))
            return fail(r, "a number is too large");
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return v;
    }
    return fail(r, "it ends in the middle");
}

static uint64_t below(struct reader *r, uint64_t limit, const char *what)
{
    uint64_t v = number(r);
    return r->wrong || v < limit ? v : fail(r, what);
}

/* A number of things of which each takes at least one byte. */
static size_t amount(struct reader *r)
{
    uint64_t v = number(r);
    if (v > (uint64_t)(r->end - r->at))
        return (size_t)fail(r, "it ends in the middle");
    return (size_t)v;
}

/* The caller frees; NULL when something is wrong. */
static char *text(struct reader *r)
{
    size_t n = amount(r);
    if (r->wrong)
        return 0;
    const char *s = (const char *)r->at;
    if (memchr(s, 0, n)) {
        fail(r, "a name has a NUL byte");
        return 0;
    }
    r->at += n;
    return xstrndup(s, n);
}

/* A table of names: to[i] is the number that name i has in `names`. The caller frees. */
static size_t *name_table(struct reader *r, struct map *names, size_t *n)
{
    *n = amount(r);
    size_t *to = xcalloc(*n, sizeof *to);
    for (size_t i = 0; i < *n && !r->wrong; i++) {
        char *s = text(r);
        if (s && !*s)
            fail(r, "a name is empty");
        else if (s)
            to[i] = map_number(names, s);
        free(s);
    }
    return to;
}

static void read_values(struct reader *r, struct profile_values *v)
{
    size_t n = amount(r);
    for (size_t i = 0; i < n && !r->wrong; i++) {
        struct profile_derived d = {v->terms.n, amount(r)};
        for (size_t k = 0; k < d.n_terms && !r->wrong; k++) {
            uint64_t term = below(r, 2 * (uint64_t)(v->n_counters + i), "a value follows from a later one");
            vec_push(&v->terms, (struct profile_term){(size_t)(term / 2), term & 1});
        }
        vec_push(&v->derived, d);
    }
}

/* What the numbers in the module mean in the profile. */
struct tables {
    size_t *keys, *files;
    size_t n_keys, n_files, n_values;
};

static uint32_t read_file(struct reader *r, const struct tables *t)
{
    uint64_t file = below(r, t->n_files + 1, "there is no such file");
    return file && !r->wrong ? (uint32_t)t->files[file - 1] : IRPROF_NONE;
}

static uint32_t read_u32(struct reader *r)
{
    return (uint32_t)below(r, UINT32_MAX, "a number is too large");
}

static void read_part(struct reader *r, struct profile_builder *b, const struct tables *t)
{
    struct irprof_part part = {.file = read_file(r, t), .line = read_u32(r), .first_item = (uint32_t)b->items.n};
    part.n_items = (uint32_t)amount(r);
    for (size_t i = 0; i < part.n_items && !r->wrong; i++) {
        size_t key = (size_t)below(r, t->n_keys, "there is no such key");
        uint32_t times = read_u32(r);
        if (!r->wrong)
            vec_push(&b->items, (struct irprof_item){(uint32_t)t->keys[key], times});
    }
    vec_push(&b->parts, part);
}

static void read_segment(struct reader *r, struct profile_builder *b, const struct tables *t,
                         const struct irprof_segment *before)
{
    struct irprof_segment s = {.function = (uint32_t)b->functions.n, .block = read_u32(r), .number = read_u32(r)};
    size_t value = (size_t)below(r, t->n_values, "there is no such value");
    s.first_part = (uint32_t)b->parts.n;
    s.n_parts = (uint32_t)amount(r);
    if (before && (s.block < before->block || (s.block == before->block && s.number <= before->number)))
        fail(r, "its segments are out of order");
    for (size_t i = 0; i < s.n_parts && !r->wrong; i++)
        read_part(r, b, t);
    vec_push(&b->segments, s);
    vec_push(&b->values, value);
}

static void read_function(struct reader *r, struct profile_builder *b, const struct tables *t)
{
    struct irprof_function f = {.name = text(r), .module = (uint32_t)b->modules.n};
    f.file = read_file(r, t);
    f.line = read_u32(r);
    f.not_counted = text(r);
    if (f.not_counted && !*f.not_counted) {
        free(f.not_counted);
        f.not_counted = 0;
    }
    size_t n = amount(r);
    for (size_t i = 0; i < n && !r->wrong; i++) {
        struct irprof_segment before = i ? b->segments.at[b->segments.n - 1] : (struct irprof_segment){0};
        read_segment(r, b, t, i ? &before : 0);
    }
    vec_push(&b->functions, f);
}

enum status description_parse(struct profile_builder *b, const struct container_module *m, struct error *e)
{
    struct reader r = {m->description, m->description + m->description_size, 0, b->path};
    struct irprof_module module = {.build_id = m->build_id};
    struct profile_values values = {.n_counters = m->n_counters};
    struct tables t = {0};
    if (m->description_size > UINT32_MAX - 1 || b->parts.n + m->description_size > UINT32_MAX - 1)
        fail(&r, "it is too large");
    if (below(&r, 128, "it has another version") != FORMAT_DESCRIPTION_VERSION)
        fail(&r, "it has another version");
    module.counters =
        below(&r, 2, "it has an unknown flag") & FORMAT_ATOMIC ? IRPROF_COUNTERS_ATOMIC : IRPROF_COUNTERS_PLAIN;
    module.name = text(&r);
    module.target = text(&r);
    if (number(&r) != m->n_counters)
        fail(&r, "it has another number of counters than the file");
    read_values(&r, &values);
    t.n_values = values.n_counters + values.derived.n;
    t.keys = name_table(&r, &b->keys, &t.n_keys);
    t.files = name_table(&r, &b->files, &t.n_files);
    size_t n = amount(&r);
    for (size_t i = 0; i < n && !r.wrong; i++)
        read_function(&r, b, &t);
    if (!r.wrong && r.at != r.end)
        fail(&r, "there is more in it than it announces");
    vec_push(&b->modules, module);
    vec_push(&b->module_values, values);
    free(t.keys);
    free(t.files);
    if (r.wrong)
        return error_set(e, ERR_INPUT, AT_FILE(b->path), "a damaged profile: in the description of module %zu: %s",
                         b->modules.n, r.wrong);
    return OK;
}
