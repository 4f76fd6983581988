/* options.c - parses the instrumenter's options, from `irprof instrument`'s command line or from IRPROF_FLAGS. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/str.h"
#include "irprof/module/options.h"

static const char *const policies[SIM_REPLACEMENT_N] = {"lru", "fifo", "random", "plru"};

/* The index of the word of `length` bytes; n: it is none of them. */
static size_t word_number(const char *text, size_t length, const char *const words[], size_t n)
{
    size_t i = 0;
    while (i < n && !(strncmp(words[i], text, length) == 0 && !words[i][length]))
        i++;
    return i;
}

/* Reads a size up to a ':' or the end of the text. */
static bool read_bytes(const char **text, uint64_t *out)
{
    return parse_bytes(*text, out, text) && (!**text || **text == ':');
}

static bool read_number(const char **text, uint64_t *out)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    unsigned long long v = strtoull(*text, &end, 10);
    if (errno || v > UINT32_MAX || (*end && *end != ':'))
        return false;
    *out = v;
    *text = end;
    return true;
}

static bool read_colon(const char **text)
{
    return **text == ':' && *++*text;
}

/* Reads SIZE:WAYS:LINE[:POLICY]. */
static bool read_cache(struct sim_cache *c, const char *text)
{
    uint64_t ways, line;
    *c = (struct sim_cache){0};
    if (!read_bytes(&text, &c->size) || !read_colon(&text) || !read_number(&text, &ways) || !read_colon(&text) ||
        !read_number(&text, &line))
        return false;
    c->ways = (uint32_t)ways;
    c->line = (uint32_t)line;
    if (!*text)
        return true;
    c->replacement =
        read_colon(&text) ? word_number(text, strlen(text), policies, SIM_REPLACEMENT_N) : SIM_REPLACEMENT_N;
    return c->replacement != SIM_REPLACEMENT_N;
}

/* Default caches: Raspberry Pi 3. Cortex-A53 TRM (ARM DDI 0500), 2.1.6 and 2.1.7; the sizes are the BCM2837's. */
static void ask_for_memory(struct instrument_options *o)
{
    if (o->memory)
        return;
    o->memory = true;
    if (!read_cache(&o->levels.l1d, OPTIONS_L1D) || !read_cache(&o->levels.l2, OPTIONS_L2))
        BUG("the default caches cannot be read");
}

static enum status set_cache(struct sim_cache *c, const char *option, const char *value, struct error *e)
{
    struct sim_cache given = {0};
    if (strcmp(option, "--l2") == 0 && strcmp(value, "none") == 0) {
        *c = given;
        return OK;
    }
    if (!read_cache(&given, value))
        return usage_error(e,
                           "%s is '%s': it must be SIZE:WAYS:LINE or SIZE:WAYS:LINE:POLICY, like 32K:4:64:lru "
                           "(policies: lru, fifo, random, plru)",
                           option, value);
    const char *wrong = sim_cache_levels_check(&(struct sim_cache_levels){.l1d = given});
    if (wrong)
        return usage_error(e, "%s is '%s': %s", option, value, strchr(wrong, ' ') + 1);
    *c = given;
    return OK;
}

/* Reads STREAMS:TRIGGER:AHEAD[:STRIDE]. */
static bool read_prefetch(struct sim_prefetch_kind *kind, const char *text)
{
    uint64_t v[4] = {0, 0, 0, 1};
    size_t n = 0;
    for (bool more = true; more; n++) {
        if (n == 4 || !read_number(&text, &v[n]) || v[n] > UINT8_MAX)
            return false;
        more = *text;
        if (more && !read_colon(&text))
            return false;
    }
    *kind = (struct sim_prefetch_kind){(uint8_t)v[0], (uint8_t)v[1], (uint8_t)v[2], (uint8_t)v[3]};
    return n >= 3 && kind->streams;
}

