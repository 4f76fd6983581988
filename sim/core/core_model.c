/* core_model.c - reads a model file: tables of keys, unknown figures, and values derived from them. */
#include "sim/core/core_model.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ini.h"
#include "base/str.h"

enum kind { COUNT, COUNT8, COUNT32, CYCLES, SIZE, SIZE32, PICOSECONDS_OF_NS, HERTZ, TEXT, REPLACEMENT, SCHEME, UNSEEN };

struct key {
    const char *section, *key;
    enum kind kind;
    size_t offset;
    double least, most;
    double free; /* the value that costs nothing; used where the file says "unknown" */
};
#define AT_(member)        offsetof(struct iss_model, member)
#define IN_(cache, member) ((cache) + offsetof(struct iss_cache_model, member))
#define CACHE(section, cache)                                                                                          \
    {(section), "size", SIZE, IN_(cache, geometry.size), 64, 1 << 26, 1 << 15},                                        \
        {(section), "ways", COUNT32, IN_(cache, geometry.ways), 1, 64, 1},                                             \
        {(section), "line", SIZE32, IN_(cache, geometry.line), SIM_LINE_MIN, SIM_LINE_MAX, 64},                        \
        {(section), "replacement", REPLACEMENT, IN_(cache, geometry.replacement), 0, 0, 0},                            \
        {(section), "latency", CYCLES, IN_(cache, latency), 0, 10000, 0},                                              \
    {                                                                                                                  \
        (section), "pitch", CYCLES, IN_(cache, pitch), 0, 10000, 0                                                     \
    }

