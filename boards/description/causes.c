/* causes.c - texts about what can go wrong with a measurement, found by the doctor beforehand or by a run. */

#include "boards/description/causes.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static const struct cause causes[] = {
    /* found beforehand */
    {"compiler-missing", FINDING_ERROR, "the compiler '{}' is not there", "no program can be built for the board",
     "install it ('make setup' does), or name another in board.ini, [compile] compiler"},
    {"runtime-missing", FINDING_ERROR, "the measuring runtime is not there ({})", "no program can be measured",
     "build it with 'make'"},
    {"target-not-here", FINDING_ERROR, "the board's target {} is not this machine", "its programs do not run here",
     "run the command on the board itself, or give its address: --ssh user@host (make shim: SSH=user@host); without a "
     "board, use a simulated one (shimgen board list)"},
    {"kernel-32-bit", FINDING_ERROR, "the kernel is a 32-bit one ({})", "it would not measure the board's 64-bit code",
     "install a 64-bit system (for a Raspberry Pi: the arm64 image)"},
    {"core-not-allowed", FINDING_ERROR, "this process may not run on core {}", "the program cannot be pinned to it",
     "choose another core ([run] core = auto), or widen the mask (taskset, cgroup cpuset)"},
    {"one-core", FINDING_WARNING, "this process may run on one core only",
     "the measured program shares it with all other work",
     "give it two or more (taskset, cgroup cpuset, the virtual machine's size)"},
    {"pmu-absent", FINDING_WARNING, "there are no performance counters here{}",
     "cycles are ticks of a constant-rate counter: time, not core cycles; caches and branches are not counted",
     "measure on bare metal, or have the host pass the counters through"},
    {"pmu-wanted", FINDING_ERROR, "the board requires performance counters, and they are not available{}",
     "it cannot be measured",
     "measure on bare metal, have the host pass the counters through, or set [counter] source = auto"},
    {"perf-paranoid", FINDING_WARNING,
     "the kernel does not permit the use of performance counters (perf_event_paranoid is {})",
     "cycles are ticks of a constant-rate counter: time, not core cycles",
     "as root: sysctl kernel.perf_event_paranoid=2"},
    {"perf-forbidden", FINDING_ERROR,
     "the kernel does not permit the use of performance counters (perf_event_paranoid is {})",
     "the board wants them and cannot be measured",
     "as root: sysctl kernel.perf_event_paranoid=2; in a container: allow perf_event_open"},
    {"perf-refused", FINDING_WARNING, "the kernel refuses to open performance counters",
     "cycles are ticks of a constant-rate counter: time, not core cycles",
     "in a container: let it have CAP_PERFMON and perf_event_open (docker run --cap-add PERFMON)"},
    {"nmi-watchdog", FINDING_NOTE, "the NMI watchdog occupies a performance counter",
     "one event fewer fits in the group", "as root: sysctl kernel.nmi_watchdog=0"},
    {"virtual-machine", FINDING_NOTE, "this is a virtual machine ({})", "other guests disturb; the spread is larger",
     "measure on bare metal where it matters"},
    {"governor", FINDING_WARNING, "core {}: the frequency governor is not 'performance'",
     "the core clock changes while we measure", "as root: cpupower frequency-set -g performance"},
    {"boost", FINDING_NOTE, "the clock may be boosted",
     "ticks of a constant-rate counter vary with temperature and load",
     "as root: echo 0 > /sys/devices/system/cpu/cpufreq/boost, or echo 1 > "
     "/sys/devices/system/cpu/intel_pstate/no_turbo"},
    {"clock-other", FINDING_WARNING, "the core's clock is another than the description's ({})",
     "cycles are right, but the SHIM file converts them to time with the wrong clock",
     "correct [clock] hz in board.ini"},
    {"event-absent", FINDING_WARNING, "this PMU does not have {}", "it is left out; what is made of it is missing",
     "take it out of board.ini, [events]"},
    {"event-lost", FINDING_WARNING, "an event cannot be believed here: {}",
     "it is left out; what is made of it is missing",
     "end other users of the counters (perf, the NMI watchdog), measure on bare metal, or name another in board.ini, "
     "[events]"},
    {"cycles-lost", FINDING_WARNING, "the performance counters cannot be believed here: {}",
     "cycles are ticks of a constant-rate counter: time, not core cycles; caches and branches are not counted",
     "end other users of the counters (perf, the NMI watchdog), or measure on bare metal"},
    {"cycles-wrong", FINDING_ERROR, "the performance counters cannot be believed here: {}",
     "the board wants them and cannot be measured",
     "end other users of the counters (perf, the NMI watchdog), measure on bare metal, or set [counter] source = auto"},
    {"events-apart", FINDING_NOTE, "not all events are counted in one launch: {}",
     "nothing is lost; each program is launched more often",
     "none is needed; other users of the counters (perf, the NMI watchdog) make groups smaller"},
    {"mixed-cores", FINDING_NOTE, "there are several kinds of core here; this one is a {}",
     "the result holds for this kind only", "choose another core ([run] core) to measure another kind"},
    {"throttled", FINDING_WARNING, "the firmware holds the clock down just now ({})",
     "the core clock changes while we measure", "give the board a stronger power supply, or cool it"},
    {"was-throttled", FINDING_NOTE, "the firmware has reduced the clock at times since the start ({})",
     "it may do so again while we measure", "give the board a stronger power supply, or cool it"},
    {"busy", FINDING_WARNING, "other work is running here (load average {})",
     "runs are disturbed and repeated, the spread is larger", "end it, or measure later"},
    {"steal", FINDING_WARNING, "the hypervisor has withheld {} % of the time since the start",
     "runs are disturbed and repeated, the spread is larger", "measure later, or on a machine of your own"},
    {"smt", FINDING_NOTE, "the core shares its hardware with a second thread (cores {})",
     "programs on that thread take cycles from the measured one",
     "as root: echo off > /sys/devices/system/cpu/smt/control"},
    {"memory-lock", FINDING_NOTE, "memory cannot be locked beyond {} bytes",
     "pages are touched beforehand instead; a page fault may fall into a region", "raise it: ulimit -l unlimited"},
    {"priority", FINDING_NOTE, "the priority cannot be raised",
     "other processes may interrupt a run; such runs are repeated", "run as root, or allow it: ulimit -r 1"},
    {"clock-unsteady", FINDING_WARNING, "the time-stamp counter does not run at a constant rate ({} is missing)",
     "ticks are neither time nor core cycles", "measure on another machine, or through the PMU"},
    {"disk-full", FINDING_ERROR, "there is almost no room left in {}", "results cannot be written",
     "make room, or set TMPDIR"},
    {"disk-low", FINDING_WARNING, "there is little room in {}", "results may not fit",
     "make room, or name other folders: TMPDIR for what is temporary, --output for results"},
    /* found where programs run */
    {"emulator-missing", FINDING_ERROR, "the emulator '{}' is not there", "the board's programs do not run here",
     "install Debian's qemu-user"},
    {"simulator-missing", FINDING_ERROR, "the simulator is not there ({})", "the board cannot be simulated",
     "build it with 'make'"},
    {"no-simulator", FINDING_ERROR, "the simulator's plugin does not answer{}", "nothing can be measured",
     "build it and the runtime again with 'make'; both must have the same version"},
    {"model-missing", FINDING_ERROR, "the simulator's data file is not there ({})", "the board cannot be simulated",
     "name one in board.ini, [simulator] model"},
    {"libc-missing", FINDING_ERROR, "the C library for {} is not there", "no program can be built for the board",
     "install these packages"},
    {"ssh-missing", FINDING_ERROR, "there is no {} here", "the board cannot be reached",
     "install Debian's openssh-client"},
    {"ssh-tool", FINDING_ERROR, "the board lacks a tool: {}", "no program can be run on it",
     "install Debian's coreutils and util-linux there (or BusyBox with all of its tools)"},
    {"ssh-unreachable", FINDING_ERROR, "the board cannot be reached ({})", "nothing can be measured on it",
     "check that it is on and that ssh works by hand; its address: --ssh user@host, or [run] ssh in board.ini"},
    {"ssh-no-such-host", FINDING_ERROR, "there is no such host ({})", "nothing can be measured on it",
     "correct the address: --ssh user@host, or [run] ssh in board.ini"},
    {"ssh-refused", FINDING_ERROR, "the board does not let us in ({})", "nothing can be measured on it",
     "ssh must log in without asking: ssh-copy-id user@host, or ssh_options = -i KEY in board.ini, or ssh-agent"},
    {"ssh-unknown-host", FINDING_ERROR, "the board's host key is not known here ({})", "nothing can be measured on it",
     "log in once by hand with ssh, and accept its key"},
    {"ssh-changed-host", FINDING_ERROR, "the board's host key has changed ({})", "nothing can be measured on it",
     "if it was reinstalled: ssh-keygen -R host, then log in once by hand"},
    {"ssh-options", FINDING_ERROR, "ssh does not take its options ({})", "nothing can be measured on the board",
     "correct [run] ssh_options in board.ini"},
    {"ssh-silent", FINDING_ERROR, "the board does not answer ({})", "nothing can be measured on it",
     "check by hand that 'ssh user@host /bin/sh' starts a shell that answers"},
    {"ssh-flood", FINDING_ERROR, "the board sends more than any answer is long ({})", "nothing can be measured on it",
     "see by hand what 'ssh user@host /bin/sh' prints"},
    {"ssh-nonsense", FINDING_ERROR, "the board's answer is not understood ({})", "nothing can be measured on it",
     "check by hand that 'ssh user@host /bin/sh' starts a POSIX shell and nothing changes its output"},
    {"ssh-lost", FINDING_ERROR, "the connection to the board was lost and could not be restored ({})",
     "this program is not measured; those before it are",
     "check that the board is on, then repeat the command: it continues where it stopped"},
    {"not-its-program", FINDING_ERROR, "the board cannot execute it: {}", "it was compiled for something else",
     "set [board] target and the compiler's flags in board.ini to those of the board"},
    {"no-loader-there", FINDING_ERROR, "the board lacks the libraries that it is linked with: {}",
     "it cannot be started", "link it statically ([link] flags = -static in board.ini), or install them there"},
    {"no-exec-there", FINDING_ERROR, "the board does not allow it to be executed: {}", "it cannot be started",
     "name a folder on a file system without noexec in board.ini, [run] folder"},
    {"core-not-allowed-there", FINDING_ERROR, "the board has no such core, or does not let us use it: {}",
     "the program cannot be pinned to it", "choose another ([run] core in board.ini, --core)"},
    /* found in a run */
    {"no-pmu", FINDING_ERROR, "the board requires performance counters, and they are not available{}",
     "it cannot be measured",
     "measure on bare metal, have the host pass the counters through, or set [counter] source = auto"},
    {"multiplexed", FINDING_ERROR, "the performance counters were multiplexed (region '{}')",
     "the counts would be guesses",
     "name fewer events in board.ini, [events], and end other users of the counters (perf, the NMI watchdog)"},
    {"counter-died", FINDING_WARNING, "{}", "those launches were thrown away and repeated",
     "end other users of the counters (perf, the NMI watchdog); on a virtual machine's counters this is harmless"},
    {"group-lost", FINDING_ERROR, "the performance counters were taken away in the middle of a run",
     "the counts are not complete", "end other users of the counters (perf, the NMI watchdog)"},
    {"other-thread", FINDING_ERROR, "region '{}' is entered in a second thread",
     "only the first thread can be measured", "use regions in the first thread only"},
    {"threads", FINDING_ERROR, "the program runs further threads ({} ms)", "only the first thread can be measured",
     "measure a single-threaded build of it"},
    {"not-open", FINDING_ERROR, "region '{}' is closed although it is not the innermost open one",
     "its value has no meaning", "pair shim_region_begin and shim_region_end like brackets"},
    {"left-open", FINDING_ERROR, "region '{}' is still open at the end of the program", "its value has no meaning",
     "call shim_region_end before the program ends"},
    {"exit-in-warm-up", FINDING_ERROR, "the program calls exit in the warm-up run",
     "it cannot run a second time with warm caches", "return from main instead, or measure with cold caches"},
    {"no-maps", FINDING_ERROR, "/proc/self/maps cannot be read", "the caches cannot be made cold",
     "mount /proc, or measure with warm caches"},
    {"no-memory", FINDING_ERROR, "there is no memory for the measuring runtime", "nothing is measured",
     "make memory available"},
    {"flush-limit", FINDING_WARNING, "{} of the program's memory were too much to flush",
     "some of its lines were not cold", "let the program use less memory"},
    {"spread", FINDING_WARNING, "{}", "its value is uncertain",
     "measure on a quieter machine, or let the region do more work"},
    {"short", FINDING_WARNING, "{}", "its value is uncertain", "let the region do more work"},
    {"few-runs", FINDING_WARNING, "{}", "its value is less certain",
     "measure on a quieter machine, or raise extra_runs or the budget"},
    {"always-shared", FINDING_WARNING, "{}", "its value is too large by an unknown amount",
     "end other work on this computer, or measure on one of your own"},
    {"always-disturbed", FINDING_NOTE, "{}", "what the kernel did there is part of the value",
     "keep system calls and new memory out of the region"},
};

