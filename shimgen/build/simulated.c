/* simulated.c - the default caches and predictor that are simulated while a board's programs are counted. */
#include "shimgen/build/simulated.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/target.h"
#include "sim/core/core_model.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/profile/shim_caches.h"
#include "shimgen/estimate/shim_core.h"

/* ---- code for the target ---- */

/* The value of the first -mcpu=VALUE among the board's flags; "": there is none. */
static const char *processor_of(const struct board_args *flags)
{
    static const char option[] = "-mcpu=";
    for (size_t i = 0; i < flags->n; i++)
        if (strncmp(flags->at[i], option, strlen(option)) == 0)
            return flags->at[i] + strlen(option);
    return "";
}

static void add_target(struct board_args *simulate, const struct board *b, const char *machine)
{
    const char *target = board_target(b);
    struct board_args flags = {0};
    board_compile_flags(b, b->levels[0].name, &flags);
    const char *processor = processor_of(&flags);
    char *value = xasprintf("%s%s%s%s", *target ? target : machine, *target ? "" : "-linux-gnu", *processor ? ":" : "",
                            processor);
    ARGS_ADD(simulate, "--spills", value);
    free(value);
    board_args_release(&flags);
}

/* ---- a simulated board: what its core has ---- */

static void add_geometry(struct board_args *simulate, const char *option, const struct sim_cache *c)
{
    char *text = shim_cache_text(c);
    ARGS_ADD(simulate, option, text);
    free(text);
}

static void add_core(struct board_args *simulate, const struct iss_model *m)
{
    const struct sim_predictor_kind *k = &m->predictor.kind;
    const struct sim_prefetch_kind *p = &m->data.prefetch;
    long long place = m->predictor.address < (int64_t)k->table_bits ? (long long)m->predictor.address : k->table_bits;
    char *predictor = k->scheme == SIM_GSHARE ? xasprintf("gshare:%u:%u:%lld", k->table_bits, k->history_bits, place)
                                              : xasprintf("bimodal:%u", k->table_bits);
    char *prefetch = xasprintf("%u:%u:%u:%u", p->streams, p->trigger, p->ahead, p->stride);
    if (m->no_caches) {
        ARGS_ADD(simulate, "--memory");
    } else {
        add_geometry(simulate, "--l1d", &m->l1d.geometry);
        add_geometry(simulate, "--l2", &m->l2.geometry);
    }
    if (p->streams && p->ahead)
        ARGS_ADD(simulate, "--prefetch", prefetch);
    if (!m->predictor.none) {
        char *switches = xasprintf("last:%lld", (long long)m->predictor.targets);
        ARGS_ADD(simulate, "--branches", predictor, "--switches", switches);
        free(switches);
    }
    free(predictor);
    free(prefetch);
}

static enum status add_model(struct board_args *simulate, const struct board *b, struct error *e)
{
    struct iss_model *m = 0;
    enum status s = iss_model_read(&m, b->model, e);
    if (!s)
        add_core(simulate, m);
    iss_model_free(m);
    return s;
}

/* ---- other boards ---- */

/* Adds this machine's caches according to the system; nothing if it does not say. */
static void add_cache(struct board_args *simulate, const char *option, int size, int ways, int line)
{
    long bytes = sysconf(size), assoc = sysconf(ways), of_line = sysconf(line);
    if (bytes <= 0 || assoc <= 0 || of_line <= 0)
        return;
    char *value = xasprintf("%ld:%ld:%ld:lru", bytes, assoc, of_line);
    ARGS_ADD(simulate, option, value);
    free(value);
}

/* Current x86 cores predict indirect jumps by long histories (Seznec and Michaud, "A case for (partially) tagged
 * geometric history length branch prediction", JILP 2006), which is very different from the last target. Their
 * prefetchers differ by core and are not guessed. docs/method/caches-and-branches.md says how such guesses affect
 * estimates. */
static void add_machine(struct board_args *simulate, const char *machine)
{
    ARGS_ADD(simulate, "--memory", "--branches", "gshare:14:12");
    add_cache(simulate, "--l1d", _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL1_DCACHE_ASSOC, _SC_LEVEL1_DCACHE_LINESIZE);
    add_cache(simulate, "--l2", _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL2_CACHE_ASSOC, _SC_LEVEL2_CACHE_LINESIZE);
    if (target_has(target_find(machine), TARGET_LONG_HISTORY))
        ARGS_ADD(simulate, "--switches", "known");
}

/* Reads what the skeleton says about a core's data caches, if anything. */
static bool skeleton_caches(struct sim_cache_levels *levels, const struct board *b, struct error *e)
{
    struct shimxml_system *system = 0;
    struct data_caches found = {0, 0};
    size_t core;
    enum status s = shim_system(&system, b->skeleton, e);
    if (!s)
        s = shim_core(&core, system, b->skeleton, 0, e);
    if (!s)
        s = shim_data_caches(&found, system, core, b->skeleton, e);
    if (!s)
        s = shim_cache_geometry(&levels->l1d, found.l1d, SIM_LRU, b->skeleton, "--l1d", e);
    if (!s && found.l2)
        s = shim_cache_geometry(&levels->l2, found.l2, SIM_LRU, b->skeleton, "--l2", e);
    shimxml_system_free(system);
    return !s && !sim_cache_levels_check(levels);
}

static void add_skeleton(struct board_args *simulate, const struct board *b)
{
    struct sim_cache_levels levels = {.l1d = {0}};
    struct error ignored = ERROR_INIT;
    ARGS_ADD(simulate, "--memory", "--branches", "gshare:12:8");
    bool known = *b->skeleton && skeleton_caches(&levels, b, &ignored);
    error_release(&ignored);
    if (!known)
        return;
    add_geometry(simulate, "--l1d", &levels.l1d);
    if (levels.l2.size)
        add_geometry(simulate, "--l2", &levels.l2);
    else
        ARGS_ADD(simulate, "--l2", "none");
}

enum status simulated_defaults(struct board_args *simulate, const struct board *b, struct error *e)
{
    struct utsname here = {0};
    /* a target that only replaces the board's for counting has different code */
    bool native = !*board_target(b), stands_in = *b->count_target;
    if (uname(&here) || !b->n_levels)
        return OK;
    ARGS_ADD(simulate, "--sizes");
    if (target_has(target_find(native ? here.machine : board_target(b)), TARGET_MACHINE_EVENTS) && !stands_in)
        add_target(simulate, b, here.machine);
    if (*b->count_simulate)
        args_add_all(simulate, (const char *const *)b->count_simulate);
    else if (b->how == BOARD_SIMULATOR)
        return add_model(simulate, b, e);
    else if (native)
        add_machine(simulate, here.machine);
    else
        add_skeleton(simulate, b);
    return OK;
}