static const struct key keys[] = {
    {"model", "name", TEXT, AT_(name), 0, 0, 0},
    {"model", "architecture", TEXT, AT_(architecture), 0, 0, 0},
    {"model", "clock_hz", HERTZ, AT_(clock_hz), 1e6, 1e11, 0},
    {"origin", "source", TEXT, AT_(origin.source), 0, 0, 0},
    {"origin", "values", TEXT, AT_(origin.values), 0, 0, 0},
    {"origin", "measured", TEXT, AT_(origin.measured), 0, 0, 0},
    {"origin", "version", TEXT, AT_(origin.version), 0, 0, 0},
    {"origin", "shared", TEXT, AT_(origin.shared), 0, 0, 0},
    {"origin", "order", TEXT, AT_(origin.order), 0, 0, 0},
    {"origin", "filled", TEXT, AT_(origin.filled), 0, 0, 0},
    {"origin", "target", TEXT, AT_(origin.target), 0, 0, 0},
    {"origin", "cpu", TEXT, AT_(origin.cpu), 0, 0, 0},
    {"origin", "interval_unoptimised", TEXT, AT_(origin.interval_unoptimised), 0, 0, 0},
    {"origin", "interval_optimised", TEXT, AT_(origin.interval_optimised), 0, 0, 0},
    {"issue", "width", COUNT, AT_(width), 1, 16, 0},
    {"issue", "write_back", CYCLES, AT_(write_back_latency), 0, 64, 0},
    {"fetch", "bytes", SIZE, AT_(fetch.bytes), 2, 64, 64},
    {"fetch", "queue", COUNT, AT_(fetch.queue), 1, 64, 64},
    {"fetch", "taken", CYCLES, AT_(fetch.taken), 0, 64, 0},
    {"fetch", "same_taken", CYCLES, AT_(fetch.same_taken), 0, 64, 0},
    {"fetch", "jump_register", CYCLES, AT_(fetch.jump_register), 0, 64, 0},
    {"fetch", "call_register", CYCLES, AT_(fetch.call_register), 0, 64, 0},
    {"fetch", "return", CYCLES, AT_(fetch.back), 0, 64, 0},
    {"fetch", "mispredicted", CYCLES, AT_(fetch.mispredicted), 0, 64, 0},
    {"fetch", "next_line", CYCLES, AT_(fetch.next_line), 0, 1000, 0},
    {"fetch", "whole", COUNT, AT_(fetch.whole), 0, 1, 0},
    {"predictor", "scheme", SCHEME, AT_(predictor.kind.scheme), 0, 0, 0},
    {"predictor", "entries", COUNT, AT_(predictor.entries), 1, 1 << 20, 4096},
    {"predictor", "history", COUNT32, AT_(predictor.kind.history_bits), 0, 20, 0},
    {"predictor", "address", COUNT, AT_(predictor.address), 0, 20, 0},
    {"predictor", "unseen", UNSEEN, AT_(predictor.unseen), 0, 0, 0},
    {"predictor", "targets", COUNT, AT_(predictor.targets), 0, 1 << 16, 0},
    {"predictor", "returns", COUNT, AT_(predictor.returns), 0, 64, 0},
    CACHE("l1i", AT_(l1i)),
    CACHE("l1d", AT_(l1d)),
    CACHE("l2", AT_(l2)),
    {"memory", "latency_ns", PICOSECONDS_OF_NS, AT_(memory.latency_ps), 0, 1e5, 0},
    {"memory", "pitch_ns", PICOSECONDS_OF_NS, AT_(memory.pitch_ps), 0, 1e5, 0},
    {"data", "outstanding", COUNT, AT_(data.outstanding), 1, 16, 16},
    {"data", "granule", SIZE, AT_(data.granule), 4, 64, 64},
    {"data", "load_split", CYCLES, AT_(data.load_split), 0, 1000, 0},
    {"data", "load_split_most", CYCLES, AT_(data.load_split_most), 0, 1000, 0},
    {"data", "load_split_busy", CYCLES, AT_(data.load_split_busy), 0, 1000, 0},
    {"data", "store_split_busy", CYCLES, AT_(data.store_split_busy), 0, 1000, 0},
    {"data", "forward", CYCLES, AT_(data.forward), 0, 64, 0},
    {"data", "forward_wide", CYCLES, AT_(data.forward_wide), 0, 64, 0},
    {"data", "forward_split", CYCLES, AT_(data.forward_split), 0, 64, 0},
    {"data", "store_buffer", COUNT, AT_(data.store_buffer), 1, 16, 16},
    {"data", "streams", COUNT8, AT_(data.prefetch.streams), 0, SIM_STREAMS_MAX, 0},
    {"data", "trigger", COUNT8, AT_(data.prefetch.trigger), 1, SIM_TRIGGER_MAX, 1},
    {"data", "ahead", COUNT8, AT_(data.prefetch.ahead), 0, SIM_AHEAD_MAX, 0},
    {"data", "stride", COUNT8, AT_(data.prefetch.stride), 1, SIM_STRIDE_MAX, 1},
    {"data", "no_allocate", COUNT, AT_(data.no_allocate), 0, 1 << 20, 0},
    {"data", "pieces", COUNT, AT_(data.pieces), 0, 1, 0},
    {"flash", "wait_states", CYCLES, AT_(flash.wait_states), 0, 64, 0},
    {"flash", "bytes", SIZE, AT_(flash.bytes), 4, 256, 16},
    {"flash", "prefetch", COUNT, AT_(flash.prefetch), 0, 1, 0},
    {"flash", "lines", COUNT, AT_(flash.lines), 0, ISS_FLASH_LINES, 0},
    {"flash", "data_lines", COUNT, AT_(flash.data_lines), 0, ISS_FLASH_LINES, 0},
    {"tlb", "micro", COUNT, AT_(tlb.micro), 0, 64, 0},
    {"tlb", "micro_miss", CYCLES, AT_(tlb.micro_miss), 0, 1000, 0},
    {"tlb", "entries", COUNT, AT_(tlb.entries), 0, 1 << 16, 0},
    {"tlb", "ways", COUNT, AT_(tlb.ways), 1, 64, 1},
    {"tlb", "walk", CYCLES, AT_(tlb.walk), 0, 10000, 0},
    {"window", "reorder", COUNT, AT_(window.reorder), 1, ISS_REORDER, ISS_REORDER},
    {"window", "scheduler", COUNT, AT_(window.scheduler), 1, ISS_QUEUED, ISS_QUEUED},
    {"window", "loads", COUNT, AT_(window.loads), 1, ISS_QUEUED, ISS_QUEUED},
    {"window", "stores", COUNT, AT_(window.stores), 1, ISS_QUEUED, ISS_QUEUED},
    {"window", "retire", COUNT, AT_(window.retire), 1, 64, 64},
    {"window", "fuses", COUNT, AT_(window.fuses), 0, 1, 0},
    {"window", "forward", CYCLES, AT_(window.forward), 0, 64, 0},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

const char *const iss_issue_names[] = {"any", "first", "last", "alone", 0};
const char *const iss_unit_names[ISS_UNIT_N] = {"none",
#define X(id, name) name,
                                                ISS_UNITS(X)
#undef X
};

struct reader {
    struct iss_model *m;
    const struct ini *ini;
    const struct ini_entry *at;
    bool seen[KEYS];
    struct error *e;
};

static enum status refuse(const struct reader *r, const char *what)
{
    return error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line), "[%s] %s = %s: %s", r->at->section, r->at->key,
                     r->at->value, what);
}

static enum status in_range(const struct reader *r, double value, double least, double most)
{
    if (value < least || value > most)
        return error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line), "[%s] %s = %s: it must be %g to %g",
                         r->at->section, r->at->key, r->at->value, least, most);
    return OK;
}

static enum status number(const struct reader *r, double least, double most, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(r->at->value, &end);
    if (end == r->at->value || errno || !isfinite(*value))
        return refuse(r, "a number is wanted");
    if (*end)
        return refuse(r, "only a number is allowed; put comments on a line of their own");
    return in_range(r, *value, least, most);
}

