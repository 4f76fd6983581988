/*
 * crc_family - CRC-8, CRC-16 and CRC-64 of 1024 bytes, by table and bit by bit, and of the catalogue's check message.
 *
 * The truth: the check values of "123456789" in Cook's "Catalogue of parametrised CRC algorithms" (CRC-8/SMBUS,
 * CRC-16/IBM-3740, CRC-64/XZ), and for the long message that both ways agree.
 *
 * Work: each of the six passes takes at least a load, an exclusive or and a look-up for each of its 1024 bytes, in a
 * chain, even where the compiler knows how to put a table in the place of the eight shifts: 6 * 1024 * 3 = 18432.
 */
#include "../sample.h"
#include "lcg.h"

#define LENGTH 1024

static uint8_t message[LENGTH];
static uint8_t table8[256];
static uint16_t table16[256];
static uint64_t table64[256];

struct checks {
    uint8_t crc8;
    uint16_t crc16;
    uint64_t crc64;
};

static struct checks by_table, by_bit, known;

static uint8_t shift8(uint8_t crc)
{
    return (uint8_t)(crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1);
}

static uint16_t shift16(uint16_t crc)
{
    return (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
}

/* Reflected: the polynomial 0x42f0e1eba9ea3693 read backwards. */
static uint64_t shift64(uint64_t crc)
{
    return crc & 1 ? crc >> 1 ^ UINT64_C(0xc96c5795d7870f42) : crc >> 1;
}

static void make_tables(void)
{
    for (int value = 0; value < 256; value++) {
        table8[value] = (uint8_t)value;
        table16[value] = (uint16_t)(value << 8);
        table64[value] = (uint64_t)value;
        for (int bit = 0; bit < 8; bit++) {
            table8[value] = shift8(table8[value]);
            table16[value] = shift16(table16[value]);
            table64[value] = shift64(table64[value]);
        }
    }
}

static struct checks with_tables(const uint8_t *bytes, int length)
{
    struct checks crc = {0, 0xffff, UINT64_MAX};

    for (int i = 0; i < length; i++)
        crc.crc8 = table8[crc.crc8 ^ bytes[i]];
    for (int i = 0; i < length; i++)
        crc.crc16 = (uint16_t)(crc.crc16 << 8 ^ table16[crc.crc16 >> 8 ^ bytes[i]]);
    for (int i = 0; i < length; i++)
        crc.crc64 = crc.crc64 >> 8 ^ table64[(crc.crc64 ^ bytes[i]) & 0xff];
    crc.crc64 = ~crc.crc64;
    return crc;
}

static struct checks bit_by_bit(const uint8_t *bytes, int length)
{
    struct checks crc = {0, 0xffff, UINT64_MAX};

    for (int i = 0; i < length; i++) {
        crc.crc8 ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc.crc8 = shift8(crc.crc8);
    }
    for (int i = 0; i < length; i++) {
        crc.crc16 ^= (uint16_t)(bytes[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc.crc16 = shift16(crc.crc16);
    }
    for (int i = 0; i < length; i++) {
        crc.crc64 ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc.crc64 = shift64(crc.crc64);
    }
    crc.crc64 = ~crc.crc64;
    return crc;
}

int main(void)
{
    static const uint8_t check_message[] = "123456789";
    uint32_t seed = 11;

    make_tables();
    for (int i = 0; i < LENGTH; i++)
        message[i] = (uint8_t)lcg_draw(&seed);
    SHIM_KEEP(message);
    SHIM_KEEP(table8);
    SHIM_KEEP(table16);
    SHIM_KEEP(table64);
    shim_region_begin("crc_family");
    by_table = with_tables(message, LENGTH);
    by_bit = bit_by_bit(message, LENGTH);
    known = with_tables(check_message, 9);
    SHIM_KEEP(&by_table);
    SHIM_KEEP(&by_bit);
    SHIM_KEEP(&known);
    shim_region_end("crc_family");
    return sample_verdict_int("CRC-8/SMBUS of 123456789", known.crc8, 0xf4) |
           sample_verdict_int("CRC-16/IBM-3740 of 123456789", known.crc16, 0x29b1) |
           sample_verdict_int("CRC-64/XZ of 123456789", known.crc64 == UINT64_C(0x995dc9bbdf1939fa), 1) |
           sample_verdict_int("CRC-8 by bits", by_bit.crc8, by_table.crc8) |
           sample_verdict_int("CRC-16 by bits", by_bit.crc16, by_table.crc16) |
           sample_verdict_int("whether CRC-64 agrees", by_bit.crc64 == by_table.crc64, 1);
}