static enum status set_prefetch(struct instrument_options *o, const char *value, struct error *e)
{
    struct sim_prefetch_kind kind = {0};
    if (strcmp(value, "none") != 0 && !read_prefetch(&kind, value))
        return usage_error(e,
                           "--prefetch is '%s': it must be STREAMS:TRIGGER:AHEAD or STREAMS:TRIGGER:AHEAD:STRIDE, like "
                           "2:2:5:4, or none",
                           value);
    const char *wrong = sim_prefetch_check(&kind);
    if (wrong)
        return usage_error(e, "--prefetch is '%s': %s", value, wrong);
    o->levels.prefetch = kind;
    return OK;
}

/* Reads one predictor, or several separated by commas. */
static enum status set_predictors(struct instrument_options *o, const char *value, struct error *e)
{
    o->n_predictors = 0;
    for (const char *text = value, *end; text; text = *end ? end + 1 : 0) {
        size_t length = strcspn(text, ",");
        end = text + length;
        if (o->n_predictors == INSTRUMENT_PREDICTORS_MAX)
            return usage_error(e, "--branches: there can be %d predictors at most", INSTRUMENT_PREDICTORS_MAX);
        const char *wrong = predictor_read(&o->predictors[o->n_predictors++], text, length);
        if (wrong)
            return usage_error(e, "--branches is '%.*s': %s", (int)length, text, wrong);
    }
    return OK;
}

/* Reads "known", "last" or "last:TARGETS". */
static enum status set_switches(struct instrument_options *o, const char *value, struct error *e)
{
    static const char last[] = "last";
    uint64_t targets = OPTIONS_TARGETS;
    const char *text = value + sizeof last - 1;
    o->switches_known = strcmp(value, "known") == 0;
    bool right = o->switches_known || strncmp(value, last, sizeof last - 1) == 0;
    if (right && !o->switches_known && *text)
        right = read_colon(&text) && read_number(&text, &targets) && !*text && targets <= OPTIONS_TARGETS_MAX;
    o->switches_given = true;
    o->targets = (uint32_t)targets;
    return right ? OK
                 : usage_error(e,
                               "--switches is '%s': it can be known, last or last:TARGETS, with 0 to %d entries in the "
                               "table of targets, like last:16",
                               value, OPTIONS_TARGETS_MAX);
}

static enum status set_choice(int *choice, const char *option, const char *value, const char *const words[], size_t n,
                              struct error *e)
{
    size_t i = word_number(value, strlen(value), words, n);
    if (i == n)
        return usage_error(e, n == 2 ? "%s is '%s': it can be %s or %s" : "%s is '%s': it can be %s, %s or %s", option,
                           value, words[0], words[1], words[n - 1]);
    *choice = (int)i;
    return OK;
}

static enum status set_windows(struct instrument_options *o, const char *value, struct error *e)
{
    if (!read_number(&value, &o->windows) || *value || !o->windows)
        return usage_error(e, "--windows must be a number of accesses from 1 to %u, like 100000", UINT32_MAX);
    return OK;
}

static enum status set_value(struct instrument_options *o, const char *option, const char *value, int *used,
                             struct error *e)
{
    static const char *const counters[] = {"thread", "atomic", "plain"}, *const placements[] = {"sparse", "plain"};
    int choice = 0;
    enum status s = OK;
    *used = 2;
    if (strcmp(option, "--counters") == 0) {
        s = set_choice(&choice, option, value, counters, IRPROF_COUNTERS_N, e);
        o->counters = s ? o->counters : (enum irprof_counters)choice;
    } else if (strcmp(option, "--placement") == 0) {
        s = set_choice(&choice, option, value, placements, 2, e);
        o->scheme = s ? o->scheme : (enum place_scheme)choice;
    } else if (strcmp(option, "--l1d") == 0 || strcmp(option, "--l2") == 0) {
        ask_for_memory(o);
        s = set_cache(strcmp(option, "--l2") == 0 ? &o->levels.l2 : &o->levels.l1d, option, value, e);
    } else if (strcmp(option, "--prefetch") == 0) {
        ask_for_memory(o);
        s = set_prefetch(o, value, e);
    } else if (strcmp(option, "--branches") == 0) {
        s = set_predictors(o, value, e);
    } else if (strcmp(option, "--switches") == 0) {
        s = set_switches(o, value, e);
    } else if (strcmp(option, "--spills") == 0) {
        o->spills = value;
    } else if (strcmp(option, "--windows") == 0) {
        s = set_windows(o, value, e);
    } else if (strcmp(option, "--steps") == 0) {
        o->steps = value;
    } else if (strcmp(option, "--instances") == 0) {
        o->instances = value;
    } else {
        *used = 0;
    }
    return s;
}