static enum status whole(const struct reader *r, double least, double most, int64_t *value)
{
    double v;
    *value = 0;
    enum status s = number(r, least, most, &v);
    if (s != OK)
        return s;
    if (v != floor(v))
        return refuse(r, "a whole number is wanted");
    *value = (int64_t)v;
    return s;
}

static enum status size(const struct reader *r, double least, double most, int64_t *value)
{
    uint64_t bytes;
    *value = 0;
    if (!parse_bytes(r->at->value, &bytes, 0))
        return refuse(r, "only a size is allowed, such as 64, 32K or 1M; put comments on a line of their own");
    enum status s = in_range(r, (double)bytes, least, most);
    *value = s ? 0 : (int64_t)bytes;
    return s;
}

/* Parses one of `words`, a list that ends with NULL, and returns its index. */
static enum status word(const struct reader *r, const char *const *words, int64_t *value)
{
    struct str all = STR_INIT;
    for (*value = 0; words[*value]; ++*value) {
        if (strcmp(words[*value], r->at->value) == 0)
            break;
        str_addf(&all, "%s%s", *value ? ", " : "", words[*value]);
    }
    enum status s = OK;
    if (!words[*value])
        s = error_set(r->e, ERR_INPUT, AT(r->ini->path, r->at->line), "[%s] %s = %s: say one of %s", r->at->section,
                      r->at->key, r->at->value, all.s);
    str_release(&all);
    return s;
}

static void put_number(const struct key *k, char *to, int64_t v)
{
    if (k->kind == COUNT8)
        *(uint8_t *)to = (uint8_t)v;
    else if (k->kind == COUNT32 || k->kind == SIZE32)
        *(uint32_t *)(void *)to = (uint32_t)v;
    else
        *(int64_t *)(void *)to = v;
}

/* Keys that apply to few cores. A file need not contain them. */
static bool is_rare(const struct key *k)
{
    return strcmp(k->section, "flash") == 0 || strcmp(k->key, "whole") == 0 || strcmp(k->key, "pieces") == 0;
}

/* Figures of the pipeline itself must be known: a model without them would say nothing. */
static bool may_be_unknown(const struct key *k)
{
    return k->kind != TEXT && strcmp(k->section, "issue") != 0 && !is_rare(k);
}

/* An unknown figure gets the value that costs nothing. An unknown word of an enumeration keeps the first one, which is
 * 0. */
static void take_unknown(struct reader *r, const struct key *k)
{
    struct iss_model *m = r->m;
    if (k->kind != REPLACEMENT && k->kind != SCHEME)
        put_number(k, (char *)m + k->offset, (int64_t)k->free);
    m->unknown = xreallocarray(m->unknown, m->n_unknown + 1, sizeof *m->unknown);
    m->unknown[m->n_unknown++] = xasprintf("[%s] %s", k->section, k->key);
}

static enum status plain_key(struct reader *r, const struct key *k)
{
    static const char *const replacements[] = {"lru", "fifo", "random", "plru", 0};
    static const char *const schemes[] = {"bimodal", "gshare", "none", 0};
    static const char *const unseen[] = {"not_taken", "taken", "backwards", 0};
    char *to = (char *)r->m + k->offset;
    int64_t v = 0;
    double d = 0;
    enum status s = OK;
    if (may_be_unknown(k) && strcmp(r->at->value, "unknown") == 0) {
        take_unknown(r, k);
        return OK;
    }
    switch (k->kind) {
    case TEXT:
        *(char **)(void *)to = xstrdup(r->at->value);
        return OK;
    case REPLACEMENT:
        s = word(r, replacements, &v);
        *(enum sim_replacement *)(void *)to = (enum sim_replacement)v;
        return s;
    case SCHEME:
        s = word(r, schemes, &v);
        r->m->predictor.none = !s && v == 2;
        *(enum sim_predictor_scheme *)(void *)to = v == 1 ? SIM_GSHARE : SIM_BIMODAL;
        return s;
    case UNSEEN:
        s = word(r, unseen, &v);
        break;
    case PICOSECONDS_OF_NS:
        s = number(r, k->least, k->most, &d);
        v = (int64_t)(d * 1000 + 0.5);
        break;
    default:
        s = k->kind == SIZE || k->kind == SIZE32 ? size(r, k->least, k->most, &v) : whole(r, k->least, k->most, &v);
    }
    put_number(k, to, v);
    return s;
}

/* ---- sections of classes: [fp_add], [fp_add.32] ---- */

struct class_key {
    const char *key;
    size_t offset, size;
    double least, most;
};
#define MEMBER(key, member, least, most)                                                                               \
    {                                                                                                                  \
        key, offsetof(struct iss_timing, member), sizeof(((struct iss_timing *)0)->member), least, most                \
    }
