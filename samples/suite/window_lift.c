/*
 * window_lift - a power window with express up and down and protection of what is in its way, as a generated chart.
 *
 * Hierarchy: Idle, Moving {Up, Down} with {Manual, Express} beside, Reversing, Blocked; temporal conditions by
 * counters. The truth: the doors are moved by scripts of presses and obstacles whose outcome is known: positions at
 * which each part of the script must end, derived from rules (4 ticks of press tell manual from express; 300 back after
 * an obstacle).
 *
 * Work: 4 windows * 6000 ticks, each after the one before: load the request, branch on the state, compare the position,
 * store it: 24000 * 4 = 96000.
 */
#include "../sample.h"

#define WINDOWS 4
#define PART    1500
#define PARTS   4
#define TICKS   (PART * PARTS)
#define OPEN    0
#define CLOSED  1000
#define SEAL    960 /* above it the seal resists: no protection */
#define HELD    4   /* ticks from which a press is a manual one */
#define RETREAT 300
#define REST    20

enum request { NONE, UP, DOWN };

enum state { IDLE, MOVING_UP, MOVING_DOWN, REVERSING, BLOCKED };

enum mode { MODE_PENDING, MODE_MANUAL, MODE_EXPRESS };

struct window {
    enum state state;
    enum mode mode;
    uint16_t ticks; /* in this state */
    int16_t position, target;
    int16_t load; /* current of the motor */
};

static struct window windows[WINDOWS];
static uint8_t request[WINDOWS][TICKS];
static int16_t obstacle[WINDOWS][TICKS]; /* where it is; CLOSED + 1: none */
static int16_t position[WINDOWS][TICKS];

static void enter(struct window *w, enum state next)
{
    w->state = next;
    w->ticks = 0;
    w->mode = MODE_PENDING;
    if (next == REVERSING)
        w->target = (int16_t)(w->position > OPEN + RETREAT ? w->position - RETREAT : OPEN);
}

/* The press ended early: express. It lasts: manual, and its end ends the move. 1 when the move goes on. */
static int mode_step(struct window *w, uint8_t wanted, enum request own)
{
    switch (w->mode) {
    case MODE_PENDING:
        if (wanted != own)
            w->mode = MODE_EXPRESS;
        else if (w->ticks >= HELD)
            w->mode = MODE_MANUAL;
        return 1;
    case MODE_MANUAL:
        return wanted == own;
    default:
        return wanted == NONE;
    }
}

static void moving_up(struct window *w, uint8_t wanted, int16_t in_the_way)
{
    if (!mode_step(w, wanted, UP)) {
        enter(w, IDLE);
        return;
    }
    w->load = (int16_t)(40 + w->position / 50);
    if (w->position >= in_the_way)
        w->load = (int16_t)(w->load + 60);
    if (w->load > 100 && w->position < SEAL)
        enter(w, REVERSING);
    else if (w->position >= CLOSED)
        enter(w, IDLE);
    else
        w->position++;
}

static void moving_down(struct window *w, uint8_t wanted)
{
    if (!mode_step(w, wanted, DOWN) || w->position <= OPEN)
        enter(w, IDLE);
    else
        w->position--;
}

static void chart_step(struct window *w, uint8_t wanted, int16_t in_the_way)
{
    w->ticks++;
    switch (w->state) {
    case IDLE:
        if (wanted == UP && w->position < CLOSED)
            enter(w, MOVING_UP);
        else if (wanted == DOWN && w->position > OPEN)
            enter(w, MOVING_DOWN);
        break;
    case MOVING_UP:
        moving_up(w, wanted, in_the_way);
        break;
    case MOVING_DOWN:
        moving_down(w, wanted);
        break;
    case REVERSING:
        if (w->position <= w->target)
            enter(w, BLOCKED);
        else
            w->position--;
        break;
    default:
        if (w->ticks >= REST && wanted == NONE)
            enter(w, IDLE);
        break;
    }
}

static void run(void)
{
    for (int t = 0; t < TICKS; t++)
        for (int i = 0; i < WINDOWS; i++) {
            chart_step(&windows[i], request[i][t], obstacle[i][t]);
            position[i][t] = windows[i].position;
        }
}

static void press(int window, int from, int ticks, enum request r)
{
    for (int t = from; t < from + ticks; t++)
        request[window][t] = (uint8_t)r;
}

/* Each window from 0: express up to the end; manual down by some ticks; express up into an obstacle at 950 (window
 * 0: 900); express down to the end. */
static void prepare(void)
{
    memset(windows, 0, sizeof windows);
    memset(request, NONE, sizeof request);
    for (int i = 0; i < WINDOWS; i++) {
        for (int t = 0; t < TICKS; t++)
            obstacle[i][t] = (int16_t)(t / PART == 2 ? (i == 0 ? 900 : 950) : CLOSED + 1);
        press(i, 10 + i, 2, UP);
        press(i, PART + 10, 200 + 100 * i, DOWN);
        press(i, 2 * PART + 10, 3, UP);
        press(i, 3 * PART + 10, 1, DOWN);
    }
    SHIM_KEEP(windows);
    SHIM_KEEP(request);
    SHIM_KEEP(obstacle);
}

/* A press of n ticks moves the window n - 1 steps: its first tick enters the state. */
int main(void)
{
    int failed = 0;

    prepare();
    shim_region_begin("window_lift");
    run();
    SHIM_KEEP(position);
    shim_region_end("window_lift");
    for (int i = 0; i < WINDOWS; i++) {
        int way = 200 + 100 * i - 1;

        failed |= sample_verdict_int("closed", position[i][PART - 1], CLOSED);
        failed |= sample_verdict_int("partly open", position[i][2 * PART - 1], CLOSED - way);
        failed |= sample_verdict_int("retreated", position[i][3 * PART - 1], (i == 0 ? 900 : 950) - RETREAT);
        failed |= sample_verdict_int("open", position[i][4 * PART - 1], OPEN);
    }
    return failed;
}
