/*
 * topic_tree - 200 messages find their subscribers: topics as "plant/line3/motor/speed" in a tree of levels with
 * first child and next sibling, "+" for any one level and "#" for all the rest, walked by recursion.
 *
 * The truth: each filter compared with each topic letter by letter, without the tree.
 *
 * Work: 200 topics of at least three levels, at each a child's name is loaded and compared: 200 * 3 * 4 = 2400.
 */
#include "judge.h"

#define FILTERS 60
#define TOPICS  200
#define NODES   400
#define NAME    10

struct node {
    char name[NAME];
    struct node *child, *next;
    uint64_t subscribers;
};

static struct node nodes[NODES], *top;
static unsigned used;
static char filters[FILTERS][40], topics[TOPICS][40];
static uint64_t found[TOPICS];

static const char *level_end(const char *at)
{
    while (*at && *at != '/')
        at++;
    return at;
}
static int is_level(const char *name, const char *at, const char *end)
{
    while (at < end && *name == *at) {
        name++;
        at++;
    }
    return at == end && *name == 0;
}

static void subscribe(const char *filter, unsigned who)
{
    struct node **link = &top->child, *n;

    for (const char *at = filter;; at++) {
        const char *end = level_end(at);

        for (n = *link; n && !is_level(n->name, at, end); n = *link)
            link = &n->next;
        if (!n) {
            n = *link = &nodes[used++];
            for (int i = 0; at + i < end; i++)
                n->name[i] = at[i];
        }
        link = &n->child;
        at = end;
        if (!*at)
            break;
    }
    n->subscribers |= UINT64_C(1) << who;
}

static uint64_t subscribers(const struct node *n, const char *at)
{
    uint64_t set = 0;
    const char *end = level_end(at);

    for (n = n->child; n; n = n->next) {
        if (n->name[0] == '#') {
            set |= n->subscribers;
            continue;
        }
        if (n->name[0] != '+' && !is_level(n->name, at, end))
            continue;
        if (*end) {
            set |= subscribers(n, end + 1);
            continue;
        }
        set |= n->subscribers;
        for (const struct node *c = n->child; c; c = c->next) /* "a/#" is also of "a" */
            if (c->name[0] == '#')
                set |= c->subscribers;
    }
    return set;
}

static int matches(const char *f, const char *t)
{
    for (;;) {
        if (*f == '#')
            return 1;
        if (*f == '+') {
            while (*t && *t != '/')
                t++;
            f++;
        } else
            while (*f && *f != '/' && *f == *t) {
                f++;
                t++;
            }
        if (*f == 0 && *t == 0)
            return 1;
        if (*t == 0)
            return strcmp(f, "/#") == 0;
        if (*f != '/' || *t != '/')
            return 0;
        f++;
        t++;
    }
}

static void make(char *out, int filter, uint64_t *seed)
{
    static const char *const words[] = {"plant", "line", "motor", "pump", "speed", "temp", "state", "alarm"};
    int depth = 3 + draw_below(seed, 3);

    *out = 0;
    for (int i = 0; i < depth; i++) {
        int kind = filter ? draw_below(seed, 10) : 9;

        if (i)
            strcat(out, "/");
        if (kind == 0 || (kind == 1 && i == depth - 1)) {
            strcat(out, kind == 0 ? "+" : "#");
            continue;
        }
        strcat(out, words[i == 0 ? draw_below(seed, 2) : draw_below(seed, 8)]);
    }
}

int main(void)
{
    uint64_t seed = 6;
    uint64_t any = 0;

    for (int i = 0; i < FILTERS; i++)
        make(filters[i], 1, &seed);
    for (int i = 0; i < TOPICS; i++)
        make(topics[i], 0, &seed);
    memset(nodes, 0, sizeof nodes);
    used = 1;
    top = nodes;
    SHIM_KEEP(filters);
    SHIM_KEEP(topics);
    SHIM_KEEP(nodes);
    shim_region_begin("topic_tree");
    for (unsigned i = 0; i < FILTERS; i++)
        subscribe(filters[i], i);
    for (int i = 0; i < TOPICS; i++)
        found[i] = subscribers(top, topics[i]);
    SHIM_KEEP(found);
    shim_region_end("topic_tree");
    for (int i = 0; i < TOPICS; i++) {
        uint64_t set = 0;

        for (int k = 0; k < FILTERS; k++)
            set |= (uint64_t)matches(filters[k], topics[i]) << k;
        if (found[i] != set)
            return sample_verdict_int("topic whose subscribers are wrong", i, -1);
        any |= set;
    }
    return sample_verdict_int("whether any matched", any != 0, 1);
}