static const struct class_key class_keys[] = {
    MEMBER("latency", latency, 0, 1000),
    MEMBER("latency2", latency2, 0, 1000),
    MEMBER("take", take, 1, ISS_UNIT_COPIES),
    MEMBER("busy", busy, 1, 1000),
    MEMBER("repeat", repeat, 0, 1000),
    MEMBER("late", late, 0, 16),
    MEMBER("hold", hold, 0, 1000),
    MEMBER("divide_base", divide_base, 0, 1000),
    MEMBER("divide_bits", divide_bits, 1, 64),
    MEMBER("divide_max", divide_max, 0, 1000),
    MEMBER("drains", drains, 0, 1),
    MEMBER("hold_load", hold_load, 0, 1000),
    MEMBER("hold_store", hold_store, 0, 1000),
    MEMBER("folds", folds, 0, 1),
    MEMBER("predicated", predicated, 0, 1),
    MEMBER("slots", slots, 0, 255),
};

static enum status unit_key(struct reader *r, uint8_t *unit)
{
    for (int u = 1; u < ISS_UNIT_N; u++)
        if (strcmp(r->at->value, iss_unit_names[u]) == 0) {
            if (!r->m->units[u])
                return refuse(r, "the model has no such unit; give their number in [units], above");
            *unit = (uint8_t)u;
            return OK;
        }
    if (strcmp(r->at->value, iss_unit_names[ISS_UNIT_NONE]) != 0)
        return refuse(r, "no such unit");
    *unit = ISS_UNIT_NONE; /* may have been set by `like`, or by the class without ".32" */
    return OK;
}

