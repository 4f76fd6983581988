/* launch.c - reads descriptions of launches: a line for each buffer and each launch. */
#include "irprof/kernel/launch.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"

/* Limits on what a description may ask for. */
#define LIMIT_BYTES ((size_t)1 << 30) /* all buffers together */
enum { LIMIT_LOCAL = 1 << 20, LIMIT_GROUP = 1024, LIMIT_LAUNCHES = 4096, LIMIT_ARGUMENTS = 64 };
#define LIMIT_ITEMS ((size_t)1 << 32)

static const struct launch_type types[] = {
    {"char", "int8_t", 1, false, false},   {"uchar", "uint8_t", 1, false, true},
    {"short", "int16_t", 2, false, false}, {"ushort", "uint16_t", 2, false, true},
    {"int", "int32_t", 4, false, false},   {"uint", "uint32_t", 4, false, true},
    {"long", "int64_t", 8, false, false},  {"ulong", "uint64_t", 8, false, true},
    {"float", "float", 4, true, false},    {"double", "double", 8, true, false},
};

static const struct launch_type *type_of(const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == n && memcmp(types[i].name, word, n) == 0)
            return &types[i];
    return 0;
}

struct reader {
    struct launch *l;
    unsigned long line;
    char **words; /* of the line; ends with NULL */
    size_t n;
    size_t bytes; /* of all buffers */
    struct error *e;
};

#define WRONG(r, ...) error_set((r)->e, ERR_INPUT, AT((r)->l->path, (r)->line), __VA_ARGS__)

/* Is it a C identifier? It is also used as a file name. */
static bool is_name(const char *s)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return *s && strchr(first, *s) &&
           s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] == 0 && strlen(s) < 200;
}

static bool parse_whole(const char *text, size_t n, uint64_t *value)
{
    if (!n || n > 20 || strspn(text, "0123456789") < n)
        return false;
    char copy[21];
    memcpy(copy, text, n);
    copy[n] = 0;
    errno = 0;
    *value = strtoull(copy, 0, 10);
    return !errno;
}

static size_t find_buffer(const struct launch *l, const char *name)
{
    size_t i = 0;
    while (i < l->buffers.n && strcmp(l->buffers.at[i].name, name) != 0)
        i++;
    return i;
}

/* ---- buffer NAME TYPE COUNT FILL [result] ---- */

static enum status read_seed(struct reader *r, struct launch_buffer *b, const char *text, enum host_fill fill)
{
    b->fill = fill;
    if (!parse_whole(text, strlen(text), &b->seed))
        return WRONG(r, "'%s' is not a seed: give a whole number", text);
    return OK;
}

static enum status read_fill(struct reader *r, struct launch_buffer *b, const char *word)
{
    if (strcmp(word, "zero") == 0) {
        b->fill = HOST_ZERO;
    } else if (strcmp(word, "count") == 0) {
        b->fill = HOST_COUNT;
    } else if (strncmp(word, "uniform:", 8) == 0) {
        return read_seed(r, b, word + 8, HOST_UNIFORM);
    } else if (strncmp(word, "random:", 7) == 0) {
        return read_seed(r, b, word + 7, HOST_RANDOM);
    } else if (strncmp(word, "value:", 6) == 0) {
        b->fill = HOST_VALUE;
        if (!parse_double(word + 6, &b->value) || (!b->type->real && !(fabs(b->value) <= 0x1p53)))
            return WRONG(r, "'%s' is not a value of type %s", word + 6, b->type->name);
    } else if (strncmp(word, "file:", 5) == 0 && word[5]) {
        b->fill = HOST_FILE;
        b->file = xstrdup(word + 5);
    } else {
        return WRONG(r,
                     "'%s' does not say what is in buffer '%s': write zero, count, uniform:SEED, random:SEED, "
                     "value:NUMBER or file:PATH",
                     word, b->name);
    }
    return OK;
}

