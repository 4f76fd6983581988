/*
 * compressor - dynamic range compression of two channels: envelope, gain in octaves, smoothing; single precision.
 *
 * Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor Design", 2012: above the threshold a factor of r in
 * level becomes r^(1/4). Logarithm and power of 2 by exponent field and polynomial. The truth: square waves of known
 * levels; when the envelope has settled, the output's level is the static curve's.
 *
 * Work: each of the 12000 samples depends on the envelope before it: comparison, product, 2 sums, and the gain's 2
 * polynomials at a product and a sum for each of their 5 degrees: 12000 * 24 = 288000. The channels, and the
 * polynomials of several samples, may share 16 lanes: the envelope alone is in order, 12000 * 4 / 2 = 24000.
 */
#include "../sample.h"
#include "test_signal.h"

#define SAMPLES   6000
#define LEVELS    6
#define CHANNELS  2
#define THRESHOLD (-3.0f) /* octaves below full scale */
#define RATIO     4.0f
#define ATTACK    0.05f
#define RELEASE   0.01f

struct channel {
    float envelope;
    float in[SAMPLES], out[SAMPLES];
};

union bits {
    float value;
    uint32_t word;
};

static struct channel channels[CHANNELS];

/* log2 of x > 0: the exponent, and log2(1 + m) of degree 5, least squares on Chebyshev points; error below 2e-5. */
static float log2_of(float x)
{
    union bits b = {x};
    int exponent = (int)(b.word >> 23) - 127;
    float m, p;

    b.word = (b.word & 0x007fffffu) | 0x3f800000u;
    m = b.value - 1.0f;
    p = 0.0452683f;
    p = p * m - 0.1935165f;
    p = p * m + 0.4152456f;
    p = p * m - 0.7088652f;
    p = p * m + 1.4418799f;
    return (float)exponent + p * m;
}

/* 2^x for -126 < x <= 0: Taylor's series about the middle of the fraction. */
static float power_of_2(float x)
{
    int whole = (int)x - 1;
    float t = (x - (float)whole - 0.5f) * 0.69314718f;
    float p = 1.0f + t * (1.0f + t * (0.5f + t * (0.16666667f + t * (0.041666667f + t * 0.0083333333f))));
    union bits scale = {.word = (uint32_t)(whole + 127) << 23};

    return scale.value * 1.41421356f * p;
}

static float gain_of(float envelope)
{
    float over = log2_of(envelope) - THRESHOLD;

    return over <= 0.0f ? 1.0f : power_of_2(over * (1.0f / RATIO - 1.0f));
}

static void compress(struct channel *c)
{
    for (int n = 0; n < SAMPLES; n++) {
        float level = c->in[n] < 0.0f ? -c->in[n] : c->in[n];
        float speed = level > c->envelope ? ATTACK : RELEASE;

        c->envelope += speed * (level - c->envelope);
        c->out[n] = c->in[n] * gain_of(c->envelope);
    }
}

static void compress_all(void)
{
    for (int i = 0; i < CHANNELS; i++)
        compress(&channels[i]);
}

/* Levels 1/2, 1/4 ... 1/64, the second channel in reverse order: steps up are attacks, steps down releases. */
static int octaves_of(int channel, int part)
{
    return -(channel == 0 ? part : LEVELS - 1 - part) - 1;
}

static void prepare(void)
{
    for (int i = 0; i < CHANNELS; i++) {
        channels[i].envelope = 0.001f;
        for (int n = 0; n < SAMPLES; n++) {
            float level = 1.0f / (float)(1 << -octaves_of(i, n / (SAMPLES / LEVELS)));

            channels[i].in[n] = n / 25 % 2 ? -level : level;
        }
    }
    SHIM_KEEP(channels);
}

/* A part lasts 1000 samples: of the step at its beginning 0.99^999 = 4e-5 is left, of a level at most doubled. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("compressor");
    compress_all();
    SHIM_KEEP(channels);
    shim_region_end("compressor");
    for (int i = 0; i < CHANNELS; i++)
        for (int part = 0; part < LEVELS; part++) {
            double octaves = octaves_of(i, part), expected;
            double got = fabs((double)channels[i].out[(part + 1) * (SAMPLES / LEVELS) - 1]);

            if (octaves > THRESHOLD)
                octaves = THRESHOLD + (octaves - THRESHOLD) / RATIO;
            expected = exp2(octaves);
            worst = worse_of(worst, fabs(got / expected - 1.0));
        }
    return sample_verdict_real("worst level, relative", worst, 0.0, 5e-4);
}
