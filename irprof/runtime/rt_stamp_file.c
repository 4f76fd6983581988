/* rt_stamp_file.c - the raw file of stamps: created when the program starts; chunks are appended. */
#include "irprof/runtime/rt_stamp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, HIGH = 200 }; /* descriptors from HIGH on do not collide with the program's */

static char path[PATH_SIZE]; /* absolute; empty: none */
static int file = -1;
static int broken; /* a write has failed, so nothing more is written */
static int names_process;

/* For a forked child: a copy of all chunks of modules and names that come before its own. */
static char *kept;
static size_t kept_size;

uint64_t rt_stamp_room(void);

static void number(char *to, unsigned long v)
{
    char digits[24];
    size_t n = 0;
    do
        digits[n++] = (char)('0' + v % 10);
    while (v /= 10);
    while (n)
        *to++ = digits[--n];
    *to = 0;
}

/* The user's path with %p replaced. It is made absolute, since the program may change its folder. */
static void find_path(void)
{
    const char *given = secure_getenv("IRPROF_STAMP_OUT");
    size_t n = 0;
    if (!given || !*given)
        given = "irprof.stamps";
    path[0] = 0;
    if (given[0] != '/' && getcwd(path, sizeof path - 2)) {
        n = strlen(path);
        path[n++] = '/';
    }
    for (const char *s = given; *s; s++) {
        char digits[24] = {*s, 0};
        if (s[0] == '%' && s[1] == 'p') {
            number(digits, (unsigned long)getpid());
            names_process = 1;
            s++;
        }
        size_t more = strlen(digits);
        if (n + more >= sizeof path) {
            path[0] = 0;
            rt_stamp_say("the path in IRPROF_STAMP_OUT is too long: no stamps are written", "");
            return;
        }
        memcpy(path + n, digits, more + 1);
        n += more;
    }
}

static void cannot(const char *what)
{
    broken = 1;
    rt_stamp_say(what, path);
}

/* Makes a file for this process alone. A program that starts itself writes another file. */
static void make_file(void)
{
    if (!path[0])
        return;
    unlink(path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) {
        cannot("no stamps are written, since this file cannot be made: ");
        return;
    }
    file = fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    if (file < 0)
        file = fd;
    else
        close(fd);
}

static int write_whole(const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n) {
        ssize_t done = write(file, at, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return 0;
        at += done;
        n -= (size_t)done;
    }
    return 1;
}

static void keep(const struct stamp_chunk *c, const void *head, size_t head_size, const void *body, size_t body_size)
{
    size_t more = sizeof *c + head_size + body_size;
    char *grown = realloc(kept, kept_size + more);
    if (!grown)
        return;
    kept = grown;
    memcpy(kept + kept_size, c, sizeof *c);
    memcpy(kept + kept_size + sizeof *c, head, head_size);
    if (body_size)
        memcpy(kept + kept_size + sizeof *c + head_size, body, body_size);
    kept_size += more;
}

void rt_stamp_chunk(uint32_t kind, const void *head, size_t head_size, const void *body, size_t body_size)
{
    struct stamp_chunk c = {kind, (uint32_t)(head_size + body_size)};
    if (kind == STAMP_MODULE || kind == STAMP_NAMES)
        keep(&c, head, head_size, body, body_size);
    if (file < 0 || broken)
        return;
    if (head_size + body_size > UINT32_MAX) {
        cannot("a chunk of more than 4 GiB is left out of ");
        return;
    }
    if (!write_whole(&c, sizeof c) || !write_whole(head, head_size) || (body_size && !write_whole(body, body_size)))
        cannot("not all could be written (is the disk full?): ");
}

static void begin(void)
{
    static union {
        struct stamp_thread state;
        char room[sizeof(struct stamp_thread) + (RT_STAMP_BATCH + 1) * sizeof(struct stamp_record)];
    } scratch;
    static const uint32_t none = STAMP_NO_PROCESSOR;
    char name[1024];
    ssize_t n = readlink("/proc/self/exe", name, sizeof name);
    scratch.state.limit = RT_STAMP_BATCH;
    scratch.state.processor = &none;
    struct stamp_start s = {.frequency = rt_stamp_frequency(rt_stamp_which),
                            .cost = rt_stamp_cost(rt_stamp_which, &scratch.state),
                            .room = rt_stamp_room(),
                            .clock = rt_stamp_which,
                            .process = (uint32_t)getpid()};
    s.at = rt_stamp_now(rt_stamp_which);
    if (file >= 0 && !write_whole(STAMP_MAGIC, strlen(STAMP_MAGIC)))
        cannot("this file cannot be written: ");
    rt_stamp_chunk(STAMP_START, &s, sizeof s, name, n > 0 ? (size_t)n : 0);
}

void rt_stamp_open(void)
{
    find_path();
    make_file();
    begin();
}

/* Opens the file of a forked child. The known modules are written to it too. */
void rt_stamp_reopen(void)
{
    if (file >= 0)
        close(file);
    file = -1;
    broken = 0;
    if (names_process) {
        find_path();
    } else {
        size_t n = strlen(path);
        if (!n || n + 24 >= sizeof path)
            return;
        path[n] = '.';
        number(path + n + 1, (unsigned long)getpid());
    }
    make_file();
    begin();
    if (file >= 0 && !broken && kept_size && !write_whole(kept, kept_size))
        cannot("this file cannot be written: ");
}