static enum status read_buffer(struct reader *r)
{
    bool result = r->n == 6 && strcmp(r->words[5], "result") == 0;
    uint64_t count;
    if (r->n != 5 && !result)
        return WRONG(r, "a buffer is 'buffer NAME TYPE COUNT FILL [result]'");
    if (!is_name(r->words[1]))
        return WRONG(r, "'%s' cannot be a buffer's name: use letters, digits and '_'", r->words[1]);
    if (find_buffer(r->l, r->words[1]) < r->l->buffers.n)
        return WRONG(r, "there is a buffer '%s' already", r->words[1]);
    const struct launch_type *type = type_of(r->words[2], strlen(r->words[2]));
    if (!type)
        return WRONG(r, "'%s' is not a type: use char, short, int, long, with u before it, float or double",
                     r->words[2]);
    if (!parse_whole(r->words[3], strlen(r->words[3]), &count) || !count || count > LIMIT_BYTES / type->size)
        return WRONG(r, "'%s' is not a number of elements, from 1 to 1 GiB of them", r->words[3]);
    r->bytes += count * type->size;
    if (r->bytes > LIMIT_BYTES)
        return WRONG(r, "the buffers together have more than 1 GiB");
    struct launch_buffer b = {
        .name = xstrdup(r->words[1]), .type = type, .count = count, .result = result, .line = r->line};
    enum status s = read_fill(r, &b, r->words[4]);
    vec_push(&r->l->buffers, b);
    return s;
}

/* ---- launch KERNEL global X[,Y[,Z]] local X[,Y[,Z]] args ARGUMENT... ---- */

static enum status read_sizes(struct reader *r, const char *text, size_t *sizes, unsigned *dimensions)
{
    unsigned n = 0;
    for (const char *s = text;; s++) {
        size_t length = strcspn(s, ",");
        uint64_t v;
        if (n == HOST_DIMENSIONS || !parse_whole(s, length, &v) || !v || v > LIMIT_ITEMS)
            return WRONG(r, "'%s' are not numbers of work-items: give one to three, with commas between", text);
        sizes[n++] = v;
        s += length;
        if (!*s)
            break;
    }
    *dimensions = n;
    while (n < HOST_DIMENSIONS)
        sizes[n++] = 1;
    return OK;
}

static enum status check_sizes(struct reader *r, const struct launch_kernel *k)
{
    size_t items = 1, group = 1;
    for (unsigned d = 0; d < HOST_DIMENSIONS; d++) {
        if (k->global[d] % k->local[d])
            return WRONG(r, "%zu work-items cannot be cut into work-groups of %zu", k->global[d], k->local[d]);
        if (k->global[d] > LIMIT_ITEMS / items)
            return WRONG(r, "there are more than 2^32 work-items");
        items *= k->global[d];
        if (k->local[d] > LIMIT_GROUP / group)
            return WRONG(r, "a work-group has more than %d work-items", LIMIT_GROUP);
        group *= k->local[d];
    }
    return OK;
}

/* Checks a constant of C: the host's compiler reads it. */
static enum status read_scalar(struct reader *r, struct launch_argument *a, const char *word, const char *text)
{
    double d;
    a->kind = HOST_SCALAR;
    const char *digits = text + (*text == '-');
    if (a->type->real) {
        if (!parse_double(text, &d) || !isfinite(d))
            return WRONG(r, "'%s' is not a number", word);
        a->value = xasprintf("%a", d);
        return OK;
    }
    uint64_t v, most = UINT64_MAX >> (64 - 8 * a->type->size);
    bool fine = parse_whole(digits, strlen(digits), &v) && !(a->type->is_unsigned && *text == '-') &&
                v <= (a->type->is_unsigned ? most : most / 2 + (*text == '-'));
    if (!fine)
        return WRONG(r, "'%s' is not a value of type %s", word, a->type->name);
    a->value = xasprintf("%s%lluu", *text == '-' ? "0 - " : "", (unsigned long long)v);
    return OK;
}

