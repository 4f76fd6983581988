/* machine_read.c - parses a machine description. */
#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/ini.h"
#include "base/str.h"
#include "shim-xml/document/machine.h"

enum { CORES = 4096 };

bool machine_is_named(const char *globs, const char *name)
{
    bool found = false;
    for (const char *p = globs; *p && !found;) {
        size_t n = strcspn(p, " \t");
        char *glob = xstrndup(p, n);
        found = glob_match(glob, name);
        free(glob);
        p += n + strspn(p + n, " \t");
    }
    return found;
}

static enum status bad(const struct machine *m, const struct ini_entry *x, const char *expected, struct error *e)
{
    return error_set(e, ERR_INPUT, AT(m->path, x->line), "%s = %.60s: %s is expected", x->key, x->value, expected);
}

/* ---- values ---- */

static enum status take_text(char **out, const struct machine *m, const struct ini_entry *x, struct error *e)
{
    if (!*x->value)
        return bad(m, x, "a text", e);
    free(*out);
    *out = xstrdup(x->value);
    return OK;
}

/* Names become ids, and the reference tools use them in C code. */
static bool is_name(const char *text)
{
    return *text && !strstr(text, "__") &&
           !text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")];
}

static enum status take_name(char **out, const struct machine *m, const struct ini_entry *x, struct error *e)
{
    return is_name(x->value) ? take_text(out, m, x, e) : bad(m, x, "a name of letters, digits and single '_'", e);
}

/* One of `words`, which is separated by spaces. */
static enum status take_word(char **out, const struct machine *m, const struct ini_entry *x, const char *words,
                             struct error *e)
{
    char *padded = xasprintf(" %s ", words), *wanted = xasprintf(" %s ", x->value);
    bool found = *x->value && !strchr(x->value, ' ') && strstr(padded, wanted);
    char *expected = xasprintf("one of %s", words);
    free(padded);
    free(wanted);
    enum status s = found ? take_text(out, m, x, e) : bad(m, x, expected, e);
    free(expected);
    return s;
}

static enum status take_long(long *out, const struct machine *m, const struct ini_entry *x, long low, long high,
                             struct error *e)
{
    if (parse_long(x->value, out) && *out >= low && *out <= high)
        return OK;
    char *expected = xasprintf("a whole number from %ld to %ld", low, high);
    enum status s = bad(m, x, expected, e);
    free(expected);
    return s;
}

static enum status take_clock(double *out, const struct machine *m, const struct ini_entry *x, struct error *e)
{
    if (parse_double(x->value, out) && *out >= 0 && *out < 1e15)
        return OK;
    return bad(m, x, "a frequency in Hz", e);
}

/* A size that a machine can have. */
static bool take_size(const char *text, uint64_t *out, const char **rest)
{
    return parse_bytes(text, out, rest) && *out && *out < (uint64_t)1 << 50;
}

static enum status take_bytes(uint64_t *out, const struct machine *m, const struct ini_entry *x, struct error *e)
{
    if (take_size(x->value, out, 0))
        return OK;
    return bad(m, x, "a size like 512K, 1G, 65536", e);
}

/* A 64-bit number, 0x... or decimal. */
static enum status take_address(uint64_t *out, const struct machine *m, const struct ini_entry *x, struct error *e)
{
    char *end = 0;
    bool hex = strncmp(x->value, "0x", 2) == 0;
    const char *digits = x->value + (hex ? 2 : 0);
    size_t n = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
    *out = strtoull(x->value, &end, hex ? 16 : 10);
    if (n && n <= (hex ? 16 : 19) && !digits[n])
        return OK;
    return bad(m, x, "an address like 0x40000000", e);
}

