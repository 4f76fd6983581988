/*
 * fletcher - Fletcher's 16-bit checksum of a telegram of eight bytes, and of its first five and six.
 *
 * Truth: the published test vectors: "abcde" C8F0, "abcdef" 2057, "abcdefgh" 0627.
 * Work: 19 bytes, each in two sums that depend on those before: 19 * 2 = 38.
 */
#include "../sample.h"

static uint8_t telegram[8];
static uint16_t sums[3];

static uint16_t fletcher16(const uint8_t *bytes, int n)
{
    unsigned low = 0, high = 0;

    for (int i = 0; i < n; i++) {
        low = (low + bytes[i]) % 255;
        high = (high + low) % 255;
    }
    return (uint16_t)(high << 8 | low);
}

int main(void)
{
    memcpy(telegram, "abcdefgh", sizeof telegram);
    SHIM_KEEP(telegram);
    shim_region_begin("fletcher");
    sums[0] = fletcher16(telegram, 5);
    sums[1] = fletcher16(telegram, 6);
    sums[2] = fletcher16(telegram, 8);
    SHIM_KEEP(sums);
    shim_region_end("fletcher");
    return sample_verdict_int("abcde", sums[0], 0xC8F0) | sample_verdict_int("abcdef", sums[1], 0x2057) |
           sample_verdict_int("abcdefgh", sums[2], 0x0627);
}
