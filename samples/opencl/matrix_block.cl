/* Matrix product, c = a b, a work-item a block of 4 by 4 elements in vectors; with local memory: the rows of a in it. */
#define GROUP 4

__kernel void matrix_block_global(__global const float4 *a, __global const float4 *b, __global float4 *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1), w = n / 4;
    float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int k = 0; k < w; k++) {
        float4 a0 = a[(4 * y) * w + k], a1 = a[(4 * y + 1) * w + k], a2 = a[(4 * y + 2) * w + k], a3 = a[(4 * y + 3) * w + k];
        float4 b0 = b[(4 * k) * w + x], b1 = b[(4 * k + 1) * w + x], b2 = b[(4 * k + 2) * w + x], b3 = b[(4 * k + 3) * w + x];
        s0 += a0.x * b0 + a0.y * b1 + a0.z * b2 + a0.w * b3;
        s1 += a1.x * b0 + a1.y * b1 + a1.z * b2 + a1.w * b3;
        s2 += a2.x * b0 + a2.y * b1 + a2.z * b2 + a2.w * b3;
        s3 += a3.x * b0 + a3.y * b1 + a3.z * b2 + a3.w * b3;
    }
    c[(4 * y) * w + x] = s0;
    c[(4 * y + 1) * w + x] = s1;
    c[(4 * y + 2) * w + x] = s2;
    c[(4 * y + 3) * w + x] = s3;
}

__kernel void matrix_block_local(__global const float4 *a, __global const float4 *b, __global float4 *c, int n)
{
    __local float4 rows[4 * GROUP][GROUP];
    int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1), w = n / 4;
    float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int t = 0; t < w; t += GROUP) {
        for (int r = 0; r < 4; r++)
            rows[4 * j + r][i] = a[(4 * y + r) * w + t + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < GROUP; k++) {
            float4 a0 = rows[4 * j][k], a1 = rows[4 * j + 1][k], a2 = rows[4 * j + 2][k], a3 = rows[4 * j + 3][k];
            int row = 4 * (t + k);
            float4 b0 = b[row * w + x], b1 = b[(row + 1) * w + x], b2 = b[(row + 2) * w + x], b3 = b[(row + 3) * w + x];
            s0 += a0.x * b0 + a0.y * b1 + a0.z * b2 + a0.w * b3;
            s1 += a1.x * b0 + a1.y * b1 + a1.z * b2 + a1.w * b3;
            s2 += a2.x * b0 + a2.y * b1 + a2.z * b2 + a2.w * b3;
            s3 += a3.x * b0 + a3.y * b1 + a3.z * b2 + a3.w * b3;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[(4 * y) * w + x] = s0;
    c[(4 * y + 1) * w + x] = s1;
    c[(4 * y + 2) * w + x] = s2;
    c[(4 * y + 3) * w + x] = s3;
}