/* "32K:4:64", and words after it: "shared" (by the whole cluster), "shared 2", "SOFT". */
static enum status take_geometry(struct skeleton_cache *out, long *shared, const struct machine *m,
                                 const struct ini_entry *x, struct error *e)
{
    static const char expected[] = "SIZE:WAYS:LINE such as 32K:4:64, then 'shared', 'shared 2' or 'SOFT'";
    const char *p = x->value;
    char *end;
    out->coherency = "HARD";
    if (!take_size(p, &out->bytes, &p) || *p != ':')
        return bad(m, x, expected, e);
    out->ways = isdigit((unsigned char)p[1]) ? strtol(p + 1, &end, 10) : 0;
    if (out->ways <= 0 || out->ways > 1 << 20 || *end != ':' || !isdigit((unsigned char)end[1]))
        return bad(m, x, expected, e);
    long line = strtol(end + 1, &end, 10);
    if (line <= 0 || line > 1 << 20 || out->bytes % ((uint64_t)line * (uint64_t)out->ways))
        return bad(m, x, "a size that is a multiple of WAYS * LINE", e);
    out->line = (uint64_t)line;
    while (*(end += strspn(end, " "))) {
        size_t n = strcspn(end, " ");
        if (n == 4 && strncmp(end, "SOFT", 4) == 0)
            out->coherency = "SOFT";
        else if (shared && n == 6 && strncmp(end, "shared", 6) == 0)
            *shared = CORES;
        else if (shared && *shared == CORES && isdigit((unsigned char)*end) && strspn(end, "0123456789") == n && n < 7)
            *shared = strtol(end, 0, 10);
        else
            return bad(m, x, expected, e);
        end += n;
    }
    return shared && !*shared ? bad(m, x, "one core or more", e) : OK;
}

#define ACCESSES_EXPECTED "accesses like R 1 2 4 8, W 4"

/* Adds accesses of this kind of a size in bytes, given as n digits. Returns NULL, or what was expected instead. */
static const char *add_access(struct machine_cluster *c, struct machine_access a, const char *text, size_t n)
{
    a.bytes = (unsigned)strtoul(text, 0, 10);
    if (!*a.rw || strspn(text, "0123456789") != n || !a.bytes || a.bytes > 65536 || n > 5)
        return ACCESSES_EXPECTED;
    for (size_t i = 0; i < c->accesses.n; i++)
        if (c->accesses.at[i].bytes == a.bytes && strcmp(c->accesses.at[i].rw, a.rw) == 0)
            return "each access once";
    vec_push(&c->accesses, a);
    return 0;
}

/* Reads "R 1 2 4 8, W 1 2 4 8". */
static enum status take_accesses(struct machine_cluster *c, const struct machine *m, const struct ini_entry *x,
                                 struct error *e)
{
    struct machine_access a = {"", 0};
    const char *expected = 0;
    c->accesses.n = 0;
    for (const char *p = x->value; !expected && *(p += strspn(p, " ,"));) {
        size_t n = strcspn(p, " ,");
        if (isdigit((unsigned char)*p)) {
            expected = add_access(c, a, p, n);
        } else if (n > 3) {
            expected = ACCESSES_EXPECTED;
        } else {
            memcpy(a.rw, p, n);
            a.rw[n] = 0;
            expected = schema_bad_value(TYPE_RWType, a.rw) ? ACCESSES_EXPECTED : 0;
        }
        p += n;
    }
    if (!expected && !c->accesses.n)
        expected = ACCESSES_EXPECTED;
    return expected ? bad(m, x, expected, e) : OK;
}

/* ---- sections ---- */

#define CHOICES_ENDIAN "LITTLE BIG"
#define CHOICES_RW     "R W X RW RX WX RWX"

static enum status unknown(const struct machine *m, const struct ini_entry *x, const char *keys, struct error *e)
{
    return error_set(e, ERR_INPUT, AT(m->path, x->line), "[%.60s] has no key '%.60s'; it has: %s", x->section, x->key,
                     keys);
}

static enum status take_machine(struct machine *m, const struct ini_entry *x, struct error *e)
{
    if (strcmp(x->key, "name") == 0)
        return take_name(&m->name, m, x, e);
    if (strcmp(x->key, "clock") == 0)
        return take_clock(&m->clock_hz, m, x, e);
    if (strcmp(x->key, "endian") == 0)
        return take_word(&m->endian, m, x, CHOICES_ENDIAN, e);
    return unknown(m, x, "name clock endian", e);
}

/* Splits l1i, l1d, l1, l2, ... l4d into a level and a kind. */
static bool cache_of_key(const char *key, struct machine_cache *out)
{
    if (key[0] != 'l' || key[1] < '1' || key[1] > '4' || (key[2] && (strchr("id", key[2]) == 0 || key[3])))
        return false;
    out->level = key[1] - '0';
    out->geometry.type = key[2] == 'i' ? "INSTRUCTION" : key[2] == 'd' ? "DATA" : "UNIFIED";
    out->shared = 1;
    return true;
}

