/* lock.c - locks an output folder by fcntl(2) on a file in it, whose text names the holder. Unlike flock's, such a lock
 * belongs to this process alone: a worker that outlives it does not keep it. */
#include "shimgen/units/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"

enum { LONGEST = 400 };

/* Makes "process 123 (shimgen build host), since 2026-03-01 12:00:00". */
static char *myself(void)
{
    struct str command = STR_INIT;
    struct error ignored = ERROR_INIT;
    char since[32] = "";
    time_t now = time(NULL);
    struct tm t;
    if (file_read(&command, "/proc/self/cmdline", 1 << 20, &ignored))
        str_clear(&command);
    for (size_t i = 0; i + 1 < command.len; i++)
        if (!command.s[i])
            command.s[i] = ' ';
    if (localtime_r(&now, &t))
        strftime(since, sizeof since, "%Y-%m-%d %H:%M:%S", &t);
    char *text =
        xasprintf("process %ld (%.*s), since %s\n", (long)getpid(), (int)LONGEST / 2, str_text(&command), since);
    error_release(&ignored);
    str_release(&command);
    return text;
}

static enum status held(int fd, const char *folder, struct error *e)
{
    char holder[LONGEST] = "";
    ssize_t n = pread(fd, holder, sizeof holder - 1, 0);
    holder[n > 0 ? n : 0] = 0;
    holder[strcspn(holder, "\n")] = 0;
    return error_set(e, ERR_SYSTEM, AT_FILE(folder),
                     "%s is writing into this folder; wait until it ends, or name another folder with --output",
                     *holder ? holder : "another process");
}

/* ---- files left by a killed holder ---- */

static int remove_leftover(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    static const char *const patterns[] = {"*.tmp-??????", ".room", NULL}, /* made by base/file.h and room.c */
        *const work[] = {"*.tmp", "measured.csv", "measured.json",
                         NULL}; /* made by compilers and counted programs, and by workers that measure */
    const char *name = path + where->base;
    (void)st;
    for (const char *const *p = patterns; kind == FTW_F && *p; p++)
        if (glob_match(*p, name))
            unlink(path);
    for (const char *const *p = work; kind == FTW_F && strstr(path, "/work/") && *p; p++)
        if (glob_match(*p, name))
            unlink(path);
    return 0;
}

static void remove_leftovers(const char *folder)
{
    nftw(folder, remove_leftover, 16, FTW_PHYS);
}

enum status lock_take(struct lock *l, const char *folder, struct error *e)
{
    l->fd = -1;
    enum status s = make_directories(folder, e);
    if (s)
        return s;
    char *path = path_join(folder, ".lock");
    l->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (l->fd < 0)
        s = error_errno(e, AT_FILE(path), "cannot be written");
    else if (fcntl(l->fd, F_SETLK, &(struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET}) &&
             (errno == EAGAIN || errno == EACCES))
        s = held(l->fd, folder, e);
    free(path);
    if (s)
        return s;
    remove_leftovers(folder);
    char *text = myself();
    if (ftruncate(l->fd, 0) || pwrite(l->fd, text, strlen(text), 0) < 0)
        s = error_errno(e, AT_FILE(folder), "cannot be written into");
    free(text);
    return s;
}

void lock_release(struct lock *l)
{
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
}
