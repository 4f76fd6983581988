/* topology.c - the border to hwloc: makes the skeleton of a machine. */
#include <hwloc.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "shim-xml/document/skeleton.h"

enum { ACCESS_SIZES = 4 }; /* 1, 2, 4, 8 bytes: the sizes that the reference measurement tools know */

struct making {
    hwloc_topology_t topology;
    const struct shimxml_machine *machine;
    bool this_machine;
    VEC(char *) cores;    /* ids */
    VEC(char *) memories; /* ids */
    VEC(uint64_t) sizes;  /* of the memories [bytes] */
};

/* ---- hwloc ---- */

static enum status load(hwloc_topology_t *out, const char *description, struct error *e)
{
    if (hwloc_topology_init(out))
        return error_set(e, ERR_SYSTEM, NOWHERE, "hwloc cannot start");
    int bad = 0;
    if (description && file_exists(description))
        bad = hwloc_topology_set_xml(*out, description);
    else if (description)
        bad = hwloc_topology_set_synthetic(*out, description);
    hwloc_topology_set_cache_types_filter(*out, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_icache_types_filter(*out, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (bad || hwloc_topology_load(*out)) {
        hwloc_topology_destroy(*out);
        return description ? error_set(e, ERR_INPUT, AT_FILE(description),
                                       "neither a file of hwloc's (lstopo -.xml) nor a synthetic description")
                           : error_set(e, ERR_SYSTEM, NOWHERE, "hwloc cannot find this machine's topology");
    }
    return OK;
}

/* ---- numbers ---- */

/* The first "cpu MHz : 2596.152" of /proc/cpuinfo in Hz; 0: none. A virtual machine has it even without cpufreq. */
static double cpuinfo_hz(void)
{
    struct str text = STR_INIT;
    struct error ignored = ERROR_INIT;
    const char *at = NULL;
    if (!file_read(&text, "/proc/cpuinfo", (size_t)16 << 20, &ignored))
        at = strstr(str_text(&text), "\ncpu MHz");
    at = at ? strchr(at, ':') : NULL;
    double mhz = at ? strtod(at + 1, NULL) : 0;
    str_release(&text);
    error_release(&ignored);
    return mhz > 0 && mhz < 1e6 ? mhz * 1e6 : 0;
}

/* The core clock in Hz, according to the kernel; 0: not given. */
static double cpufreq_hz(unsigned cpu)
{
    char *path = xasprintf("/sys/devices/system/cpu/cpu%u/cpufreq/cpuinfo_max_freq", cpu);
    struct str text = STR_INIT;
    double khz = 0;
    if (file_exists(path) && !file_read(&text, path, 64, 0)) {
        if (text.len && text.s[text.len - 1] == '\n')
            text.s[text.len - 1] = 0;
        if (!parse_double(str_text(&text), &khz))
            khz = 0;
    }
    str_release(&text);
    free(path);
    return khz > 0 ? khz * 1000 : cpuinfo_hz();
}

static const char *architecture(const struct making *m)
{
    static struct utsname u; /* constant for the life of the process */
    return m->this_machine && uname(&u) == 0 ? u.machine : "unknown";
}

/* ---- caches ---- */

static const char *cache_type(hwloc_obj_t c)
{
    return c->attr->cache.type == HWLOC_OBJ_CACHE_INSTRUCTION ? "INSTRUCTION"
           : c->attr->cache.type == HWLOC_OBJ_CACHE_DATA      ? "DATA"
                                                              : "UNIFIED";
}

/* Makes "C_L1_DataCache_0". The cache's name is the part after "C_". */
static void cache_id(char *out, size_t size, hwloc_obj_t c)
{
    snprintf(out, size, "C_L%u_%s_%u", c->attr->cache.depth, skeleton_cache_kind(cache_type(c)), c->logical_index);
}

/* Does the cache belong to the core alone? L1 caches stand inside the core; caches that several cores share stand in
 * the ComponentSet. */
static bool belongs_to_core(hwloc_obj_t c, hwloc_obj_t core)
{
    return hwloc_bitmap_isincluded(c->cpuset, core->cpuset);
}

/* Adds cacheRefs, which point inwards: to the caches of the next lower level. */
static void add_inner(const struct making *m, struct shimxml_node *n, hwloc_obj_t outer)
{
    unsigned best = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (hwloc_obj_type_t t = HWLOC_OBJ_L1CACHE; t <= HWLOC_OBJ_L3ICACHE; t++) {
            for (hwloc_obj_t c = 0; (c = hwloc_get_next_obj_by_type(m->topology, t, c));) {
                unsigned depth = c->attr->cache.depth;
                if (depth >= outer->attr->cache.depth || !hwloc_bitmap_isincluded(c->cpuset, outer->cpuset))
                    continue;
                if (pass == 0 && depth > best)
                    best = depth;
                if (pass == 1 && depth == best) {
                    char id[64];
                    cache_id(id, sizeof id, c);
                    shimxml_set_text(shimxml_add(n, "cacheRef"), id);
                }
            }
        }
    }
}

static void add_cache(const struct making *m, struct shimxml_node *parent, hwloc_obj_t c)
{
    char id[64];
    cache_id(id, sizeof id, c);
    int ways = c->attr->cache.associativity;
    uint64_t line = c->attr->cache.linesize;
    if (ways < 0 && line) /* hwloc: -1 is fully associative */
        ways = c->attr->cache.size / line <= INT_MAX ? (int)(c->attr->cache.size / line) : 0;
    const struct skeleton_cache cache = {cache_type(c), "HARD", c->attr->cache.size, line, ways};
    struct shimxml_node *n = skeleton_add_cache(parent, id + 2, id, &cache);
    add_inner(m, n, c);
}

/* Adds caches, inner levels first. */
static void add_caches(const struct making *m, struct shimxml_node *parent, hwloc_obj_t core)
{
    static const hwloc_obj_type_t types[] = {HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L1CACHE,  HWLOC_OBJ_L2ICACHE,
                                             HWLOC_OBJ_L2CACHE,  HWLOC_OBJ_L3ICACHE, HWLOC_OBJ_L3CACHE,
                                             HWLOC_OBJ_L4CACHE,  HWLOC_OBJ_L5CACHE};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        for (hwloc_obj_t c = 0; (c = hwloc_get_next_obj_by_type(m->topology, types[i], c));) {
            bool own = false;
            for (hwloc_obj_t k = 0; !own && (k = hwloc_get_next_obj_by_type(m->topology, HWLOC_OBJ_CORE, k));)
                own = belongs_to_core(c, k) && (!core || k == core);
            if (core ? own : !own)
                add_cache(m, parent, c);
        }
    }
}

