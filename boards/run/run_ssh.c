/*
 * run_ssh.c - runs programs on another machine over ssh. A folder of ours there holds the program. Each launch is one
 * script: it ends what an earlier, interrupted launch may have left running, runs the program, and answers with its
 * exit code, its result file and its messages. The folder's name tells whose it is, so the next run finds and removes
 * what a killed or disconnected run has left.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/proc.h"
#include "boards/run/answer.h"
#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"
#include "boards/description/causes.h"
#include "boards/description/keys.h"
#include "boards/machine/system_files.h"
#include "boards/run/run.h"
#include "boards/run/runner_kind.h"
#include "boards/run/ssh.h"

struct remote {
    struct ssh ssh;
    char *token;  /* identifies this machine and user in names of folders */
    char *folder; /* on the board; NULL: not made yet */
    bool placed;  /* the folder contains the program */
};

/* Shared by the scripts. stop: ends launches whose connection was lost, but only if they are really ours. The shell
 * that waits for the program is killed first, so that it writes nothing more. Then it waits until none of their
 * processes is left, since killed ones take a while to disappear. */
#define SCRIPT_COMMON                                                                                                  \
    "busy() {\n"                                                                                                       \
    "    (cd / && ls -ld /proc/[0-9]*/cwd 2>/dev/null | grep -v \"/proc/$self/cwd\" | grep -qF -e \"-> $here\")\n"     \
    "}\n"                                                                                                              \
    "stop() {\n"                                                                                                       \
    "    here=$(pwd -P)\n"                                                                                             \
    "    read -r self rest </proc/self/stat\n" /* $$ is the shell above this one */                                    \
    "    for f in pid.*; do\n"                                                                                         \
    "        read -r program shell 2>/dev/null <\"$f\" || continue\n"                                                  \
    "        for p in $shell $program; do\n"                                                                           \
    "            [ \"$(readlink \"/proc/$p/cwd\")\" = \"$here\" ] || continue\n"                                       \
    "            kill -KILL -- \"-$p\" 2>/dev/null || kill -KILL \"$p\" 2>/dev/null\n"                                 \
    "        done\n"                                                                                                   \
    "        n=0\n"                                                                                                    \
    "        while busy && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done\n"                                          \
    "        rm -f \"$f\"\n"                                                                                           \
    "    done\n"                                                                                                       \
    "}\n"
/* Time that a script may take besides the program that it runs, and the size of its answer. */
enum { KIB = 1 << 10, MIB = 1 << 20 };
static const struct ssh_limits OPENING = {10, 256 * KIB}, FILES = {20, 16 * MIB}, CLEARING = {20, 64 * KIB};
enum { LAUNCH_S = 20, LARGEST_RESULT = 64 * MIB, LAST_WORDS = 4000 };

/* ---- whose a folder is ---- */

static char *make_token(void)
{
    struct str id = STR_INIT;
    char host[256] = "";
    struct error ignored = ERROR_INIT;
    if (file_read(&id, "/etc/machine-id", 256, &ignored))
        str_clear(&id);
    gethostname(host, sizeof host - 1);
    str_addf(&id, " %s %u", host, (unsigned)getuid());
    char *token = xasprintf("%08lx", (unsigned long)(hash_text(HASH_START, str_text(&id)) & 0xffffffffu));
    error_release(&ignored);
    str_release(&id);
    return token;
}

/* When a process was started, in clock ticks since boot; "": there is no such process. The caller frees. */
static char *started(long pid)
{
    char *path = xasprintf("/proc/%ld/stat", pid), *text = sys_text(0, path), *at = text ? strrchr(text, ')') : 0;
    for (int field = 2; at && field < 22; field++) /* field 2 is the name, in brackets */
        at = strchr(at + 1, ' ');
    char *value = at ? xstrndup(at + 1, strcspn(at + 1, " ")) : xstrdup("");
    free(text);
    free(path);
    return value;
}

/* Is the process that made the folder "/tmp/shimgen-TOKEN-PROCESS-STARTED" still running here? */
static bool is_in_use(const char *folder)
{
    const char *start = strrchr(folder, '-') + 1, *process = start - 1;
    while (process[-1] != '-')
        process--;
    char *now = started(strtol(process, 0, 10));
    bool used = *now && strcmp(now, start) == 0;
    free(now);
    return used;
}

/* ---- opening ---- */

