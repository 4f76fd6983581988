/* m4_doubles.c - what arithmetic on doubles takes on a Cortex-M4, where routines of the library do it: 64 operations of
 * each kind, and as many moves alone. docs/method/simulator-m4.sh reads the regions' cycles. */
#ifdef __arm__
#include <shim_region.h>

#include <stdint.h>

#define EACH(name, statement)                                                                                          \
    do {                                                                                                               \
        shim_region_begin(name);                                                                                       \
        for (int i = 0; i < 64; i++) {                                                                                 \
            statement;                                                                                                 \
        }                                                                                                              \
        shim_region_end(name);                                                                                         \
    } while (0)

static volatile double in[64], out[64];
static volatile float single[64];
static volatile int32_t integer[64], result[64];

int main(void)
{
    for (int i = 0; i < 64; i++) {
        in[i] = 1.37 * i - 20.3;
        single[i] = (float)in[i];
        integer[i] = i * 977 - 20000;
    }
    EACH("move", out[i] = in[i]);
    EACH("add", out[i] = in[i] + in[63 - i]);
    EACH("multiply", out[i] = in[i] * in[63 - i]);
    EACH("divide", out[i] = in[i] / in[63 - i]);
    EACH("compare", result[i] = in[i] < in[63 - i]);
    EACH("from_single", out[i] = (double)single[i]);
    EACH("to_single", single[i] = (float)in[i]);
    EACH("from_integer", out[i] = (double)integer[i]);
    EACH("to_integer", result[i] = (int32_t)in[i]);
    return 0;
}
#endif
