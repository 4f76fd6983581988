/*
 * far_count - a permutation of 163840 numbers is drawn by lot into an array of 640 KB, and its cycles are counted:
 * loads and stores all over the array, those of the first part independent of each other, those of the second in a
 * chain.
 *
 * The truth: the sign of the permutation by its inversions, counted by merging, outside; and that the lengths add up.
 *
 * Work: the shuffle draws 163839 times (product, sum, shift, product), loads and stores twice: 8 * 163839 = 1310712;
 * the walk loads, tests and stores each number: 3 * 163840 = 491520. Together 1802232.
 */
#include "../sample.h"

#define COUNT  163840
#define MARKED 0x80000000U

static uint32_t numbers[COUNT], kept[COUNT], merged[COUNT];
static uint64_t state;
static unsigned cycles, longest;

/* Fisher and Yates, 1938; from i + 1 even choices by the upper half of a product (Lemire, 2019). */
static void shuffle(uint32_t *a, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        a[i] = i;
    for (unsigned i = count - 1; i > 0; i--) {
        unsigned other;
        uint32_t value = a[i];

        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        other = (unsigned)((state >> 32) * (i + 1) >> 32);
        a[i] = a[other];
        a[other] = value;
    }
}

static void count_cycles(uint32_t *a, unsigned count)
{
    for (unsigned start = 0; start < count; start++) {
        unsigned length = 0;

        for (uint32_t at = start; !(a[at] & MARKED); length++) {
            uint32_t next = a[at];

            a[at] |= MARKED;
            at = next;
        }
        cycles += length > 0;
        if (length > longest)
            longest = length;
    }
}

static uint64_t inversions(uint32_t *a, unsigned count, uint32_t *room)
{
    uint64_t n = 0;
    unsigned half = count / 2, left = 0, right = half;

    if (count < 2)
        return 0;
    n = inversions(a, half, room) + inversions(a + half, count - half, room);
    for (unsigned i = 0; i < count; i++) {
        if (right == count || (left < half && a[left] < a[right])) {
            room[i] = a[left++];
        } else {
            room[i] = a[right++];
            n += half - left;
        }
    }
    memcpy(a, room, count * sizeof *a);
    return n;
}

int main(void)
{
    uint64_t sign;

    state = 44;
    cycles = longest = 0;
    SHIM_KEEP(&state);
    SHIM_KEEP(&cycles);
    SHIM_KEEP(&longest);
    shim_region_begin("far_count");
    shuffle(numbers, COUNT);
    SHIM_KEEP(numbers);
    count_cycles(numbers, COUNT);
    SHIM_KEEP(numbers);
    SHIM_KEEP(&cycles);
    SHIM_KEEP(&longest);
    shim_region_end("far_count");
    for (int i = 0; i < COUNT; i++)
        kept[i] = numbers[i] & ~MARKED;
    sign = inversions(kept, COUNT, merged);
    for (unsigned i = 0; i < COUNT; i++)
        if (sample_verdict_int("number in order", kept[i], i))
            return 1;
    return sample_verdict_int("parity of the permutation", (COUNT - cycles) % 2, (long long)(sign % 2)) |
           sample_verdict_int("whether the longest cycle is longer than the rest on average", longest > COUNT / cycles,
                              1);
}
