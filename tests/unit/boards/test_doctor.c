/* The doctor and the detection on machines that are not here: fake /proc and /sys trees. */
#include "fixture.h"

#include <sys/stat.h>

#include "boards/doctor/doctor_visit.h"
#include "boards/machine/this_machine.h"
#include "boards/machine/system_files.h"

static struct board *board_with(const char *text)
{
    struct error e = ERROR_INIT;
    struct board *b = NULL;
    char *path = put_file("b/board.ini", text);
    assert_int_equal(board_load(&b, path, &e), OK);
    free(path);
    return b;
}

static void put(const char *root, const char *path, const char *text)
{
    char *name = xasprintf("%s%s", root, path);
    free(put_file(name, text));
    free(name);
}

/* A quiet x86 server on bare metal with everything allowed: nothing to find. */
static void healthy(const char *root)
{
    put(root, "/proc/sys/kernel/arch", "x86_64\n");
    put(root, "/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
    put(root, "/proc/sys/kernel/perf_event_paranoid", "2\n");
    put(root, "/proc/sys/kernel/nmi_watchdog", "0\n");
    put(root, "/proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Xeon\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n");
    put(root, "/proc/self/status", "CapEff:\t0000000000000000\nCpus_allowed_list:\t0-3\n");
    put(root, "/proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units\n"
        "Max locked memory         unlimited            unlimited            bytes\n"
        "Max realtime priority     99                   99\n");
    put(root, "/proc/loadavg", "0.05 0.03 0.01 1/93 6449\n");
    put(root, "/proc/stat", "cpu  1000 0 1000 500000 10 0 10 0 0 0\n");
    put(root, "/sys/bus/event_source/devices/cpu/type", "4\n");
    put(root, "/sys/devices/system/cpu/cpu3/topology/thread_siblings_list", "3\n");
    put(root, "/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "performance\n");
    put(root, "/sys/devices/system/cpu/cpu3/cpufreq/scaling_cur_freq", "2600000\n");
}

static const struct finding *find(const struct findings *f, const char *id)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->at[i].id, id) == 0)
            return &f->at[i];
    return NULL;
}

/* A healthy machine but for one file: exactly one finding, with that severity and those words. */
static void expect(const char *board, const char *path, const char *text, const char *id,
                   enum finding_severity severity, const char *words)
{
    static int number;
    char name[32];
    snprintf(name, sizeof name, "machine%d", number++);
    struct board *b = board_with(board);
    struct findings f = {0, 0};
    healthy(name);
    if (text)
        put(name, path, text);
    char *root = in_scratch(name);
    if (!text) {
        struct error e = ERROR_INIT;
        char *gone = xasprintf("%s%s", root, path);
        assert_int_equal(remove_tree(gone, &e), OK);
        free(gone);
    }
    board_doctor(b, root, &f);
    const struct finding *found = find(&f, id);
    if (!found || f.n != 1)
        fail_msg("%s: wanted '%s' alone; %zu findings, the first '%s'", path, id, f.n, f.n ? f.at[0].id : "");
    assert_int_equal(found->severity, severity);
    assert_non_null(strstr(found->what, words));
    assert_true(*found->consequence && *found->remedy);
    findings_release(&f);
    board_free(b);
    free(root);
}

static void test_healthy(void **state)
{
    (void)state;
    struct board *b = board_with("[run]\nruns = 1\n");
    struct findings f = {0, 0};
    healthy("healthy");
    char *root = in_scratch("healthy");
    board_doctor(b, root, &f);
    assert_int_equal(f.n, 0);
    struct board_machine m;
    board_detect(&m, b, root);
    assert_string_equal(m.cpu, "Xeon");
    assert_string_equal(m.kernel, "6.1.0-18-amd64");
    assert_string_equal(m.pmu, "cpu");
    assert_string_equal(m.hypervisor, "");
    assert_string_equal(m.counter, "TSC_CYCLES");
    assert_true(m.counter_steady);
    assert_int_equal(m.cores, 4);
    assert_true(m.clock_hz == 2.6e9);
    assert_string_equal(m.clock_source, "cpufreq");
    board_machine_release(&m);
    findings_release(&f);
    free(root);
    board_free(b);
}

