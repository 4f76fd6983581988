/*
 * kmeans - 1500 points in 3 dimensions sorted into 6 clusters by their means; single precision.
 *
 * Lloyd, "Least Squares Quantization in PCM", 1957, 1982; the first means lie as far apart as can be (Gonzalez, 1985).
 * The truth: the points were drawn around 6 centres that lie far apart; each cluster must hold the points of one
 * centre.
 *
 * Work: at least 2 rounds (the last changes nothing), each with 1500 * 6 distances of 3 differences, 3 products, 2
 * sums: 2 * 9000 * 8 / 16 lanes = 9000.
 */
#include "../sample.h"
#include "test_signal.h"

#define POINTS   1500
#define CLUSTERS 6
#define ROUNDS   20

struct point {
    float x[3];
};

static struct point point[POINTS], mean[CLUSTERS];
static uint8_t cluster[POINTS];
static float nearest[POINTS];
static int rounds;

static float distance(const struct point *a, const struct point *b)
{
    float sum = 0.0f;

    for (int i = 0; i < 3; i++)
        sum += (a->x[i] - b->x[i]) * (a->x[i] - b->x[i]);
    return sum;
}

static void choose_first(void)
{
    mean[0] = point[0];
    for (int n = 0; n < POINTS; n++)
        nearest[n] = distance(&point[n], &mean[0]);
    for (int c = 1; c < CLUSTERS; c++) {
        int far = 0;

        for (int n = 1; n < POINTS; n++)
            if (nearest[n] > nearest[far])
                far = n;
        mean[c] = point[far];
        for (int n = 0; n < POINTS; n++) {
            float d = distance(&point[n], &mean[c]);

            nearest[n] = d < nearest[n] ? d : nearest[n];
        }
    }
}

static int assign(void)
{
    int changed = 0;

    for (int n = 0; n < POINTS; n++) {
        uint8_t best = 0;
        float least = distance(&point[n], &mean[0]);

        for (int c = 1; c < CLUSTERS; c++) {
            float d = distance(&point[n], &mean[c]);

            if (d < least) {
                least = d;
                best = (uint8_t)c;
            }
        }
        changed += cluster[n] != best;
        cluster[n] = best;
    }
    return changed;
}

static void take_means(void)
{
    struct point sum[CLUSTERS] = {{{0.0f, 0.0f, 0.0f}}};
    int count[CLUSTERS] = {0};

    for (int n = 0; n < POINTS; n++) {
        count[cluster[n]]++;
        for (int i = 0; i < 3; i++)
            sum[cluster[n]].x[i] += point[n].x[i];
    }
    for (int c = 0; c < CLUSTERS; c++)
        for (int i = 0; i < 3; i++)
            if (count[c] > 0)
                mean[c].x[i] = sum[c].x[i] / (float)count[c];
}

static void sort_out(void)
{
    choose_first();
    for (rounds = 0; rounds < ROUNDS && assign() > 0; rounds++)
        take_means();
}

static int centre_of(int n)
{
    return n * 5 % CLUSTERS;
}

/* Centres at the corners of an octahedron, 14 apart; points within 1.5 of them in each direction. */
static void prepare(void)
{
    uint32_t noise = 655743u;

    for (int n = 0; n < POINTS; n++) {
        cluster[n] = CLUSTERS;
        for (int i = 0; i < 3; i++) {
            float centre = centre_of(n) % 3 == i ? (centre_of(n) < 3 ? 10.0f : -10.0f) : 0.0f;

            point[n].x[i] = centre + 1.5f * (float)noise_unit(&noise);
        }
    }
    SHIM_KEEP(point);
    SHIM_KEEP(cluster);
}

/* Points of a centre are at most 3 sqrt 3 = 5.2 apart, those of two centres at least 7 sqrt 2 = 9.9: the farthest
 * point always belongs to a centre that has no mean yet, and each point's own mean is the nearest. */
int main(void)
{
    int of_centre[CLUSTERS], wrong = 0;

    prepare();
    shim_region_begin("kmeans");
    sort_out();
    SHIM_KEEP(cluster);
    SHIM_KEEP(mean);
    shim_region_end("kmeans");
    for (int n = 0; n < CLUSTERS; n++)
        of_centre[centre_of(n)] = cluster[n];
    for (int n = 0; n < POINTS; n++)
        wrong += cluster[n] != of_centre[centre_of(n)];
    for (int a = 0; a < CLUSTERS; a++)
        for (int b = 0; b < a; b++)
            wrong += of_centre[a] == of_centre[b];
    return sample_verdict_int("points in wrong clusters", wrong, 0);
}
