/* callgrind_line.c - reads callgrind's format line by line. */
#include "shimgen/offload/callgrind_line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum status callgrind_open(struct callgrind_file *c, const char *path, struct error *e)
{
    *c = (struct callgrind_file){.path = path, .has_line = true};
    c->f = fopen(path, "rb");
    return c->f ? OK : error_errno(e, AT_FILE(path), "cannot be read");
}

void callgrind_close(struct callgrind_file *c)
{
    if (c->f)
        fclose(c->f);
    for (size_t i = 0; i < c->n_names; i++)
        free(c->names[i]);
    free(c->names);
    map_release(&c->ids);
    str_release(&c->key);
    free(c->text);
    *c = (struct callgrind_file){0};
}

static enum status wrong(const struct callgrind_file *c, const char *what, struct error *e)
{
    return error_set(e, ERR_INPUT, AT(c->path, c->line), "%s; is it a whole file of valgrind --tool=callgrind?", what);
}

/* ---- numbers ---- */

static bool is_digit(char c, bool hex, unsigned *digit)
{
    unsigned char u = (unsigned char)c;
    *digit = isdigit(u) ? (unsigned)(u - '0') : (unsigned)(tolower(u) - 'a') + 10;
    return hex ? isxdigit(u) : isdigit(u);
}

static bool number(const char **at, uint64_t *value)
{
    bool hex = strncmp(*at, "0x", 2) == 0;
    unsigned digit;
    uint64_t v = 0, base = hex ? 16 : 10;
    const char *first = *at + (hex ? 2 : 0), *p = first;
    for (; is_digit(*p, hex, &digit); p++) {
        if (v > (UINT64_MAX - digit) / base)
            return false;
        v = v * base + digit;
    }
    *at = p;
    *value = v;
    return p > first;
}

static void skip_spaces(const char **at)
{
    *at += strspn(*at, " \t");
}

/* Reads "0x401136", "12", "+4", "-2" or "*" (unchanged). */
static bool position(const char **at, uint64_t *value)
{
    uint64_t n;
    char sign = **at;
    if (sign == '*') {
        ++*at;
        return true;
    }
    *at += sign == '+' || sign == '-';
    if (!number(at, &n))
        return false;
    *value = sign == '+' ? *value + n : sign == '-' ? *value - n : n;
    return true;
}

static enum status costs_line(struct callgrind_file *c, struct error *e)
{
    const char *at = c->text;
    if (c->has_address && !position(&at, &c->address))
        return wrong(c, "a line of costs does not begin with an address", e);
    skip_spaces(&at);
    if (c->has_line && !position(&at, &c->source))
        return wrong(c, "a line of costs does not have its source line", e);
    memset(c->costs, 0, sizeof c->costs);
    for (size_t i = 0;; i++) {
        skip_spaces(&at);
        if (!*at)
            return OK;
        if (i == c->n_events)
            return wrong(
                c, c->n_events ? "there are more costs than events" : "costs stand before the line \"events:\"", e);
        if (!number(&at, &c->costs[i]) || (*at && *at != ' ' && *at != '\t'))
            return wrong(c, "a cost is not a number", e);
    }
}

/* ---- names ---- */

/* Names of calls ("cfn"), jumps ("jfn") and inlined code ("fi") share the numbers of the others. */
static const char *name_space(const char *word)
{
    if (strcmp(word, "fn") == 0 || strcmp(word, "cfn") == 0 || strcmp(word, "jfn") == 0)
        return "fn";
    if (strcmp(word, "ob") == 0 || strcmp(word, "cob") == 0)
        return "ob";
    return "fl";
}

/* "(12) name" gives a name a number, "(12)" refers to it, anything else is a name without a number. */
static enum status whole_name(struct callgrind_file *c, struct error *e)
{
    size_t index, n;
    if (c->value[0] != '(' || !isdigit((unsigned char)c->value[1]))
        return OK;
    n = 1 + strspn(c->value + 1, "0123456789");
    if (c->value[n] != ')')
        return OK;
    str_clear(&c->key);
    str_addf(&c->key, "%s %.*s", name_space(c->word), (int)n, c->value);
    const char *name = c->value + n + 1;
    skip_spaces(&name);
    if (!*name) {
        if (!map_get(&c->ids, c->key.s, &index))
            return wrong(c, "a number stands for a name that was not given before", e);
        c->value = c->names[index];
        return OK;
    }
    c->names = xreallocarray(c->names, c->n_names + 1, sizeof *c->names);
    c->names[c->n_names] = xstrdup(name);
    map_put(&c->ids, c->key.s, c->n_names);
    c->value = c->names[c->n_names++];
    return OK;
}

/* ---- lines ---- */

/* Reads "12 +5 3", or "12/20 -8 *" (taken / executed, target). */
static enum status jump_line(enum callgrind_kind *kind, struct callgrind_file *c, struct error *e)
{
    uint64_t executed;
    bool fine = number(&c->value, &c->calls);
    if (fine && *c->value == '/') {
        c->value++;
        fine = number(&c->value, &executed);
    }
    skip_spaces(&c->value);
    *kind = CALLGRIND_JUMP;
    c->target = c->address;
    if (fine && c->has_address)
        fine = position(&c->value, &c->target);
    return fine ? OK : wrong(c, "a jump has no number of times, or leads nowhere", e);
}

static enum status keyed_line(enum callgrind_kind *kind, struct callgrind_file *c, size_t n, struct error *e)
{
    char mark = c->text[n];
    c->text[n] = 0;
    c->word = c->text;
    c->value = c->text + n + 1;
    skip_spaces(&c->value);
    if (mark == ':') {
        *kind = CALLGRIND_HEADER;
        return OK;
    }
    *kind = CALLGRIND_NAME;
    if (strcmp(c->word, "jump") == 0 || strcmp(c->word, "jcnd") == 0)
        return jump_line(kind, c, e);
    if (strcmp(c->word, "calls") != 0)
        return whole_name(c, e);
    *kind = CALLGRIND_CALLS;
    return number(&c->value, &c->calls) ? OK : wrong(c, "the number of calls is not a number", e);
}

static enum status read_line(struct callgrind_file *c, bool *end, struct error *e)
{
    ssize_t n = getline(&c->text, &c->size, c->f);
    *end = n < 0;
    if (n < 0)
        return ferror(c->f) ? error_errno(e, AT_FILE(c->path), "cannot be read") : OK;
    c->line++;
    if (n > CALLGRIND_LINE_MAX || memchr(c->text, 0, (size_t)n))
        return wrong(c, "the line is not text, or is very long", e);
    while (n > 0 && (c->text[n - 1] == '\n' || c->text[n - 1] == '\r'))
        c->text[--n] = 0;
    return OK;
}

enum status callgrind_next(enum callgrind_kind *kind, struct callgrind_file *c, struct error *e)
{
    bool end;
    do {
        enum status s = read_line(c, &end, e);
        if (s)
            return s;
    } while (!end && (!*c->text || *c->text == '#'));
    *kind = end ? CALLGRIND_END : CALLGRIND_COSTS;
    if (end)
        return OK;
    size_t n = strspn(c->text, "abcdefghijklmnopqrstuvwxyz");
    if (n && (c->text[n] == ':' || c->text[n] == '='))
        return keyed_line(kind, c, n, e);
    return costs_line(c, e);
}
