/*
 * sequences - the longest common subsequence of two texts of 160 letters, spelt out; and the cheapest order to multiply
 * 30 matrices, by tables filled along diagonals.
 *
 * Cormen and others, "Introduction to Algorithms", chapter 15. The truth: the book's own six matrices, which take 15125
 * products; that what is spelt out is in both texts; and its length by bit-parallel addition (Hyyro, 2004), outside.
 *
 * Work: 160 * 160 cells, each the greatest of three, at most 32 in a vector along a diagonal with two loads: 25600 * 4
 * / 32 = 3200; the matrices' table has 30 * 29 * 31 / 6 = 4495 products of 64 bits, sums and comparisons: at most 8 at
 * once, 4495 * 3 / 8 = 1685. Together 4885.
 */
#include "../sample.h"
#include "lcg.h"

#define LENGTH   160
#define MATRICES 30

static char first[LENGTH + 1], second[LENGTH + 1], common[LENGTH + 1];
static int16_t lengths[LENGTH + 1][LENGTH + 1];
static int32_t sizes[MATRICES + 1], known_sizes[7] = {30, 35, 15, 5, 10, 20, 25};
static int64_t costs[MATRICES][MATRICES];
static int64_t cost, known_cost;

static void find_common(void)
{
    int i = LENGTH, k = LENGTH, left;

    for (int n = 0; n <= LENGTH; n++)
        lengths[n][0] = lengths[0][n] = 0;
    for (int a = 1; a <= LENGTH; a++)
        for (int b = 1; b <= LENGTH; b++) {
            int16_t above = lengths[a - 1][b], beside = lengths[a][b - 1];

            if (first[a - 1] == second[b - 1])
                lengths[a][b] = (int16_t)(lengths[a - 1][b - 1] + 1);
            else
                lengths[a][b] = above > beside ? above : beside;
        }
    left = lengths[LENGTH][LENGTH];
    common[left] = 0;
    while (left > 0) {
        if (first[i - 1] == second[k - 1]) {
            common[--left] = first[i - 1];
            i--;
            k--;
        } else if (lengths[i - 1][k] >= lengths[i][k - 1]) {
            i--;
        } else {
            k--;
        }
    }
}

static int64_t cheapest(const int32_t *size, int count)
{
    for (int i = 0; i < count; i++)
        costs[i][i] = 0;
    for (int span = 1; span < count; span++)
        for (int i = 0; i + span < count; i++) {
            int64_t best = INT64_MAX;

            for (int cut = i; cut < i + span; cut++) {
                int64_t sum =
                    costs[i][cut] + costs[cut + 1][i + span] + (int64_t)size[i] * size[cut + 1] * size[i + span + 1];

                if (sum < best)
                    best = sum;
            }
            costs[i][i + span] = best;
        }
    return costs[0][count - 1];
}

static int is_in(const char *part, const char *text)
{
    for (; *text && *part; text++)
        part += *part == *text;
    return *part == 0;
}

/* Zeros mark where a row's length grows; 160 bits as bytes' carries in an array. */
static int length_by_bits(void)
{
    uint8_t row[LENGTH], sum[LENGTH];
    int length = 0;

    memset(row, 1, sizeof row);
    for (int k = 0; k < LENGTH; k++) {
        int carry = 0;

        for (int i = 0; i < LENGTH; i++) {
            int matched = row[i] && first[i] == second[k], total = row[i] + matched + carry;

            sum[i] = total & 1;
            carry = total >> 1;
        }
        for (int i = 0; i < LENGTH; i++)
            row[i] = sum[i] | (row[i] && first[i] != second[k]);
    }
    for (int i = 0; i < LENGTH; i++)
        length += !row[i];
    return length;
}

int main(void)
{
    uint32_t seed = 67;

    for (int i = 0; i < LENGTH; i++) {
        first[i] = "acgt"[lcg_draw(&seed) % 4];
        second[i] = lcg_draw(&seed) % 2 ? first[i] : "acgt"[lcg_draw(&seed) % 4];
    }
    first[LENGTH] = second[LENGTH] = 0;
    for (int i = 0; i <= MATRICES; i++)
        sizes[i] = (int32_t)(5 + lcg_draw(&seed) % 3000);
    SHIM_KEEP(first);
    SHIM_KEEP(second);
    SHIM_KEEP(sizes);
    SHIM_KEEP(known_sizes);
    shim_region_begin("sequences");
    find_common();
    cost = cheapest(sizes, MATRICES);
    known_cost = cheapest(known_sizes, 6);
    SHIM_KEEP(common);
    SHIM_KEEP(&cost);
    SHIM_KEEP(&known_cost);
    shim_region_end("sequences");
    return sample_verdict_int("length", lengths[LENGTH][LENGTH], length_by_bits()) |
           sample_verdict_int("letters spelt out", (long long)strlen(common), lengths[LENGTH][LENGTH]) |
           sample_verdict_int("whether it is in both", is_in(common, first) && is_in(common, second), 1) |
           sample_verdict_int("products for the book's matrices", known_cost, 15125) |
           sample_verdict_int("whether some are needed", cost > 0, 1);
}
