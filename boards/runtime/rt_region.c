/* rt_region.c - the strong definitions of shim_region_begin and shim_region_end. Counters are read last in the former
 * and first in the latter; everything else is outside. */
#include "rt.h"
#include "rt_iss.h"
#include "clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* A program's own region is compared by the text of its name, these two by their address. */
const char rt_name_main[] = "main", rt_name_empty[] = "";
struct rt rt;
static __thread int in_main_thread;

void rt_regions_reset(void)
{
    in_main_thread = 1;
    rt.n_regions = rt.depth = rt.floor = 0;
}

void rt_problem(const char *what, const char *name)
{
    if (rt.problem)
        return;
    rt.problem = what;
    snprintf(rt.problem_name, sizeof rt.problem_name, "%s", name);
}

void *rt_grow(void *at, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap)
        return at;
    size_t more = *cap ? *cap * 2 : 4096 / size + 64;
    void *to = mmap(0, more * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (to == MAP_FAILED)
        return 0;
    if (*cap) {
        memcpy(to, at, *cap * size);
        munmap(at, *cap * size);
    }
    *cap = more;
    return to;
}

static inline void take(struct rt_sample *s)
{
    if (rt.simulated)
        rt_iss_read(s);
    else if (rt.pmu)
        rt_read_group(s);
    else
        s->value[0] = rt_clock();
}

/* Names usually are literals, so the same pointer comes again. A small table of recent ones saves comparing texts. */
#define RECENT 256
static struct {
    const char *name;
    size_t region;
} recent[RECENT];

static int same_name(const char *a, const char *b)
{
    if (a == b)
        return 1;
    return a != rt_name_main && b != rt_name_main && a != rt_name_empty && b != rt_name_empty && strcmp(a, b) == 0;
}

/* The region with that name; it is made if it is new. -1: no memory. */
static long region_of(const char *name)
{
    size_t slot = ((uintptr_t)name >> 3 ^ (uintptr_t)name >> 11) % RECENT;
    size_t r = recent[slot].region;
    if (recent[slot].name == name && r < rt.n_regions && same_name(rt.regions[r].name, name))
        return (long)r;
    for (r = 0; r < rt.n_regions && !same_name(rt.regions[r].name, name); r++)
        ;
    if (r == rt.n_regions) {
        struct rt_region *regions = rt_grow(rt.regions, &rt.cap_regions, r + 1, sizeof *regions);
        if (!regions)
            return -1;
        rt.regions = regions;
        memset(&regions[r], 0, sizeof regions[r]);
        regions[r].name = name;
        regions[r].outer = rt.depth > rt.floor ? rt.frames[rt.floor].region : r;
        rt.n_regions++;
    }
    recent[slot].name = name;
    recent[slot].region = r;
    return (long)r;
}

/* Before an outermost region: prepares caches, reads the kernel's counts, then brings this code in again. */
static void prepare(size_t r, struct rt_noise *noise)
{
    int saved = errno;
    int first = rt.regions[r].entries == 0;
    if (rt.cold && first)
        rt_flush();
    if (rt.simulated) { /* nothing disturbs it, and this code is not in its caches */
        memset(noise, 0, sizeof *noise);
        return;
    }
    rt_noise_read(noise, rt.regions[r].noise_reads < RT_THOROUGH_READS);
    rt.quiet = 1;
    /* readings of a virtual PMU are slow, and the code is in the caches by then */
    for (int i = rt.pmu && !first ? 3 : 0; i < 4; i++) {
        shim_region_begin(rt_name_empty);
        shim_region_end(rt_name_empty);
    }
    rt.quiet = 0;
    errno = saved;
}

static void add_noise(struct rt_region *r, const struct rt_noise *before)
{
    int saved = errno;
    struct rt_noise after;
    int thorough = r->noise_reads < RT_THOROUGH_READS;
    rt_noise_read(&after, thorough);
    r->noise.voluntary += after.voluntary - before->voluntary;
    r->noise.involuntary += after.involuntary - before->involuntary;
    r->noise.minor += after.minor - before->minor;
    r->noise.major += after.major - before->major;
    if (!thorough || before->interrupts < 0 || after.interrupts < 0)
        r->noise.interrupts = -1;
    else if (r->noise.interrupts >= 0)
        r->noise.interrupts += after.interrupts - before->interrupts;
    uint64_t width = before->width < after.width ? before->width : after.width;
    if (thorough && (r->noise_reads == 0 || width < r->noise.width))
        r->noise.width = width;
    if (thorough && before->clock && after.clock)
        r->noise.clock += (before->clock + after.clock) / 2;
    r->moved |= after.cpu != before->cpu;
    r->noise_reads++;
    errno = saved;
}

static void begin(const char *name)
{
    if (!in_main_thread) {
        rt_problem("other-thread", name);
        return;
    }
    long r = region_of(name);
    struct rt_frame *frames = rt_grow(rt.frames, &rt.cap_frames, rt.depth + 1, sizeof *frames);
    if (r < 0 || !frames) {
        rt_problem("no-memory", name);
        rt.state = RT_DONE;
        return;
    }
    rt.frames = frames;
    struct rt_frame *f = &frames[rt.depth];
    if (rt.depth == rt.floor && !rt.quiet) {
        struct rt_noise noise;
        prepare((size_t)r, &noise);
        f->noise = noise;
    }
    f->region = (size_t)r;
    f->pairs = 0;
    rt.regions[r].open++;
    rt.depth++;
    take(&f->start);
}

__attribute__((noinline)) RT_NOT_TIMED void shim_region_begin(const char *name)
{
    if (rt.state != RT_MEASURING)
        return;
    rt_suspend();
    begin(name);
    rt_region_is(1, name);
    if (rt.depth > 0)
        rt_resume();
}

/* A group that was lost in between reads 0, and its problem is noted. Then nothing is added, instead of 2^64 minus the
 * start. */
static uint64_t since(uint64_t start, uint64_t end)
{
    return end > start ? end - start : 0;
}

static void add_sample(struct rt_region *r, const struct rt_frame *f, const struct rt_sample *end)
{
    for (size_t i = 0; i < rt.n_events; i++)
        r->total.value[i] += since(f->start.value[i], end->value[i]);
    r->total.enabled += since(f->start.enabled, end->enabled);
    r->total.running += since(f->start.running, end->running);
    r->pairs += f->pairs;
    r->entries++;
}

static void end_of(const char *name, const struct rt_sample *end)
{
    if (!in_main_thread) {
        rt_problem("other-thread", name);
        return;
    }
    if (rt.depth == 0 || !same_name(rt.regions[rt.frames[rt.depth - 1].region].name, name)) {
        rt_problem("not-open", name);
        return;
    }
    struct rt_frame *f = &rt.frames[--rt.depth];
    struct rt_region *r = &rt.regions[f->region];
    if (--r->open == 0)
        add_sample(r, f, end);
    if (rt.depth > 0)
        rt.frames[rt.depth - 1].pairs += 1 + f->pairs;
    if (rt.depth == rt.floor && !rt.quiet && !rt.simulated)
        add_noise(r, &f->noise);
}

__attribute__((noinline)) RT_NOT_TIMED void shim_region_end(const char *name)
{
    if (rt.state != RT_MEASURING)
        return;
    struct rt_sample end;
    end.enabled = end.running = 0;
    rt_suspend();
    take(&end);
    end_of(name, &end);
    rt_region_is(0, name);
    if (rt.depth > 0)
        rt_resume();
}
