/*
 * framing - 2000 bytes, in packets of 50, through three ways to mark where a packet ends: SLIP (RFC 1055), HDLC-like
 * byte stuffing (RFC 1662) and COBS (Cheshire and Baker, "Consistent Overhead Byte Stuffing", 1997), each there and
 * back.
 *
 * The truth is the packets sent, and that no mark stands inside a frame.
 *
 * Work: on the way there each byte is loaded, compared with a mark and stored at a place that depends on those before;
 * and again on the way back: 3 * 2 * 2000 * 3 = 36000.
 */
#include "../sample.h"
#include "lcg.h"

#define PACKETS 40
#define LENGTH  50
#define ROOM    (2 * LENGTH + 2)

enum { SLIP, HDLC, COBS, WAYS };

static uint8_t packets[PACKETS][LENGTH], frames[WAYS][PACKETS][ROOM], back[WAYS][PACKETS][LENGTH];
static int frame_length[WAYS][PACKETS], back_length[WAYS][PACKETS];

static int slip_frame(const uint8_t *packet, uint8_t *frame)
{
    int n = 0;

    for (int i = 0; i < LENGTH; i++) {
        switch (packet[i]) {
        case 0xc0:
            frame[n++] = 0xdb;
            frame[n++] = 0xdc;
            break;
        case 0xdb:
            frame[n++] = 0xdb;
            frame[n++] = 0xdd;
            break;
        default:
            frame[n++] = packet[i];
        }
    }
    frame[n++] = 0xc0;
    return n;
}

static int slip_packet(const uint8_t *frame, uint8_t *packet)
{
    int n = 0;

    for (; *frame != 0xc0; frame++) {
        if (n == LENGTH)
            return -1;
        if (*frame != 0xdb)
            packet[n++] = *frame;
        else if (*++frame == 0xdc)
            packet[n++] = 0xc0;
        else
            packet[n++] = 0xdb;
    }
    return n;
}

static int hdlc_frame(const uint8_t *packet, uint8_t *frame)
{
    int n = 0;

    for (int i = 0; i < LENGTH; i++) {
        uint8_t byte = packet[i];

        if (byte == 0x7e || byte == 0x7d || byte < 0x20) {
            frame[n++] = 0x7d;
            byte ^= 0x20;
        }
        frame[n++] = byte;
    }
    frame[n++] = 0x7e;
    return n;
}

static int hdlc_packet(const uint8_t *frame, uint8_t *packet)
{
    int n = 0;
    uint8_t flip = 0;

    for (; *frame != 0x7e; frame++) {
        if (*frame == 0x7d) {
            flip = 0x20;
            continue;
        }
        if (n == LENGTH)
            return -1;
        packet[n++] = *frame ^ flip;
        flip = 0;
    }
    return n;
}

/* A block's first byte says where the next zero, which is left out, would be. A packet here is shorter than 254. */
static int cobs_frame(const uint8_t *packet, uint8_t *frame)
{
    int n = 1, block = 0;

    for (int i = 0; i < LENGTH; i++) {
        if (packet[i] != 0) {
            frame[n++] = packet[i];
            continue;
        }
        frame[block] = (uint8_t)(n - block);
        block = n++;
    }
    frame[block] = (uint8_t)(n - block);
    frame[n++] = 0;
    return n;
}

static int cobs_packet(const uint8_t *frame, uint8_t *packet)
{
    int n = 0;

    while (*frame != 0) {
        int rest = *frame++;

        while (--rest > 0 && n < LENGTH)
            packet[n++] = *frame++;
        if (*frame != 0 && n < LENGTH)
            packet[n++] = 0;
    }
    return n;
}

static void transmit(void)
{
    for (int p = 0; p < PACKETS; p++) {
        frame_length[SLIP][p] = slip_frame(packets[p], frames[SLIP][p]);
        frame_length[HDLC][p] = hdlc_frame(packets[p], frames[HDLC][p]);
        frame_length[COBS][p] = cobs_frame(packets[p], frames[COBS][p]);
    }
    for (int p = 0; p < PACKETS; p++) {
        back_length[SLIP][p] = slip_packet(frames[SLIP][p], back[SLIP][p]);
        back_length[HDLC][p] = hdlc_packet(frames[HDLC][p], back[HDLC][p]);
        back_length[COBS][p] = cobs_packet(frames[COBS][p], back[COBS][p]);
    }
}

int main(void)
{
    static const uint8_t marks[WAYS] = {0xc0, 0x7e, 0x00}, awkward[] = {0x00, 0xc0, 0xdb, 0x7d, 0x7e, 0x11, 0xdc, 0xdd};
    uint32_t seed = 14;

    memset(back, 0x55, sizeof back);
    for (int i = 0; i < PACKETS * LENGTH; i++) {
        unsigned draw = lcg_draw(&seed);

        packets[i / LENGTH][i % LENGTH] = draw % 8 == 0 ? awkward[draw / 8 % 8] : (uint8_t)(draw >> 8);
    }
    SHIM_KEEP(packets);
    shim_region_begin("framing");
    transmit();
    SHIM_KEEP(frames);
    SHIM_KEEP(back);
    SHIM_KEEP(frame_length);
    SHIM_KEEP(back_length);
    shim_region_end("framing");
    for (int way = 0; way < WAYS; way++) {
        if (sample_verdict_int("difference from the packets", memcmp(back[way], packets, sizeof packets) != 0, 0))
            return 1;
        for (int p = 0; p < PACKETS; p++) {
            const uint8_t *mark = memchr(frames[way][p], marks[way], sizeof frames[way][p]);

            if (sample_verdict_int("bytes in a packet", back_length[way][p], LENGTH) ||
                sample_verdict_int("place of the first mark", mark - frames[way][p], frame_length[way][p] - 1))
                return 1;
        }
    }
    return 0;
}
