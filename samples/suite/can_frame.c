/*
 * can_frame - a CAN data frame of 8 bytes: its bits, the CRC of 15 bits, bit stuffing, and all of it undone again.
 *
 * ISO 11898-1, base format: start, 11 bits of identifier, RTR, IDE, r0, 4 bits of length, the data, the CRC with
 * polynomial 0x4599; after five equal bits one of the other kind. The truth: the message sent; that a frame with its
 * own CRC behind it has the remainder 0; and that no six equal bits stand in the frame.
 *
 * Work: the CRC is a chain over 83 bits (shift, combination) when sent and over 98 when received: 362; stuffing loads,
 * compares and stores 98 bits, a chain again, and so does unstuffing: 588. Together 950.
 */
#include "../sample.h"

#define HEADER  19
#define CHECK   15
#define PLAIN   (HEADER + 64 + CHECK)
#define STUFFED (PLAIN + PLAIN / 4)

struct message {
    uint16_t identifier;
    uint8_t length;
    uint8_t data[8];
};

static const struct message original = {0x0a5, 8, {0x00, 0x00, 0x7f, 0xff, 0x83, 0x01, 0xaa, 0xf8}};

static struct message sent, received;
static uint8_t wire[STUFFED];
static int wire_length;
static unsigned remainder_seen;

static uint8_t *put(uint8_t *bits, unsigned value, int count)
{
    while (--count >= 0)
        *bits++ = value >> count & 1;
    return bits;
}

static unsigned get(const uint8_t **bits, int count)
{
    unsigned value = 0;

    while (--count >= 0)
        value = value << 1 | *(*bits)++;
    return value;
}

static unsigned crc15(const uint8_t *bits, int count)
{
    unsigned crc = 0;

    for (int i = 0; i < count; i++) {
        unsigned next = bits[i] ^ crc >> 14;

        crc = crc << 1 & 0x7fff;
        if (next)
            crc ^= 0x4599;
    }
    return crc;
}

static int frame(const struct message *message, uint8_t *plain)
{
    uint8_t *at = put(plain, 0, 1);

    at = put(at, message->identifier, 11);
    at = put(at, 0, 3);
    at = put(at, message->length, 4);
    for (int i = 0; i < message->length; i++)
        at = put(at, message->data[i], 8);
    at = put(at, crc15(plain, (int)(at - plain)), CHECK);
    return (int)(at - plain);
}

static int stuff(const uint8_t *plain, int count, uint8_t *stuffed)
{
    int n = 0, run = 0;
    uint8_t last = 2;

    for (int i = 0; i < count; i++) {
        run = plain[i] == last ? run + 1 : 1;
        last = stuffed[n++] = plain[i];
        if (run == 5) {
            last = stuffed[n++] = !last;
            run = 1;
        }
    }
    return n;
}

static int unstuff(const uint8_t *stuffed, int count, uint8_t *plain)
{
    int n = 0, run = 0;
    uint8_t last = 2;

    for (int i = 0; i < count && n < PLAIN; i++) {
        if (run == 5) {
            run = 1;
            last = stuffed[i];
            continue;
        }
        run = stuffed[i] == last ? run + 1 : 1;
        last = plain[n++] = stuffed[i];
    }
    return n;
}

static void unframe(const uint8_t *plain, int count, struct message *message)
{
    const uint8_t *at = plain + 1;

    remainder_seen = crc15(plain, count);
    message->identifier = (uint16_t)get(&at, 11);
    at += 3;
    message->length = (uint8_t)get(&at, 4);
    for (int i = 0; i < message->length && i < 8; i++)
        message->data[i] = (uint8_t)get(&at, 8);
}

static void exchange(void)
{
    uint8_t plain[PLAIN];

    wire_length = stuff(plain, frame(&sent, plain), wire);
    unframe(plain, unstuff(wire, wire_length, plain), &received);
}

int main(void)
{
    int run = 1, longest = 1;

    sent = original;
    memset(&received, 0, sizeof received);
    SHIM_KEEP(&sent);
    shim_region_begin("can_frame");
    exchange();
    SHIM_KEEP(&received);
    SHIM_KEEP(wire);
    SHIM_KEEP(&wire_length);
    SHIM_KEEP(&remainder_seen);
    shim_region_end("can_frame");
    for (int i = 1; i < wire_length; i++) {
        run = wire[i] == wire[i - 1] ? run + 1 : 1;
        longest = run > longest ? run : longest;
    }
    return sample_verdict_int("longest run of equal bits", longest, 5) |
           sample_verdict_int("whether bits were stuffed", wire_length > PLAIN, 1) |
           sample_verdict_int("remainder", remainder_seen, 0) |
           sample_verdict_int("identifier", received.identifier, original.identifier) |
           sample_verdict_int("length", received.length, original.length) |
           sample_verdict_int("difference of data", memcmp(received.data, original.data, 8) != 0, 0);
}
