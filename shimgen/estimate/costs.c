/* costs.c - the costs of instructions on a core, with assumptions where the SHIM file has none. */
#include "shimgen/estimate/costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/shim_core.h"

void cycles_add(struct cycles *sum, const struct cycles *c, double times)
{
    sum->best += times * c->best;
    sum->typical += times * c->typical;
    sum->worst += times * c->worst;
}

double cycles_pick(const struct cycles *c, int which)
{
    return which == 0 ? c->best : which == 1 ? c->typical : c->worst;
}

/* ---- what a SHIM file says ---- */

static struct cycles completed(struct cycles c)
{
    if (isnan(c.best))
        c.best = c.typical;
    if (isnan(c.worst))
        c.worst = c.typical;
    return c;
}

void costs_add(struct costs *c, const char *instruction, struct cycles pitch, struct cycles latency)
{
    if (map_get(&c->names, instruction, 0))
        return;
    size_t i = map_number(&c->names, instruction);
    c->pitch = xreallocarray(c->pitch, i + 1, sizeof *c->pitch);
    c->latency = xreallocarray(c->latency, i + 1, sizeof *c->latency);
    c->pitch[i] = completed(pitch);
    c->latency[i] = completed(latency);
}

void costs_copy(struct costs *to, const struct costs *from)
{
    *to = *from;
    to->core = xstrdup(from->core);
    to->interval = from->interval ? xstrdup(from->interval) : 0;
    to->names = (struct map){0};
    for (size_t i = 0; i < from->names.n; i++)
        map_number(&to->names, from->names.keys[i]);
    to->pitch = xmemdup(from->pitch, from->names.n * sizeof *from->pitch);
    to->latency = xmemdup(from->latency, from->names.n * sizeof *from->latency);
}

void costs_release(struct costs *c)
{
    map_release(&c->names);
    free(c->pitch);
    free(c->latency);
    free(c->core);
    free(c->interval);
    *c = (struct costs){0};
}

static struct cycles cycles_of(const struct shimxml_range *r)
{
    return (struct cycles){r->best, r->typical, r->worst};
}

/* ---- what misses cost: how much later the next level answers a read ---- */

/* What reads take that this answers: of the largest, of at most a word; false: the file does not say. */
static bool read_costs(struct cycles *latency, struct cycles *pitch, const struct shimxml_system *s, size_t core,
                       size_t cache)
{
    long bytes = 0;
    for (size_t i = 0; i < s->n_accesses; i++) {
        const struct shimxml_access *a = &s->accesses[i];
        if (a->core != core || a->cache != cache || !strchr(a->rw, 'R') || a->bytes <= bytes || a->bytes > 8 ||
            isnan(a->latency.typical))
            continue;
        bytes = a->bytes;
        *latency = completed(cycles_of(&a->latency));
        *pitch = isnan(a->pitch.typical) ? *latency : completed(cycles_of(&a->pitch));
    }
    return bytes > 0;
}

static struct cycles later(const struct cycles *far, const struct cycles *near)
{
    return (struct cycles){fmax(0, far->best - near->best), fmax(0, far->typical - near->typical),
                           fmax(0, far->worst - near->worst)};
}

/* Two levels are simulated: what misses the second is answered by the third, or by the memory. */
static void find_refills(struct costs *out, const struct shimxml_system *s, size_t core)
{
    const struct shimxml_cache *cache = shimxml_next_cache(s, core, 0);
    struct cycles latency[3], pitch[3];
    for (size_t i = 0; i < 3; i++) {
        size_t there = cache ? (size_t)(cache - s->caches) : SHIMXML_MEMORY;
        if (!read_costs(&latency[i], &pitch[i], s, core, there))
            return;
        if (i) {
            out->refills[i - 1] = later(&latency[i], &latency[i - 1]);
            out->streams[i - 1] = later(&pitch[i], &pitch[i - 1]);
            out->n_refills = i;
        }
        if (!cache)
            return;
        cache = shimxml_next_cache(s, core, cache);
    }
}

/* ---- widths: SHIM 2.0 may have an instruction several times, each for another width ---- */

/* What a form is called among the names: no instruction's. */
static char *form_name(const char *instruction, const struct shimxml_widths *w)
{
    return xasprintf("%s:%d>%d*%d", instruction, w->input, w->output, w->lanes);
}