/* Reports missing tools, the architecture, a new folder of ours, and older ones. */
static char *opening_script(const char *prefix, const char *name, const struct board *b)
{
    struct str s = STR_INIT;
    str_add(&s, "for t in " BOARD_TOOLS "; do\n"
                "    command -v $t >/dev/null || echo \"$M missing $t\"\n"
                "done\n"
                "echo \"$M architecture $(uname -m)\"\n"
                "umask 077\n"
                "cd ");
    add_quoted(&s, b->remote_folder);
    str_addf(&s,
             " || echo \"$M nofolder\"\n"
             "for d in %s-*; do\n"
             "    [ -d \"$d\" ] && [ -O \"$d\" ] && echo \"$M old $(pwd -P)/$d\"\n"
             "done\n",
             prefix);
    str_addf(&s, "rm -rf %s; mkdir %s && echo \"$M folder $(pwd -P)/%s\"\necho \"$M end\"\n", name, name, name);
    return str_detach(&s);
}

static enum status remove_old(struct remote *m, const char *folder, struct error *e)
{
    struct str s = STR_INIT, answer = STR_INIT;
    str_add(&s, SCRIPT_COMMON "cd ");
    add_quoted(&s, folder);
    str_add(&s, " && stop && cd / && rm -rf ");
    add_quoted(&s, folder);
    str_add(&s, "\necho \"$M end\"\n");
    enum status status = ssh_script(&m->ssh, s.s, CLEARING, 0, &answer, e);
    str_release(&answer);
    str_release(&s);
    return status;
}

/* The board's answer is not what our scripts print; e has the part that is wrong. */
static enum status nonsense(const struct runner *r, struct error *e)
{
    const struct remote *m = r->own;
    char *detail = xasprintf("%s: %s", m->ssh.destination, e->message);
    enum status s = cause_error(e, ERR_SYSTEM, r->b->name, "ssh-nonsense", detail);
    free(detail);
    return s;
}

static enum status take_opening(struct runner *r, struct opening *o, struct error *e)
{
    struct remote *m = r->own;
    const char *destination = m->ssh.destination;
    if (o->missing) {
        char *detail = xasprintf("%s: %s", destination, o->missing);
        enum status s = cause_error(e, ERR_SYSTEM, r->b->name, "ssh-tool", detail);
        free(detail);
        return s;
    }
    if (o->no_folder)
        return error_set(e, ERR_SYSTEM, NOWHERE,
                         "%s: there is no folder '%s'; make it, or name another [run] folder in board.ini", destination,
                         r->b->remote_folder);
    if (!o->folder)
        return error_set(e, ERR_SYSTEM, NOWHERE,
                         "%s: no folder can be made in '%s'; make room, or name another [run] folder in board.ini",
                         destination, r->b->remote_folder);
    text_set(&r->architecture, o->architecture);
    text_set(&m->folder, o->folder);
    enum status s = OK;
    for (size_t i = 0; i < o->n_old && !s; i++)
        if (!is_in_use(o->old[i]))
            s = remove_old(m, o->old[i], e);
    return s;
}

/* Makes the folder, again if need be: it is gone when the board has been restarted. */
static enum status make_folder(struct runner *r, struct error *e)
{
    struct remote *m = r->own;
    struct str answer = STR_INIT;
    struct opening o = {0};
    char *mine = started((long)getpid()), *prefix = xasprintf("shimgen-%s", m->token);
    char *name = xasprintf("%s-%ld-%s", prefix, (long)getpid(), mine), *script = opening_script(prefix, name, r->b);
    m->placed = false;
    enum status s = ssh_script(&m->ssh, script, OPENING, 0, &answer, e);
    if (!s && opening_parse(&o, str_text(&answer), m->ssh.mark, prefix, name, e))
        s = nonsense(r, e);
    if (!s)
        s = take_opening(r, &o, e);
    opening_release(&o);
    free(script);
    free(name);
    free(prefix);
    free(mine);
    str_release(&answer);
    return s;
}

/* ---- the board's small files ---- */

