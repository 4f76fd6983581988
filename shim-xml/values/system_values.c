/* system_values.c - the parts of a document that estimates and reports need, as plain data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "shim-xml/document/clocks.h"
#include "shim-xml/document/instruction_widths.h"
#include "shim-xml/document/access_levels.h"
#include "shim-xml/document/notes.h"
#include "shim-xml/document/doc.h"
#include "shim-xml/document/units_file.h"
#include "shim-xml/values/seal.h"

static char *copy_of(const struct shimxml_node *n, const char *attribute)
{
    const char *value = shimxml_get(n, attribute);
    return xstrdup(value ? value : "");
}

/* Makes room for one more. The capacity of a list of n is the next power of two. */
static void *room_for_one(void *list, size_t n, size_t size)
{
    return n & (n - 1) ? list : xreallocarray(list, n ? 2 * n : 1, size);
}

static int bits(const struct shimxml_node *instruction, const char *attribute)
{
    double v = shimxml_number(instruction, attribute);
    return v >= 1 && v <= 65536 ? (int)v : 0;
}

/* What is being read, and the file of instructions (SHIM 2.0) that was read last: cores usually share one. */
struct taking {
    struct shimxml_system *s;
    const struct shimxml_doc *d;
    struct shimxml_doc *units; /* NULL: none was read */
    char *units_src;           /* its name in the document */
};

static enum status take_instructions(struct shimxml_core *core, const struct shimxml_node *set, const char *path,
                                     struct error *e)
{
    VEC(struct shimxml_instruction) list = {0};
    enum status s = OK;
    for (const struct shimxml_node *i = 0; !s && (i = shimxml_following(set, i, "Instruction"));) {
        const struct shimxml_node *performance = shimxml_child(i, "Performance");
        const char *name = instruction_name(i);
        if (note_is_name(name))
            continue;
        struct shimxml_instruction one = {xstrdup(name ? name : ""),
                                          performance_range(performance, "Pitch"),
                                          performance_range(performance, "Latency"),
                                          {bits(i, "inputBitWidth"), bits(i, "outputBitWidth"), bits(i, "SIMDWidth")}};
        vec_push(&list, one);
        if (!isfinite(one.pitch.typical) || !isfinite(one.latency.typical))
            s = error_set(e, ERR_INPUT, AT(path, shimxml_line(i)),
                          "instruction '%s' has no finite typical Pitch and Latency; 'shim-xml check' says more",
                          one.name);
    }
    core->instructions = list.at;
    core->n_instructions = list.n;
    return s;
}

/* Most cores name the same file, which is read once. */
static enum status take_units_file(struct taking *t, struct shimxml_core *core, const struct shimxml_node *file,
                                   struct error *e)
{
    const char *src = shimxml_get(file, "src") ? shimxml_get(file, "src") : "";
    enum status s = OK;
    if (!t->units || strcmp(t->units_src, src) != 0) {
        shimxml_free(t->units);
        free(t->units_src);
        t->units = 0;
        t->units_src = xstrdup(src);
        s = units_file_read(&t->units, file, e);
        if (s && e)
            error_context(e, "%s:%lu: FunctionalUnitSetFile", t->d->path, shimxml_line(file));
    }
    if (!s)
        s = take_instructions(core, shimxml_child(shimxml_root(t->units), "FunctionalUnitSet"), t->units->path, e);
    return s;
}

/* A whole number; -1: not given, or not decimal. */
static long whole(const struct shimxml_node *n, const char *attribute)
{
    double v = shimxml_number(n, attribute);
    return v >= 0 && v < 1e9 && v == floor(v) ? (long)v : -1;
}

static enum status take_core(struct taking *t, const struct shimxml_node *n, struct error *e)
{
    struct shimxml_system *s = t->s;
    s->cores = room_for_one(s->cores, s->n_cores, sizeof *s->cores);
    struct shimxml_core *core = &s->cores[s->n_cores++];
    const struct shimxml_node *set = shimxml_child(n, "CommonInstructionSet"),
                              *file = shimxml_child(set, "FunctionalUnitSetFile");
    double own = clock_of(n);
    *core = (struct shimxml_core){.name = copy_of(n, "name"),
                                  .id = copy_of(n, "id"),
                                  .arch = copy_of(n, "arch"),
                                  .type = copy_of(n, "masterType"),
                                  .pid = whole(n, "pid"),
                                  .clock_hz = own > 0 ? own : s->clock_hz,
                                  .seal = seal_of(n),
                                  .rewritten = seal_broken_by(n)};
    return file ? take_units_file(t, core, file, e) : take_instructions(core, set, t->d->path, e);
}

static long small(double v)
{
    return v > 0 && v < 1e9 ? (long)v : 0;
}

static void take_cache(struct shimxml_system *s, const struct shimxml_node *n)
{
    s->caches = room_for_one(s->caches, s->n_caches, sizeof *s->caches);
    s->caches[s->n_caches++] =
        (struct shimxml_cache){.name = copy_of(n, "name"),
                               .id = copy_of(n, "id"),
                               .type = copy_of(n, "cacheType"),
                               .bytes = shimxml_bytes(n),
                               .ways = small(shimxml_number(n, "nWay")),
                               .line = small(shimxml_number(n, "lineSize")),
                               .core = shimxml_owner(n, "MasterComponent") ? s->n_cores - 1 : SHIMXML_SHARED,
                               .level = 1,
                               .serves = 0};
}

