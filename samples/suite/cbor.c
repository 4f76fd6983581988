/*
 * cbor - 300 telemetry records are written as CBOR (RFC 8949: maps, arrays, integers, byte strings, half and double
 * floats) and read back by a recursive reader that skips what it does not know.
 *
 * The truth: the records; and examples of RFC 8949, appendix A: 1000000 is 1a 00 0f 42 40, -1000 is 39 03 e7, the half
 * float 5.960464477539063e-8 is f9 00 01.
 *
 * Work: a record is a map of 5 pairs, the heads of its at least 18 items are each stored, loaded, shifted into a type
 * and dispatched on, one behind the other: 300 * 18 * 4 = 21600.
 */
#include "../sample.h"
#include "test_signal.h"

#define RECORDS 300
#define ROOM    32768
#define SAMPLES 4

enum major { UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAGGED, SIMPLE };
enum key { TIME = 1, LEVELS, POSITION, NAME };

struct record {
    uint64_t time;
    int32_t levels[SAMPLES];
    double position;
    uint8_t name[6];
};

struct reader {
    const uint8_t *at, *end;
    int bad;
};

static struct record records[RECORDS], received[RECORDS];
static uint8_t buffer[ROOM];
static size_t written;
static struct reader reader;

static uint8_t *put_head(uint8_t *at, enum major major, uint64_t value)
{
    int size = 0;

    if (value < 24) {
        *at++ = (uint8_t)((unsigned)major << 5 | (unsigned)value);
        return at;
    }
    while (size < 3 && value >> (8 << size) != 0)
        size++;
    *at++ = (uint8_t)((unsigned)major << 5 | (24U + (unsigned)size));
    for (int shift = (8 << size) - 8; shift >= 0; shift -= 8)
        *at++ = (uint8_t)(value >> shift);
    return at;
}

static uint8_t *put_integer(uint8_t *at, int64_t value)
{
    return value < 0 ? put_head(at, NEGATIVE, (uint64_t)(-1 - value)) : put_head(at, UNSIGNED, (uint64_t)value);
}

static uint8_t *put_double(uint8_t *at, double value)
{
    union {
        double real;
        uint64_t bits;
    } both = {value};

    *at++ = SIMPLE << 5 | 27;
    for (int shift = 56; shift >= 0; shift -= 8)
        *at++ = (uint8_t)(both.bits >> shift);
    return at;
}

static uint8_t *put_record(uint8_t *at, const struct record *record)
{
    at = put_head(at, MAP, 5);
    at = put_head(at, UNSIGNED, TIME);
    at = put_head(at, UNSIGNED, record->time);
    at = put_head(at, UNSIGNED, 99); /* a key that the reader does not know: [h'00', {1: 1.0 as a half}] */
    at = put_head(at, ARRAY, 2);
    at = put_head(at, BYTES, 1);
    *at++ = 0;
    at = put_head(at, MAP, 1);
    at = put_head(at, UNSIGNED, 1);
    *at++ = SIMPLE << 5 | 25;
    *at++ = 0x3c;
    *at++ = 0x00;
    at = put_head(at, UNSIGNED, LEVELS);
    at = put_head(at, ARRAY, SAMPLES);
    for (int i = 0; i < SAMPLES; i++)
        at = put_integer(at, record->levels[i]);
    at = put_head(at, UNSIGNED, POSITION);
    at = put_double(at, record->position);
    at = put_head(at, UNSIGNED, NAME);
    at = put_head(at, BYTES, sizeof record->name);
    for (size_t i = 0; i < sizeof record->name; i++)
        *at++ = record->name[i];
    return at;
}

static enum major get_head(struct reader *r, uint64_t *value, unsigned *detail)
{
    unsigned first;
    int size;

    *value = 0;
    *detail = 0;
    if (r->at == r->end) {
        r->bad = 1;
        return SIMPLE;
    }
    first = *r->at++;
    *detail = first & 31;
    if (*detail < 24) {
        *value = *detail;
        return (enum major)(first >> 5);
    }
    size = *detail < 28 ? 1 << (*detail - 24) : 0;
    if (size == 0 || r->end - r->at < size) {
        r->bad = 1;
        return SIMPLE;
    }
    while (size-- > 0)
        *value = *value << 8 | *r->at++;
    return (enum major)(first >> 5);
}

static int64_t get_integer(struct reader *r)
{
    uint64_t value;
    unsigned detail;

    switch (get_head(r, &value, &detail)) {
    case UNSIGNED:
        return (int64_t)value;
    case NEGATIVE:
        return -1 - (int64_t)value;
    default:
        r->bad = 1;
        return 0;
    }
}

/* RFC 8949, appendix D, without a library: 2^-24 times the mantissa, doubled by the exponent. */
static double half_of(unsigned bits)
{
    unsigned exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
    double value = mantissa / 16777216.0;

    if (exponent != 0) {
        value = (mantissa + 1024) / 16777216.0;
        for (; exponent > 1; exponent--)
            value *= 2;
    }
    return bits & 0x8000 ? -value : value;
}

