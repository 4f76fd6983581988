/*
 * format_text - 160 lines are printed by a formatter of one's own: %d %u %x %o %c %s with width, zeros, left and sign.
 *
 * ISO C 7.21.6.1. The truth: the same lines by snprintf, outside.
 *
 * Work: each of the 160 lines has at least 40 characters, each the quotient and remainder of a number (a product or a
 * division), or a load, and a store one behind the other: 160 * 40 * 2 = 12800.
 */
#include "../sample.h"
#include "lcg.h"

#define LINES     160
#define ARGUMENTS 8
#define ROOM      128

struct argument {
    int32_t number;
    const char *text;
};
struct specification {
    int width, left, zeros, sign;
};
struct line {
    struct argument arguments[ARGUMENTS];
    char text[ROOM];
    int length;
};

static const char format[] = "%-8s|%08x %+6d%5u%%[%c] %o 0x%X|%10d|";
static const char long_format[] = "%s: %d %-6d|%06d%12u,%x%c";
static const char *const words[] = {"valve", "a", "thermometer", "", "pump 12", "x-axis"};

static struct line lines[LINES];
static const char *formats[2];

static char *pad(char *out, int count, char with)
{
    while (count-- > 0)
        *out++ = with;
    return out;
}

static char *print_text(char *out, const char *text, const struct specification *s)
{
    int length = 0;

    while (text[length])
        length++;
    if (!s->left)
        out = pad(out, s->width - length, ' ');
    for (int i = 0; i < length; i++)
        *out++ = text[i];
    return s->left ? pad(out, s->width - length, ' ') : out;
}

static char *print_number(char *out, uint32_t value, unsigned base, char ten, char sign, const struct specification *s)
{
    char digits[12];
    int n = 0, blanks;

    do {
        unsigned digit = value % base;

        digits[n++] = (char)(digit < 10 ? '0' + (int)digit : ten + (int)digit - 10);
        value /= base;
    } while (value != 0);
    blanks = s->width - n - (sign != 0);
    if (!s->left && !s->zeros)
        out = pad(out, blanks, ' ');
    if (sign)
        *out++ = sign;
    if (!s->left && s->zeros)
        out = pad(out, blanks, '0');
    while (n > 0)
        *out++ = digits[--n];
    return s->left ? pad(out, blanks, ' ') : out;
}

static const char *read_specification(const char *at, struct specification *s)
{
    *s = (struct specification){0, 0, 0, 0};
    for (;; at++) {
        if (*at == '-')
            s->left = 1;
        else if (*at == '0')
            s->zeros = 1;
        else if (*at == '+')
            s->sign = 1;
        else
            break;
    }
    for (; *at >= '0' && *at <= '9'; at++)
        s->width = 10 * s->width + (*at - '0');
    return at;
}

static char *print_signed(char *out, int32_t value, const struct specification *s)
{
    char sign = s->sign ? '+' : 0;

    if (value < 0)
        return print_number(out, 0 - (uint32_t)value, 10, 'a', '-', s);
    return print_number(out, (uint32_t)value, 10, 'a', sign, s);
}

static int print(char *out, const char *at, const struct argument *argument)
{
    const char *start = out;
    struct specification s;

    for (; *at; at++) {
        if (*at != '%') {
            *out++ = *at;
            continue;
        }
        at = read_specification(at + 1, &s);
        switch (*at) {
        case 'd':
            out = print_signed(out, (int32_t)argument++->number, &s);
            break;
        case 'u':
            out = print_number(out, (uint32_t)argument++->number, 10, 'a', 0, &s);
            break;
        case 'x':
            out = print_number(out, (uint32_t)argument++->number, 16, 'a', 0, &s);
            break;
        case 'X':
            out = print_number(out, (uint32_t)argument++->number, 16, 'A', 0, &s);
            break;
        case 'o':
            out = print_number(out, (uint32_t)argument++->number, 8, 'a', 0, &s);
            break;
        case 's':
            out = print_text(out, argument++->text, &s);
            break;
        case 'c':
            *out++ = (char)argument++->number;
            break;
        default:
            *out++ = *at;
        }
    }
    *out = 0;
    return (int)(out - start);
}

static void print_all(void)
{
    for (int i = 0; i < LINES; i++)
        lines[i].length = print(lines[i].text, formats[i % 2], lines[i].arguments);
}

static int32_t draw(uint32_t *seed)
{
    uint32_t wide = (uint32_t)lcg_draw(seed) << 16 | lcg_draw(seed);

    return (int32_t)(wide >> 1 >> lcg_draw(seed) % 30) * (lcg_draw(seed) % 2 ? -1 : 1);
}

static int expected(char *text, int i)
{
    const struct argument *a = lines[i].arguments;

    if (i % 2)
        return snprintf(text, ROOM, long_format, a[0].text, (int)a[1].number, (int)a[2].number, (int)a[3].number,
                        (unsigned)a[4].number, (unsigned)a[5].number, (int)a[6].number);
    return snprintf(text, ROOM, format, a[0].text, (unsigned)a[1].number, (int)a[2].number, (unsigned)a[3].number,
                    (int)a[4].number, (unsigned)a[5].number, (unsigned)a[6].number, (int)a[7].number);
}

int main(void)
{
    uint32_t seed = 53;

    formats[0] = format;
    formats[1] = long_format;
    for (int i = 0; i < LINES; i++) {
        for (int k = 1; k < ARGUMENTS; k++)
            lines[i].arguments[k].number = draw(&seed);
        lines[i].arguments[0].text = words[lcg_draw(&seed) % 6];
        lines[i].arguments[i % 2 ? 6 : 4].number = 'a' + i % 26;
        lines[i].text[0] = 0;
    }
    SHIM_KEEP(lines);
    SHIM_KEEP(formats);
    shim_region_begin("format_text");
    print_all();
    SHIM_KEEP(lines);
    shim_region_end("format_text");
    for (int i = 0; i < LINES; i++) {
        char text[ROOM];
        int length = expected(text, i);

        if (sample_verdict_int("characters", lines[i].length, length) ||
            sample_verdict_int(text, strcmp(lines[i].text, text), 0))
            return 1;
    }
    return 0;
}
