/* points.c - the points of a history and their names, from the texts that stamping leaves in a module. */
#include <stdlib.h>
#include <string.h>

#include "irprof/history/history.h"

size_t points_label(struct point_list *l, const char *name)
{
    size_t n = map_number(&l->labels, name);
    if (n == l->h->labels.n)
        vec_push(&l->h->labels, xstrdup(name));
    return n;
}

enum { POINT_FIELDS = 6 };

static bool kind_of(const char *word, enum history_kind *kind)
{
    static const char *const words[] = {"begin", "end", "mark", "result"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) {
            *kind = (enum history_kind)i;
            return true;
        }
    return false;
}

/* Takes "KIND\tMODE\tNAME\tFUNCTION\tFILE\tLINE" apart, in place. */
static bool add_point(struct point_list *l, char *line)
{
    char *fields[POINT_FIELDS];
    struct history_point p = {.number = (uint32_t)l->all.n};
    long at;
    for (size_t i = 0; i < POINT_FIELDS; i++) {
        fields[i] = line;
        char *tab = strchr(line, '\t');
        if (!tab != (i == POINT_FIELDS - 1))
            return false;
        if (tab) {
            *tab = 0;
            line = tab + 1;
        }
    }
    if (!kind_of(fields[0], &p.kind) || !parse_long(fields[5], &at) || at < 0 || at > INT32_MAX)
        return false;
    p.mode = xstrdup(fields[1]);
    p.name = xstrdup(fields[2]);
    p.function = xstrdup(fields[3]);
    p.file = xstrdup(fields[4]);
    p.line = (unsigned)at;
    p.label = points_label(l, p.name);
    vec_push(&l->all, l->h->points.n);
    vec_push(&l->h->points, p);
    return true;
}

/* Takes "SPEC\tNAME\tNAME..." apart: what was asked for, and what exists. */
static void add_missing(struct history *h, char *text)
{
    char *name = strchr(text, '\t');
    if (name)
        *name++ = 0;
    vec_push(&h->missing, (struct history_missing){.spec = xstrdup(text)});
    struct history_missing *m = &h->missing.at[h->missing.n - 1];
    while (name && *name) {
        char *next = strchr(name, '\t');
        if (next)
            *next++ = 0;
        map_number(&m->names, name);
        name = next;
    }
}

static bool add_line(struct point_list *l, char *line, size_t end)
{
    if (strncmp(line, "missing\t", 8) == 0)
        add_missing(l->h, line + 8);
    else if (strncmp(line, "found\t", 6) == 0)
        vec_push(&l->h->found, xstrdup(line + 6));
    else
        return l->all.n < end && add_point(l, line);
    return true;
}

bool points_add_text(struct point_list *l, const char *bytes, size_t n, size_t n_points)
{
    /* printable_text keeps line ends and tabs, at which the text is split afterwards */
    char *text = xstrndup(bytes, n), *clean = printable_text(text), *next;
    size_t end = l->all.n + n_points;
    bool fine = true;
    for (char *line = clean; *line && fine; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        else
            next = line + strlen(line);
        fine = add_line(l, line, end);
    }
    free(text);
    free(clean);
    return fine && l->all.n == end;
}

void points_release(struct point_list *l)
{
    map_release(&l->labels);
    vec_release(&l->all);
}
