/*
 * dfa_scan - 14000 bytes of a log are searched for 24 words at once by an automaton whose table of 256 columns is more than
 * 32 KB; what is found is counted by word.
 *
 * Aho and Corasick, "Efficient String Matching", 1975. The truth: each word searched by itself.
 *
 * Work: 14000 bytes, each a load, a look-up that depends on the last, and a test: 14000 * 4 = 56000.
 */
#include "judge.h"

#define LENGTH 14000
#define WORDS  24
#define STATES 160

static const char *const words[WORDS] = {"error",  "warning", "timeout", "sensor", "retry", "reset",   "rest", "set",
                                         "estop",  "stop",    "pump",    "um",     "valve", "alarm",   "arm",  "motor",
                                         "torque", "overrun", "run",     "queue",  "que",   "voltage", "age",  "tag"};
static uint16_t next[STATES][256], failure[STATES];
static uint32_t ends[STATES]; /* which words end here */
static char text[LENGTH + 1];
static uint32_t counts[WORDS], total;
static unsigned n_states;

static void build(void)
{
    uint16_t queue[STATES];
    unsigned head = 0, tail = 0;

    memset(next, 0, sizeof next);
    memset(ends, 0, sizeof ends);
    n_states = 1;
    for (int w = 0; w < WORDS; w++) {
        unsigned s = 0;

        for (const char *c = words[w]; *c; c++) {
            uint16_t *to = &next[s][(uint8_t)*c];
            if (!*to)
                *to = (uint16_t)n_states++;
            s = *to;
        }
        ends[s] |= 1U << w;
    }
    for (int c = 0; c < 256; c++)
        if (next[0][c]) {
            failure[next[0][c]] = 0;
            queue[tail++] = next[0][c];
        }
    while (head < tail) {
        unsigned s = queue[head++];

        ends[s] |= ends[failure[s]];
        for (int c = 0; c < 256; c++) {
            uint16_t to = next[s][c];
            if (to) {
                failure[to] = next[failure[s]][c];
                queue[tail++] = to;
            } else
                next[s][c] = next[failure[s]][c];
        }
    }
}
static void scan(const char *at)
{
    unsigned state = 0;

    for (; *at; at++) {
        state = next[state][(uint8_t)*at];
        for (uint32_t set = ends[state]; set; set &= set - 1) {
            uint32_t lowest = set & (0 - set);
            unsigned w = 0;

            while (lowest >> w != 1)
                w++;
            counts[w]++;
            total++;
        }
    }
}

int main(void)
{
    uint64_t seed = 59;
    int at = 0;

    while (at < LENGTH) {
        const char *w = words[draw_below(&seed, WORDS)];
        int kind = draw_below(&seed, 3);

        if (kind == 0)
            while (*w && at < LENGTH)
                text[at++] = *w++;
        else if (kind == 1)
            for (int i = 0; i < 3 && *w && at < LENGTH; i++)
                text[at++] = *w++;
        for (int n = draw_below(&seed, 14); n > 0 && at < LENGTH; n--)
            text[at++] = (char)(draw_below(&seed, 6) ? 'a' + draw_below(&seed, 26) : ' ');
    }
    text[LENGTH] = 0;
    build();
    memset(counts, 0, sizeof counts);
    total = 0;
    SHIM_KEEP(text);
    SHIM_KEEP(next);
    SHIM_KEEP(ends);
    shim_region_begin("dfa_scan");
    scan(text);
    SHIM_KEEP(counts);
    SHIM_KEEP(&total);
    shim_region_end("dfa_scan");
    for (int w = 0; w < WORDS; w++) {
        uint32_t n = 0;
        for (const char *c = text; (c = strstr(c, words[w])) != NULL; c++)
            n++;
        if (sample_verdict_int("times a word is there", counts[w], n))
            return 1;
    }
    return sample_verdict_int("whether the table is large", n_states > 80 && total > 300, 1);
}