static enum status take_cache(struct machine_cluster *c, const struct machine *m, const struct ini_entry *x,
                              struct machine_cache *cache, struct error *e)
{
    cache->line = x->line;
    enum status s = take_geometry(&cache->geometry, &cache->shared, m, x, e);
    if (!s)
        vec_push(&c->caches, *cache);
    return s;
}

/* Keys of [cluster NAME] with a single value: its kind, and where it is stored. */
struct cluster_key {
    const char *name;
    enum { KEY_LONG, KEY_NAME, KEY_TEXT, KEY_WORD, KEY_CLOCK } kind;
    size_t offset;     /* in struct machine_cluster */
    long low, high;    /* for KEY_LONG */
    const char *words; /* for KEY_WORD: one of these */
};
#define IN_CLUSTER(member) offsetof(struct machine_cluster, member)
static const struct cluster_key cluster_keys[] = {
    {"cores", KEY_LONG, IN_CLUSTER(cores), .low = 1, .high = CORES},
    {"threads", KEY_LONG, IN_CLUSTER(threads), .low = 1, .high = 1024},
    {"pid", KEY_LONG, IN_CLUSTER(pid), .low = 0, .high = 1 << 30},
    {"core", KEY_NAME, IN_CLUSTER(core), 0, 0, 0},
    {"arch", KEY_TEXT, IN_CLUSTER(arch), 0, 0, 0},
    {"option", KEY_TEXT, IN_CLUSTER(option), 0, 0, 0},
    {"type", KEY_WORD, IN_CLUSTER(type), .words = "PU TU OTHER"},
    {"endian", KEY_WORD, IN_CLUSTER(endian), .words = CHOICES_ENDIAN},
    {"clock", KEY_CLOCK, IN_CLUSTER(clock_hz), 0, 0, 0},
};

static enum status take_key(struct machine_cluster *c, const struct machine *m, const struct ini_entry *x,
                            const struct cluster_key *k, struct error *e)
{
    void *value = (char *)c + k->offset;
    switch (k->kind) {
    case KEY_LONG:
        return take_long(value, m, x, k->low, k->high, e);
    case KEY_NAME:
        return take_name(value, m, x, e);
    case KEY_TEXT:
        return take_text(value, m, x, e);
    case KEY_WORD:
        return take_word(value, m, x, k->words, e);
    case KEY_CLOCK:
        return take_clock(value, m, x, e);
    }
    BUG("a key of kind %d", (int)k->kind);
}

static enum status take_cluster(struct machine_cluster *c, const struct machine *m, const struct ini_entry *x,
                                struct error *e)
{
    struct machine_cache cache = {0};
    if (cache_of_key(x->key, &cache))
        return take_cache(c, m, x, &cache, e);
    if (strcmp(x->key, "accesses") == 0)
        return take_accesses(c, m, x, e);
    for (size_t i = 0; i < sizeof cluster_keys / sizeof *cluster_keys; i++)
        if (strcmp(x->key, cluster_keys[i].name) == 0)
            return take_key(c, m, x, &cluster_keys[i], e);
    return unknown(m, x, "cores core arch option type clock threads pid endian accesses l1i l1d l1 l2 l3 l4", e);
}

static enum status take_outer(struct machine_outer *c, const struct machine *m, const struct ini_entry *x,
                              struct error *e)
{
    if (strcmp(x->key, "of") == 0)
        return take_text(&c->of, m, x, e);
    if (strcmp(x->key, "geometry") == 0)
        return take_geometry(&c->geometry, 0, m, x, e);
    return unknown(m, x, "of geometry", e);
}

static enum status take_memory(struct machine_memory *c, const struct machine *m, const struct ini_entry *x,
                               struct error *e)
{
    const char *k = x->key;
    c->has_start |= strcmp(k, "start") == 0;
    c->has_end |= strcmp(k, "end") == 0;
    return strcmp(k, "size") == 0     ? take_bytes(&c->bytes, m, x, e)
           : strcmp(k, "start") == 0  ? take_address(&c->start, m, x, e)
           : strcmp(k, "end") == 0    ? take_address(&c->end, m, x, e)
           : strcmp(k, "access") == 0 ? take_word(&c->rw, m, x, CHOICES_RW, e)
           : strcmp(k, "in") == 0     ? take_text(&c->in, m, x, e)
           : strcmp(k, "from") == 0   ? take_text(&c->from, m, x, e)
                                      : unknown(m, x, "size start end access in from", e);
}

