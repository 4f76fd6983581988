/*
 * crc32 - the checksum of Ethernet over a message, bit by bit and by a table of 256 entries that is made first.
 *
 * IEEE 802.3, polynomial 0x04C11DB7 reflected; the check value of "123456789" is 0xCBF43926 (Williams, "A Painless
 * Guide to CRC Error Detection Algorithms", 1993). Both ways must agree on the message.
 *
 * Work: every step depends on the one before. Bit by bit: 1009 bytes of 8 steps, each a shift, an exclusive or and a
 * choice: 24216. By table: 4009 bytes, each at least a load of the byte, a load of the entry and an exclusive or:
 * 12027. Together 36243.
 */
#include "../sample.h"
#include "test_signal.h"

#define POLYNOMIAL 0xEDB88320u
#define LENGTH     1000
#define ROUNDS     4

static uint8_t message[LENGTH];
static uint8_t check_text[9];
static uint32_t table[256];
static uint32_t crc_bits, crc_table, check_bits, check_table;

static uint32_t shift_byte(uint32_t crc)
{
    for (int bit = 0; bit < 8; bit++)
        crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
    return crc;
}

static uint32_t crc32_bitwise(const uint8_t *data, size_t length)
{
    uint32_t crc = 0xFFFFFFFFu;

    for (size_t i = 0; i < length; i++)
        crc = shift_byte(crc ^ data[i]);
    return ~crc;
}

static void make_table(void)
{
    for (uint32_t i = 0; i < 256; i++)
        table[i] = shift_byte(i);
}

static uint32_t crc32_by_table(const uint8_t *data, size_t length)
{
    uint32_t crc = 0xFFFFFFFFu;

    for (size_t i = 0; i < length; i++)
        crc = crc >> 8 ^ table[(crc ^ data[i]) & 255];
    return ~crc;
}

static void compute(void)
{
    make_table();
    SHIM_KEEP(table);
    check_bits = crc32_bitwise(check_text, sizeof check_text);
    check_table = crc32_by_table(check_text, sizeof check_text);
    crc_bits = crc32_bitwise(message, LENGTH);
    for (int round = 0; round < ROUNDS; round++) {
        SHIM_KEEP(message);
        crc_table = crc32_by_table(message, LENGTH);
        SHIM_KEEP(&crc_table);
    }
}

static void prepare(void)
{
    uint32_t noise = 1812433253u;

    memcpy(check_text, "123456789", sizeof check_text);
    for (int i = 0; i < LENGTH; i++)
        message[i] = (uint8_t)noise_next(&noise);
    SHIM_KEEP(check_text);
    SHIM_KEEP(message);
}

int main(void)
{
    prepare();
    shim_region_begin("crc32");
    compute();
    SHIM_KEEP(&crc_bits);
    shim_region_end("crc32");
    return sample_verdict_int("check value bit by bit", check_bits, 0xCBF43926u) |
           sample_verdict_int("check value by table", check_table, 0xCBF43926u) |
           sample_verdict_int("table against bits", crc_table, crc_bits);
}