static void test_each(void **state)
{
    (void)state;
    const char *plain = "[run]\nruns = 1\n", *pmu = "[counter]\nsource = pmu\n";
    const char *cpu3 = "/sys/devices/system/cpu/cpu3";
    char *siblings = xasprintf("%s/topology/thread_siblings_list", cpu3),
         *governor = xasprintf("%s/cpufreq/scaling_governor", cpu3);
    expect(plain, "/sys/bus/event_source/devices/cpu", NULL, "pmu-absent", FINDING_WARNING, "no performance counters");
    expect(pmu, "/sys/bus/event_source/devices/cpu", NULL, "pmu-wanted", FINDING_ERROR, "not available");
    expect(plain, "/proc/sys/kernel/perf_event_paranoid", "3\n", "perf-paranoid", FINDING_WARNING, "is 3)");
    expect(pmu, "/proc/sys/kernel/perf_event_paranoid", "3\n", "perf-forbidden", FINDING_ERROR, "is 3)");
    expect(plain, "/proc/sys/kernel/nmi_watchdog", "1\n", "nmi-watchdog", FINDING_NOTE, "watchdog");
    expect(plain, "/proc/sys/kernel/arch", "armv7l\n", "kernel-32-bit", FINDING_ERROR, "armv7l");
    expect(plain, governor, "powersave\n", "governor", FINDING_WARNING, "core 3");
    expect(plain, "/sys/devices/system/cpu/cpufreq/boost", "1\n", "boost", FINDING_NOTE, "boost");
    expect(plain, "/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n", "boost", FINDING_NOTE, "boost");
    expect(plain, siblings, "1,3\n", "smt", FINDING_NOTE, "1,3");
    expect(plain, "/proc/loadavg", "3.20 1.0 1.0 1/93 6449\n", "busy", FINDING_WARNING, "3.20 on 4 cores");
    /* steal 50 of 1000 + 1000 + 10 + 50 ticks of wanting to run: 2.4 % */
    expect(plain, "/proc/stat", "cpu  1000 0 1000 500000 10 0 10 50 0 0\n", "steal", FINDING_WARNING, "2.4 %");
    expect(plain, "/proc/self/limits", "Max locked memory         8388608    8388608    bytes\n", "memory-lock",
           FINDING_NOTE, "8388608");
    expect(plain, "/proc/self/limits", "Max realtime priority     0      0\n", "priority", FINDING_NOTE, "priority");
    expect("[run]\ncore = 9\n", "/proc/loadavg", "0 0 0 1/1 1\n", "core-not-allowed", FINDING_ERROR, "core 9");
    expect(plain, "/proc/cpuinfo", "model name : Old\nflags : fpu tsc\n", "clock-unsteady", FINDING_NOTE,
           "constant rate");
    expect("[counter]\nsource = constant\n", "/proc/cpuinfo", "model name : Old\nflags : fpu tsc\n", "clock-unsteady",
           FINDING_WARNING, "constant rate");
    expect(plain, "/proc/cpuinfo", "model name : V\nflags : constant_tsc nonstop_tsc hypervisor\n", "virtual-machine",
           FINDING_NOTE, "a hypervisor");
    free(siblings);
    free(governor);
}

/* Rights make up for limits: root may count, lock and raise whatever the settings. */
static void test_rights(void **state)
{
    (void)state;
    struct board *b = board_with("[run]\nruns = 1\n");
    struct findings f = {0, 0};
    healthy("root");
    put("root", "/proc/sys/kernel/perf_event_paranoid", "4\n");
    put("root", "/proc/self/limits", "Max locked memory   65536 65536 bytes\nMax realtime priority 0 0\n");
    put("root", "/proc/self/status", "CapEff:\t000001ffffffffff\nCpus_allowed_list:\t0-3\n");
    char *root = in_scratch("root");
    board_doctor(b, root, &f);
    assert_int_equal(f.n, 0);
    findings_release(&f);
    free(root);
    board_free(b);
}

static void test_raspberry_pi(void **state)
{
    (void)state;
    struct board *b = board_with("[run]\nruns = 1\n");
    struct board_machine m;
    put("pi", "/proc/sys/kernel/arch", "aarch64\n");
    put("pi", "/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd03\n");
    put("pi", "/proc/self/status", "Cpus_allowed_list:\t0-3\n");
    put("pi", "/sys/bus/event_source/devices/armv8_cortex_a53/type", "8\n");
    char *root = in_scratch("pi");
    board_detect(&m, b, root);
    assert_string_equal(m.cpu, "Cortex-A53");
    assert_string_equal(m.pmu, "armv8_cortex_a53");
    assert_string_equal(m.counter, "CNTVCT_CYCLES");
    assert_true(m.counter_steady);
    assert_true(m.clock_hz == 0);
    assert_int_equal(choose_core(b, root), 3); /* the paper's core */
    board_machine_release(&m);
    /* A virtual machine: no cpufreq, and each core has its line. */
    put("pi", "/proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 2000.5\n\nprocessor\t: 3\ncpu MHz\t\t: 2596.152\n\n");
    board_detect(&m, b, root);
    assert_true(m.clock_hz == 2596.152e6);
    assert_string_equal(m.clock_source, "cpuinfo");
    board_machine_release(&m);
    put("pi", "/proc/cpuinfo", "cpu MHz : 1e99\n");
    board_detect(&m, b, root);
    assert_true(m.clock_hz == 0);
    board_machine_release(&m);
    free(root);
    board_free(b);
}

