/*
 * arq_window - 300 packets over a channel that loses some: a sender with a window of 8, selective acknowledgements in a
 * bit mask, a timer for each packet, and a receiver that puts them in order.
 *
 * The truth: the bytes delivered are the bytes sent, in order, once each.
 *
 * Work: each of the 300 packets is sent (16 bytes, stored and loaded as at least one vector) and acknowledged, its timer
 * loaded and compared at least once: 300 * 10 = 3000.
 */
#include "judge.h"

#define PACKETS 300
#define WINDOW  8
#define BYTES   16
#define FLIGHT  4  /* ticks on the way */
#define TIMEOUT 12 /* ticks until a packet is sent again */
#define TICKS   8000

struct packet {
    uint16_t number;
    uint8_t valid;
    uint8_t sum;
    uint8_t payload[BYTES];
};
struct answer {
    uint16_t base; /* all before have arrived */
    uint8_t mask;  /* of those from base + 1 */
    uint8_t valid;
};

static uint8_t data[PACKETS][BYTES], delivered[PACKETS][BYTES];
static struct packet wire[FLIGHT], held[WINDOW];
static struct answer back[FLIGHT];
static uint16_t sent_at[WINDOW], base, next;
static uint8_t acknowledged[WINDOW], loss[TICKS];
static unsigned expected, resent, ticks;

static uint8_t sum_of(const uint8_t *bytes, int n)
{
    unsigned sum = 0;

    while (n--)
        sum += *bytes++;
    return (uint8_t)~sum;
}

static void send_packet(unsigned number, unsigned now)
{
    struct packet *p = &wire[now % FLIGHT];

    p->number = (uint16_t)number;
    p->valid = !(loss[now] & 1);
    memcpy(p->payload, data[number], BYTES);
    p->sum = sum_of(p->payload, BYTES);
    sent_at[number % WINDOW] = (uint16_t)now;
}

/* One packet a tick: a new one if the window allows, else the first whose time is up. */
static void sender_tick(unsigned now)
{
    wire[now % FLIGHT].valid = 0;
    for (unsigned n = base; n < next; n++)
        if (!acknowledged[n % WINDOW] && now - sent_at[n % WINDOW] >= TIMEOUT) {
            resent++;
            send_packet(n, now);
            return;
        }
    if (next < PACKETS && next < base + WINDOW) {
        acknowledged[next % WINDOW] = 0;
        send_packet(next++, now);
    }
}

static void sender_hear(const struct answer *a)
{
    if (!a->valid)
        return;
    for (unsigned n = base; n < next; n++)
        if (n < a->base || (n > a->base && (a->mask >> (n - a->base - 1) & 1)))
            acknowledged[n % WINDOW] = 1;
    while (base < next && acknowledged[base % WINDOW])
        base++;
}

static void receiver_tick(const struct packet *p, unsigned now)
{
    struct answer *a = &back[now % FLIGHT];

    a->valid = 0;
    if (!p->valid || sum_of(p->payload, BYTES) != p->sum)
        return;
    if (p->number >= expected && p->number < expected + WINDOW)
        held[p->number % WINDOW] = *p;
    while (expected < PACKETS && held[expected % WINDOW].valid && held[expected % WINDOW].number == expected) {
        memcpy(delivered[expected], held[expected % WINDOW].payload, BYTES);
        held[expected % WINDOW].valid = 0;
        expected++;
    }
    a->base = (uint16_t)expected;
    a->mask = 0;
    for (unsigned n = expected + 1; n < expected + WINDOW; n++)
        if (held[n % WINDOW].valid && held[n % WINDOW].number == n)
            a->mask |= (uint8_t)(1U << (n - expected - 1));
    a->valid = !(loss[now] & 2);
}

static void run(void)
{
    for (ticks = FLIGHT; ticks < TICKS && base < PACKETS; ticks++) {
        struct packet arriving = wire[ticks % FLIGHT];
        struct answer heard = back[ticks % FLIGHT];

        receiver_tick(&arriving, ticks);
        sender_hear(&heard);
        sender_tick(ticks);
    }
}

int main(void)
{
    uint64_t seed = 2;

    for (int i = 0; i < PACKETS * BYTES; i++)
        data[i / BYTES][i % BYTES] = (uint8_t)draw(&seed);
    for (int i = 0; i < TICKS; i++)
        loss[i] = (uint8_t)((draw_below(&seed, 8) == 0) | (draw_below(&seed, 12) == 0) << 1);
    memset(delivered, 0, sizeof delivered);
    memset(wire, 0, sizeof wire);
    memset(held, 0, sizeof held);
    memset(back, 0, sizeof back);
    base = next = 0;
    expected = resent = 0;
    SHIM_KEEP(data);
    SHIM_KEEP(loss);
    shim_region_begin("arq_window");
    run();
    SHIM_KEEP(delivered);
    shim_region_end("arq_window");
    return sample_verdict_int("packets", expected, PACKETS) |
           sample_verdict_int("difference", memcmp(data, delivered, sizeof data) != 0, 0) |
           sample_verdict_int("whether some were sent again", resent > 10, 1);
}
