/* number.c - numbers of performance data: exact integers and doubles, as texts that read back equal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "perf-xml/perfxml.h"

struct perf_number perf_unsigned(uint64_t u)
{
    return (struct perf_number){.kind = PERF_UNSIGNED, .u = u};
}

static size_t digits(char *room, uint64_t u)
{
    char back[NUMBER_ROOM];
    size_t n = 0;
    do
        back[n++] = (char)('0' + u % 10);
    while (u /= 10);
    for (size_t i = 0; i < n; i++)
        room[i] = back[n - 1 - i];
    room[n] = 0;
    return n;
}

static size_t signed_digits(char *room, int64_t i)
{
    if (i >= 0)
        return digits(room, (uint64_t)i);
    *room = '-';
    return 1 + digits(room + 1, 0 - (uint64_t)i);
}

/* Programs never leave the C locale. Zero is written without a sign, since not every format keeps it. */
static size_t real_text(char *room, double d)
{
    int n = 0;
    if (d == 0)
        return digits(room, 0);
    for (int precision = 15; precision <= 17; precision++) {
        n = snprintf(room, NUMBER_ROOM, "%.*g", precision, d);
        if (strtod(room, 0) == d)
            break;
    }
    return (size_t)n;
}

size_t perf_number_text(char *room, const struct perf_number *n)
{
    *room = 0;
    switch (n->kind) {
    case PERF_UNSIGNED:
        return digits(room, n->u);
    case PERF_SIGNED:
        return signed_digits(room, n->i);
    case PERF_REAL:
        return real_text(room, n->d);
    default:
        return 0;
    }
}

static bool parse_unsigned(uint64_t *u, const char *text)
{
    if (!*text || text[strspn(text, "0123456789")])
        return false;
    *u = 0;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*u > (UINT64_MAX - digit) / 10)
            return false;
        *u = *u * 10 + digit;
    }
    return true;
}

bool perf_number_parse(struct perf_number *n, const char *text)
{
    uint64_t u;
    if (parse_unsigned(&u, text)) {
        *n = perf_unsigned(u);
        return true;
    }
    if (*text == '-' && parse_unsigned(&u, text + 1) && u <= (uint64_t)INT64_MAX && u) {
        *n = (struct perf_number){.kind = PERF_SIGNED, .i = -(int64_t)u};
        return true;
    }
    n->kind = PERF_REAL;
    return parse_double(text, &n->d) && isfinite(n->d);
}

double perf_number_real(const struct perf_number *n)
{
    switch (n->kind) {
    case PERF_UNSIGNED:
        return (double)n->u;
    case PERF_SIGNED:
        return (double)n->i;
    case PERF_REAL:
        return n->d;
    default:
        return NAN;
    }
}

static const char *const states[] = {"measured", "derived", "unavailable"};
const char *perf_state_name(enum perf_state s)
{
    return states[s];
}

bool perf_state_parse(enum perf_state *s, const char *name)
{
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strcmp(name, states[i]) == 0) {
            *s = (enum perf_state)i;
            return true;
        }
    return false;
}
