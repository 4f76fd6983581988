/* container.c - reads and writes the container of profiles: modules, regions and their counters. */
#include "irprof/profile/container.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "irprof/profile/format.h"
#include "irprof/irprof.h"
#include "irprof/profile/footprint_section.h"
#include "irprof/profile/traffic_section.h"
#include "irprof/profile/windows_section.h"

/* Largest numbers of modules and regions that are read. They guard against made-up files. */
enum { LIMIT = 20000 };

static enum status damaged(const struct container *c, const char *what, struct error *e)
{
    return error_set(e, ERR_INPUT, AT_FILE(c->path), "a damaged profile: %s; run the program again", what);
}

/* Checks marks, version, length and checksum. The bytes are then what a writer wrote. */
static enum status check_whole(const struct container *c, struct error *e)
{
    const char *b = c->bytes.s;
    size_t n = c->bytes.len;
    struct loc at = AT_FILE(c->path);
    if (n < FORMAT_MARK_SIZE || memcmp(b, FORMAT_MAGIC, FORMAT_MARK_SIZE) != 0) {
        if (n < FORMAT_MARK_SIZE && memcmp(str_text(&c->bytes), FORMAT_MAGIC, n) == 0)
            return error_set(e, ERR_INPUT, at, "a truncated profile: it has %zu bytes; run the program again", n);
        return error_set(e, ERR_INPUT, at, "not a profile: give the file that an instrumented program wrote");
    }
    if (n >= 12 && cursor_u32(b + 8) != FORMAT_VERSION)
        return error_set(e, ERR_INPUT, at,
                         "a profile of format %u, this irprof reads format %d: build and run the program with the same "
                         "version",
                         cursor_u32(b + 8), FORMAT_VERSION);
    if (n < FORMAT_HEADER_SIZE + FORMAT_TRAILER_SIZE)
        return error_set(e, ERR_INPUT, at, "a truncated profile: it has %zu bytes; run the program again", n);
    uint64_t length = cursor_u64(b + 32);
    if (length > n)
        return error_set(e, ERR_INPUT, at, "a truncated profile: it has %zu bytes of %llu; run the program again", n,
                         (unsigned long long)length);
    if (length < n)
        return damaged(c, "it continues after its end", e);
    if (memcmp(b + n - FORMAT_MARK_SIZE, FORMAT_END_MARK, FORMAT_MARK_SIZE) != 0)
        return damaged(c, "its end mark is missing", e);
    if (cursor_u64(b + n - FORMAT_TRAILER_SIZE) != hash_bytes(FORMAT_HASH_START, b, n - FORMAT_TRAILER_SIZE))
        return damaged(c, "its checksum is wrong", e);
    return OK;
}

/* Adds src to dst. Returns false on overflow. */
static bool add_counts(uint64_t *dst, const uint64_t *src, size_t n)
{
    bool fits = true;
    for (size_t i = 0; i < n; i++)
        fits &= !__builtin_add_overflow(dst[i], src[i], &dst[i]);
    return fits;
}

static size_t find_module(const struct container *c, uint64_t build_id)
{
    for (size_t i = 0; i < c->n_modules; i++)
        if (c->modules[i].build_id == build_id)
            return i;
    return c->n_modules;
}

/* Reads the counters of all modules in file order into `counts`. */
static enum status read_counts(struct container *c, struct cursor *at, const struct container_slot *slots,
                               size_t n_slots, uint64_t *counts, struct error *e)
{
    for (size_t i = 0; i < n_slots; i++) {
        const char *bytes = cursor_take(at, (uint64_t)slots[i].n * 8);
        if (!bytes)
            return damaged(c, "its counters are missing", e);
        uint64_t *to = counts + slots[i].to;
        for (size_t k = 0; k < slots[i].n; k++)
            if (__builtin_add_overflow(to[k], cursor_u64(bytes + 8 * k), &to[k]))
                return damaged(c, "its counts are too large to add", e);
    }
    return OK;
}

