/*
 * ray_spheres - a picture of 40 x 30 points of five balls above a plane: rays that meet them, shadows, one reflection;
 * single precision with the square root of the library.
 *
 * The truth: the same in double precision agrees but for points at the borders of balls and shadows.
 *
 * Work: 1200 rays, each with five balls of at least 8 operations: 1200 * 5 * 8 = 48000; 16 balls at once: 3000.
 */
#include "judge.h"

#define WIDE  40
#define HIGH  30
#define BALLS 5

#define TRACER(REAL, NAME, ROOT, FLOOR)                                                                                \
    struct NAME##_vector {                                                                                             \
        REAL x, y, z;                                                                                                  \
    };                                                                                                                 \
    typedef REAL NAME##_real;                                                                                          \
    static REAL NAME##_dot(struct NAME##_vector a, struct NAME##_vector b)                                             \
    {                                                                                                                  \
        return a.x * b.x + a.y * b.y + a.z * b.z;                                                                      \
    }                                                                                                                  \
    static struct NAME##_vector NAME##_along(struct NAME##_vector a, REAL t, struct NAME##_vector b)                   \
    {                                                                                                                  \
        return (struct NAME##_vector){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};                                    \
    }                                                                                                                  \
    static int NAME##_nearest(struct NAME##_vector o, struct NAME##_vector d, NAME##_real *t)                          \
    {                                                                                                                  \
        int hit = -1;                                                                                                  \
        for (int i = 0; i < BALLS; i++) {                                                                              \
            struct NAME##_vector c = {(REAL)balls[i].x, (REAL)balls[i].y, (REAL)balls[i].z};                           \
            struct NAME##_vector l = NAME##_along(c, -1, o);                                                           \
            REAL b = NAME##_dot(l, d), q = b * b - NAME##_dot(l, l) + (REAL)balls[i].r * (REAL)balls[i].r;             \
            if (q < 0)                                                                                                 \
                continue;                                                                                              \
            q = b - ROOT(q);                                                                                           \
            if (q > (REAL)1e-3 && q < *t) {                                                                            \
                *t = q;                                                                                                \
                hit = i;                                                                                               \
            }                                                                                                          \
        }                                                                                                              \
        if (d.y < (REAL)-1e-4 && -o.y / d.y > (REAL)1e-3 && -o.y / d.y < *t) {                                         \
            *t = -o.y / d.y;                                                                                           \
            hit = BALLS;                                                                                               \
        }                                                                                                              \
        return hit;                                                                                                    \
    }                                                                                                                  \
    static REAL NAME##_shade(struct NAME##_vector o, struct NAME##_vector d, int depth)                                \
    {                                                                                                                  \
        static const struct NAME##_vector light = {(REAL)0.6, (REAL)0.64, (REAL)-0.48};                                \
        REAL t = (REAL)1e6, lit, colour, far = (REAL)1e6;                                                              \
        int hit = NAME##_nearest(o, d, &t);                                                                            \
        if (hit < 0)                                                                                                   \
            return (REAL)0.2 + (REAL)0.3 * d.y;                                                                        \
        struct NAME##_vector p = NAME##_along(o, t, d), n = {0, 1, 0};                                                 \
        colour = (REAL)0.5;                                                                                            \
        if (hit < BALLS) {                                                                                             \
            n = (struct NAME##_vector){(p.x - (REAL)balls[hit].x) / (REAL)balls[hit].r,                                \
                                       (p.y - (REAL)balls[hit].y) / (REAL)balls[hit].r,                                \
                                       (p.z - (REAL)balls[hit].z) / (REAL)balls[hit].r};                               \
            colour = (REAL)(0.4 + 0.1 * hit);                                                                          \
        } else if (((int)FLOOR(p.x) ^ (int)FLOOR(p.z)) & 1)                                                            \
            colour = (REAL)0.9;                                                                                        \
        lit = NAME##_dot(n, light);                                                                                    \
        if (lit < 0 || NAME##_nearest(NAME##_along(p, (REAL)0.01, n), light, &far) >= 0)                               \
            lit = 0;                                                                                                   \
        colour *= (REAL)0.2 + (REAL)0.8 * lit;                                                                         \
        if (hit < BALLS && depth)                                                                                      \
            colour += (REAL)0.3 * NAME##_shade(NAME##_along(p, (REAL)0.01, n),                                         \
                                               NAME##_along(d, -2 * NAME##_dot(n, d), n), depth - 1);                  \
        return colour;                                                                                                 \
    }                                                                                                                  \
    static REAL NAME##_point(int x, int y)                                                                             \
    {                                                                                                                  \
        struct NAME##_vector d = {(REAL)(x - WIDE / 2) / WIDE, (REAL)(HIGH / 2 - y) / WIDE, 1},                        \
                             eye = {(REAL)0.0137, 1, (REAL)-4.0371};                                                   \
        REAL length = ROOT(NAME##_dot(d, d));                                                                          \
        d = (struct NAME##_vector){d.x / length, d.y / length, d.z / length};                                          \
        return NAME##_shade(eye, d, 1);                                                                                \
    }

static struct {
    float x, y, z, r;
} balls[BALLS];
static float picture[HIGH][WIDE];

TRACER(float, single, sqrtf, floorf)
TRACER(double, twice, sqrt, floor)

int main(void)
{
    int wrong = 0;
    float brightest = 0;

    for (int i = 0; i < BALLS; i++) {
        balls[i].x = -1.8F + 0.9F * (float)i;
        balls[i].r = 0.4F + 0.05F * (float)i;
        balls[i].y = balls[i].r + 0.1F * (float)(i & 1);
        balls[i].z = 1.0F + 0.7F * (float)(i * 3 % 5);
    }
    SHIM_KEEP(balls);
    shim_region_begin("ray_spheres");
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            picture[y][x] = single_point(x, y);
    SHIM_KEEP(picture);
    shim_region_end("ray_spheres");
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            wrong += !(fabs(picture[y][x] - twice_point(x, y)) < 2e-3);
            brightest = fmaxf(brightest, picture[y][x]);
        }
    return sample_verdict_int("whether points that differ are few", wrong <= WIDE * HIGH / 50, 1) |
           sample_verdict_int("whether there is light", brightest > 0.6F && brightest < 2.0F, 1);
}
