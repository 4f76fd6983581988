/*
 * Runners of boards that are elsewhere, emulated, or flashed by a command.
 *
 * What stands in for ssh, the emulator and the board's command are scripts that are written here: they do what they are
 * asked, and tell what that was. What is wanted of it follows from the interface and the formats (docs/boards.md,
 * docs/kit.md).
 */
#include "kit_writer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>

#include "base/proc.h"
#include "boards/run/run.h"
#include "boards/run/runner_kind.h"
#include "boards/run/ssh.h"

static char *folder_bin, *remote;

static struct board *load(const char *name, const char *text)
{
    struct error e = ERROR_INIT;
    struct board *b = NULL;
    char *file = xasprintf("%s/board.ini", name), *path = put_file(file, text);
    if (board_load(&b, path, &e)) {
        error_print(&e, "test_run_kinds");
        fail();
    }
    free(path);
    free(file);
    return b;
}

static char *script(const char *name, const char *text)
{
    char *path = put_file(name, text);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

/* Its text; the caller frees. */
static char *text_of(const char *path)
{
    struct str text = STR_INIT;
    struct error e = ERROR_INIT;
    if (file_read(&text, path, FILE_LIMIT, &e))
        fail_msg("%s", e.message);
    str_add(&text, "");
    return str_detach(&text);
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in: %s", part, text);
}

static size_t files_in(const char *path, char *first)
{
    char **files = NULL;
    size_t n = 0;
    struct error e = ERROR_INIT;
    assert_int_equal(list_directory(&files, &n, path, &e), OK);
    for (size_t i = 0; i < n; i++) {
        if (first && i == 0)
            strcpy(first, files[i]);
        free(files[i]);
    }
    free(files);
    return n;
}

/* ---- over ssh ---- */

static struct board *over_ssh(const char *more)
{
    char *text = xasprintf("[run]\nhow = ssh\nssh = me@board\nssh_options = -o Mine=1\nfolder = %s\n%s", remote, more);
    struct board *b = load("far", text);
    free(text);
    return b;
}

static struct runner *opened(const struct board *b, enum run_purpose purpose)
{
    struct runner *r = NULL;
    struct error e = ERROR_INIT;
    if (runner_open(&r, b, purpose, &e))
        fail_msg("%s", e.message);
    return r;
}

static void run(struct runner *r, const struct run_request *q, struct run_end *end)
{
    struct error e = ERROR_INIT;
    if (runner_run(r, q, end, &e))
        fail_msg("%s", e.message);
}

static void puts_program(struct runner *r, const char *name, const char *text)
{
    struct error e = ERROR_INIT;
    char *path = script(name, text);
    if (runner_put(r, path, &e))
        fail_msg("%s", e.message);
    free(path);
}

static void test_ssh(void **state)
{
    (void)state;
    struct board *b = over_ssh("");
    char *result = in_scratch("result"), name[256] = "", *path = in_scratch("ssh.log"), *log, *text;
    struct run_end end = RUN_END_INIT;
    struct run_request q = {.arguments = (const char *const[]){"it's one", "0", NULL},
                            .environment = (const char *const[]){"WORD=two  words", NULL},
                            .result_variable = "PLACE",
                            .result = result,
                            .timeout_s = 20,
                            .core = -1};
    setenv("HOME", "/somewhere", 1);
    struct runner *r = opened(b, RUN_MEASURED);
    assert_int_equal(files_in(remote, name), 1);
    assert_memory_equal(name, "shimgen-", 8);
    char *mine = xasprintf("-%ld-", (long)getpid());
    has(name, mine);
    free(mine);
    /* the board's small files are here: this machine's */
    char *arch = xasprintf("%s/proc/sys/kernel/arch", runner_root(r)),
         *cpu = xasprintf("%s/proc/cpuinfo", runner_root(r));
    text = text_of(arch);
    assert_memory_equal(text, r->architecture, strlen(r->architecture));
    free(text);
    text = text_of(cpu);
    has(text, "processor");
    free(text);
    puts_program(r, "say",
                 "#!/bin/sh\nread -r in\necho \"$1|$WORD|$HOME|$in|$0\" >\"$PLACE\"\necho out\necho first >&2\necho "
                 "last >&2\nexit $2\n");
    run(r, &q, &end);
    assert_true(end.written && !end.timed_out && !end.signal);
    assert_int_equal(end.exit_code, 0);
    assert_true(end.wall_s > 0 && end.wall_s < 20);
    assert_string_equal(str_text(&end.messages), "first\nlast");
    text = text_of(result);
    assert_string_equal(text, "it's one|two  words|||./program\n");
    free(text);
    /* all that it prints, where that is wanted */
    q.output = true;
    q.result = q.result_variable = NULL;
    q.core = 0;
    q.arguments = (const char *const[]){"x", "3", NULL};
    run(r, &q, &end);
    assert_true(!end.written && end.exit_code == 3);
    has(str_text(&end.messages), "out\nfirst\nlast\n");
    q.output = false;
    /* the board was started anew: its folder is gone */
    text = xasprintf("rm -rf %s/*", remote);
    assert_int_equal(system(text), 0);
    free(text);
    q.arguments = (const char *const[]){"x", "4", NULL};
    run(r, &q, &end);
    assert_int_equal(end.exit_code, 4);
    assert_int_equal(files_in(remote, NULL), 1);
    puts_program(r, "dies", "#!/bin/sh\nkill -SEGV $$\n");
    run(r, &q, &end);
    assert_true(end.signal == SIGSEGV && !end.exit_code && !end.timed_out);
    puts_program(r, "stays", "#!/bin/sh\nexec sleep 30\n");
    q.timeout_s = 1;
    run(r, &q, &end);
    assert_true(end.timed_out && end.signal == SIGKILL && end.wall_s >= 1 && end.wall_s < 20);
    runner_close(r);
    assert_int_equal(files_in(remote, NULL), 0);
    log = text_of(path);
    assert_memory_equal(log, "-o Mine=1 -o BatchMode=yes -o ConnectTimeout=10", 47); /* the user's options come first */
    has(log, "ControlPath=/");
    has(log, " -- me@board exec /bin/sh -s\n");
    has(log, " -O exit -- me@board\n");
    run_end_release(&end);
    free(log);
    free(path);
    free(result);
    free(arch);
    free(cpu);
    board_free(b);
}

/* Folders of runs that have ended are removed; that of a process that is still there stays, and so does what is not ours. */
static void test_ssh_old_folders(void **state)
{
    (void)state;
    struct board *b = over_ssh("");
    struct runner *r = opened(b, RUN_MEASURED);
    char name[256] = "", began[64] = "", *path = xasprintf("/proc/%ld/stat", (long)getppid()), *stat = text_of(path);
    assert_int_equal(files_in(remote, name), 1);
    runner_close(r);
    name[16] = 0; /* shimgen-TOKEN */
    char *at = strrchr(stat, ')');
    for (int field = 2; field < 22; field++) /* proc(5): starttime */
        at = strchr(at + 1, ' ');
    assert_int_equal(sscanf(at, "%63s", began), 1);
    char *ended = xasprintf("far/%s-%ld-1/x", name, (long)getppid()),
         *running = xasprintf("far/%s-%ld-%s/x", name, (long)getppid(), began);
    free(remote);
    remote = in_scratch("far");
    board_free(b);
    b = over_ssh("");
    free(put_file(ended, "x"));
    free(put_file(running, "x"));
    free(put_file("far/shimgen-else-1-1/x", "x"));
    r = opened(b, RUN_MEASURED);
    char *gone = in_scratch(ended), *kept = in_scratch(running), *other = in_scratch("far/shimgen-else-1-1/x");
    assert_false(file_exists(gone));
    assert_true(file_exists(kept) && file_exists(other));
    runner_close(r);
    assert_true(file_exists(kept));
    free(remote);
    remote = in_scratch("remote");
    free(gone);
    free(kept);
    free(other);
    free(ended);
    free(running);
    free(path);
    free(stat);
    board_free(b);
}

static void test_ssh_refused(void **state)
{
    (void)state;
    static const struct {
        const char *said, *message;
    } cases[] = {
        {"x\nme@board: Permission denied (publickey).\n\n",
         "the board does not let us in (me@board: me@board: Permission denied (publickey).)"},
        {"Too many authentication failures", "the board does not let us in (me@board: Too many"},
        {"sign_and_send_pubkey: no mutual signature supported", "the board does not let us in"},
        {"Host key verification failed.", "the board's host key is not known here"},
        {"REMOTE HOST IDENTIFICATION HAS CHANGED!\nHost key verification failed.",
         "the board's host key has changed (me@board: the host's key is not the one that is known)"},
        {"ssh: Could not resolve hostname b", "there is no such host (me@board: ssh: Could not"},
        {"command-line: line 0: Bad configuration option: mine", "ssh does not take its options"},
        {"unknown option -- x", "ssh does not take its options"},
        {"connect to host b port 22: Connection refused", "the board cannot be reached (me@board: connect to host b"},
        {"", "the board cannot be reached (me@board)"}};
    struct board *b = over_ssh("");
    struct error e = ERROR_INIT;
    struct runner *r = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("SSH_SAYS", cases[i].said, 1);
        assert_int_equal(runner_open(&r, b, RUN_MEASURED, &e), ERR_SYSTEM);
        assert_says(&e, cases[i].message);
    }
    unsetenv("SSH_SAYS");
    board_free(b);
    char *was = remote;
    remote = in_scratch("no-such-folder");
    b = over_ssh("");
    assert_int_equal(runner_open(&r, b, RUN_MEASURED, &e), ERR_SYSTEM);
    assert_says(&e, "me@board: there is no folder '");
    free(remote);
    remote = was;
    board_free(b);
    /* after it has answered once, a broken connection is made again */
    b = over_ssh("");
    r = opened(b, RUN_MEASURED);
    free(put_file("break", "x"));
    puts_program(r, "fine", "#!/bin/sh\nexit 7\n");
    char *flag = in_scratch("break"), name[256] = "";
    assert_false(file_exists(flag));
    struct run_end end = RUN_END_INIT;
    struct run_request q = {.timeout_s = 20, .core = -1};
    run(r, &q, &end);
    assert_int_equal(end.exit_code, 7);
    /* no processor of that number */
    q.core = 4000;
    assert_int_equal(runner_run(r, &q, &end, &e), ERR_SYSTEM);
    assert_says(&e, "fine: the board has no such core");
    q.core = -1;
    puts_program(r, "nothing", "#!/no/such/interpreter\n");
    assert_int_equal(runner_run(r, &q, &end, &e), ERR_SYSTEM);
    assert_says(&e, "nothing: ");
    puts_program(r, "says", "#!/bin/sh\nexit 127\n"); /* the program's own status */
    run(r, &q, &end);
    assert_int_equal(end.exit_code, 127);
    /* what cannot be written there */
    assert_int_equal(files_in(remote, name), 1);
    char *part = xasprintf("remote/%s/program.part/x", name), *program = in_scratch("says");
    free(put_file(part, "x"));
    assert_int_equal(runner_put(r, program, &e), ERR_SYSTEM);
    assert_says(&e, "cannot be written there; make room");
    runner_close(r);
    run_end_release(&end);
    free(part);
    free(program);
    free(flag);
    board_free(b);
}

