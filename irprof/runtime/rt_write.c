/* rt_write.c - writes the profile (docs/formats/profile.md). Async-signal-safe: it uses system calls alone. */
#include "irprof/runtime/rt.h"
#include "irprof/runtime/rt_footprint.h"
#include "irprof/runtime/rt_traffic.h"
#include "irprof/runtime/rt_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "irprof/profile/format.h"

struct out {
    int fd;
    int failed; /* errno of the first write that failed */
    uint64_t hash;
    size_t n;
    unsigned char buffer[16384];
};

static void flush(struct out *o)
{
    for (size_t done = 0; done < o->n && !o->failed;) {
        ssize_t k = write(o->fd, o->buffer + done, o->n - done);
        if (k > 0)
            done += (size_t)k;
        else if (k == 0 || errno != EINTR)
            o->failed = k == 0 ? ENOSPC : errno;
    }
    o->n = 0;
}

static void put(struct out *o, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++) {
        o->hash = (o->hash ^ b[i]) * FORMAT_HASH_PRIME;
        o->buffer[o->n++] = b[i];
        if (o->n == sizeof o->buffer)
            flush(o);
    }
}

static void put_u32(struct out *o, uint32_t v)
{
    unsigned char b[4];
    for (int i = 0; i < 4; i++)
        b[i] = (unsigned char)(v >> 8 * i);
    put(o, b, sizeof b);
}

static void put_u64(struct out *o, uint64_t v)
{
    put_u32(o, (uint32_t)v);
    put_u32(o, (uint32_t)(v >> 32));
}

/* ---- threads as regions ---- */

/* "thread:3"; for 0, "thread:other". */
static const char *thread_name(uint32_t thread)
{
    static char name[sizeof "thread:" + RT_DIGITS];
    char digits[RT_DIGITS];
    strcpy(name, "thread:");
    return strcat(name, thread ? rt_decimal(digits, thread) : "other");
}

static int is_region(const char *name)
{
    for (const struct rt_region *r = rt_regions; r; r = r->next)
        if (strcmp(r->name, name) == 0)
            return 1;
    return 0;
}

/* Has any thread without a number executed anything? */
static int has_others(void)
{
    for (const struct rt_record *r = rt_records; r; r = r->next)
        for (uint64_t i = 0; i < r->n_counters; i++) {
            uint64_t value = 0;
            rt_add_thread(r, 0, i, 1, &value);
            if (value)
                return 1;
        }
    return 0;
}

/* Totals at one moment: other threads may go on. */
struct totals {
    uint32_t modules, regions, threads;
    int others; /* has any thread without a number executed anything? */
    uint64_t counters, size;
};

/* Does the thread get a region? It does not if the program has a region of that name. */
static int is_written(const struct totals *t, uint32_t thread)
{
    return (thread ? thread <= t->threads : t->others) && !is_region(thread_name(thread));
}

static struct totals add_up(size_t name_size)
{
    struct totals t = {.size = FORMAT_HEADER_SIZE + name_size + FORMAT_TRAILER_SIZE};
    for (const struct rt_record *r = rt_records; r; r = r->next) {
        t.modules++;
        t.counters += r->n_counters;
        t.size += FORMAT_MODULE_SIZE + r->description_size + 8 * r->n_counters;
    }
    for (const struct rt_region *r = rt_regions; r; r = r->next) {
        t.regions++;
        t.size += FORMAT_REGION_SIZE + r->name_size + 8 * t.counters;
    }
    t.threads = rt_by_thread ? rt_threads() : 0;
    t.others = rt_by_thread && has_others();
    for (uint32_t thread = 0; thread <= t.threads; thread++) {
        if (!is_written(&t, thread))
            continue;
        t.regions++;
        t.size += FORMAT_REGION_SIZE + strlen(thread_name(thread)) + 8 * t.counters;
    }
    t.size += rt_traffic_size();
    t.size += rt_footprint() ? FORMAT_FOOTPRINT_SIZE + (uint64_t)rt_footprint()->n * FORMAT_FOOT_ROW_SIZE : 0;
    t.size += rt_windows() ? FORMAT_WINDOWS_SIZE + rt_windows()->size : 0;
    return t;
}

/* Writes the record's counters times sign, plus `counts` (NULL: zeros). */
static void put_counters(struct out *o, const struct rt_record *r, const uint64_t *counts, int sign)
{
    enum { SOME = 256 };
    uint64_t values[SOME];
    for (uint64_t first = 0; first < r->n_counters; first += SOME) {
        uint64_t n = r->n_counters - first < SOME ? r->n_counters - first : SOME;
        memset(values, 0, sizeof values);
        if (counts)
            memcpy(values, counts + first, (size_t)n * sizeof *values);
        if (sign)
            rt_add(r, first, n, sign, values);
        for (uint64_t i = 0; i < n; i++)
            put_u64(o, values[i]);
    }
}

