/*
 * der - ASN.1 in DER: a tree of 400 elements is written, lengths first found by recursion, and read back by a walker
 * that sums integers, counts strings and object identifiers' arcs (ITU-T X.690).
 *
 * The truth: sums and counts kept while the tree was drawn; and X.690's own example, the identifier 2.999.3 as 06 03 88
 * 37 03 (8.19.5).
 *
 * Work: each of the 400 elements' tags and lengths is stored and loaded, compared and dispatched on, and its place
 * in the buffer depends on the lengths of all before: 400 * 8 = 3200.
 */
#include "../sample.h"
#include "lcg.h"

#define ELEMENTS 400
#define ROOM     16384

enum tag { INTEGER = 0x02, OCTETS = 0x04, OBJECT = 0x06, UTF8 = 0x0c, SEQUENCE = 0x30 };

struct element {
    enum tag tag;
    struct element *first, *next; /* of a sequence: its elements */
    int64_t value;                /* an integer; a string's length; an identifier's last arc */
};

struct totals {
    int64_t sum;
    int integers, octets, arcs, sequences, errors;
};

static struct element elements[ELEMENTS];
static int used;
static uint8_t buffer[ROOM];
static struct totals expected, found, example;
static size_t written;

static size_t integer_size(int64_t value)
{
    size_t size = 1;

    while (value < -128 || value > 127) {
        value >>= 8;
        size++;
    }
    return size;
}

static size_t arc_size(uint64_t arc)
{
    size_t size = 1;

    while (arc >>= 7)
        size++;
    return size;
}

static size_t length_size(size_t length)
{
    size_t size = 1;

    if (length > 127)
        for (; length != 0; length >>= 8)
            size++;
    return size;
}

static size_t content_size(const struct element *e)
{
    size_t size = 0;

    switch (e->tag) {
    case INTEGER:
        return integer_size(e->value);
    case OBJECT:
        return 2 + arc_size((uint64_t)e->value);
    case SEQUENCE:
        for (const struct element *part = e->first; part != NULL; part = part->next) {
            size_t inner = content_size(part);

            size += 1 + length_size(inner) + inner;
        }
        return size;
    default:
        return (size_t)e->value;
    }
}

static uint8_t *put_length(uint8_t *at, size_t length)
{
    size_t size = length_size(length) - 1;

    if (size == 0) {
        *at++ = (uint8_t)length;
        return at;
    }
    *at++ = (uint8_t)(0x80 | size);
    while (size-- > 0)
        *at++ = (uint8_t)(length >> 8 * size);
    return at;
}

static uint8_t *put_arc(uint8_t *at, uint64_t arc)
{
    for (size_t rest = arc_size(arc); rest-- > 0;)
        *at++ = (uint8_t)((arc >> 7 * rest & 0x7f) | (rest ? 0x80 : 0));
    return at;
}

static uint8_t *put(uint8_t *at, const struct element *e)
{
    size_t size = content_size(e);

    *at++ = (uint8_t)e->tag;
    at = put_length(at, size);
    switch (e->tag) {
    case INTEGER:
        while (size-- > 0)
            *at++ = (uint8_t)(e->value >> 8 * size);
        return at;
    case OBJECT:
        *at++ = 0x88; /* 2.999 */
        *at++ = 0x37;
        return put_arc(at, (uint64_t)e->value);
    case SEQUENCE:
        for (const struct element *part = e->first; part != NULL; part = part->next)
            at = put(at, part);
        return at;
    default:
        for (size_t i = 0; i < size; i++)
            *at++ = (uint8_t)('a' + i % 26);
        return at;
    }
}

static const uint8_t *get_length(const uint8_t *at, const uint8_t *end, size_t *length)
{
    int size;

    *length = 0;
    if (at == end)
        return at;
    *length = *at++;
    if (*length < 0x80)
        return at;
    size = (int)(*length & 0x7f);
    for (*length = 0; size > 0 && at < end; size--)
        *length = *length << 8 | *at++;
    return at;
}