enum status instrument_option(struct instrument_options *o, const char *option, const char *value, int *used,
                              struct error *e)
{
    bool *const flags[] = {&o->cold_regions, &o->traffic, &o->by_thread, &o->sizes, &o->footprint};
    static const char *const names[] = {"--cold-regions", "--traffic", "--by-thread", "--sizes", "--footprint"};
    *used = strcmp(option, "--memory") == 0;
    if (*used)
        ask_for_memory(o);
    for (size_t i = 0; i < sizeof names / sizeof *names && !*used; i++) {
        *used = strcmp(option, names[i]) == 0;
        *flags[i] |= *used;
    }
    if (*used)
        return OK;
    return value ? set_value(o, option, value, used, e) : OK;
}

enum status instrument_options_check(const struct instrument_options *o, struct error *e)
{
    const char *wrong = o->memory ? sim_cache_levels_check(&o->levels) : 0;
    if (o->cold_regions && !o->memory && !o->n_predictors)
        wrong = "--cold-regions needs --memory or --branches: nothing else is simulated";
    if (o->switches_given && !o->n_predictors)
        wrong = "--switches needs --branches: without a predictor nothing is mispredicted";
    if (o->traffic && !(o->steps && *o->steps))
        wrong = "--traffic needs --steps FUNCTIONS: it records what is handed on within their calls";
    if (o->by_thread && o->counters != IRPROF_COUNTERS_THREAD)
        wrong = "--by-thread needs --counters thread: the others have one set of counters for all threads";
    return wrong ? usage_error(e, "%s", wrong) : OK;
}

uint32_t options_targets(const struct instrument_options *o)
{
    return o->switches_given ? o->targets : OPTIONS_TARGETS;
}

static void add_cache(struct str *text, const char *name, const struct sim_cache *c)
{
    str_addf(text, "%s=%llu:%u:%u:%s", name, (unsigned long long)c->size, c->ways, c->line, policies[c->replacement]);
}

void options_describe(struct str *text, const struct instrument_options *o)
{
    if (o->memory)
        add_cache(text, "l1d", &o->levels.l1d);
    if (o->memory && o->levels.l2.size)
        add_cache(text, " l2", &o->levels.l2);
    const struct sim_prefetch_kind *prefetch = &o->levels.prefetch;
    if (o->memory && prefetch->streams)
        str_addf(text, " prefetch=%u:%u:%u:%u", prefetch->streams, prefetch->trigger, prefetch->ahead,
                 prefetch->stride);
    for (size_t i = 0; i < o->n_predictors; i++) {
        str_add(text, i ? "," : text->len ? " branches=" : "branches=");
        predictor_describe(text, &o->predictors[i]);
    }
    if (o->n_predictors && o->switches_known)
        str_add(text, " switches=known");
    else if (o->n_predictors && options_targets(o) != OPTIONS_TARGETS)
        str_addf(text, " switches=last:%u", options_targets(o));
    if (o->cold_regions)
        str_add(text, " regions=cold");
    if (o->windows)
        str_addf(text, "%swindows=%llu", text->len ? " " : "", (unsigned long long)o->windows);
}
