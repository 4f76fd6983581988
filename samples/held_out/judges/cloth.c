/*
 * cloth - a cloth of 16 x 16 points hung at two corners, 10 steps of Verlet's integration with 4 rounds of springs that
 * are brought to length; structures of float, square roots.
 *
 * Jakobsen, "Advanced Character Physics", 2001. The truth: no spring is longer than a tenth above its length in the end,
 * the two corners have not moved, and left and right hang alike to what the order of springs allows.
 *
 * Work: 10 steps of 4 rounds over 480 springs, each with 3 differences, 3 products, a root and a division: 10 * 4 * 480 *
 * 10 = 192000.
 */
#include "judge.h"

#define SIDE   16
#define STEPS  10
#define ROUNDS 4

struct point {
    float x, y, z;
};
struct particle {
    struct point at, before;
    float share; /* 0: does not move */
};
struct spring {
    uint16_t a, b;
    float length;
};

static struct particle particles[SIDE * SIDE];
static struct spring springs[2 * SIDE * (SIDE - 1)];
static unsigned n_springs;

static void move(struct particle *p)
{
    struct point old = p->at;

    if (p->share == 0.0F)
        return;
    p->at.x += (p->at.x - p->before.x) * 0.98F;
    p->at.y += (p->at.y - p->before.y) * 0.98F - 0.002F;
    p->at.z += (p->at.z - p->before.z) * 0.98F + 0.0004F;
    p->before = old;
}
static void tighten(const struct spring *s)
{
    struct particle *a = &particles[s->a], *b = &particles[s->b];
    struct point d = {b->at.x - a->at.x, b->at.y - a->at.y, b->at.z - a->at.z};
    float length = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z), shares = a->share + b->share, k;

    if (shares == 0.0F)
        return;
    k = (length - s->length) / (length * shares);
    a->at.x += d.x * k * a->share;
    a->at.y += d.y * k * a->share;
    a->at.z += d.z * k * a->share;
    b->at.x -= d.x * k * b->share;
    b->at.y -= d.y * k * b->share;
    b->at.z -= d.z * k * b->share;
}
static void run(void)
{
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < SIDE * SIDE; i++)
            move(&particles[i]);
        for (int r = 0; r < ROUNDS; r++)
            for (unsigned i = 0; i < n_springs; i++)
                tighten(&springs[i]);
    }
}

int main(void)
{
    double stretched = 0, uneven = 0, lowest = 0;

    n_springs = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            struct particle *p = &particles[y * SIDE + x];

            p->at = p->before = (struct point){0.1F * (float)x, 0, 0.1F * (float)y};
            p->share = y == 0 && (x == 0 || x == SIDE - 1) ? 0.0F : 1.0F;
            if (x)
                springs[n_springs++] = (struct spring){(uint16_t)(y * SIDE + x - 1), (uint16_t)(y * SIDE + x), 0.1F};
            if (y)
                springs[n_springs++] = (struct spring){(uint16_t)(y * SIDE + x - SIDE), (uint16_t)(y * SIDE + x), 0.1F};
        }
    SHIM_KEEP(particles);
    SHIM_KEEP(springs);
    SHIM_KEEP(&n_springs);
    shim_region_begin("cloth");
    run();
    SHIM_KEEP(particles);
    shim_region_end("cloth");
    for (unsigned i = 0; i < n_springs; i++) {
        struct point a = particles[springs[i].a].at, b = particles[springs[i].b].at;
        stretched = fmax(stretched, hypot(hypot((double)(a.x - b.x), (double)(a.y - b.y)), (double)(a.z - b.z)) /
                                        springs[i].length);
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        int mirror = i / SIDE * SIDE + SIDE - 1 - i % SIDE;
        uneven = fmax(uneven, fabs((double)(particles[i].at.y - particles[mirror].at.y)));
        lowest = fmin(lowest, particles[i].at.y);
    }
    return sample_verdict_int("whether springs hold", stretched < 1.25 && stretched > 1.0, 1) |
           sample_verdict_int("whether it falls", lowest < -0.05 && lowest > -0.2, 1) |
           sample_verdict_real("symmetry", uneven, 0, 0.02) |
           sample_verdict_real("corner", particles[SIDE - 1].at.x, 1.5, 1e-6);
}
