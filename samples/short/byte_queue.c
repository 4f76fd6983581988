/*
 * byte_queue - twenty bytes through a queue of eight places, three in and at most two out in turn, as a serial port's.
 *
 * Truth: the bytes come out in their order, all of them.
 * Work: 20 bytes are stored on their way in and loaded on their way out: 40.
 */
#include "../sample.h"

enum { N = 20, PLACES = 8 };
struct queue {
    uint8_t bytes[PLACES];
    unsigned first, n;
};
static struct queue queue;
static uint8_t in[N], out[N];

static int put(struct queue *q, uint8_t byte)
{
    if (q->n == PLACES)
        return 0;
    q->bytes[(q->first + q->n++) % PLACES] = byte;
    return 1;
}

static int take(struct queue *q, uint8_t *byte)
{
    if (!q->n)
        return 0;
    *byte = q->bytes[q->first];
    q->first = (q->first + 1) % PLACES;
    q->n--;
    return 1;
}

int main(void)
{
    int sent = 0, received = 0, wrong = 0;

    queue = (struct queue){0};
    for (int i = 0; i < N; i++)
        in[i] = (uint8_t)(i * 37);
    SHIM_KEEP(&queue);
    SHIM_KEEP(in);
    shim_region_begin("byte_queue");
    while (received < N) {
        for (int i = 0; i < 3 && sent < N; i++)
            sent += put(&queue, in[sent]);
        for (int i = 0; i < 2 && received < N; i++)
            received += take(&queue, &out[received]);
    }
    SHIM_KEEP(out);
    shim_region_end("byte_queue");
    for (int i = 0; i < N; i++)
        wrong += out[i] != in[i];
    return sample_verdict_int("wrong bytes", wrong, 0);
}
