/* perf.c - counters that lie as they are told to: linked into the measuring runtime in place of
 * boards/runtime/rt_perf.c and rt_known.c. What the known work executes it counts exactly; of all else it makes up
 * counts from the time.
 *
 * SHIM_FAKE_PERF, words with commas between; none: all counters are right
 *     forbidden        perf_event_open: EACCES
 *     holds=N          a group has N members at most
 *     waits=N          a group of more members is opened, and never runs
 *     last-zero=N      in groups of N members and more the last reads 0
 *     dies=L           in launch L, after 10 readings, the last of a group of more than three counts no more, for good;
 *                      launches that prove have no number of their own
 *     zero=EVENT       that event reads 0, alone too: cycles instructions mispredictions l1-refills l1 l2-refills l2
 *     double=EVENT     in a group it counts twice
 *     few=EVENT        it counts an eighth
 *     stops=EVENT      in each launch that measures it counts no more after 10 readings
 *     misses=N         of what is no known work the core has N times as many L1 refills
 *     times=N          of what is no known work the core takes N times as many cycles
 * SHIM_FAKE_LOG        a file: a line for each launch, with the number of readings; its lines number the launches */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boards/runtime/clock.h"
#include "boards/runtime/rt_known.h"
#include "boards/runtime/rt_perf.h"

void real_known_run(int kind); /* rt_known.c's own, compiled under this name */

enum { CYCLES, INSTRUCTIONS, MISPREDICTIONS, L1_REFILLS, L1, L2_REFILLS, L2, KINDS };
static const char *const words[KINDS] = {"cycles", "instructions", "mispredictions", "l1-refills", "l1", "l2-refills",
                                         "l2"};
/* perf_event_attr's type and config: Linux' generic events, and Arm's PMUv3. */
static const struct {
    uint32_t type;
    uint64_t config;
    int kind;
} numbers[] = {{0, 0, CYCLES},
               {0, 1, INSTRUCTIONS},
               {0, 5, MISPREDICTIONS},
               {3, 0x10000, L1_REFILLS},
               {3, 0, L1},
               {0, 3, L2_REFILLS},
               {0, 2, L2},
               {4, 0x11, CYCLES},
               {4, 0x08, INSTRUCTIONS},
               {4, 0x10, MISPREDICTIONS},
               {4, 0x03, L1_REFILLS},
               {4, 0x04, L1},
               {4, 0x17, L2_REFILLS},
               {4, 0x16, L2}};
static const unsigned per_mille[KINDS] = {1000, 2000, 5, 10, 500, 3, 12}; /* of the ticks of the constant counter */

static struct {
    int slots[64];
    uint64_t frozen[64]; /* what a counter showed when it died */
    int n;
    long launch, reads;
    uint64_t start, away; /* ticks at the first opening; those since that do not count: known work, and readings */
    uint64_t known[KINDS];
} fake;

/* The number after WORD=, 1 for the word alone, 0 when it is not there. */
static long told(const char *word, const char *value)
{
    const char *p = getenv("SHIM_FAKE_PERF");
    size_t n = strlen(word);
    for (; p && *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ',')) {
        size_t length = strcspn(p, ",");
        if (length < n || strncmp(p, word, n) != 0 || (p[n] && p[n] != '=' && p[n] != ','))
            continue;
        if (length == n)
            return 1;
        if (!value)
            return strtol(p + n + 1, NULL, 10);
        if (strlen(value) == length - n - 1 && strncmp(p + n + 1, value, length - n - 1) == 0)
            return 1;
    }
    return 0;
}

/* A launch that proves runs nothing but known work. */
static bool proves(void)
{
    return getenv("SHIM_MEASURE_PROVE") != NULL;
}

static void say_reads(void)
{
    const char *log = getenv("SHIM_FAKE_LOG");
    char line[64];
    int fd = log ? open(log, O_WRONLY | O_APPEND | O_CREAT, 0644) : -1;
    int n = snprintf(line, sizeof line, "%s %ld reads %ld\n", proves() ? "prove" : "launch", fake.launch, fake.reads);
    if (fd >= 0) {
        (void)!write(fd, line, (size_t)n);
        close(fd);
    }
}

