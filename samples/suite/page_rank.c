/*
 * page_rank - the weights of 400 pages that refer to each other, by 12 rounds of passing them on, in float.
 *
 * Page, Brin, Motwani, Winograd, 1998, with damping 0.85; a page without references passes to all. The truth: the same
 * rounds in double with the references the other way round, outside; and that the weights add up to one.
 *
 * Work: each round takes each of the 400 pages' weight times its share (16 to a vector), and adds it to the pages that
 * its at least 2000 references name: load of an index, load, sum, store: 12 * 2000 * 4 = 96000.
 */
#include "../sample.h"
#include "lcg.h"

#define PAGES      400
#define REFERENCES 2400
#define ROUNDS     12

static uint16_t targets[REFERENCES], starts[PAGES + 1];
static float weights[PAGES], gathered[PAGES];

static void pass_on(void)
{
    float lost = 0;

    for (int i = 0; i < PAGES; i++)
        gathered[i] = 0;
    for (int i = 0; i < PAGES; i++) {
        int count = starts[i + 1] - starts[i];
        float share;

        if (count == 0) {
            lost += weights[i];
            continue;
        }
        share = weights[i] / (float)count;
        for (int k = starts[i]; k < starts[i + 1]; k++)
            gathered[targets[k]] += share;
    }
    for (int i = 0; i < PAGES; i++)
        weights[i] = 0.15F / PAGES + 0.85F * (gathered[i] + lost / PAGES);
}

static void in_double(double out[PAGES])
{
    double before[PAGES];

    for (int i = 0; i < PAGES; i++)
        out[i] = 1.0 / PAGES;
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(before, out, sizeof before);
        for (int to = 0; to < PAGES; to++) {
            double sum = 0;

            for (int from = 0; from < PAGES; from++) {
                int count = starts[from + 1] - starts[from];

                if (count == 0)
                    sum += before[from] / PAGES;
                for (int k = starts[from]; k < starts[from + 1]; k++)
                    if (targets[k] == to)
                        sum += before[from] / count;
            }
            out[to] = 0.15 / PAGES + 0.85 * sum;
        }
    }
}

int main(void)
{
    double expected[PAGES], sum = 0;
    uint32_t seed = 63;
    int n = 0;

    for (int i = 0; i < PAGES; i++) {
        starts[i] = (uint16_t)n;
        weights[i] = 1.0F / PAGES;
        for (int k = i % 25 == 0 ? 0 : 1 + (int)(lcg_draw(&seed) % 11); k > 0 && n < REFERENCES; k--)
            targets[n++] = (uint16_t)(lcg_draw(&seed) % PAGES * (lcg_draw(&seed) % PAGES) / PAGES);
    }
    starts[PAGES] = (uint16_t)n;
    SHIM_KEEP(targets);
    SHIM_KEEP(starts);
    SHIM_KEEP(weights);
    shim_region_begin("page_rank");
    for (int round = 0; round < ROUNDS; round++)
        pass_on();
    SHIM_KEEP(weights);
    shim_region_end("page_rank");
    in_double(expected);
    for (int i = 0; i < PAGES; i++) {
        sum += (double)weights[i];
        if (sample_verdict_real("weight of a page", (double)weights[i], expected[i], 1e-5 * expected[i]))
            return 1;
    }
    return sample_verdict_real("sum of the weights", sum, 1, 1e-5) |
           sample_verdict_int("whether there are references enough", n >= 2000, 1);
}
