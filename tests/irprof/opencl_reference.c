/*
 * The programs of samples/opencl in plain C, in double precision, to judge what irprof kernel makes of their kernels.
 *
 * The inputs are made here a second time, as docs/formats/launch.md says. Ways of calculating differ from the kernels' where there
 * is another one: the median by sorting, Haar's wavelet by recursion, AES's S-box by searching for inverses (and the cipher
 * is tried on the example of FIPS 197, appendix C.1).
 *
 *     opencl_reference PROGRAM FOLDER          compares the results in FOLDER; prints what differs; exit 1
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8192 };
static const double pi = 3.14159265358979323846;

static uint64_t next(uint64_t *state)
{
    return *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

/* random:SEED and uniform:SEED of float. */
static void fill(double *to, size_t n, uint64_t seed, int uniform)
{
    for (size_t i = 0; i < n; i++) {
        double x = (double)(next(&seed) >> 40);
        to[i] = uniform ? x / 16777216 : x / 8388608 - 1;
    }
}

static void fill_bytes(uint8_t *to, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)(next(&seed) >> 56);
}

static double a[MOST], b[MOST], expected[MOST];
static uint8_t bytes[MOST];
static size_t n_expected;
static int whole; /* results are bytes */

static void matrix(void)
{
    fill(a, 1024, 1, 0);
    fill(b, 1024, 2, 0);
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++)
            for (int k = 0; k < 32; k++)
                expected[32 * y + x] += a[32 * y + k] * b[32 * k + x];
    n_expected = 1024;
}

static void dct(void)
{
    fill(a, 1024, 3, 0);
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++) {
            int u = x % 8, v = y % 8;
            double sum = 0;
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++)
                    sum += a[32 * (y - v + i) + x - u + j] * cos((2 * j + 1) * u * pi / 16) *
                           cos((2 * i + 1) * v * pi / 16);
            expected[32 * y + x] = sum * (u ? 0.5 : sqrt(0.125)) * (v ? 0.5 : sqrt(0.125));
        }
    n_expected = 1024;
}

static void haar_of(double *x, int n)
{
    double low[64], high[64];
    if (n == 1)
        return;
    for (int i = 0; i < n / 2; i++) {
        low[i] = (x[2 * i] + x[2 * i + 1]) / sqrt(2);
        high[i] = (x[2 * i] - x[2 * i + 1]) / sqrt(2);
    }
    memcpy(x, low, sizeof *x * (size_t)n / 2);
    memcpy(x + n / 2, high, sizeof *x * (size_t)n / 2);
    haar_of(x, n / 2);
}

static void haar(void)
{
    fill(expected, 1024, 4, 0);
    for (int row = 0; row < 8; row++)
        haar_of(expected + 128 * row, 128);
    n_expected = 1024;
}

static void nbody(void)
{
    fill(a, 512, 5, 1);
    for (int i = 0; i < 128; i++)
        for (int k = 0; k < 128; k++) {
            double d[3], r2 = (double)0.01f;
            for (int c = 0; c < 3; c++) {
                d[c] = a[4 * k + c] - a[4 * i + c];
                r2 += d[c] * d[c];
            }
            for (int c = 0; c < 3; c++)
                expected[4 * i + c] += d[c] * a[4 * k + 3] / pow(r2, 1.5);
        }
    n_expected = 512;
}

static void fdtd3d(void)
{
    fill(a, 4800, 6, 0);
    fill(b, 3, 7, 1);
    for (int z = 2; z < 10; z++)
        for (int y = 2; y < 18; y++)
            for (int x = 2; x < 18; x++) {
                double sum = b[0] * a[z * 400 + y * 20 + x];
                for (int r = 1; r <= 2; r++) {
                    sum += b[r] * (a[z * 400 + y * 20 + x - r] + a[z * 400 + y * 20 + x + r]);
                    sum += b[r] * (a[z * 400 + (y - r) * 20 + x] + a[z * 400 + (y + r) * 20 + x]);
                    sum += b[r] * (a[(z - r) * 400 + y * 20 + x] + a[(z + r) * 400 + y * 20 + x]);
                }
                expected[z * 400 + y * 20 + x] = sum;
            }
    n_expected = 4800;
}

static int by_value(const void *x, const void *y)
{
    return *(const uint8_t *)x - *(const uint8_t *)y;
}

static void median(void)
{
    fill_bytes(bytes, 1156, 8);
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++) {
            uint8_t p[9];
            for (int k = 0; k < 9; k++)
                p[k] = bytes[(y + k / 3) * 34 + x + k % 3];
            qsort(p, 9, 1, by_value);
            expected[32 * y + x] = p[4];
        }
    n_expected = 1024;
    whole = 1;
}

static void sobel(void)
{
    static const int weights[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    fill_bytes(bytes, 1156, 8);
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++) {
            int gx = 0, gy = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    gx += weights[i][j] * bytes[(y + i) * 34 + x + j];
                    gy += weights[j][i] * bytes[(y + i) * 34 + x + j];
                }
            double length = floor(hypot(gx, gy) / 2);
            expected[32 * y + x] = length < 255 ? length : 255;
        }
    n_expected = 1024;
    whole = 1;
}

