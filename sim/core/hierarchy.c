/*
 * hierarchy.c - the memory hierarchy: pages, TLBs, caches, lines in flight, prefetcher, store buffer. Pages are
 * numbered in the order of their first use. So it does not matter at which addresses the emulator or the kernel has put
 * the program: the same lines and pages share a set. Such numbers are even less fragmented than a kernel's pages.
 */
#include "sim/core/hierarchy.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { PAGE_SHIFT = SIM_PAGE_SHIFT, RECENT_PAGES = 1024, IN_FLIGHT = 32, STORES = 16, MICRO = 64 };
#define NO_PAGE UINT64_MAX

struct page {
    uint64_t number; /* page number in the program; NO_PAGE: none */
    uint64_t place;
};
struct in_flight {
    uintptr_t line;
    int64_t ready;
};
struct tlb {
    uint64_t micro[MICRO];
    size_t n_micro, next;
};

struct iss_memory {
    const struct iss_model *model;
    struct iss_memory_counts counts;
    unsigned shift; /* log2 of a line's size */

    struct page recent[RECENT_PAGES];
    struct page *pages; /* a hash table with open addressing; its size is a power of two */
    size_t n_pages, cap_pages;

    struct tlb data_tlb, code_tlb;
    uint64_t *main_tlb; /* sets of ways, most recently used first */
    size_t tlb_sets;

    struct sim_level l1i, l1d, l2;
    void *l1i_memory, *l1d_memory, *l2_memory;

    int64_t slots[16]; /* when each of the slots for refills of L1D is free again */
    int64_t l2_free, memory_free;
    struct in_flight in_flight[IN_FLIGHT]; /* lines of L1D that have not arrived yet; a ring buffer */
    size_t next_in_flight;
    int64_t last_in_flight; /* when all of them have arrived */
    int64_t last_store;

    struct sim_prefetcher prefetcher;
    uintptr_t last_code_miss;

    int64_t stores[STORES]; /* when each store in the store buffer is done; a ring buffer */
    size_t next_store;
    uintptr_t store_line;   /* line of the last store that missed */
    uintptr_t written_line; /* the line that is being written from end to end at present */
    uint64_t written;       /* which eighths of it are written, one bit each */
    int64_t written_run;
};

/* ---- pages ---- */

static size_t slot_of(const struct iss_memory *m, uint64_t number)
{
    size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (m->cap_pages - 1);
    while (m->pages[i].number != NO_PAGE && m->pages[i].number != number)
        i = (i + 1) & (m->cap_pages - 1);
    return i;
}

static void grow(struct iss_memory *m)
{
    struct page *old = m->pages;
    size_t n = m->cap_pages;
    m->cap_pages *= 2;
    m->pages = xmalloc(m->cap_pages * sizeof *m->pages);
    memset(m->pages, 0xff, m->cap_pages * sizeof *m->pages);
    for (size_t i = 0; i < n; i++)
        if (old[i].number != NO_PAGE)
            m->pages[slot_of(m, old[i].number)] = old[i];
    free(old);
}

static uint64_t new_place(struct iss_memory *m, uint64_t number)
{
    size_t i = slot_of(m, number);
    if (m->pages[i].number == NO_PAGE) {
        m->pages[i].number = number;
        m->pages[i].place = m->n_pages++;
        uint64_t place = m->pages[i].place;
        if (2 * m->n_pages > m->cap_pages)
            grow(m);
        return place;
    }
    return m->pages[i].place;
}

/* The address in the simulated memory. */
static uintptr_t place(struct iss_memory *m, uint64_t address)
{
    uint64_t number = address >> PAGE_SHIFT;
    struct page *p = &m->recent[number % RECENT_PAGES];
    if (p->number != number) {
        p->place = new_place(m, number);
        p->number = number;
    }
    return (uintptr_t)(p->place << PAGE_SHIFT | (address & ((1u << PAGE_SHIFT) - 1)));
}

/* ---- lines from L2 and main memory ---- */

