/* Loops that become vectors at -O2 and -O3: sums, minima, conversions, selections, strides, shuffles. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N 173

static int32_t a[N], b[N];
static uint8_t bytes[4 * N];
static int16_t halves[2 * N];
static float f[N], g[N];
static double d[N];
static uint64_t u[N];

__attribute__((noinline)) static void fill(void)
{
    uint32_t x = 12345;
    for (int i = 0; i < N; i++) {
        x = x * 1664525 + 1013904223;
        a[i] = (int32_t)x >> 8;
        b[i] = (int32_t)(x * 31) >> 20;
        f[i] = (float)(x >> 12) / 64;
        u[i] = (uint64_t)x * x;
    }
}
__attribute__((noinline)) static void maps(void)
{
    for (int i = 0; i < N; i++)
        a[i] = a[i] > b[i] ? a[i] - b[i] : a[i] * 3 + (b[i] >> 2);
    for (int i = 0; i < N; i++)
        g[i] = f[i] * 1.25f + sqrtf(f[i]);
    for (int i = 0; i < N; i++)
        d[i] = f[i] < 1000 ? fabs((double)a[i]) : (double)g[i] / 3;
    for (int i = 0; i < 4 * N; i++)
        bytes[i] = (uint8_t)(bytes[i] ^ (i * 7));
    for (int i = 0; i < N; i++)
        halves[2 * i + 1] = (int16_t)(halves[2 * i] + b[i]);
    for (int i = 0; i < N; i++)
        u[i] = (u[i] << (i & 7)) + (u[i] >> 32);
    for (int i = 0; i < N; i++)
        b[i] = (int32_t)g[N - 1 - i] + abs(a[i]);
}
__attribute__((noinline)) static void sums(void)
{
    int64_t sum = 0, count = 0;
    int32_t least = INT32_MAX, most = INT32_MIN, all = 0, any = 0;
    uint32_t bits = 0, checksum = 0;
    double total = 0;
    float product = 1;
    for (int i = 0; i < N; i++) {
        sum += a[i];
        least = a[i] < least ? a[i] : least;
        most = b[i] > most ? b[i] : most;
        all ^= b[i];
        any |= a[i];
        count += a[i] % 2 == 0;
        bits += (uint32_t)__builtin_popcountll(u[i]);
    }
    for (int i = 0; i < 4 * N; i++)
        checksum += bytes[i];
    for (int i = 0; i < N; i++)
        total += d[i];
    for (int i = 0; i < N; i += 3)
        product *= 1 + f[i] / 1e6f;
    printf("%lld %lld %d %d %d %d %u %u %.17g %.9g\n", (long long)sum, (long long)count, least, most, all, any, bits,
           checksum, total, (double)product);
}

typedef int32_t v4 __attribute__((vector_size(16)));
__attribute__((noinline)) static v4 explicit_vectors(v4 x, v4 y, int at)
{
    v4 r = __builtin_shufflevector(x, y, 0, 5, 2, 7);
    r[at & 3] += x[(at + 1) & 3];
    r = ((x > y) & r) | (~(x > y) & ~r);
    return (r << 1) / 3 +
           __builtin_convertvector(__builtin_convertvector(y, __attribute__((vector_size(16))) float), v4);
}

int main(void)
{
    v4 v = {1, -2, 3, -4}, w = {7, 6, -5, 4};
    fill();
    for (int i = 0; i < 4; i++) {
        maps();
        sums();
        v = explicit_vectors(v, w, i);
        printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]);
    }
    return 0;
}
