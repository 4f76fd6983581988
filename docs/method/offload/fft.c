/* fft.c - sixteen complex Fourier transforms of 4096 points, radix 2, in place. */
#include <stdio.h>
#define LOG 12
#define N   (1 << LOG)
static double re[N], im[N], wr[N / 2], wi[N / 2];
__attribute__((noinline)) static void twiddles(void)
{
    /* exp(-2 pi i k / N) by the recurrence of rotations */
    const double c = 0.99999882345170190993, s = 0.0015339801862847656;
    wr[0] = 1;
    for (int k = 1; k < N / 2; k++) {
        wr[k] = wr[k - 1] * c + wi[k - 1] * s;
        wi[k] = wi[k - 1] * c - wr[k - 1] * s;
    }
}
__attribute__((noinline)) static void reverse(void)
{
    for (int i = 0, j = 0; i < N; i++) {
        if (i < j) {
            double t = re[i];
            re[i] = re[j];
            re[j] = t;
            t = im[i];
            im[i] = im[j];
            im[j] = t;
        }
        int m = N >> 1;
        for (; m && (j & m); m >>= 1)
            j ^= m;
        j |= m;
    }
}
__attribute__((noinline)) static void butterflies(void)
{
    for (int half = 1; half < N; half *= 2)
        for (int i = 0; i < N; i += 2 * half)
            for (int k = 0; k < half; k++) {
                int w = k * (N / 2 / half), a = i + k, b = a + half;
                double xr = re[b] * wr[w] - im[b] * wi[w], xi = re[b] * wi[w] + im[b] * wr[w];
                re[b] = re[a] - xr;
                im[b] = im[a] - xi;
                re[a] += xr;
                im[a] += xi;
            }
}
__attribute__((noinline)) static void fft(void)
{
    reverse();
    butterflies();
}
int main(void)
{
    twiddles();
    for (int run = 0; run < 16; run++) {
        for (int i = 0; i < N; i++) {
            re[i] = (i * 37 + run) % 101;
            im[i] = 0;
        }
        fft();
    }
    printf("%g %g\n", re[1], im[1]);
    return 0;
}