static void write_back_l2(struct iss_memory *m, const struct sim_used *u)
{
    if (u->evicted == SIM_NO_LINE || !(u->evicted & 1))
        return;
    m->counts.l2_written_back++;
    m->memory_free += m->model->memory_pitch;
}

/* When a line that is requested at `now` arrives at L1. Counts a refill if it comes from memory. */
static int64_t from_l2(struct iss_memory *m, uintptr_t line, int64_t now, int64_t latency, uint64_t *refills)
{
    const struct iss_model *model = m->model;
    int64_t start = now > m->l2_free ? now : m->l2_free;
    m->l2_free = start + model->l2.pitch;
    m->counts.l2++;
    struct sim_used u = sim_level_use(&m->l2, line, false);
    if (u.hit)
        return start + latency;
    ++*refills;
    write_back_l2(m, &u);
    int64_t at = start > m->memory_free ? start : m->memory_free;
    m->memory_free = at + model->memory_pitch;
    return at + latency + model->memory_latency;
}

static void evict_l1d(struct iss_memory *m, uintptr_t entry)
{
    if (entry == SIM_NO_LINE || !(entry & 1))
        return;
    m->counts.l1d_written_back++;
    m->counts.l2++;
    struct sim_used u = sim_level_use(&m->l2, entry >> 1, true);
    write_back_l2(m, &u);
    m->l2_free += m->model->l2.pitch;
}

/* ---- TLBs ---- */

static bool main_tlb_use(struct iss_memory *m, uint64_t page)
{
    size_t ways = (size_t)m->model->tlb.ways;
    uint64_t *set = m->main_tlb + page % m->tlb_sets * ways, moving = page;
    for (size_t i = 0; i < ways; i++) {
        uint64_t here = set[i];
        set[i] = moving;
        if (here == page)
            return true;
        moving = here;
    }
    return false;
}

static int64_t translate(struct iss_memory *m, struct tlb *t, uint64_t page, uint64_t *refills)
{
    size_t n = (size_t)m->model->tlb.micro;
    for (size_t i = 0; i < n; i++)
        if (t->micro[i] == page)
            return 0;
    if (!n)
        return 0;
    t->micro[t->next] = page;
    t->next = t->next + 1 == n ? 0 : t->next + 1;
    int64_t cycles = m->model->tlb.micro_miss;
    ++*refills;
    if (m->tlb_sets && !main_tlb_use(m, page)) {
        m->counts.walks++;
        cycles += m->model->tlb.walk;
    }
    return cycles;
}

/* ---- data ---- */

static int64_t line_ready(const struct iss_memory *m, uintptr_t line, int64_t now)
{
    for (size_t i = 0; i < IN_FLIGHT; i++)
        if (m->in_flight[i].line == line && m->in_flight[i].ready > now)
            return m->in_flight[i].ready;
    return now;
}

static void put_in_flight(struct iss_memory *m, uintptr_t line, int64_t ready)
{
    m->in_flight[m->next_in_flight] = (struct in_flight){line, ready};
    m->next_in_flight = (m->next_in_flight + 1) % IN_FLIGHT;
    if (ready > m->last_in_flight)
        m->last_in_flight = ready;
}

/* Brings `line` into L1D, which has evicted another one for it. Returns when it arrives. */
static int64_t bring(struct iss_memory *m, uintptr_t line, uintptr_t evicted, int64_t now)
{
    size_t first = 0;
    for (size_t i = 1; i < (size_t)m->model->data.outstanding; i++)
        if (m->slots[i] < m->slots[first])
            first = i;
    int64_t start = now > m->slots[first] ? now : m->slots[first];
    int64_t ready = from_l2(m, line, start, m->model->l2.latency, &m->counts.l2_refills);
    evict_l1d(m, evicted);
    m->slots[first] = ready;
    put_in_flight(m, line, ready);
    return ready;
}

static void prefetch(struct iss_memory *m, uintptr_t line, int64_t now)
{
    if (sim_level_has(&m->l1d, line))
        return;
    struct sim_used u = sim_level_use(&m->l1d, line, false);
    m->counts.l1d_prefetched++;
    int64_t ready = from_l2(m, line, now, m->model->l2.latency, &m->counts.l2_prefetched);
    evict_l1d(m, u.evicted);
    put_in_flight(m, line, ready);
}

