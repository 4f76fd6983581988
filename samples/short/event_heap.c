/*
 * event_heap - ten deadlines put into a binary heap and taken out again, earliest first.
 *
 * Truth: the deadlines are a permutation of 0 to 9.
 * Work: each of 10 is stored on its way in and loaded on its way out: 20.
 */
#include "../sample.h"

enum { N = 10 };
static int deadlines[N], heap[N + 1], size, order[N];

static void put(int value)
{
    int k = ++size;

    for (; k > 1 && heap[k / 2] > value; k /= 2)
        heap[k] = heap[k / 2];
    heap[k] = value;
}

static int take(void)
{
    int first = heap[1], last = heap[size--], k = 1;

    for (int child; (child = 2 * k) <= size; k = child) {
        if (child < size && heap[child + 1] < heap[child])
            child++;
        if (last <= heap[child])
            break;
        heap[k] = heap[child];
    }
    heap[k] = last;
    return first;
}

int main(void)
{
    int wrong = 0;

    size = 0;
    for (int i = 0; i < N; i++)
        deadlines[i] = (7 * i + 3) % N;
    SHIM_KEEP(deadlines);
    SHIM_KEEP(&size);
    shim_region_begin("event_heap");
    for (int i = 0; i < N; i++)
        put(deadlines[i]);
    for (int i = 0; i < N; i++)
        order[i] = take();
    SHIM_KEEP(order);
    shim_region_end("event_heap");
    for (int i = 0; i < N; i++)
        wrong += order[i] != i;
    return sample_verdict_int("out of order", wrong, 0);
}
