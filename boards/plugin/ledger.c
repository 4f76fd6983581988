/* ledger.c - counts cycles by instruction: a tally for each straight sequence of code and each set of open regions. */
#include "boards/plugin/ledger.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"

enum { DEEPEST = 256 };

struct tally {
    struct tally *next; /* of the same code in other regions */
    size_t regions;
    uint64_t executions;
    int64_t *cycles, *called; /* for each step */
};
struct ledger_code {
    struct ledger_code *next;
    const struct iss_step *steps;
    size_t n;
    bool own;
    struct tally *tallies; /* the latest used one first */
};
struct range {
    uint64_t from, to;
};
/* Foreign code that has called the program's own code: where it continues, and who had called it. */
struct callback {
    uint64_t returns_to;
    struct ledger_code *caller;
};

struct ledger {
    VEC(struct range) own;
    bool all_own;
    struct ledger_code *codes;
    struct map sets;                     /* key: open regions, one name per line; value: number */
    struct str open;                     /* the regions that are open now */
    size_t regions;                      /* number of open regions */
    struct ledger_code *before, *caller; /* the latest executed; the own code that called foreign code */
    struct callback callbacks[DEEPEST];
    size_t n_callbacks;
    int64_t *slot; /* receives the cycles that ledger_took brings; NULL: none */
};

/* ---- the beginning ---- */

static enum status read_own(struct ledger *l, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    const char *at = s ? "" : str_text(&text);
    while (*at && !s) {
        char *end, *to;
        struct range r = {.from = strtoull(at, &end, 16)};
        r.to = strtoull(end, &to, 16);
        bool good = end != at && to != end && *to == '\n' && r.from < r.to;
        if (!good || (l->own.n && r.from < l->own.at[l->own.n - 1].to))
            s = error_set(e, ERR_INPUT, AT_FILE(path), "not ascending lines of FROM TO in hexadecimal digits");
        vec_push(&l->own, r);
        at = to + 1;
    }
    str_release(&text);
    return s;
}

enum status ledger_new(struct ledger **out, const char *own, struct error *e)
{
    struct ledger *l = *out = xcalloc(1, sizeof *l);
    l->all_own = !own;
    map_number(&l->sets, "");
    return own ? read_own(l, own, e) : OK;
}

