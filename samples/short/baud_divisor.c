/*
 * baud_divisor - the divisor of a serial port's clock for eight rates, rounded, and the error in per mille.
 *
 * Truth: 48 MHz / (16 * rate), by hand: 115200 baud needs 26, which is 115384 baud: +1 per mille.
 * Work: 8 rates of two divisions by what memory holds: 16.
 */
#include "../sample.h"

enum { RATES = 8 };
static uint32_t clock_hz;
static uint32_t rate[RATES], divisor[RATES];
static int32_t error[RATES];

static void divide(void)
{
    for (int i = 0; i < RATES; i++) {
        uint32_t real;

        divisor[i] = (clock_hz / 16 + rate[i] / 2) / rate[i];
        real = clock_hz / 16 / divisor[i];
        error[i] = ((int32_t)real - (int32_t)rate[i]) * 1000 / (int32_t)rate[i];
    }
}

int main(void)
{
    static const uint32_t rates[RATES] = {1200, 2400, 9600, 19200, 38400, 57600, 115200, 230400};

    clock_hz = 48000000;
    memcpy(rate, rates, sizeof rate);
    SHIM_KEEP(&clock_hz);
    SHIM_KEEP(rate);
    shim_region_begin("baud_divisor");
    divide();
    SHIM_KEEP(divisor);
    SHIM_KEEP(error);
    shim_region_end("baud_divisor");
    return sample_verdict_int("divisor of 1200", divisor[0], 2500) |
           sample_verdict_int("divisor of 115200", divisor[6], 26) | sample_verdict_int("its error", error[6], 1);
}
