/*
 * hidden_markov - which of 6 states a machine went through, from 120 readings of 5 kinds: the best way in logarithms of
 * 1/256 (Viterbi), and the probability of all ways with scaling in single precision, forward and backward.
 *
 * Rabiner, "A Tutorial on Hidden Markov Models", 1989. The truth: the way's own cost is that which was found and no change
 * of a state at one or two places makes it less; forward and backward give one probability.
 *
 * Work: 120 readings, 36 transitions, each a sum and a comparison, and two products and sums twice: 120 * 36 * 6 = 25920;
 * 16 at once: 1620.
 */
#include "judge.h"

#define STATES   6
#define KINDS    5
#define READINGS 120

static int32_t go_cost[STATES][STATES], see_cost[STATES][KINDS];
static float go[STATES][STATES], see[STATES][KINDS];
static uint8_t readings[READINGS], way[READINGS];
static int32_t cost;
static float log_forward, log_backward;

static void best_way(void)
{
    static uint8_t from[READINGS][STATES];
    int32_t now[STATES], next[STATES];
    int best = 0;

    for (int s = 0; s < STATES; s++)
        now[s] = see_cost[s][readings[0]];
    for (int t = 1; t < READINGS; t++) {
        for (int s = 0; s < STATES; s++) {
            int least = 0;

            for (int r = 1; r < STATES; r++)
                if (now[r] + go_cost[r][s] < now[least] + go_cost[least][s])
                    least = r;
            next[s] = now[least] + go_cost[least][s] + see_cost[s][readings[t]];
            from[t][s] = (uint8_t)least;
        }
        memcpy(now, next, sizeof now);
    }
    for (int s = 1; s < STATES; s++)
        best = now[s] < now[best] ? s : best;
    cost = now[best];
    for (int t = READINGS - 1; t >= 0; t--) {
        way[t] = (uint8_t)best;
        best = from[t][best];
    }
}
/* Brings the sum to 1; returns its binary logarithm: the exponent apart, the rest by the library. */
static float scale(float *v)
{
    float sum = 0;

    for (int s = 0; s < STATES; s++)
        sum += v[s];
    for (int s = 0; s < STATES; s++)
        v[s] /= sum;
    return logf(sum);
}
static float forward(void)
{
    float now[STATES], next[STATES], total;

    for (int s = 0; s < STATES; s++)
        now[s] = see[s][readings[0]] / STATES;
    total = scale(now);
    for (int t = 1; t < READINGS; t++) {
        for (int s = 0; s < STATES; s++) {
            float sum = 0;

            for (int r = 0; r < STATES; r++)
                sum += now[r] * go[r][s];
            next[s] = sum * see[s][readings[t]];
        }
        memcpy(now, next, sizeof now);
        total += scale(now);
    }
    return total;
}
static float backward(void)
{
    float now[STATES], next[STATES], total = 0, sum = 0;

    for (int s = 0; s < STATES; s++)
        now[s] = 1;
    for (int t = READINGS - 1; t > 0; t--) {
        for (int s = 0; s < STATES; s++) {
            next[s] = 0;
            for (int r = 0; r < STATES; r++)
                next[s] += go[s][r] * see[r][readings[t]] * now[r];
        }
        memcpy(now, next, sizeof now);
        total += scale(now);
    }
    for (int s = 0; s < STATES; s++)
        sum += now[s] * see[s][readings[0]] / STATES;
    return total + logf(sum);
}

static int32_t cost_of(const uint8_t *w)
{
    int32_t sum = see_cost[w[0]][readings[0]];

    for (int t = 1; t < READINGS; t++)
        sum += go_cost[w[t - 1]][w[t]] + see_cost[w[t]][readings[t]];
    return sum;
}
static void draw_row(float *p, int32_t *c, int n, int heavy, uint64_t *seed)
{
    double sum = 0, x[8];

    for (int i = 0; i < n; i++)
        sum += x[i] = 0.05 + draw_unit(seed) + (i == heavy ? 4 : 0);
    for (int i = 0; i < n; i++) {
        p[i] = (float)(x[i] / sum);
        c[i] = (int32_t)lround(-256 * log2(x[i] / sum));
    }
}

int main(void)
{
    uint64_t seed = 39;
    uint8_t other[READINGS];
    int better = 0;

    for (int s = 0; s < STATES; s++) {
        draw_row(go[s], go_cost[s], STATES, s, &seed);
        draw_row(see[s], see_cost[s], KINDS, s % KINDS, &seed);
    }
    for (int t = 0; t < READINGS; t++)
        readings[t] = (uint8_t)(draw_below(&seed, 4) ? t / 15 % KINDS : draw_below(&seed, KINDS));
    SHIM_KEEP(go);
    SHIM_KEEP(see);
    SHIM_KEEP(go_cost);
    SHIM_KEEP(see_cost);
    SHIM_KEEP(readings);
    shim_region_begin("hidden_markov");
    best_way();
    log_forward = forward();
    log_backward = backward();
    SHIM_KEEP(way);
    SHIM_KEEP(&log_forward);
    SHIM_KEEP(&log_backward);
    shim_region_end("hidden_markov");
    memcpy(other, way, sizeof way);
    for (int t = 0; t + 1 < READINGS; t++) {
        for (int a = 0; a < STATES; a++)
            for (int b = 0; b < STATES; b++) {
                other[t] = (uint8_t)a;
                other[t + 1] = (uint8_t)b;
                better += cost_of(other) < cost;
            }
        other[t] = way[t];
        other[t + 1] = way[t + 1];
    }
    return sample_verdict_int("cost of the way", cost, cost_of(way)) | sample_verdict_int("better ways", better, 0) |
           sample_verdict_real("forward and backward", log_forward / log_backward, 1, 1e-4);
}