/* A quiet Pi with all seven events: nothing to find. Names and contents as kernel 6.1 has them. */
static void quiet_pi(const char *root)
{
    static const char *const events[][2] = {{"cpu_cycles", "event=0x0011\n"}, {"inst_retired", "event=0x0008\n"},
                                            {"l1d_cache", "event=0x0004\n"},  {"l1d_cache_refill", "event=0x0003\n"},
                                            {"l2d_cache", "event=0x0016\n"},  {"l2d_cache_refill", "event=0x0017\n"},
                                            {"br_mis_pred", "event=0x0010\n"}};
    healthy(root);
    put(root, "/proc/sys/kernel/arch", "aarch64\n");
    put(root, "/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd03\n");
    put(root, "/sys/devices/system/cpu/cpu3/cpufreq/scaling_max_freq", "1400000\n");
    put(root, "/sys/devices/platform/soc/soc:firmware/get_throttled", "0\n");
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        char *path = xasprintf("/sys/bus/event_source/devices/armv8_cortex_a53/events/%s", events[i][0]);
        put(root, path, events[i][1]);
        free(path);
    }
    put(root, "/sys/bus/event_source/devices/armv8_cortex_a53/cpus", "0-3\n");
    char *cpu = xasprintf("%s/sys/bus/event_source/devices/cpu", root), *gone = in_scratch(cpu);
    struct error e = ERROR_INIT;
    assert_int_equal(remove_tree(gone, &e), OK);
    free(gone);
    free(cpu);
}

/* NULL id: nothing is found. Returns the PMU's name, to be freed. */
static char *expect_pi(const char *path, const char *text, const char *id, enum finding_severity severity,
                       const char *words)
{
    static int number;
    char name[32];
    snprintf(name, sizeof name, "pi%d", number++);
    struct board *b = board_with("[run]\ncore = 3\n[clock]\nhz = 1.4e9\n[counter]\nsource = pmu\n[events]\n"
                                 "CPU_CYCLES = raw:0x11\nINST_RETIRED = raw:0x08\nL1D_CACHE_REFILL = raw:0x03\n"
                                 "L1D_CACHE = raw:0x04\nL2D_CACHE_REFILL = raw:0x17\nL2D_CACHE = raw:0x16\n"
                                 "BR_MIS_PRED = raw:0x10\n");
    struct findings f = {0, 0};
    struct board_machine m;
    quiet_pi(name);
    if (path)
        put(name, path, text);
    char *root = in_scratch(name);
    board_doctor(b, root, &f);
    if (f.n != (id != NULL) || (id && !find(&f, id)))
        fail_msg("%s: wanted '%s'; %zu findings, the first '%s'", path, id ? id : "nothing", f.n,
                 f.n ? f.at[0].id : "");
    if (id) {
        assert_int_equal(f.at[0].severity, severity);
        if (!strstr(f.at[0].what, words))
            fail_msg("wanted '%s' in: %s", words, f.at[0].what);
        assert_true(*f.at[0].consequence && *f.at[0].remedy);
    }
    board_detect(&m, b, root);
    char *pmu = xstrdup(m.pmu);
    board_machine_release(&m);
    findings_release(&f);
    free(root);
    board_free(b);
    return pmu;
}