/* What board_detect and board_doctor read. Each file is a line with its path, its text, and a line break. */
static const char files_script[] =
    "for f in /proc/cpuinfo /proc/self/status /proc/self/limits /proc/loadavg /proc/stat /proc/meminfo \\\n"
    "    /proc/sys/kernel/osrelease /proc/sys/kernel/perf_event_paranoid /proc/sys/kernel/nmi_watchdog \\\n"
    "    /proc/sys/kernel/perf_user_access /proc/device-tree/model /sys/hypervisor/type \\\n"
    "    /sys/class/dmi/id/sys_vendor /sys/devices/system/cpu/cpufreq/boost \\\n"
    "    /sys/devices/system/cpu/intel_pstate/no_turbo /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor \\\n"
    "    /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq \\\n"
    "    /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_max_freq \\\n"
    "    /sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list \\\n"
    "    /sys/devices/platform/soc/soc:firmware/get_throttled /sys/bus/event_source/devices/*/cpus \\\n"
    "    /sys/bus/event_source/devices/*/type /sys/bus/event_source/devices/*/events/*; do\n"
    "    [ -f \"$f\" ] && [ -r \"$f\" ] || continue\n"
    "    echo \"$M file $f\"\n"
    "    cat \"$f\" 2>/dev/null\n"
    "    echo\n"
    "done\n"
    "[ -e /proc/device-tree/hypervisor ] && { echo \"$M file /proc/device-tree/hypervisor\"; echo; }\n"
    "echo \"$M file /proc/sys/kernel/arch\"\nuname -m\necho\n"
    "echo \"$M end\"\n";

/* Texts of the device tree end with a NUL, which would end ours. */
static void drop_nuls(struct str *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->len; i++)
        if (s->s[i])
            s->s[kept++] = s->s[i];
    s->len = kept;
    if (s->s)
        s->s[kept] = 0;
}

static enum status fetch_files(struct runner *r, struct error *e)
{
    struct remote *m = r->own;
    struct str answer = STR_INIT;
    char *folder = 0;
    enum status s = ssh_script(&m->ssh, files_script, FILES, 0, &answer, e);
    if (!s)
        s = root_folder(&folder, e);
    if (!s) {
        free(r->root);
        r->root = folder;
    }
    drop_nuls(&answer);
    struct small_file f;
    char *at = answer.s;
    while (!s && at && next_small_file(&f, &at, m->ssh.mark))
        s = root_put(r->root, f.path, f.text, f.size, e);
    str_release(&answer);
    return s;
}

static enum status remote_open(struct runner *r, struct error *e)
{
    struct remote *m = r->own = xcalloc(1, sizeof *m);
    m->token = make_token();
    enum status s = ssh_open(&m->ssh, r->b, e);
    if (!s)
        s = make_folder(r, e);
    if (!s)
        s = fetch_files(r, e);
    return s;
}

static void remote_close(struct runner *r)
{
    struct remote *m = r->own;
    struct error e = ERROR_INIT;
    if (m->folder && m->ssh.reached) {
        struct str s = STR_INIT, answer = STR_INIT;
        str_add(&s, SCRIPT_COMMON "cd ");
        add_quoted(&s, m->folder);
        str_add(&s, " && stop && cd / && rm -rf ");
        add_quoted(&s, m->folder);
        str_add(&s, "\necho \"$M end\"\n");
        if (ssh_script(&m->ssh, s.s, CLEARING, SSH_WIND_UP, &answer, &e))
            progress_note("%s: '%s' could not be removed; the next run does it", m->ssh.destination, m->folder);
        str_release(&answer);
        str_release(&s);
    }
    ssh_close(&m->ssh);
    error_release(&e);
    free(m->folder);
    free(m->token);
    free(m);
}

/* ---- the program ---- */

static enum status place(struct runner *r, struct error *e)
{
    struct remote *m = r->own;
    char *to = path_join(m->folder, "program");
    enum status s = ssh_copy(&m->ssh, r->executable, to, e);
    m->placed = !s;
    free(to);
    return s;
}

static enum status remote_put(struct runner *r, struct error *e)
{
    ((struct remote *)r->own)->placed = false;
    return place(r, e);
}

/* The answer begins with "<mark> gone", or with "<mark> ended CODE RESULT MESSAGES", where the last two are the sizes
 * of what follows. RESULT -1: there is no such file. */
