/*
 * Which bytes functions touch, write, need and leave. Each byte has a STATE: five sets of functions.
 *     touched, written   that have done so, as often as they were executed
 *     have               that would know its value if they were offloaded: they have read or written it since it was
 *                        last written by others
 *     made               that were being executed when it was written, until another reads it
 *     own                whose own variable, or their callee's, it is: nothing of such a byte goes in or out
 * What an access of a context does to a state is a STEP, which is worked out once; then only bytes are added to it.
 * What each function has follows from the steps at the end.
 */
#include "irprof/runtime/rt_footprint.h"

#include <string.h>

#include "irprof/runtime/rt.h"

enum { PAGE = 4096, PAGES = 1 << 14, WORDS = RT_FOOT_FUNCTIONS / 64 };
enum { SET_BITS = 16, STATE_BITS = 16, STEP_BITS = 18 };
enum { NOBODY, EVERYBODY }; /* numbers of the first two sets */
enum access { READ, WRITE, FRESH, HEAP };

struct set {
    uint64_t bits[WORDS];
};
struct state {
    uint32_t touched, written, have, made, own; /* numbers of sets */
};
struct step {
    uint32_t state, context; /* set */
    uint32_t access, to;
    uint64_t bytes;
    uint32_t used;
};
struct page {
    uintptr_t number;    /* address / PAGE */
    uint32_t cell[PAGE]; /* states */
};
struct tables {
    struct page *pages[2 * PAGES]; /* hash tables with open addressing, as are all below */
    struct set sets[1 << SET_BITS];
    uint32_t by_set[2 << SET_BITS]; /* 1 + number */
    struct state states[1 << STATE_BITS];
    uint32_t by_state[2 << STATE_BITS];
    struct step steps[1 << STEP_BITS];
    struct rt_foot_row rows[RT_FOOT_FUNCTIONS];
};

static struct tables *all; /* NULL: nothing has been recorded */
static struct rt_footprint result;
static struct page *last_page;
static uint32_t n_pages, n_sets, n_states, n_steps, context;
static _Thread_local char here;
static const char *owner; /* &here of the first thread that entered a function */
static volatile uint32_t busy;

/* ---- sets and states ---- */

static uint32_t hashed(const void *words, size_t n, unsigned bits)
{
    const uint32_t *w = words;
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ w[i]) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    return (uint32_t)(h >> 7) & ((1u << bits) - 1);
}

static void full(void)
{
    result.flaws |= RT_FOOT_FULL;
}

static uint32_t set_number(const struct set *s)
{
    uint32_t at = hashed(s, sizeof *s / 4, SET_BITS + 1);
    for (; all->by_set[at]; at = (at + 1) % (2 << SET_BITS))
        if (memcmp(&all->sets[all->by_set[at] - 1], s, sizeof *s) == 0)
            return all->by_set[at] - 1;
    if (n_sets == 1 << SET_BITS) {
        full();
        return NOBODY;
    }
    all->sets[n_sets] = *s;
    all->by_set[at] = n_sets + 1;
    return n_sets++;
}

static uint32_t state_number(const struct state *s)
{
    uint32_t at = hashed(s, sizeof *s / 4, STATE_BITS + 1);
    for (; all->by_state[at]; at = (at + 1) % (2 << STATE_BITS))
        if (memcmp(&all->states[all->by_state[at] - 1], s, sizeof *s) == 0)
            return all->by_state[at] - 1;
    if (n_states == 1 << STATE_BITS) {
        full();
        return 0;
    }
    all->states[n_states] = *s;
    all->by_state[at] = n_states + 1;
    return n_states++;
}

static uint32_t both(uint32_t a, uint32_t b)
{
    struct set s = all->sets[a];
    for (size_t i = 0; i < WORDS; i++)
        s.bits[i] |= all->sets[b].bits[i];
    return set_number(&s);
}

static uint32_t common(uint32_t a, uint32_t b)
{
    struct set s = all->sets[a];
    for (size_t i = 0; i < WORDS; i++)
        s.bits[i] &= all->sets[b].bits[i];
    return set_number(&s);
}

static uint32_t state_after(const struct state *s, uint32_t by, enum access access)
{
    struct state to = {NOBODY, NOBODY, EVERYBODY, NOBODY, access == FRESH ? by : NOBODY};
    if (access == READ)
        to = (struct state){both(s->touched, by), s->written, both(s->have, by), common(s->made, by), s->own};
    if (access == WRITE)
        to = (struct state){both(s->touched, by), both(s->written, by), by, by, s->own};
    return state_number(&to);
}

static struct step *find_step(uint32_t state, enum access access)
{
    uint32_t key[] = {state, context, access}, at = hashed(key, 3, STEP_BITS);
    for (; all->steps[at].used; at = (at + 1) % (1 << STEP_BITS)) {
        struct step *s = &all->steps[at];
        if (s->state == state && s->context == context && s->access == access)
            return s;
    }
    if (n_steps >= 1 << (STEP_BITS - 1)) {
        full();
        return 0;
    }
    n_steps++;
    all->steps[at] = (struct step){state, context, access, state_after(&all->states[state], context, access), 0, 1};
    return &all->steps[at];
}

/* ---- bytes ---- */

static struct page *find_page(uintptr_t number)
{
    uint32_t key[] = {(uint32_t)number, (uint32_t)((uint64_t)number >> 32)}, at = hashed(key, 2, 15);
    if (last_page && last_page->number == number)
        return last_page;
    for (; all->pages[at]; at = (at + 1) % (2 * PAGES))
        if (all->pages[at]->number == number)
            return last_page = all->pages[at];
    struct page *p = n_pages < PAGES ? rt_memory_unlocked(sizeof *p) : 0;
    if (!p) {
        full();
        return 0;
    }
    n_pages++;
    p->number = number;
    return last_page = all->pages[at] = p;
}

