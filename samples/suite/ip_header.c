/*
 * ip_header - a router takes 1000 IPv4 headers: checks version, length, checksum and time to live, looks up the route
 * with the longest prefix, counts down, and mends the checksum (RFC 791, RFC 1071; incrementally by RFC 1624).
 *
 * The truth: every header damaged on purpose is refused, and in the others the sum over all words is 0xffff again;
 * routes are found a second time by their definition, outside.
 *
 * Work: each header's ten 16-bit words are loaded and added (they fit one vector: 2), four fields are compared (a load,
 * a comparison and a branch), and those taken are stored to: 1000 * (2 + 12) = 14000.
 */
#include "../sample.h"
#include "lcg.h"

#define HEADERS 1000
#define ROUTES  12

struct route {
    uint32_t network, mask;
    int port;
};

enum { REFUSED = -1, EXPIRED = -2, NO_ROUTE = -3 };

/* Longest prefix first. */
static const struct route routes[ROUTES] = {
    {0x0a010203, 0xffffffff, 1}, {0x0a010200, 0xffffff00, 2}, {0xc0a80100, 0xffffff00, 3}, {0xc0a80200, 0xffffff00, 4},
    {0x0a010000, 0xffff0000, 5}, {0xc0a80000, 0xffff0000, 6}, {0xac100000, 0xfff00000, 7}, {0xe0000000, 0xf0000000, 8},
    {0x0a000000, 0xff000000, 9}, {0x80000000, 0xc0000000, 3}, {0x00000000, 0x80000000, 1}, {0xc0000000, 0xf0000000, 2},
};

static struct route table[ROUTES];
static uint8_t headers[HEADERS][20], original[HEADERS][20];
static uint8_t damaged[HEADERS];
static int ports[HEADERS];

static unsigned word_at(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

static uint32_t long_at(const uint8_t *bytes)
{
    return (uint32_t)word_at(bytes) << 16 | word_at(bytes + 2);
}

static void put_word(uint8_t *bytes, unsigned value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

static unsigned sum_of(const uint8_t *header)
{
    uint32_t sum = 0;

    for (int i = 0; i < 20; i += 2)
        sum += word_at(header + i);
    sum = (sum & 0xffff) + (sum >> 16);
    return (sum & 0xffff) + (sum >> 16);
}

static int port_to(uint32_t destination, const struct route *route)
{
    for (const struct route *end = route + ROUTES; route < end; route++)
        if ((destination & route->mask) == route->network)
            return route->port;
    return NO_ROUTE;
}

static int forward(uint8_t *header, const struct route *first)
{
    unsigned before, after, length = word_at(header + 2);
    uint32_t check;

    if (header[0] != 0x45 || length < 20 || length > 1500 || sum_of(header) != 0xffff)
        return REFUSED;
    if (header[8] <= 1)
        return EXPIRED;
    before = word_at(header + 8);
    header[8]--;
    after = word_at(header + 8);
    check = (~word_at(header + 10) & 0xffff) + (~before & 0xffff) + after;
    check = (check & 0xffff) + (check >> 16);
    check = (check & 0xffff) + (check >> 16);
    put_word(header + 10, ~check);
    return port_to(long_at(header + 16), first);
}

static void forward_all(void)
{
    for (int i = 0; i < HEADERS; i++)
        ports[i] = forward(headers[i], table);
}

static void make_header(uint8_t *header, uint32_t *seed)
{
    static const uint32_t networks[] = {0x0a010203, 0x0a010200, 0xc0a80100, 0x0a020000, 0x00000000, 0xf0000000};

    header[0] = 0x45;
    put_word(header + 2, 20 + lcg_draw(seed) % 1481);
    header[8] = (uint8_t)(1 + lcg_draw(seed) % 16);
    header[9] = lcg_draw(seed) % 2 ? 6 : 17;
    put_word(header + 12, lcg_draw(seed));
    put_word(header + 14, lcg_draw(seed));
    put_word(header + 16, networks[lcg_draw(seed) % 6] >> 16);
    put_word(header + 18, lcg_draw(seed) % 4096);
    put_word(header + 10, ~sum_of(header));
}

static int expected_port(int i)
{
    const struct route *best = NULL;

    if (damaged[i])
        return REFUSED;
    if (original[i][8] == 1)
        return EXPIRED;
    for (int r = 0; r < ROUTES; r++)
        if ((long_at(original[i] + 16) & routes[r].mask) == routes[r].network &&
            (best == NULL || routes[r].mask > best->mask))
            best = &routes[r];
    return best != NULL ? best->port : NO_ROUTE;
}

int main(void)
{
    uint32_t seed = 15;

    memset(headers, 0, sizeof headers);
    for (int i = 0; i < HEADERS; i++) {
        make_header(headers[i], &seed);
        damaged[i] = i % 10 == 9;
        if (damaged[i])
            headers[i][lcg_draw(&seed) % 20] ^= 0x10;
    }
    memcpy(original, headers, sizeof original);
    memcpy(table, routes, sizeof table);
    SHIM_KEEP(headers);
    SHIM_KEEP(table);
    shim_region_begin("ip_header");
    forward_all();
    SHIM_KEEP(headers);
    SHIM_KEEP(ports);
    shim_region_end("ip_header");
    for (int i = 0; i < HEADERS; i++)
        if (sample_verdict_int("port", ports[i], expected_port(i)) ||
            (!damaged[i] &&
             (sample_verdict_int("sum of a header", sum_of(headers[i]), 0xffff) ||
              sample_verdict_int("time to live", headers[i][8], original[i][8] == 1 ? 1 : original[i][8] - 1))))
            return 1;
    return 0;
}
