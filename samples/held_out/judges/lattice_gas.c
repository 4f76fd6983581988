/*
 * lattice_gas - flow in a channel of 32 x 24 points by the lattice Boltzmann method with nine speeds, 12 steps between
 * two fields of 27 KB each, walls that bounce, a force along; single precision.
 *
 * Chen and Doolen, 1998. The truth: mass is kept, each step adds the force's momentum less what walls take, and the
 * profile is symmetric and highest in the middle.
 *
 * Work: 12 steps of 32 * 22 points, each with 9 loads, stores and at least 40 operations: 12 * 704 * 58 = 489984; 16 at
 * once: 30624.
 */
#include "judge.h"

#define WIDE  32
#define HIGH  24
#define STEPS 12
#define Q     9

static const int8_t go_x[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, go_y[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const uint8_t opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const float weight[Q] = {4.0F / 9,  1.0F / 9,  1.0F / 9,  1.0F / 9, 1.0F / 9,
                                1.0F / 36, 1.0F / 36, 1.0F / 36, 1.0F / 36};
static float fields[2][HIGH][WIDE][Q], force = 1e-3F;

static void collide(const float *in, float *out)
{
    float rho = 0, ux = 0, uy = 0, square;

    for (int q = 0; q < Q; q++) {
        rho += in[q];
        ux += in[q] * go_x[q];
        uy += in[q] * go_y[q];
    }
    ux /= rho;
    uy /= rho;
    square = 1.5F * (ux * ux + uy * uy);
    for (int q = 0; q < Q; q++) {
        float along = 3 * (go_x[q] * ux + go_y[q] * uy);
        float rest = weight[q] * rho * (1 + along + 0.5F * along * along - square);

        out[q] = in[q] + 0.8F * (rest - in[q]) + 3 * weight[q] * go_x[q] * force;
    }
}
static void step(float (*from)[WIDE][Q], float (*to)[WIDE][Q])
{
    for (int y = 1; y < HIGH - 1; y++)
        for (int x = 0; x < WIDE; x++) {
            float after[Q];

            collide(from[y][x], after);
            for (int q = 0; q < Q; q++) {
                int u = (x + go_x[q] + WIDE) % WIDE, v = y + go_y[q];

                if (v == 0 || v == HIGH - 1)
                    to[y][x][opposite[q]] = after[q];
                else
                    to[v][u][q] = after[q];
            }
        }
}

int main(void)
{
    double mass = 0, speeds[HIGH] = {0}, uneven = 0;

    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            for (int q = 0; q < Q; q++)
                fields[0][y][x][q] = fields[1][y][x][q] = weight[q];
    SHIM_KEEP(fields);
    SHIM_KEEP(&force);
    shim_region_begin("lattice_gas");
    for (int t = 0; t < STEPS; t++)
        step(fields[t & 1], fields[~t & 1]);
    SHIM_KEEP(fields);
    shim_region_end("lattice_gas");
    for (int y = 1; y < HIGH - 1; y++)
        for (int x = 0; x < WIDE; x++)
            for (int q = 0; q < Q; q++) {
                mass += fields[STEPS & 1][y][x][q];
                speeds[y] += fields[STEPS & 1][y][x][q] * go_x[q] / WIDE;
            }
    for (int y = 1; y < HIGH - 1; y++)
        uneven = fmax(uneven, fabs(speeds[y] - speeds[HIGH - 1 - y]));
    return sample_verdict_real("mass", mass / (WIDE * (HIGH - 2)), 1, 1e-4) |
           sample_verdict_real("symmetry", uneven, 0, 1e-5) |
           sample_verdict_real("the middle, that walls have not reached", speeds[HIGH / 2], STEPS * 1e-3, 2e-4) |
           sample_verdict_int("whether walls slow it", speeds[1] < 0.6 * speeds[HIGH / 2] && speeds[1] > 0, 1);
}
