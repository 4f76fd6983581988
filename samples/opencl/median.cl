/* The median of 3 by 3 pixels; the picture has a border of 1. With local memory: the pixels of a work-group in it. */
#define G 8

/* Nineteen exchanges (Paeth, Median finding on a 3x3 grid, Graphics Gems, 1990). */
#define LESS(a, b)                                                                                                     \
    do {                                                                                                               \
        uint least = min(p[a], p[b]);                                                                                  \
        p[b] = max(p[a], p[b]);                                                                                        \
        p[a] = least;                                                                                                  \
    } while (0)

static uint middle(uint *p)
{
    LESS(1, 2); LESS(4, 5); LESS(7, 8); LESS(0, 1); LESS(3, 4); LESS(6, 7); LESS(1, 2); LESS(4, 5); LESS(7, 8);
    LESS(0, 3); LESS(5, 8); LESS(4, 7); LESS(3, 6); LESS(1, 4); LESS(2, 5); LESS(4, 7); LESS(4, 2); LESS(6, 4);
    LESS(4, 2);
    return p[4];
}

__kernel void median_global(__global const uchar *in, __global uchar *out, int width)
{
    int x = get_global_id(0), y = get_global_id(1), W = width + 2;
    uint p[9];
    for (int k = 0; k < 9; k++)
        p[k] = in[(y + k / 3) * W + x + k % 3];
    out[y * width + x] = (uchar)middle(p);
}

__kernel void median_local(__global const uchar *in, __global uchar *out, int width)
{
    __local uchar tile[(G + 2) * (G + 2)];
    int x = get_global_id(0), y = get_global_id(1), W = width + 2, i = get_local_id(0), j = get_local_id(1);
    int first = (y - j) * W + (x - i);
    uint p[9];
    for (int k = j * G + i; k < (G + 2) * (G + 2); k += G * G)
        tile[k] = in[first + k / (G + 2) * W + k % (G + 2)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 9; k++)
        p[k] = tile[(j + k / 3) * (G + 2) + i + k % 3];
    out[y * width + x] = (uchar)middle(p);
}
