/*
 * rt_windows.c - what each counter counted in each window of the run. When a window ends, every counter is compared
 * with its value when the window began. The changed ones are kept as pairs: how many counters to skip, how much was
 * counted. A 0 ends the window.
 */
#include "irprof/runtime/rt_windows.h"

#include <string.h>
#include <sys/mman.h>

#include "irprof/runtime/rt.h"
#include "irprof/runtime/rt_events.h"

enum { CHUNK = 1 << 18, SOME = 256 };
#define MOST ((uint64_t)64 << 20) /* bytes for all windows */

static struct rt_windows all;
static struct rt_chunk *chunks, *last;
static uint64_t reserved; /* bytes of the chunks so far */
static _Thread_local char here;
static const char *owner; /* &here of the thread whose windows these are */

/* ---- bytes ---- */

/* Uses mmap alone, since the last window may end in a signal handler. */
static int more_room(void)
{
    struct rt_chunk *c = last ? last->next : chunks; /* left from before a fork, or by a window that did not fit */
    if (!c && reserved < MOST) {
        void *p = mmap(0, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        c = p == MAP_FAILED ? 0 : p;
        reserved += c ? CHUNK : 0;
    }
    if (!c)
        return 0;
    c->n = 0;
    if (last)
        last->next = c;
    else
        chunks = c;
    last = c;
    return 1;
}

static int put(uint64_t v)
{
    do {
        if ((!last || last->n == CHUNK - sizeof *last) && !more_room())
            return 0;
        last->bytes[last->n++] = (unsigned char)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
        all.size++;
        v >>= 7;
    } while (v);
    return 1;
}

/* ---- windows ---- */

/* *skipped: number of counters before the record's that have not changed since the latest changed one. */
static int put_record(struct rt_record *r, uint64_t *skipped)
{
    uint64_t now[SOME];
    if (!r->before)
        r->before = rt_memory((size_t)r->n_counters * sizeof *r->before);
    if (!r->before)
        return 0;
    for (uint64_t first = 0; first < r->n_counters; first += SOME) {
        uint64_t n = r->n_counters - first < SOME ? r->n_counters - first : SOME;
        memset(now, 0, sizeof now);
        rt_add(r, first, n, 1, now);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t more = now[i] - r->before[first + i];
            ++*skipped;
            if (!more)
                continue;
            if (!put(*skipped) || !put(more))
                return 0;
            r->before[first + i] = now[i];
            *skipped = 0;
        }
    }
    return 1;
}

/* Ends a window. If it does not fit, neither it nor any later one is kept. */
static void end_window(void)
{
    struct rt_chunk *chunk = last;
    uint32_t used = last ? last->n : 0;
    uint64_t size = all.size, skipped = 0;
    int fits = !(all.flaws & RT_WINDOWS_FULL) && all.n < UINT32_MAX;
    for (struct rt_record *r = rt_records; r && fits; r = r->next)
        fits = put_record(r, &skipped);
    if (fits && put(0)) {
        all.n++;
        return;
    }
    all.flaws |= RT_WINDOWS_FULL;
    all.size = size;
    if (chunk)
        chunk->n = used;
    last = chunk;
}

static void on_cut(struct irprof_rt_window *w, uint64_t n)
{
    w->left = (int64_t)(w->accesses - n);
    if (rt_inside()) /* in a signal handler: the window continues */
        return;
    rt_lock();
    if (!owner)
        owner = &here;
    if (owner == &here)
        end_window();
    else
        all.flaws |= RT_WINDOWS_THREADS;
    rt_unlock();
}

static void init(void *state, const void *model)
{
    struct irprof_rt_window *w = state;
    w->cut = on_cut;
    w->accesses = ((const struct irprof_rt_window_model *)model)->accesses;
    w->left = (int64_t)w->accesses;
    if (all.accesses && all.accesses != w->accesses)
        all.flaws |= RT_WINDOWS_MIXED;
    all.accesses = w->accesses;
}

struct irprof_rt_window *irprof_rt_windows(const struct irprof_rt_window_model *model)
{
    static struct irprof_rt_window nobody;
    void *state = rt_state(model, &(struct rt_state_kind){sizeof *model, sizeof nobody, 0, init});
    return state ? state : &nobody;
}

const struct rt_windows *rt_windows(void)
{
    all.first = chunks;
    return all.accesses ? &all : 0;
}

static int has_changed(void)
{
    for (const struct rt_record *r = rt_records; r; r = r->next)
        for (uint64_t i = 0; i < r->n_counters; i++) {
            uint64_t now = 0;
            rt_add(r, i, 1, 1, &now);
            if (now != (r->before ? r->before[i] : 0))
                return 1;
        }
    return 0;
}

const struct rt_windows *rt_windows_end(void)
{
    if (all.accesses && has_changed())
        end_window();
    return rt_windows();
}

void rt_windows_restart(void)
{
    for (struct rt_record *r = rt_records; r; r = r->next)
        for (uint64_t i = 0; r->before && i < r->n_counters; i++)
            r->before[i] = 0;
    owner = 0;
    all.flaws = all.n = 0;
    all.size = 0;
    last = 0;
}
