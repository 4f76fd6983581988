/*
 * list_sort - a linked list of 1024 nodes: merge sort by relinking, then reversed, then added up.
 *
 * Work: merging halves of a list of 1024 takes at least half as many comparisons as nodes, over 10 levels 5120, each
 * with the load of a key and of a link: 15360; reversing loads and stores 1024 links, adding loads 1024 keys and links:
 * 4096.
 */
#include "../sample.h"
#include "lcg.h"

#define COUNT 1024

struct node {
    struct node *next;
    int key;
};

static struct node pool[COUNT];
static struct node *list;
static long total;

static struct node *merge(struct node *left, struct node *right)
{
    struct node head, *last = &head;

    while (left != NULL && right != NULL) {
        if (right->key < left->key) {
            last->next = right;
            right = right->next;
        } else {
            last->next = left;
            left = left->next;
        }
        last = last->next;
    }
    last->next = left != NULL ? left : right;
    return head.next;
}

static struct node *sort(struct node *first, int count)
{
    struct node *middle = first, *cut;
    int i;

    if (count < 2)
        return first;
    for (i = 1; i < count / 2; i++)
        middle = middle->next;
    cut = middle->next;
    middle->next = NULL;
    first = sort(first, count / 2);
    return merge(first, sort(cut, count - count / 2));
}

static struct node *reverse(struct node *first)
{
    struct node *reversed = NULL, *next;

    for (; first != NULL; first = next) {
        next = first->next;
        first->next = reversed;
        reversed = first;
    }
    return reversed;
}

int main(void)
{
    const struct node *at;
    uint32_t seed = 8;
    long expected = 0;
    int i, count = 0;

    for (i = 0; i < COUNT; i++) {
        pool[i].key = (int)lcg_draw(&seed);
        pool[i].next = i + 1 < COUNT ? &pool[i + 1] : NULL;
        expected += pool[i].key;
    }
    list = pool;
    total = 0;
    SHIM_KEEP(pool);
    SHIM_KEEP(&list);
    SHIM_KEEP(&total);
    shim_region_begin("list_sort");
    list = reverse(sort(list, COUNT));
    for (at = list; at != NULL; at = at->next)
        total += at->key;
    shim_region_end("list_sort");
    SHIM_KEEP(pool);
    SHIM_KEEP(&list);
    SHIM_KEEP(&total);
    for (at = list; at != NULL; at = at->next, count++)
        if (at->next != NULL && sample_verdict_int("whether neighbours descend", at->key >= at->next->key, 1))
            return 1;
    return sample_verdict_int("nodes", count, COUNT) || sample_verdict_int("sum of keys", total, expected);
}
