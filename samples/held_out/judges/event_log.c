/*
 * event_log - 300 events with arguments of several types (stdarg) are written as compact binary records into a ring of
 * 4 KB, as a tracer on a target does, and expanded to text by their format afterwards.
 *
 * The truth: snprintf's text of the same events.
 *
 * Work: 300 events of at least two arguments, each taken (a load), stored, loaded and printed to at least one digit by
 * a division: 300 * 2 * 6 = 3600.
 */
#include <stdarg.h>

#include "judge.h"

#define EVENTS 300
#define RING   4096
#define LINE   80

static const struct {
    const char *types; /* i int, u unsigned, q long long, c char, s short text */
    const char *format, *printf_format;
} kinds[] = {{"iu", "speed %i of %u", "speed %d of %u"},
             {"qc", "counter %q unit %c", "counter %lld unit %c"},
             {"isi", "at %i task %s level %i", "at %d task %s level %d"},
             {"ccu", "from %c to %c after %u ms", "from %c to %c after %u ms"},
             {"sqi", "%s: %q (%i)", "%s: %lld (%d)"}};

static uint8_t ring[RING];
static unsigned head, tail, dropped;
static struct event {
    uint8_t kind;
    int i[2];
    unsigned u;
    long long q;
    char c[2];
    char s[9];
} events[EVENTS];
static char lines[EVENTS][LINE];

static void put(const void *bytes, unsigned n)
{
    const uint8_t *b = bytes;

    while (n--)
        ring[head++ % RING] = *b++;
}
static void take(void *bytes, unsigned n)
{
    uint8_t *b = bytes;

    while (n--)
        *b++ = ring[tail++ % RING];
}

static void trace(unsigned kind, ...)
{
    va_list list;
    uint8_t tag = (uint8_t)kind;

    if (RING - (head - tail) < 32) {
        dropped++;
        return;
    }
    put(&tag, 1);
    va_start(list, kind);
    for (const char *t = kinds[kind].types; *t; t++) {
        int i;
        long long q;
        const char *s;

        switch (*t) {
        case 'i':
        case 'u':
            i = va_arg(list, int);
            put(&i, sizeof i);
            break;
        case 'q':
            q = va_arg(list, long long);
            put(&q, sizeof q);
            break;
        case 'c':
            tag = (uint8_t)va_arg(list, int);
            put(&tag, 1);
            break;
        default:
            s = va_arg(list, const char *);
            for (tag = 0; s[tag]; tag++)
                ;
            put(&tag, 1);
            put(s, tag);
        }
    }
    va_end(list);
}

static char *digits(char *out, unsigned long long v, int negative)
{
    char text[20];
    int n = 0;

    if (negative)
        *out++ = '-';
    do
        text[n++] = (char)('0' + v % 10);
    while (v /= 10);
    while (n)
        *out++ = text[--n];
    return out;
}

static char *argument(char *out, char type)
{
    int i;
    unsigned u;
    long long q;
    uint8_t n;

    switch (type) {
    case 'i':
        take(&i, sizeof i);
        return digits(out, i < 0 ? 0ULL - (unsigned long long)i : (unsigned long long)i, i < 0);
    case 'u':
        take(&u, sizeof u);
        return digits(out, u, 0);
    case 'q':
        take(&q, sizeof q);
        return digits(out, q < 0 ? 0ULL - (unsigned long long)q : (unsigned long long)q, q < 0);
    case 'c':
        take(out, 1);
        return out + 1;
    default:
        take(&n, 1);
        take(out, n);
        return out + n;
    }
}

static void expand(char *out)
{
    uint8_t kind;

    take(&kind, 1);
    for (const char *f = kinds[kind].format; *f; f++) {
        if (*f != '%')
            *out++ = *f;
        else
            out = argument(out, *++f);
    }
    *out = 0;
}

static void emit(const struct event *e)
{
    switch (e->kind) {
    case 0:
        trace(0, e->i[0], e->u);
        break;
    case 1:
        trace(1, e->q, e->c[0]);
        break;
    case 2:
        trace(2, e->i[0], e->s, e->i[1]);
        break;
    case 3:
        trace(3, e->c[0], e->c[1], e->u);
        break;
    default:
        trace(4, e->s, e->q, e->i[0]);
    }
}

static void work(void)
{
    unsigned done = 0;

    for (unsigned i = 0; i < EVENTS; i++) {
        emit(&events[i]);
        if (i % 50 == 49)
            while (tail != head)
                expand(lines[done++]);
    }
}

static void print_truth(const struct event *e, char *out)
{
    const char *f = kinds[e->kind].printf_format;

    switch (e->kind) {
    case 0:
        snprintf(out, LINE, f, e->i[0], e->u);
        break;
    case 1:
        snprintf(out, LINE, f, e->q, e->c[0]);
        break;
    case 2:
        snprintf(out, LINE, f, e->i[0], e->s, e->i[1]);
        break;
    case 3:
        snprintf(out, LINE, f, e->c[0], e->c[1], e->u);
        break;
    default:
        snprintf(out, LINE, f, e->s, e->q, e->i[0]);
    }
}

int main(void)
{
    uint64_t seed = 8;
    char truth[LINE];

    for (int i = 0; i < EVENTS; i++) {
        struct event *e = &events[i];
        int n = draw_below(&seed, 9);

        *e = (struct event){.kind = (uint8_t)draw_below(&seed, 5), .u = draw(&seed) >> draw_below(&seed, 32)};
        e->i[0] = draw_below(&seed, 20001) - 10000;
        e->i[1] = draw_below(&seed, 100);
        e->q = (long long)((uint64_t)draw(&seed) << draw_below(&seed, 31)) * (i % 3 ? 1 : -1);
        e->c[0] = (char)('A' + draw_below(&seed, 26));
        e->c[1] = (char)('a' + draw_below(&seed, 26));
        for (int k = 0; k < n; k++)
            e->s[k] = (char)('a' + draw_below(&seed, 26));
    }
    head = tail = dropped = 0;
    memset(lines, 0, sizeof lines);
    SHIM_KEEP(events);
    shim_region_begin("event_log");
    work();
    SHIM_KEEP(lines);
    shim_region_end("event_log");
    for (int i = 0; i < EVENTS; i++) {
        print_truth(&events[i], truth);
        if (strcmp(truth, lines[i]) != 0)
            return sample_verdict_int("line that differs", i, -1);
    }
    return sample_verdict_int("dropped", dropped, 0);
}
