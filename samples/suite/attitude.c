/*
 * attitude - which way is up: a complementary filter on quaternions from rate gyros and accelerometers, single
 * precision.
 *
 * Mahony, Hamel and Pflimlin, "Nonlinear Complementary Filters on the Special Orthogonal Group", 2008: the cross
 * product of measured and expected gravity corrects the rates. Normalised by Newton's steps for 1 / sqrt, which start
 * at 1, as the quaternion stays near length 1. The body stands still, tilted by a known rotation; the filter starts
 * level and must find it.
 *
 * Work: 2000 steps that follow each other; the quaternion's four numbers may share a vector. A step needs at the least
 * the expected gravity (2 vector operations), the cross product (3), the rates (2), the quaternion's derivative (7),
 * its sum (1), the length (4) and the normalisation (5): 24 * 2000 = 48000.
 */
#include "../sample.h"
#include "test_signal.h"

#define STEPS  2000
#define PERIOD 0.01f

struct vector3 {
    float x, y, z;
};

struct quaternion {
    float w, x, y, z;
};

static struct vector3 rate[STEPS], acceleration[STEPS];
static struct quaternion attitude;
static float gain;

/* Gravity as the body sees it: the third row of the rotation. */
static struct vector3 expected_gravity(struct quaternion q)
{
    return (struct vector3){2.0f * (q.x * q.z - q.w * q.y), 2.0f * (q.w * q.x + q.y * q.z),
                            q.w * q.w - q.x * q.x - q.y * q.y + q.z * q.z};
}

static struct vector3 cross(struct vector3 a, struct vector3 b)
{
    return (struct vector3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* q + q (0, r) h / 2. */
static struct quaternion integrate(struct quaternion q, struct vector3 r, float h)
{
    float k = 0.5f * h;

    return (struct quaternion){
        q.w - k * (q.x * r.x + q.y * r.y + q.z * r.z), q.x + k * (q.w * r.x + q.y * r.z - q.z * r.y),
        q.y + k * (q.w * r.y - q.x * r.z + q.z * r.x), q.z + k * (q.w * r.z + q.x * r.y - q.y * r.x)};
}

static struct quaternion normalise(struct quaternion q)
{
    float square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    float scale = 1.5f - 0.5f * square;

    scale *= 1.5f - 0.5f * square * scale * scale;
    return (struct quaternion){q.w * scale, q.x * scale, q.y * scale, q.z * scale};
}

static void filter(void)
{
    for (int t = 0; t < STEPS; t++) {
        struct vector3 error = cross(acceleration[t], expected_gravity(attitude));
        struct vector3 r = {rate[t].x + gain * error.x, rate[t].y + gain * error.y, rate[t].z + gain * error.z};

        attitude = normalise(integrate(attitude, r, PERIOD));
    }
}

/* Up, seen from a body rolled by 0.6 and pitched by 0.3; with noise on both sensors. */
static const double up_x = -0.29552020666133955, up_y = 0.53942, up_z = 0.78846;

static void prepare(void)
{
    uint32_t noise = 1597334677u;

    attitude = (struct quaternion){1.0f, 0.0f, 0.0f, 0.0f};
    gain = 1.0f;
    for (int t = 0; t < STEPS; t++) {
        rate[t] = (struct vector3){(float)(0.01 * noise_unit(&noise)), (float)(0.01 * noise_unit(&noise)),
                                   (float)(0.01 * noise_unit(&noise))};
        acceleration[t] =
            (struct vector3){(float)(up_x + 0.02 * noise_unit(&noise)), (float)(up_y + 0.02 * noise_unit(&noise)),
                             (float)(up_z + 0.02 * noise_unit(&noise))};
    }
    SHIM_KEEP(&attitude);
    SHIM_KEEP(&gain);
    SHIM_KEEP(rate);
    SHIM_KEEP(acceleration);
}

/* The error falls by exp(-20) in 20 seconds; noise of 0.03 at gain 1 leaves less than its own size. */
int main(void)
{
    struct vector3 up;
    float length;

    prepare();
    shim_region_begin("attitude");
    filter();
    SHIM_KEEP(&attitude);
    shim_region_end("attitude");
    up = expected_gravity(attitude);
    length = attitude.w * attitude.w + attitude.x * attitude.x + attitude.y * attitude.y + attitude.z * attitude.z;
    return sample_verdict_real("up x", up.x, up_x, 0.03) | sample_verdict_real("up y", up.y, up_y, 0.03) |
           sample_verdict_real("up z", up.z, up_z, 0.03) | sample_verdict_real("length", length, 1.0, 1e-5);
}
