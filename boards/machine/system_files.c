/* system_files.c - reads small files of /proc and /sys. */

#include "boards/machine/system_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

char *sys_text(const char *root, const char *path)
{
    char *full = xasprintf("%s%s", root ? root : "", path);
    FILE *f = fopen(full, "re"); /* not file_read: the kernel reports a size of 0, and a missing file is no error */
    free(full);
    if (!f)
        return 0;
    struct str text = STR_INIT;
    char chunk[4096];
    size_t n;
    str_add(&text, "");
    while (text.len < (4u << 20) && (n = fread(chunk, 1, sizeof chunk, f)) > 0)
        str_addn(&text, chunk, n);
    bool bad = ferror(f);
    fclose(f);
    if (bad) {
        str_release(&text);
        return 0;
    }
    if (text.len && text.s[text.len - 1] == '\n')
        text.s[text.len - 1] = 0;
    return str_detach(&text);
}

bool sys_number(const char *root, const char *path, double *value)
{
    char *text = sys_text(root, path);
    bool good = text && parse_double(text, value);
    free(text);
    return good;
}

bool sys_exists(const char *root, const char *path)
{
    char *full = xasprintf("%s%s", root ? root : "", path);
    bool there = access(full, F_OK) == 0;
    free(full);
    return there;
}

char *line_value(const char *text, const char *key)
{
    size_t n = strlen(key);
    for (const char *p = text; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : 0) {
        if (strncmp(p, key, n) != 0)
            continue;
        const char *q = p + n + strspn(p + n, " \t");
        if (*q++ != ':')
            continue;
        q += strspn(q, " \t");
        return xstrndup(q, strcspn(q, "\n"));
    }
    return 0;
}

bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = text; p && *p;) {
        size_t length = strcspn(p, " \t\n");
        if (length == n && memcmp(p, word, n) == 0)
            return true;
        p += length;
        p += strspn(p, " \t\n");
    }
    return false;
}

/* Takes the next range of "0-3,8". Returns false at the end or at anything else. */
static bool next_range(const char **list, long *from, long *to)
{
    char *end;
    *from = *to = strtol(*list, &end, 10);
    if (end == *list)
        return false;
    if (*end == '-') {
        const char *second = end + 1;
        *to = strtol(second, &end, 10);
        if (end == second)
            return false;
    }
    *list = *end == ',' ? end + 1 : end;
    return true;
}

bool in_cpu_list(const char *list, int n)
{
    for (long from, to; list && next_range(&list, &from, &to);)
        if (from <= n && n <= to)
            return true;
    return false;
}

int cpu_list_count(const char *list, int *highest)
{
    long n = 0, top = -1;
    for (long from, to; list && next_range(&list, &from, &to);) {
        n += to - from + 1;
        top = to > top ? to : top;
    }
    if (highest)
        *highest = (int)top;
    return (int)n;
}