/* ---- under the emulator ---- */

#define QEMU                                                                                                           \
    "#!/bin/sh\n[ \"$1\" = --version ] && echo 'qemu-aarch64 version 7.2.22 (Debian x)' && exit\n"                     \
    "[ -e " /* a file that says what to complain */

static void test_emulator(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct run_end end = RUN_END_INIT;
    char *prefix = getenv("SHIMGEN_PREFIX"), *before = xstrdup(prefix ? prefix : ""), *own = in_scratch("pre,fix");
    char *complain = in_scratch("complain");
    char *qemu = xasprintf("%s%s ] && { cat %s >&2; exit 1; }\nprintf '%%s\\n' \"$@\" >\"$PLACE\"\nenv | sort "
                           ">>\"$PLACE\"\npwd >>\"$PLACE\"\n"
                           "readlink program >>\"$PLACE\"\nexit ${CODE:-0}\n",
                           QEMU, complain, complain);
    free(script("bin/qemu-aarch64", qemu));
    setenv("SHIMGEN_PREFIX", own, 1);
    static const char ini[] =
        "[board]\ntarget = aarch64-linux-gnu\n[run]\nhow = simulator\n[simulator]\nemulator = qemu-aarch64\n"
        "cpu = cortex-a53\nmodel = m,1.ini\n[events]\nCPU_CYCLES = raw:0x11\n[count]\ncommand = qemu-aarch64 -x y\n";
    struct board *b = load("sim", ini);
    struct runner *r = NULL;
    assert_int_equal(runner_open(&r, b, RUN_MEASURED, &e), ERR_SYSTEM);
    assert_says(&e, "the simulator is not there (");
    free(put_file("pre,fix/lib/shimgen/shimgen-iss.so", ""));
    assert_int_equal(runner_open(&r, b, RUN_MEASURED, &e), ERR_SYSTEM);
    assert_says(&e, "the simulator's data file");
    free(put_file("sim/m,1.ini", ""));
    r = opened(b, RUN_MEASURED);
    char *release = xasprintf("%s/proc/sys/kernel/osrelease", runner_root(r)), *text = text_of(release);
    assert_string_equal(text, "qemu-aarch64 version 7.2.22");
    free(text);
    free(release);
    assert_string_equal(r->architecture, "aarch64");
    char *status = xasprintf("%s/proc/self/status", runner_root(r));
    text = text_of(status);
    assert_string_equal(text, "Cpus_allowed_list:\t0\n");
    free(text);
    free(status);
    puts_program(r, "first", "first");
    puts_program(r, "program", "second");
    char *result = in_scratch("emulated"), *program = in_scratch("program");
    struct run_request q = {.arguments = (const char *const[]){"one", NULL},
                            .environment = (const char *const[]){"CODE=5", NULL},
                            .result_variable = "PLACE",
                            .result = result,
                            .timeout_s = 20,
                            .core = -1};
    run(r, &q, &end);
    assert_true(end.written && end.exit_code == 5 && !end.signal && !end.timed_out);
    text = text_of(result);
    char *wanted = xasprintf(
        "-cpu\ncortex-a53\n-R\n0x1000000000\n-plugin\n%s/pre,,fix/lib/shimgen/shimgen-iss.so,model=%s/sim/m,,1.ini\n"
        "./program\none\nCODE=5\nPATH=/usr/local/bin:/usr/bin:/bin\nPLACE=result\nPWD=/",
        scratch, scratch);
    assert_memory_equal(text, wanted, strlen(wanted));
    has(text, program);
    free(wanted);
    free(text);
    assert_int_equal(runner_cycles(r, "/own,1", "/to,2", &e), OK);
    run(r, &q, &end);
    text = text_of(result);
    has(text, "m,,1.ini,cycles=/to,,2,own=/own,,1\n./program\n");
    free(text);
    free(put_file("complain", "warning\nqemu-aarch64: Unable to do it\nmore\n"));
    assert_int_equal(runner_run(r, &q, &end, &e), ERR_SYSTEM);
    assert_says(&e, "board 'sim' cannot be run here: qemu-aarch64: Unable to do it");
    assert_false(end.written);
    free(put_file("complain", "shimgen-iss: no model\n"));
    assert_int_equal(runner_run(r, &q, &end, &e), ERR_SYSTEM);
    assert_says(&e, "board 'sim' cannot be run here: shimgen-iss: no model");
    free(put_file("complain", "my qemu-aarch64: is the program's own\n"));
    run(r, &q, &end);
    assert_true(!end.written && end.exit_code == 1);
    assert_string_equal(str_text(&end.messages), "my qemu-aarch64: is the program's own");
    assert_int_equal(unlink(complain), 0);
    runner_close(r);
    /* to count: another command, and no plugin */
    r = opened(b, RUN_COUNTED);
    assert_string_equal(runner_root(r), "");
    puts_program(r, "program", "second");
    run(r, &q, &end);
    text = text_of(result);
    assert_memory_equal(text, "-x\ny\n./program\none\nCODE=5\n", 26);
    free(text);
    assert_int_equal(runner_cycles(r, "o", "t", &e), ERR_UNSUPPORTED);
    assert_says(&e, "known on simulated boards only");
    runner_close(r);
    board_free(b);
    text = xstrdup(ini); /* of 32 bits */
    memcpy(strstr(text, "aarch64-linux-gnu"), "arm-linux-gnueabi", 17);
    b = load("sim", text);
    free(text);
    r = opened(b, RUN_MEASURED);
    puts_program(r, "program", "second");
    run(r, &q, &end);
    text = text_of(result);
    has(text, "-R\n0xffffffff\n-plugin\n");
    free(text);
    runner_close(r);
    board_free(b);
    setenv("SHIMGEN_PREFIX", before, 1);
    run_end_release(&end);
    free(before);
    free(own);
    free(complain);
    free(qemu);
    free(result);
    free(program);
}

