/*
 * list_turn - a linked list of 24 nodes turned round, and its values weighted by their new places.
 *
 * Truth: node i holds i and stands last but i afterwards, so the sum of (23 - i) * i: 23 * 276 - 4324 = 2024.
 * Work: 24 nodes are loaded, linked anew and loaded again: 72.
 */
#include "../sample.h"

enum { N = 24 };
struct node {
    struct node *next;
    int value;
};
static struct node nodes[N], *head;
static int sum;

static void turn(void)
{
    struct node *done = 0;

    while (head) {
        struct node *next = head->next;

        head->next = done;
        done = head;
        head = next;
    }
    head = done;
}

int main(void)
{
    for (int i = 0; i < N; i++) /* scattered: the next one is seven places on */
        nodes[7 * i % N] = (struct node){i + 1 < N ? &nodes[7 * (i + 1) % N] : 0, i};
    head = &nodes[0];
    sum = 0;
    SHIM_KEEP(nodes);
    SHIM_KEEP(&head);
    shim_region_begin("list_turn");
    turn();
    SHIM_KEEP(nodes);
    SHIM_KEEP(&head);
    {
        int place = 0, total = 0;

        for (const struct node *n = head; n; n = n->next)
            total += n->value * place++;
        sum = total;
    }
    SHIM_KEEP(&sum);
    shim_region_end("list_turn");
    return sample_verdict_int("weighted sum", sum, 2024);
}
