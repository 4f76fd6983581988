/*
 * lz77 - compression of a log by references into the last 255 bytes, and decompression.
 *
 * Ziv and Lempel, "A Universal Algorithm for Sequential Data Compression", 1977. A control byte below 128: so many
 * literal bytes less 1 follow; from 128: a match of 4 + control - 128 bytes, its distance in the next byte. The truth
 * is the round trip.
 *
 * Work: the greedy search looks at all 255 distances wherever 255 bytes have passed. Searches stand at most 131 bytes
 * (the longest match) apart; the first beyond byte 255 begins before byte 386, the last after byte 1368: at least 8 of
 * them. Every distance costs a load and a comparison that may end the loop: 8 * 255 * 2 = 4080.
 */
#include "../sample.h"
#include "test_signal.h"

#define LENGTH    1500
#define WINDOW    255
#define SHORTEST  4
#define LONGEST   (SHORTEST + 127)
#define MOST_RAW  128
#define WORST_OUT (LENGTH + LENGTH / MOST_RAW + 2)

struct match {
    int length, distance;
};

static uint8_t input[LENGTH], packed[WORST_OUT], output[LENGTH];
static int packed_length, output_length;

static int common_length(const uint8_t *a, const uint8_t *b, int most)
{
    int n = 0;

    while (n < most && a[n] == b[n])
        n++;
    return n;
}

static struct match longest_match(int at)
{
    struct match best = {0, 0};
    int most = LENGTH - at < LONGEST ? LENGTH - at : LONGEST;
    int far = at < WINDOW ? at : WINDOW;

    for (int distance = 1; distance <= far; distance++) {
        int length = common_length(&input[at], &input[at - distance], most);

        if (length > best.length)
            best = (struct match){length, distance};
    }
    return best;
}

/* Writes the literals that wait before `at`; the new end of the output. */
static int flush(int out, int at, int waiting)
{
    if (waiting == 0)
        return out;
    packed[out++] = (uint8_t)(waiting - 1);
    memcpy(&packed[out], &input[at - waiting], (size_t)waiting);
    return out + waiting;
}

static int compress(void)
{
    int out = 0, at = 0, waiting = 0;

    while (at < LENGTH) {
        struct match m = longest_match(at);

        if (m.length >= SHORTEST) {
            out = flush(out, at, waiting);
            waiting = 0;
            packed[out++] = (uint8_t)(128 + m.length - SHORTEST);
            packed[out++] = (uint8_t)m.distance;
            at += m.length;
        } else {
            at++;
            if (++waiting == MOST_RAW) {
                out = flush(out, at, waiting);
                waiting = 0;
            }
        }
    }
    return flush(out, at, waiting);
}

static int decompress(void)
{
    int out = 0, in = 0;

    while (in < packed_length) {
        int control = packed[in++];

        if (control < 128) {
            memcpy(&output[out], &packed[in], (size_t)control + 1);
            out += control + 1;
            in += control + 1;
        } else {
            int distance = packed[in++];

            for (int n = control - 128 + SHORTEST; n > 0; n--, out++)
                output[out] = output[out - distance];
        }
    }
    return out;
}

/* Lines of a log: words that return, numbers that do not. */
static void prepare(void)
{
    static const char *const word[8] = {"engine ", "speed ", "error ", "sensor ", "value=", "time=", "ok\n", "fault\n"};
    uint32_t noise = 3141592653u;
    int n = 0;

    while (n < LENGTH) {
        const char *w = word[noise_next(&noise) % 8];

        while (*w != '\0' && n < LENGTH)
            input[n++] = (uint8_t)*w++;
        if (n < LENGTH && noise_next(&noise) % 3 == 0)
            input[n++] = (uint8_t)('0' + noise_next(&noise) % 10);
    }
    SHIM_KEEP(input);
}

int main(void)
{
    prepare();
    shim_region_begin("lz77");
    packed_length = compress();
    SHIM_KEEP(packed);
    SHIM_KEEP(&packed_length);
    output_length = decompress();
    SHIM_KEEP(output);
    SHIM_KEEP(&output_length);
    shim_region_end("lz77");
    return sample_verdict_int("bytes after the round trip", output_length, LENGTH) |
           sample_verdict_int("difference after the round trip", memcmp(output, input, LENGTH) != 0, 0) |
           sample_verdict_int("smaller than two thirds", packed_length < LENGTH * 2 / 3, 1);
}
