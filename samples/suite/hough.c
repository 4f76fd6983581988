/*
 * hough - straight lines in a picture of edges: votes in 64 directions and 256 distances, then peaks; fixed point.
 *
 * Duda and Hart, "Use of the Hough Transformation to Detect Lines and Curves in Pictures", 1972. The truth: three lines
 * have been drawn, of known directions and distances, among noise.
 *
 * Work: 759 edge points, each with a load and a store of a count at a computed place in 64 directions: 759 * 64 * 2 =
 * 97152; scattered in 16 lanes 6072.
 */
#include "../sample.h"
#include "test_signal.h"

#define SIDE       128
#define DIRECTIONS 64
#define DISTANCES  256
#define LINES      3

struct line {
    int direction, distance; /* of 64 over half a turn; in steps of 2 points, 128 is zero */
    int votes;
};

static uint8_t edge[SIDE][SIDE];
static int16_t cosine[DIRECTIONS], sine[DIRECTIONS]; /* Q14 */
static uint16_t votes[DIRECTIONS][DISTANCES];
static struct line found[LINES];

static int distance_of(int y, int x, int direction)
{
    return DISTANCES / 2 + ((x * cosine[direction] + y * sine[direction] + (1 << 14)) >> 15);
}

static void vote(void)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            if (!edge[y][x])
                continue;
            for (int d = 0; d < DIRECTIONS; d++)
                votes[d][distance_of(y, x, d)]++;
        }
}

static struct line strongest(void)
{
    struct line best = {0, 0, -1};

    for (int d = 0; d < DIRECTIONS; d++)
        for (int r = 0; r < DISTANCES; r++)
            if (votes[d][r] > best.votes)
                best = (struct line){d, r, votes[d][r]};
    return best;
}

/* Takes the votes around a peak away. */
static void suppress(const struct line *l)
{
    for (int d = l->direction - 6; d <= l->direction + 6; d++)
        for (int r = l->distance - 12; r <= l->distance + 12; r++)
            if (r >= 0 && r < DISTANCES)
                votes[(d + DIRECTIONS) % DIRECTIONS][r] = 0;
}

static void detect(void)
{
    vote();
    for (int i = 0; i < LINES; i++) {
        found[i] = strongest();
        suppress(&found[i]);
    }
}

static const struct line drawn[LINES] = {{10, 128 + 40, 0}, {24, 128 + 30, 0}, {40, 128 + 22, 0}};

/* All points nearer than 1/2 to one of the lines, and noise. */
static void prepare(void)
{
    uint32_t noise = 447213u;

    memset(votes, 0, sizeof votes);
    for (int d = 0; d < DIRECTIONS; d++) {
        cosine[d] = (int16_t)(16384.0 * cosine_of(d * TEST_SIGNAL_PI / DIRECTIONS));
        sine[d] = (int16_t)(16384.0 * sine_of(d * TEST_SIGNAL_PI / DIRECTIONS));
    }
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            edge[y][x] = noise_next(&noise) % 50 == 0;
            for (int i = 0; i < LINES; i++) {
                double angle = drawn[i].direction * TEST_SIGNAL_PI / DIRECTIONS;
                double off = x * cosine_of(angle) + y * sine_of(angle) - 2.0 * (drawn[i].distance - 128);

                edge[y][x] |= fabs(off) < 0.5;
            }
        }
    SHIM_KEEP(edge);
    SHIM_KEEP(cosine);
    SHIM_KEEP(sine);
    SHIM_KEEP(votes);
}

static int is_found(const struct line *l)
{
    for (int i = 0; i < LINES; i++)
        if (abs(found[i].direction - l->direction) <= 1 && abs(found[i].distance - l->distance) <= 2)
            return 1;
    return 0;
}

int main(void)
{
    int count = 0;

    prepare();
    shim_region_begin("hough");
    detect();
    SHIM_KEEP(found);
    shim_region_end("hough");
    for (int i = 0; i < LINES; i++)
        count += is_found(&drawn[i]);
    return sample_verdict_int("lines found", count, LINES);
}
