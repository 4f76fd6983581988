/*
 * exact_cover - all ways to fill a board of 4 x 6 with dominoes, by taking columns out of a matrix of linked lists in four
 * directions and putting them back.
 *
 * Knuth, "Dancing Links", 2000. The truth: the number of ways after Kasteleyn, 281, from a product of cosines.
 *
 * Work: 281 ways, each ending in a search for the shortest column: 281 * 24 * 3 = 20232.
 */
#include "judge.h"

#define HIGH    4
#define WIDE    6
#define CELLS   (HIGH * WIDE)
#define DOMINOS (HIGH * (WIDE - 1) + WIDE * (HIGH - 1))

struct link {
    struct link *left, *right, *up, *down, *head;
    uint16_t size;
};

static struct link root, heads[CELLS], links[DOMINOS][2];
static unsigned n_dominos;
static uint64_t ways, steps;

static void cover(struct link *c)
{
    c->right->left = c->left;
    c->left->right = c->right;
    for (struct link *r = c->down; r != c; r = r->down)
        for (struct link *x = r->right; x != r; x = x->right) {
            x->down->up = x->up;
            x->up->down = x->down;
            x->head->size--;
        }
}
static void uncover(struct link *c)
{
    for (struct link *r = c->up; r != c; r = r->up)
        for (struct link *x = r->left; x != r; x = x->left) {
            x->head->size++;
            x->down->up = x;
            x->up->down = x;
        }
    c->right->left = c;
    c->left->right = c;
}
static void search(void)
{
    struct link *best = root.right;

    steps++;
    if (best == &root) {
        ways++;
        return;
    }
    for (struct link *c = best->right; c != &root; c = c->right)
        if (c->size < best->size)
            best = c;
    if (best->size == 0)
        return;
    cover(best);
    for (struct link *r = best->down; r != best; r = r->down) {
        for (struct link *x = r->right; x != r; x = x->right)
            cover(x->head);
        search();
        for (struct link *x = r->left; x != r; x = x->left)
            uncover(x->head);
    }
    uncover(best);
}

static void add_domino(unsigned a, unsigned b)
{
    unsigned cells[2] = {a, b};

    for (int i = 0; i < 2; i++) {
        struct link *x = &links[n_dominos][i], *head = &heads[cells[i]];

        x->left = x->right = &links[n_dominos][!i];
        x->head = head;
        x->up = head->up;
        x->down = head;
        head->up->down = x;
        head->up = x;
        head->size++;
    }
    n_dominos++;
}

int main(void)
{
    double expected = 1;

    root.left = root.right = &root;
    for (int i = 0; i < CELLS; i++) {
        struct link *h = &heads[i];

        *h = (struct link){root.left, &root, h, h, h, 0};
        root.left->right = h;
        root.left = h;
    }
    n_dominos = 0;
    for (unsigned y = 0; y < HIGH; y++)
        for (unsigned x = 0; x < WIDE; x++) {
            if (x + 1 < WIDE)
                add_domino(y * WIDE + x, y * WIDE + x + 1);
            if (y + 1 < HIGH)
                add_domino(y * WIDE + x, y * WIDE + x + WIDE);
        }
    ways = steps = 0;
    SHIM_KEEP(&root);
    SHIM_KEEP(heads);
    SHIM_KEEP(links);
    shim_region_begin("exact_cover");
    search();
    SHIM_KEEP(&ways);
    shim_region_end("exact_cover");
    for (int i = 1; i <= HIGH; i++)
        for (int k = 1; k <= WIDE; k++)
            expected *= pow(4 * pow(cos(3.14159265358979 * i / (HIGH + 1)), 2) +
                                4 * pow(cos(3.14159265358979 * k / (WIDE + 1)), 2),
                            0.25);
    return sample_verdict_int("ways", (long long)ways, llround(expected)) |
           sample_verdict_int("dominoes", n_dominos, DOMINOS);
}
