/* traffic_section.c - reads, writes and adds the traffic between places of the source (docs/formats/profile.md). */
#include "irprof/profile/traffic_section.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "irprof/profile/format.h"

/* ---- bytes ---- */

const char *cursor_take(struct cursor *c, uint64_t n)
{
    if (n > c->left)
        return 0;
    const char *at = c->at;
    c->at += n;
    c->left -= (size_t)n;
    return at;
}

uint32_t cursor_u32(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

uint64_t cursor_u64(const char *at)
{
    return cursor_u32(at) | (uint64_t)cursor_u32(at + 4) << 32;
}

static void put(struct str *out, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        str_addch(out, (char)(v >> 8 * i & 0xff));
}

/* ---- reading ---- */

static const char *read_places(struct irprof_traffic *t, struct cursor *c, uint32_t n)
{
    if (n > c->left / FORMAT_PLACE_SIZE)
        return "places of its traffic are missing";
    t->places = xcalloc(n, sizeof *t->places);
    for (; t->n_places < n; t->n_places++) {
        const char *head = cursor_take(c, FORMAT_PLACE_SIZE), *name = head ? cursor_take(c, cursor_u32(head + 8)) : 0;
        if (!name)
            return "places of its traffic are missing";
        if (cursor_u32(head) > t->n_places || memchr(name, 0, cursor_u32(head + 8)))
            return "a place of its traffic is wrong";
        t->places[t->n_places] = (struct irprof_place){cursor_u32(head) ? cursor_u32(head) - 1 : IRPROF_NONE,
                                                       cursor_u32(head + 4), xstrndup(name, cursor_u32(head + 8))};
    }
    return 0;
}

static const char *read_row(struct irprof_traffic *t, struct cursor *c)
{
    const char *head = cursor_take(c, FORMAT_ROW_SIZE);
    uint32_t writer = head ? cursor_u32(head) : 0, n = head ? cursor_u32(head + 4) : 0;
    const char *list = head ? cursor_take(c, 4 * (uint64_t)n) : 0;
    if (!list)
        return "rows of its traffic are missing";
    if (!writer || writer > t->n_places || !n || cursor_u64(head + 8) > INT64_MAX)
        return "a row of its traffic is wrong";
    t->rows[t->n_rows++] = (struct irprof_traffic_row){writer - 1, (uint32_t)t->n_readers, n, cursor_u64(head + 8)};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t reader = cursor_u32(list + 4 * (size_t)i);
        if (reader < 2 || reader / 2 > t->n_places)
            return "a reader in its traffic is wrong";
        t->readers[t->n_readers++] = (struct irprof_reader){reader / 2 - 1, reader & 1};
    }
    return 0;
}

const char *traffic_read(struct irprof_traffic **out, struct cursor *c)
{
    const char *head = cursor_take(c, FORMAT_TRAFFIC_SIZE);
    struct irprof_traffic *t = *out = xcalloc(1, sizeof *t);
    if (!head)
        return "its traffic is missing";
    t->flaws = cursor_u32(head);
    if (t->flaws & ~(unsigned)IRPROF_TRAFFIC_ALL)
        return "its traffic has an unknown flaw";
    const char *wrong = read_places(t, c, cursor_u32(head + 4));
    uint32_t n = cursor_u32(head + 8);
    if (!wrong && n > c->left / FORMAT_ROW_SIZE)
        wrong = "rows of its traffic are missing";
    if (wrong)
        return wrong;
    t->rows = xcalloc(n, sizeof *t->rows);
    t->readers = xcalloc(c->left / 4, sizeof *t->readers);
    for (uint32_t i = 0; i < n && !wrong; i++)
        wrong = read_row(t, c);
    return wrong;
}

void traffic_free(struct irprof_traffic *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n_places; i++)
        free(t->places[i].file);
    free(t->places);
    free(t->rows);
    free(t->readers);
    free(t);
}

/* ---- writing ---- */

uint64_t traffic_size(const struct irprof_traffic *t)
{
    uint64_t size = FORMAT_TRAFFIC_SIZE;
    if (!t)
        return 0;
    for (size_t i = 0; i < t->n_places; i++)
        size += FORMAT_PLACE_SIZE + strlen(t->places[i].file);
    for (size_t i = 0; i < t->n_rows; i++)
        size += FORMAT_ROW_SIZE + 4 * (uint64_t)t->rows[i].n_readers;
    return size;
}

static uint32_t plus_one(uint32_t index)
{
    return index == IRPROF_NONE ? 0 : index + 1;
}

