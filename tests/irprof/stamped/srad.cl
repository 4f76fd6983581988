/* SRAD (Yu, Acton, Speckle reducing anisotropic diffusion, 2002): the diffusion coefficients of a picture of 32 by 32, its
 * border mirrored. Nine stamps, one behind each step. */
#include "points.h"
#define N 32
#define G 8
#define Q0 0.05f

__attribute__((reqd_work_group_size(G, G, 1)))
__kernel void srad(__global const float *restrict picture, __global float *restrict coefficients, __global float *restrict differences STAMP_PARAMETERS)
{
    STAMP_BEGIN
    int x = G * get_group_id(0) + get_local_id(0), y = G * get_group_id(1) + get_local_id(1), at = y * N + x;
    float here = picture[at];
    stamp_point(0);
    float north = picture[at - (y > 0 ? N : 0)] - here;
    differences[at] = north;
    stamp_point(1);
    float south = picture[at + (y < N - 1 ? N : 0)] - here;
    differences[at + N * N] = south;
    stamp_point(2);
    float west = picture[at - (x > 0)] - here;
    differences[at + 2 * N * N] = west;
    stamp_point(3);
    float east = picture[at + (x < N - 1)] - here;
    differences[at + 3 * N * N] = east;
    stamp_point(4);
    float g2 = (north * north + south * south + west * west + east * east) / (here * here);
    stamp_point(5);
    float l = (north + south + west + east) / here;
    stamp_point(6);
    float num = 0.5f * g2 - 0.0625f * (l * l), den = 1 + 0.25f * l, q = num / (den * den);
    stamp_point(7);
    float c = 1 / (1 + (q - Q0) / (Q0 * (1 + Q0)));
    c = c < 0 ? 0 : c > 1 ? 1 : c;
    stamp_point(8);
    stamp_result(9);
    coefficients[at] = STAMP_RESULT(c);
    STAMP_END
}
