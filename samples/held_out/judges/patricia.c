/*
 * patricia - 300 network routes in a tree by bits with skipped ways; 900 addresses ask for the longest prefix.
 *
 * Morrison, "PATRICIA", 1968. The truth: all routes compared with each address.
 *
 * Work: 900 look-ups over at least three nodes each, with a load of a link, a shift and a comparison: 900 * 3 * 4 = 10800.
 */
#include "judge.h"

#define ROUTES  300
#define ASKED   900
#define UNKNOWN 0xFFFF

struct node {
    uint32_t prefix;
    uint8_t length;
    uint16_t value;    /* UNKNOWN: only joins two */
    uint16_t child[2]; /* 0: none */
};
struct route {
    uint32_t prefix;
    uint8_t length;
};

static struct node nodes[2 * ROUTES + 2];
static unsigned used;
static struct route routes[ROUTES];
static uint32_t asked[ASKED];
static uint16_t answers[ASKED];

static uint32_t mask(unsigned length)
{
    return length ? UINT32_MAX << (32 - length) : 0;
}
static unsigned bit(uint32_t address, unsigned at)
{
    return at < 32 ? address >> (31 - at) & 1 : 0;
}
static unsigned common(uint32_t a, uint32_t b, unsigned limit)
{
    unsigned n = 0;

    while (n < limit && bit(a ^ b, n) == 0)
        n++;
    return n;
}
static uint16_t make(uint32_t prefix, unsigned length, uint16_t value)
{
    nodes[used] = (struct node){prefix & mask(length), (uint8_t)length, value, {0, 0}};
    return (uint16_t)used++;
}

static void add(const struct route *r, uint16_t value)
{
    uint16_t *link = &nodes[0].child[bit(r->prefix, 0)];

    if (r->length == 0) {
        nodes[0].value = value;
        return;
    }
    for (;;) {
        struct node *n = &nodes[*link];
        unsigned limit, same;
        uint16_t joint;

        if (!*link) {
            *link = make(r->prefix, r->length, value);
            return;
        }
        limit = n->length < r->length ? n->length : r->length;
        same = common(n->prefix, r->prefix, limit);
        if (same == n->length && same == r->length) {
            n->value = value;
            return;
        }
        if (same == n->length) {
            link = &n->child[bit(r->prefix, same)];
            continue;
        }
        joint = make(r->prefix, same, same == r->length ? value : UNKNOWN);
        nodes[joint].child[bit(n->prefix, same)] = *link;
        *link = joint;
        if (same < r->length)
            nodes[joint].child[bit(r->prefix, same)] = make(r->prefix, r->length, value);
        return;
    }
}
static uint16_t look_up(uint32_t address)
{
    const struct node *n = nodes;
    uint16_t best = n->value, next;

    while ((next = n->child[bit(address, n->length)]) != 0) {
        n = &nodes[next];
        if (((address ^ n->prefix) & mask(n->length)) != 0)
            break;
        if (n->value != UNKNOWN)
            best = n->value;
    }
    return best;
}

int main(void)
{
    uint64_t seed = 41;

    for (int i = 0; i < ROUTES; i++) {
        routes[i].length = (uint8_t)(i == 0 ? 0 : 4 + draw_below(&seed, 25));
        routes[i].prefix =
            (i > 10 && draw_below(&seed, 3) ? routes[draw_below(&seed, i)].prefix ^ draw(&seed) >> 8 : draw(&seed)) &
            mask(routes[i].length);
    }
    for (int i = 0; i < ASKED; i++)
        asked[i] = draw_below(&seed, 4) ? routes[draw_below(&seed, ROUTES)].prefix | draw(&seed) >> 12 : draw(&seed);
    memset(nodes, 0, sizeof nodes);
    nodes[0].value = UNKNOWN;
    used = 1;
    SHIM_KEEP(routes);
    SHIM_KEEP(asked);
    SHIM_KEEP(nodes);
    shim_region_begin("patricia");
    for (int i = 0; i < ROUTES; i++)
        add(&routes[i], (uint16_t)i);
    for (int i = 0; i < ASKED; i++)
        answers[i] = look_up(asked[i]);
    SHIM_KEEP(answers);
    shim_region_end("patricia");
    for (int i = 0; i < ASKED; i++) {
        int best = -1;

        for (int r = 0; r < ROUTES; r++)
            if (((asked[i] ^ routes[r].prefix) & mask(routes[r].length)) == 0 &&
                (best < 0 || routes[r].length >= routes[best].length))
                best = r;
        if (answers[i] != best)
            return sample_verdict_int("route", answers[i], best);
    }
    return 0;
}