/* Tells the prefetcher that a line was used, and whether it was missed. */
static void follow(struct iss_memory *m, uintptr_t line, bool missed, int64_t now)
{
    struct sim_fetch f = sim_prefetcher_see(&m->prefetcher, line, missed);
    for (; f.n; f.n--, f.line += (uintptr_t)f.step)
        prefetch(m, f.line, now);
}

/* Uses the part of an access that is in one line. Returns when the line is there. */
static int64_t use_data(struct iss_memory *m, uintptr_t line, bool write, int64_t now)
{
    m->counts.l1d++;
    struct sim_used u = sim_level_use(&m->l1d, line, write);
    if (u.hit) {
        int64_t ready = m->last_in_flight > now ? line_ready(m, line, now) : now;
        follow(m, line, false, now);
        return ready;
    }
    m->counts.l1d_refills++;
    int64_t ready = bring(m, line, u.evicted, now);
    follow(m, line, true, now);
    return ready;
}

int64_t iss_memory_load(struct iss_memory *m, uint64_t address, unsigned bytes, int64_t now)
{
    uintptr_t at = place(m, address);
    int64_t extra = translate(m, &m->data_tlb, at >> PAGE_SHIFT, &m->counts.l1d_tlb_refills);
    uintptr_t line = at >> m->shift;
    int64_t ready = use_data(m, line, false, now + extra);
    uint64_t last = address + bytes - 1;
    if (last >> m->shift != address >> m->shift) {
        int64_t second = use_data(m, place(m, last) >> m->shift, false, now + extra);
        if (second > ready)
            ready = second;
    }
    return ready - now;
}

/* After a number of consecutive lines that are written from end to end, further ones are not allocated in L1D: they
 * would only evict other data. */
static bool allocates(struct iss_memory *m, uintptr_t at, unsigned bytes)
{
    uintptr_t line = at >> m->shift;
    if (line != m->written_line) {
        bool full = m->written == UINT64_MAX >> (64 - (1u << m->shift) / 8);
        m->written_run = full && line == m->written_line + 1 ? m->written_run + 1 : 0;
        m->written_line = line;
        m->written = 0;
    }
    for (unsigned i = 0; i<bytes; i += bytes> 8 ? 8 : bytes)
        m->written |= UINT64_C(1) << (((at + i) & ((1u << m->shift) - 1)) >> 3);
    return !m->model->data.no_allocate || m->written_run < m->model->data.no_allocate;
}

int64_t iss_memory_store(struct iss_memory *m, uint64_t address, unsigned bytes, int64_t now)
{
    uintptr_t at = place(m, address);
    int64_t extra = translate(m, &m->data_tlb, at >> PAGE_SHIFT, &m->counts.l1d_tlb_refills);
    uintptr_t line = at >> m->shift;
    int64_t ready;
    if (!allocates(m, at, bytes) && !sim_level_has(&m->l1d, line)) {
        m->counts.l1d++;
        if (line == m->store_line)
            return extra;
        m->store_line = line;
        m->counts.l2++;
        struct sim_used u = sim_level_use(&m->l2, line, true);
        write_back_l2(m, &u);
        int64_t start = m->l2_free > now ? m->l2_free : now;
        m->l2_free = start + m->model->l2.pitch;
        ready = start + m->model->l2.pitch;
    } else {
        ready = use_data(m, line, true, now + extra);
        uint64_t last = address + bytes - 1;
        if (last >> m->shift != address >> m->shift) {
            int64_t second = use_data(m, place(m, last) >> m->shift, true, now + extra);
            ready = second > ready ? second : ready;
        }
        if (ready <= now + extra)
            return extra;
        if (line == m->store_line) /* joins a refill that is already in flight */
            return extra;
        m->store_line = line;
    }
    if (ready > m->last_store)
        m->last_store = ready;
    int64_t *slot = &m->stores[m->next_store];
    m->next_store = (m->next_store + 1) % (size_t)m->model->data.store_buffer;
    int64_t wait = *slot > now ? *slot - now : 0;
    *slot = ready;
    return extra > wait ? extra : wait;
}

