/* event_names.c - translates names of events to what perf_event_open takes. */
#include "boards/description/event_names.h"

#include "base/target.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

struct word {
    const char *text;
    uint64_t value;
};
static const struct word hardware[] = {{"cycles", PERF_COUNT_HW_CPU_CYCLES},
                                       {"instructions", PERF_COUNT_HW_INSTRUCTIONS},
                                       {"cache-references", PERF_COUNT_HW_CACHE_REFERENCES},
                                       {"cache-misses", PERF_COUNT_HW_CACHE_MISSES},
                                       {"branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
                                       {"branch-misses", PERF_COUNT_HW_BRANCH_MISSES},
                                       {"ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES},
                                       {0, 0}};
static const struct word software[] = {{"cpu-clock", PERF_COUNT_SW_CPU_CLOCK},
                                       {"task-clock", PERF_COUNT_SW_TASK_CLOCK},
                                       {"page-faults", PERF_COUNT_SW_PAGE_FAULTS},
                                       {"context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES},
                                       {0, 0}};
static const struct word caches[] = {{"l1d", PERF_COUNT_HW_CACHE_L1D},   {"l1i", PERF_COUNT_HW_CACHE_L1I},
                                     {"ll", PERF_COUNT_HW_CACHE_LL},     {"dtlb", PERF_COUNT_HW_CACHE_DTLB},
                                     {"itlb", PERF_COUNT_HW_CACHE_ITLB}, {0, 0}};
static const struct word operations[] = {{"read", PERF_COUNT_HW_CACHE_OP_READ},
                                         {"write", PERF_COUNT_HW_CACHE_OP_WRITE},
                                         {"prefetch", PERF_COUNT_HW_CACHE_OP_PREFETCH},
                                         {0, 0}};
static const struct word results[] = {
    {"access", PERF_COUNT_HW_CACHE_RESULT_ACCESS}, {"miss", PERF_COUNT_HW_CACHE_RESULT_MISS}, {0, 0}};

/* The value of the word that is the first n characters of text. */
static bool word_value(const struct word *words, const char *text, size_t n, uint64_t *value)
{
    for (; words->text; words++)
        if (strlen(words->text) == n && strncmp(words->text, text, n) == 0) {
            *value = words->value;
            return true;
        }
    return false;
}

/* Parses "l1d.read.miss": cache | operation << 8 | result << 16, as in perf_event_open(2). */
static bool parse_cache(const char *text, uint64_t *config)
{
    uint64_t part[3];
    const struct word *words[3] = {caches, operations, results};
    for (int i = 0; i < 3; i++) {
        size_t n = strcspn(text, ".");
        if (!word_value(words[i], text, n, &part[i]) || (text[n] == '.') != (i < 2))
            return false;
        text += n + (i < 2);
    }
    *config = part[0] | part[1] << 8 | part[2] << 16;
    return true;
}

static bool parse_raw(const char *text, uint64_t *config)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *config = strtoull(text, &end, 0);
    return !errno && end != text && !*end;
}

static bool parse(const char *spec, uint32_t *type, uint64_t *config, char **why)
{
    const char *colon = strchr(spec, ':');
    if (!colon)
        return false;
    size_t n = (size_t)(colon - spec);
    const char *rest = colon + 1;
    if (n == 2 && strncmp(spec, "hw", n) == 0) {
        *type = PERF_TYPE_HARDWARE;
        return word_value(hardware, rest, strlen(rest), config);
    }
    if (n == 2 && strncmp(spec, "sw", n) == 0) {
        *type = PERF_TYPE_SOFTWARE;
        return word_value(software, rest, strlen(rest), config);
    }
    if (n == 5 && strncmp(spec, "cache", n) == 0) {
        *type = PERF_TYPE_HW_CACHE;
        return parse_cache(rest, config);
    }
    if (n == 3 && strncmp(spec, "raw", n) == 0) {
        *type = PERF_TYPE_RAW;
        return parse_raw(rest, config);
    }
    return n == 3 && strncmp(spec, "pfm", n) == 0 && pfm_parse(rest, type, config, why);
}

bool event_parse(const char *spec, uint32_t *type, uint64_t *config, char **why)
{
    *why = 0;
    if (parse(spec, type, config, why))
        return true;
    if (!*why)
        *why = xstrdup("write hw:cycles, cache:l1d.read.miss, sw:task-clock, raw:0x11 or pfm:NAME "
                       "(docs/formats/board.md)");
    return false;
}

/* In order of importance. Events that do not fit in one group are counted in further launches, the last ones first to
 * be moved. Misses come before accesses: a miss costs cycles, an access by itself does not. */
struct named {
    const char *name, *spec;
};
/* Arm PMUv3's own numbers: Arm Architecture Reference Manual, D13, "common events". */
static const struct named arm[] = {{"CPU_CYCLES", "raw:0x11"},       {"INST_RETIRED", "raw:0x08"},
                                   {"BR_MIS_PRED", "raw:0x10"},      {"L1D_CACHE_REFILL", "raw:0x03"},
                                   {"L2D_CACHE_REFILL", "raw:0x17"}, {"L1D_CACHE", "raw:0x04"},
                                   {"L2D_CACHE", "raw:0x16"},        {0, 0}};
/* Linux's generic names have no second level. On AMD, cache-references and cache-misses are the L2's (amd_zen tables in
 * arch/x86/events/amd/core.c). Elsewhere they are the last level's, so the L2 is left out unless board.ini names its
 * events. */
static const struct named amd[] = {{"CPU_CYCLES", "hw:cycles"},
                                   {"INST_RETIRED", "hw:instructions"},
                                   {"BR_MIS_PRED", "hw:branch-misses"},
                                   {"L1D_CACHE_REFILL", "cache:l1d.read.miss"},
                                   {"L2D_CACHE_REFILL", "hw:cache-misses"},
                                   {"L1D_CACHE", "cache:l1d.read.access"},
                                   {"L2D_CACHE", "hw:cache-references"},
                                   {0, 0}};
static const struct named generic[] = {{"CPU_CYCLES", "hw:cycles"},
                                       {"INST_RETIRED", "hw:instructions"},
                                       {"BR_MIS_PRED", "hw:branch-misses"},
                                       {"L1D_CACHE_REFILL", "cache:l1d.read.miss"},
                                       {"L1D_CACHE", "cache:l1d.read.access"},
                                       {0, 0}};

static void add(struct str *out, const char *name, uint32_t type, uint64_t config)
{
    str_addf(out, "%s%s=%u:0x%llx", out->len ? "," : "", name, (unsigned)type, (unsigned long long)config);
}

void events_spec(struct str *out, const struct board *b, const char *architecture, const char *vendor)
{
    for (size_t i = 0; i < b->n_events; i++)
        add(out, b->events[i].name, b->events[i].type, b->events[i].config);
    if (b->n_events)
        return;
    const struct named *n = target_has(target_find(architecture), TARGET_PMUV3) ? arm
                            : strcmp(vendor, "AuthenticAMD") == 0               ? amd
                                                                                : generic;
    for (; n->name; n++) {
        uint32_t type;
        uint64_t config;
        char *why;
        if (!event_parse(n->spec, &type, &config, &why))
            BUG("default event %s: %s", n->spec, why);
        add(out, n->name, type, config);
    }
}