static enum status read_module(struct container *c, struct cursor *at, struct container_slot *slot,
                               const char **counters, struct error *e)
{
    const char *head = cursor_take(at, FORMAT_MODULE_SIZE);
    uint64_t size = head ? cursor_u64(head + 8) : 0, n = head ? cursor_u64(head + 16) : 0;
    const char *description = head ? cursor_take(at, size) : 0;
    if (!description || n > at->left / 8)
        return damaged(c, "a module is larger than the file", e);
    *counters = cursor_take(at, n * 8);
    struct container_module m = {.build_id = cursor_u64(head),
                                 .description = (const unsigned char *)description,
                                 .description_size = (size_t)size,
                                 .first_counter = c->n_counters,
                                 .n_counters = (size_t)n};
    if (m.build_id != hash_bytes(FORMAT_HASH_START, description, m.description_size))
        return damaged(c, "a module's description is not the one it was built with", e);
    *slot = (struct container_slot){.module = find_module(c, m.build_id), .n = m.n_counters};
    if (slot->module == c->n_modules) {
        c->modules[c->n_modules++] = m;
        c->n_counters += m.n_counters;
    } else if (c->modules[slot->module].n_counters != m.n_counters) {
        return damaged(c, "a module has two numbers of counters", e);
    }
    return OK;
}

static enum status read_modules(struct container *c, struct cursor *at, uint32_t n, struct container_slot *slots,
                                struct error *e)
{
    const char **counters = xcalloc(n, sizeof *counters);
    enum status s = OK;
    for (uint32_t i = 0; i < n && !s; i++)
        s = read_module(c, at, &slots[i], &counters[i], e);
    c->counts = xcalloc(c->n_counters, sizeof *c->counts);
    for (uint32_t i = 0; i < n && !s; i++) {
        slots[i].from = i ? slots[i - 1].from + slots[i - 1].n : 0;
        slots[i].to = c->modules[slots[i].module].first_counter;
        struct cursor one = {counters[i], slots[i].n * 8};
        s = read_counts(c, &one, &slots[i], 1, c->counts, e);
    }
    free(counters);
    return s;
}

/* `names`: of the regions so far. */
static enum status read_region(struct container *c, struct cursor *at, const struct container_slot *slots,
                               size_t n_slots, struct map *names, struct error *e)
{
    const char *head = cursor_take(at, FORMAT_REGION_SIZE);
    const char *name = head ? cursor_take(at, cursor_u32(head)) : 0;
    if (!name)
        return damaged(c, "a region is larger than the file", e);
    if (memchr(name, 0, cursor_u32(head)))
        return damaged(c, "a region's name has a NUL byte", e);
    if (cursor_u32(head + 4) & ~(uint32_t)IRPROF_FLAW_ALL)
        return damaged(c, "a region has an unknown flaw", e);
    struct container_region *r = &c->regions[c->n_regions++];
    *r = (struct container_region){xstrndup(name, cursor_u32(head)), cursor_u32(head + 4), cursor_u64(head + 8), 0};
    if (map_number(names, r->name) != c->n_regions - 1)
        return damaged(c, "it contains a region twice", e);
    if (c->n_counters > at->left / 8)
        return damaged(c, "a region's counters are missing", e);
    r->counts = xcalloc(c->n_counters, sizeof *r->counts);
    return read_counts(c, at, slots, n_slots, r->counts, e);
}