static int index_of(const char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* Parses "0 1 5, 4 x2": one operation on any of three ports, and one that occupies port 4 for two cycles. */
static enum status ports_key(const struct reader *r, struct iss_timing *t)
{
    const char *at = r->at->value;
    char *end;
    memset(t->use, 0, sizeof t->use);
    for (t->n_uses = 0; t->n_uses < ISS_USES; at++) {
        struct iss_use *use = &t->use[t->n_uses++];
        for (use->busy = 1; *at && *at != ','; at = end) {
            bool cycles = at[strspn(at, " ")] == 'x';
            at += cycles ? strspn(at, " ") + 1 : 0;
            long n = strtol(at, &end, 10);
            if (end == at || n < cycles || n >= (cycles ? 1000 : ISS_PORTS))
                return refuse(r, "ports are numbers from 0 to 63, with commas between operations; x2: for two cycles");
            if (cycles)
                use->busy = n;
            else
                use->ports |= UINT64_C(1) << n;
            end += strspn(end, " ");
        }
        if (!use->ports)
            return refuse(r, "an operation has no port");
        if (!*at)
            return OK;
    }
    return refuse(r, "at most four operations");
}

enum { UNSET = INT16_MIN };

static void timing_init(struct iss_timing *t)
{
    memset(t, 0, sizeof *t);
    t->latency = t->latency2 = t->hold_load = t->hold_store = UNSET;
    t->take = 1;
    t->busy = 1;
    t->slots = 1;
    for (int i = 0; i < ISS_NEED_N; i++)
        t->after[i] = t->after2[i] = UNSET;
}

static enum status class_number(const struct reader *r, struct iss_timing *t, const struct class_key *k)
{
    int64_t v;
    enum status s = whole(r, k->least, k->most, &v);
    if (k->size == 1)
        *((uint8_t *)t + k->offset) = (uint8_t)v;
    else
        *(int16_t *)(void *)((char *)t + k->offset) = (int16_t)v;
    return s;
}

static enum status class_key(struct reader *r, struct iss_timing *t, bool *defined)
{
    static const char *const chains[] = {"none", "load", "store", "load_alone", 0};
    const char *key = r->at->key;
    int64_t v;
    enum status s;
    if (strcmp(key, "like") == 0) {
        int like = index_of(iss_class_names, ISS_CLASS_N, r->at->value);
        if (like < 0)
            return refuse(r, "no such class of instructions");
        if (!defined[like])
            return refuse(r, "that class has not been described before this line");
        *t = r->m->timing[like];
        return OK;
    }
    if (strcmp(key, "unit") == 0)
        return unit_key(r, &t->unit);
    if (strcmp(key, "second_unit") == 0)
        return unit_key(r, &t->second_unit);
    if (strcmp(key, "ports") == 0)
        return ports_key(r, t);
    if (strcmp(key, "issue") == 0) {
        s = word(r, iss_issue_names, &v);
        t->issue = (uint8_t)v;
        return s;
    }
    if (strcmp(key, "chain") == 0) {
        s = word(r, chains, &v);
        t->chain = (uint8_t)v;
        return s;
    }
    if (!strncmp(key, "to_", 3)) {
        int need = index_of(iss_need_names, ISS_NEED_N, key + 3);
        if (need < 0)
            return refuse(r, "no such need");
        s = whole(r, -64, 1000, &v);
        t->after[need] = (int16_t)v;
        return s;
    }
    for (size_t i = 0; i < sizeof class_keys / sizeof class_keys[0]; i++)
        if (strcmp(key, class_keys[i].key) == 0)
            return class_number(r, t, &class_keys[i]);
    return refuse(r, "unknown key");
}

/* The class that a section describes; *narrow: its 32-bit form. -1: the section is not about a class. */
static int class_of(const char *section, bool *narrow)
{
    size_t n = strlen(section);
    *narrow = n > 3 && strcmp(section + n - 3, ".32") == 0;
    for (int c = 0; c < ISS_CLASS_N; c++)
        if (strlen(iss_class_names[c]) == n - (*narrow ? 3 : 0) &&
            !strncmp(section, iss_class_names[c], strlen(iss_class_names[c])))
            return c;
    return -1;
}

/* Can `name` have an interval? Figures and the units of classes can. */
static bool has_interval(const struct iss_model *m, const char *name)
{
    int64_t value;
    bool narrow, found = iss_model_value(m, name, &value);
    const char *dot = strrchr(name, '.');
    if (found || !dot || strcmp(dot, ".unit") != 0)
        return found;
    char *section = xstrndup(name, (size_t)(dot - name));
    found = class_of(section, &narrow) >= 0;
    free(section);
    return found;
}

/* Parses "LOW HIGH". */
static bool bounds(const char *text, struct iss_interval *v)
{
    char *end;
    errno = 0;
    v->low = strtoll(text, &end, 10);
    if (end == text || *end != ' ')
        return false;
    text = end;
    v->high = strtoll(text, &end, 10);
    return end != text && !*end && !errno && v->high >= v->low;
}

/* Parses the two bounds, or "not observable". */
static enum status interval(struct reader *r)
{
    struct iss_interval v = {.observable = strcmp(r->at->value, "not observable") != 0};
    if (!has_interval(r->m, r->at->key))
        return refuse(r, "no figure has this name; say SECTION.KEY of this format, CLASS.unit or CLASS.to_NEED");
    if (v.observable && !bounds(r->at->value, &v))
        return refuse(r, "say the lowest and the highest value, or 'not observable'");
    v.key = xstrdup(r->at->key);
    r->m->intervals = xreallocarray(r->m->intervals, r->m->n_intervals + 1, sizeof v);
    r->m->intervals[r->m->n_intervals++] = v;
    return OK;
}

static enum status assumed_key(struct reader *r, bool *assumed)
{
    int64_t v = 0;
    enum status s = whole(r, 0, 1, &v);
    *assumed = v != 0;
    return s;
}

static enum status entry(struct reader *r, bool *defined, bool *defined32)
{
    const char *section = r->at->section, *key = r->at->key;
    for (int i = 0; i < KEYS; i++)
        if (strcmp(section, keys[i].section) == 0 && strcmp(key, keys[i].key) == 0) {
            r->seen[i] = true;
            return plain_key(r, &keys[i]);
        }
    if (strcmp(section, "interval") == 0)
        return interval(r);
    if (strcmp(section, "units") == 0) {
        int unit = index_of(iss_unit_names, ISS_UNIT_N, key);
        return unit > 0 ? whole(r, 0, ISS_UNIT_COPIES, &r->m->units[unit]) : refuse(r, "no such unit");
    }
    if (strcmp(section, "need") == 0) {
        int need = index_of(iss_need_names, ISS_NEED_N, key);
        int64_t v = 0;
        enum status s = need >= 0 ? whole(r, -64, 64, &v) : refuse(r, "no such need");
        if (s == OK)
            r->m->need[need] = (int16_t)v;
        return s;
    }
    bool narrow;
    int c = class_of(section, &narrow);
    if (c < 0)
        return refuse(r, "unknown section or key");
    struct iss_timing *t = narrow ? &r->m->timing32[c] : &r->m->timing[c];
    if (narrow && !defined[c])
        return refuse(r, "the class has not been described without .32 before this line");
    if (narrow && !defined32[c])
        *t = r->m->timing[c];
    (narrow ? defined32 : defined)[c] = true;
    if (!narrow && strcmp(key, "assumed") == 0)
        return assumed_key(r, &r->m->assumed[c]);
    if (!narrow)
        r->m->like[c] =
            strcmp(key, "like") == 0 ? (uint8_t)(1 + index_of(iss_class_names, ISS_CLASS_N, r->at->value)) : 0;
    return class_key(r, t, defined);
}

/* Derives each need that has no figure of its own from the latency. */
static void complete(const struct iss_model *m, struct iss_timing *t)
{
    if (t->latency == UNSET)
        t->latency = 1;
    if (t->latency2 == UNSET)
        t->latency2 = t->latency;
    if (t->hold_load == UNSET)
        t->hold_load = t->hold;
    if (t->hold_store == UNSET)
        t->hold_store = t->hold;
    for (int i = 0; i < ISS_NEED_N; i++) {
        if (t->after[i] == UNSET)
            t->after[i] = (int16_t)(t->latency + m->need[i]);
        t->after2[i] = (int16_t)(t->after[i] + t->latency2 - t->latency);
    }
}

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words;
}