/* The first of a name stands for all widths that the file does not have. */
static void add_instruction(struct costs *out, const struct shimxml_instruction *i)
{
    costs_add(out, i->name, cycles_of(&i->pitch), cycles_of(&i->latency));
    if (!i->widths.output)
        return;
    char *form = form_name(i->name, &i->widths);
    costs_add(out, form, cycles_of(&i->pitch), cycles_of(&i->latency));
    free(form);
}

/* What the file says of the width that a key's type has; false: nothing. */
static bool cost_of_width(struct key_cost *k, const struct costs *c, const char *key)
{
    const char *dot = strchr(key, '.');
    struct shimxml_widths w;
    size_t i, n = dot ? strlen(dot + 1) : 0;
    if (!dot)
        return false;
    char *type = xstrndup(dot + 1, k->dependent ? n - 2 : n);
    bool known = shimxml_widths_of(&w, k->instruction, type);
    char *form = known ? form_name(k->instruction, &w) : 0;
    known = known && map_get(&c->names, form, &i);
    free(form);
    free(type);
    if (!known)
        return false;
    k->pitch = c->pitch[i];
    k->latency = c->latency[i];
    return true;
}

/* "A53_0", or of several cores that are called so "A53_0 (MC_A53_0)": free it. */
static char *name_of(const struct shimxml_system *s, size_t core)
{
    const struct shimxml_core *c = &s->cores[core];
    for (size_t i = 0; i < s->n_cores; i++)
        if (i != core && strcmp(s->cores[i].name, c->name) == 0)
            return xasprintf("%s (%s)", c->name, c->id);
    return xstrdup(c->name);
}

static void costs_of(struct costs *out, const struct shimxml_system *s, size_t core)
{
    const struct shimxml_core *c = &s->cores[core];
    *out = (struct costs){.clock_hz = c->clock_hz, .core = name_of(s, core), .method = s->method};
    out->interval = s->interval ? xstrdup(s->interval) : 0;
    find_refills(out, s, core);
    for (size_t i = 0; i < c->n_instructions; i++)
        add_instruction(out, &c->instructions[i]);
}

enum status costs_from_shim(struct costs *out, const char *path, const char *core, struct error *e)
{
    struct shimxml_system *system = 0;
    size_t index = 0;
    enum status s = shim_system(&system, path, e);
    if (!s)
        s = shim_core(&index, system, path, core, e);
    if (!s && !system->cores[index].n_instructions)
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "core '%s' has no instruction set, so nothing can be estimated for it; merge a model into it "
                      "(shim-xml merge)",
                      system->cores[index].name);
    if (!s)
        costs_of(out, system, index);
    shimxml_system_free(system);
    return s;
}

static bool same(const struct costs *a, const struct costs *b)
{
    size_t n = a->names.n;
    if (n != b->names.n || a->clock_hz != b->clock_hz)
        return false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(a->names.keys[i], b->names.keys[i]) != 0)
            return false;
    return memcmp(a->pitch, b->pitch, n * sizeof *a->pitch) == 0 &&
           memcmp(a->latency, b->latency, n * sizeof *a->latency) == 0 && a->n_refills == b->n_refills &&
           memcmp(a->refills, b->refills, a->n_refills * sizeof *a->refills) == 0 &&
           memcmp(a->streams, b->streams, a->n_refills * sizeof *a->streams) == 0;
}

enum status costs_list(struct costs **out, size_t *n, const char *path, struct error *e)
{
    struct shimxml_system *system = 0;
    VEC(struct costs) list = {0};
    enum status s = shim_system(&system, path, e);
    for (size_t i = 0; !s && i < system->n_cores; i++) {
        struct costs c;
        if (strcmp(system->cores[i].type, "PU") != 0 || !system->cores[i].n_instructions)
            continue;
        costs_of(&c, system, i);
        size_t k = 0;
        while (k < list.n && !same(&list.at[k], &c))
            k++;
        if (k == list.n) {
            vec_push(&list, c);
        } else {
            list.at[k].alike++;
            costs_release(&c);
        }
    }
    if (!s && !list.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "no processing unit in it has an instruction set, so nothing can be estimated; merge a model "
                      "into it (shim-xml merge)");
    shimxml_system_free(system);
    *out = list.at;
    *n = list.n;
    return s;
}

void costs_list_free(struct costs *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        costs_release(&list[i]);
    free(list);
}

/* ---- what the values say of the core ---- */

