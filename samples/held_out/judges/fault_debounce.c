/*
 * fault_debounce - 48 monitors of a control unit report pass or fail 400 times; counters step up and down by rules of their
 * own, status bytes as ISO 14229 has them, ageing over cycles, the first faults kept in a memory of 8.
 *
 * The truth: each monitor replayed by itself with plain variables, one flag each.
 *
 * Work: 400 rounds of 48 monitors, a load of the result, a step with limit and a comparison: 400 * 48 * 5 = 96000; 16 at
 * once: 6000.
 */
#include "judge.h"

#define MONITORS 48
#define ROUNDS   400
#define CYCLE    25
#define MEMORY   8
#define AGED     6

enum { TEST_FAILED = 1, FAILED_THIS_CYCLE = 2, PENDING = 4, CONFIRMED = 8, NOT_COMPLETED_THIS_CYCLE = 64 };
enum strategy { COUNTER, JUMPING, IMMEDIATE };

struct monitor {
    int8_t counter, up, down;
    uint8_t strategy, status, good_cycles, occurred;
};
struct entry {
    uint8_t monitor, occurred;
    uint16_t round;
};

static struct monitor monitors[MONITORS];
static uint8_t reports[ROUNDS][MONITORS]; /* 0 nothing, 1 pass, 2 fail */
static struct entry memory[MEMORY];
static unsigned n_entries;

static void remember(unsigned m, unsigned round)
{
    for (unsigned i = 0; i < n_entries; i++)
        if (memory[i].monitor == m) {
            memory[i].occurred = monitors[m].occurred;
            return;
        }
    if (n_entries < MEMORY)
        memory[n_entries++] = (struct entry){(uint8_t)m, monitors[m].occurred, (uint16_t)round};
}
static void failed(unsigned m, unsigned round)
{
    struct monitor *k = &monitors[m];

    if (!(k->status & TEST_FAILED) && k->occurred < 255)
        k->occurred++;
    if (k->status & PENDING && !(k->status & FAILED_THIS_CYCLE))
        k->status |= CONFIRMED;
    k->status |= TEST_FAILED | FAILED_THIS_CYCLE | PENDING;
    k->status &= (uint8_t)~NOT_COMPLETED_THIS_CYCLE;
    if (k->status & CONFIRMED)
        remember(m, round);
}
static void report(unsigned m, unsigned what, unsigned round)
{
    struct monitor *k = &monitors[m];
    int counter = (int)k->counter;

    switch (k->strategy) {
    case IMMEDIATE:
        counter = what == 2 ? 127 : -128;
        break;
    case JUMPING:
        if ((what == 2 && counter < 0) || (what == 1 && counter > 0))
            counter = 0;
        /* fall through */
    default:
        counter += what == 2 ? k->up : -k->down;
    }
    counter = counter > 127 ? 127 : counter < -128 ? -128 : counter;
    k->counter = (int8_t)counter;
    if (counter == 127)
        failed(m, round);
    else if (counter == -128)
        k->status &= (uint8_t) ~(TEST_FAILED | NOT_COMPLETED_THIS_CYCLE);
}
static void new_cycle(void)
{
    for (struct monitor *k = monitors; k < monitors + MONITORS; k++) {
        if (!(k->status & (FAILED_THIS_CYCLE | NOT_COMPLETED_THIS_CYCLE))) {
            k->status &= (uint8_t)~PENDING;
            if (k->status & CONFIRMED && ++k->good_cycles == AGED)
                k->status &= (uint8_t)~CONFIRMED;
        } else if (k->status & FAILED_THIS_CYCLE)
            k->good_cycles = 0;
        k->status &= (uint8_t)~FAILED_THIS_CYCLE;
        k->status |= NOT_COMPLETED_THIS_CYCLE;
    }
}
static void run(void)
{
    for (unsigned r = 0; r < ROUNDS; r++) {
        if (r % CYCLE == 0)
            new_cycle();
        for (unsigned m = 0; m < MONITORS; m++)
            if (reports[r][m])
                report(m, reports[r][m], r);
    }
}

static unsigned replay(const struct monitor *at_start, unsigned m, int *first_confirmed)
{
    int counter = 0, now = 0, cycle = 0, done = 0, pending = 0, confirmed = 0, good = 0;

    *first_confirmed = -1;
    for (int r = 0; r < ROUNDS; r++) {
        int what = reports[r][m];

        if (r % CYCLE == 0) {
            if (r && cycle)
                good = 0;
            if (r && !cycle && done) {
                pending = 0;
                if (confirmed && ++good == AGED)
                    confirmed = 0;
            }
            cycle = done = 0;
        }
        if (!what)
            continue;
        if (at_start->strategy == IMMEDIATE)
            counter = what == 2 ? 127 : -128;
        else {
            if (at_start->strategy == JUMPING && (what == 2 ? counter < 0 : counter > 0))
                counter = 0;
            counter += what == 2 ? at_start->up : -at_start->down;
        }
        if (counter >= 127) {
            counter = 127;
            confirmed |= pending && !cycle;
            if (confirmed && *first_confirmed < 0)
                *first_confirmed = r;
            now = cycle = pending = done = 1;
        } else if (counter <= -128) {
            counter = -128;
            now = 0;
            done = 1;
        }
    }
    return (unsigned)(now * TEST_FAILED | cycle * FAILED_THIS_CYCLE | pending * PENDING | confirmed * CONFIRMED |
                      !done * NOT_COMPLETED_THIS_CYCLE);
}

int main(void)
{
    static struct monitor starts[MONITORS];
    uint64_t seed = 52;
    int confirmed = 0, first;

    for (int m = 0; m < MONITORS; m++) {
        int bad = m % 5 * 2;

        starts[m] = (struct monitor){0,
                                     (int8_t)(8 + draw_below(&seed, 40)),
                                     (int8_t)(8 + draw_below(&seed, 40)),
                                     (uint8_t)(m % 3),
                                     NOT_COMPLETED_THIS_CYCLE,
                                     0,
                                     0};
        for (int r = 0; r < ROUNDS; r++) {
            if (r % 20 == 0)
                bad = draw_below(&seed, 12);
            reports[r][m] = (uint8_t)(draw_below(&seed, 6) == 0 ? 0 : draw_below(&seed, 12) < bad ? 2 : 1);
        }
    }
    memcpy(monitors, starts, sizeof monitors);
    n_entries = 0;
    SHIM_KEEP(monitors);
    SHIM_KEEP(reports);
    shim_region_begin("fault_debounce");
    run();
    SHIM_KEEP(monitors);
    SHIM_KEEP(memory);
    shim_region_end("fault_debounce");
    for (unsigned m = 0; m < MONITORS; m++) {
        if (sample_verdict_int("status", monitors[m].status, replay(&starts[m], m, &first)))
            return 1;
        confirmed += first >= 0;
        for (unsigned i = 0; i < n_entries; i++)
            if (memory[i].monitor == m && sample_verdict_int("round of a fault", memory[i].round, first))
                return 1;
    }
    return sample_verdict_int("faults kept", n_entries, confirmed < MEMORY ? confirmed : MEMORY);
}
