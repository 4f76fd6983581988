/*
 * varint - 2000 time stamps of 64 bits as differences of differences, zigzag and varint with runs of zeros counted, and
 * back.
 *
 * Delta of delta as in Pelkonen and others, "Gorilla", 2015; zigzag and varint as in Protocol Buffers' encoding. The
 * truth is the series; and that document's example, 150 as 96 01.
 *
 * Work: the difference of 2000 stamps is taken (in vectors of 8: 250 loads, 250 subtractions), each is compared with
 * zero and, at a place that depends on those before, written; back it is added up again, a chain: 2000 * 3 + 2000 * 3 =
 * 12000.
 */
#include "../sample.h"
#include "test_signal.h"

#define STAMPS 2000
#define ROOM   (10 * STAMPS)

static int64_t stamps[STAMPS], received[STAMPS];
static uint8_t packed[ROOM];
static size_t size;
static int count;

static uint8_t *put(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

static const uint8_t *get(const uint8_t *at, uint64_t *value)
{
    int shift = 0;

    *value = 0;
    do
        *value |= (uint64_t)(*at & 0x7f) << shift;
    while (shift += 7, *at++ & 0x80);
    return at;
}

static uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

static int64_t unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
}

/* A zero is followed by how many more there are. */
static size_t pack(const int64_t *stamp, int n, uint8_t *start)
{
    int64_t last = 0, step = 0;
    uint8_t *at = start;

    for (int i = 0; i < n;) {
        uint64_t code = zigzag(stamp[i] - last - step);
        unsigned zeros = 0;

        step = stamp[i] - last;
        last = stamp[i++];
        at = put(at, code);
        if (code != 0)
            continue;
        for (; i < n && stamp[i] - last == step; i++, zeros++)
            last = stamp[i];
        at = put(at, zeros);
    }
    return (size_t)(at - start);
}

static int unpack(const uint8_t *at, const uint8_t *end, int64_t *stamp)
{
    int64_t last = 0, step = 0;
    int n = 0;

    while (at < end) {
        uint64_t code, zeros = 0;

        at = get(at, &code);
        if (code == 0)
            at = get(at, &zeros);
        step += unzigzag(code);
        for (zeros++; zeros > 0 && n < STAMPS; zeros--)
            stamp[n++] = last += step;
    }
    return n;
}

int main(void)
{
    uint32_t noise = 21;
    uint8_t example[4];

    for (int i = 0; i < STAMPS; i++) {
        int64_t jitter = noise_next(&noise) % 3 == 0 ? noise_within(&noise, i % 100 < 50 ? 3 : 40000) : 0;

        stamps[i] = i == 0 ? INT64_C(1700000000000000) : stamps[i - 1] + 1000000 + (i % 7 < 4 ? 0 : jitter);
    }
    SHIM_KEEP(stamps);
    shim_region_begin("varint");
    size = pack(stamps, STAMPS, packed);
    SHIM_KEEP(packed);
    count = unpack(packed, packed + size, received);
    SHIM_KEEP(received);
    SHIM_KEEP(&size);
    SHIM_KEEP(&count);
    shim_region_end("varint");
    put(example, 150);
    return sample_verdict_int("difference from the stamps", memcmp(received, stamps, sizeof stamps) != 0, 0) |
           sample_verdict_int("stamps", count, STAMPS) |
           sample_verdict_int("whether half is saved", size < sizeof stamps / 2, 1) |
           sample_verdict_int("example", example[0] << 8 | example[1], 0x9601);
}
