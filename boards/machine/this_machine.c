/* this_machine.c - describes this machine by /proc, /sys and two short measurements. */
#include "boards/machine/this_machine.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/file.h"
#include "base/target.h"
#include "boards/runtime/clock.h"
#include "boards/machine/system_files.h"

char *allowed_cores(const char *root)
{
    char *status = sys_text(root, "/proc/self/status");
    char *list = status ? line_value(status, "Cpus_allowed_list") : 0;
    free(status);
    return list ? list : xstrdup("0");
}

int choose_core(const struct board *b, const char *root)
{
    if (b->core >= 0)
        return b->core;
    char *list = allowed_cores(root);
    int highest;
    cpu_list_count(list, &highest);
    free(list);
    return highest < 0 ? 0 : highest;
}

/* With several kinds of core, each kind has a PMU that lists its cores. */
static bool is_pmu_of(const char *root, const char *name, int core)
{
    static const char *const names[] = {"cpu", "cpu_core", "armv8_*", "armv9_*", "armv7_*", "apple_*_pmu"};
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        known |= glob_match(names[i], name);
    char *path = xasprintf("/sys/bus/event_source/devices/%s/cpus", name), *cores = known ? sys_text(root, path) : 0;
    bool its = known && (!cores || in_cpu_list(cores, core));
    free(cores);
    free(path);
    return its;
}

char *find_pmu(const char *root, int core)
{
    char *folder = xasprintf("%s/sys/bus/event_source/devices", root ? root : ""), **all = 0, *found = 0;
    size_t n = 0;
    struct error ignored = ERROR_INIT;
    if (list_directory(&all, &n, folder, &ignored))
        n = 0;
    for (size_t i = 0; i < n; i++) {
        if (!found && is_pmu_of(root, all[i], core))
            found = xstrdup(all[i]);
        free(all[i]);
    }
    free(all);
    free(folder);
    error_release(&ignored);
    return found;
}

char *machine_architecture(const char *root)
{
    struct utsname u;
    if (!is_live(root))
        return sys_text(root, "/proc/sys/kernel/arch");
    return xstrdup(uname(&u) == 0 ? u.machine : "");
}

bool target_is_here(const char *target)
{
    struct utsname u;
    size_t n = strcspn(target, "-");
    if (!*target || uname(&u))
        return true;
    if (strcmp(target_find(target)->name, u.machine) == 0)
        return true;
    return strlen(u.machine) == n && strncmp(u.machine, target, n) == 0;
}

static const struct {
    unsigned part;
    const char *name;
} arm_parts[] = {{0xd03, "Cortex-A53"},  {0xd04, "Cortex-A35"}, {0xd05, "Cortex-A55"},  {0xd07, "Cortex-A57"},
                 {0xd08, "Cortex-A72"},  {0xd09, "Cortex-A73"}, {0xd0a, "Cortex-A75"},  {0xd0b, "Cortex-A76"},
                 {0xd0c, "Neoverse N1"}, {0xd0d, "Cortex-A77"}, {0xd40, "Neoverse V1"}, {0xd41, "Cortex-A78"},
                 {0xd49, "Neoverse N2"}, {0xd4f, "Neoverse V2"}};

/* Arm kernels give numbers only: "CPU implementer : 0x41", "CPU part : 0xd03" (MIDR_EL1). */
static char *arm_name(const char *cpuinfo)
{
    char *implementer = line_value(cpuinfo, "CPU implementer"), *part = line_value(cpuinfo, "CPU part"), *name = 0;
    if (implementer && part && strtoul(implementer, 0, 16) == 0x41)
        for (size_t i = 0; i < sizeof arm_parts / sizeof *arm_parts && !name; i++)
            if (arm_parts[i].part == strtoul(part, 0, 16))
                name = xstrdup(arm_parts[i].name);
    if (!name && implementer && part)
        name = xasprintf("implementer %s part %s", implementer, part);
    free(implementer);
    free(part);
    return name;
}

static char *cpu_name(const char *cpuinfo)
{
    char *name = line_value(cpuinfo, "model name");
    if (!name)
        name = arm_name(cpuinfo);
    if (!name)
        name = line_value(cpuinfo, "uarch"); /* RISC-V */
    return name ? name : xstrdup("");
}

/* The signature in CPUID leaf 0x40000000, by which hypervisors identify themselves. */
static char *hypervisor_signature(void)
{
#if defined(__x86_64__)
    static const char *const known[][2] = {{"KVMKVMKVM", "KVM"},       {"Microsoft Hv", "Hyper-V"},
                                           {"VMwareVMware", "VMware"}, {"XenVMMXenVMM", "Xen"},
                                           {"TCGTCGTCGTCG", "QEMU"},   {"bhyve bhyve ", "bhyve"}};
    unsigned words[4] = {0};
    char text[13] = "";
    __cpuid(0x40000000, words[0], words[1], words[2], words[3]);
    memcpy(text, &words[1], 12);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i][0]) == 0)
            return xstrdup(known[i][1]);
#endif
    return 0;
}

static char *hypervisor_name(const char *root, const char *cpuinfo)
{
    char *flags = line_value(cpuinfo, "flags"), *name = sys_text(root, "/sys/hypervisor/type");
    bool virtual = has_word(flags, "hypervisor") || name || sys_exists(root, "/proc/device-tree/hypervisor");
    free(flags);
    if (!virtual)
        return xstrdup("");
    if (!name && is_live(root))
        name = hypervisor_signature();
    if (!name)
        name = sys_text(root, "/sys/class/dmi/id/sys_vendor");
    return name && *name ? name : (free(name), xstrdup("a hypervisor"));
}

