/*
 * crank_sync - the angle of a crankshaft from the times of its teeth: 60 less 2, gap found, speed, faults noticed.
 *
 * As timer units of engine controllers have it: a gap is a time between 2 and 4.5 times of the one before, confirmed by
 * the count of teeth between gaps; a lost or an added tooth takes synchronism away. The truth: the wheel is simulated,
 * a tooth is lost now and then; while synchronous the tooth must be the true one, and a fault must be seen by the next
 * gap.
 *
 * Work: each of the 8000 edges depends on the one before: a difference, 2 products or shifts, 2 comparisons, a count, a
 * switch and a store: 8000 * 8 = 64000.
 */
#include "../sample.h"
#include "test_signal.h"

#define EDGES 8000
#define TEETH 58 /* real ones; two places are empty */

enum sync { NO_SYNC, GAP_SEEN, SYNC };

struct crank {
    uint32_t last, period; /* timer ticks */
    uint32_t turn;         /* ticks of the last turn */
    uint32_t gap_time;
    uint8_t state;
    uint8_t tooth;
    uint16_t faults;
};

struct edge {
    uint8_t state, tooth;
    uint32_t turn;
};

static struct crank crank;
static uint32_t stamp[EDGES]; /* wraps */
static uint8_t truth[EDGES], lost[EDGES];
static struct edge seen[EDGES];

static void lose(struct crank *c)
{
    c->state = NO_SYNC;
    c->tooth = 0;
    c->faults++;
}

static void edge_step(struct crank *c, uint32_t now)
{
    uint32_t period = now - c->last;
    int gap = period > 2 * c->period && 2 * period < 9 * c->period;

    switch (c->state) {
    case NO_SYNC:
        if (gap) {
            c->state = GAP_SEEN;
            c->tooth = 0;
            c->gap_time = now;
        }
        break;
    default:
        c->tooth++;
        if (gap && c->tooth == TEETH) {
            c->state = SYNC;
            c->tooth = 0;
            c->turn = now - c->gap_time;
            c->gap_time = now;
        } else if (gap || c->tooth >= TEETH)
            lose(c);
        break;
    }
    c->period = gap ? period / 3 : period;
    c->last = now;
}

static void run(void)
{
    for (int n = 0; n < EDGES; n++) {
        edge_step(&crank, stamp[n]);
        seen[n] = (struct edge){crank.state, crank.tooth, crank.turn};
    }
}

/* The speed wanders by some percent a tooth; a tooth is lost every 700 edges or so, never beside the gap. */
static void prepare(void)
{
    uint32_t noise = 605551u, now = 0xfff00000u, draw;
    int tooth = 17;

    memset(&crank, 0, sizeof crank);
    crank.last = now;
    for (int n = 0; n < EDGES; n++) {
        uint32_t period = (uint32_t)(4000.0 + 1500.0 * sine_of(n * 0.01)) + (uint32_t)noise_within(&noise, 60);

        draw = noise_next(&noise);
        lost[n] = draw % 700 == 0 && tooth > 5 && tooth < 50;
        if (lost[n]) {
            now += period;
            tooth++;
        }
        tooth++;
        now += tooth == TEETH ? 3 * period : period;
        tooth = tooth == TEETH ? 0 : tooth;
        stamp[n] = now;
        truth[n] = (uint8_t)tooth;
    }
    SHIM_KEEP(&crank);
    SHIM_KEEP(stamp);
}

/* Edges at which it is sure of itself and wrong: allowed only from the loss of a tooth, to the next gap at most. The
 * time of a turn is that between true gaps. */
static int wrong_teeth(int *synchronous)
{
    uint32_t gap = 0;
    int bad = 0, doubtful = 0;

    *synchronous = 0;
    for (int n = 0; n < EDGES; n++) {
        if (lost[n])
            doubtful = 1;
        if (truth[n] == 0)
            doubtful = 0;
        if (seen[n].state == SYNC) {
            ++*synchronous;
            bad += seen[n].tooth != truth[n] && !doubtful;
            bad += truth[n] == 0 && seen[n].turn != stamp[n] - gap;
        }
        if (truth[n] == 0)
            gap = stamp[n];
    }
    return bad;
}

int main(void)
{
    int synchronous, bad;

    prepare();
    shim_region_begin("crank_sync");
    run();
    SHIM_KEEP(seen);
    shim_region_end("crank_sync");
    bad = wrong_teeth(&synchronous);
    return sample_verdict_int("wrong teeth", bad, 0) |
           sample_verdict_int("synchronous most of the time", synchronous > EDGES / 2, 1);
}