static enum status read_argument(struct reader *r, struct launch_argument *a, const char *word)
{
    size_t n = strcspn(word, ":");
    *a = (struct launch_argument){.kind = HOST_BUFFER};
    if (!word[n]) {
        a->n = find_buffer(r->l, word);
        if (a->n == r->l->buffers.n)
            return WRONG(r,
                         "'%s' is not a buffer of the lines above; a number is written as TYPE:VALUE, local memory as "
                         "local:BYTES",
                         word);
        return OK;
    }
    uint64_t bytes;
    if (n == 5 && memcmp(word, "local", n) == 0) {
        if (!parse_whole(word + 6, strlen(word + 6), &bytes) || !bytes || bytes > LIMIT_LOCAL)
            return WRONG(r, "'%s': local memory has from 1 to %d bytes", word, LIMIT_LOCAL);
        *a = (struct launch_argument){.kind = HOST_LOCAL, .n = bytes};
        return OK;
    }
    a->type = type_of(word, n);
    if (!a->type)
        return WRONG(r, "'%.*s' in '%s' is not a type: use char, short, int, long, with u before it, float or double",
                     (int)n, word, word);
    return read_scalar(r, a, word, word + n + 1);
}

static enum status read_kernel(struct reader *r)
{
    struct launch_kernel k = {.line = r->line};
    unsigned local;
    if (r->n < 6 || strcmp(r->words[2], "global") != 0 || strcmp(r->words[4], "local") != 0 ||
        (r->n > 6 && strcmp(r->words[6], "args") != 0))
        return WRONG(r, "a launch is 'launch KERNEL global X[,Y[,Z]] local X[,Y[,Z]] [args ARGUMENT...]'");
    if (!is_name(r->words[1]))
        return WRONG(r, "'%s' cannot be a kernel's name", r->words[1]);
    enum status s = read_sizes(r, r->words[3], k.global, &k.dimensions);
    if (!s)
        s = read_sizes(r, r->words[5], k.local, &local);
    if (!s && local != k.dimensions)
        s = WRONG(r, "global has %u dimensions, local has %u", k.dimensions, local);
    if (!s)
        s = check_sizes(r, &k);
    if (!s && (r->l->kernels.n == LIMIT_LAUNCHES || r->n > LIMIT_ARGUMENTS + 7))
        s = WRONG(r, "there are more than %d launches, or %d arguments", LIMIT_LAUNCHES, LIMIT_ARGUMENTS);
    for (size_t i = 7; !s && i < r->n; i++) {
        struct launch_argument a;
        s = read_argument(r, &a, r->words[i]);
        if (!s)
            vec_push(&k.arguments, a);
    }
    k.name = xstrdup(r->words[1]);
    vec_push(&r->l->kernels, k);
    return s;
}

static enum status read_line(struct reader *r)
{
    if (!r->words[0])
        return OK;
    while (r->words[r->n])
        r->n++;
    if (strcmp(r->words[0], "buffer") == 0)
        return read_buffer(r);
    if (strcmp(r->words[0], "launch") == 0)
        return read_kernel(r);
    return WRONG(r, "'%s' begins no line of a description of launches: that is 'buffer' or 'launch'", r->words[0]);
}

enum status launch_read(struct launch *l, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    *l = (struct launch){.path = xstrdup(path)};
    struct reader r = {.l = l, .e = e};
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    if (!s && memchr(str_text(&text), 0, text.len))
        s = error_set(e, ERR_INPUT, AT_FILE(path), "is not a text");
    for (char *at = text.s; !s && at && *at;) {
        char *end = at + strcspn(at, "\n"), *next = end + (*end == '\n');
        *end = 0;
        r.line++;
        r.n = 0;
        at[strcspn(at, "#\r")] = 0; /* cuts off a comment */
        r.words = words_of(at, " \t");
        s = read_line(&r);
        words_free(r.words);
        at = next;
    }
    str_release(&text);
    if (!s && !l->kernels.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "launches no kernel: write a line 'launch KERNEL ...'");
    return s;
}

void launch_release(struct launch *l)
{
    for (size_t i = 0; i < l->buffers.n; i++) {
        free(l->buffers.at[i].name);
        free(l->buffers.at[i].file);
    }
    vec_release(&l->buffers);
    for (size_t i = 0; i < l->kernels.n; i++) {
        struct launch_kernel *k = &l->kernels.at[i];
        for (size_t a = 0; a < k->arguments.n; a++)
            free(k->arguments.at[a].value);
        vec_release(&k->arguments);
        free(k->name);
    }
    vec_release(&l->kernels);
    free(l->path);
    *l = (struct launch){0};
}
