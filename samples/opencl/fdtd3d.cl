/* A step of finite differences in time in three dimensions, a star of radius 2. A work-item goes through z. The volume has a
 * border of 2 on all sides. With local memory: the plane at z in it. Work-groups of 8 by 8. */
#define R 2
#define G 8

__kernel void fdtd3d_global(__global const float *in, __global float *out, __global const float *c, int w, int h, int d)
{
    int x = get_global_id(0) + R, y = get_global_id(1) + R, W = w + 2 * R, plane = W * (h + 2 * R);
    for (int z = R; z < d + R; z++) {
        int at = z * plane + y * W + x;
        float v = c[0] * in[at];
        for (int r = 1; r <= R; r++)
            v += c[r] * (in[at - r] + in[at + r] + in[at - r * W] + in[at + r * W] + in[at - r * plane] + in[at + r * plane]);
        out[at] = v;
    }
}

__kernel void fdtd3d_local(__global const float *in, __global float *out, __global const float *c, int w, int h, int d)
{
    __local float tile[G + 2 * R][G + 2 * R];
    int x = get_global_id(0) + R, y = get_global_id(1) + R, W = w + 2 * R, plane = W * (h + 2 * R);
    int i = get_local_id(0) + R, j = get_local_id(1) + R;
    for (int z = R; z < d + R; z++) {
        int at = z * plane + y * W + x;
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[j][i] = in[at];
        if (j < 2 * R) {
            tile[j - R][i] = in[at - R * W];
            tile[j + G][i] = in[at + G * W];
        }
        if (i < 2 * R) {
            tile[j][i - R] = in[at - R];
            tile[j][i + G] = in[at + G];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        float v = c[0] * tile[j][i];
        for (int r = 1; r <= R; r++)
            v += c[r] * (tile[j][i - r] + tile[j][i + r] + tile[j - r][i] + tile[j + r][i] + in[at - r * plane] +
                         in[at + r * plane]);
        out[at] = v;
    }
}
