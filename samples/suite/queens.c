/*
 * queens - all ways to place n queens on a board of n by n, n from 4 to 8, by recursion over columns and diagonals in
 * bits; and for 8 again with a list of places.
 *
 * The truth: 2, 10, 4, 40, 92 (OEIS A000170).
 *
 * Work: for 8 there are 2057 boards with queens in the first rows that do not attack each other, the empty one included
 * (each a call with three masks shifted and joined); each is reached twice: 2 * 2057 * 4 = 16456.
 */
#include "../sample.h"

#define LEAST 4
#define MOST  8

static int sizes[MOST - LEAST + 1], counts[MOST - LEAST + 1], listed;

static int count_bits(uint32_t all, uint32_t columns, uint32_t rising, uint32_t falling)
{
    int count = 0;

    if (columns == all)
        return 1;
    for (uint32_t open = all & ~(columns | rising | falling); open != 0; open &= open - 1) {
        uint32_t place = open & (0 - open);

        count += count_bits(all, columns | place, (rising | place) << 1, (falling | place) >> 1);
    }
    return count;
}

static int is_safe(const int8_t *columns, int row, int column)
{
    for (int i = 0; i < row; i++) {
        int apart = columns[i] - column;

        if (apart == 0 || apart == row - i || apart == i - row)
            return 0;
    }
    return 1;
}

static int count_lists(int8_t *columns, int row, int size)
{
    int count = 0;

    if (row == size)
        return 1;
    for (int column = 0; column < size; column++)
        if (is_safe(columns, row, column)) {
            columns[row] = (int8_t)column;
            count += count_lists(columns, row + 1, size);
        }
    return count;
}

static void work(void)
{
    int8_t columns[2 * MOST];

    for (int i = 0; i <= MOST - LEAST; i++)
        counts[i] = count_bits((UINT32_C(1) << sizes[i]) - 1, 0, 0, 0);
    listed = count_lists(columns, 0, sizes[MOST - LEAST]);
}

int main(void)
{
    static const int known[MOST - LEAST + 1] = {2, 10, 4, 40, 92};

    for (int i = 0; i <= MOST - LEAST; i++)
        sizes[i] = LEAST + i;
    SHIM_KEEP(sizes);
    shim_region_begin("queens");
    work();
    SHIM_KEEP(counts);
    SHIM_KEEP(&listed);
    shim_region_end("queens");
    for (int i = 0; i <= MOST - LEAST; i++)
        if (sample_verdict_int("ways", counts[i], known[i]))
            return 1;
    return sample_verdict_int("ways by lists", listed, known[MOST - LEAST]);
}