int64_t iss_memory_done(const struct iss_memory *m, int64_t now)
{
    int64_t done = now > m->last_in_flight ? now : m->last_in_flight;
    return done > m->last_store ? done : m->last_store;
}

/* ---- instructions ---- */

int64_t iss_memory_fetch(struct iss_memory *m, uint64_t address, int64_t now)
{
    uintptr_t at = place(m, address), line = at >> m->shift;
    int64_t extra = translate(m, &m->code_tlb, at >> PAGE_SHIFT, &m->counts.l1i_tlb_refills);
    m->counts.l1i++;
    if (sim_level_use(&m->l1i, line, false).hit)
        return extra;
    m->counts.l1i_refills++;
    int64_t wait = from_l2(m, line, now + extra, m->model->l1i.latency, &m->counts.l2_refills) - now;
    if (line == m->last_code_miss + 1) /* the next line was already being fetched */
        wait -= m->model->fetch.next_line < wait - extra ? m->model->fetch.next_line : wait - extra;
    m->last_code_miss = line;
    return wait;
}

/* ---- the whole ---- */

static void *level_new(struct sim_level *v, const struct sim_cache *c)
{
    void *memory = aligned_alloc(16, (sim_level_size(c) + 15) & ~(size_t)15);
    if (!memory)
        abort();
    sim_level_init(v, c, memory);
    return memory;
}

struct iss_memory *iss_memory_new(const struct iss_model *model)
{
    struct iss_memory *m = xcalloc(1, sizeof *m);
    m->model = model;
    while (1u << m->shift < model->l1d.geometry.line)
        m->shift++;
    memset(m->recent, 0xff, sizeof m->recent);
    m->cap_pages = 4096;
    m->pages = xmalloc(m->cap_pages * sizeof *m->pages);
    memset(m->pages, 0xff, m->cap_pages * sizeof *m->pages);
    m->l1i_memory = level_new(&m->l1i, &model->l1i.geometry);
    m->l1d_memory = level_new(&m->l1d, &model->l1d.geometry);
    m->l2_memory = level_new(&m->l2, &model->l2.geometry);
    sim_prefetcher_init(&m->prefetcher, &model->data.prefetch, m->shift);
    m->tlb_sets = (size_t)(model->tlb.entries / model->tlb.ways);
    m->main_tlb = xcalloc((size_t)model->tlb.entries + 1, sizeof *m->main_tlb);
    iss_memory_flush(m, true);
    return m;
}

void iss_memory_free(struct iss_memory *m)
{
    if (!m)
        return;
    free(m->pages);
    free(m->l1i_memory);
    free(m->l1d_memory);
    free(m->l2_memory);
    free(m->main_tlb);
    free(m);
}

void iss_memory_flush(struct iss_memory *m, bool tlbs)
{
    sim_level_flush(&m->l1i);
    sim_level_flush(&m->l1d);
    sim_level_flush(&m->l2);
    if (tlbs) {
        memset(m->data_tlb.micro, 0xff, sizeof m->data_tlb.micro);
        memset(m->code_tlb.micro, 0xff, sizeof m->code_tlb.micro);
        memset(m->main_tlb, 0xff, ((size_t)m->model->tlb.entries + 1) * sizeof *m->main_tlb);
    }
    memset(m->in_flight, 0, sizeof m->in_flight);
    memset(m->slots, 0, sizeof m->slots);
    memset(m->stores, 0, sizeof m->stores);
    sim_prefetcher_reset(&m->prefetcher);
    m->last_in_flight = m->last_store = m->l2_free = m->memory_free = 0;
    m->last_code_miss = m->store_line = m->written_line = SIM_NO_LINE - 1;
    m->written = 0;
    m->written_run = 0;
}

const struct iss_memory_counts *iss_memory_counts(const struct iss_memory *m)
{
    return &m->counts;
}