static enum status read_body(struct container *c, struct error *e)
{
    const char *b = c->bytes.s;
    struct cursor at = {b + FORMAT_HEADER_SIZE, c->bytes.len - FORMAT_HEADER_SIZE - FORMAT_TRAILER_SIZE};
    uint32_t n_modules = cursor_u32(b + 20), n_regions = cursor_u32(b + 24);
    c->end = cursor_u32(b + 12) & FORMAT_END_MASK;
    c->once = (cursor_u32(b + 12) & ~FORMAT_SECTIONS) >> FORMAT_ONCE_SHIFT;
    c->end_signal = cursor_u32(b + 16);
    c->runs = cursor_u64(b + 40);
    const char *name = cursor_take(&at, cursor_u32(b + 28));
    if (!name || memchr(name, 0, cursor_u32(b + 28)))
        return damaged(c, "the program's name is wrong", e);
    c->program = xstrndup(name, cursor_u32(b + 28));
    if (n_modules > at.left / FORMAT_MODULE_SIZE || n_regions > at.left / FORMAT_REGION_SIZE)
        return damaged(c, "it has room for fewer modules and regions than it announces", e);
    if (n_modules > LIMIT || n_regions > LIMIT)
        return error_set(e, ERR_INPUT, AT_FILE(c->path),
                         "%u modules and %u regions: more than %d of either are not read", n_modules, n_regions, LIMIT);
    if (c->end >= IRPROF_END_N || c->once >= FORMAT_ONCE_N || c->runs == 0)
        return damaged(c, "its head is wrong", e);
    struct container_slot *slots = xcalloc(n_modules, sizeof *slots);
    c->modules = xcalloc(n_modules, sizeof *c->modules);
    c->regions = xcalloc(n_regions, sizeof *c->regions);
    struct map names = {0};
    enum status s = read_modules(c, &at, n_modules, slots, e);
    for (uint32_t i = 0; i < n_regions && !s; i++)
        s = read_region(c, &at, slots, n_modules, &names, e);
    map_release(&names);
    const char *wrong = !s && cursor_u32(b + 12) & FORMAT_TRAFFIC ? traffic_read(&c->traffic, &at) : 0;
    if (!s && !wrong && cursor_u32(b + 12) & FORMAT_WINDOWS)
        wrong = windows_read(&c->windows, &at, slots, n_modules);
    if (!s && !wrong && cursor_u32(b + 12) & FORMAT_FOOTPRINT)
        wrong = footprint_read(&c->footprint, &at, slots, n_modules);
    free(slots);
    if (wrong)
        s = damaged(c, wrong, e);
    if (!s && at.left)
        s = damaged(c, "there is more in it than it announces", e);
    return s;
}

enum status container_parse(struct container *c, struct str *bytes, const char *path, struct error *e)
{
    *c = (struct container){.path = path, .bytes = *bytes};
    *bytes = (struct str)STR_INIT;
    enum status s = check_whole(c, e);
    if (!s)
        s = read_body(c, e);
    if (s)
        container_release(c);
    return s;
}

enum status container_read(struct container *c, const char *path, struct error *e)
{
    struct str bytes = STR_INIT;
    enum status s = file_read(&bytes, path, FILE_LIMIT, e);
    if (s) {
        str_release(&bytes);
        return s;
    }
    return container_parse(c, &bytes, path, e);
}

void container_release(struct container *c)
{
    for (size_t i = 0; i < c->n_regions; i++) {
        free(c->regions[i].name);
        free(c->regions[i].counts);
    }
    free(c->regions);
    free(c->modules);
    free(c->counts);
    free(c->program);
    traffic_free(c->traffic);
    windows_free(c->windows);
    footprint_free(c->footprint);
    str_release(&c->bytes);
    *c = (struct container){0};
}

/* ---- adding ---- */

/* Finds where the counters of `from`'s modules are in `into`. Returns false if the modules differ. */
static bool match_modules(size_t *to, const struct container *into, const struct container *from)
{
    if (into->n_modules != from->n_modules)
        return false;
    for (size_t i = 0; i < from->n_modules; i++) {
        to[i] = find_module(into, from->modules[i].build_id);
        if (to[i] == into->n_modules || into->modules[to[i]].n_counters != from->modules[i].n_counters)
            return false;
    }
    return true;
}

static bool add_matched(struct container *into, const struct container *from, const size_t *to, uint64_t *dst,
                        const uint64_t *src)
{
    bool fits = true;
    for (size_t i = 0; i < from->n_modules; i++)
        fits &= add_counts(dst + into->modules[to[i]].first_counter, src + from->modules[i].first_counter,
                           from->modules[i].n_counters);
    return fits;
}

static struct container_region *region_for(struct container *c, const char *name)
{
    for (size_t i = 0; i < c->n_regions; i++)
        if (strcmp(c->regions[i].name, name) == 0)
            return &c->regions[i];
    c->regions = xreallocarray(c->regions, c->n_regions + 1, sizeof *c->regions);
    c->regions[c->n_regions] =
        (struct container_region){.name = xstrdup(name), .counts = xcalloc(c->n_counters, sizeof(uint64_t))};
    return &c->regions[c->n_regions++];
}

static void add_windows(struct container *into, const struct container *from, const size_t *to)
{
    struct container_slot *slots = xcalloc(from->n_modules, sizeof *slots);
    for (size_t i = 0; i < from->n_modules; i++)
        slots[i] = (struct container_slot){from->modules[i].first_counter, into->modules[to[i]].first_counter,
                                           from->modules[i].n_counters, to[i]};
    windows_add(&into->windows, from->windows, slots, from->n_modules);
    free(slots);
}

