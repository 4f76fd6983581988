/* perf_line.c - reads the lines of `perf script`. */
#include "shimgen/offload/perf_line.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum status perf_open(struct perf_file *p, const char *path, struct error *e)
{
    *p = (struct perf_file){.path = path};
    p->f = fopen(path, "rb");
    return p->f ? OK : error_errno(e, AT_FILE(path), "cannot be read");
}

void perf_close(struct perf_file *p)
{
    if (p->f)
        fclose(p->f);
    free(p->text);
    *p = (struct perf_file){0};
}

static enum status wrong(const struct perf_file *p, const char *what, struct error *e)
{
    return error_set(e, ERR_INPUT, AT(p->path, p->line),
                     "%s; write the file by: perf script -F comm,tid,time,period,event,ip,sym,dso", what);
}

/* The next word, which is terminated by NUL; NULL: there is none. *at: after it. */
static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t");
    if (!*word)
        return NULL;
    char *end = word + strcspn(word, " \t");
    *at = *end ? end + 1 : end;
    *end = 0;
    return word;
}

/* Finds "5055.012345:", the first number with a point and a colon. The text before it is not needed; it may be a
 * command's name with spaces. */
static char *find_time(char *text, double *time)
{
    for (char *at = text; *at;) {
        at += strspn(at, " \t");
        size_t n = strcspn(at, " \t");
        size_t digits = strspn(at, "0123456789.");
        if (digits > 1 && digits + 1 == n && at[digits] == ':' && memchr(at, '.', digits)) {
            at[digits] = 0;
            bool fine = parse_double(at, time);
            return fine ? at + n + (at[n] != 0) : NULL;
        }
        at += n;
    }
    return NULL;
}

/* Reads "401136 main+0x16 (/usr/bin/prog)". Returns false if there is no address. */
static bool frame(struct perf_file *p, char *at)
{
    char *address = next_word(&at);
    if (!address || address[strspn(address, "0123456789abcdefABCDEF")])
        return false;
    size_t n = strlen(at);
    p->object = "";
    while (n && isspace((unsigned char)at[n - 1]))
        at[--n] = 0;
    char *open = n && at[n - 1] == ')' ? strrchr(at, '(') : NULL;
    if (open && (open == at || open[-1] == ' ')) {
        at[n - 1] = 0;
        p->object = open + 1;
        *open = 0;
        for (n = (size_t)(open - at); n && at[n - 1] == ' ';)
            at[--n] = 0;
    }
    at += strspn(at, " \t");
    char *offset = strrchr(at, '+');
    if (offset && strncmp(offset, "+0x", 3) == 0)
        *offset = 0;
    p->function = *at ? at : "[unknown]";
    return true;
}

static enum status sample(struct perf_file *p, char *at, struct error *e)
{
    char *period = next_word(&at), *event = next_word(&at);
    if (!period || !parse_double(period, &p->period) || !isfinite(p->period) || p->period < 0)
        return wrong(p, "the sample has no period", e);
    if (!event || !*event || event[strlen(event) - 1] != ':')
        return wrong(p, "the sample has no event", e);
    event[strcspn(event, ":")] = 0;
    p->event = event;
    p->function = NULL;
    p->object = "";
    if (at[strspn(at, " \t")] && !frame(p, at))
        return wrong(p, "the sample has no address", e);
    return OK;
}

static enum status read_line(struct perf_file *p, bool *end, struct error *e)
{
    ssize_t n = getline(&p->text, &p->size, p->f);
    *end = n < 0;
    if (n < 0)
        return ferror(p->f) ? error_errno(e, AT_FILE(p->path), "cannot be read") : OK;
    p->line++;
    if (n > PERF_LINE_MAX || memchr(p->text, 0, (size_t)n))
        return wrong(p, "the line is not text, or is very long", e);
    if (p->text[n - 1] != '\n')
        return wrong(p, "the file ends in the middle of a line", e);
    while (n > 0 && (p->text[n - 1] == '\n' || p->text[n - 1] == '\r'))
        p->text[--n] = 0;
    return OK;
}

enum status perf_next(enum perf_kind *kind, struct perf_file *p, struct error *e)
{
    bool end;
    do {
        enum status s = read_line(p, &end, e);
        if (s)
            return s;
    } while (!end && *p->text == '#');
    *kind = end ? PERF_END : PERF_BLANK;
    if (end || !p->text[strspn(p->text, " \t")])
        return OK;
    char *at = find_time(p->text, &p->time);
    *kind = at ? PERF_SAMPLE : PERF_FRAME;
    if (at)
        return sample(p, at, e);
    return frame(p, p->text) ? OK : wrong(p, "the line is neither a sample nor a frame of its call chain", e);
}
