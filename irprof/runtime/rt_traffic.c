/* rt_traffic.c - traffic: who wrote each byte last and who has read it since, in a shadow of the memory that steps
 * write. */
#include "irprof/runtime/rt_traffic.h"

#include <string.h>

#include "irprof/profile/format.h"
#include "irprof/runtime/rt.h"

enum { PAGE = 4096, PAGES = 1 << 14, BITS = 18, STEPS = 1 << BITS, PLACE_BITS = 17 };

/* What is known about a byte; writer 0: nobody in a step. */
struct cell {
    uint32_t writer, step, set;
};
struct page {
    uintptr_t number; /* address / PAGE */
    struct cell cells[PAGE];
};
/* A set of readers as a list, the latest first. */
struct set {
    uint32_t before, reader, n;
};
/* Which set results when `reader` is added to `set`. */
struct more {
    uint32_t set, reader, to; /* to 0: the entry is free */
};
struct tables {
    struct page *pages[2 * PAGES]; /* a hash table with open addressing */
    struct rt_place places[RT_PLACES];
    uint32_t by_place[1 << PLACE_BITS];
    struct set sets[RT_SETS];
    struct more mores[STEPS];
    struct rt_row rows[RT_ROWS];
};

static struct tables *all; /* NULL: nothing has been recorded */
static struct rt_traffic result;
static struct page *last_page;
static uint32_t n_pages, n_sets, n_mores, step_number, context;
static uint32_t open_steps;
static _Thread_local char here;
static const char *owner; /* &here of the thread whose steps these are */
static volatile uint32_t busy;

/* ---- the tables ---- */

static uint32_t hashed(uintptr_t a, uint32_t b, unsigned bits)
{
    uint64_t h = ((uint64_t)a + 0x9e3779b97f4a7c15u * b) * 0xff51afd7ed558ccdu;
    return (uint32_t)((h ^ h >> 29) * 0xc4ceb9fe1a85ec53u >> (64 - bits));
}

static void full(void)
{
    result.flaws |= RT_TRAFFIC_FULL;
}

static const char *file_copy(const char *file)
{
    const char *last = all->places[result.n_places].file;
    if (last && strcmp(last, file) == 0)
        return last;
    size_t n = strlen(file) + 1;
    char *copy = rt_memory_unlocked(n);
    return copy ? memcpy(copy, file, n) : "";
}

/* The place `p` under the calls `in`. If there is no room, the place of the calls. */
static uint32_t find_place(uint32_t in, const struct irprof_rt_place *p)
{
    uint32_t at = hashed((uintptr_t)p, in, PLACE_BITS), mask = (1 << PLACE_BITS) - 1;
    for (; all->by_place[at]; at = (at + 1) & mask) {
        const struct rt_place *known = &all->places[all->by_place[at]];
        if (known->from == p && known->parent == in)
            return all->by_place[at];
    }
    if (result.n_places + 1 >= RT_PLACES) {
        full();
        return in;
    }
    const char *file = file_copy(p->file);
    all->by_place[at] = ++result.n_places;
    all->places[result.n_places] = (struct rt_place){file, p->line, in, p};
    return result.n_places;
}

static uint32_t place_number(uint32_t in, struct irprof_rt_place *p)
{
    if (p->number && p->context == in)
        return p->number;
    uint32_t number = find_place(p->parent ? place_number(in, p->parent) : in, p);
    p->context = in;
    p->number = number;
    return number;
}

static struct page *find_page(uintptr_t number, int make)
{
    uint32_t at = hashed(number, 0, 15);
    if (last_page && last_page->number == number)
        return last_page;
    for (; all->pages[at]; at = (at + 1) % (2 * PAGES))
        if (all->pages[at]->number == number)
            return last_page = all->pages[at];
    if (!make)
        return 0;
    struct page *p = n_pages < PAGES ? rt_memory_unlocked(sizeof *p) : 0;
    if (!p) {
        full();
        return 0;
    }
    n_pages++;
    p->number = number;
    return last_page = all->pages[at] = p;
}

static int is_in(uint32_t set, uint32_t reader)
{
    for (; set; set = all->sets[set].before)
        if (all->sets[set].reader == reader)
            return 1;
    return 0;
}

static uint32_t with_reader(uint32_t set, uint32_t reader)
{
    uint32_t at = hashed(set, reader, BITS);
    for (; all->mores[at].to; at = (at + 1) % STEPS)
        if (all->mores[at].set == set && all->mores[at].reader == reader)
            return all->mores[at].to;
    uint32_t to = set;
    int inside = is_in(set, reader);
    if (n_mores >= STEPS / 2 || (!inside && n_sets + 1 >= RT_SETS)) {
        full();
        return set;
    }
    if (!inside) {
        to = ++n_sets;
        all->sets[to] = (struct set){set, reader, all->sets[set].n + 1};
    }
    n_mores++;
    all->mores[at] = (struct more){set, reader, to};
    return to;
}

static void add_row(uint32_t writer, uint32_t set, uint64_t bytes)
{
    uint32_t at = hashed(writer, set, 17);
    for (; all->rows[at].bytes; at = (at + 1) % RT_ROWS)
        if (all->rows[at].writer == writer && all->rows[at].set == set) {
            all->rows[at].bytes += bytes;
            return;
        }
    if (result.n_rows >= RT_ROWS / 2) {
        full();
        return;
    }
    result.n_rows++;
    all->rows[at] = (struct rt_row){bytes, writer, set};
}

