/* Sobel's filter: the length of the gradient of 3 by 3 pixels; the picture has a border of 1. With local memory: the pixels
 * of a work-group in it. */
#define G 8

static uchar gradient(int a, int b, int c, int d, int f, int g, int h, int i)
{
    int gx = c + 2 * f + i - a - 2 * d - g, gy = g + 2 * h + i - a - 2 * b - c;
    return (uchar)min(sqrt((float)(gx * gx + gy * gy)) / 2, 255.0f);
}

__kernel void sobel_global(__global const uchar *in, __global uchar *out, int width)
{
    int x = get_global_id(0), y = get_global_id(1), W = width + 2;
    __global const uchar *p = in + y * W + x, *q = p + W, *r = q + W;
    out[y * width + x] = gradient(p[0], p[1], p[2], q[0], q[2], r[0], r[1], r[2]);
}

__kernel void sobel_local(__global const uchar *in, __global uchar *out, int width)
{
    __local uchar tile[(G + 2) * (G + 2)];
    int x = get_global_id(0), y = get_global_id(1), W = width + 2, i = get_local_id(0), j = get_local_id(1);
    int first = (y - j) * W + (x - i);
    for (int k = j * G + i; k < (G + 2) * (G + 2); k += G * G)
        tile[k] = in[first + k / (G + 2) * W + k % (G + 2)];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local const uchar *p = tile + j * (G + 2) + i, *q = p + G + 2, *r = q + G + 2;
    out[y * width + x] = gradient(p[0], p[1], p[2], q[0], q[2], r[0], r[1], r[2]);
}
