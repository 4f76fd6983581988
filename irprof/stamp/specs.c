/* specs.c - reads which points a user asks for: words of --points, and files of them. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "irprof/stamp/stamping.h"

static const struct {
    const char *word;
    enum stamp_spec_kind kind;
    bool line; /* FILE:LINE follows */
} kinds[] = {{"function:", SPEC_FUNCTION, false},
             {"region:", SPEC_REGION, false},
             {"loop:", SPEC_LOOP, true},
             {"iteration:", SPEC_ITERATION, true},
             {"line:", SPEC_LINE, true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct source {
    const char *file; /* file of points; NULL: the command line */
    unsigned long line;
};

static enum status wrong(const struct source *from, const char *text, struct error *e)
{
    return error_set(
        e, ERR_INPUT, AT(from->file, from->line),
        "'%s' is not a point: say function:NAME, region:NAME, loop:FILE:LINE, iteration:FILE:LINE or line:FILE:LINE",
        text);
}

/* Splits "FILE:LINE" at its last colon. */
static bool split_line(struct stamp_spec *s)
{
    char *colon = strrchr(s->name, ':');
    long line;
    if (!colon || colon == s->name || !parse_long(colon + 1, &line) || line < 1 || line > INT32_MAX)
        return false;
    *colon = 0;
    s->line = (unsigned)line;
    return true;
}

static enum status add(struct stamp_specs *specs, const char *text, const struct source *from, struct error *e)
{
    for (size_t i = 0; i < KINDS; i++) {
        size_t n = strlen(kinds[i].word);
        if (strncmp(text, kinds[i].word, n) != 0)
            continue;
        struct stamp_spec s = {.kind = kinds[i].kind,
                               .text = xstrdup(text),
                               .name = xstrdup(text + n),
                               .from = xstrdup(from->file),
                               .from_line = from->line};
        bool fine = *s.name && (!kinds[i].line || split_line(&s));
        vec_push(&specs->all, s);
        return fine ? OK : wrong(from, text, e);
    }
    return wrong(from, text, e);
}

static char *trimmed(char *text)
{
    text += strspn(text, " \t\r");
    size_t n = strlen(text);
    while (n && strchr(" \t\r", text[n - 1]))
        text[--n] = 0;
    return text;
}

enum { POINTS_FILE = 1 << 20 };

static enum status add_file(struct stamp_specs *specs, const char *path, struct error *e)
{
    struct str bytes = STR_INIT;
    struct source from = {path, 0};
    enum status s = file_read(&bytes, path, POINTS_FILE, e);
    if (!s && bytes.len && memchr(bytes.s, 0, bytes.len))
        s = error_set(e, ERR_INPUT, AT_FILE(path), "not a text with a point on each line: it has a NUL");
    size_t before = specs->all.n;
    for (char *at = bytes.s, *next; !s && at; at = next) {
        next = strchr(at, '\n');
        if (next)
            *next++ = 0;
        from.line++;
        char *comment = strchr(at, '#');
        if (comment)
            *comment = 0;
        char *text = trimmed(at);
        if (*text)
            s = add(specs, text, &from, e);
    }
    if (!s && specs->all.n == before)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "no points in it: write one on each line, such as function:NAME");
    str_release(&bytes);
    return s;
}

static bool has_kind(const char *text)
{
    for (size_t i = 0; i < KINDS; i++)
        if (strncmp(text, kinds[i].word, strlen(kinds[i].word)) == 0)
            return true;
    return false;
}

enum status stamp_specs_read(struct stamp_specs *specs, const char *text, struct error *e)
{
    const struct source command_line = {0, 0};
    enum status s = OK;
    *specs = (struct stamp_specs){0};
    char **words = words_of(text, ",");
    for (char **word = words; *word && !s; word++) {
        char *point = trimmed(*word);
        bool file = !has_kind(point);
        if (file && !file_exists(point))
            s = wrong(&command_line, point, e);
        else
            s = file ? add_file(specs, point, e) : add(specs, point, &command_line, e);
    }
    words_free(words);
    if (!s && !specs->all.n)
        s = wrong(&command_line, text, e);
    if (s)
        stamp_specs_release(specs);
    return s;
}

void stamp_specs_release(struct stamp_specs *specs)
{
    for (size_t i = 0; i < specs->all.n; i++) {
        free(specs->all.at[i].text);
        free(specs->all.at[i].name);
        free(specs->all.at[i].from);
        map_release(&specs->all.at[i].names);
    }
    vec_release(&specs->all);
}

enum { NAMES_SHOWN = 8 };

void stamp_names_say(struct str *out, const char *spec, const char *const *names, size_t n)
{
    const char *colon = strchr(spec, ':'), *near = nearest_word(colon ? colon + 1 : spec, names, n);
    if (near)
        str_addf(out, "; did you mean '%s'", near);
    str_addf(out, "; there %s: ", n == 1 ? "is" : "are");
    for (size_t i = 0; i < n && i < NAMES_SHOWN; i++)
        str_addf(out, "%s%s", i ? ", " : "", names[i]);
    str_add(out, !n ? "none" : n > NAMES_SHOWN ? " ..." : "");
}