static int64_t get_integer(const uint8_t *at, size_t size)
{
    uint64_t value = size > 0 && at[0] & 0x80 ? UINT64_MAX : 0;

    while (size-- > 0)
        value = value << 8 | *at++;
    return (int64_t)value;
}

static void walk(const uint8_t *at, const uint8_t *end, struct totals *totals)
{
    while (at < end) {
        unsigned tag = *at++;
        size_t size;

        at = get_length(at, end, &size);
        if (size > (size_t)(end - at)) {
            totals->errors++;
            return;
        }
        switch (tag) {
        case INTEGER:
            totals->integers++;
            totals->sum += get_integer(at, size);
            break;
        case OCTETS:
        case UTF8:
            totals->octets += (int)size;
            break;
        case OBJECT:
            totals->arcs++; /* the first byte group is two arcs */
            for (size_t i = 0; i < size; i++)
                totals->arcs += at[i] < 0x80;
            break;
        case SEQUENCE:
            totals->sequences++;
            walk(at, at + size, totals);
            break;
        default:
            totals->errors++;
        }
        at += size;
    }
}

static int64_t draw_value(uint32_t *seed)
{
    uint64_t wide = (uint64_t)lcg_draw(seed) << 32 | (uint64_t)lcg_draw(seed) << 16 | lcg_draw(seed);
    int64_t value = (int64_t)(wide >> lcg_draw(seed) % 48);

    return lcg_draw(seed) % 2 ? -value : value;
}

/* A sequence of drawn elements; each third one is again a sequence while there is depth and room. */
static void grow(struct element *sequence, int depth, int count, uint32_t *seed)
{
    struct element **last = &sequence->first;

    sequence->tag = SEQUENCE;
    expected.sequences++;
    for (int i = 0; i < count && used < ELEMENTS; i++) {
        struct element *e = &elements[used++];

        *last = e;
        last = &e->next;
        switch (lcg_draw(seed) % (depth > 0 ? 6 : 3)) {
        case 0:
            e->tag = INTEGER;
            e->value = draw_value(seed);
            expected.integers++;
            expected.sum += e->value;
            break;
        case 1:
            e->tag = i % 2 ? OCTETS : UTF8;
            e->value = lcg_draw(seed) % 40;
            expected.octets += (int)e->value;
            break;
        case 2:
            e->tag = OBJECT;
            e->value = lcg_draw(seed);
            expected.arcs += 3;
            break;
        default:
            grow(e, depth - 1, 12, seed);
        }
    }
}

int main(void)
{
    static const uint8_t identifier[] = {0x06, 0x03, 0x88, 0x37, 0x03};
    static const struct element three = {.tag = OBJECT, .value = 3};
    uint8_t own[8];
    uint32_t seed = 18;

    memset(elements, 0, sizeof elements);
    memset(&expected, 0, sizeof expected);
    memset(&found, 0, sizeof found);
    memset(&example, 0, sizeof example);
    used = 1;
    grow(&elements[0], 4, ELEMENTS, &seed);
    SHIM_KEEP(elements);
    SHIM_KEEP(&found);
    shim_region_begin("der");
    written = (size_t)(put(buffer, &elements[0]) - buffer);
    SHIM_KEEP(buffer);
    walk(buffer, buffer + written, &found);
    SHIM_KEEP(&found);
    shim_region_end("der");
    walk(identifier, identifier + sizeof identifier, &example);
    put(own, &three);
    return sample_verdict_int("elements drawn", used, ELEMENTS) |
           sample_verdict_int("difference from 2.999.3", memcmp(own, identifier, sizeof identifier) != 0, 0) |
           sample_verdict_int("arcs of 2.999.3", example.arcs, 3) | sample_verdict_int("errors", found.errors, 0) |
           sample_verdict_int("sum", found.sum, expected.sum) |
           sample_verdict_int("integers", found.integers, expected.integers) |
           sample_verdict_int("octets", found.octets, expected.octets) |
           sample_verdict_int("arcs", found.arcs, expected.arcs) |
           sample_verdict_int("sequences", found.sequences, expected.sequences);
}
