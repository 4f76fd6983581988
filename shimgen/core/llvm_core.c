/* llvm_core.c - makes blocks for llvm-mca of all kernels of a target, and reads their cycles. */
#include "shimgen/core/llvm_core.h"

#include <ctype.h>
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/target.h"
#include "shimgen/core/mca.h"

enum { BETWEEN = 4 }; /* registers first + 1 ... are written between a producer and its consumer */

/* ---- blocks ---- */

static void add_stream(struct mca_set *set, const struct core_kernels *k, const struct core_kernel *one)
{
    struct str text = STR_INIT;
    core_kernel_stream(&text, k, one->text);
    mca_add(set, xasprintf("%u/stream", one->class), &text);
}

/* Chains through equal register numbers. For an instruction that only sets flags, the result is waited for by the
 * instruction that brings it back. */
static void add_chain(struct mca_set *set, const struct core_kernels *k, const struct core_kernel *one,
                      const char *instruction, const char *name)
{
    struct str text = STR_INIT;
    const struct core_kernel *back = one->kind->back ? core_kernels_find(k, one->kind->back) : NULL;
    core_kernel_line(&text, k, instruction, k->first, k->first);
    if (back)
        core_kernel_line(&text, k, back->text, k->first, strstr(instruction, "$d") ? k->first : k->operand);
    mca_add(set, xasprintf("%u/%s", one->class, name), &text);
}

/* Chains to an addition and back, for results in integer registers whose need differs from an addition's. */
static void add_use(struct mca_set *set, const struct core_kernels *k, const struct core_kernel *one)
{
    struct str text = STR_INIT;
    core_kernel_line(&text, k, one->text, k->first, k->first);
    core_kernel_line(&text, k, k->use, k->first, k->first);
    mca_add(set, xasprintf("%u/use", one->class), &text);
}

static bool is_used_by_additions(const struct core_kernel *one)
{
    return !one->kind->back && strncmp(one->kind->need, "fp", 2) != 0 && strcmp(one->kind->need, "operand") != 0 &&
           strcmp(one->kind->need, "flags") != 0;
}

static void add_kernels(struct mca_set *set, const struct core_kernels *k)
{
    for (size_t i = 0; i < k->n; i++) {
        const struct core_kernel *one = &k->at[i];
        add_stream(set, k, one);
        if (!one->kind->need)
            continue;
        add_chain(set, k, one, one->text, "chain");
        if (one->second)
            add_chain(set, k, one, one->second, "second");
        if (is_used_by_additions(one))
            add_use(set, k, one);
    }
}

static char *wait_name(const struct core_need_kernel *need, const char *kind, int between)
{
    return xasprintf("%u/%s/%s/%d", need->class, need->need, kind, between);
}

static void add_wait(struct mca_set *set, const struct core_kernels *k, const struct core_need_kernel *need,
                     int between, bool waits)
{
    struct str text = STR_INIT;
    core_kernel_line(&text, k, need->producer, k->first, k->first);
    for (int i = 0; i < between; i++)
        core_kernel_line(&text, k, need->producer, k->first + 1 + (unsigned)(i % BETWEEN), k->first);
    core_kernel_line(&text, k, need->consumer, k->first + BETWEEN + 1, waits ? k->first : k->operand);
    mca_add(set, wait_name(need, waits ? "waits" : "free", between), &text);
}

static void add_all(struct mca_set *set, const struct core_kernels *k)
{
    add_kernels(set, k);
    for (size_t i = 0; i < k->n_needs; i++)
        for (int between = 0; between < CORE_KNEE; between++) {
            add_wait(set, k, &k->needs[i], between, true);
            add_wait(set, k, &k->needs[i], between, false);
        }
    if (k->write_back) {
        struct str text = STR_INIT;
        core_kernel_line(&text, k, k->write_back, k->first, k->first);
        mca_add(set, xstrdup("write_back"), &text);
    }
}

/* ---- cycles ---- */

static double cycles_of(const struct mca_set *set, char *name)
{
    const struct mca_block *b = mca_find(set, name);
    free(name);
    return b ? b->cycles : NAN;
}

static void read_kernel(struct core_cycles *to, const struct mca_set *set, const struct core_kernels *k, unsigned class)
{
    char *stream = xasprintf("%u/stream", class);
    const struct mca_block *b = mca_find(set, stream);
    to->stream = b->cycles / k->turns;
    to->resources = b->resources;
    static_assert((int)MCA_RESOURCES <= (int)ISS_PORTS, "each resource is a port");
    for (unsigned i = 0; i < MCA_RESOURCES; i++)
        to->pressure[i] = b->pressure[i] / k->turns;
    to->slots = b->slots;
    if (k->prologue) /* if chains show all latencies, the printed ones are not needed */
        to->latency = b->latency;
    to->chain = cycles_of(set, xasprintf("%u/chain", class));
    to->second = cycles_of(set, xasprintf("%u/second", class));
    to->use = cycles_of(set, xasprintf("%u/use", class));
    free(stream);
}

static void read_all(struct core_measured *to, const struct mca_set *set)
{
    const struct core_kernels *k = to->kernels;
    for (size_t i = 0; i < k->n; i++)
        read_kernel(&to->at[i], set, k, k->at[i].class);
    for (size_t i = 0; i < k->n_needs; i++)
        for (int n = 0; n < CORE_KNEE; n++) {
            to->waits[i][n] = cycles_of(set, wait_name(&k->needs[i], "waits", n));
            to->free[i][n] = cycles_of(set, wait_name(&k->needs[i], "free", n));
        }
    to->write_back = k->write_back ? cycles_of(set, xstrdup("write_back")) : NAN;
    to->width = set->width;
    to->reorder = set->reorder;
    memcpy(to->kind, set->kind, sizeof to->kind);
    to->scheduler = set->scheduler;
    to->loads = set->loads;
    to->stores = set->stores;
}

/* ---- whose model is it? ---- */

/* Letters and digits in lower case: "cortexa57" for both "cortex-a57" and "CortexA57". */
static char *plain_name(const char *name)
{
    struct str text = STR_INIT;
    for (; *name; name++)
        if (isalnum((unsigned char)*name))
            str_addch(&text, (char)tolower((unsigned char)*name));
    return text.len ? str_detach(&text) : xstrdup("");
}

static char *shared_name(const char *model, const char *cpu)
{
    char *a = plain_name(cpu), *b = plain_name(model);
    char *shared = *b && !strstr(a, b) ? xstrdup(model) : NULL;
    free(a);
    free(b);
    return shared;
}

enum status llvm_core_measure(struct llvm_core *out, const char *triple, const char *cpu, struct error *e)
{
    *out = (struct llvm_core){0};
    const char *architecture = target_find(triple)->name;
    const struct core_kernels *k = core_kernels_of(architecture);
    if (!k) {
        char *list = core_kernels_list();
        enum status s = error_set(
            e, ERR_INPUT, NOWHERE,
            "no machine instructions are known to time a core for '%s' with; there are some for: %s", triple, list);
        free(list);
        return s;
    }
    struct mca_set set = {.triple = triple, .cpu = cpu, .prologue = k->prologue};
    core_measured_init(&out->measured, k);
    add_all(&set, k);
    enum status s = mca_run(&set, e);
    if (!s) {
        read_all(&out->measured, &set);
        out->version = xstrdup(set.version);
        out->shared = shared_name(set.model ? set.model : "", cpu);
    }
    mca_release(&set);
    return s;
}

void llvm_core_release(struct llvm_core *c)
{
    core_measured_release(&c->measured);
    free(c->version);
    free(c->shared);
    *c = (struct llvm_core){0};
}
