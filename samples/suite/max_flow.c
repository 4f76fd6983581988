/*
 * max_flow - the greatest flow through three networks of 42 nodes and some 180 pipes.
 *
 * Edmonds and Karp, 1972: the shortest way with room left, found in breadth, again and again. The truth: a cut of the
 * same capacity (Ford and Fulkerson's theorem), and that each node passes on what it gets, outside.
 *
 * Work: each network's flow needs at least 5 ways of at least 3 pipes, each found by a search that looks at all 42
 * nodes' first pipes (load, comparison), and the last search at as many as are reached: 3 * 5 * 42 * 2 = 1260.
 */
#include "../sample.h"
#include "lcg.h"

#define NETWORKS 3
#define NODES    42
#define PIPES    400 /* with those back */
#define SOURCE   0
#define SINK     (NODES - 1)

struct pipe {
    int16_t to, next; /* the next pipe of the same node, or -1 */
    int32_t room, capacity;
};
struct network {
    struct pipe pipes[PIPES]; /* 2i and 2i + 1: there and back */
    int16_t first[NODES];
    int count;
    int32_t flow;
    uint8_t reached[NODES]; /* at the end: the source's side of the cut */
};

static struct network networks[NETWORKS];

/* A way from source to sink: the pipe by which each node was reached. */
static int search(struct network *n, int16_t by[NODES])
{
    int16_t queue[NODES];
    int head = 0, tail = 0;

    for (int i = 0; i < NODES; i++)
        n->reached[i] = i == SOURCE;
    queue[tail++] = SOURCE;
    while (head < tail) {
        int at = queue[head++];

        for (int16_t p = n->first[at]; p >= 0; p = n->pipes[p].next) {
            const struct pipe *pipe = &n->pipes[p];

            if (pipe->room == 0 || n->reached[pipe->to])
                continue;
            n->reached[pipe->to] = 1;
            by[pipe->to] = p;
            queue[tail++] = pipe->to;
        }
    }
    return n->reached[SINK];
}

static void fill(struct network *n)
{
    int16_t by[NODES];

    while (search(n, by)) {
        int32_t least = INT32_MAX;

        for (int at = SINK; at != SOURCE; at = n->pipes[by[at] ^ 1].to)
            if (n->pipes[by[at]].room < least)
                least = n->pipes[by[at]].room;
        for (int at = SINK; at != SOURCE; at = n->pipes[by[at] ^ 1].to) {
            n->pipes[by[at]].room -= least;
            n->pipes[by[at] ^ 1].room += least;
        }
        n->flow += least;
    }
}

static void add_pipe(struct network *n, int from, int to, int32_t capacity)
{
    n->pipes[n->count] = (struct pipe){(int16_t)to, n->first[from], capacity, capacity};
    n->first[from] = (int16_t)n->count++;
    n->pipes[n->count] = (struct pipe){(int16_t)from, n->first[to], 0, 0};
    n->first[to] = (int16_t)n->count++;
}

/* Source, four layers of ten, sink. */
static void make_network(struct network *n, uint32_t *seed)
{
    memset(n, 0, sizeof *n);
    for (int i = 0; i < NODES; i++)
        n->first[i] = -1;
    for (int i = 0; i < 10; i++) {
        add_pipe(n, SOURCE, 1 + i, (int32_t)(20 + lcg_draw(seed) % 60));
        add_pipe(n, 31 + i, SINK, (int32_t)(20 + lcg_draw(seed) % 60));
    }
    for (int layer = 0; layer < 3; layer++)
        for (int i = 0; i < 10; i++)
            for (int k = 0; k < 5; k++) {
                int back = k == 4 && layer > 0;

                add_pipe(n, 1 + 10 * layer + i, 1 + 10 * (back ? layer - 1 : layer + 1) + (int)(lcg_draw(seed) % 10),
                         (int32_t)(1 + lcg_draw(seed) % 25));
            }
}

static int check(const struct network *n)
{
    int64_t balance[NODES] = {0}, cut = 0;

    for (int i = 0; i < n->count; i += 2) {
        const struct pipe *there = &n->pipes[i], *back = there + 1;
        int32_t flow = there->capacity - there->room;

        if (sample_verdict_int("whether a pipe's flow is within bounds", flow >= 0 && flow <= there->capacity, 1))
            return 1;
        balance[back->to] -= flow;
        balance[there->to] += flow;
        if (n->reached[back->to] && !n->reached[there->to])
            cut += there->capacity;
    }
    for (int i = 1; i < SINK; i++)
        if (sample_verdict_int("balance of a node", balance[i], 0))
            return 1;
    return sample_verdict_int("flow out of the source", -balance[SOURCE], n->flow) |
           sample_verdict_int("flow into the sink", balance[SINK], n->flow) |
           sample_verdict_int("capacity of the cut", cut, n->flow);
}

int main(void)
{
    uint32_t seed = 64;

    for (int i = 0; i < NETWORKS; i++)
        make_network(&networks[i], &seed);
    SHIM_KEEP(networks);
    shim_region_begin("max_flow");
    for (int i = 0; i < NETWORKS; i++)
        fill(&networks[i]);
    SHIM_KEEP(networks);
    shim_region_end("max_flow");
    for (int i = 0; i < NETWORKS; i++)
        if (check(&networks[i]))
            return 1;
    return 0;
}
