/* ini.c - reads INI files through inih, keeping the line of each entry. */
#include "base/ini.h"

#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"

/* inih has a fixed line buffer (INI_MAX_LINE, 200 in Debian's build) and would cut longer lines, so they are
 * refused. */
enum { LONGEST_LINE = 199 };

struct reading {
    const char *next; /* the text that is left */
    unsigned long line;
    unsigned long too_long; /* the first line that does not fit into inih's buffer; 0: none */
    VEC(struct ini_entry) entries;
    unsigned long doubled;
};

static char *next_line(char *buffer, int size, void *user)
{
    struct reading *r = user;
    if (!*r->next)
        return 0;
    size_t n = strcspn(r->next, "\n");
    r->line++;
    if (n > LONGEST_LINE - 1 && !r->too_long)
        r->too_long = r->line;
    size_t copy = n < (size_t)size - 2 ? n : (size_t)size - 2;
    memcpy(buffer, r->next, copy);
    buffer[copy] = '\n';
    buffer[copy + 1] = 0;
    r->next += n + (r->next[n] == '\n');
    return buffer;
}

static bool same_key(const struct ini_entry *a, const char *section, const char *key)
{
    return strcmp(a->section, section) == 0 && strcmp(a->key, key) == 0;
}

static int take_entry(void *user, const char *section, const char *key, const char *value)
{
    struct reading *r = user;
    for (size_t i = 0; i < r->entries.n; i++)
        if (same_key(&r->entries.at[i], section, key) && !r->doubled)
            r->doubled = r->line;
    vec_push(&r->entries, (struct ini_entry){xstrdup(section), xstrdup(key), xstrdup(value ? value : ""), r->line});
    return 1;
}

enum status ini_read(struct ini **out, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, (size_t)16 << 20, e);
    if (s)
        return s;
    if (memchr(str_text(&text), 0, text.len)) {
        str_release(&text);
        return error_set(e, ERR_INPUT, AT_FILE(path), "not a text file (it holds a NUL byte); save it as UTF-8 text");
    }
    struct reading r = {.next = str_text(&text)};
    int bad = ini_parse_stream(next_line, &r, take_entry, &r);
    struct ini *i = xcalloc(1, sizeof *i);
    i->path = xstrdup(path);
    i->entries = r.entries.at;
    i->n = r.entries.n;
    str_release(&text);
    if (r.too_long)
        s = error_set(e, ERR_INPUT, AT(path, r.too_long), "line longer than %d characters; shorten it",
                      LONGEST_LINE - 1);
    else if (bad)
        s = error_set(
            e, ERR_INPUT, AT(path, bad),
            "neither '[section]' nor 'key = value'; write one of these, or begin the line with ';' if it is a comment");
    else if (r.doubled)
        s = error_set(e, ERR_INPUT, AT(path, r.doubled), "this key was given before in the same section; keep one");
    if (s) {
        ini_free(i);
        return s;
    }
    *out = i;
    return OK;
}

void ini_free(struct ini *i)
{
    if (!i)
        return;
    for (size_t k = 0; k < i->n; k++) {
        free(i->entries[k].section);
        free(i->entries[k].key);
        free(i->entries[k].value);
    }
    free(i->entries);
    free(i->path);
    free(i);
}

const struct ini_entry *ini_find(const struct ini *i, const char *section, const char *key)
{
    for (size_t k = 0; k < i->n; k++)
        if (same_key(&i->entries[k], section, key))
            return &i->entries[k];
    return 0;
}
