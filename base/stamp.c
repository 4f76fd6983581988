/* stamp.c - stamps of made files: writes them, and compares them with the files that exist. */
#include "base/stamp.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"

enum { LONGEST = 1 << 20 };

struct stamp_made stamp_made_of(const char *path)
{
    struct stamp_made m = {.name = path_basename(path)};
    struct error ignored = ERROR_INIT;
    m.there = file_exists(path) && file_hash(&m.hash, path, &ignored) == OK;
    error_release(&ignored);
    return m;
}

static void put_made(struct str *text, const struct stamp_made *m)
{
    if (m->there)
        str_addf(text, "%016" PRIx64 " %s\n", m->hash, m->name);
    else
        str_addf(text, "- %s\n", m->name);
}

static void put_inputs(struct str *text, uint64_t inputs)
{
    str_addf(text, "%016" PRIx64 "\n", inputs);
}

enum status stamp_write(const char *path, uint64_t inputs, const struct stamp_made *made, size_t n, struct error *e)
{
    struct str text = STR_INIT;
    put_inputs(&text, inputs);
    for (size_t i = 0; i < n; i++)
        put_made(&text, &made[i]);
    enum status s = file_write(path, str_text(&text), text.len, e);
    str_release(&text);
    return s;
}

/* Is `line` the text at *at? Then *at moves to after it. */
static bool passes(const char **at, const struct str *line)
{
    if (strncmp(*at, str_text(line), line->len) != 0)
        return false;
    *at += line->len;
    return true;
}

static enum stamp_state compare(const char *text, uint64_t inputs, const struct stamp_made *made, size_t n,
                                const char **damaged)
{
    struct str line = STR_INIT;
    put_inputs(&line, inputs);
    enum stamp_state state = passes(&text, &line) ? STAMP_FRESH : STAMP_STALE;
    for (size_t i = 0; state == STAMP_FRESH && i < n; i++) {
        str_clear(&line);
        put_made(&line, &made[i]);
        if (!passes(&text, &line)) {
            *damaged = made[i].name;
            state = STAMP_DAMAGED;
        }
    }
    if (state == STAMP_FRESH && *text) {
        *damaged = "";
        state = STAMP_DAMAGED;
    }
    str_release(&line);
    return state;
}

enum stamp_state stamp_check(const char *path, uint64_t inputs, const struct stamp_made *made, size_t n,
                             const char **damaged)
{
    const char *ignored;
    struct str text = STR_INIT;
    struct error unreadable = ERROR_INIT;
    enum stamp_state state = STAMP_STALE;
    if (file_exists(path) && file_read(&text, path, LONGEST, &unreadable) == OK)
        state = compare(str_text(&text), inputs, made, n, damaged ? damaged : &ignored);
    error_release(&unreadable);
    str_release(&text);
    return state;
}
