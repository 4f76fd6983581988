/*
 * decimal - 250 bills in packed decimal, 16 digits in 64 bits: sums with carries between digits by masks, products by a
 * digit at a time, tax rounded, and conversion from and to binary by doubling and halving.
 *
 * The truth: the same in 64-bit whole numbers.
 *
 * Work: 250 bills of 6 items with at least two sums of ten operations each: 250 * 6 * 2 * 10 = 30000.
 */
#include "judge.h"

#define BILLS 250
#define ITEMS 6

static uint64_t price[BILLS][ITEMS], total[BILLS], with_tax[BILLS], binary[BILLS]; /* all but binary: decimal, cents */
static uint8_t count[BILLS][ITEMS];

/* Digits plus 6: those that carry leave their nibble; the others take the 6 back. */
static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t t = a + 0x0666666666666666u, sum = t + b;
    uint64_t no_carry = ~(t ^ b ^ sum) & 0x1111111111111110u;

    return sum - (no_carry >> 2 | no_carry >> 3);
}
static uint64_t times_digit(uint64_t a, unsigned digit)
{
    uint64_t result = 0;

    for (; digit; digit >>= 1) {
        if (digit & 1)
            result = add(result, a);
        a = add(a, a);
    }
    return result;
}
static uint64_t times(uint64_t a, unsigned two_digits)
{
    return add(times_digit(a, two_digits & 15), times_digit(a, two_digits >> 4) << 4);
}
static uint64_t to_binary(uint64_t decimal)
{
    uint64_t result = 0;

    for (int shift = 60; shift >= 0; shift -= 4)
        result = result * 10 + (decimal >> shift & 15);
    return result;
}
/* Bits from the top come in at the bottom of a number that doubles. */
static uint64_t to_decimal(uint64_t x)
{
    uint64_t result = 0;
    int bit = 53;

    while (bit && !(x >> bit & 1))
        bit--;
    for (; bit >= 0; bit--) {
        result = add(result, result);
        result = add(result, x >> bit & 1);
    }
    return result;
}

static void work(void)
{
    for (int b = 0; b < BILLS; b++) {
        uint64_t sum = 0, tax;

        for (int i = 0; i < ITEMS; i++)
            sum = add(sum, times(price[b][i], count[b][i]));
        total[b] = sum;
        tax = add(times(sum, 0x19), 0x50) >> 8; /* 19 %, half a cent up */
        with_tax[b] = add(sum, tax);
        binary[b] = to_binary(with_tax[b]);
        if (to_decimal(binary[b]) != with_tax[b])
            binary[b] = 0;
    }
}

int main(void)
{
    uint64_t seed = 20;
    uint64_t cents[BILLS];
    char text[20];

    for (int b = 0; b < BILLS; b++) {
        cents[b] = 0;
        for (int i = 0; i < ITEMS; i++) {
            unsigned p = draw(&seed) >> draw_below(&seed, 24), n = (unsigned)draw_below(&seed, 100);
            snprintf(text, sizeof text, "%u", p);
            price[b][i] = strtoull(text, NULL, 16);
            count[b][i] = (uint8_t)(n / 10 << 4 | n % 10);
            cents[b] += (uint64_t)p * n;
        }
    }
    SHIM_KEEP(price);
    SHIM_KEEP(count);
    shim_region_begin("decimal");
    work();
    SHIM_KEEP(total);
    SHIM_KEEP(with_tax);
    SHIM_KEEP(binary);
    shim_region_end("decimal");
    for (int b = 0; b < BILLS; b++) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)cents[b]);
        if (total[b] != strtoull(text, NULL, 16) || binary[b] != cents[b] + (cents[b] * 19 + 50) / 100)
            return sample_verdict_int("bill that is wrong", b, -1);
    }
    return 0;
}