static void use_cells(uint32_t *cell, uintptr_t n, enum access access)
{
    for (uintptr_t i = 0; i < n;) {
        uint32_t state = cell[i];
        struct step *s = find_step(state, access);
        uintptr_t first = i;
        for (; i < n && cell[i] == state; i++)
            cell[i] = s ? s->to : state;
        if (s)
            s->bytes += i - first;
    }
}

static int begin_tables(void)
{
    if (all)
        return 1;
    all = rt_memory_unlocked(sizeof *all);
    if (!all)
        return 0;
    struct set everybody;
    memset(&everybody, 0xff, sizeof everybody);
    set_number(&(struct set){{0}});
    set_number(&everybody);
    state_number(&(struct state){0});
    return 1;
}

/* Can something be recorded? Then `busy = 0` must follow. It cannot in a signal handler that interrupts this. */
static int enter(void)
{
    if (owner != &here || busy || (result.flaws & RT_FOOT_FULL))
        return 0;
    busy = 1;
    if (!begin_tables())
        busy = 0;
    return all != 0;
}

static void use(const void *at, uintptr_t size, enum access access)
{
    uintptr_t address = (uintptr_t)at;
    if (!enter())
        return;
    while (size) {
        uintptr_t first = address % PAGE, n = PAGE - first < size ? PAGE - first : size;
        struct page *p = find_page(address / PAGE);
        if (!p)
            break;
        use_cells(p->cell + first, n, access);
        address += n;
        size -= n;
    }
    busy = 0;
}

/* ---- called by instrumented code ---- */

void irprof_rt_footprint_read(const void *address, uintptr_t size)
{
    use(address, size, READ);
}

void irprof_rt_footprint_written(const void *address, uintptr_t size)
{
    use(address, size, WRITE);
}

void irprof_rt_footprint_fresh(const void *address, uintptr_t size)
{
    use(address, size, FRESH);
}

void irprof_rt_footprint_heap(const void *address, uintptr_t size)
{
    if (address)
        use(address, size, HEAP);
}

static uint32_t number_of(struct irprof_rt_foot_function *f)
{
    if (f->number || !f->module->record)
        return f->number;
    if (result.n + 1 == RT_FOOT_FUNCTIONS) {
        full();
        return 0;
    }
    f->number = ++result.n;
    all->rows[f->number] = (struct rt_foot_row){.record = f->module->record, .index = f->index};
    return f->number;
}

uint32_t irprof_rt_footprint_enter(struct irprof_rt_foot_function *f)
{
    if (!owner)
        owner = &here;
    if (owner != &here)
        __atomic_fetch_or(&result.flaws, RT_FOOT_THREADS, __ATOMIC_RELAXED);
    if (!enter())
        return context;
    uint32_t number = number_of(f);
    if (number && (f->from != context || !f->to)) {
        struct set s = all->sets[context];
        s.bits[number / 64] |= (uint64_t)1 << number % 64;
        f->from = context;
        f->to = set_number(&s);
    }
    if (number)
        context = f->to;
    busy = 0;
    return context;
}

void irprof_rt_footprint_back(uint32_t before)
{
    if (owner == &here && !busy)
        context = before;
}

/* ---- called by the runtime ---- */

/* Adds the bytes to each function that is in `a` but not in the other sets. */
static void add_bytes(size_t to, uint64_t bytes, uint32_t a, uint32_t b, uint32_t c)
{
    for (uint32_t f = 1; f <= result.n; f++) {
        uint64_t bit = (uint64_t)1 << f % 64;
        if (all->sets[a].bits[f / 64] & ~all->sets[b].bits[f / 64] & ~all->sets[c].bits[f / 64] & bit)
            *(uint64_t *)(void *)((char *)&all->rows[f] + to) += bytes;
    }
}

void rt_footprint_sum(void)
{
    for (uint32_t f = 1; all && f <= result.n; f++)
        all->rows[f].touched = all->rows[f].written = all->rows[f].needed = all->rows[f].left = 0;
    for (uint32_t i = 0; all && i < 1 << STEP_BITS; i++) {
        const struct step *s = &all->steps[i];
        const struct state *from = &all->states[s->state];
        if (!s->bytes || s->access > WRITE)
            continue;
        add_bytes(offsetof(struct rt_foot_row, touched), s->bytes, s->context, from->touched, from->own);
        if (s->access == WRITE) {
            add_bytes(offsetof(struct rt_foot_row, written), s->bytes, s->context, from->written, from->own);
            continue;
        }
        add_bytes(offsetof(struct rt_foot_row, needed), s->bytes, s->context, from->have, from->own);
        add_bytes(offsetof(struct rt_foot_row, left), s->bytes, from->made, s->context, from->own);
    }
}

const struct rt_footprint *rt_footprint(void)
{
    result.rows = all ? all->rows : 0;
    return all ? &result : 0;
}

void rt_footprint_restart(void)
{
    for (uint32_t i = 0; all && i < 2 * PAGES; i++)
        if (all->pages[i])
            memset(all->pages[i]->cell, 0, sizeof all->pages[i]->cell);
    for (uint32_t i = 0; all && i < 1 << STEP_BITS; i++)
        all->steps[i].bytes = 0;
    result.flaws = 0;
    busy = 0;
}
