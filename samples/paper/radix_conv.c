/*
 * RadixConv - 835 to its binary digits written as a decimal number, by % 2 and / 2 in 10 rounds; int number.
 *
 * Work: per round a remainder, a division (or mask and shift), a product and an addition: 10 * 4 = 40.
 */
#include "../sample.h"

int main(void)
{
    int n = 835;
    int place = 1, digits = 0;

    SHIM_KEEP(&n);
    SHIM_KEEP(&place);
    SHIM_KEEP(&digits);
    shim_region_begin("RadixConv");
    for (;;) {
        digits = digits + n % 2 * place;
        n = n / 2;
        if (n == 0)
            break;
        place = place * 10;
    }
    shim_region_end("RadixConv");
    SHIM_KEEP(&digits);
    return sample_verdict_int("835 = 512 + 256 + 64 + 2 + 1 in binary", digits, 1101000011);
}
