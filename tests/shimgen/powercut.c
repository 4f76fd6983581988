/*
 * powercut.c - preloaded (LD_PRELOAD) into the programs of a build, it keeps a log of what they brought to the disk and
 * what they did not; later, as a program, it takes away what a power cut would: see powercut_apply.c. Watched is the
 * folder POWERCUT_FOLDER (absolute) with all in it; the log and what was removed or replaced go into POWERCUT_LOG.
 *
 *     S INODE SIZE MTIME_NS      a file's content was synced as it was then
 *     D PATH                     a folder's entries were synced
 *     R PATH NUMBER              a file was renamed to PATH; the one before is POWERCUT_LOG/NUMBER ("-": there was
 * none) U PATH NUMBER              a file was removed
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void note(const char *fmt, ...)
{
    char line[2 * PATH_MAX], path[PATH_MAX];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    snprintf(path, sizeof path, "%s/log", getenv("POWERCUT_LOG"));
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || n < 0 || (size_t)n >= sizeof line || write(fd, line, (size_t)n) != n)
        abort(); /* a log with a gap proves nothing */
    close(fd);
}

/* The absolute path into `out`, links in its folder followed; false: it is not in the watched folder. */
static int is_watched(const char *path, char out[PATH_MAX])
{
    const char *folder = getenv("POWERCUT_FOLDER"), *slash = strrchr(path, '/');
    char above[PATH_MAX];
    if (!folder || !getenv("POWERCUT_LOG"))
        return 0;
    snprintf(above, sizeof above, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    char *real = realpath(above, 0);
    if (!real)
        return 0;
    size_t n = strlen(folder);
    int inside = strncmp(real, folder, n) == 0 && (!real[n] || real[n] == '/') &&
                 snprintf(out, PATH_MAX, "%s/%s", real, slash ? slash + 1 : path) < PATH_MAX;
    free(real);
    return inside;
}

/* A second name for a file that is about to lose its own; "-": there is none. */
static void keep(const char *path, char number[64])
{
    static unsigned count;
    char to[PATH_MAX];
    struct stat st;
    snprintf(number, 64, "%ld-%u", (long)getpid(), count++);
    snprintf(to, sizeof to, "%s/%s", getenv("POWERCUT_LOG"), number);
    if (lstat(path, &st) || !S_ISREG(st.st_mode) || link(path, to))
        strcpy(number, "-");
}

static void note_synced(int fd)
{
    struct stat st;
    char path[PATH_MAX], entry[64];
    if (fstat(fd, &st) || !getenv("POWERCUT_LOG"))
        return;
    if (S_ISREG(st.st_mode)) {
        note("S %llu %lld %lld\n", (unsigned long long)st.st_ino, (long long)st.st_size,
             (long long)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec);
        return;
    }
    snprintf(entry, sizeof entry, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(entry, path, sizeof path - 1);
    if (n > 0 && S_ISDIR(st.st_mode))
        note("D %.*s\n", (int)n, path);
}

int fsync(int fd)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    int status = real(fd);
    if (!status)
        note_synced(fd);
    return status;
}

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    char path[PATH_MAX], number[64];
    int watched = is_watched(to, path);
    if (watched)
        keep(path, number);
    int status = real(from, to);
    if (watched && !status)
        note("R %s %s\n", path, number);
    return status;
}

static int take_away(const char *name, const char *path)
{
    int (*real)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, name);
    char full[PATH_MAX], number[64];
    int watched = is_watched(path, full);
    if (watched)
        keep(full, number);
    int status = real(path);
    if (watched && !status && strcmp(number, "-") != 0)
        note("U %s %s\n", full, number);
    return status;
}

int unlink(const char *path)
{
    return take_away("unlink", path);
}

int remove(const char *path)
{
    return take_away("remove", path);
}
