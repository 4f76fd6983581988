/*
 * allocator - 1000 requests and returns of blocks of 16 to 400 bytes in an arena of 32 KB, kept in a bitmap of 64-bit
 * words with one bit for 16 bytes; each block is marked when given and checked when returned.
 *
 * First fit. The truth: the marks, as no two blocks that live at once may share bytes; and that the bitmap is empty in
 * the end.
 *
 * Work: each of at least 450 requests loads a word of the bitmap and tests it, and writes and reads back at least two
 * marks: 450 * (3 + 2 + 4) = 4050.
 */
#include "../sample.h"
#include "lcg.h"

#define GRAIN  16
#define GRAINS 2048
#define WORDS  (GRAINS / 64)
#define SLOTS  64
#define STEPS  1000

struct block {
    int first, count; /* grains; count 0: none */
    uint32_t mark;
};

static uint32_t arena[GRAINS * GRAIN / 4];
static uint64_t taken[WORDS];
static struct block blocks[SLOTS];
static uint16_t slots[STEPS], sizes[STEPS];
static int refused, spoilt, given;

static int is_taken(int grain)
{
    return (int)(taken[grain / 64] >> grain % 64 & 1);
}

/* Sets or clears `count` bits, a word's part at a time. */
static void mark_grains(int first, int count, int set)
{
    while (count > 0) {
        int bit = first % 64, here = 64 - bit < count ? 64 - bit : count;
        uint64_t mask = (here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1) << bit;

        if (set)
            taken[first / 64] |= mask;
        else
            taken[first / 64] &= ~mask;
        first += here;
        count -= here;
    }
}

/* The first grain of a free run, or -1. */
static int first_fit(int count)
{
    int run = 0;

    for (int grain = 0; grain < GRAINS;) {
        if (run == 0 && grain % 64 == 0 && taken[grain / 64] == UINT64_MAX) {
            grain += 64;
            continue;
        }
        run = is_taken(grain) ? 0 : run + 1;
        grain++;
        if (run == count)
            return grain - count;
    }
    return -1;
}

static void request(struct block *block, unsigned bytes, uint32_t mark)
{
    int count = (int)(bytes + GRAIN - 1) / GRAIN, first = first_fit(count);

    if (first < 0) {
        refused++;
        return;
    }
    given++;
    mark_grains(first, count, 1);
    *block = (struct block){first, count, mark};
    for (int i = first * GRAIN / 4; i < (first + count) * GRAIN / 4; i += GRAIN / 8)
        arena[i] = mark;
}

static void give_back(struct block *block)
{
    for (int i = block->first * GRAIN / 4; i < (block->first + block->count) * GRAIN / 4; i += GRAIN / 8)
        spoilt += arena[i] != block->mark;
    mark_grains(block->first, block->count, 0);
    block->count = 0;
}

static void work(void)
{
    for (uint32_t step = 0; step < STEPS; step++) {
        struct block *block = &blocks[slots[step]];

        if (block->count > 0)
            give_back(block);
        else
            request(block, sizes[step], step + 1);
    }
    for (int i = 0; i < SLOTS; i++)
        if (blocks[i].count > 0)
            give_back(&blocks[i]);
}

int main(void)
{
    uint32_t seed = 37;
    uint64_t left = 0;

    for (int i = 0; i < STEPS; i++) {
        slots[i] = (uint16_t)(lcg_draw(&seed) % SLOTS);
        sizes[i] = (uint16_t)(16 + lcg_draw(&seed) % 385);
    }
    memset(arena, 0, sizeof arena);
    memset(taken, 0, sizeof taken);
    memset(blocks, 0, sizeof blocks);
    refused = spoilt = given = 0;
    SHIM_KEEP(arena);
    SHIM_KEEP(taken);
    SHIM_KEEP(blocks);
    SHIM_KEEP(slots);
    SHIM_KEEP(sizes);
    SHIM_KEEP(&refused);
    SHIM_KEEP(&spoilt);
    SHIM_KEEP(&given);
    shim_region_begin("allocator");
    work();
    SHIM_KEEP(taken);
    SHIM_KEEP(&refused);
    SHIM_KEEP(&spoilt);
    SHIM_KEEP(&given);
    shim_region_end("allocator");
    for (int i = 0; i < WORDS; i++)
        left |= taken[i];
    return sample_verdict_int("marks spoilt", spoilt, 0) | sample_verdict_int("whether grains are left", left != 0, 0) |
           sample_verdict_int("requests refused", refused, 0) | sample_verdict_int("whether given", given >= 450, 1);
}
