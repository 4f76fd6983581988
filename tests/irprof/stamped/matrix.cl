/* Matrix product of 64 by 64, tiles of 4 by 4: 16 tiles, two stamps for each: 32 stamps a work-item. */
#include "points.h"
#define TILE 4
#define N 64

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
__kernel void matrix(__global const float *restrict a, __global const float *restrict b, __global float *restrict c STAMP_PARAMETERS)
{
    STAMP_BEGIN
    __local float ta[TILE][TILE], tb[TILE][TILE];
    int i = get_local_id(0), j = get_local_id(1);
    int x = TILE * get_group_id(0) + i, y = TILE * get_group_id(1) + j;
    float sum = 0;
    for (int t = 0; t < N; t += TILE) {
        stamp_point(0);
        ta[j][i] = a[y * N + t + i];
        tb[j][i] = b[(t + j) * N + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += ta[j][k] * tb[k][i];
        barrier(CLK_LOCAL_MEM_FENCE);
        stamp_point(1);
    }
    stamp_result(2);
    c[y * N + x] = STAMP_RESULT(sum);
    STAMP_END
}
