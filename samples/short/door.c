/*
 * door - the state chart of a sliding door: 32 events of a button, two end switches, a timer and an obstacle.
 *
 * Truth: the events are four times press, open end, time out, close end, with an obstacle in every second closing,
 * which opens the door once more; so it has been opened six times and stands closed.
 * Work: 32 events select by state and by event: 64.
 */
#include "../sample.h"

enum event { PRESS, AT_OPEN, TIME_OUT, AT_CLOSED, OBSTACLE, NOTHING };
enum state { CLOSED, OPENING, OPEN, CLOSING };
enum { EVENTS = 32 };
static uint8_t events[EVENTS];
static int opened, state;

static void step(enum event e)
{
    switch (state) {
    case CLOSED:
        if (e == PRESS) {
            state = OPENING;
            opened++;
        }
        break;
    case OPENING:
        if (e == AT_OPEN)
            state = OPEN;
        break;
    case OPEN:
        if (e == TIME_OUT)
            state = CLOSING;
        break;
    default:
        if (e == AT_CLOSED) {
            state = CLOSED;
        } else if (e == OBSTACLE || e == PRESS) {
            state = OPENING;
            opened++;
        }
        break;
    }
}

int main(void)
{
    static const uint8_t cycle[16] = {PRESS,   NOTHING,  AT_OPEN,  TIME_OUT, NOTHING,  AT_CLOSED, NOTHING,   PRESS,
                                      AT_OPEN, TIME_OUT, OBSTACLE, AT_OPEN,  TIME_OUT, NOTHING,   AT_CLOSED, NOTHING};

    for (int i = 0; i < EVENTS; i++)
        events[i] = cycle[i % 16];
    opened = 0;
    state = CLOSED;
    SHIM_KEEP(events);
    SHIM_KEEP(&opened);
    SHIM_KEEP(&state);
    shim_region_begin("door");
    for (int i = 0; i < EVENTS; i++)
        step((enum event)events[i]);
    SHIM_KEEP(&opened);
    SHIM_KEEP(&state);
    shim_region_end("door");
    return sample_verdict_int("times opened", opened, 6) | sample_verdict_int("state", state, CLOSED);
}