enum status container_add(struct container *into, const struct container *from, struct error *e)
{
    size_t *to = xcalloc(from->n_modules, sizeof *to);
    enum status s = OK;
    if (!match_modules(to, into, from)) {
        s = error_set(e, ERR_INPUT, AT_FILE(from->path),
                      "a profile of another program than %s ('%s', '%s'), or of another build of it: only runs of one "
                      "build can be added",
                      into->path, from->program, into->program);
    } else {
        bool fits = add_matched(into, from, to, into->counts, from->counts);
        fits &= !__builtin_add_overflow(into->runs, from->runs, &into->runs);
        for (size_t i = 0; i < from->n_regions; i++) {
            struct container_region *r = region_for(into, from->regions[i].name);
            r->flaws |= from->regions[i].flaws;
            fits &= !__builtin_add_overflow(r->entries, from->regions[i].entries, &r->entries);
            fits &= add_matched(into, from, to, r->counts, from->regions[i].counts);
        }
        if (from->end > into->end) {
            into->end = from->end;
            into->end_signal = from->end_signal;
        }
        into->once = from->once > into->once ? from->once : into->once;
        fits &= traffic_add(&into->traffic, from->traffic);
        add_windows(into, from, to);
        fits &= footprint_add(&into->footprint, from->footprint, to);
        if (!fits)
            s = error_set(e, ERR_INPUT, AT_FILE(from->path), "the sums of its counts and the others' do not fit");
    }
    free(to);
    return s;
}

/* ---- writing ---- */

static void put(struct str *out, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        str_addch(out, (char)(v >> 8 * i & 0xff));
}

static void put_counts(struct str *out, const uint64_t *counts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(out, counts[i], 8);
}

void container_format(struct str *out, const struct container *c)
{
    size_t start = out->len;
    uint64_t size = FORMAT_HEADER_SIZE + strlen(c->program) + FORMAT_TRAILER_SIZE;
    for (size_t i = 0; i < c->n_modules; i++)
        size += FORMAT_MODULE_SIZE + c->modules[i].description_size + 8 * (uint64_t)c->modules[i].n_counters;
    for (size_t i = 0; i < c->n_regions; i++)
        size += FORMAT_REGION_SIZE + strlen(c->regions[i].name) + 8 * (uint64_t)c->n_counters;
    size += traffic_size(c->traffic) + windows_size(c->windows) + footprint_size(c->footprint);
    str_addn(out, FORMAT_MAGIC, FORMAT_MARK_SIZE);
    put(out, FORMAT_VERSION, 4);
    put(out,
        c->end | c->once << FORMAT_ONCE_SHIFT | (c->traffic ? FORMAT_TRAFFIC : 0) | (c->windows ? FORMAT_WINDOWS : 0) |
            (c->footprint ? FORMAT_FOOTPRINT : 0),
        4);
    put(out, c->end_signal, 4);
    put(out, c->n_modules, 4);
    put(out, c->n_regions, 4);
    put(out, strlen(c->program), 4);
    put(out, size, 8);
    put(out, c->runs, 8);
    str_add(out, c->program);
    for (size_t i = 0; i < c->n_modules; i++) {
        const struct container_module *m = &c->modules[i];
        put(out, m->build_id, 8);
        put(out, m->description_size, 8);
        put(out, m->n_counters, 8);
        str_addn(out, (const char *)m->description, m->description_size);
        put_counts(out, c->counts + m->first_counter, m->n_counters);
    }
    for (size_t i = 0; i < c->n_regions; i++) {
        const struct container_region *r = &c->regions[i];
        put(out, strlen(r->name), 4);
        put(out, r->flaws, 4);
        put(out, r->entries, 8);
        str_add(out, r->name);
        put_counts(out, r->counts, c->n_counters);
    }
    traffic_format(out, c->traffic);
    windows_format(out, c->windows);
    footprint_format(out, c->footprint);
    put(out, hash_bytes(FORMAT_HASH_START, out->s + start, out->len - start), 8);
    str_addn(out, FORMAT_END_MARK, FORMAT_MARK_SIZE);
}
