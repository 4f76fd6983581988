/*
 * base_text - 20 signed numbers of 64 bits to text in bases 2 to 36 and back, and 10 years to Roman numerals and back.
 *
 * The truth: strtoll of the text; and Roman numerals of known years.
 *
 * Work: a number of up to 64 bits has at least 4 digits in any base here, each a quotient, a remainder and a store, and
 * a load, a product and a sum on the way back: 20 * 4 * 6 = 480.
 */
#include "../sample.h"

#define NUMBERS 20
#define YEARS   10
#define ROOM    72

static const int known_years[YEARS] = {1, 4, 9, 49, 98, 444, 1666, 1999, 2026, 3888};
static const char *const known_numerals[YEARS] = {"I",      "IV",      "IX",      "XLIX",   "XCVIII",
                                                  "CDXLIV", "MDCLXVI", "MCMXCIX", "MMXXVI", "MMMDCCCLXXXVIII"};

static int64_t numbers[NUMBERS], back[NUMBERS];
static int32_t bases[NUMBERS], years[YEARS], years_back[YEARS];
static char texts[NUMBERS][ROOM], numerals[YEARS][16];

static void print(int64_t value, unsigned base, char *out)
{
    char digits[64];
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int n = 0;

    if (value < 0)
        *out++ = '-';
    do {
        unsigned digit = (unsigned)(size % base);

        digits[n++] = (char)(digit < 10 ? '0' + (int)digit : 'a' + (int)digit - 10);
        size /= base;
    } while (size != 0);
    while (n > 0)
        *out++ = digits[--n];
    *out = 0;
}

static int64_t read_back(const char *at, unsigned base)
{
    uint64_t value = 0;
    int negative = *at == '-';

    for (at += negative; *at; at++)
        value = value * base + (uint64_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
    return (int64_t)(negative ? 0 - value : value);
}

static void print_roman(int value, char *out)
{
    static const char ones[] = "IXCM", fives[] = "VLD";

    for (int place = 3, unit = 1000; place >= 0; place--, unit /= 10) {
        int digit = value / unit % 10;

        if (digit % 5 == 4) {
            *out++ = ones[place];
            *out++ = digit == 4 ? fives[place] : ones[place + 1];
            continue;
        }
        if (digit >= 5)
            *out++ = fives[place];
        for (int i = digit % 5; i > 0; i--)
            *out++ = ones[place];
    }
    *out = 0;
}

static int worth(char c)
{
    switch (c) {
    case 'I':
        return 1;
    case 'V':
        return 5;
    case 'X':
        return 10;
    case 'L':
        return 50;
    case 'C':
        return 100;
    case 'D':
        return 500;
    case 'M':
        return 1000;
    default:
        return 0;
    }
}

static int read_roman(const char *at)
{
    int sum = 0;

    for (; *at; at++)
        sum += worth(*at) < worth(at[1]) ? -worth(*at) : worth(*at);
    return sum;
}

static void work(void)
{
    for (int i = 0; i < NUMBERS; i++) {
        print(numbers[i], (unsigned)bases[i], texts[i]);
        back[i] = read_back(texts[i], (unsigned)bases[i]);
    }
    for (int i = 0; i < YEARS; i++) {
        print_roman(years[i], numerals[i]);
        years_back[i] = read_roman(numerals[i]);
    }
}

int main(void)
{
    for (int i = 0; i < NUMBERS; i++) {
        bases[i] = 2 + i * 34 / (NUMBERS - 1);
        numbers[i] = (i % 2 ? -1 : 1) * (INT64_MAX >> (i * 2) % 40);
    }
    numbers[1] = INT64_MIN;
    memcpy(years, known_years, sizeof years);
    SHIM_KEEP(numbers);
    SHIM_KEEP(bases);
    SHIM_KEEP(years);
    shim_region_begin("base_text");
    work();
    SHIM_KEEP(texts);
    SHIM_KEEP(back);
    SHIM_KEEP(numerals);
    SHIM_KEEP(years_back);
    shim_region_end("base_text");
    for (int i = 0; i < NUMBERS; i++)
        if (sample_verdict_int("number of a text", strtoll(texts[i], NULL, bases[i]), numbers[i]) ||
            sample_verdict_int("number read back", back[i], numbers[i]))
            return 1;
    for (int i = 0; i < YEARS; i++)
        if (sample_verdict_int(known_numerals[i], strcmp(numerals[i], known_numerals[i]), 0) ||
            sample_verdict_int("year read back", years_back[i], known_years[i]))
            return 1;
    return 0;
}