/* ---- cores ---- */

static void add_access_types(struct shimxml_node *master, unsigned core)
{
    struct shimxml_node *set = shimxml_add(master, "AccessTypeSet");
    char *name = xasprintf("Core_%u", core);
    for (unsigned i = 0, size = 1; i < ACCESS_SIZES; i++, size *= 2)
        skeleton_add_access_type(set, name, "R", size);
    for (unsigned i = 0, size = 1; i < ACCESS_SIZES; i++, size *= 2)
        skeleton_add_access_type(set, name, "W", size);
    free(name);
}

static void add_core(struct making *m, struct shimxml_node *parent, hwloc_obj_t core, unsigned number)
{
    struct shimxml_node *n = shimxml_add(parent, "MasterComponent");
    char *id = xasprintf("MC_Core_%u", number);
    shimxml_setf(n, "name", "Core_%u", number);
    shimxml_set(n, "id", id);
    shimxml_set(n, "masterType", "PU");
    shimxml_set(n, "arch", architecture(m));
    int first = hwloc_bitmap_first(core->cpuset); /* the operating system's number, which is unique, unlike a core's */
    shimxml_setf(n, "pid", "%u", first >= 0 ? (unsigned)first : number);
    int threads = hwloc_bitmap_weight(core->cpuset);
    shimxml_setf(n, "nThread", "%d", threads > 0 ? threads : 1);
    shimxml_set(n, "endian", skeleton_endian());
    add_caches(m, n, core);
    double hz = m->machine->clock_hz;
    if (hz <= 0 && m->this_machine)
        hz = cpufreq_hz(first >= 0 ? (unsigned)first : 0);
    if (hz > 0)
        shimxml_set_number(shimxml_add(n, "ClockFrequency"), "clockValue", hz);
    add_access_types(n, number);
    vec_push(&m->cores, id);
}

