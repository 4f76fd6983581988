/* footprint_section.c - reads, writes and adds footprints: which bytes functions touch (docs/formats/profile.md). */
#include "irprof/profile/footprint_section.h"

#include <stdlib.h>

#include "irprof/profile/format.h"

/* Largest number of functions in a file. The runtime has at most 1023, but merged runs may have different ones. */
enum { MOST = 1 << 14 };

/* Adds to the row of the same function, or appends a row. Returns false if a sum does not fit. */
static bool add_row(struct container_footprint *f, const struct container_foot_row *row)
{
    bool fits = true;
    for (size_t i = 0; i < f->rows.n; i++) {
        struct container_foot_row *same = &f->rows.at[i];
        if (same->module != row->module || same->function != row->function)
            continue;
        for (size_t k = 0; k < FOOT_BYTES; k++)
            fits &=
                !__builtin_add_overflow(same->bytes[k], row->bytes[k], &same->bytes[k]) && same->bytes[k] <= INT64_MAX;
        return fits;
    }
    if (f->rows.n == MOST)
        return false;
    vec_push(&f->rows, *row);
    return true;
}

const char *footprint_read(struct container_footprint **out, struct cursor *at, const struct container_slot *slots,
                           size_t n_slots)
{
    const char *head = cursor_take(at, FORMAT_FOOTPRINT_SIZE);
    if (!head)
        return "its footprint is missing";
    uint32_t n = cursor_u32(head + 4);
    struct container_footprint *f = *out = xcalloc(1, sizeof *f);
    f->flaws = cursor_u32(head);
    if (f->flaws & ~(unsigned)IRPROF_FOOTPRINT_ALL || n > MOST)
        return "the head of its footprint is wrong";
    for (uint32_t i = 0; i < n; i++) {
        const char *row = cursor_take(at, FORMAT_FOOT_ROW_SIZE);
        if (!row)
            return "functions of its footprint are missing";
        if (cursor_u32(row) >= n_slots)
            return "a function of its footprint is wrong";
        struct container_foot_row add = {slots[cursor_u32(row)].module, cursor_u32(row + 4), {0}};
        for (size_t k = 0; k < FOOT_BYTES; k++) {
            add.bytes[k] = cursor_u64(row + 8 + 8 * k);
            if (add.bytes[k] > INT64_MAX)
                return "the bytes of its footprint are too large to add";
        }
        if (!add_row(f, &add))
            return "the bytes of its footprint are too large to add";
    }
    return 0;
}

void footprint_free(struct container_footprint *f)
{
    if (f)
        vec_release(&f->rows);
    free(f);
}

static void put(struct str *out, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        str_addch(out, (char)(v >> 8 * i & 0xff));
}

uint64_t footprint_size(const struct container_footprint *f)
{
    return f ? FORMAT_FOOTPRINT_SIZE + (uint64_t)f->rows.n * FORMAT_FOOT_ROW_SIZE : 0;
}

void footprint_format(struct str *out, const struct container_footprint *f)
{
    if (!f)
        return;
    put(out, f->flaws, 4);
    put(out, f->rows.n, 4);
    for (size_t i = 0; i < f->rows.n; i++) {
        put(out, f->rows.at[i].module, 4);
        put(out, f->rows.at[i].function, 4);
        for (size_t k = 0; k < FOOT_BYTES; k++)
            put(out, f->rows.at[i].bytes[k], 8);
    }
}

bool footprint_add(struct container_footprint **into, const struct container_footprint *from, const size_t *to)
{
    bool fits = true;
    if (!from)
        return true;
    if (!*into)
        *into = xcalloc(1, sizeof **into);
    (*into)->flaws |= from->flaws;
    for (size_t i = 0; i < from->rows.n; i++) {
        struct container_foot_row row = from->rows.at[i];
        row.module = to[row.module];
        fits &= add_row(*into, &row);
    }
    return fits;
}

enum status footprint_adopt(struct irprof_profile *p, const struct container_footprint *f, struct error *e)
{
    p->footprint = xcalloc(1, sizeof *p->footprint);
    p->footprint->flaws = f->flaws;
    p->footprint->rows = xcalloc(f->rows.n, sizeof *p->footprint->rows);
    for (size_t i = 0; i < f->rows.n; i++) {
        const struct container_foot_row *row = &f->rows.at[i];
        size_t first = 0;
        while (first < p->n_functions && p->functions[first].module != row->module)
            first++;
        if (row->function >= p->n_functions - first || p->functions[first + row->function].module != row->module)
            return error_set(e, ERR_INPUT, AT_FILE(p->path),
                             "a damaged profile: its footprint is of a function that is not there; run the program "
                             "again");
        p->footprint->rows[p->footprint->n_rows++] =
            (struct irprof_foot_row){(uint32_t)(first + row->function), row->bytes[FOOT_TOUCHED],
                                     row->bytes[FOOT_WRITTEN], row->bytes[FOOT_NEEDED], row->bytes[FOOT_LEFT]};
    }
    return OK;
}