const struct cause *cause_find(const char *id)
{
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (strcmp(causes[i].id, id) == 0)
            return &causes[i];
    return 0;
}

static const struct cause *need(const char *id)
{
    const struct cause *c = cause_find(id);
    if (!c)
        BUG("no words for '%s'", id);
    return c;
}

static char *fill(const char *text, const char *detail)
{
    const char *hole = strstr(text, "{}");
    if (!hole)
        return xstrdup(text);
    char *shown = printable_text(detail ? detail : ""); /* escaped: it may come from programs and boards */
    char *filled = xasprintf("%.*s%s%s", (int)(hole - text), text, shown, hole + 2);
    free(shown);
    return filled;
}

void cause_add_as(struct findings *f, enum finding_severity s, const char *id, const char *detail)
{
    const struct cause *c = need(id);
    f->at = xreallocarray(f->at, f->n + 1, sizeof *f->at);
    f->at[f->n++] = (struct finding){s, c->id, fill(c->what, detail), xstrdup(c->consequence), xstrdup(c->remedy)};
}

void cause_add(struct findings *f, const char *id, const char *detail)
{
    cause_add_as(f, need(id)->severity, id, detail);
}

char *cause_sentence(const char *id, const char *detail)
{
    const struct cause *c = need(id);
    char *what = fill(c->what, detail), *all = xasprintf("%s: %s; %s", what, c->consequence, c->remedy);
    free(what);
    return all;
}

enum status cause_error(struct error *e, enum status s, const char *program, const char *id, const char *detail)
{
    char *sentence = cause_sentence(id, detail);
    error_set(e, s, NOWHERE, "%s: %s", program, sentence);
    free(sentence);
    return s;
}

const char *finding_severity_name(enum finding_severity s)
{
    static const char *const names[] = {"note", "warning", "error"};
    return names[s];
}

size_t findings_errors(const struct findings *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        n += f->at[i].severity == FINDING_ERROR;
    return n;
}

void findings_release(struct findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->at[i].what);
        free(f->at[i].consequence);
        free(f->at[i].remedy);
    }
    free(f->at);
    *f = (struct findings){0, 0};
}