static void put_region(struct out *o, const struct rt_region *region)
{
    const struct rt_sum *sum = region->sums;
    put_u32(o, (uint32_t)region->name_size);
    put_u32(o, region->flaws | (region->active ? RT_FLAW_OPEN : 0));
    put_u64(o, region->entries);
    put(o, region->name, region->name_size);
    for (const struct rt_record *r = rt_records; r; r = r->next) {
        put_counters(o, r, sum ? sum->counts : 0, sum && region->active);
        sum = sum ? sum->next : 0;
    }
}

static void put_thread(struct out *o, uint32_t thread)
{
    enum { SOME = 256 };
    const char *name = thread_name(thread);
    uint64_t values[SOME];
    put_u32(o, (uint32_t)strlen(name));
    put_u32(o, 0);
    put_u64(o, 1);
    put(o, name, strlen(name));
    for (const struct rt_record *r = rt_records; r; r = r->next)
        for (uint64_t first = 0; first < r->n_counters; first += SOME) {
            uint64_t n = r->n_counters - first < SOME ? r->n_counters - first : SOME;
            memset(values, 0, sizeof values);
            rt_add_thread(r, thread, first, n, values);
            for (uint64_t i = 0; i < n; i++)
                put_u64(o, values[i]);
        }
}

/* Unnumbered threads come last. */
static void put_threads(struct out *o, const struct totals *t)
{
    for (uint32_t thread = 1; thread <= t->threads; thread++)
        if (is_written(t, thread))
            put_thread(o, thread);
    if (is_written(t, 0))
        put_thread(o, 0);
}

static void put_place(struct out *o, const struct rt_place *p)
{
    size_t n = strlen(p->file);
    put_u32(o, p->parent);
    put_u32(o, p->line);
    put_u32(o, (uint32_t)n);
    put(o, p->file, n);
}

static void put_row(struct out *o, const struct rt_row *r)
{
    put_u32(o, r->writer);
    put_u32(o, rt_traffic_readers(r->set));
    put_u64(o, r->bytes);
    for (uint32_t set = r->set, reader; (reader = rt_traffic_reader(&set));)
        put_u32(o, reader);
}

static void put_traffic(struct out *o)
{
    const struct rt_traffic *t = rt_traffic();
    if (!t)
        return;
    put_u32(o, t->flaws);
    put_u32(o, t->n_places);
    put_u32(o, t->n_rows);
    for (uint32_t i = 1; i <= t->n_places; i++)
        put_place(o, &t->places[i]);
    for (uint32_t i = 0; i < RT_ROWS; i++)
        if (t->rows[i].bytes)
            put_row(o, &t->rows[i]);
}

static uint32_t record_number(const struct rt_record *record)
{
    uint32_t n = 0;
    for (const struct rt_record *r = rt_records; r && r != record; r = r->next)
        n++;
    return n;
}

static void put_footprint(struct out *o)
{
    const struct rt_footprint *f = rt_footprint();
    if (!f)
        return;
    put_u32(o, f->flaws);
    put_u32(o, f->n);
    for (uint32_t i = 1; i <= f->n; i++) {
        const struct rt_foot_row *row = &f->rows[i];
        put_u32(o, record_number(row->record));
        put_u32(o, row->index);
        put_u64(o, row->touched);
        put_u64(o, row->written);
        put_u64(o, row->needed);
        put_u64(o, row->left);
    }
}

static void put_windows(struct out *o)
{
    const struct rt_windows *w = rt_windows();
    if (!w)
        return;
    put_u32(o, w->flaws);
    put_u32(o, w->n);
    put_u64(o, w->accesses);
    put_u64(o, w->size);
    uint64_t left = w->size;
    for (const struct rt_chunk *c = w->first; c && left; c = c->next) {
        size_t n = c->n < left ? c->n : (size_t)left;
        put(o, c->bytes, n);
        left -= n;
    }
}