/* In "cluster big", the name after the word. NULL: it is another kind of section. */
static const char *named_section(const char *section, const char *word)
{
    size_t n = strlen(word);
    return strncmp(section, word, n) == 0 && section[n] == ' ' && is_name(section + n + 1) ? section + n + 1 : 0;
}

static struct machine_cluster *cluster(struct machine *m, const char *name, unsigned long line)
{
    for (size_t i = 0; i < m->clusters.n; i++)
        if (strcmp(m->clusters.at[i].name, name) == 0)
            return &m->clusters.at[i];
    struct machine_cluster c = {.name = xstrdup(name), .threads = 1, .pid = -1, .line = line};
    vec_push(&m->clusters, c);
    return &m->clusters.at[m->clusters.n - 1];
}

static struct machine_outer *outer(struct machine *m, const char *name, unsigned long line)
{
    for (size_t i = 0; i < m->outer.n; i++)
        if (strcmp(m->outer.at[i].name, name) == 0)
            return &m->outer.at[i];
    vec_push(&m->outer, (struct machine_outer){.name = xstrdup(name), .geometry = {.type = "UNIFIED"}, .line = line});
    return &m->outer.at[m->outer.n - 1];
}

static struct machine_memory *memory(struct machine *m, const char *name, unsigned long line)
{
    for (size_t i = 0; i < m->memories.n; i++)
        if (strcmp(m->memories.at[i].name, name) == 0)
            return &m->memories.at[i];
    vec_push(&m->memories, (struct machine_memory){.name = xstrdup(name), .line = line});
    return &m->memories.at[m->memories.n - 1];
}

static enum status take(struct machine *m, const struct ini_entry *x, struct error *e)
{
    const char *name;
    if (strcmp(x->section, "machine") == 0)
        return take_machine(m, x, e);
    if ((name = named_section(x->section, "cluster")))
        return take_cluster(cluster(m, name, x->line), m, x, e);
    if ((name = named_section(x->section, "cache")))
        return take_outer(outer(m, name, x->line), m, x, e);
    if ((name = named_section(x->section, "memory")))
        return take_memory(memory(m, name, x->line), m, x, e);
    if (named_section(x->section, "domain") || named_section(x->section, "point") ||
        named_section(x->section, "power")) /* used by `convert --points`; SHIM 1.0 has no place for it */
        return OK;
    return error_set(
        e, ERR_INPUT, AT(m->path, x->line),
        "there is no section [%.60s]; there are [machine], [cluster NAME], [cache NAME], [memory NAME], with "
        "names of letters, digits and single '_'",
        x->section);
}

/* ---- consistency ---- */

static int outwards(const void *a, const void *b)
{
    const struct machine_cache *x = a, *y = b;
    int order = (x->level > y->level) - (x->level < y->level);
    return order ? order : strcmp(y->geometry.type, x->geometry.type); /* instructions before data */
}

static enum status check_cluster(const struct machine *m, struct machine_cluster *c, struct error *e)
{
    struct loc at = AT(m->path, c->line);
    if (!c->cores || !c->arch)
        return error_set(e, ERR_INPUT, at, "[cluster %.60s] has no '%s'", c->name, c->cores ? "arch" : "cores");
    if (c->caches.n)
        qsort(c->caches.at, c->caches.n, sizeof *c->caches.at, outwards);
    for (size_t i = 0; i < c->caches.n; i++) {
        struct machine_cache *x = &c->caches.at[i];
        x->shared = x->shared > c->cores ? c->cores : x->shared;
        if (i && x->shared < x[-1].shared)
            return error_set(e, ERR_INPUT, AT(m->path, x->line),
                             "fewer cores share the cache of level %d than one further in", x->level);
        if (i && x->shared < c->cores && x->shared % x[-1].shared)
            return error_set(e, ERR_INPUT, AT(m->path, x->line), "%ld cores share it, %ld the one further in",
                             x->shared, x[-1].shared);
    }
    return OK;
}

