/*
 * nbody - six bodies under their own gravity, in lists of pointers, by the leapfrog; double precision.
 *
 * Verlet, "Computer Experiments on Classical Fluids", 1967. Forces by pairs through linked lists; the root is Newton's,
 * from the last distance of the pair. The truth: momentum and angular momentum are kept up to rounding, energy up to
 * what the step's square allows.
 *
 * Work: each of the 150 steps depends on the one before; 15 pairs of at least a division, 6 products, 9 sums:
 * 150 * 15 * 16 / 8 lanes = 4500.
 */
#include "../sample.h"

#define BODIES 6
#define PAIRS  (BODIES * (BODIES - 1) / 2)
#define STEPS  150
#define STEP   0.002

struct body {
    double x[3], v[3], force[3], mass;
    struct body *next;
};

struct pair {
    struct body *a, *b;
    double distance; /* of the last step: where Newton begins */
    struct pair *next;
};

struct figures {
    double momentum[3], turning[3], energy;
};

static struct body body[BODIES];
static struct pair pair[PAIRS];
static struct body *first_body;
static struct pair *first_pair;

static double root_near(double x, double guess)
{
    for (int n = 0; n < 4; n++)
        guess = 0.5 * (guess + x / guess);
    return guess;
}

static void attract(struct pair *p)
{
    double d[3], square = 0.0, factor;

    for (int i = 0; i < 3; i++) {
        d[i] = p->b->x[i] - p->a->x[i];
        square += d[i] * d[i];
    }
    p->distance = root_near(square, p->distance);
    factor = p->a->mass * p->b->mass / (square * p->distance);
    for (int i = 0; i < 3; i++) {
        p->a->force[i] += factor * d[i];
        p->b->force[i] -= factor * d[i];
    }
}

static void forces(void)
{
    for (struct body *b = first_body; b; b = b->next)
        b->force[0] = b->force[1] = b->force[2] = 0.0;
    for (struct pair *p = first_pair; p; p = p->next)
        attract(p);
}

static void kick(double time)
{
    for (struct body *b = first_body; b; b = b->next)
        for (int i = 0; i < 3; i++)
            b->v[i] += time * b->force[i] / b->mass;
}

static void drift(double time)
{
    for (struct body *b = first_body; b; b = b->next)
        for (int i = 0; i < 3; i++)
            b->x[i] += time * b->v[i];
}

static void simulate(void)
{
    forces();
    for (int n = 0; n < STEPS; n++) {
        kick(0.5 * STEP);
        drift(STEP);
        forces();
        kick(0.5 * STEP);
    }
}

/* A sun and five planets on tilted orbits, listed in an order that is not that of memory. */
static void prepare(void)
{
    int n = 0;

    first_body = 0;
    first_pair = 0;
    for (int k = 0; k < BODIES; k++) {
        struct body *b = &body[k * 5 % BODIES];
        double r = 1.0 + 0.6 * k, speed = sqrt(10.0 / r);

        *b =
            (struct body){.x = {r, 0.0, 0.1 * k}, .v = {0.0, k % 2 ? speed : 0.8 * speed, 0.2}, .mass = 0.01 * (k + 1)};
        if (k == 0)
            *b = (struct body){.mass = 10.0};
        if (k % 3 == 2) {
            b->x[1] = -b->x[0];
            b->v[0] = b->v[1];
            b->x[0] = b->v[1] = 0.0;
        }
        b->next = first_body;
        first_body = b;
        for (struct body *other = b->next; other; other = other->next, n++) {
            double square = 0.0;

            for (int i = 0; i < 3; i++)
                square += (b->x[i] - other->x[i]) * (b->x[i] - other->x[i]);
            pair[n] = (struct pair){b, other, sqrt(square), first_pair};
            first_pair = &pair[n];
        }
    }
    SHIM_KEEP(body);
    SHIM_KEEP(pair);
    SHIM_KEEP(&first_body);
    SHIM_KEEP(&first_pair);
}

static struct figures figures_of_now(void)
{
    struct figures f = {0};

    for (int k = 0; k < BODIES; k++) {
        const struct body *b = &body[k];

        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, m = (i + 2) % 3;

            f.momentum[i] += b->mass * b->v[i];
            f.turning[i] += b->mass * (b->x[j] * b->v[m] - b->x[m] * b->v[j]);
            f.energy += 0.5 * b->mass * b->v[i] * b->v[i];
        }
        for (int j = 0; j < k; j++) {
            double square = 0.0;

            for (int i = 0; i < 3; i++)
                square += (b->x[i] - body[j].x[i]) * (b->x[i] - body[j].x[i]);
            f.energy -= b->mass * body[j].mass / sqrt(square);
        }
    }
    return f;
}

int main(void)
{
    struct figures before, after;
    double worst = 0.0;

    prepare();
    before = figures_of_now();
    shim_region_begin("nbody");
    simulate();
    SHIM_KEEP(body);
    shim_region_end("nbody");
    after = figures_of_now();
    for (int i = 0; i < 3; i++) {
        double p = fabs(after.momentum[i] - before.momentum[i]), l = fabs(after.turning[i] - before.turning[i]);

        worst = p <= worst ? worst : p;
        worst = l <= worst ? worst : l;
    }
    return sample_verdict_real("momentum and angular momentum", worst, 0.0, 1e-12) |
           sample_verdict_real("energy, relative", after.energy / before.energy, 1.0, 1e-5);
}