static double now_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

struct moment {
    double ns;
    uint64_t ticks;
};

/* Reads both clocks at one moment. Of several tries the one with the shortest time around the counter is taken, since
 * other programs may run in between. */
static struct moment both_clocks(void)
{
    enum { TRIES = 8 };
    struct moment now = {0, 0};
    double least = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        double before = now_ns(CLOCK_MONOTONIC_RAW);
        uint64_t ticks = rt_clock();
        double after = now_ns(CLOCK_MONOTONIC_RAW);
        if (after - before < least) {
            least = after - before;
            now = (struct moment){(before + after) / 2, ticks};
        }
    }
    return now;
}

/* Measures the constant counter against CLOCK_MONOTONIC_RAW over about 20 ms, and the core's clock against the counter.
 * The fastest of several chains counts, since disturbances only make them slower. */
static void measure_clocks(struct board_machine *m)
{
    enum { STEPS = 512 };
    uint64_t x = 1, best = UINT64_MAX;
    struct moment start = both_clocks(), end;
    do {
        uint64_t before = rt_clock();
        x = rt_chain(STEPS, x);
        uint64_t ticks = rt_clock() - before;
        best = ticks < best ? ticks : best;
    } while (now_ns(CLOCK_MONOTONIC_RAW) - start.ns < 20e6);
    end = both_clocks();
    __asm__ volatile("" : : "r"(x));
    m->counter_hz = (double)rt_clock_stated_hz();
    if (m->counter_hz <= 0)
        m->counter_hz = (double)(end.ticks - start.ticks) * 1e9 / (end.ns - start.ns);
    if (RT_CHAIN_KNOWN && m->clock_hz <= 0 && best > 0) {
        m->clock_hz = (double)STEPS * RT_CHAIN_ADDS / (double)best * m->counter_hz;
        m->clock_source = "measured";
    }
}

/* The line "cpu MHz : 2596.152" of the core's paragraph in /proc/cpuinfo; 0: there is none. A virtual machine has it
 * even without cpufreq. */
static double cpuinfo_hz(const char *root, int core)
{
    char *cpuinfo = sys_text(root, "/proc/cpuinfo"), *next = cpuinfo;
    double mhz = 0, first = 0;
    while (next && *next && mhz <= 0) {
        char *paragraph = next, *end = strstr(next, "\n\n");
        next = end ? end + 2 : 0;
        if (end)
            *end = 0;
        char *number = line_value(paragraph, "processor"), *value = line_value(paragraph, "cpu MHz");
        double here = value ? strtod(value, 0) : 0;
        first = first > 0 ? first : here;
        if (number && strtol(number, 0, 10) == core)
            mhz = here;
        free(number);
        free(value);
    }
    free(cpuinfo);
    mhz = mhz > 0 ? mhz : first;
    return mhz > 0 && mhz < 1e6 ? mhz * 1e6 : 0;
}

static void find_clock(struct board_machine *m, const struct board *b, const char *root, int core)
{
    double khz;
    char *path = xasprintf("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", core);
    m->clock_source = "";
    if (b->clock_hz > 0) {
        m->clock_hz = b->clock_hz;
        m->clock_source = "board.ini";
    }
    if (is_live(root))
        measure_clocks(m);
    if (m->clock_hz <= 0 && sys_number(root, path, &khz)) {
        m->clock_hz = khz * 1e3;
        m->clock_source = "cpufreq";
    }
    if (m->clock_hz <= 0 && (m->clock_hz = cpuinfo_hz(root, core)) > 0)
        m->clock_source = "cpuinfo";
    free(path);
}

static const char *counter_of(const char *architecture)
{
    const char *clock = target_find(architecture)->clock;
    return clock ? clock : "";
}

static char *text_or_empty(char *text)
{
    return text ? text : xstrdup("");
}

void board_detect(struct board_machine *m, const struct board *b, const char *root)
{
    *m = (struct board_machine){0};
    char *cpuinfo = text_or_empty(sys_text(root, "/proc/cpuinfo")), *list = allowed_cores(root);
    char *flags = line_value(cpuinfo, "flags");
    int core = choose_core(b, root);
    char *path = xasprintf("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", core);
    m->architecture = text_or_empty(machine_architecture(root));
    m->cpu = *b->cpu ? xstrdup(b->cpu) : cpu_name(cpuinfo);
    m->kernel = text_or_empty(sys_text(root, "/proc/sys/kernel/osrelease"));
    m->hypervisor = hypervisor_name(root, cpuinfo);
    m->governor = text_or_empty(sys_text(root, path));
    m->pmu = text_or_empty(find_pmu(root, core));
    m->cores = cpu_list_count(list, 0);
    m->counter = counter_of(m->architecture);
    m->counter_steady =
        strcmp(m->counter, "TSC_CYCLES") != 0 || (has_word(flags, "constant_tsc") && has_word(flags, "nonstop_tsc"));
    find_clock(m, b, root, core);
    free(path);
    free(flags);
    free(list);
    free(cpuinfo);
}

void board_machine_release(struct board_machine *m)
{
    free(m->architecture);
    free(m->cpu);
    free(m->kernel);
    free(m->hypervisor);
    free(m->governor);
    free(m->pmu);
    *m = (struct board_machine){0};
}