/* Does the file contain any key of these sections? */
static bool speaks_of(const struct reader *r, const char *const *sections)
{
    for (int i = 0; i < KEYS; i++)
        if (r->seen[i] && is_one_of(keys[i].section, sections))
            return true;
    return false;
}

/* Optional keys that are absent get the value that costs nothing. The keys of caches, of the flash and of the window
 * must be given all or not at all. Without prediction, other keys of predictors are not needed. Without a window the
 * core issues in order. */
static enum status find_missing(struct reader *r)
{
    static const char *const caches[] = {"l1i", "l1d", "l2", "memory", "tlb", 0}, *const flash[] = {"flash", 0},
                             *const window[] = {"window", 0};
    struct iss_model *m = r->m;
    m->no_caches = !speaks_of(r, caches);
    bool no_flash = !speaks_of(r, flash), in_order = !speaks_of(r, window);
    for (int i = 0; i < KEYS; i++) {
        const struct key *k = &keys[i];
        bool of_flash = is_one_of(k->section, flash);
        if (r->seen[i] || strcmp(k->section, "origin") == 0 || (in_order && is_one_of(k->section, window)))
            continue;
        if (of_flash ? !no_flash
                     : !is_rare(k) && !(m->no_caches && is_one_of(k->section, caches)) &&
                           !(m->predictor.none && strcmp(k->section, "predictor") == 0))
            return error_set(r->e, ERR_INPUT, AT_FILE(r->ini->path), "[%s] %s is missing", k->section, k->key);
        if (k->kind != REPLACEMENT && k->kind != SCHEME)
            put_number(k, (char *)m + k->offset, (int64_t)k->free);
    }
    return OK;
}

/* A class without a section costs what [unknown] says; a 32-bit form without one costs what the class does. */
static void fill_classes(struct iss_model *m, const bool *defined, const bool *defined32)
{
    for (int c = 0; c < ISS_CLASS_N; c++) {
        if (!defined[c]) {
            m->timing[c] = m->timing[ISS_UNKNOWN];
            m->like[c] = 1 + ISS_UNKNOWN;
        }
        if (!defined32[c])
            m->timing32[c] = m->timing[c];
    }
    for (int c = 0; c < ISS_CLASS_N; c++) {
        complete(m, &m->timing[c]);
        complete(m, &m->timing32[c]);
        m->predicates |= m->timing[c].predicated || m->timing32[c].predicated;
    }
}

static enum status check_classes(const struct reader *r)
{
    const struct iss_model *m = r->m;
    for (int c = 0; c < ISS_CLASS_N; c++)
        if (m->timing[c].take > m->units[m->timing[c].unit] && m->timing[c].unit)
            return error_set(r->e, ERR_INPUT, AT_FILE(r->ini->path), "[%s] takes more than there is of its unit",
                             iss_class_names[c]);
    for (int c = 0; c < ISS_CLASS_N; c++) {
        bool ports = m->timing[c].n_uses || m->timing32[c].n_uses, units = m->timing[c].unit || m->timing32[c].unit;
        if (m->window.reorder ? units : ports)
            return error_set(r->e, ERR_INPUT, AT_FILE(r->ini->path),
                             m->window.reorder ? "[%s] has a unit: a core with [window] has ports"
                                               : "[%s] has ports: without [window] a core has units",
                             iss_class_names[c]);
    }
    return OK;
}

static enum status check_caches(const struct reader *r)
{
    const struct iss_model *m = r->m;
    struct {
        const char *name;
        const struct sim_cache *geometry;
    } caches[] = {{"l1i", &m->l1i.geometry}, {"l1d", &m->l1d.geometry}, {"l2", &m->l2.geometry}};
    for (int i = 0; i < 3; i++) {
        const char *fault = sim_cache_levels_check(&(struct sim_cache_levels){.l1d = *caches[i].geometry});
        if (fault)
            return error_set(r->e, ERR_INPUT, AT_FILE(r->ini->path), "[%s] %s", caches[i].name,
                             fault + strlen("l1d: "));
    }
    if (m->l1i.geometry.line != m->l1d.geometry.line || m->l2.geometry.line != m->l1d.geometry.line)
        return error_set(r->e, ERR_INPUT, AT_FILE(r->ini->path), "the lines of all caches must be of one length");
    return OK;
}