/* Two seconds may pass four times as slowly on a machine that stands still; else there is one limit, of the clock. */
static void test_limits(void **state)
{
    (void)state;
    struct board b = {.how = BOARD_SIMULATOR, .timeout_s = 2};
    struct run_request q = {.core = -1};
    run_limit(&q, &b);
    assert_true(q.timeout_s >= 8);
    assert_int_equal(q.cpu_limit_s, 2);
    b.how = BOARD_NATIVE;
    run_limit(&q, &b);
    assert_true(q.timeout_s == 2);
    assert_int_equal(q.cpu_limit_s, 0);
    struct str s = STR_INIT;
    for (int i = 0; i < 4001; i++)
        str_addch(&s, i ? 'b' : 'a');
    str_add(&s, " \n \n");
    keep_end(&s);
    assert_int_equal(s.len, 4000);
    assert_int_equal(s.s[0], 'b');
    str_clear(&s);
    str_add(&s, "\n \n");
    keep_end(&s);
    assert_int_equal(s.len, 0);
    str_release(&s);
}

/* ---- by a command ---- */

static struct board *by_command(const char *command, const char *text, const char *more)
{
    char *ini = xasprintf(
        "[board]\ntarget = thumbv7em-none-eabihf\n[link]\nlinker = ld.lld\n[run]\nhow = command\ntimeout = 20\nruns = "
        "2\n"
        "cache = warm\n[command]\nrun = %s\ntext = %s\n%s[part]\nflash = 256K\nflash_start = 0\nram = 32K\nram_start = "
        "0x20000000\nstack = 4K\nstart = cortex_m\nlibrary = none\n",
        command, text, more);
    struct board *b = load("part", ini);
    free(ini);
    return b;
}

