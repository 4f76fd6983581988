/* Haar's wavelet of rows of 128: sums and differences of pairs by 1/sqrt(2), again of the sums, down to one. A work-group
 * of 64 a row. With local memory the sums are kept there, without in a buffer. */
#define ROW 128
#define SCALE 0.70710678118654752f

__kernel void haar_global(__global const float *in, __global float *out, __global float *sums)
{
    int i = get_local_id(0), row = get_group_id(0) * ROW;
    float left = in[row + 2 * i], right = in[row + 2 * i + 1];
    for (int n = ROW / 2;; n /= 2) {
        if (i < n) {
            out[row + n + i] = (left - right) * SCALE;
            sums[row + i] = (left + right) * SCALE;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (n == 1)
            break;
        if (i < n / 2) {
            left = sums[row + 2 * i];
            right = sums[row + 2 * i + 1];
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (i == 0)
        out[row] = sums[row];
}

__kernel void haar_local(__global const float *in, __global float *out, __local float *sums)
{
    int i = get_local_id(0), row = get_group_id(0) * ROW;
    float left = in[row + 2 * i], right = in[row + 2 * i + 1];
    for (int n = ROW / 2;; n /= 2) {
        if (i < n) {
            out[row + n + i] = (left - right) * SCALE;
            sums[i] = (left + right) * SCALE;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (n == 1)
            break;
        if (i < n / 2) {
            left = sums[2 * i];
            right = sums[2 * i + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0)
        out[row] = sums[0];
}