double costs_issue(const struct costs *c)
{
    static const char *const simple[] = {"add", "sub", "and", "or", "xor"};
    double least = INFINITY;
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        size_t at;
        if (map_get(&c->names, simple[i], &at) && c->pitch[at].typical > 0)
            least = fmin(least, c->pitch[at].typical);
    }
    return isinf(least) ? 1 : least;
}

bool costs_goes_ahead(const struct costs *c)
{
    size_t at;
    return map_get(&c->names, "add", &at) && c->latency[at].typical >= 3 * costs_issue(c);
}

/* ---- what each key costs ---- */

char *key_instruction(const char *key, bool *dependent)
{
    size_t n = strlen(key);
    *dependent = n > 2 && strcmp(key + n - 2, "_d") == 0;
    if (*dependent)
        n -= 2;
    size_t dot = strcspn(key, ".");
    return xstrndup(key, dot < n ? dot : n);
}

/* Who stands for an instruction that the file does not have: the first behind it that it has. "": no code, hence
 * nothing. SHIM's reference list misspells one instruction. */
static const char *const heirs[][8] = {
    {"extractvalue", "extractivalue", "insertvalue", ""},
    {"insertvalue", "extractvalue", "extractivalue", ""},
    {"freeze", ""},
    {"phi", ""},
    {"bitcast", ""},
    {"addrspacecast", "bitcast", ""},
    {"ptrtoint", "bitcast", ""},
    {"inttoptr", "bitcast", ""},
    {"unreachable", ""},
    {"alloca", ""},
    {"trunc", "zext", "sext", "add"},
    {"zext", "sext", "trunc", "add"},
    {"sext", "zext", "trunc", "add"},
    {"getelementptr", "add"},
    {"add", "sub"},
    {"sub", "add"},
    {"and", "or", "xor", "add"},
    {"or", "and", "xor", "add"},
    {"xor", "or", "and", "add"},
    {"shl", "lshr", "ashr", "add"},
    {"lshr", "ashr", "shl", "add"},
    {"ashr", "lshr", "shl", "add"},
    {"icmp", "sub", "add"},
    {"select", "icmp", "add"},
    {"mul", "add"},
    {"sdiv", "udiv", "srem", "urem"},
    {"udiv", "sdiv", "urem", "srem"},
    {"srem", "sdiv", "urem", "udiv"},
    {"urem", "udiv", "srem", "sdiv"},
    {"fneg", "fsub", "fadd"},
    {"fadd", "fsub", "fmul"},
    {"fsub", "fadd", "fmul"},
    {"fmul", "fadd", "fsub"},
    {"fdiv", "frem"},
    {"frem", "fdiv"},
    {"fcmp", "fsub", "fadd"},
    {"fpext", "fptrunc", "fptosi", "fadd"},
    {"fptrunc", "fpext", "fptosi", "fadd"},
    {"fptosi", "fptoui", "sitofp", "fadd"},
    {"fptoui", "fptosi", "uitofp", "fadd"},
    {"sitofp", "uitofp", "fptosi", "fadd"},
    {"uitofp", "sitofp", "fptoui", "fadd"},
    {"extractelement", "insertelement", "shufflevector", "add"},
    {"insertelement", "extractelement", "shufflevector", "add"},
    {"shufflevector", "insertelement", "extractelement", "add"},
    {"va_arg", "load"},
    {"atomicrmw", "cmpxchg", "load"},
    {"cmpxchg", "atomicrmw", "load"},
    {"switch", "br"},
    {"indirectbr", "br"},
    {"br", "switch"},
    {"ret", "br"},
    {"callbr", "call"},
    {"invoke", "call"},
    {"resume", "call"},
    {"landingpad", ""},
};

/* Its heir in the file: its name, "" for none is needed, NULL: none. */
static const char *heir_of(const char *instruction, const struct costs *c)
{
    for (size_t i = 0; i < sizeof heirs / sizeof *heirs; i++) {
        if (strcmp(heirs[i][0], instruction) != 0)
            continue;
        for (size_t k = 1; heirs[i][k]; k++)
            if (!*heirs[i][k] || map_get(&c->names, heirs[i][k], 0))
                return heirs[i][k];
    }
    return 0;
}

/* The mean of all of these; forms by width, keys and functions are left out. */
static struct cycles mean_of(const struct costs *c, const struct cycles *at)
{
    struct cycles sum = {0}, mean = {0};
    size_t n = 0;
    for (size_t i = 0; i < c->names.n; i++) {
        if (strpbrk(c->names.keys[i], ":."))
            continue;
        cycles_add(&sum, &at[i], 1);
        n++;
    }
    if (n)
        cycles_add(&mean, &sum, 1.0 / (double)n);
    return mean;
}