/* What is measured of program a@O0 in the good log: 10000 cycles less 64 / 16 of an empty region. */
static struct measurements *measured(const struct board *b, const char *program, enum status wanted,
                                     const char *message)
{
    struct error e = ERROR_INIT;
    struct measurements *m = measurements_new();
    char *image = put_file("image", "image");
    enum status s = board_measure(b, image, program, NULL, m, &e);
    if (s != wanted)
        fail_msg("%d: %s", s, e.message ? e.message : "no error");
    if (message)
        assert_says(&e, message);
    free(image);
    return m;
}

static void is_good(const struct measurements *m)
{
    assert_int_equal(m->rows.n, 1);
    const struct measurement *r = &m->rows.at[0];
    assert_string_equal(r->program, "a@O0");
    assert_string_equal(r->region, "r");
    assert_string_equal(r->event, "CPU_CYCLES");
    assert_true(r->value == 9996 && r->runs == 2 && r->overhead == 4 && r->entries == 1);
}

static void test_command(void **state)
{
    (void)state;
    struct writer w = good_log();
    char *log = put_file("log", str_text(&w.text)), *command, *flash = in_scratch("flash"),
         *count = in_scratch("count");
    /* a debugger that stays when the part has ended, is ended at the last line */
    char *text =
        xasprintf("#!/bin/sh\n[ \"$1\" = %s/image ] && [ \"$2\" = 'two words' ] || exit 9\ncat %s\nexec sleep 60\n",
                  scratch, log);
    free(script("flash", text));
    free(text);
    command = xasprintf("%s {image} \"two words\"", flash);
    struct board *b = by_command(command, "stdout", "");
    struct measurements *m = measured(b, "a@O0", OK, NULL);
    is_good(m);
    const struct conditions *c = &m->conditions;
    assert_string_equal(c->cpu, "stm32");
    assert_string_equal(c->cycle_event, "CPU_CYCLES");
    has(c->cycle_nature, "cycles of the part's counter: ");
    assert_string_equal(c->cache, "warm");
    assert_string_equal(c->cache_method, "main is run once before, unmeasured");
    assert_string_equal(c->priority, "interrupts masked");
    assert_string_equal(c->memory, "the part's own");
    assert_true(c->clock_hz == 16e6 && c->runs == 2 && c->overhead_cycles == 4);
    measurements_free(m);
    measurements_free(measured(b, "c@O0", ERR_INPUT, "the part printed the log of 'a@O0', not of this program"));
    board_free(b);
    free(command);
    /* text in a file; a second try after a reset */
    text =
        xasprintf("#!/bin/sh\necho x >>%s\n[ $(wc -l <%s) -gt 2 ] && cat %s >\"$2\" || head -n 4 %s >\"$2\"\nexit 0\n",
                  count, count, log, log);
    free(script("flash", text));
    free(text);
    command = xasprintf("%s {image} {text}", flash);
    text = xasprintf("retries = 1\nreset = sh -c \"echo x >>%s\"\n", count);
    b = by_command(command, "file", text);
    m = measured(b, "a@O0", OK, NULL);
    is_good(m);
    measurements_free(m);
    char *counted = text_of(count);
    assert_string_equal(counted, "x\nx\nx\n"); /* launched, reset, launched */
    free(counted);
    board_free(b);
    free(text);
    assert_int_equal(unlink(count), 0);
    b = by_command(command, "file", "retries = 0\n");
    measurements_free(measured(b, "a@O0", ERR_INPUT, "a@O0: the text of the part: "));
    board_free(b);
    free(command);
    /* by a device, after the command has ended; older text in a file is there, and stays */
    text = xasprintf("#!/bin/sh\n(sleep 0.3; cat %s >%s/line) </dev/null >/dev/null 2>&1 &\n", log, scratch);
    free(script("flash", text));
    free(text);
    char *line = in_scratch("line"), *device = xasprintf("%s 115200", line);
    assert_int_equal(mkfifo(line, 0600), 0);
    command = xasprintf("%s {image}", flash);
    b = by_command(command, device, "");
    m = measured(b, "a@O0", OK, NULL);
    is_good(m);
    measurements_free(m);
    board_free(b);
    free(device);
    device = xasprintf("%s 115200", "/no/such/device");
    b = by_command(command, device, "");
    measurements_free(measured(b, "a@O0", ERR_SYSTEM, "the device for the part's text cannot be opened"));
    board_free(b);
    /* nothing comes */
    free(script("flash", "#!/bin/sh\necho 'no probe' >&2\nexit 3\n"));
    b = by_command(command, "stdout", "retries = 0\n");
    measurements_free(
        measured(b, "a@O0", ERR_INPUT, "a@O0: nothing came from the part within 20 s; the command says: no probe"));
    board_free(b);
    b = by_command("no-such-flasher {image}", "stdout", "");
    measurements_free(
        measured(b, "a@O0", ERR_SYSTEM, "the command 'no-such-flasher' ([command] run) is not installed here"));
    board_free(b);
    free(command);
    free(device);
    free(line);
    free(log);
    free(flash);
    free(count);
    str_release(&w.text);
}

