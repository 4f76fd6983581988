/*
 * expression - evaluate six arithmetic expressions 100 times by recursive descent.
 *
 * Work: each of the expressions' 139 characters is loaded and compared at least once, and what follows depends on it:
 * 100 * 139 * 2 = 27800.
 */
#include "../sample.h"

#define EXPRESSIONS 6
#define ROUNDS      100

static const char *const expressions[EXPRESSIONS] = {
    "1 + 2 * 3 - 4",         "(1 + 2) * (3 - 4)",  "-(2 * (3 + (4 * (5 + 6)))) % 29",
    "1000000 / 7 / 11 / 13", "((((((((42))))))))", "123 * 456 - 789 * (12 - 34) + 5678 % 90",
};
/* By hand; remainders take the sign of the left operand. */
static const long expected[EXPRESSIONS] = {3, -3, -94 % 29, 999, 42, 56088 + 17358 + 8};
static long values[EXPRESSIONS];

static long sum(const char **at);

static void skip_blanks(const char **at)
{
    while (**at == ' ')
        (*at)++;
}

static long primary(const char **at)
{
    long value = 0;

    skip_blanks(at);
    if (**at == '-') {
        (*at)++;
        return -primary(at);
    }
    if (**at == '(') {
        (*at)++;
        value = sum(at);
        skip_blanks(at);
        (*at)++;
        return value;
    }
    while (**at >= '0' && **at <= '9')
        value = 10 * value + (*(*at)++ - '0');
    return value;
}

static long product(const char **at)
{
    long value = primary(at), right;
    char sign;

    for (;;) {
        skip_blanks(at);
        sign = **at;
        if (sign != '*' && sign != '/' && sign != '%')
            return value;
        (*at)++;
        right = primary(at);
        if (sign == '*')
            value *= right;
        else if (right == 0)
            return 0;
        else if (sign == '/')
            value /= right;
        else
            value %= right;
    }
}

static long sum(const char **at)
{
    long value = product(at);

    for (;;) {
        skip_blanks(at);
        if (**at == '+') {
            (*at)++;
            value += product(at);
        } else if (**at == '-') {
            (*at)++;
            value -= product(at);
        } else {
            return value;
        }
    }
}

static void evaluate_all(const char *const texts[])
{
    const char *at;
    int i, round;

    for (round = 0; round < ROUNDS; round++) {
        for (i = 0; i < EXPRESSIONS; i++) {
            at = texts[i];
            values[i] = sum(&at);
            SHIM_KEEP(values);
        }
    }
}

int main(void)
{
    const char *texts[EXPRESSIONS];
    int i;

    memcpy(texts, expressions, sizeof texts);
    memset(values, 0, sizeof values);
    SHIM_KEEP(texts);
    shim_region_begin("expression");
    evaluate_all(texts);
    shim_region_end("expression");
    for (i = 0; i < EXPRESSIONS; i++)
        if (sample_verdict_int(expressions[i], values[i], expected[i]))
            return 1;
    return 0;
}
