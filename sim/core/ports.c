/* ports.c - a calendar for each port. Operations reserve cycles in program order, and later ones fill the gaps. So the
 * oldest operation that is ready is the one that issues. */
#include "sim/core/ports.h"

enum { WORDS = PORTS_AHEAD / 64 };

void ports_advance(struct ports *p, int64_t cycle)
{
    for (int passed = 0; p->now + 64 <= cycle && passed < WORDS; passed++, p->now += 64)
        for (unsigned i = 0; i < ISS_PORTS; i++)
            p->taken[i][p->now / 64 % WORDS] = 0;
    if (p->now + 64 <= cycle)
        p->now = cycle / 64 * 64;
}

static uint64_t *word_of(struct ports *p, unsigned port, int64_t cycle)
{
    return &p->taken[port][cycle / 64 % WORDS];
}

static bool is_taken(struct ports *p, unsigned port, int64_t cycle)
{
    return *word_of(p, port, cycle) >> (cycle % 64) & 1;
}

/* The first of `busy` consecutive free cycles, from `at` on. */
static int64_t first_free(struct ports *p, unsigned port, int64_t at, int64_t busy)
{
    int64_t end = p->now + PORTS_AHEAD;
    for (int64_t free = 0; free < busy && at + free < end;) {
        if (*word_of(p, port, at + free) == UINT64_MAX) { /* as the next case, but 64 cycles at once */
            at = (at + free) / 64 * 64 + 64;
            free = 0;
        } else if (is_taken(p, port, at + free)) {
            at += free + 1;
            free = 0;
        } else {
            free++;
        }
    }
    return at;
}

int64_t ports_take(struct ports *p, const struct iss_use *use, int64_t at)
{
    unsigned best = ISS_PORTS;
    int64_t first = 0;
    for (uint64_t left = use->ports; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        int64_t cycle = first_free(p, i, at, use->busy);
        if (best == ISS_PORTS || cycle < first || (cycle == first && p->used[i] < p->used[best])) {
            best = i;
            first = cycle;
        }
    }
    p->used[best]++;
    for (int64_t k = 0; k < use->busy && first + k < p->now + PORTS_AHEAD; k++)
        *word_of(p, best, first + k) |= UINT64_C(1) << ((first + k) % 64);
    return first;
}