/* A terminal in the place of a serial line: it is set to the speed, and what comes once the command has ended is read. Whoever holds its
 * other side is another process, which writes when the command has run. */
static void test_serial_line(void **state)
{
    (void)state;
    struct writer w = good_log();
    char *go = in_scratch("go"), *flash = in_scratch("flash"), *command = xasprintf("%s {image}", flash);
    char *text = xasprintf("#!/bin/sh\n: >%s\n", go);
    free(script("flash", text));
    int line = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(line >= 0);
    assert_int_equal(grantpt(line), 0);
    assert_int_equal(unlockpt(line), 0);
    char *device = xasprintf("%s 57600", ptsname(line));
    int held = open(ptsname(line), O_RDWR | O_NOCTTY); /* with no other reader the line would end */
    assert_true(held >= 0);
    pid_t other = fork();
    if (other == 0) {
        for (int i = 0; i < 2000; i++, usleep(10000))
            if (access(go, F_OK) == 0) { /* each launch has its text */
                (void)!unlink(go);
                (void)!write(line, str_text(&w.text), w.text.len);
            }
        _exit(0);
    }
    struct board *b = by_command(command, device, "");
    struct measurements *m = measured(b, "a@O0", OK, NULL);
    is_good(m);
    measurements_free(m);
    board_free(b);
    struct termios t;
    assert_int_equal(tcgetattr(held, &t), 0);
    assert_true(cfgetispeed(&t) == B57600 && cfgetospeed(&t) == B57600 && !(t.c_lflag & (ICANON | ECHO)));
    free(device);
    device = xasprintf("%s 12345", ptsname(line));
    b = by_command(command, device, "");
    measurements_free(
        measured(b, "a@O0", ERR_UNSUPPORTED, "cannot be set to 12345 baud; use a common speed, such as 115200"));
    board_free(b);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    close(held);
    close(line);
    free(device);
    free(text);
    free(command);
    free(flash);
    free(go);
    str_release(&w.text);
}

