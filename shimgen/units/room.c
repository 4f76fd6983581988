/* room.c - checks that the disk has enough room for a build. */
#include "shimgen/units/room.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

char *room_text(uint64_t bytes)
{
    return bytes < (uint64_t)1 << 30 ? xasprintf("%.3g MB", (double)bytes / (1 << 20))
                                     : xasprintf("%.2f GB", (double)bytes / (1 << 30));
}

/* The folder itself, or the nearest existing one above it. The caller frees. */
static char *existing(const char *folder)
{
    char *path = xstrdup(folder);
    while (!file_is_directory(path)) {
        char *slash = strrchr(path, '/');
        if (!slash || slash == path) {
            const char *top = slash ? "/" : ".";
            free(path);
            return xstrdup(top);
        }
        *slash = 0;
    }
    return path;
}

/* Writes a file of some size and removes it: only that shows permissions and quotas. */
static enum status try_writing(const char *folder, struct error *e)
{
    enum { N = 1 << 16 };
    char *bytes = xcalloc(N, 1), *path = path_join(folder, ".room");
    enum status s = file_write(path, bytes, N, e);
    unlink(path);
    free(path);
    free(bytes);
    return s;
}

/* Sets the error; the caller returns it. */
static enum status no_room(const char *folder, uint64_t have, uint64_t need, struct error *e)
{
    char *has = room_text(have), *wants = room_text(need);
    enum status s = error_set(e, ERR_SYSTEM, AT_FILE(folder),
                              "%s are free on this disk and about %s are needed; make room or name another folder with "
                              "--output; the same command then continues the build",
                              has, wants);
    free(has);
    free(wants);
    return s;
}

enum status room_check(const char *folder, uint64_t needed, struct error *e)
{
    char *place = existing(folder);
    struct statvfs v = {0};
    uint64_t need = needed + ROOM_RESERVE, have = free_bytes(place); /* 0: unknown, or full */
    bool known = have || (statvfs(place, &v) == 0 && v.f_blocks > 0);
    enum status s = have && have < need ? no_room(folder, have, need, e) : try_writing(place, e);
    if (s && !have && known)
        s = no_room(folder, have, need, e);
    free(place);
    return s;
}

static uint64_t sum; /* nftw has no context argument */

static int add_size(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)path, (void)at;
    if (kind == FTW_F)
        sum += (uint64_t)st->st_blocks * 512;
    return 0;
}

uint64_t room_used(const char *folder)
{
    sum = 0;
    nftw(folder, add_size, 16, FTW_PHYS);
    return sum;
}