static void binomial(void)
{
    fill(a, 24, 9, 1);
    for (int k = 0; k < 8; k++) {
        double price = 5 + 25 * a[3 * k], strike = 1 + 99 * a[3 * k + 1], years = 0.25 + 9.75 * a[3 * k + 2], v[64];
        double dt = years / 63, up = exp(0.30 * sqrt(dt)), p = (exp(0.02 * dt) - 1 / up) / (up - 1 / up);
        for (int i = 0; i < 64; i++)
            v[i] = fmax(price * pow(up, 2 * i - 63) - strike, 0);
        for (int n = 63; n > 0; n--)
            for (int i = 0; i < n; i++)
                v[i] = exp(-0.02 * dt) * (p * v[i + 1] + (1 - p) * v[i]);
        expected[k] = v[0];
    }
    n_expected = 8;
}

/* ---- AES ---- */

static uint8_t times(uint8_t x, uint8_t y)
{
    uint8_t product = 0;
    for (; y; y >>= 1) {
        product ^= y & 1 ? x : 0;
        x = (uint8_t)(x << 1 ^ (x >> 7) * 0x1b);
    }
    return product;
}

static uint8_t substitute(uint8_t x)
{
    uint8_t inverse = 0, out = 0;
    for (int y = 1; x && y < 256; y++)
        if (times(x, (uint8_t)y) == 1)
            inverse = (uint8_t)y;
    for (int i = 0; i < 8; i++) {
        int bit = inverse >> i ^ inverse >> (i + 4) % 8 ^ inverse >> (i + 5) % 8 ^ inverse >> (i + 6) % 8 ^
                  inverse >> (i + 7) % 8 ^ 0x63 >> i;
        out |= (uint8_t)((bit & 1) << i);
    }
    return out;
}

static void encrypt(const uint8_t *key, const uint8_t *in, uint8_t *out)
{
    static uint8_t box[256];
    uint8_t w[176], state[4][4], constant = 1;
    if (!box[0])
        for (int i = 0; i < 256; i++)
            box[i] = substitute((uint8_t)i);
    memcpy(w, key, 16);
    for (int i = 4; i < 44; i++)
        for (int k = 0; k < 4; k++) {
            uint8_t t = i % 4 ? w[4 * (i - 1) + k] : box[w[4 * (i - 1) + (k + 1) % 4]];
            w[4 * i + k] = w[4 * (i - 4) + k] ^ t;
            if (i % 4 == 0 && k == 0) {
                w[4 * i] ^= constant;
                constant = times(constant, 2);
            }
        }
    for (int i = 0; i < 16; i++)
        state[i % 4][i / 4] = in[i] ^ w[i];
    for (int round = 1; round <= 10; round++) {
        uint8_t moved[4][4];
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++)
                moved[r][c] = box[state[r][(c + r) % 4]];
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++) {
                uint8_t mixed = times(moved[r][c], 2) ^ times(moved[(r + 1) % 4][c], 3) ^ moved[(r + 2) % 4][c] ^
                                moved[(r + 3) % 4][c];
                state[r][c] = (round < 10 ? mixed : moved[r][c]) ^ w[16 * round + 4 * c + r];
            }
    }
    for (int i = 0; i < 16; i++)
        out[i] = state[i % 4][i / 4];
}

static void aes(void)
{
    static const uint8_t example[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                        0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    uint8_t key[16], in[16], out[16];
    for (int i = 0; i < 16; i++) {
        key[i] = (uint8_t)i;
        in[i] = (uint8_t)(0x11 * i);
    }
    encrypt(key, in, out);
    if (memcmp(out, example, 16) != 0) {
        puts("the reference is not AES");
        exit(1);
    }
    fill_bytes(bytes, 1024, 10);
    for (int k = 0; k < 64; k++) {
        encrypt(key, bytes + 16 * k, out);
        for (int i = 0; i < 16; i++)
            expected[16 * k + i] = out[i];
    }
    n_expected = 1024;
    whole = 1;
}

/* ---- comparing ---- */

static int compare(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.bin", folder, name);
    FILE *f = fopen(path, "rb");
    for (size_t i = 0; i < n_expected; i++) {
        uint8_t byte = 0;
        float number = 0;
        if (!f || fread(whole ? (void *)&byte : (void *)&number, whole ? 1 : 4, 1, f) != 1) {
            printf("%s: cannot be read\n", path);
            return 1;
        }
        double is = whole ? byte : (double)number;
        if (!(fabs(is - expected[i]) <= (whole ? 0 : 1e-4 * (1 + fabs(expected[i]))))) {
            printf("%s: element %zu is %g, must be %g\n", path, i, is, expected[i]);
            return 1;
        }
    }
    int more = fgetc(f) != EOF;
    fclose(f);
    return more;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
        const char *result;
    } programs[] = {
        {"matrix_tile", matrix, "c"}, {"matrix_block", matrix, "c"}, {"dct", dct, "out"},
        {"haar", haar, "out"},        {"nbody", nbody, "out"},       {"fdtd3d", fdtd3d, "out"},
        {"median", median, "out"},    {"sobel", sobel, "out"},       {"binomial", binomial, "out"},
        {"aes", aes, "out"},
    };
    for (size_t i = 0; argc == 3 && i < sizeof programs / sizeof *programs; i++) {
        char names[2][32];
        if (strcmp(programs[i].name, argv[1]) != 0)
            continue;
        programs[i].run();
        snprintf(names[0], sizeof names[0], "%s_global", programs[i].result);
        snprintf(names[1], sizeof names[1], "%s_local", programs[i].result);
        return compare(argv[2], names[0]) || compare(argv[2], names[1]);
    }
    printf("there is no program %s\n", argc > 1 ? argv[1] : "");
    return 1;
}
