/* doctor.c - finds what will go wrong, before a run. Each check reads small files below `root`, so tests can give it
 * files of other machines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/proc.h"
#include "base/target.h"
#include "boards/description/causes.h"
#include "boards/doctor/doctor_visit.h"
#include "boards/machine/this_machine.h"
#include "boards/machine/system_files.h"

/* Capability numbers of linux/capability.h. */
enum { SYS_ADMIN = 21, IPC_LOCK = 14, SYS_NICE = 23, PERFMON = 38 };

static bool may(const struct doctor_visit *v, int capability)
{
    char *mask = line_value(v->status, "CapEff");
    bool yes = mask && (strtoull(mask, 0, 16) >> capability & 1);
    free(mask);
    return yes;
}

/* Reads the soft limit of a line such as "Max locked memory         8388608              8388608              bytes";
 * -1: unlimited or unknown. */
static double limit_of(const struct doctor_visit *v, const char *name)
{
    char *limits = sys_text(v->root, "/proc/self/limits");
    const char *at = limits ? strstr(limits, name) : 0;
    double value = -1;
    if (at && strncmp(at + strlen(name) + strspn(at + strlen(name), " "), "unlimited", 9) != 0)
        value = strtod(at + strlen(name), 0);
    free(limits);
    return value;
}

/* Temporary files must go to a certain folder, so nothing works without room there. Results can go elsewhere. */
static void check_room(struct doctor_visit *v)
{
    const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    uint64_t room = is_live(v->root) ? free_bytes(folder) : 0; /* 0: not known */
    uint64_t here = is_live(v->root) ? free_bytes(".") : 0;
    if (room && room < 20u << 20)
        cause_add(v->out, "disk-full", folder);
    else if (room && room < 200u << 20)
        cause_add(v->out, "disk-low", folder);
    if (here && here < 200u << 20 && here != room)
        cause_add(v->out, "disk-low", "the current folder");
}

static void check_kernel(struct doctor_visit *v)
{
    const struct target *t = target_find(v->machine.architecture);
    if (*v->machine.architecture && (!*t->name || t->pointer < 8))
        cause_add(v->out, "kernel-32-bit", v->machine.architecture);
}

static void check_cores(struct doctor_visit *v)
{
    char *list = allowed_cores(v->root), *number = xasprintf("%d", v->core);
    if (!in_cpu_list(list, v->core))
        cause_add(v->out, "core-not-allowed", number);
    if (v->machine.cores == 1)
        cause_add(v->out, "one-core", 0);
    char *path = xasprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", v->core);
    char *siblings = sys_text(v->root, path);
    if (siblings && cpu_list_count(siblings, 0) > 1)
        cause_add(v->out, "smt", siblings);
    free(siblings);
    free(path);
    free(number);
    free(list);
}

static void check_pmu(struct doctor_visit *v)
{
    bool wanted = v->b->source == BOARD_SOURCE_PMU;
    double paranoid, watchdog;
    if (v->b->source == BOARD_SOURCE_CONSTANT)
        return;
    if (!*v->machine.pmu) {
        const char *why = *v->machine.hypervisor ? " (a virtual machine without them)" : "";
        cause_add(v->out, wanted ? "pmu-wanted" : "pmu-absent", why);
        return;
    }
    /* Counting your own user code is allowed up to 2. Debian's default of 3 forbids it to unprivileged users. */
    if (sys_number(v->root, "/proc/sys/kernel/perf_event_paranoid", &paranoid) && paranoid > 2 && !may(v, PERFMON) &&
        !may(v, SYS_ADMIN)) {
        char *level = xasprintf("%g", paranoid);
        cause_add(v->out, wanted ? "perf-forbidden" : "perf-paranoid", level);
        free(level);
    }
    if (strcmp(v->machine.pmu, "cpu") == 0 && sys_number(v->root, "/proc/sys/kernel/nmi_watchdog", &watchdog) &&
        watchdog > 0)
        cause_add(v->out, "nmi-watchdog", 0);
}

