/* Matrix product, c = a b, a work-item an element; with local memory: tiles of both in it. Work-groups of 8 by 8. */
#define TILE 8

__kernel void matrix_tile_global(__global const float *a, __global const float *b, __global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum = mad(a[y * n + k], b[k * n + x], sum);
    c[y * n + x] = sum;
}

__kernel void matrix_tile_local(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float ta[TILE][TILE], tb[TILE][TILE];
    int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        ta[j][i] = a[y * n + t + i];
        tb[j][i] = b[(t + j) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum = mad(ta[j][k], tb[k][i], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
