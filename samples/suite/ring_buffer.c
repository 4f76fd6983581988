/*
 * ring_buffer - messages of 1 to 12 bytes with their length in front go through a ring of 64 bytes, two writers' turns
 * to each reader's, 80 rounds; what does not fit is dropped.
 *
 * The truth: a queue that never wraps, outside.
 *
 * Work: each of 80 rounds offers two messages (a load, the space left, a comparison) and at least every second round
 * takes one, of at least 2 bytes, each loaded, stored and the place moved on: 160 * 3 + 40 * 2 * 3 = 720.
 */
#include "../sample.h"
#include "lcg.h"

#define SIZE   64
#define ROUNDS 80
#define MOST   12

struct ring {
    uint8_t bytes[SIZE];
    volatile uint16_t head, tail; /* as an interrupt would see them; count on and are taken modulo the size */
    uint16_t dropped;
};
struct message {
    uint8_t length, bytes[MOST];
};

static struct ring ring;
static struct message offered[2 * ROUNDS], taken[ROUNDS];

static int offer(struct ring *r, const struct message *m)
{
    uint16_t head = r->head;

    if ((uint16_t)(head - r->tail) + m->length + 1 > SIZE) {
        r->dropped++;
        return 0;
    }
    r->bytes[head++ % SIZE] = m->length;
    for (int i = 0; i < m->length; i++)
        r->bytes[head++ % SIZE] = m->bytes[i];
    r->head = head;
    return 1;
}

static int take(struct ring *r, struct message *m)
{
    uint16_t tail = r->tail;

    if (tail == r->head)
        return 0;
    m->length = r->bytes[tail++ % SIZE];
    for (int i = 0; i < m->length && i < MOST; i++)
        m->bytes[i] = r->bytes[tail++ % SIZE];
    r->tail = tail;
    return 1;
}

static void work(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        offer(&ring, &offered[2 * i]);
        offer(&ring, &offered[2 * i + 1]);
        take(&ring, &taken[i]);
    }
}

static int check(void)
{
    int queue[2 * ROUNDS], first = 0, count = 0, fill = 0, dropped = 0;

    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 2 * i; k < 2 * i + 2; k++) {
            if (fill + offered[k].length + 1 > SIZE) {
                dropped++;
                continue;
            }
            fill += offered[k].length + 1;
            queue[count++] = k;
        }
        if (sample_verdict_int("length", taken[i].length, offered[queue[first]].length) ||
            sample_verdict_int("bytes", memcmp(taken[i].bytes, offered[queue[first]].bytes, taken[i].length), 0))
            return 1;
        fill -= offered[queue[first++]].length + 1;
    }
    return sample_verdict_int("dropped", ring.dropped, dropped) | sample_verdict_int("whether any was", dropped > 0, 1);
}

int main(void)
{
    uint32_t seed = 87;

    memset(&ring, 0, sizeof ring);
    memset(taken, 0, sizeof taken);
    ring.head = ring.tail = 65500; /* both wrap on the way */
    for (int i = 0; i < 2 * ROUNDS; i++) {
        offered[i].length = (uint8_t)(1 + lcg_draw(&seed) % MOST);
        for (int k = 0; k < MOST; k++)
            offered[i].bytes[k] = (uint8_t)lcg_draw(&seed);
    }
    SHIM_KEEP(&ring);
    SHIM_KEEP(offered);
    shim_region_begin("ring_buffer");
    work();
    SHIM_KEEP(&ring);
    SHIM_KEEP(taken);
    shim_region_end("ring_buffer");
    return check();
}