/* Figures that follow from those in the file. The last checks need some of them. */
static enum status derive(struct reader *r)
{
    struct iss_model *m = r->m;
    for (int i = 0; i < ISS_NEED_N; i++)
        m->write_back[i] = (int16_t)(m->write_back_latency + m->need[i]);
    for (m->predictor.kind.table_bits = 1; 1 << m->predictor.kind.table_bits < m->predictor.entries;)
        m->predictor.kind.table_bits++;
    const char *fault = sim_predictor_check(&m->predictor.kind);
    if (fault)
        return error_set(r->e, ERR_INPUT, AT_FILE(r->ini->path), "[predictor] %s", fault);
    if (m->flash.bytes & (m->flash.bytes - 1))
        return error_set(r->e, ERR_INPUT, AT_FILE(r->ini->path), "[flash] bytes is not a power of two");
    if (m->tlb.entries % m->tlb.ways)
        return error_set(r->e, ERR_INPUT, AT_FILE(r->ini->path), "[tlb] entries is not a multiple of ways");
    m->memory_latency = (int64_t)((double)m->memory.latency_ps * (double)m->clock_hz / 1e12 + 0.5);
    m->memory_pitch = (int64_t)((double)m->memory.pitch_ps * (double)m->clock_hz / 1e12 + 0.5);
    return OK;
}

static enum status finish(struct reader *r, const bool *defined, const bool *defined32)
{
    enum status s = find_missing(r);
    if (!s && !defined[ISS_UNKNOWN])
        s = error_set(r->e, ERR_INPUT, AT_FILE(r->ini->path),
                      "[unknown] is missing: what an instruction that has no section of its own costs");
    if (s)
        return s;
    fill_classes(r->m, defined, defined32);
    s = check_classes(r);
    if (!s)
        s = check_caches(r);
    return s ? s : derive(r);
}

enum status iss_model_read(struct iss_model **out, const char *path, struct error *e)
{
    struct ini *ini;
    enum status s = ini_read(&ini, path, e);
    if (s != OK)
        return s;
    struct reader r = {.m = xcalloc(1, sizeof *r.m), .ini = ini, .e = e};
    bool defined[ISS_CLASS_N] = {0}, defined32[ISS_CLASS_N] = {0};
    for (int c = 0; c < ISS_CLASS_N; c++)
        timing_init(&r.m->timing[c]);
    for (size_t i = 0; s == OK && i < ini->n; i++) {
        r.at = &ini->entries[i];
        s = entry(&r, defined, defined32);
    }
    if (s == OK)
        s = finish(&r, defined, defined32);
    ini_free(ini);
    *out = s == OK ? r.m : 0;
    if (s != OK)
        iss_model_free(r.m);
    return s;
}

/* ---- unknown figures, and where the others come from ---- */

enum status iss_model_complete(const struct iss_model *m, const char *path, struct error *e)
{
    if (!m->n_unknown)
        return OK;
    char *all = iss_model_unknown(m);
    enum status s = error_set(e, ERR_INPUT, AT_FILE(path),
                              "a simulation needs figures that are unknown here: %s; write them into the file, or take "
                              "them from a board: 'shimgen core ... --like BOARD'",
                              all);
    free(all);
    return s;
}

/* Does the key count as a figure of every core? Those of the window do not. */
static bool is_figure(const struct key *k)
{
    return may_be_unknown(k) && strcmp(k->section, "window") != 0;
}

size_t iss_model_figures(void)
{
    size_t n = 0;
    for (size_t i = 0; i < KEYS; i++)
        n += is_figure(&keys[i]);
    return n;
}

bool iss_model_may_lack(const char *section, const char *key)
{
    for (size_t i = 0; i < KEYS; i++)
        if (strcmp(keys[i].section, section) == 0 && strcmp(keys[i].key, key) == 0)
            return may_be_unknown(&keys[i]);
    return false;
}

const char *iss_model_figure(size_t i, const char **section)
{
    size_t at = 0;
    while (at < KEYS && (!is_figure(&keys[at]) || i--))
        at++;
    *section = at < KEYS ? keys[at].section : NULL;
    return at < KEYS ? keys[at].key : NULL;
}

static int64_t number_at(const struct key *k, const struct iss_model *m)
{
    const char *at = (const char *)m + k->offset;
    if (k->kind == COUNT8)
        return *(const uint8_t *)at;
    if (k->kind == COUNT32 || k->kind == SIZE32)
        return *(const uint32_t *)(const void *)at;
    if (k->kind == REPLACEMENT)
        return (int64_t) * (const enum sim_replacement *)(const void *)at;
    if (k->kind == SCHEME)
        return (int64_t) * (const enum sim_predictor_scheme *)(const void *)at;
    return *(const int64_t *)(const void *)at;
}

/* By how much a division with quotient 0 is shorter than one with an unknown quotient. */
static int64_t shortest(const struct iss_timing *t)
{
    return t->divide_bits ? t->divide_base - t->latency : 0;
}