static bool is_any_cluster(const struct machine *m, const char *globs)
{
    for (size_t i = 0; i < m->clusters.n; i++)
        if (machine_is_named(globs, m->clusters.at[i].name))
            return true;
    return false;
}

static enum status check_outer(const struct machine *m, const struct machine_outer *c, struct error *e)
{
    struct loc at = AT(m->path, c->line);
    if (!c->geometry.bytes)
        return error_set(e, ERR_INPUT, at, "[cache %.60s] has no 'geometry'", c->name);
    return !c->of || is_any_cluster(m, c->of) ? OK : error_set(e, ERR_INPUT, at, "there is no cluster '%.60s'", c->of);
}

/* A memory without a start follows the previous one, which ends before `next`. */
static enum status check_memory(const struct machine *m, struct machine_memory *c, uint64_t *next, struct error *e)
{
    struct loc at = AT(m->path, c->line);
    const char *in = c->in ? c->in : "*", *from = c->from ? c->from : "*";
    if (!c->bytes)
        return error_set(e, ERR_INPUT, at, "[memory %.60s] has no 'size'", c->name);
    if (!is_any_cluster(m, in) || !is_any_cluster(m, from))
        return error_set(e, ERR_INPUT, at, "there is no cluster '%.60s'", is_any_cluster(m, in) ? from : in);
    if (c->has_end && !c->has_start)
        return error_set(e, ERR_INPUT, at, "[memory %.60s] has an 'end' and no 'start'", c->name);
    c->start = c->has_start ? c->start : *next;
    c->end = c->has_end ? c->end : c->start + c->bytes - 1;
    *next = c->end + 1;
    return c->end >= c->start
               ? OK
               : error_set(e, ERR_INPUT, at, "[memory %.60s] ends before it starts, or beyond 64 bits", c->name);
}

static enum status check_all(struct machine *m, struct error *e)
{
    enum status s = m->clusters.n ? OK : error_set(e, ERR_INPUT, AT_FILE(m->path), "there is no [cluster NAME]");
    long cores = 0;
    for (size_t i = 0; !s && i < m->clusters.n; i++) {
        s = check_cluster(m, &m->clusters.at[i], e);
        cores += m->clusters.at[i].cores;
    }
    if (!s && cores > CORES)
        s = error_set(e, ERR_INPUT, AT_FILE(m->path), "%ld cores; at most %d are described so", cores, CORES);
    for (size_t i = 0; !s && i < m->outer.n; i++)
        s = check_outer(m, &m->outer.at[i], e);
    uint64_t next = 0;
    for (size_t i = 0; !s && i < m->memories.n; i++)
        s = check_memory(m, &m->memories.at[i], &next, e);
    return s;
}

/* ---- the whole file ---- */

enum status machine_read(struct machine **out, const char *path, struct error *e)
{
    struct ini *ini = 0;
    struct machine *m = xcalloc(1, sizeof *m);
    m->path = path;
    enum status s = ini_read(&ini, path, e);
    for (size_t i = 0; !s && i < ini->n; i++)
        s = take(m, &ini->entries[i], e);
    if (!s)
        s = check_all(m, e);
    ini_free(ini);
    if (s)
        machine_free(m);
    else
        *out = m;
    return s;
}

static void cluster_release(struct machine_cluster *c)
{
    free(c->name);
    free(c->core);
    free(c->arch);
    free(c->option);
    free(c->type);
    free(c->endian);
    vec_release(&c->caches);
    vec_release(&c->accesses);
}

void machine_free(struct machine *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->clusters.n; i++)
        cluster_release(&m->clusters.at[i]);
    for (size_t i = 0; i < m->outer.n; i++) {
        free(m->outer.at[i].name);
        free(m->outer.at[i].of);
    }
    for (size_t i = 0; i < m->memories.n; i++) {
        free(m->memories.at[i].name);
        free(m->memories.at[i].rw);
        free(m->memories.at[i].in);
        free(m->memories.at[i].from);
    }
    vec_release(&m->clusters);
    vec_release(&m->outer);
    vec_release(&m->memories);
    free(m->name);
    free(m->endian);
    free(m);
}