const char *costs_of_instruction(struct cycles *pitch, struct cycles *latency, const struct costs *c,
                                 const char *instruction)
{
    size_t i;
    const char *heir = map_get(&c->names, instruction, &i) ? instruction : heir_of(instruction, c);
    *pitch = *latency = (struct cycles){0};
    if (!heir) {
        *pitch = mean_of(c, c->pitch);
        *latency = mean_of(c, c->latency);
        return "the mean of all";
    }
    if (!*heir || !map_get(&c->names, heir, &i))
        return "nothing";
    *pitch = c->pitch[i];
    *latency = c->latency[i];
    return heir == instruction || strcmp(heir, "extractivalue") == 0 ? 0 : heir;
}

static bool cost_of_name(struct key_cost *k, const struct costs *c, const char *name)
{
    size_t i;
    if (!map_get(&c->names, name, &i))
        return false;
    k->pitch = c->pitch[i];
    k->latency = c->latency[i];
    return true;
}

/* "fadd.v4f32" for "fadd.v8f32" or "fadd.v2f32": a register of 16 bytes of such elements. NULL: no such vector. */
static char *register_name(const char *name)
{
    const char *dot = strchr(name, '.');
    char element = 0;
    unsigned n, bits;
    int end = 0;
    if (!dot || sscanf(dot, ".v%u%c%u%n", &n, &element, &bits, &end) != 3 || dot[end] || !bits || bits > 128)
        return 0;
    return xasprintf("%.*s.v%u%c%u", (int)(dot - name), name, 128 / bits, element, bits);
}

/* "call.library.powf" for "call.llvm.pow.float", "call.library.memcpy" for "call.llvm.memcpy": the function that does
 * what no instruction does. NULL: no intrinsic. */
static char *function_name(const char *name)
{
    static const char intrinsic[] = "call.llvm.";
    if (strncmp(name, intrinsic, strlen(intrinsic)) != 0)
        return 0;
    const char *plain = name + strlen(intrinsic), *dot = strchr(plain, '.');
    size_t n = dot ? (size_t)(dot - plain) : strlen(plain);
    return xasprintf("call.library.%.*s%s", (int)n, plain, dot && strcmp(dot, ".float") == 0 ? "f" : "");
}

/* The file may say what a key itself costs: "mul.i64", "call.llvm.ctpop.i32", "call.library.sin". False: it does not.
 */
static bool cost_of_key(struct key_cost *k, const struct costs *c, const char *key)
{
    char *name = xstrndup(key, strlen(key) - (k->dependent ? 2 : 0));
    char *same = register_name(name), *function = function_name(name);
    k->own = cost_of_name(k, c, name);
    bool known = k->own || (same && cost_of_name(k, c, same)) || (function && cost_of_name(k, c, function));
    free(name);
    free(same);
    free(function);
    return known;
}

/* A call of the C library that the file does not know is a call. False: the key is none. */
static bool cost_of_library(struct key_cost *k, const struct costs *c, const char *key)
{
    if (strncmp(key, "call.library.", strlen("call.library.")) != 0)
        return false;
    free(k->instruction);
    k->instruction = xstrndup(key, strlen(key) - (k->dependent ? 2 : 0));
    if (!cost_of_key(k, c, key)) {
        costs_of_instruction(&k->pitch, &k->latency, c, "call");
        k->assumed = "the call alone";
    }
    return true;
}

void key_costs_init(struct key_costs *k, const struct irprof_profile *p, const struct costs *c)
{
    k->n = p->n_keys;
    k->at = xcalloc(k->n, sizeof *k->at);
    for (size_t i = 0; i < k->n; i++) {
        k->at[i].instruction = key_instruction(p->keys[i], &k->at[i].dependent);
        if (!cost_of_library(&k->at[i], c, p->keys[i]) && !cost_of_key(&k->at[i], c, p->keys[i]) &&
            !cost_of_width(&k->at[i], c, p->keys[i]))
            k->at[i].assumed = costs_of_instruction(&k->at[i].pitch, &k->at[i].latency, c, k->at[i].instruction);
    }
}

void key_costs_release(struct key_costs *k)
{
    for (size_t i = 0; i < k->n; i++)
        free(k->at[i].instruction);
    free(k->at);
    *k = (struct key_costs){0};
}
