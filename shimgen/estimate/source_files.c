/* source_files.c - finds a profile's source files, and checks that they are the compiled ones. */
#include "shimgen/estimate/source_files.h"

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

char *source_plain(const char *path)
{
    struct str out = STR_INIT;
    str_add(&out, *path == '/' ? "/" : "");
    size_t root = out.len;
    for (const char *at = path, *end; *at; at = end) {
        at += strspn(at, "/");
        end = at + strcspn(at, "/");
        size_t n = (size_t)(end - at);
        const char *last = strrchr(str_text(&out), '/');
        last = last ? last + 1 : str_text(&out);
        if (n == 0 || (n == 1 && *at == '.'))
            continue;
        if (n == 2 && strncmp(at, "..", 2) == 0 && out.len > root && strcmp(last, "..") != 0) {
            out.len = (size_t)(last - out.s);
            out.len -= out.len > root;
            out.s[out.len] = 0;
            continue;
        }
        if (out.len > root)
            str_addch(&out, '/');
        str_addn(&out, at, n);
    }
    return str_detach(&out);
}

size_t source_common(const char *a, const char *b)
{
    char *x = source_plain(a), *y = source_plain(b);
    size_t n = strlen(x), k = strlen(y), parts = 0;
    while (n > 0 && k > 0 && x[n - 1] == y[k - 1]) {
        n--;
        k--;
        parts += x[n] == '/';
    }
    bool whole = (n == 0 || x[n - 1] == '/') && (k == 0 || y[k - 1] == '/') && (n == 0 || k == 0 || x[n] != '/');
    free(x);
    free(y);
    return parts + whole;
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
