/*
 * wear_levelling - parameters in flash that can only be erased by pages: 900 writes of 40 values as records with a check
 * byte into 4 pages of 1 KB, the newest found by walking back, full pages compacted, a cut record skipped at start.
 *
 * The truth: the values as written last; that no bit was ever set from 0 to 1 but by an erasure.
 *
 * Work: 900 writes, each with a check byte over 6 bytes and a programming of 8: 900 * 14 * 2 = 25200; bytes may go 8 at
 * once: 3150.
 */
#include "judge.h"

#define PAGES  4
#define PAGE   1024
#define RECORD 8
#define VALUES 40
#define WRITES 900

static uint8_t flash[PAGES][PAGE];
static unsigned erased[PAGES], broken_rules, active, offset;
static uint32_t sequence;
static struct {
    uint16_t id;
    uint32_t value;
} writes[WRITES];
static uint32_t read_back[VALUES];
static uint8_t present[VALUES];

static void program(unsigned page, unsigned at, const uint8_t *bytes, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        broken_rules += (bytes[i] & ~flash[page][at + i]) != 0;
        flash[page][at + i] &= bytes[i];
    }
}
static void erase(unsigned page)
{
    memset(flash[page], 0xFF, PAGE);
    erased[page]++;
}
static uint8_t check_of(const uint8_t *r)
{
    uint8_t sum = 0x5A;

    for (int i = 0; i < 7; i++) {
        sum = (uint8_t)(sum << 1 | sum >> 7);
        sum ^= r[i];
    }
    return sum;
}
static void make_record(uint8_t *r, unsigned kind, unsigned id, uint32_t value)
{
    r[0] = (uint8_t)kind;
    r[1] = (uint8_t)id;
    r[2] = (uint8_t)(id >> 8);
    for (int i = 0; i < 4; i++)
        r[3 + i] = (uint8_t)(value >> 8 * i);
    r[7] = check_of(r);
}
static void open_page(unsigned page)
{
    uint8_t r[RECORD];

    erase(page);
    make_record(r, 1, 0, ++sequence);
    program(page, 0, r, RECORD);
    active = page;
    offset = RECORD;
}
static void append(unsigned id, uint32_t value)
{
    uint8_t r[RECORD];

    make_record(r, 2, id, value);
    program(active, offset, r, RECORD);
    offset += RECORD;
}
/* 1: found */
static int newest(unsigned page, unsigned end, unsigned id, uint32_t *value)
{
    for (unsigned at = end; at > RECORD;) {
        const uint8_t *r = &flash[page][at -= RECORD];

        if (r[0] != 2 || (r[1] | r[2] << 8) != (int)id || check_of(r) != r[7])
            continue;
        *value = (uint32_t)r[3] | (uint32_t)r[4] << 8 | (uint32_t)r[5] << 16 | (uint32_t)r[6] << 24;
        return 1;
    }
    return 0;
}
static void write_value(unsigned id, uint32_t value)
{
    unsigned old = active;

    if (offset + RECORD > PAGE) {
        open_page((old + 1) % PAGES);
        for (unsigned i = 0; i < VALUES; i++) {
            uint32_t kept;
            if (i != id && newest(old, PAGE, i, &kept))
                append(i, kept);
        }
    }
    append(id, value);
}
/* After a reset: the page with the highest number, the first free place in it. */
static void mount(void)
{
    sequence = 0;
    for (unsigned p = 0; p < PAGES; p++) {
        const uint8_t *r = flash[p];
        uint32_t n = (uint32_t)r[3] | (uint32_t)r[4] << 8 | (uint32_t)r[5] << 16 | (uint32_t)r[6] << 24;

        if (r[0] == 1 && check_of(r) == r[7] && n > sequence) {
            sequence = n;
            active = p;
        }
    }
    for (offset = RECORD; offset + RECORD <= PAGE; offset += RECORD)
        if (flash[active][offset] == 0xFF)
            break;
}

static void work(void)
{
    static const uint8_t cut[3] = {2, 7, 0}; /* the power went */

    open_page(0);
    for (int i = 0; i < WRITES; i++) {
        write_value(writes[i].id, writes[i].value);
        if (i == WRITES / 2) {
            if (offset + RECORD <= PAGE)
                program(active, offset, cut, sizeof cut);
            mount();
        }
    }
    for (unsigned i = 0; i < VALUES; i++)
        present[i] = (uint8_t)newest(active, offset, i, &read_back[i]);
}

int main(void)
{
    uint64_t seed = 54;
    uint32_t last[VALUES] = {0};
    uint8_t written[VALUES] = {0};
    unsigned least = UINT32_MAX, most = 0;

    for (int i = 0; i < WRITES; i++) {
        writes[i].id = (uint16_t)(draw_below(&seed, 3) ? draw_below(&seed, 8) : draw_below(&seed, VALUES));
        writes[i].value = draw(&seed);
        last[writes[i].id] = writes[i].value;
        written[writes[i].id] = 1;
    }
    memset(flash, 0xFF, sizeof flash);
    memset(erased, 0, sizeof erased);
    memset(read_back, 0, sizeof read_back);
    broken_rules = sequence = 0;
    SHIM_KEEP(writes);
    SHIM_KEEP(flash);
    shim_region_begin("wear_levelling");
    work();
    SHIM_KEEP(read_back);
    SHIM_KEEP(present);
    shim_region_end("wear_levelling");
    for (int p = 0; p < PAGES; p++) {
        least = erased[p] < least ? erased[p] : least;
        most = erased[p] > most ? erased[p] : most;
    }
    return sample_verdict_int("values differ", memcmp(last, read_back, sizeof last) != 0, 0) |
           sample_verdict_int("what is there differs", memcmp(written, present, sizeof written) != 0, 0) |
           sample_verdict_int("bits set without erasure", broken_rules, 0) |
           sample_verdict_int("whether pages are worn alike", most - least <= 1, 1);
}
