/*
 * isotp - 24 diagnostic messages of 1 to 400 bytes in CAN frames of 8 bytes (ISO 15765-2): single, first and
 * consecutive frames, flow control after every 8 frames; a sender and a receiver as state machines, step by step.
 *
 * The truth: what arrives is what was sent.
 *
 * Work: 24 messages are at least 400 frames; each is told by its first byte on either side (load, shift, switch), and
 * its flag stored twice: 400 * 8 = 3200.
 */
#include "judge.h"

#define MESSAGES 24
#define LONGEST  400
#define BLOCK    8

enum kind { SINGLE, FIRST, CONSECUTIVE, FLOW };
enum state { IDLE, WAITING, SENDING, FINISHED };

struct frame {
    uint8_t data[8];
    uint8_t full;
};
struct sender {
    const uint8_t *message;
    uint16_t length, at;
    uint8_t sequence, left, state;
};
struct receiver {
    uint8_t *message;
    uint16_t length, at;
    uint8_t sequence, left, complete, faults;
};

static uint8_t sent[MESSAGES][LONGEST], received[MESSAGES][LONGEST];
static uint16_t lengths[MESSAGES], arrived[MESSAGES];
static unsigned faults;

static void put(struct frame *f, struct sender *s, int from)
{
    for (int i = from; i < 8; i++)
        f->data[i] = s->at < s->length ? s->message[s->at++] : 0xAA;
    f->full = 1;
}

static void sender_step(struct sender *s, struct frame *out, struct frame *in)
{
    switch (s->state) {
    case IDLE:
        if (s->length <= 7) {
            out->data[0] = (uint8_t)(SINGLE << 4 | s->length);
            put(out, s, 1);
            s->state = FINISHED;
        } else {
            out->data[0] = (uint8_t)(FIRST << 4 | s->length >> 8);
            out->data[1] = (uint8_t)s->length;
            put(out, s, 2);
            s->sequence = 1;
            s->state = WAITING;
        }
        break;
    case WAITING:
        if (!in->full || in->data[0] >> 4 != FLOW)
            break;
        in->full = 0;
        s->left = in->data[1];
        s->state = SENDING;
        break;
    case SENDING:
        out->data[0] = (uint8_t)(CONSECUTIVE << 4 | s->sequence);
        s->sequence = (s->sequence + 1) & 15;
        put(out, s, 1);
        if (s->at == s->length)
            s->state = FINISHED;
        else if (--s->left == 0)
            s->state = WAITING;
        break;
    default:
        break;
    }
}

static void take(struct receiver *r, const struct frame *f, int from)
{
    for (int i = from; i < 8 && r->at < r->length; i++)
        r->message[r->at++] = f->data[i];
    r->complete = r->at == r->length;
}

static void allow(struct receiver *r, struct frame *out)
{
    static const uint8_t clear_to_send[8] = {FLOW << 4, BLOCK, 0};

    memcpy(out->data, clear_to_send, sizeof clear_to_send);
    out->full = 1;
    r->left = BLOCK;
}

static void receiver_step(struct receiver *r, struct frame *in, struct frame *out)
{
    if (!in->full)
        return;
    in->full = 0;
    switch (in->data[0] >> 4) {
    case SINGLE:
        r->length = in->data[0] & 15;
        take(r, in, 1);
        break;
    case FIRST:
        r->length = (uint16_t)((in->data[0] & 15) << 8 | in->data[1]);
        take(r, in, 2);
        r->sequence = 1;
        allow(r, out);
        break;
    case CONSECUTIVE:
        if ((in->data[0] & 15) != r->sequence) {
            r->faults++;
            break;
        }
        r->sequence = (r->sequence + 1) & 15;
        take(r, in, 1);
        if (!r->complete && --r->left == 0)
            allow(r, out);
        break;
    default:
        r->faults++;
    }
}

static void transfer(int m)
{
    struct sender s = {sent[m], lengths[m], 0, 0, 0, IDLE};
    struct receiver r = {received[m], 0, 0, 0, 0, 0, 0};
    struct frame there = {{0}, 0}, back = {{0}, 0};

    for (int step = 0; step < 200 && !r.complete; step++) {
        sender_step(&s, &there, &back);
        receiver_step(&r, &there, &back);
    }
    arrived[m] = r.at;
    faults += r.faults;
}

int main(void)
{
    uint64_t seed = 1;

    for (int m = 0; m < MESSAGES; m++) {
        lengths[m] = (uint16_t)(m < 3 ? m * 3 + 1 : 1 + draw_below(&seed, LONGEST));
        for (int i = 0; i < LONGEST; i++)
            sent[m][i] = (uint8_t)draw(&seed);
    }
    memset(received, 0, sizeof received);
    faults = 0;
    SHIM_KEEP(sent);
    SHIM_KEEP(lengths);
    shim_region_begin("isotp");
    for (int m = 0; m < MESSAGES; m++)
        transfer(m);
    SHIM_KEEP(received);
    shim_region_end("isotp");
    for (int m = 0; m < MESSAGES; m++)
        if (sample_verdict_int("length", arrived[m], lengths[m]) |
            sample_verdict_int("difference", memcmp(sent[m], received[m], lengths[m]) != 0, 0))
            return 1;
    return sample_verdict_int("faults", faults, 0);
}