static void check_clock(struct doctor_visit *v)
{
    double boost = 0, no_turbo = 1;
    if (*v->machine.governor && strcmp(v->machine.governor, "performance") != 0) {
        char *core = xasprintf("%d", v->core);
        cause_add(v->out, "governor", core);
        free(core);
    }
    sys_number(v->root, "/sys/devices/system/cpu/cpufreq/boost", &boost);
    sys_number(v->root, "/sys/devices/system/cpu/intel_pstate/no_turbo", &no_turbo);
    if (boost > 0 || no_turbo <= 0)
        cause_add(v->out, "boost", 0);
    double max_khz = 0;
    char *path = xasprintf("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_max_freq", v->core);
    if (v->b->clock_hz > 0 && sys_number(v->root, path, &max_khz) && max_khz > 0 &&
        fabs(max_khz * 1e3 / v->b->clock_hz - 1) > 0.02) {
        char *text = xasprintf("%g MHz at most, board.ini says %g", max_khz / 1e3, v->b->clock_hz / 1e6);
        cause_add(v->out, "clock-other", text);
        free(text);
    }
    free(path);
    bool pmu = *v->machine.pmu && v->b->source != BOARD_SOURCE_CONSTANT;
    if (!v->machine.counter_steady)
        cause_add_as(v->out, pmu ? FINDING_NOTE : FINDING_WARNING, "clock-unsteady", "constant_tsc or nonstop_tsc");
}

/* Percent of stolen time, by the first line of /proc/stat: cpu user nice system idle iowait irq softirq steal, in ticks
 * since boot. */
static double steal_percent(const char *root)
{
    char *stat = sys_text(root, "/proc/stat"), *at = stat;
    double value[8] = {0}, sum = 0;
    if (!stat || strncmp(stat, "cpu ", 4) != 0) {
        free(stat);
        return 0;
    }
    at += 4;
    for (int i = 0; i < 8; i++)
        sum += value[i] = strtod(at, &at);
    free(stat);
    double busy = sum - value[3] - value[4]; /* the time in which the guest wanted to run */
    return busy > 0 ? 100 * value[7] / busy : 0;
}

static void check_quiet(struct doctor_visit *v)
{
    if (*v->machine.hypervisor)
        cause_add(v->out, "virtual-machine", v->machine.hypervisor);
    char *load = sys_text(v->root, "/proc/loadavg");
    double now = load ? strtod(load, 0) : 0;
    if (now > 0.5 * v->machine.cores) {
        char *text = xasprintf("%.2f on %d cores", now, v->machine.cores);
        cause_add(v->out, "busy", text);
        free(text);
    }
    free(load);
    double steal = steal_percent(v->root);
    if (steal >= 1) {
        char *text = xasprintf("%.1f", steal);
        cause_add(v->out, "steal", text);
        free(text);
    }
}

static void check_rights(struct doctor_visit *v)
{
    double memory = limit_of(v, "Max locked memory"), priority = limit_of(v, "Max realtime priority");
    if (memory >= 0 && memory < 64e6 && !may(v, IPC_LOCK)) {
        char *text = xasprintf("%.0f", memory);
        cause_add(v->out, "memory-lock", text);
        free(text);
    }
    if (v->b->raise_priority && priority >= 0 && priority < 1 && !may(v, SYS_NICE))
        cause_add(v->out, "priority", 0);
}

void board_doctor(const struct board *b, const char *root, struct findings *out)
{
    static void (*const checks[])(struct doctor_visit *) = {check_room,  check_kernel, check_cores,  check_pmu,
                                                            check_clock, check_quiet,  check_rights, doctor_arm};
    if (is_live(root) || b->how != BOARD_NATIVE)
        doctor_place(b, out);
    if (b->how == BOARD_SIMULATOR || b->how == BOARD_COMMAND)
        return; /* nothing disturbs it, and everything that it needs is checked here */
    if (is_live(root) && (b->how != BOARD_NATIVE || !target_is_here(b->target)))
        return; /* the board is another machine */
    struct doctor_visit v = {.b = b, .root = root, .core = choose_core(b, root), .out = out};
    v.status = sys_text(root, "/proc/self/status");
    if (!v.status)
        v.status = xstrdup("");
    board_detect(&v.machine, b, root);
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        checks[i](&v);
    board_machine_release(&v.machine);
    free(v.status);
}
