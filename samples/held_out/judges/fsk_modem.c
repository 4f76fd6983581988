/*
 * fsk_modem - 40 characters at 300 baud, 8000 samples a second, two tones: the sender's phase from a table of sines, the
 * receiver by quadrature correlation over sliding windows in whole numbers, start and stop bits.
 *
 * As in Bell 103. The truth: the characters.
 *
 * Work: more than 10000 samples, each with a look-up there, and four products and sums in the receiver: 10000 * 14 =
 * 140000.
 */
#include "judge.h"

#define CHARACTERS 40
#define RATE       8000
#define BAUD       300
#define MARK       1270
#define SPACE      1070
#define WINDOW     26 /* samples of a bit */
#define SAMPLES    (CHARACTERS * 11 * RATE / BAUD + 400)

static int16_t sine[256], line[SAMPLES];
static char text[CHARACTERS + 1], received[CHARACTERS + 8];
static int n_received;

static int put_bit(int at, int bit, uint32_t *phase, uint32_t *clock)
{
    uint32_t step = (uint32_t)((UINT64_C(1) << 32) * (uint64_t)(bit ? MARK : SPACE) / RATE);

    for (; *clock < RATE; *clock += BAUD) {
        line[at++] = (int16_t)(sine[*phase >> 24] / 2);
        *phase += step;
    }
    *clock -= RATE;
    return at;
}
static void send(void)
{
    uint32_t phase = 0, clock = 0;
    int at = 0;

    for (int i = 0; i < 4; i++)
        at = put_bit(at, 1, &phase, &clock);
    for (int c = 0; c < CHARACTERS; c++) {
        at = put_bit(at, 0, &phase, &clock);
        for (int b = 0; b < 8; b++)
            at = put_bit(at, text[c] >> b & 1, &phase, &clock);
        at = put_bit(at, 1, &phase, &clock);
        at = put_bit(at, 1, &phase, &clock);
    }
    while (at < SAMPLES && at % 64)
        at = put_bit(at, 1, &phase, &clock);
    for (; at < SAMPLES; at++)
        line[at] = 0;
}

struct tone {
    uint32_t phase, step;
    int32_t i, q;
    int32_t old_i[WINDOW], old_q[WINDOW];
};

static int64_t energy(struct tone *t, int16_t sample, int slot)
{
    int32_t i = sample * sine[t->phase >> 24] >> 8, q = sample * sine[(t->phase + 0x40000000) >> 24] >> 8;

    t->phase += t->step;
    t->i += i - t->old_i[slot];
    t->q += q - t->old_q[slot];
    t->old_i[slot] = i;
    t->old_q[slot] = q;
    return (int64_t)t->i * t->i + (int64_t)t->q * t->q;
}
static void receive(void)
{
    static struct tone mark, space;
    int wait = 0, bits = 0, idle = 1;
    unsigned shift = 0;

    memset(&mark, 0, sizeof mark);
    memset(&space, 0, sizeof space);
    mark.step = (uint32_t)((UINT64_C(1) << 32) * MARK / RATE);
    space.step = (uint32_t)((UINT64_C(1) << 32) * SPACE / RATE);
    for (int n = 0, slot = 0; n < SAMPLES; n++, slot = slot + 1 < WINDOW ? slot + 1 : 0) {
        int64_t balance = energy(&mark, line[n], slot) - energy(&space, line[n], slot);
        int bit = balance > 0;

        if (n < WINDOW)
            continue;
        if (idle) {
            if (bit)
                continue;
            idle = 0; /* the middle of the start bit is when the window turns */
            wait = (WINDOW / 2 + RATE / BAUD) * 16 + 8;
            bits = 0;
            shift = 0;
        } else if ((wait -= 16) <= 0) {
            wait += RATE * 16 / BAUD;
            if (bits < 8) {
                shift |= (unsigned)bit << bits++;
                continue;
            }
            idle = 1;
            if (bit && n_received < CHARACTERS + 7)
                received[n_received++] = (char)shift;
        }
    }
}

int main(void)
{
    uint64_t seed = 36;

    for (int i = 0; i < 256; i++)
        sine[i] = (int16_t)lround(32000 * sin(2 * 3.14159265358979 * i / 256));
    for (int i = 0; i < CHARACTERS; i++)
        text[i] = (char)(32 + draw_below(&seed, 90));
    memset(received, 0, sizeof received);
    n_received = 0;
    SHIM_KEEP(sine);
    SHIM_KEEP(text);
    shim_region_begin("fsk_modem");
    send();
    SHIM_KEEP(line);
    receive();
    SHIM_KEEP(received);
    SHIM_KEEP(&n_received);
    shim_region_end("fsk_modem");
    return sample_verdict_int("whether all came", n_received >= CHARACTERS, 1) |
           sample_verdict_int("difference", memcmp(text, received, CHARACTERS) != 0, 0);
}
