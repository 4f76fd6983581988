/*
 * powercut_apply.c - what a power cut takes away, by the log that powercut.c kept:
 *
 *     powercut_apply FOLDER LOGS SEED
 *
 * A file whose content was not synced as it is now is left as it is, emptied, cut in half or filled with zeros. A
 * rename or a removal after which its folder was not synced is undone or not, the last one first. Chance decides, from
 * the seed. Prints what was lost.
 */
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/str.h"

/* The program's: nftw's callback has no context. */
static struct random chance;
static struct str log_text;
static size_t lost;

/* Synced, in the log, exactly as it is now. */
static bool is_synced(const struct stat *st)
{
    char line[128];
    snprintf(line, sizeof line, "S %llu %lld %lld\n", (unsigned long long)st->st_ino, (long long)st->st_size,
             (long long)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec);
    return strstr(str_text(&log_text), line) != 0;
}

static void fill_with_zeros(const char *path, off_t size)
{
    if (truncate(path, 0) || truncate(path, size))
        BUG("%s cannot be cut", path);
}

static int lose_content(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    static const char *const names[] = {"whole", "empty", "half", "zeros"};
    (void)where;
    if (kind != FTW_F || !S_ISREG(st->st_mode) || is_synced(st))
        return 0;
    size_t how = random_below(&chance, 4);
    if (how == 3)
        fill_with_zeros(path, st->st_size);
    else if (how && truncate(path, how == 1 ? 0 : st->st_size / 2))
        BUG("%s cannot be cut", path);
    lost += how > 0;
    printf("not synced: %s: %s\n", path, names[how]);
    return 0;
}

struct change {
    char kind;
    char path[PATH_MAX], number[64];
};

static bool read_change(struct change *c, const char *line)
{
    return sscanf(line, "%c %4095s %63s", &c->kind, c->path, c->number) == 3 && (c->kind == 'R' || c->kind == 'U');
}

/* Its folder was synced later. */
static bool lasts(const struct change *c, const char *after)
{
    char *folder = xasprintf("\nD %.*s\n", (int)(strrchr(c->path, '/') - c->path), c->path);
    bool found = strstr(after, folder) != 0;
    free(folder);
    return found;
}

static void undo(const struct change *c, const char *logs)
{
    char *before = path_join(logs, c->number);
    unlink(c->path);
    if (strcmp(c->number, "-") != 0 && link(before, c->path))
        printf("(%s cannot come back)\n", c->path);
    printf("folder not synced: %s: %s\n", c->path, strcmp(c->number, "-") == 0 ? "gone" : "as before");
    free(before);
    lost++;
}

static void lose_entries(const char *logs)
{
    char *text = log_text.s;
    for (size_t end = log_text.len; end > 0;) {
        size_t start = end - 1;
        while (start > 0 && text[start - 1] != '\n')
            start--;
        struct change c;
        if (read_change(&c, text + start) && !lasts(&c, text + end - 1) && random_below(&chance, 2))
            undo(&c, logs);
        end = start;
    }
}

int main(int argc, char **argv)
{
    struct error e = ERROR_INIT;
    if (argc != 4)
        return 2;
    char *path = path_join(argv[2], "log");
    chance = random_start((uint64_t)strtoull(argv[3], 0, 10));
    if (file_exists(path) && file_read(&log_text, path, FILE_LIMIT, &e)) {
        error_print(&e, "powercut_apply");
        return 1;
    }
    if (log_text.len)
        lose_entries(argv[2]);
    if (nftw(argv[1], lose_content, 16, FTW_PHYS))
        return 1;
    printf("%zu lost\n", lost);
    str_release(&log_text);
    free(path);
    return 0;
}