static void put_profile(struct out *o, uint32_t end, uint32_t signal_number)
{
    const char *name = program_invocation_short_name ? program_invocation_short_name : "";
    size_t name_size = strlen(name);
    rt_windows_end();
    rt_footprint_sum();
    struct totals t = add_up(name_size);
    put(o, FORMAT_MAGIC, FORMAT_MARK_SIZE);
    put_u32(o, FORMAT_VERSION);
    put_u32(o, end | rt_once << FORMAT_ONCE_SHIFT | (rt_traffic() ? FORMAT_TRAFFIC : 0) |
                   (rt_windows() ? FORMAT_WINDOWS : 0) | (rt_footprint() ? FORMAT_FOOTPRINT : 0));
    put_u32(o, signal_number);
    put_u32(o, t.modules);
    put_u32(o, t.regions);
    put_u32(o, (uint32_t)name_size);
    put_u64(o, t.size);
    put_u64(o, 1);
    put(o, name, name_size);
    for (const struct rt_record *r = rt_records; r; r = r->next) {
        put_u64(o, r->build_id);
        put_u64(o, r->description_size);
        put_u64(o, r->n_counters);
        put(o, r->description, (size_t)r->description_size);
        put_counters(o, r, 0, 1);
    }
    for (const struct rt_region *r = rt_regions; r; r = r->next)
        put_region(o, r);
    put_threads(o, &t);
    put_traffic(o);
    put_windows(o);
    put_footprint(o);
    put_u64(o, o->hash);
    put(o, FORMAT_END_MARK, FORMAT_MARK_SIZE);
    flush(o);
}

static const char *reason(int number)
{
    switch (number) {
    case EACCES:
    case EPERM:
        return ": permission denied: no profile";
    case ENOENT:
    case ENOTDIR:
        return ": there is no such directory: no profile";
    case ENOSPC:
    case EDQUOT:
        return ": the disk is full: no profile";
    case EROFS:
        return ": the file system is read-only: no profile";
    case EISDIR:
        return ": is a directory: no profile";
    case EFBIG:
        return ": larger than files may be: no profile";
    default:
        return ": cannot be written: no profile";
    }
}

/* Makes "<path>.<process>.tmp", beside the target. Returns 0 if it is too long. */
static int temporary_name(char *out, size_t size, const char *path)
{
    char digits[RT_DIGITS];
    const char *parts[] = {path, ".", rt_decimal(digits, (unsigned long)getpid()), ".tmp"};
    size_t n = 0;
    for (size_t i = 0; i < 4; i++) {
        size_t k = strlen(parts[i]);
        if (n + k >= size)
            return 0;
        memcpy(out + n, parts[i], k);
        n += k;
    }
    out[n] = 0;
    return 1;
}

/* Creates a new file and never opens an existing one: in a folder that others may write to, that could be a link to
 * something else. */
static int open_temporary(const char *name)
{
    enum { MODE = 0666, FLAGS = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC };
    int fd = open(name, FLAGS, MODE);
    if (fd >= 0 || errno != EEXIST || unlink(name)) /* left by a process that had the same ID and was killed */
        return fd;
    return open(name, FLAGS, MODE);
}

/* Blocks the signals of a file that exceeds its limit and of a pipe that nobody reads: they are errors here, and must
 * not end the program. */
static void hold_signals(sigset_t *ours, sigset_t *before)
{
    sigemptyset(ours);
    sigaddset(ours, SIGXFSZ);
    sigaddset(ours, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, ours, before);
}

/* Drops the signals that writing has caused. Signals that the program blocks stay blocked and pending. */
static void release_signals(sigset_t *ours, const sigset_t *before)
{
    const struct timespec at_once = {0, 0};
    for (int number = 1; number < NSIG; number++)
        if (sigismember(ours, number) == 1 && sigismember(before, number) == 1)
            sigdelset(ours, number);
    while (sigtimedwait(ours, 0, &at_once) > 0)
        ;
    pthread_sigmask(SIG_SETMASK, before, 0);
}

int rt_write(const char *path, uint32_t end, uint32_t signal_number)
{
    static char temporary[8192 + 32];
    static struct out o;
    static int told; /* reported once, however often writing fails */
    sigset_t ours, before;
    struct stat st;
    int saved = errno;
    /* a device or a pipe is written to, not replaced */
    int direct = stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
    const char *target = direct ? path : temporary;
    if (!direct && !temporary_name(temporary, sizeof temporary, path)) {
        rt_say(path, ": too long a path: no profile", "");
        return 0;
    }
    for (const struct rt_region *r = rt_regions; r; r = r->next)
        if (r->active && !r->flaws)
            rt_say("region '", r->name, "' was not ended: it is not counted");
    o.n = 0;
    o.hash = FORMAT_HASH_START;
    o.failed = 0;
    o.fd = direct ? open(target, O_WRONLY | O_TRUNC | O_CLOEXEC) : open_temporary(target);
    if (o.fd < 0) {
        if (!told++)
            rt_say(path, reason(errno), "");
        errno = saved;
        return 0;
    }
    hold_signals(&ours, &before);
    put_profile(&o, end, signal_number);
    release_signals(&ours, &before);
    if (close(o.fd) && !o.failed)
        o.failed = errno;
    if (!o.failed && !direct && rename(temporary, path))
        o.failed = errno;
    if (o.failed) {
        if (!told++)
            rt_say(path, reason(o.failed), "");
        if (!direct)
            unlink(temporary);
    }
    errno = saved;
    return !o.failed;
}
