/*
 * protothreads - a producer, a filter, a framer and two consumers as coroutines in one stack: each is a switch over the
 * line where it waited; queues of 8 between them, a round-robin loop until all is through.
 *
 * Dunkels and others, "Protothreads", 2006; Duff's device. The truth: the same stream by one plain loop.
 *
 * Work: 1500 values go through three queues, each put and taken with loads, stores and a wrap: 1500 * 3 * 8 = 36000.
 */
#include "judge.h"

#define VALUES 1500
#define QUEUE  8
#define FRAME  5

struct task {
    uint16_t line; /* where it goes on */
    int16_t i, k;
    int32_t sum;
};
#define BEGIN(t)                                                                                                       \
    switch ((t)->line) {                                                                                               \
    case 0:
#define WAIT(t, condition)                                                                                             \
    do {                                                                                                               \
        (t)->line = __LINE__;                                                                                          \
    case __LINE__:                                                                                                     \
        if (!(condition))                                                                                              \
            return 0;                                                                                                  \
    } while (0)
#define END(t)                                                                                                         \
    (t)->line = UINT16_MAX;                                                                                            \
    }                                                                                                                  \
    return 1

struct queue {
    int32_t items[QUEUE];
    uint8_t head, count;
};

static struct queue raw, smooth, even, odd;
static int32_t input[VALUES], results[2][VALUES / FRAME + 1], truth[2][VALUES / FRAME + 1];
static unsigned counts[2];
static struct task tasks[5];

static int full(const struct queue *q)
{
    return q->count == QUEUE;
}
static void put(struct queue *q, int32_t item)
{
    q->items[(q->head + q->count++) % QUEUE] = item;
}
static int32_t take(struct queue *q)
{
    int32_t item = q->items[q->head];

    q->head = (uint8_t)((q->head + 1) % QUEUE);
    q->count--;
    return item;
}

/* clang-format off */
static int produce(struct task *t)
{
    BEGIN(t);
    for (t->i = 0; t->i < VALUES; t->i++) {
        WAIT(t, !full(&raw));
        put(&raw, input[t->i]);
    }
    END(t);
}
static int filter(struct task *t)
{
    BEGIN(t);
    t->sum = 0;
    for (t->i = 0; t->i < VALUES; t->i++) {
        WAIT(t, raw.count > 0 && !full(&smooth));
        t->sum += (take(&raw) - t->sum) / 4;
        put(&smooth, t->sum);
    }
    END(t);
}
static int frame(struct task *t)
{
    BEGIN(t);
    for (t->i = 0; t->i < VALUES / FRAME; t->i++) {
        t->sum = 0;
        for (t->k = 0; t->k < FRAME; t->k++) {
            WAIT(t, smooth.count > 0);
            t->sum = t->sum * 3 + take(&smooth);
        }
        if (t->sum % 2) {
            WAIT(t, !full(&odd));
            put(&odd, t->sum);
        } else {
            WAIT(t, !full(&even));
            put(&even, t->sum);
        }
    }
    END(t);
}
static int consume(struct task *t, struct queue *q, int which)
{
    BEGIN(t);
    for (;;) {
        WAIT(t, q->count > 0);
        results[which][counts[which]++] = take(q);
    }
    END(t);
}
/* clang-format on */
static int consume_even(struct task *t)
{
    return consume(t, &even, 0);
}
static int consume_odd(struct task *t)
{
    return consume(t, &odd, 1);
}

static void run(void)
{
    static int (*const bodies[])(struct task *) = {consume_odd, frame, produce, consume_even, filter};

    for (int idle = 0; idle < 3; idle++)
        for (int i = 0; i < 5; i++) {
            if (tasks[i].line != UINT16_MAX && !bodies[i](&tasks[i]) && i < 3 && i)
                idle = 0;
        }
}

int main(void)
{
    uint64_t seed = 55;
    unsigned n[2] = {0, 0};
    int32_t mean = 0, sum = 0;

    for (int i = 0; i < VALUES; i++)
        input[i] = draw_below(&seed, 2001) - 1000;
    memset(&raw, 0, sizeof raw);
    smooth = even = odd = raw;
    memset(tasks, 0, sizeof tasks);
    memset(results, 0, sizeof results);
    memset(truth, 0, sizeof truth);
    counts[0] = counts[1] = 0;
    SHIM_KEEP(input);
    SHIM_KEEP(tasks);
    shim_region_begin("protothreads");
    run();
    SHIM_KEEP(results);
    SHIM_KEEP(counts);
    shim_region_end("protothreads");
    for (int i = 0; i < VALUES; i++) {
        mean += (input[i] - mean) / 4;
        sum = sum * 3 + mean;
        if (i % FRAME == FRAME - 1) {
            truth[sum % 2 != 0][n[sum % 2 != 0]++] = sum;
            sum = 0;
        }
    }
    return sample_verdict_int("even", counts[0], n[0]) | sample_verdict_int("odd", counts[1], n[1]) |
           sample_verdict_int("difference", memcmp(results, truth, sizeof truth) != 0, 0);
}
