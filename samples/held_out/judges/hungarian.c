/*
 * hungarian - 26 tasks for 26 machines at least cost, by shortest augmenting ways with potentials; 32-bit costs.
 *
 * Kuhn, "The Hungarian Method for the Assignment Problem", 1955; in Jonker's form. The truth: duality: potentials that no
 * cost is below, whose sum is the assignment's cost.
 *
 * Work: each of 26 rows needs at least one sweep of 26 columns with a difference and two comparisons: 26 * 26 * 5 = 3380;
 * 16 at once: 211.
 */
#include "judge.h"

#define N 26

static int32_t cost[N][N], u[N + 1], v[N + 1];
static uint8_t row_of[N + 1], way[N + 1];

static void augment(int row)
{
    int32_t least[N + 1];
    uint8_t used[N + 1] = {0};
    unsigned j0 = 0;

    row_of[0] = (uint8_t)(row + 1);
    for (int j = 0; j <= N; j++)
        least[j] = INT32_MAX;
    do {
        unsigned i0 = row_of[j0], j1 = 0;
        int32_t delta = INT32_MAX;

        used[j0] = 1;
        for (unsigned j = 1; j <= N; j++) {
            int32_t c;

            if (used[j])
                continue;
            c = cost[i0 - 1][j - 1] - u[i0] - v[j];
            if (c < least[j]) {
                least[j] = c;
                way[j] = (uint8_t)j0;
            }
            if (least[j] < delta) {
                delta = least[j];
                j1 = j;
            }
        }
        for (unsigned j = 0; j <= N; j++)
            if (used[j]) {
                u[row_of[j]] += delta;
                v[j] -= delta;
            } else if (j)
                least[j] -= delta;
        j0 = j1;
    } while (row_of[j0]);
    for (unsigned j1; j0; j0 = j1) {
        j1 = way[j0];
        row_of[j0] = row_of[j1];
    }
}

int main(void)
{
    uint64_t seed = 48;
    int64_t total = 0, dual = 0;
    int wrong = 0;
    uint32_t rows = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            cost[i][j] = 1000 + (i * j * 37 % 211) + draw_below(&seed, 300);
    memset(u, 0, sizeof u);
    memset(v, 0, sizeof v);
    memset(row_of, 0, sizeof row_of);
    SHIM_KEEP(cost);
    SHIM_KEEP(u);
    SHIM_KEEP(v);
    SHIM_KEEP(row_of);
    shim_region_begin("hungarian");
    for (int i = 0; i < N; i++)
        augment(i);
    SHIM_KEEP(row_of);
    shim_region_end("hungarian");
    for (int j = 1; j <= N; j++) {
        total += cost[row_of[j] - 1][j - 1];
        rows |= 1u << (row_of[j] - 1);
        dual += u[j] + v[j];
        for (int i = 1; i <= N; i++)
            wrong += u[i] + v[j] > cost[i - 1][j - 1];
    }
    return sample_verdict_int("cost", total, dual) | sample_verdict_int("potentials above a cost", wrong, 0) |
           sample_verdict_int("rows", rows, (1 << N) - 1);
}