/* ---- memories ---- */

static void add_memory(struct making *m, struct shimxml_node *set, uint64_t bytes, size_t number)
{
    char *id = xasprintf("SC_Memory_%zu", number);
    skeleton_add_memory(set, id + 3, id, bytes, "RWX");
    vec_push(&m->memories, id);
    vec_push(&m->sizes, bytes);
}

/* The size of a node. A single node is the whole memory: the kernel's figure for the node leaves out memory that was
 * added later. */
static uint64_t memory_of(const struct making *m, hwloc_obj_t node)
{
    uint64_t bytes = node->attr->numanode.local_memory;
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (m->this_machine && hwloc_get_nbobjs_by_type(m->topology, HWLOC_OBJ_NUMANODE) == 1 && pages > 0 && size > 0)
        bytes = (uint64_t)pages * (uint64_t)size;
    return bytes;
}

static void add_memories(struct making *m, struct shimxml_node *set)
{
    size_t number = 0;
    for (hwloc_obj_t o = 0; (o = hwloc_get_next_obj_by_type(m->topology, HWLOC_OBJ_NUMANODE, o));) {
        uint64_t bytes = memory_of(m, o);
        bytes = bytes >> 20 ? bytes >> 20 << 20 : bytes; /* whole MiB are precise enough */
        if (bytes)
            add_memory(m, set, bytes, number++);
    }
}

/* Adds an address space: each memory has a range, bound to every core. */
static void add_address_space(const struct making *m, struct shimxml_node *root)
{
    struct shimxml_node *space = skeleton_add_space(root);
    uint64_t start = 0;
    for (size_t i = 0; i < m->memories.n; i++) {
        const char *id = m->memories.at[i];
        struct shimxml_node *binding =
            skeleton_add_range(space, i, id + 3, id, start, start + m->sizes.at[i] - 1, skeleton_endian());
        start += m->sizes.at[i];
        for (size_t k = 0; k < m->cores.n; k++)
            shimxml_set(shimxml_add(binding, "Accessor"), "masterComponentRef", m->cores.at[k]);
    }
}

/* ---- the whole machine ---- */

static struct shimxml_doc *make(struct making *m)
{
    struct shimxml_doc *d = skeleton_new(m->machine->name);
    struct shimxml_node *root = shimxml_root(d);
    struct shimxml_node *system = shimxml_add(root, "ComponentSet");
    shimxml_set(system, "name", "System");
    struct shimxml_node *cluster = shimxml_add(system, "ComponentSet");
    shimxml_set(cluster, "name", "Cluster_0");
    add_memories(m, cluster);
    unsigned number = 0;
    for (hwloc_obj_t c = 0; (c = hwloc_get_next_obj_by_type(m->topology, HWLOC_OBJ_CORE, c));)
        add_core(m, cluster, c, number++);
    add_caches(m, cluster, 0);
    if (m->memories.n)
        add_address_space(m, root);
    double hz = m->machine->clock_hz > 0 ? m->machine->clock_hz : m->this_machine ? cpufreq_hz(0) : 0;
    shimxml_set_number(shimxml_add(root, "ClockFrequency"), "clockValue", hz);
    return d;
}

enum status shimxml_new(struct shimxml_doc **out, const struct shimxml_machine *machine, struct error *e)
{
    struct making m = {.machine = machine};
    enum status s = load(&m.topology, machine->topology, e);
    if (s)
        return s;
    /* HWLOC_SYNTHETIC may say that it is not */
    m.this_machine = !machine->topology && hwloc_topology_is_thissystem(m.topology);
    if (hwloc_get_nbobjs_by_type(m.topology, HWLOC_OBJ_CORE) <= 0)
        s = error_set(e, ERR_INPUT, AT_FILE(machine->topology ? machine->topology : "this machine"),
                      "hwloc finds no core");
    else
        *out = make(&m);
    for (size_t i = 0; i < m.cores.n; i++)
        free(m.cores.at[i]);
    for (size_t i = 0; i < m.memories.n; i++)
        free(m.memories.at[i]);
    vec_release(&m.cores);
    vec_release(&m.memories);
    vec_release(&m.sizes);
    hwloc_topology_destroy(m.topology);
    return s;
}
