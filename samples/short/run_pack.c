/*
 * run_pack - a line of 48 pixels as pairs of a length and a value.
 *
 * Truth: the pairs, spread out again, are the line; the line has 9 runs.
 * Work: 48 pixels are compared with the one before, by 64 bytes at most, and 9 pairs are stored: 18.
 */
#include "../sample.h"

enum { N = 48 };
static const uint8_t lengths[9] = {5, 1, 9, 3, 12, 2, 1, 7, 8};
static uint8_t line[N], packed[2 * N];
static int length;

static int pack(void)
{
    int n = 0;

    for (int i = 0; i < N;) {
        int run = 1;

        while (i + run < N && line[i + run] == line[i])
            run++;
        packed[n++] = (uint8_t)run;
        packed[n++] = line[i];
        i += run;
    }
    return n;
}

int main(void)
{
    int wrong = 0, at = 0;

    for (int r = 0, i = 0; r < 9; r++)
        for (int k = 0; k < lengths[r]; k++)
            line[i++] = (uint8_t)(10 * r);
    SHIM_KEEP(line);
    shim_region_begin("run_pack");
    length = pack();
    SHIM_KEEP(packed);
    SHIM_KEEP(&length);
    shim_region_end("run_pack");
    for (int i = 0; i < length; i += 2)
        for (int k = 0; k < packed[i]; k++)
            wrong += line[at++] != packed[i + 1];
    return sample_verdict_int("bytes", length, 18) | sample_verdict_int("wrong pixels", wrong, 0) |
           sample_verdict_int("pixels", at, N);
}