/* ---- bytes ---- */

/* Makes `writer` the writer of n bytes of a page. Earlier reads of them are counted. */
static void write_cells(struct cell *c, uintptr_t n, uint32_t writer)
{
    for (uintptr_t i = 0, same; i < n; i += same) {
        struct cell was = c[i];
        for (same = 0; i + same < n && c[i + same].writer == was.writer && c[i + same].set == was.set; same++)
            c[i + same] = (struct cell){writer, step_number, 0};
        if (was.writer && was.set)
            add_row(was.writer, was.set, same);
    }
}

static void read_cells(struct cell *c, uintptr_t n, uint32_t place)
{
    uint32_t last = 0, reader = 0, to = 0;
    for (uintptr_t i = 0; i < n; i++) {
        uint32_t now = 2 * place + (c[i].step != step_number);
        if (!c[i].writer)
            continue;
        if (!to || c[i].set != last || now != reader) {
            last = c[i].set;
            reader = now;
            to = with_reader(last, reader);
        }
        c[i].set = to;
    }
}

/* Splits an access by pages. writer 0: pages that nobody has written in a step stay unknown. */
static void access(uintptr_t address, uintptr_t size, uint32_t place, int write)
{
    while (size) {
        uintptr_t first = address % PAGE, n = PAGE - first < size ? PAGE - first : size;
        struct page *p = find_page(address / PAGE, write && place);
        if (p && write)
            write_cells(p->cells + first, n, place);
        else if (p)
            read_cells(p->cells + first, n, place);
        address += n;
        size -= n;
    }
}

/* ---- called by instrumented code ---- */

/* Can something be recorded? Then leave() must follow. It cannot in a signal handler that interrupts this. */
static int enter(int in_step)
{
    if (!open_steps && (in_step || !n_pages))
        return 0;
    if (owner != &here) {
        __atomic_fetch_or(&result.flaws, RT_TRAFFIC_THREADS, __ATOMIC_RELAXED);
        return 0;
    }
    if (busy)
        return 0;
    busy = 1;
    if (!all)
        all = rt_memory_unlocked(sizeof *all);
    if (!all)
        busy = 0;
    return all != 0;
}

void irprof_rt_traffic_read(const void *address, uintptr_t size, struct irprof_rt_place *place)
{
    if (!enter(1))
        return;
    access((uintptr_t)address, size, place_number(context, place), 0);
    busy = 0;
}

void irprof_rt_traffic_written(const void *address, uintptr_t size, struct irprof_rt_place *place)
{
    if (!enter(0))
        return;
    access((uintptr_t)address, size, open_steps ? place_number(context, place) : 0, 1);
    busy = 0;
}

void irprof_rt_traffic_fresh(const void *address, uintptr_t size, struct irprof_rt_place *place)
{
    (void)place;
    if (!enter(0))
        return;
    access((uintptr_t)address, size, 0, 1);
    busy = 0;
}

uint32_t irprof_rt_traffic_call(struct irprof_rt_place *place)
{
    uint32_t before = context;
    if (!enter(1))
        return before;
    context = place_number(context, place);
    busy = 0;
    return before;
}

void irprof_rt_traffic_back(uint32_t before)
{
    if (open_steps && owner == &here)
        context = before;
}

/* ---- called by the runtime ---- */

void rt_traffic_begin(void)
{
    if (open_steps++)
        return;
    if (owner && owner != &here)
        result.flaws |= RT_TRAFFIC_THREADS;
    owner = owner ? owner : &here;
    step_number++;
    context = 0;
}

void rt_traffic_end(void)
{
    if (open_steps && --open_steps == 0)
        step_number++;
}

void rt_traffic_restart(void)
{
    for (uint32_t i = 0; all && i < 2 * PAGES; i++)
        if (all->pages[i])
            memset(all->pages[i]->cells, 0, sizeof all->pages[i]->cells);
    if (all)
        memset(all->rows, 0, sizeof all->rows);
    result.n_rows = 0;
    busy = 0;
}

const struct rt_traffic *rt_traffic(void)
{
    return all ? &result : 0;
}

uint64_t rt_traffic_size(void)
{
    if (!all)
        return 0;
    for (uint32_t i = 0; i < 2 * PAGES; i++)
        if (all->pages[i])
            write_cells(all->pages[i]->cells, PAGE, 0);
    result.places = all->places;
    result.rows = all->rows;
    uint64_t size = FORMAT_TRAFFIC_SIZE;
    for (uint32_t i = 1; i <= result.n_places; i++)
        size += FORMAT_PLACE_SIZE + strlen(all->places[i].file);
    for (uint32_t i = 0; i < RT_ROWS; i++)
        if (all->rows[i].bytes)
            size += FORMAT_ROW_SIZE + 4 * (uint64_t)all->sets[all->rows[i].set].n;
    return size;
}

uint32_t rt_traffic_readers(uint32_t set)
{
    return all->sets[set].n;
}

uint32_t rt_traffic_reader(uint32_t *set)
{
    uint32_t reader = all->sets[*set].reader;
    *set = all->sets[*set].before;
    return reader;
}
