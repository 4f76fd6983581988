/*
 * float_text - 300 numbers from text to float and double, scaled by powers of ten, and back to text with six digits.
 *
 * The truth: strtod and strtof, outside (within two units in the last place: powers are multiplied up step by step),
 * and that what is printed reads back within half a unit of its sixth digit.
 *
 * Work: each of the 300 texts has at least 6 characters, each loaded, compared and taken into a 64-bit number; printing
 * takes 6 digits, each a quotient, a remainder and a store: 300 * (6 * 4 + 6 * 3) = 12600.
 */
#include "../sample.h"
#include "lcg.h"

#define NUMBERS 300
#define ROOM    32

static char texts[NUMBERS][ROOM], printed[NUMBERS][ROOM];
static double doubles[NUMBERS];
static float floats[NUMBERS];

static double power_of_ten(int exponent)
{
    double power = 1, square = 10;

    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2)
            power *= square;
        square *= square;
    }
    return power;
}

static double scaled(double value, int exponent)
{
    return exponent < 0 ? value / power_of_ten(-exponent) : value * power_of_ten(exponent);
}

static double read_real(const char *at)
{
    uint64_t digits = 0;
    int exponent = 0, behind = 0, negative = *at == '-', sign, written = 0;
    double value;

    at += *at == '-' || *at == '+';
    for (;; at++) {
        if (*at == '.') {
            behind = 1;
        } else if (*at >= '0' && *at <= '9') {
            digits = 10 * digits + (uint64_t)(*at - '0');
            exponent -= behind;
        } else {
            break;
        }
    }
    if (*at == 'e') {
        at++;
        sign = *at == '-' ? -1 : 1;
        at += *at == '-' || *at == '+';
        for (; *at >= '0' && *at <= '9'; at++)
            written = 10 * written + (*at - '0');
        exponent += sign * written;
    }
    value = scaled((double)digits, exponent);
    return negative ? -value : value;
}

/* d.ddddde+-xx */
static void print_real(double value, char *out)
{
    int exponent = 0;
    uint32_t digits;
    double size = value < 0 ? -value : value;

    if (value < 0)
        *out++ = '-';
    if (size > 0) {
        for (int step = 32; step > 0; step /= 2) {
            while (size >= power_of_ten(step)) {
                size /= power_of_ten(step);
                exponent += step;
            }
            while (size < 1 / power_of_ten(step - 1)) {
                size *= power_of_ten(step);
                exponent -= step;
            }
        }
    }
    digits = (uint32_t)(size * 100000 + 0.5);
    if (digits >= 1000000) {
        digits /= 10;
        exponent++;
    }
    for (int i = 6; i > 0; i--) {
        out[i] = (char)('0' + digits % 10);
        digits /= 10;
    }
    out[0] = out[1];
    out[1] = '.';
    out[7] = 'e';
    out[8] = exponent < 0 ? '-' : '+';
    exponent = exponent < 0 ? -exponent : exponent;
    out[9] = (char)('0' + exponent / 10);
    out[10] = (char)('0' + exponent % 10);
    out[11] = 0;
}

static void work(void)
{
    for (int i = 0; i < NUMBERS; i++) {
        doubles[i] = read_real(texts[i]);
        floats[i] = (float)doubles[i];
        print_real(doubles[i], printed[i]);
    }
}

int main(void)
{
    uint32_t seed = 54;

    for (int i = 0; i < NUMBERS; i++) {
        const char *sign = lcg_draw(&seed) % 3 ? "" : "-";
        unsigned whole = lcg_draw(&seed), fraction = lcg_draw(&seed) % 10000;

        if (i % 3 == 0)
            snprintf(texts[i], ROOM, "%s%u.%04u", sign, whole % 1000, fraction);
        else if (i % 3 == 1)
            snprintf(texts[i], ROOM, "%s%u.%04ue%d", sign, whole % 10, fraction, (int)(lcg_draw(&seed) % 60) - 30);
        else
            snprintf(texts[i], ROOM, "%s%u%u%u", sign, 1 + whole % 9, whole, fraction);
    }
    SHIM_KEEP(texts);
    shim_region_begin("float_text");
    work();
    SHIM_KEEP(doubles);
    SHIM_KEEP(floats);
    SHIM_KEEP(printed);
    shim_region_end("float_text");
    for (int i = 0; i < NUMBERS; i++) {
        double truth = strtod(texts[i], NULL), size = fabs(truth);

        if (sample_verdict_real("double of a text", doubles[i], truth, size * 4 * 2.3e-16) ||
            sample_verdict_real("float of a text", (double)floats[i], (double)strtof(texts[i], NULL), size * 1.2e-7) ||
            sample_verdict_real("number printed", strtod(printed[i], NULL), truth, size * 5.01e-6))
            return 1;
    }
    return 0;
}