void traffic_format(struct str *out, const struct irprof_traffic *t)
{
    if (!t)
        return;
    put(out, t->flaws, 4);
    put(out, t->n_places, 4);
    put(out, t->n_rows, 4);
    for (size_t i = 0; i < t->n_places; i++) {
        put(out, plus_one(t->places[i].parent), 4);
        put(out, t->places[i].line, 4);
        put(out, strlen(t->places[i].file), 4);
        str_add(out, t->places[i].file);
    }
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct irprof_traffic_row *r = &t->rows[i];
        put(out, plus_one(r->writer), 4);
        put(out, r->n_readers, 4);
        put(out, r->bytes, 8);
        for (uint32_t k = 0; k < r->n_readers; k++) {
            const struct irprof_reader *reader = &t->readers[r->first_reader + k];
            put(out, 2 * (uint64_t)plus_one(reader->place) + reader->later, 4);
        }
    }
}

/* ---- adding ---- */

struct adding {
    struct irprof_traffic *into;
    struct map places, rows; /* their contents -> index in into */
};

static char *place_key(const struct irprof_place *p, uint32_t parent)
{
    return xasprintf("%u %u %s", parent, p->line, p->file);
}

static char *row_key(const struct irprof_traffic *t, const struct irprof_traffic_row *r)
{
    struct str s = STR_INIT;
    str_addf(&s, "%u", r->writer);
    for (uint32_t k = 0; k < r->n_readers; k++)
        str_addf(&s, " %u%s", t->readers[r->first_reader + k].place, t->readers[r->first_reader + k].later ? "+" : "");
    return str_detach(&s);
}

static void add_places(struct adding *a, const struct irprof_traffic *from, uint32_t *number)
{
    struct irprof_traffic *t = a->into;
    t->places = xreallocarray(t->places, t->n_places + from->n_places + 1, sizeof *t->places);
    for (size_t i = 0; i < from->n_places; i++) {
        const struct irprof_place *p = &from->places[i];
        uint32_t parent = p->parent == IRPROF_NONE ? IRPROF_NONE : number[p->parent];
        char *key = place_key(p, parent);
        number[i] = (uint32_t)map_number(&a->places, key);
        if (number[i] == t->n_places)
            t->places[t->n_places++] = (struct irprof_place){parent, p->line, xstrdup(p->file)};
        free(key);
    }
}

/* If there is a row equal to the last one of `into`, adds the last one to it. */
static bool join_row(struct adding *a)
{
    struct irprof_traffic *t = a->into;
    struct irprof_traffic_row *r = &t->rows[t->n_rows];
    char *key = row_key(t, r);
    size_t same = map_number(&a->rows, key);
    free(key);
    if (same == t->n_rows) {
        t->n_rows++;
        return true;
    }
    t->n_readers -= r->n_readers;
    t->rows[same].bytes += r->bytes;
    return t->rows[same].bytes <= INT64_MAX;
}

static bool add_rows(struct adding *a, const struct irprof_traffic *from, const uint32_t *number)
{
    struct irprof_traffic *t = a->into;
    bool fits = true;
    t->rows = xreallocarray(t->rows, t->n_rows + from->n_rows + 1, sizeof *t->rows);
    t->readers = xreallocarray(t->readers, t->n_readers + from->n_readers + 1, sizeof *t->readers);
    for (size_t i = 0; i < from->n_rows; i++) {
        const struct irprof_traffic_row *r = &from->rows[i];
        t->rows[t->n_rows] =
            (struct irprof_traffic_row){number[r->writer], (uint32_t)t->n_readers, r->n_readers, r->bytes};
        for (uint32_t k = 0; k < r->n_readers; k++) {
            const struct irprof_reader *reader = &from->readers[r->first_reader + k];
            t->readers[t->n_readers++] = (struct irprof_reader){number[reader->place], reader->later};
        }
        fits &= join_row(a);
    }
    return fits;
}

static bool join(struct adding *a, const struct irprof_traffic *from)
{
    uint32_t *number = xcalloc(from->n_places + 1, sizeof *number);
    add_places(a, from, number);
    bool fits = add_rows(a, from, number);
    a->into->flaws |= from->flaws;
    free(number);
    return fits;
}

bool traffic_add(struct irprof_traffic **into, const struct irprof_traffic *from)
{
    struct adding a = {.into = xcalloc(1, sizeof *a.into)};
    bool fits = true;
    if (*into)
        fits &= join(&a, *into);
    if (from)
        fits &= join(&a, from);
    if (*into || from) {
        traffic_free(*into);
        *into = a.into;
    } else {
        traffic_free(a.into);
    }
    map_release(&a.places);
    map_release(&a.rows);
    return fits;
}
