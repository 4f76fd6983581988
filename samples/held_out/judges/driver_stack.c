/*
 * driver_stack - block devices on top of each other through tables of functions: a disk of 64 KB, one mirrored on two
 * halves, one that checks, a cache of 6 blocks that writes back; 700 reads and writes of parts of blocks.
 *
 * The truth: the same accesses on a plain array; both halves of the disk are alike in the end.
 *
 * Work: 700 accesses through at least one call by pointer, each with a search of the cache and a copy: 700 * 12 = 8400.
 */
#include "judge.h"

#define BLOCK    256
#define BLOCKS   256 /* of the disk */
#define LINES    6
#define ACCESSES 700

struct device;
struct operations {
    int (*read)(struct device *d, unsigned block, uint8_t *out);
    int (*write)(struct device *d, unsigned block, const uint8_t *in);
    int (*flush)(struct device *d);
};
struct device {
    const struct operations *operations;
    struct device *below;
    unsigned reads, writes;
};
struct cache {
    struct device device;
    struct {
        uint8_t data[BLOCK];
        unsigned block, used;
        uint8_t valid, dirty;
    } lines[LINES];
    unsigned clock;
};

static uint8_t disk_bytes[BLOCKS][BLOCK], plain[BLOCKS / 2][BLOCK];
static uint32_t sums[BLOCKS];
static struct device disk, checked, mirror;
static struct cache cache;
static struct {
    uint16_t block, from, size;
    uint8_t write, fill;
} accesses[ACCESSES];
static uint32_t seen[ACCESSES];
static unsigned faults;

static uint32_t sum_of(const uint8_t *b)
{
    uint32_t low = 1, high = 0;

    for (int i = 0; i < BLOCK; i++) {
        low += b[i];
        high += low;
    }
    return high << 16 ^ low;
}

static int disk_read(struct device *d, unsigned block, uint8_t *out)
{
    d->reads++;
    memcpy(out, disk_bytes[block], BLOCK);
    return 0;
}
static int disk_write(struct device *d, unsigned block, const uint8_t *in)
{
    d->writes++;
    memcpy(disk_bytes[block], in, BLOCK);
    return 0;
}
static int pass_flush(struct device *d)
{
    return d->below ? d->below->operations->flush(d->below) : 0;
}
static int checked_read(struct device *d, unsigned block, uint8_t *out)
{
    int error = d->below->operations->read(d->below, block, out);

    return error ? error : sum_of(out) == sums[block] ? 0 : -1;
}
static int checked_write(struct device *d, unsigned block, const uint8_t *in)
{
    sums[block] = sum_of(in);
    return d->below->operations->write(d->below, block, in);
}
static int mirror_read(struct device *d, unsigned block, uint8_t *out)
{
    unsigned half = d->reads++ & 1;

    if (d->below->operations->read(d->below, block + half * BLOCKS / 2, out) == 0)
        return 0;
    if (d->below->operations->read(d->below, block + !half * BLOCKS / 2, out))
        return -1;
    return d->below->operations->write(d->below, block + half * BLOCKS / 2, out);
}
static int mirror_write(struct device *d, unsigned block, const uint8_t *in)
{
    int error = d->below->operations->write(d->below, block, in);

    return d->below->operations->write(d->below, block + BLOCKS / 2, in) | error;
}
static int find_line(struct cache *c, unsigned block, int load)
{
    int oldest = 0;

    c->clock++;
    for (int i = 0; i < LINES; i++) {
        if (c->lines[i].valid && c->lines[i].block == block) {
            c->lines[i].used = c->clock;
            return i;
        }
        if (c->lines[i].used < c->lines[oldest].used)
            oldest = i;
    }
    if (c->lines[oldest].dirty)
        faults +=
            c->device.below->operations->write(c->device.below, c->lines[oldest].block, c->lines[oldest].data) != 0;
    c->lines[oldest].block = block;
    c->lines[oldest].used = c->clock;
    c->lines[oldest].valid = 1;
    c->lines[oldest].dirty = 0;
    if (load)
        faults += c->device.below->operations->read(c->device.below, block, c->lines[oldest].data) != 0;
    return oldest;
}
static int cache_read(struct device *d, unsigned block, uint8_t *out)
{
    struct cache *c = (struct cache *)d;

    memcpy(out, c->lines[find_line(c, block, 1)].data, BLOCK);
    return 0;
}
static int cache_write(struct device *d, unsigned block, const uint8_t *in)
{
    struct cache *c = (struct cache *)d;
    int line = find_line(c, block, 0);

    memcpy(c->lines[line].data, in, BLOCK);
    c->lines[line].dirty = 1;
    return 0;
}
static int cache_flush(struct device *d)
{
    struct cache *c = (struct cache *)d;

    for (int i = 0; i < LINES; i++)
        if (c->lines[i].dirty) {
            faults += d->below->operations->write(d->below, c->lines[i].block, c->lines[i].data) != 0;
            c->lines[i].dirty = 0;
        }
    return pass_flush(d);
}