static double get_real(struct reader *r)
{
    union {
        uint64_t bits;
        double real;
    } both;
    unsigned detail;

    if (get_head(r, &both.bits, &detail) != SIMPLE || (detail != 25 && detail != 27)) {
        r->bad = 1;
        return 0;
    }
    return detail == 25 ? half_of((unsigned)both.bits) : both.real;
}

static void skip(struct reader *r)
{
    uint64_t count;
    unsigned detail;

    switch (get_head(r, &count, &detail)) {
    case BYTES:
    case TEXT:
        if (count > (uint64_t)(r->end - r->at))
            r->bad = 1;
        else
            r->at += count;
        break;
    case MAP:
        count *= 2;
        /* fall through */
    case ARRAY:
        while (count-- > 0 && !r->bad)
            skip(r);
        break;
    case TAGGED:
        skip(r);
        break;
    default:
        break;
    }
}

static void get_name(struct reader *r, uint8_t name[6])
{
    uint64_t length;
    unsigned detail;

    if (get_head(r, &length, &detail) != BYTES || length != 6 || r->end - r->at < 6) {
        r->bad = 1;
        return;
    }
    for (int i = 0; i < 6; i++)
        name[i] = *r->at++;
}

static void get_levels(struct reader *r, int32_t levels[SAMPLES])
{
    uint64_t count;
    unsigned detail;

    if (get_head(r, &count, &detail) != ARRAY || count != SAMPLES) {
        r->bad = 1;
        return;
    }
    for (int i = 0; i < SAMPLES; i++)
        levels[i] = (int32_t)get_integer(r);
}

static void get_record(struct reader *r, struct record *record)
{
    uint64_t pairs;
    unsigned detail;

    if (get_head(r, &pairs, &detail) != MAP)
        r->bad = 1;
    for (; pairs > 0 && !r->bad; pairs--) {
        switch (get_integer(r)) {
        case TIME:
            record->time = (uint64_t)get_integer(r);
            break;
        case LEVELS:
            get_levels(r, record->levels);
            break;
        case POSITION:
            record->position = get_real(r);
            break;
        case NAME:
            get_name(r, record->name);
            break;
        default:
            skip(r);
        }
    }
}

static void exchange(void)
{
    uint8_t *at = buffer;

    for (int i = 0; i < RECORDS; i++)
        at = put_record(at, &records[i]);
    written = (size_t)(at - buffer);
    SHIM_KEEP(buffer);
    reader = (struct reader){buffer, at, 0};
    for (int i = 0; i < RECORDS; i++)
        get_record(&reader, &received[i]);
}

static int examples(void)
{
    static const uint8_t million[] = {0x1a, 0x00, 0x0f, 0x42, 0x40}, minus[] = {0x39, 0x03, 0xe7};
    static const uint8_t tiny[] = {0xf9, 0x00, 0x01};
    struct reader r = {tiny, tiny + sizeof tiny, 0};
    uint8_t own[9];
    int wrong = 0;

    put_integer(own, 1000000);
    wrong |= sample_verdict_int("difference from the RFC's 1000000", memcmp(own, million, sizeof million) != 0, 0);
    put_integer(own, -1000);
    wrong |= sample_verdict_int("difference from the RFC's -1000", memcmp(own, minus, sizeof minus) != 0, 0);
    return wrong | sample_verdict_real("the RFC's half float", get_real(&r), 5.960464477539063e-8, 1e-22);
}

int main(void)
{
    uint32_t noise = 20;

    memset(received, 0, sizeof received);
    for (int i = 0; i < RECORDS; i++) {
        records[i].time = UINT64_C(1700000000000) + 250U * (unsigned)i;
        for (int k = 0; k < SAMPLES; k++)
            records[i].levels[k] = noise_within(&noise, 100) * (1 << 5 * k);
        records[i].position = 1000 * noise_unit(&noise);
        for (int k = 0; k < 6; k++)
            records[i].name[k] = (uint8_t)noise_next(&noise);
    }
    SHIM_KEEP(records);
    shim_region_begin("cbor");
    exchange();
    SHIM_KEEP(received);
    SHIM_KEEP(&reader);
    SHIM_KEEP(&written);
    shim_region_end("cbor");
    for (int i = 0; i < RECORDS; i++)
        if (sample_verdict_int("time", (long long)received[i].time, (long long)records[i].time) ||
            sample_verdict_int("levels", memcmp(received[i].levels, records[i].levels, sizeof records[i].levels), 0) ||
            sample_verdict_real("position", received[i].position, records[i].position, 0) ||
            sample_verdict_int("name", memcmp(received[i].name, records[i].name, sizeof records[i].name), 0))
            return 1;
    return sample_verdict_int("mistakes read", reader.bad, 0) |
           sample_verdict_int("bytes read", reader.at - buffer, (long long)written) | examples();
}
