/* Fast Walsh transform of rows of 256 in local memory: 8 steps, a stamp for each. */
#include "points.h"
#define ROW 256

__attribute__((reqd_work_group_size(ROW / 2, 1, 1)))
__kernel void walsh(__global const float *restrict in, __global float *restrict out STAMP_PARAMETERS)
{
    STAMP_BEGIN
    __local float v[ROW];
    int i = get_local_id(0), row = ROW * get_group_id(0);
    v[i] = in[row + i];
    v[i + ROW / 2] = in[row + i + ROW / 2];
    for (int h = 1; h < ROW; h *= 2) {
        int at = 2 * (i & ~(h - 1)) + (i & (h - 1));
        barrier(CLK_LOCAL_MEM_FENCE);
        float p = v[at], q = v[at + h];
        v[at] = p + q;
        v[at + h] = p - q;
        stamp_point(0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float p = v[i], q = v[i + ROW / 2];
    stamp_result(1);
    out[row + i] = STAMP_RESULT(p);
    out[row + i + ROW / 2] = q;
    STAMP_END
}