static void take_memory(struct shimxml_system *s, const struct shimxml_node *n)
{
    s->memories = room_for_one(s->memories, s->n_memories, sizeof *s->memories);
    s->memories[s->n_memories++] = (struct shimxml_memory){copy_of(n, "name"), copy_of(n, "id"), shimxml_bytes(n)};
}

/* ---- levels: each cache comes after those that it refers to. Depth-first without recursion, since references may form
 * a chain of any length. In a cycle (which `check` refuses) the closing reference is ignored. ---- */

enum colour { WHITE, GREY, BLACK };

struct step {
    size_t cache;
    const struct shimxml_node *next; /* the next cacheRef to follow */
};
struct levels {
    struct shimxml_system *s;
    const char *cache_ref;
    struct map index; /* address of a node -> its index in `nodes` */
    VEC(const struct shimxml_node *) nodes;
    VEC(struct step) way;
    unsigned char *colours;
    size_t *counted; /* for each core: 1 + the cache it was last counted for */
};

static bool inner_of(const struct levels *l, const struct shimxml_node *reference, size_t *inner)
{
    char key[32];
    snprintf(key, sizeof key, "%p", (const void *)shimxml_target(reference, 0));
    return map_get(&l->index, key, inner);
}

/* Number of cores that the caches of one kind (instruction caches, or others) lead to. */
static size_t cores_below(struct levels *l, size_t outer, bool instruction)
{
    size_t cores = 0, i;
    for (const struct shimxml_node *r = shimxml_child(l->nodes.at[outer], l->cache_ref); r;
         r = shimxml_next(r, l->cache_ref)) {
        if (!inner_of(l, r, &i) || (strcmp(l->s->caches[i].type, "INSTRUCTION") == 0) != instruction)
            continue;
        const struct shimxml_cache *inner = &l->s->caches[i];
        if (inner->core == SHIMXML_SHARED)
            cores += inner->serves;
        else if (l->counted[inner->core] != 2 * outer + instruction + 1) {
            l->counted[inner->core] = 2 * outer + instruction + 1;
            cores++;
        }
    }
    return cores;
}

/* All caches that it refers to are known. */
static void settle(struct levels *l, size_t cache)
{
    struct shimxml_cache *c = &l->s->caches[cache];
    l->colours[cache] = BLACK;
    size_t i;
    for (const struct shimxml_node *r = shimxml_child(l->nodes.at[cache], l->cache_ref); r;
         r = shimxml_next(r, l->cache_ref)) {
        if (!inner_of(l, r, &i))
            continue;
        c->inner = room_for_one(c->inner, c->n_inner, sizeof *c->inner);
        c->inner[c->n_inner++] = i;
        if (l->colours[i] == BLACK && i != cache && l->s->caches[i].level >= c->level)
            c->level = l->s->caches[i].level + 1;
    }
    size_t data = cores_below(l, cache, false), code = cores_below(l, cache, true);
    c->serves = c->core != SHIMXML_SHARED ? 1 : data > code ? data : code;
}

static void enter(struct levels *l, size_t cache)
{
    l->colours[cache] = GREY;
    vec_push(&l->way, (struct step){cache, shimxml_child(l->nodes.at[cache], l->cache_ref)});
}

static void descend(struct levels *l, size_t first)
{
    enter(l, first);
    while (l->way.n) {
        struct step *top = &l->way.at[l->way.n - 1];
        const struct shimxml_node *reference = top->next;
        size_t inner;
        if (!reference) {
            settle(l, top->cache);
            l->way.n--;
            continue;
        }
        top->next = shimxml_next(reference, l->cache_ref);
        if (inner_of(l, reference, &inner) && l->colours[inner] == WHITE)
            enter(l, inner);
    }
}

/* In SHIM 2.0 caches are siblings of cores, which refer to theirs. A cache that a single core refers to counts as
 * inside it. */
static void find_owners(const struct levels *l, const struct shimxml_node *root)
{
    bool *named = xcalloc(l->s->n_caches, sizeof *named);
    const struct shimxml_node *n = 0, *r;
    for (size_t k = 0, i; (n = shimxml_following(root, n, "MasterComponent")); k++)
        for (r = shimxml_child(n, l->cache_ref); r; r = shimxml_next(r, l->cache_ref)) {
            if (!inner_of(l, r, &i))
                continue;
            struct shimxml_cache *c = &l->s->caches[i];
            c->core = !named[i] || c->core == k ? k : SHIMXML_SHARED;
            named[i] = true;
        }
    free(named);
}

