/* Discrete cosine transform (DCT-II) of blocks of 8 by 8, t x t', t the matrix of the transform; a work-item an element.
 * With local memory x t' is kept there. */
__kernel void dct_global(__global const float *in, __global float *out, __global const float *t, int width)
{
    int x = get_global_id(0), y = get_global_id(1), u = x % 8, v = y % 8;
    __global const float *block = in + (y - v) * width + (x - u);
    float sum = 0;
    for (int i = 0; i < 8; i++) {
        float row = 0;
        for (int j = 0; j < 8; j++)
            row += block[i * width + j] * t[8 * u + j];
        sum += t[8 * v + i] * row;
    }
    out[y * width + x] = sum;
}

__kernel void dct_local(__global const float *in, __global float *out, __global const float *t, int width)
{
    __local float rows[64];
    int x = get_global_id(0), y = get_global_id(1), u = get_local_id(0), v = get_local_id(1);
    __global const float *block = in + (y - v) * width + (x - u);
    float row = 0, sum = 0;
    for (int j = 0; j < 8; j++)
        row += block[v * width + j] * t[8 * u + j];
    rows[8 * v + u] = row;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++)
        sum += t[8 * v + i] * rows[8 * i + u];
    out[y * width + x] = sum;
}

/* The matrix: t[u][j] = s(u) cos((2 j + 1) u pi / 16), s(0) = sqrt(1/8), s(u) = 1/2. */
__kernel void dct_matrix(__global float *t)
{
    int j = get_global_id(0), u = get_global_id(1);
    t[8 * u + j] = (u ? 0.5f : sqrt(0.125f)) * cos((2 * j + 1) * u * (3.14159265358979f / 16));
}