static void test_pi(void **state)
{
    (void)state;
    const char *firmware = "/sys/devices/platform/soc/soc:firmware/get_throttled";
    const char *pmu = "/sys/bus/event_source/devices/armv8_cortex_a53";
    char *l2d = xasprintf("%s/events/l2d_cache", pmu);
    free(expect_pi(NULL, NULL, NULL, FINDING_NOTE, ""));
    free(expect_pi(l2d, "event=0x0027\n", "event-absent", FINDING_WARNING, "does not have L2D_CACHE"));
    /* Raspberry Pi's documentation: 0x50005 is the classic of a weak supply, now and before. */
    free(expect_pi(firmware, "50005\n", "throttled", FINDING_WARNING, "(under-voltage, throttled)"));
    free(expect_pi(firmware, "80000\n", "was-throttled", FINDING_NOTE, "(temperature limit)"));
    free(expect_pi("/sys/devices/system/cpu/cpu3/cpufreq/scaling_max_freq", "1200000\n", "clock-other", FINDING_WARNING,
                   "1200 MHz at most, board.ini says 1400"));
    free(expect_pi("/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "ondemand\n", "governor", FINDING_WARNING,
                   "core 3"));
    free(expect_pi("/proc/sys/kernel/perf_event_paranoid", "3\n", "perf-forbidden", FINDING_ERROR, "is 3)"));
    free(l2d);
}

/* Two kinds of core: the one we run on has its own PMU. */
static void test_mixed(void **state)
{
    (void)state;
    char *pmu = expect_pi("/sys/bus/event_source/devices/armv8_cortex_a72/cpus", "4-5\n", "mixed-cores", FINDING_NOTE,
                          "armv8_cortex_a53");
    assert_string_equal(pmu, "armv8_cortex_a53");
    free(pmu);
    pmu = expect_pi("/sys/bus/event_source/devices/armv8_cortex_a35/cpus", "4-5\n", "mixed-cores", FINDING_NOTE,
                    "armv8_cortex_a53");
    assert_string_equal(pmu, "armv8_cortex_a53");
    free(pmu);
}

/* No /proc at all: no crash, no invented facts. */
static void test_empty_tree(void **state)
{
    (void)state;
    struct board *b = board_with("[run]\nruns = 1\n");
    struct findings f = {0, 0};
    put("empty", "/x", "");
    char *root = in_scratch("empty");
    board_doctor(b, root, &f);
    assert_non_null(find(&f, "pmu-absent"));
    assert_int_equal(findings_errors(&f), 0);
    findings_release(&f);
    free(root);
    board_free(b);
}

/* A compiler that fails: the finding is what it said. */
static void test_compiler_fails(void **state)
{
    (void)state;
    struct findings f = {0, 0};
    char *script = put_file("fails", "#!/bin/sh\necho 'no such target' >&2\nexit 3\n"), *path = realpath(script, NULL);
    assert_int_equal(chmod(script, 0755), 0);
    char *text = xasprintf(
        "[board]\ntarget = riscv32-unknown-elf\n[compile]\ncompiler = %s\n[run]\nhow = ssh\nssh = a@b\n", path);
    struct board *b = board_with(text);
    doctor_place(b, &f);
    const struct finding *found = find(&f, "place");
    if (!found)
        fail_msg("%zu findings, the first: %s", f.n, f.n ? f.at[0].what : "");
    assert_int_equal(found->severity, FINDING_ERROR);
    assert_non_null(strstr(found->what, "no such target"));
    findings_release(&f);
    board_free(b);
    free(text);
    free(path);
    free(script);
}

static void test_lists(void **state)
{
    (void)state;
    int top;
    assert_true(in_cpu_list("0-3,8", 8));
    assert_false(in_cpu_list("0-3,8", 4));
    assert_int_equal(cpu_list_count("0-3,8", &top), 5);
    assert_int_equal(top, 8);
    assert_int_equal(cpu_list_count("", &top), 0);
    assert_int_equal(cpu_list_count("2-x", &top), 0);
    assert_true(has_word("a constant_tsc b", "constant_tsc"));
    assert_false(has_word("a nonconstant_tsc b", "constant_tsc"));
}

/* The machine that runs the tests: whatever it is, two detections agree on what does not change. */
static void test_here(void **state)
{
    (void)state;
    struct board *b = board_with("[run]\nruns = 1\n");
    struct board_machine m, again;
    board_detect(&m, b, "");
    board_detect(&again, b, NULL);
    assert_true(*m.architecture && *m.kernel);
    assert_string_equal(m.cpu, again.cpu);
    assert_true(m.counter_hz > 1e6);
    assert_true(m.counter_hz / again.counter_hz > 0.999 && m.counter_hz / again.counter_hz < 1.001);
    board_machine_release(&m);
    board_machine_release(&again);
    board_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_healthy),        cmocka_unit_test(test_each),       cmocka_unit_test(test_rights),
        cmocka_unit_test(test_raspberry_pi),   cmocka_unit_test(test_empty_tree), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_here),           cmocka_unit_test(test_pi),         cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_compiler_fails),
    };
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