static void find_levels(struct shimxml_system *s, const struct shimxml_node *root)
{
    struct levels l = {.s = s,
                       .cache_ref = doc_of(root)->schema->cache_ref,
                       .colours = xcalloc(s->n_caches, 1),
                       .counted = xcalloc(s->n_cores, sizeof(size_t))};
    for (const struct shimxml_node *n = 0; (n = shimxml_following(root, n, "Cache"));) {
        char key[32];
        snprintf(key, sizeof key, "%p", (const void *)n);
        map_put(&l.index, key, l.nodes.n);
        vec_push(&l.nodes, n);
    }
    if (doc_of(root)->schema == &schema2)
        find_owners(&l, root);
    for (size_t i = 0; i < l.nodes.n; i++)
        if (l.colours[i] == WHITE)
            descend(&l, i);
    vec_release(&l.nodes);
    vec_release(&l.way);
    map_release(&l.index);
    free(l.colours);
    free(l.counted);
}

static enum status is_system(const struct shimxml_doc *d, struct error *e)
{
    const struct shimxml_node *root = shimxml_root(d);
    if (!shimxml_is(root, d->schema->root))
        return error_set(e, ERR_INPUT, AT(d->path, root->line),
                         "not a SHIM file: the root is '%s', not SystemConfiguration or shim:Shim", shimxml_name(root));
    if (d->schema == &schema2 && !shimxml_child(root, "SystemConfiguration"))
        return error_set(e, ERR_INPUT, AT(d->path, root->line),
                         "it describes no system: there is no SystemConfiguration in shim:Shim");
    return OK;
}

enum status shimxml_system(struct shimxml_system **out, const struct shimxml_doc *d, struct error *e)
{
    const struct shimxml_node *root = shimxml_root(d);
    enum status status = is_system(d, e);
    if (status)
        return status;
    struct shimxml_system *s = xcalloc(1, sizeof *s);
    s->name = copy_of(root, "name");
    s->method = method_of_doc(d);
    s->interval = shimxml_annotation(d, "interval");
    s->fitted_interval = shimxml_annotation(d, "fitted-interval");
    struct taking t = {.s = s, .d = d};
    s->clock_hz = clock_of(root);
    for (const struct shimxml_node *n = shimxml_following(root, 0, 0); n && !status;
         n = shimxml_following(root, n, 0)) {
        if (shimxml_is(n, "MasterComponent"))
            status = take_core(&t, n, e);
        else if (shimxml_is(n, "Cache"))
            take_cache(s, n);
        else if (shimxml_is(n, "SlaveComponent"))
            take_memory(s, n);
    }
    shimxml_free(t.units);
    free(t.units_src);
    if (status) {
        shimxml_system_free(s);
        return status;
    }
    find_levels(s, root);
    levels_take_accesses(s, root);
    *out = s;
    return OK;
}

const struct shimxml_cache *shimxml_next_cache(const struct shimxml_system *s, size_t core,
                                               const struct shimxml_cache *before)
{
    for (size_t i = 0; i < s->n_caches; i++) {
        const struct shimxml_cache *c = &s->caches[i];
        if (strcmp(c->type, "INSTRUCTION") == 0)
            continue;
        if (!before && c->core == core && c->level == 1)
            return c;
        for (size_t k = 0; before && k < c->n_inner; k++)
            if (&s->caches[c->inner[k]] == before && c->level > before->level)
                return c;
    }
    return 0;
}

static size_t own_cache(const struct shimxml_system *s, size_t core, size_t from)
{
    while (from < s->n_caches && s->caches[from].core != core)
        from++;
    return from;
}

bool shimxml_same_kind(const struct shimxml_system *s, size_t a, size_t b)
{
    const struct shimxml_core *x = &s->cores[a], *y = &s->cores[b];
    if (strcmp(x->arch, y->arch) != 0 || strcmp(x->type, y->type) != 0 || x->clock_hz != y->clock_hz)
        return false;
    size_t i = own_cache(s, a, 0), k = own_cache(s, b, 0);
    for (; i < s->n_caches && k < s->n_caches; i = own_cache(s, a, i + 1), k = own_cache(s, b, k + 1)) {
        const struct shimxml_cache *p = &s->caches[i], *q = &s->caches[k];
        if (p->bytes != q->bytes || p->ways != q->ways || p->line != q->line || strcmp(p->type, q->type) != 0)
            return false;
    }
    return i == s->n_caches && k == s->n_caches;
}

void shimxml_system_free(struct shimxml_system *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_cores; i++) {
        struct shimxml_core *c = &s->cores[i];
        for (size_t k = 0; k < c->n_instructions; k++)
            free(c->instructions[k].name);
        free(c->instructions);
        free(c->name);
        free(c->id);
        free(c->arch);
        free(c->type);
        free(c->rewritten);
    }
    for (size_t i = 0; i < s->n_caches; i++) {
        free(s->caches[i].name);
        free(s->caches[i].id);
        free(s->caches[i].type);
        free(s->caches[i].inner);
    }
    for (size_t i = 0; i < s->n_memories; i++) {
        free(s->memories[i].name);
        free(s->memories[i].id);
    }
    free(s->cores);
    free(s->caches);
    free(s->memories);
    free(s->accesses);
    free(s->interval);
    free(s->fitted_interval);
    free(s->name);
    free(s);
}