static char *launch_script(const struct remote *m, const struct run_request *q)
{
    struct str s = STR_INIT;
    str_add(&s, SCRIPT_COMMON "cd ");
    add_quoted(&s, m->folder);
    str_add(&s, " 2>/dev/null && [ -x program ] || { echo \"$M gone\"; echo \"$M end\"; exit 0; }\n"
                "stop\nrm -rf result result.* messages end.*\n");
    if (q->cpu_limit_s)
        str_addf(&s, "ulimit -t %u\n", q->cpu_limit_s);
    str_addf(&s, "timeout -s KILL %.9g ", q->timeout_s);
    if (q->core >= 0)
        str_addf(&s, "taskset -c %d ", q->core);
    str_add(&s, "env -i PATH=/usr/local/bin:/usr/bin:/bin ");
    for (const char *const *v = q->environment; v && *v; v++) {
        add_quoted(&s, *v);
        str_addch(&s, ' ');
    }
    if (q->result_variable)
        str_addf(&s, "%s=\"$(pwd -P)/result\" ", q->result_variable);
    str_add(&s, "./program");
    for (const char *const *a = q->arguments; a && *a; a++) {
        str_addch(&s, ' ');
        add_quoted(&s, *a);
    }
    str_add(&s, q->output ? " </dev/null >messages 2>&1 &\n" : " </dev/null >/dev/null 2>messages &\n");
    str_add(&s, "echo \"$! $self\" >pid.$$\nwait $!\ncode=$?\nrm -f pid.$$\n"
                "n=-1\n[ -f result ] && n=$(wc -c <result)\n");
    str_addf(&s, "tail -c %d messages >end.$$\n", q->output ? RUN_OUTPUT : LAST_WORDS);
    str_add(&s, "echo \"$M ended $code $((n)) $(($(wc -c <end.$$)))\"\n"
                "[ -f result ] && cat result\n"
                "cat end.$$\n"
                "echo \"$M end\"\n");
    return str_detach(&s);
}

static enum status take_ended(const struct ended *o, const struct run_request *q, struct run_end *end, struct error *e)
{
    end->signal = o->signal;
    end->exit_code = o->exit_code;
    str_addn(&end->messages, o->messages, o->messages_size);
    if (!o->has_result || !q->result)
        return OK;
    enum status s = file_write(q->result, o->result, o->result_size, e);
    end->written = !s;
    return s;
}

/* Exit codes 126 and 127 of env and taskset: the program could not be started. */
static enum status check_started(const struct runner *r, const struct run_end *end, struct error *e)
{
    const struct remote *m = r->own;
    const char *said = str_text(&end->messages);
    bool not_pinned = strncmp(said, "taskset: failed to set", 22) == 0;
    if (end->written || (!not_pinned && end->exit_code != 126 && end->exit_code != 127))
        return OK;
    const char *cause = not_pinned                                  ? "core-not-allowed-there"
                        : strstr(said, "Exec format error")         ? "not-its-program"
                        : strstr(said, "No such file or directory") ? "no-loader-there"
                        : strstr(said, "Permission denied")         ? "no-exec-there"
                                                                    : 0;
    if (!cause)
        return OK;
    char *detail = xasprintf("%s (%s)", m->ssh.destination, r->architecture);
    enum status s = cause_error(e, ERR_SYSTEM, path_basename(r->executable), cause, detail);
    free(detail);
    return s;
}

static enum status launch(struct runner *r, const struct run_request *q, struct str *answer, struct ended *o,
                          struct error *e)
{
    struct remote *m = r->own;
    char *script = launch_script(m, q);
    const struct ssh_limits limits = {q->timeout_s + LAUNCH_S, LARGEST_RESULT};
    enum status s = ssh_script(&m->ssh, script, limits, 0, answer, e);
    free(script);
    return !s && ended_parse(o, str_text(answer), answer->len, m->ssh.mark, e) ? nonsense(r, e) : s;
}

static enum status remote_run(struct runner *r, const struct run_request *q, struct run_end *end, struct error *e)
{
    struct remote *m = r->own;
    struct str answer = STR_INIT;
    struct ended o = {.gone = true};
    enum status s = m->placed ? OK : place(r, e);
    double from = proc_clock_s();
    for (int i = 0; i < 2 && !s && o.gone; i++) {
        if (i > 0) { /* the board was restarted, or its temporary files were removed */
            s = make_folder(r, e);
            if (!s)
                s = place(r, e);
            from = proc_clock_s();
        }
        if (!s)
            s = launch(r, q, &answer, &o, e);
    }
    end->wall_s = end->cpu_s = proc_clock_s() - from;
    if (!s && o.gone)
        s = error_set(e, ERR_SYSTEM, NOWHERE,
                      "%s: the program that was put in '%s' is gone again; name another [run] folder in board.ini",
                      m->ssh.destination, m->folder);
    if (!s)
        s = take_ended(&o, q, end, e);
    if (!s && end->signal == 9 && end->wall_s >= q->timeout_s)
        end->timed_out = true;
    if (!s)
        s = check_started(r, end, e);
    str_release(&answer);
    return s;
}

const struct runner_kind runner_ssh = {remote_open, remote_close, remote_put, remote_run};