/* One more than the log has launches that measure. */
static long launch_number(void)
{
    const char *log = getenv("SHIM_FAKE_LOG");
    FILE *f = log ? fopen(log, "r") : NULL;
    char line[64];
    long n = 1;
    while (f && fgets(line, sizeof line, f))
        n += line[0] == 'l';
    if (f)
        fclose(f);
    return n;
}

int rt_perf_open(uint32_t type, uint64_t config, int leader)
{
    if (!fake.launch) {
        fake.launch = launch_number();
        fake.start = rt_clock();
        atexit(say_reads);
    }
    if (leader < 0)
        fake.n = 0;
    long holds = told("holds", NULL);
    if (told("forbidden", NULL)) {
        errno = EACCES;
        return -1;
    }
    if (holds && fake.n >= holds) {
        errno = EINVAL;
        return -1;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].type == type && numbers[i].config == config) {
            fake.slots[fake.n++] = numbers[i].kind;
            return 1000 + fake.n;
        }
    errno = ENOENT;
    return -1;
}

int rt_perf_enable(int leader)
{
    (void)leader;
    return 0;
}

void rt_perf_close(int fd)
{
    (void)fd;
    fake.n--;
}

void rt_known_run(int kind)
{
    const struct rt_known *k = rt_known_of(kind);
    uint64_t from = rt_clock();
    real_known_run(kind);
    fake.away += rt_clock() - from;
    fake.known[CYCLES] += k->adds + k->loads + 50 * k->near + 10 * k->branches;
    fake.known[INSTRUCTIONS] += k->instructions;
    fake.known[MISPREDICTIONS] += k->branches / 2;
    fake.known[L1_REFILLS] += k->near;
    fake.known[L1] += k->loads;
    fake.known[L2_REFILLS] += k->far;
    fake.known[L2] += k->near;
}

static uint64_t truth(int kind, uint64_t now)
{
    uint64_t ticks = proves() ? 0 : now - fake.start - fake.away;
    const long times = kind == CYCLES ? told("times", NULL) : kind == L1_REFILLS ? told("misses", NULL) : 0;
    return fake.known[kind] + ticks * per_mille[kind] / 1000 * (uint64_t)(times > 1 ? times : 1);
}

static uint64_t shown(int slot, uint64_t now)
{
    int kind = fake.slots[slot], last = slot == fake.n - 1;
    long dies = told("dies", NULL), zero = told("last-zero", NULL);
    uint64_t value = truth(kind, now);
    if (told("zero", words[kind]) || (zero && last && fake.n >= zero))
        return 0;
    if (told("double", words[kind]) && fake.n > 1)
        value *= 2;
    if (told("few", words[kind]))
        value /= 8;
    if (told("stops", words[kind]) && !proves()) {
        if (fake.reads <= 10)
            fake.frozen[slot] = value;
        return fake.frozen[slot];
    }
    if (!dies || !last || fake.n <= 3 || fake.launch < dies || (fake.launch == dies && proves()))
        return value;
    if (fake.launch == dies && fake.reads <= 10)
        fake.frozen[slot] = value;
    return fake.frozen[slot];
}

long rt_perf_read(int leader, void *to, size_t size)
{
    (void)leader;
    uint64_t *out = to, now = rt_clock();
    fake.reads++;
    if (size != sizeof *out * (size_t)(3 + fake.n))
        return -1;
    out[0] = (uint64_t)fake.n;
    long waits = told("waits", NULL);
    out[1] = now - fake.start + 1;
    out[2] = waits && fake.n > waits ? 0 : out[1];
    for (int i = 0; i < fake.n; i++)
        out[3 + i] = shown(i, now);
    fake.away += rt_clock() - now;
    return (long)size;
}
