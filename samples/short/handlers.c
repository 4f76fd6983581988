/*
 * handlers - 24 messages handed to one of four functions by a table of pointers, as a driver's interrupts are.
 *
 * Truth: message i is i of kind i % 4; kinds 0 and 1 add and subtract i, kind 2 adds 2 i, kind 3 counts: by sums, the
 * total is (0 + 4 + .. + 20) - (1 + 5 + .. + 21) + 2 (2 + 6 + .. + 22) = 60 - 66 + 144 = 138, and 6 are counted.
 * Work: 24 messages are loaded and called for, and each changes a sum: 72.
 */
#include "../sample.h"

enum { N = 24, KINDS = 4 };
struct message {
    int kind, value;
};
static struct message messages[N];
static int total, counted;

static void add(int value)
{
    total += value;
}

static void subtract(int value)
{
    total -= value;
}

static void add_twice(int value)
{
    total += 2 * value;
}

static void count(int value)
{
    counted += value >= 0;
}

static void (*handlers[KINDS])(int);

int main(void)
{
    void (*const table[KINDS])(int) = {add, subtract, add_twice, count};

    memcpy(handlers, table, sizeof handlers);
    total = counted = 0;
    for (int i = 0; i < N; i++)
        messages[i] = (struct message){i % KINDS, i};
    SHIM_KEEP(handlers);
    SHIM_KEEP(messages);
    SHIM_KEEP(&total);
    SHIM_KEEP(&counted);
    shim_region_begin("handlers");
    for (int i = 0; i < N; i++)
        handlers[messages[i].kind](messages[i].value);
    SHIM_KEEP(&total);
    SHIM_KEEP(&counted);
    shim_region_end("handlers");
    return sample_verdict_int("total", total, 138) | sample_verdict_int("counted", counted, 6);
}
