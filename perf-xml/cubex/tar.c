/* tar.c - reads the members of a .cubex file, which is a tar archive, often packed by gzip. */
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "perf-xml/cubex/cubex.h"

enum { BLOCK = 512, NAME = 100, SIZE_AT = 124, SIZE_LEN = 12, TYPE_AT = 156 };

static enum status cut_off(const char *path, struct error *e)
{
    return error_set(e, ERR_INPUT, AT_FILE(path), "the file ends in the middle of a member: copy it again");
}

/* Reads n bytes into `to`; with NULL it skips them. */
static enum status take(struct str *to, gzFile f, uint64_t n, const char *path, struct error *e)
{
    char room[1 << 14];
    while (n) {
        unsigned want = n < sizeof room ? (unsigned)n : (unsigned)sizeof room;
        int got = gzread(f, room, want);
        if (got <= 0)
            return cut_off(path, e);
        if (to)
            str_addn(to, room, (size_t)got);
        n -= (uint64_t)got;
    }
    return OK;
}

/* Parses octal digits between optional spaces. */
static bool size_of(uint64_t *size, const char *field)
{
    size_t i = 0;
    *size = 0;
    while (i < SIZE_LEN && field[i] == ' ')
        i++;
    for (; i < SIZE_LEN && field[i] >= '0' && field[i] <= '7'; i++)
        *size = *size * 8 + (uint64_t)(field[i] - '0');
    return i == SIZE_LEN || !field[i] || field[i] == ' ';
}

/* Is the member needed? Those are "anchor.xml", "12.index" and "12.data", after any "./". Returns the name without
 * it. */
static const char *wanted(const char *name)
{
    if (strncmp(name, "./", 2) == 0)
        name += 2;
    size_t digits = strspn(name, "0123456789");
    bool of_metric = digits && (strcmp(name + digits, ".index") == 0 || strcmp(name + digits, ".data") == 0);
    return of_metric || strcmp(name, "anchor.xml") == 0 ? name : 0;
}

/* In a file that allows random access, values are left there and read on demand. */
static bool stays(const struct tar *t, const char *name)
{
    return t->fd >= 0 && text_ends(name, ".data");
}

static enum status leave_there(struct tar *t, gzFile f, uint64_t size, uint64_t padding, const char *path,
                               struct error *e)
{
    struct member *m = &t->at[t->n - 1];
    struct stat st;
    z_off_t at = gztell(f);
    m->in_file = true;
    m->at = (uint64_t)at;
    m->size = size;
    if (at < 0 || fstat(t->fd, &st) || (uint64_t)st.st_size < m->at + size)
        return cut_off(path, e);
    return gzseek(f, (z_off_t)(size + padding), SEEK_CUR) < 0 ? cut_off(path, e) : OK;
}

static enum status member(struct tar *t, gzFile f, const char *header, uint64_t *left, const char *path,
                          struct error *e)
{
    char text[NAME + 1] = {0};
    uint64_t size;
    memcpy(text, header, NAME);
    if (!size_of(&size, header + SIZE_AT))
        return error_set(e, ERR_INPUT, AT_FILE(path), "this is neither performance XML nor a .cubex file (no tar)");
    uint64_t padding = (BLOCK - size % BLOCK) % BLOCK;
    char type = header[TYPE_AT];
    const char *name = !type || type == '0' ? wanted(text) : 0;
    if (!name)
        return take(0, f, size + padding, path, e);
    if (tar_find(t, name))
        return error_set(e, ERR_INPUT, AT_FILE(path), "the member %s occurs twice", name);
    if (size > *left)
        return error_set(e, ERR_INPUT, AT_FILE(path), "the members have more than %zu MiB", FILE_LIMIT >> 20);
    *left -= size;
    vec_push(t, (struct member){.name = xstrdup(name)});
    if (stays(t, name))
        return leave_there(t, f, size, padding, path, e);
    enum status s = take(&t->at[t->n - 1].bytes, f, size, path, e);
    /* the last member of a file may lack its padding */
    char rest[BLOCK];
    if (!s && padding && gzread(f, rest, (unsigned)padding) < 0)
        s = cut_off(path, e);
    return s;
}

static bool is_plain_file(const char *path)
{
    struct stat st;
    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

enum status tar_read(struct tar *t, gzFile f, const char *path, struct error *e)
{
    uint64_t left = FILE_LIMIT;
    char header[BLOCK];
    t->fd = gzdirect(f) && is_plain_file(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    for (;;) {
        int got = gzread(f, header, BLOCK);
        if (got == 0 || (got == BLOCK && !*header))
            return OK;
        if (got != BLOCK)
            return t->n ? cut_off(path, e)
                        : error_set(e, ERR_INPUT, AT_FILE(path), "this is neither performance XML nor a .cubex file");
        enum status s = member(t, f, header, &left, path, e);
        if (s)
            return s;
    }
}

const struct member *tar_find(const struct tar *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->at[i].name, name) == 0)
            return &t->at[i];
    return 0;
}

void tar_release(struct tar *t)
{
    for (size_t i = 0; i < t->n; i++) {
        free(t->at[i].name);
        str_release(&t->at[i].bytes);
    }
    vec_release(t);
    if (t->fd >= 0)
        close(t->fd);
}