/* ---- runtimes for another target ---- */

/* The compiler is a script: it makes an empty object of each source that it is given, and tells how it was called. */
static void test_foreign(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    char *before = xstrdup(getenv("SHIMGEN_PREFIX")), *own = in_scratch("installed"), *log = in_scratch("compiler.log");
    char *libc = in_scratch("no-libc"), *work = in_scratch("work"), *text;
    text = xasprintf("#!/bin/sh\necho \"$*\" >>%s\ncase $2 in -print-file-name=*) f=${2#*=}; [ -e %s.$f ] && echo $f "
                     "|| echo /lib/$f; exit ;; esac\n"
                     "for a; do case $a in *.c) a=${a##*/}; echo object >${a%%.c}.o ;; esac; done\n",
                     log, libc);
    free(script("bin/crosscc", text));
    free(text);
    setenv("SHIMGEN_PREFIX", own, 1);
    struct board *b = load("cross", "[board]\ntarget = aarch64-linux-gnu\n[compile]\ncompiler = crosscc\n[run]\nhow = "
                                    "import\n[count]\ncommand = qemu-aarch64\n"
                                    "flags = -mine\n");
    const char *const folders[] = {"one", "two", NULL};
    struct board_args args = {0, 0};
    assert_true(board_is_foreign(b));
    assert_int_equal(board_foreign_runtime(b, "rt", folders, work, &args, &e), ERR_SYSTEM);
    assert_says(&e, "share/shimgen/runtime");
    assert_int_equal(args.n, 0);
    free(put_file("installed/share/shimgen/runtime/one/a.c", "a"));
    free(put_file("installed/share/shimgen/runtime/one/a.h", "h"));
    free(put_file("installed/share/shimgen/runtime/two/b.c", "b"));
    for (int i = 0; i < 2; i++) { /* no C library for the target: half of it or all */
        char *file = xasprintf("no-libc.%s", i ? "libgcc.a" : "crt1.o"), *path = put_file(file, "");
        assert_int_equal(board_foreign_runtime(b, "rt", folders, work, &args, &e), ERR_SYSTEM);
        assert_says(&e, "aarch64-linux-gnu (Debian's gcc-aarch64-linux-gnu and libc6-dev-arm64-cross)");
        assert_int_equal(unlink(path), 0);
        free(path);
        free(file);
    }
    assert_int_equal(unlink(log), 0);
    assert_int_equal(board_foreign_runtime(b, "rt", folders, work, &args, &e), OK);
    assert_int_equal(args.n, 2);
    char *first = xasprintf("%s/runtime/rt/a.o", work), *second = xasprintf("%s/runtime/rt/b.o", work);
    assert_string_equal(args.at[0], first);
    assert_string_equal(args.at[1], second);
    assert_true(file_exists(first) && file_exists(second));
    char *said = text_of(log),
         *wanted = xasprintf("--target=aarch64-linux-gnu -print-file-name=crt1.o\n--target=aarch64-linux-gnu "
                             "-print-file-name=libgcc.a\n--target=aarch64-linux-gnu -std=c17 -D_GNU_SOURCE "
                             "-I%s/share/shimgen/runtime -O2 -g -fdebug-compilation-dir=. -fPIC -fno-lto -c -mine "
                             "%s/share/shimgen/runtime/one/a.c %s/share/shimgen/runtime/two/b.c\n",
                             own, own, own);
    assert_string_equal(said, wanted);
    free(said);
    /* what is there is not made again, unless a source, a header, or an object has changed */
    const char *const changes[] = {NULL, "installed/share/shimgen/runtime/one/a.h",
                                   "installed/share/shimgen/runtime/two/b.c", "work/runtime/rt/b.o"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        assert_int_equal(unlink(log), 0);
        if (changes[i])
            free(put_file(changes[i], "changed"));
        free(put_file("compiler.log", ""));
        char *notes = in_scratch("notes");
        int kept = dup(2), file = creat(notes, 0600);
        assert_true(kept >= 0 && file >= 0 && dup2(file, 2) == 2);
        enum status made = board_foreign_runtime(b, "rt", folders, work, &args, &e);
        assert_true(dup2(kept, 2) == 2 && close(kept) == 0 && close(file) == 0);
        assert_int_equal(made, OK);
        said = text_of(notes);
        assert_int_equal(strstr(said, "b.o: changed or damaged since it was made") != NULL, i == 3);
        free(said);
        free(notes);
        said = text_of(log);
        assert_int_equal(*said != 0, changes[i] != NULL);
        free(said);
    }
    assert_int_equal(args.n, 10);
    board_args_release(&args);
    board_free(b);
    b = load("cross", "[board]\ntarget = aarch64-linux-gnu\n[compile]\ncompiler = no-such-compiler\n");
    assert_int_equal(board_check_target(b, &e), ERR_SYSTEM);
    assert_says(&e, "no-such-compiler");
    board_free(b);
    b = load("cross", "");
    assert_false(board_is_foreign(b));
    assert_int_equal(board_check_target(b, &e), OK);
    board_free(b);
    setenv("SHIMGEN_PREFIX", before, 1);
    free(wanted);
    free(first);
    free(second);
    free(before);
    free(own);
    free(log);
    free(libc);
    free(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ssh),         cmocka_unit_test(test_ssh_old_folders),
                                       cmocka_unit_test(test_ssh_refused), cmocka_unit_test(test_emulator),
                                       cmocka_unit_test(test_limits),      cmocka_unit_test(test_foreign),
                                       cmocka_unit_test(test_command),     cmocka_unit_test(test_serial_line)};
    fixture_open();
    folder_bin = in_scratch("bin");
    remote = in_scratch("remote");
    if (mkdir(remote, 0700))
        return 1;
    char *broken = in_scratch("break"), *log = in_scratch("ssh.log");
    char *text = xasprintf(
        "#!/bin/sh\necho \"$*\" >>%s\nfor command; do :; done\ncase \" $* \" in *' -O exit '*) exit 0 ;; esac\n"
        "if [ \"${SSH_SAYS+x}\" ]; then printf '%%s' \"$SSH_SAYS\" >&2; exit 255; fi\n"
        "if [ -e %s ]; then rm %s; exit 255; fi\nexec /bin/sh -c \"$command\"\n",
        log, broken, broken);
    free(script("bin/ssh", text));
    char *path = xasprintf("%s:%s", folder_bin, getenv("PATH"));
    setenv("PATH", path, 1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(path);
    free(text);
    free(broken);
    free(log);
    free(remote);
    free(folder_bin);
    return fixture_close(failed);
}
