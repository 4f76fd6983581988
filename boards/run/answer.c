/* answer.c - reads what the scripts of run_ssh.c answer. */
#include "boards/run/answer.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "boards/machine/system_files.h"

/* ---- words, numbers, paths ---- */

static bool has_only(const char *text, const char *allowed)
{
    return *text && !text[strspn(text, allowed)];
}

#define DIGITS "0123456789"
#define LOWER  "abcdefghijklmnopqrstuvwxyz"
#define UPPER  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Takes a number and the space or end after it. -1 is accepted only if `least` allows it. */
static bool take_number(const char **at, long least, long most, long *value)
{
    char *end;
    *at += **at == ' ';
    if (!strchr("-" DIGITS, **at) || !**at)
        return false;
    errno = 0;
    *value = strtol(*at, &end, 10);
    *at = end;
    return !errno && *value >= least && *value <= most && (!*end || *end == ' ');
}

/* Is it absolute and printable, without empty parts, "." and ".."? */
static bool is_plain_path(const char *path)
{
    if (*path != '/' || strlen(path) >= PATH_MAX)
        return false;
    for (const char *p = path; *p; p += strcspn(p, "/")) {
        size_t n = strcspn(++p, "/");
        if (!n || (n == 1 && *p == '.') || (n == 2 && p[0] == '.' && p[1] == '.'))
            return false;
    }
    char *shown = printable_text(path);
    bool same = strcmp(shown, path) == 0 && !strpbrk(path, "\n\t");
    free(shown);
    return same;
}

static const char *last_part(const char *path)
{
    return strrchr(path, '/') + 1;
}

/* Is it "PREFIX-PROCESS-STARTED"? */
static bool is_ours(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    if (strncmp(name, prefix, n) != 0 || name[n] != '-')
        return false;
    const char *process = name + n + 1, *started = process + strspn(process, DIGITS);
    return started > process && *started == '-' && has_only(started + 1, DIGITS);
}

/* ---- the first answer ---- */

static enum status not_understood(struct error *e, const char *line)
{
    return error_set(e, ERR_INPUT, NOWHERE, "'%.60s'", line);
}

static void take_text(char **to, const char *text)
{
    free(*to);
    *to = xstrdup(text);
}

/* Takes "WHAT VALUE": one line without its mark. The value may be "". */
static bool take_opening(struct opening *o, const char *what, const char *value, const char *prefix, const char *name)
{
    enum { LONGEST_NAME = 32, MOST_OLD = 1000 };
    if (strcmp(what, "nofolder") == 0) {
        o->no_folder = true;
        return !*value;
    }
    if (strcmp(what, "missing") == 0) {
        if (!o->missing)
            take_text(&o->missing, value);
        return has_only(value, LOWER) && has_word(BOARD_TOOLS, value);
    }
    if (strcmp(what, "architecture") == 0) {
        take_text(&o->architecture, value);
        return has_only(value, LOWER UPPER DIGITS "_.-") && strlen(value) <= LONGEST_NAME;
    }
    if (strcmp(what, "folder") == 0) {
        take_text(&o->folder, value);
        return is_plain_path(value) && strcmp(last_part(value), name) == 0;
    }
    if (strcmp(what, "old") != 0 || !is_plain_path(value) || o->n_old == MOST_OLD)
        return false;
    if (!is_ours(last_part(value), prefix))
        return true; /* somebody else's folder with a name like ours */
    o->old = xreallocarray(o->old, o->n_old + 1, sizeof *o->old);
    o->old[o->n_old++] = xstrdup(value);
    return true;
}

enum status opening_parse(struct opening *o, const char *text, const char *mark, const char *prefix, const char *name,
                          struct error *e)
{
    size_t n = strlen(mark);
    enum status s = OK;
    *o = (struct opening){.architecture = xstrdup("")};
    for (const char *next; *text && !s; text = next) {
        size_t length = strcspn(text, "\n");
        next = text + length + (text[length] == '\n');
        if (strncmp(text, mark, n) != 0 || text[n] != ' ')
            continue; /* other output of the shell there */
        char *line = xstrndup(text + n + 1, length - n - 1), *value = strchr(line, ' ');
        char *what = value ? xstrndup(line, (size_t)(value - line)) : xstrdup(line);
        if (!take_opening(o, what, value ? value + 1 : "", prefix, name))
            s = not_understood(e, line);
        free(what);
        free(line);
    }
    return s;
}

void opening_release(struct opening *o)
{
    for (size_t i = 0; i < o->n_old; i++)
        free(o->old[i]);
    free(o->old);
    free(o->missing);
    free(o->architecture);
    free(o->folder);
    *o = (struct opening){0};
}

/* ---- answer of a launch ---- */

/* Takes an exit code as shells report it: above 128 it is a signal. */
static void take_code(struct ended *o, long code)
{
    enum { SHELL = 128, SIGNALS = 65 };
    o->signal = code > SHELL && code < SHELL + SIGNALS ? (int)code - SHELL : 0;
    o->exit_code = o->signal ? 0 : (int)code;
}

static bool take_ended(struct ended *o, const char *line)
{
    enum { CODES = 255 };
    long code, result, messages;
    const char *at = line;
    if (!take_number(&at, 0, CODES, &code) || !take_number(&at, -1, LONG_MAX, &result) ||
        !take_number(&at, 0, LONG_MAX, &messages) || *at)
        return false;
    take_code(o, code);
    o->has_result = result >= 0;
    o->result_size = result > 0 ? (size_t)result : 0;
    o->messages_size = (size_t)messages;
    return true;
}

enum status ended_parse(struct ended *o, const char *text, size_t size, const char *mark, struct error *e)
{
    size_t n = strlen(mark);
    *o = (struct ended){.result = "", .messages = ""};
    const char *eol = size ? memchr(text, '\n', size) : 0;
    if (!eol || (size_t)(eol - text) <= n || memcmp(text, mark, n) != 0)
        return not_understood(e, "no line that begins as it must");
    char *line = xstrndup(text + n, (size_t)(eol - text) - n);
    o->gone = strcmp(line, " gone") == 0;
    bool good = o->gone || (strncmp(line, " ended ", 7) == 0 && take_ended(o, line + 6));
    enum status s = good ? OK : not_understood(e, line + (*line == ' '));
    free(line);
    if (s || o->gone)
        return s;
    size_t left = size - (size_t)(eol + 1 - text);
    if (o->result_size > left || o->messages_size != left - o->result_size)
        return error_set(e, ERR_INPUT, NOWHERE, "it has %zu bytes instead of %zu + %zu: see whether its disk is full",
                         left, o->result_size, o->messages_size);
    o->result = eol + 1;
    o->messages = o->result + o->result_size;
    return OK;
}

/* ---- small files ---- */

bool next_small_file(struct small_file *f, char **at, const char *mark)
{
    char *head = xasprintf("%s file ", mark), *found = 0;
    size_t n = strlen(head);
    bool good = false;
    while (!good && (found = strstr(*at, head))) {
        char *path = found + n, *text = path + strcspn(path, "\n");
        char *next = strstr(text, head), *end = next ? next : text + strlen(text);
        *at = next ? next : end;
        if (!*text)
            break; /* cut off within the path */
        *text++ = 0;
        bool below = strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0;
        good = below && is_plain_path(path);
        *f = (struct small_file){path, text, end > text ? (size_t)(end - text - 1) : 0};
    }
    free(head);
    return good;
}