static const struct operations disk_operations = {disk_read, disk_write, pass_flush};
static const struct operations checked_operations = {checked_read, checked_write, pass_flush};
static const struct operations mirror_operations = {mirror_read, mirror_write, pass_flush};
static const struct operations cache_operations = {cache_read, cache_write, cache_flush};

static uint32_t access_part(struct device *d, int i)
{
    uint8_t block[BLOCK];
    uint32_t sum = 0;

    d->operations->read(d, accesses[i].block, block);
    for (unsigned k = accesses[i].from; k < (unsigned)accesses[i].from + accesses[i].size; k++) {
        sum = sum * 31 + block[k];
        if (accesses[i].write)
            block[k] = (uint8_t)(accesses[i].fill + k);
    }
    if (accesses[i].write)
        d->operations->write(d, accesses[i].block, block);
    return sum;
}
static void run(struct device *top)
{
    for (int i = 0; i < ACCESSES; i++) {
        seen[i] = access_part(top, i);
        if (i == ACCESSES / 3)
            disk_bytes[accesses[i].block + 1U][5] ^= 0x10; /* the first half of a neighbour goes bad */
    }
    top->operations->flush(top);
}

int main(void)
{
    uint64_t seed = 56;
    struct device *top = &cache.device;

    for (int i = 0; i < ACCESSES; i++) {
        accesses[i].block =
            (uint16_t)(draw_below(&seed, 3) ? i / 20 + draw_below(&seed, 5) : draw_below(&seed, BLOCKS / 2 - 1));
        accesses[i].from = (uint16_t)draw_below(&seed, BLOCK - 40);
        accesses[i].size = (uint16_t)(1 + draw_below(&seed, 40));
        accesses[i].write = (uint8_t)(draw_below(&seed, 3) == 0);
        accesses[i].fill = (uint8_t)draw(&seed);
    }
    memset(disk_bytes, 0, sizeof disk_bytes);
    memset(plain, 0, sizeof plain);
    for (int b = 0; b < BLOCKS; b++)
        sums[b] = sum_of(disk_bytes[b]);
    disk = (struct device){&disk_operations, NULL, 0, 0};
    checked = (struct device){&checked_operations, &disk, 0, 0};
    mirror = (struct device){&mirror_operations, &checked, 0, 0};
    memset(&cache, 0, sizeof cache);
    cache.device = (struct device){&cache_operations, &mirror, 0, 0};
    faults = 0;
    SHIM_KEEP(accesses);
    SHIM_KEEP(disk_bytes);
    SHIM_KEEP(&top);
    shim_region_begin("driver_stack");
    run(top);
    SHIM_KEEP(seen);
    SHIM_KEEP(disk_bytes);
    shim_region_end("driver_stack");
    for (int i = 0; i < ACCESSES; i++) {
        uint32_t sum = 0;

        for (unsigned k = accesses[i].from; k < (unsigned)accesses[i].from + accesses[i].size; k++) {
            sum = sum * 31 + plain[accesses[i].block][k];
            if (accesses[i].write)
                plain[accesses[i].block][k] = (uint8_t)(accesses[i].fill + k);
        }
        if (sample_verdict_int("what was read", seen[i], sum))
            return 1;
    }
    return sample_verdict_int("faults", faults, 0) |
           sample_verdict_int("second half", memcmp(disk_bytes[BLOCKS / 2], plain, sizeof plain) != 0, 0);
}