static bool is_own(const struct ledger *l, uint64_t address)
{
    size_t low = 0, high = l->own.n;
    while (low < high) { /* finds the first range that ends later */
        size_t middle = low + (high - low) / 2;
        if (l->own.at[middle].to <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return l->all_own || (low < l->own.n && l->own.at[low].from <= address);
}

struct ledger_code *ledger_code(struct ledger *l, const struct iss_step *steps, size_t n)
{
    struct ledger_code *c = xcalloc(1, sizeof *c);
    *c = (struct ledger_code){.next = l->codes, .steps = steps, .n = n, .own = n && is_own(l, steps[0].address)};
    return l->codes = c;
}

/* ---- regions ---- */

/* The latest open region with this name; NULL: none is open. */
static char *find_open(const struct ledger *l, const char *line)
{
    char *found = 0;
    size_t n = strlen(line);
    for (char *at = l->open.len ? l->open.s : 0; at && *at; at = strchr(at, '\n') + 1)
        if (strncmp(at, line, n) == 0)
            found = at;
    return found;
}

void ledger_region(struct ledger *l, bool begins, const char *name)
{
    char *line = xasprintf("%s\n", name);
    for (char *c = line; c[1]; c++)
        *c = *c == '\n' ? ' ' : *c;
    size_t n = strlen(line);
    if (begins) {
        str_add(&l->open, line);
    } else if (find_open(l, line)) {
        char *at = find_open(l, line);
        memmove(at, at + n, strlen(at + n) + 1);
        l->open.len -= n;
    }
    free(line);
    l->regions = map_number(&l->sets, str_text(&l->open));
}

/* ---- what is executed ---- */

static struct tally *tally_of(const struct ledger *l, struct ledger_code *c)
{
    for (struct tally **at = &c->tallies; *at; at = &(*at)->next) {
        struct tally *t = *at;
        if (t->regions != l->regions)
            continue;
        *at = t->next;
        t->next = c->tallies;
        return c->tallies = t;
    }
    struct tally *t = xcalloc(1, sizeof *t);
    *t = (struct tally){c->tallies, l->regions, 0, xcalloc(c->n, sizeof *t->cycles), xcalloc(c->n, sizeof *t->called)};
    return c->tallies = t;
}

static uint64_t end_of(const struct ledger_code *c)
{
    return c->steps[c->n - 1].address + c->steps[c->n - 1].op.size;
}

static bool calls(const struct ledger_code *c)
{
    enum iss_branch b = c->steps[c->n - 1].op.branch;
    return b == ISS_CALL_DIRECT || b == ISS_CALL_INDIRECT;
}

/* Foreign code either continues where own code has returned to it, or was called by own code. */
static void enter_other(struct ledger *l, const struct ledger_code *code)
{
    for (size_t i = l->n_callbacks; i-- > 0;)
        if (l->callbacks[i].returns_to == code->steps[0].address) {
            l->caller = l->callbacks[i].caller;
            l->n_callbacks = i;
            return;
        }
    l->caller = l->before;
}

static void enter_own(struct ledger *l)
{
    if (l->before && !l->before->own && calls(l->before) && l->caller && l->n_callbacks < DEEPEST)
        l->callbacks[l->n_callbacks++] = (struct callback){end_of(l->before), l->caller};
}

/* The last step that is timed. A step that calls the measuring runtime is not. */
static size_t last_step(const struct ledger_code *c)
{
    size_t i = c->n - 1;
    while (i > 0 && c->steps[i].skip)
        i--;
    return i;
}

int64_t *ledger_run(struct ledger *l, struct ledger_code *code)
{
    if (code->own)
        enter_own(l);
    else if (l->before && l->before->own)
        enter_other(l, code);
    l->before = code;
    l->slot = 0;
    if (!l->regions)
        return 0;
    if (!code->own && l->caller) {
        l->slot = &tally_of(l, l->caller)->called[last_step(l->caller)];
        return 0;
    }
    struct tally *t = tally_of(l, code);
    t->executions++;
    return t->cycles;
}

void ledger_took(struct ledger *l, int64_t cycles)
{
    if (l->slot)
        *l->slot += cycles;
    else if (l->regions && l->before)
        tally_of(l, l->before)->cycles[last_step(l->before)] += cycles;
}

/* ---- the table ---- */

struct line {
    uint64_t address, executions;
    int64_t cycles, called;
};

static int by_address(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

typedef VEC(struct line) lines;

static void add_tally(lines *to, const struct ledger_code *c, const struct tally *t)
{
    for (size_t i = 0; i < c->n; i++)
        if (!c->steps[i].skip && (t->executions || t->called[i]))
            vec_push(to, (struct line){c->steps[i].address, t->executions, t->cycles[i], t->called[i]});
}

static void put_lines(lines *all, const char *region, FILE *f)
{
    if (all->n)
        qsort(all->at, all->n, sizeof *all->at, by_address);
    for (size_t i = 0, next; i < all->n; i = next) {
        struct line sum = all->at[i];
        for (next = i + 1; next < all->n && all->at[next].address == sum.address; next++) {
            sum.executions += all->at[next].executions;
            sum.cycles += all->at[next].cycles;
            sum.called += all->at[next].called;
        }
        fprintf(f, "%" PRIx64 " %" PRIu64 " %" PRId64 " %" PRId64 " %s\n", sum.address, sum.executions, sum.cycles,
                sum.called, region);
    }
}

/* Is the region, "NAME\n", in the set? */
static bool is_among(const char *set, const char *line)
{
    const char *at = strstr(set, line);
    while (at && at != set && at[-1] != '\n')
        at = strstr(at + 1, line);
    return at;
}

static void write_region(const struct ledger *l, const char *line, FILE *f)
{
    lines all = {0};
    for (const struct ledger_code *c = l->codes; c; c = c->next)
        for (const struct tally *t = c->tallies; t; t = t->next)
            if (is_among(l->sets.keys[t->regions], line))
                add_tally(&all, c, t);
    char *name = xstrndup(line, strlen(line) - 1);
    put_lines(&all, name, f);
    free(name);
    vec_release(&all);
}

void ledger_write(const struct ledger *l, FILE *f)
{
    struct map names = {0};
    for (size_t i = 0; i < l->sets.n; i++)
        for (const char *at = l->sets.keys[i]; *at; at = strchr(at, '\n') + 1) {
            char *line = xstrndup(at, strcspn(at, "\n") + 1);
            map_number(&names, line);
            free(line);
        }
    for (size_t i = 0; i < names.n; i++)
        write_region(l, names.keys[i], f);
    map_release(&names);
}
