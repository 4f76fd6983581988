/*
 * crc8_frame - the CRC-8 of one frame of nine bytes, bit by bit, as a sensor's driver checks an answer.
 *
 * Truth: the catalogue's check value of CRC-8/SMBUS (polynomial 07) on "123456789" is F4.
 * Work: 9 bytes of 8 dependent steps; each shifts and selects: 9 * 8 * 2 = 144.
 */
#include "../sample.h"

static uint8_t frame[9];
static uint8_t result;

static uint8_t crc8(const uint8_t *bytes, int n)
{
    uint8_t crc = 0;

    for (int i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 7 : crc << 1);
    }
    return crc;
}

int main(void)
{
    memcpy(frame, "123456789", sizeof frame);
    SHIM_KEEP(frame);
    shim_region_begin("crc8_frame");
    result = crc8(frame, (int)sizeof frame);
    SHIM_KEEP(&result);
    shim_region_end("crc8_frame");
    return sample_verdict_int("CRC", result, 0xF4);
}
