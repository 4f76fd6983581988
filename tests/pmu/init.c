/* init.c - the first and only program of the emulated machine: runs what it is asked to over a serial line and sends
 * back what that wrote. Linked statically; the initramfs holds it as /init, and the measured programs beside it.
 *
 * A request is a line of words, the answer "answer EXIT SIGNAL SIZE CRC" and SIZE bytes; CRC is that of POSIX cksum.
 *   run PROGRAM [user=N] [core=N] [hog=N] [NAME=VALUE...]   the file that it leaves at $SHIM_MEASURE_OUT
 *   get FILE...                                            their contents
 *   set FILE TEXT                                          nothing; EXIT tells whether it could be written
 * hog=N: meanwhile N counters of the core are somebody else's. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { WORDS = 32, OUT_BYTES = 1 << 20, HOG_MOST = 8 };
#define RESULT "/out/result"

static int line_fd;
static unsigned char out[OUT_BYTES];

static uint32_t crc_step(uint32_t crc, unsigned char byte)
{
    crc ^= (uint32_t)byte << 24;
    for (int i = 0; i < 8; i++)
        crc = crc & 0x80000000u ? crc << 1 ^ 0x04c11db7u : crc << 1;
    return crc;
}

/* The bytes, then their number, least byte first, without leading zeros; inverted. */
static uint32_t posix_cksum(const unsigned char *at, size_t n)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < n; i++)
        crc = crc_step(crc, at[i]);
    for (; n; n >>= 8)
        crc = crc_step(crc, (unsigned char)n);
    return ~crc;
}

static void send_all(const void *from, size_t n)
{
    const char *at = from;
    while (n > 0) {
        ssize_t sent = write(line_fd, at, n);
        if (sent < 0 && errno != EINTR)
            return;
        at += sent > 0 ? sent : 0;
        n -= sent > 0 ? (size_t)sent : 0;
    }
}

static void answer(int exit_code, int signal, size_t n)
{
    char head[80];
    int length = snprintf(head, sizeof head, "answer %d %d %zu %u\n", exit_code, signal, n, posix_cksum(out, n));
    send_all(head, (size_t)length);
    send_all(out, n);
}

/* Appends the file to `out`; the new length. */
static size_t read_file(const char *path, size_t n)
{
    int fd = open(path, O_RDONLY);
    ssize_t got;
    while (fd >= 0 && n < sizeof out && (got = read(fd, out + n, sizeof out - n)) > 0)
        n += (size_t)got;
    if (fd >= 0)
        close(fd);
    return n;
}

static int write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY);
    int bad = fd < 0 || write(fd, text, strlen(text)) < 0;
    if (fd >= 0)
        close(fd);
    return bad;
}

/* Counters of this core that are always on it, and not for the measured program. */
static int hog(int core, int n, int *fd)
{
    struct perf_event_attr a = {.type = PERF_TYPE_RAW, .size = sizeof a, .config = 0x08, .pinned = 1};
    int opened = 0;
    while (opened < n && opened < HOG_MOST &&
           (fd[opened] = (int)syscall(SYS_perf_event_open, &a, -1, core, -1, PERF_FLAG_FD_CLOEXEC)) >= 0)
        opened++;
    return opened;
}

struct request {
    char *program, *environment[WORDS];
    int user, core, hog;
};

static void become(const struct request *r)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(r->core, &one);
    if (sched_setaffinity(0, sizeof one, &one) || (r->user && (setgid((gid_t)r->user) || setuid((uid_t)r->user))))
        _exit(126);
    char *argv[] = {r->program, NULL};
    execve(r->program, argv, (char **)r->environment);
    _exit(127);
}

static void run(char **word, int n)
{
    struct request r = {0};
    int vars = 0, fd[HOG_MOST];
    for (int i = 0; i < n; i++) {
        if (strncmp(word[i], "user=", 5) == 0)
            r.user = atoi(word[i] + 5);
        else if (strncmp(word[i], "core=", 5) == 0)
            r.core = atoi(word[i] + 5);
        else if (strncmp(word[i], "hog=", 4) == 0)
            r.hog = atoi(word[i] + 4);
        else if (!r.program)
            r.program = word[i];
        else
            r.environment[vars++] = word[i];
    }
    r.environment[vars] = "SHIM_MEASURE_OUT=" RESULT;
    unlink(RESULT);
    int held = hog(r.core, r.hog, fd), status = 0;
    pid_t child = r.program && held == r.hog ? fork() : -1;
    if (child == 0)
        become(&r);
    if (child < 0 || waitpid(child, &status, 0) < 0)
        status = 125 << 8;
    while (held > 0)
        close(fd[--held]);
    answer(WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
           read_file(RESULT, 0));
}

static void obey(char *line)
{
    char *word[WORDS] = {0};
    int n = 0;
    for (char *at = strtok(line, " "); at && n < WORDS - 2; at = strtok(NULL, " "))
        word[n++] = at;
    if (n > 1 && strcmp(word[0], "run") == 0) {
        run(word + 1, n - 1);
    } else if (n > 1 && strcmp(word[0], "get") == 0) {
        size_t bytes = 0;
        for (int i = 1; i < n; i++)
            bytes = read_file(word[i], bytes);
        answer(0, 0, bytes);
    } else if (n == 3 && strcmp(word[0], "set") == 0) {
        answer(write_file(word[1], word[2]), 0, 0);
    } else {
        answer(124, 0, 0);
    }
}

/* The kernel's command line names it: line=/dev/ttyS1 becomes part of our environment. */
static int open_line(void)
{
    struct termios t;
    const char *name = getenv("line");
    line_fd = name ? open(name, O_RDWR | O_NOCTTY) : -1;
    if (line_fd < 0 || tcgetattr(line_fd, &t))
        return 0;
    cfmakeraw(&t);
    return tcsetattr(line_fd, TCSANOW, &t) == 0;
}

int main(void)
{
    static char line[4096];
    size_t n = 0;
    mkdir("/proc", 0755);
    mkdir("/sys", 0755);
    mkdir("/dev", 0755);
    mkdir("/out", 0777);
    chmod("/out", 0777);
    if (mount("proc", "/proc", "proc", 0, NULL) || mount("sysfs", "/sys", "sysfs", 0, NULL) ||
        mount("devtmpfs", "/dev", "devtmpfs", 0, NULL) || !open_line())
        return 1; /* the kernel panics and says so */
    send_all("ready\n", 6);
    for (;;) {
        char c;
        if (read(line_fd, &c, 1) != 1)
            continue;
        if (c != '\n' && n < sizeof line - 1) {
            line[n++] = c;
            continue;
        }
        line[n] = 0;
        n = 0;
        obey(line);
    }
}
