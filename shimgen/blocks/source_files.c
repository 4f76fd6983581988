/* source_files.c - finds a profile's source files and checks that they are what was compiled. */
#include "shimgen/blocks/source_files.h"

#include <md5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/file.h"

char *source_find(const char *path, const char *folder)
{
    if (folder) {
        for (const char *rest = path; rest; rest = strchr(rest, '/')) {
            rest += strspn(rest, "/");
            char *there = path_join(folder, rest);
            if (*rest && file_exists(there) && !file_is_directory(there))
                return there;
            free(there);
        }
    }
    return file_exists(path) && !file_is_directory(path) ? xstrdup(path) : 0;
}

static bool is_newer(const char *path, const char *than)
{
    struct stat a, b;
    return !stat(path, &a) && !stat(than, &b) &&
           (a.st_mtim.tv_sec > b.st_mtim.tv_sec ||
            (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec > b.st_mtim.tv_nsec));
}

enum status source_compare(enum source_state *state, const struct irprof_profile *p, size_t file, const char *path,
                           struct error *e)
{
    const char *compiled = p->checksums[file];
    struct str text = STR_INIT;
    char now[MD5_DIGEST_STRING_LENGTH];
    if (!compiled || !*compiled) {
        *state = compiled ? SOURCE_MIXED : is_newer(path, p->path) ? SOURCE_NEWER : SOURCE_UNKNOWN;
        return OK;
    }
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    if (!s) {
        MD5Data((const uint8_t *)str_text(&text), text.len, now);
        *state = strcmp(now, compiled) == 0 ? SOURCE_SAME : SOURCE_CHANGED;
    }
    str_release(&text);
    return s;
}
