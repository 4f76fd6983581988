/*
 * quat_rotate - six vectors turned by a quaternion, in float: v + 2 w (q x v) + 2 q x (q x v).
 *
 * Truth: the quaternion is a quarter turn about z, which takes (x, y, z) to (-y, x, z).
 * Work: 6 vectors with two cross products of 6 multiplications each, in vectors of 16 lanes at most: 6.
 */
#include "../sample.h"

enum { N = 6 };
struct vector {
    float x, y, z;
};
static struct vector q, v[N], turned[N];
static float w;

static struct vector cross(struct vector a, struct vector b)
{
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static struct vector turn(struct vector a)
{
    struct vector t = cross(q, a), u;

    t = (struct vector){2 * t.x, 2 * t.y, 2 * t.z};
    u = cross(q, t);
    return (struct vector){a.x + w * t.x + u.x, a.y + w * t.y + u.y, a.z + w * t.z + u.z};
}

int main(void)
{
    int wrong = 0;

    w = 0.70710678F;
    q = (struct vector){0, 0, 0.70710678F};
    for (int i = 0; i < N; i++)
        v[i] = (struct vector){(float)i, (float)(2 - i), (float)(i * i)};
    SHIM_KEEP(&q);
    SHIM_KEEP(&w);
    SHIM_KEEP(v);
    shim_region_begin("quat_rotate");
    for (int i = 0; i < N; i++)
        turned[i] = turn(v[i]);
    SHIM_KEEP(turned);
    shim_region_end("quat_rotate");
    for (int i = 0; i < N; i++)
        wrong |= sample_verdict_real("x", turned[i].x, i - 2, 1e-5) | sample_verdict_real("y", turned[i].y, i, 1e-5) |
                 sample_verdict_real("z", turned[i].z, i * i, 1e-5);
    return wrong;
}