/* Hundredths of a cycle that an instruction of the class takes in a stream, by ports alone. */
static int64_t stream_of(const struct iss_timing *t)
{
    int64_t slowest = 0;
    for (unsigned i = 0; i < t->n_uses; i++) {
        int64_t n = __builtin_popcountll(t->use[i].ports), cycles = n ? (100 * t->use[i].busy + n / 2) / n : 0;
        slowest = cycles > slowest ? cycles : slowest;
    }
    return slowest;
}

static bool class_value(const struct iss_timing *t, const char *key, int64_t *value)
{
    if (strncmp(key, "to_", 3) == 0) {
        int need = index_of(iss_need_names, ISS_NEED_N, key + 3);
        *value = need < 0 ? 0 : t->after[need] + shortest(t);
        return need >= 0;
    }
    if (strcmp(key, "stream") == 0)
        *value = stream_of(t);
    else if (strcmp(key, "latency2") == 0)
        *value = t->latency2 - t->latency;
    else if (strcmp(key, "busy") == 0)
        *value = t->busy + shortest(t);
    else if (strcmp(key, "late") == 0)
        *value = t->late;
    else if (strcmp(key, "hold") == 0)
        *value = t->hold;
    else if (strcmp(key, "drains") == 0)
        *value = t->drains;
    else if (strcmp(key, "predicated") == 0)
        *value = t->predicated;
    else if (strcmp(key, "divide_bits") == 0)
        *value = t->divide_bits;
    else if (strcmp(key, "divide_max") == 0)
        *value = t->divide_max;
    else
        return false;
    return true;
}

bool iss_model_value(const struct iss_model *m, const char *name, int64_t *value)
{
    const char *dot = strrchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : 0;
    for (size_t i = 0; dot && i < KEYS; i++)
        if (keys[i].kind != TEXT && strlen(keys[i].section) == length && !strncmp(keys[i].section, name, length) &&
            strcmp(keys[i].key, dot + 1) == 0) {
            *value = number_at(&keys[i], m);
            return true;
        }
    char *section = dot ? xstrndup(name, length) : NULL;
    bool narrow, found = false;
    int c = section ? class_of(section, &narrow) : -1;
    if (c >= 0)
        found = class_value(narrow ? &m->timing32[c] : &m->timing[c], dot + 1, value);
    free(section);
    return found;
}

/* Number of keys in a section that may be unknown. */
static size_t figures_of(const char *section, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < KEYS; i++)
        n += may_be_unknown(&keys[i]) && strlen(keys[i].section) == length && !memcmp(keys[i].section, section, length);
    return n;
}

char *iss_model_unknown(const struct iss_model *m)
{
    struct str text = STR_INIT;
    for (size_t i = 0, next; i < m->n_unknown; i = next) {
        size_t length = strcspn(m->unknown[i], "]") + 1;
        for (next = i; next < m->n_unknown && !strncmp(m->unknown[next], m->unknown[i], length);)
            next++;
        str_addf(&text, "%s%.*s", i ? ", " : "", (int)length, m->unknown[i]);
        if (next - i < figures_of(m->unknown[i] + 1, length - 2))
            for (size_t k = i; k < next; k++)
                str_add(&text, m->unknown[k] + length);
    }
    return text.len ? str_detach(&text) : xstrdup("");
}

char *iss_model_origin(const struct iss_model *m)
{
    const struct iss_origin *o = &m->origin;
    struct str text = STR_INIT;
    if (o->source)
        str_addf(&text, "not measured: the timing of %s comes from the scheduling model %s", m->name, o->source);
    else if (o->values)
        str_addf(&text, "the timing of %s comes from the instruction values of %s", m->name, o->values);
    else if (o->measured)
        str_addf(&text, "the timing of %s was measured: %s", m->name, o->measured);
    else
        return NULL;
    if (o->version)
        str_addf(&text, " (%s)", o->version);
    if (o->shared)
        str_addf(&text, ", which has none of its own for it but uses that of %s", o->shared);
    if (o->filled)
        str_addf(&text, "; taken from elsewhere: %s", o->filled);
    if (o->order && strcmp(o->order, "out") == 0 && !m->window.reorder)
        str_add(&text, "; the core issues out of order, the estimate in order: cycles are too many");
    return str_detach(&text);
}

void iss_model_free(struct iss_model *m)
{
    if (!m)
        return;
    char *const texts[] = {m->origin.source,
                           m->origin.values,
                           m->origin.measured,
                           m->origin.version,
                           m->origin.shared,
                           m->origin.order,
                           m->origin.filled,
                           m->origin.target,
                           m->origin.cpu,
                           m->origin.interval_unoptimised,
                           m->origin.interval_optimised};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    for (size_t i = 0; i < m->n_unknown; i++)
        free(m->unknown[i]);
    free(m->unknown);
    for (size_t i = 0; i < m->n_intervals; i++)
        free(m->intervals[i].key);
    free(m->intervals);
    free(m->name);
    free(m->architecture);
    free(m);
}
