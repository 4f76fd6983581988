/* windows_section.c - reads, writes, adds and sums the windows of a run (docs/formats/profile.md). */
#include "irprof/profile/windows_section.h"

#include <stdlib.h>

#include "irprof/profile/format.h"

/* ---- reading ---- */

/* Translates ascending counter numbers. */
struct numbering {
    const struct container_slot *slots;
    size_t n_slots, slot;
};

/* Returns false if there is no such counter. */
static bool find_counter(struct numbering *n, uint64_t number, size_t *counter)
{
    while (n->slot < n->n_slots && number - n->slots[n->slot].from >= n->slots[n->slot].n)
        n->slot++;
    if (n->slot == n->n_slots)
        return false;
    *counter = n->slots[n->slot].to + (size_t)(number - n->slots[n->slot].from);
    return true;
}

static bool take_uleb(struct cursor *c, uint64_t *v)
{
    *v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const char *at = cursor_take(c, 1);
        uint64_t bits = at ? (unsigned char)*at & 0x7f : 0;
        if (!at || (shift == 63 && bits > 1))
            return false;
        *v |= bits << shift;
        if (!(*at & 0x80))
            return true;
    }
    return false;
}

static int by_counter(const void *a, const void *b)
{
    const struct container_change *x = a, *y = b;
    return (x->counter > y->counter) - (x->counter < y->counter);
}

/* Makes a window of the changes from `first` on: sorted by counter, each counter once. A module that was loaded twice
 * is in the file twice, with the same counters. */
static void end_window(struct container_windows *w, size_t first)
{
    size_t n = first;
    if (w->changes.n > first)
        qsort(w->changes.at + first, w->changes.n - first, sizeof *w->changes.at, by_counter);
    for (size_t i = first; i < w->changes.n; i++) {
        struct container_change *change = &w->changes.at[i];
        if (n > first && w->changes.at[n - 1].counter == change->counter)
            w->changes.at[n - 1].more += change->more;
        else
            w->changes.at[n++] = *change;
    }
    w->changes.n = n;
    vec_push(&w->end, n);
}

static const char *read_window(struct container_windows *w, struct cursor *at, const struct container_slot *slots,
                               size_t n_slots)
{
    struct numbering numbers = {slots, n_slots, 0};
    size_t first = w->changes.n;
    uint64_t number = 0, step;
    for (;;) {
        struct container_change change;
        if (!take_uleb(at, &step))
            return "a window is larger than the file";
        if (!step)
            break;
        if (__builtin_add_overflow(number, step, &number) || !find_counter(&numbers, number - 1, &change.counter))
            return "a window counts what is not there";
        if (!take_uleb(at, &change.more))
            return "a window is larger than the file";
        vec_push(&w->changes, change);
    }
    end_window(w, first);
    return 0;
}

const char *windows_read(struct container_windows **out, struct cursor *at, const struct container_slot *slots,
                         size_t n_slots)
{
    const char *head = cursor_take(at, FORMAT_WINDOWS_SIZE), *wrong = 0;
    if (!head)
        return "its windows are missing";
    struct container_windows *w = *out = xcalloc(1, sizeof *w);
    w->flaws = cursor_u32(head);
    w->n = cursor_u32(head + 4);
    w->accesses = cursor_u64(head + 8);
    uint64_t size = cursor_u64(head + 16);
    const char *bytes = cursor_take(at, size);
    struct cursor inside = {bytes, (size_t)size};
    if (!bytes || w->n > size)
        return "its windows are missing";
    if (w->flaws & ~(unsigned)IRPROF_WINDOWS_ALL || !w->accesses)
        return "the head of its windows is wrong";
    for (size_t i = 0; i < w->n && !wrong; i++)
        wrong = read_window(w, &inside, slots, n_slots);
    return !wrong && inside.left ? "there is more in its windows than it announces" : wrong;
}

void windows_free(struct container_windows *w)
{
    if (!w)
        return;
    vec_release(&w->changes);
    vec_release(&w->end);
    free(w);
}

/* ---- writing ---- */

static void put(struct str *out, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        str_addch(out, (char)(v >> 8 * i & 0xff));
}

static void put_uleb(struct str *out, uint64_t v)
{
    for (; v > 0x7f; v >>= 7)
        str_addch(out, (char)((v & 0x7f) | 0x80));
    str_addch(out, (char)v);
}

static void put_windows(struct str *out, const struct container_windows *w)
{
    size_t k = 0;
    for (size_t i = 0; i < w->n; i++) {
        size_t before = 0; /* 1 + the previous counter */
        for (; k < w->end.at[i]; k++) {
            put_uleb(out, w->changes.at[k].counter + 1 - before);
            put_uleb(out, w->changes.at[k].more);
            before = w->changes.at[k].counter + 1;
        }
        put_uleb(out, 0);
    }
}

uint64_t windows_size(const struct container_windows *w)
{
    struct str bytes = STR_INIT;
    if (!w)
        return 0;
    put_windows(&bytes, w);
    uint64_t size = FORMAT_WINDOWS_SIZE + bytes.len;
    str_release(&bytes);
    return size;
}

void windows_format(struct str *out, const struct container_windows *w)
{
    if (!w)
        return;
    put(out, w->flaws, 4);
    put(out, w->n, 4);
    put(out, w->accesses, 8);
    put(out, windows_size(w) - FORMAT_WINDOWS_SIZE, 8);
    put_windows(out, w);
}

/* ---- adding ---- */

void windows_add(struct container_windows **into, const struct container_windows *from,
                 const struct container_slot *slots, size_t n_slots)
{
    size_t k = 0;
    if (!from)
        return;
    if (!*into) {
        *into = xcalloc(1, sizeof **into);
        (*into)->accesses = from->accesses;
    }
    struct container_windows *sum = *into;
    sum->flaws |= from->flaws | (sum->accesses == from->accesses ? 0 : IRPROF_WINDOWS_MIXED);
    for (size_t i = 0; i < from->n; i++) {
        struct numbering numbers = {slots, n_slots, 0};
        size_t first = sum->changes.n;
        for (; k < from->end.at[i]; k++) {
            struct container_change change = {0, from->changes.at[k].more};
            if (!find_counter(&numbers, from->changes.at[k].counter, &change.counter))
                BUG("a window of counters that are not there");
            vec_push(&sum->changes, change);
        }
        end_window(sum, first);
        sum->n++;
    }
}

void windows_sum(uint64_t *counts, const struct container_windows *w, size_t first, size_t n)
{
    size_t k = first ? w->end.at[first - 1] : 0;
    for (; n && k < w->end.at[first + n - 1]; k++)
        counts[w->changes.at[k].counter] += w->changes.at[k].more;
}
