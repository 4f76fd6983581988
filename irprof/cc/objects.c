/* objects.c - finds code and counters in ELF object files, archives and shared libraries. */
#include "irprof/cc/objects.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/str.h"

/* Instrumented modules refer to this name (instrument.c), so it is in their string tables. */
static const char mark[] = "irprof_rt_register";

struct bytes {
    const unsigned char *at;
    size_t n;
};

/* ---- ELF (System V ABI, chapter 4) ---- */

enum { ELF_IDENT = 16, ELF_REL = 1, ELF_EXEC = 2, ELF_DYN = 3, ELF_STRTAB = 3, ELF_NOBITS = 8, ELF_EXECINSTR = 4 };

struct elf {
    struct bytes all;
    bool wide, big; /* 64 bits, big-endian */
};

/* The number in `size` bytes at `offset`; 0 beyond the end. */
static uint64_t number(const struct elf *f, uint64_t offset, unsigned size)
{
    uint64_t v = 0;
    if (offset > f->all.n || size > f->all.n - offset)
        return 0;
    for (unsigned i = 0; i < size; i++) {
        unsigned at = f->big ? i : size - 1 - i;
        v = v << 8 | f->all.at[offset + at];
    }
    return v;
}

struct section {
    uint64_t type, flags, offset, size;
};

static struct section section(const struct elf *f, uint64_t table, uint64_t entry_size, uint64_t i)
{
    uint64_t at = table + i * entry_size;
    unsigned word = f->wide ? 8 : 4;
    return (struct section){number(f, at + 4, 4), number(f, at + 8, word), number(f, at + 8 + 2 * word, word),
                            number(f, at + 8 + 3 * word, word)};
}

static bool has_mark(const struct elf *f, const struct section *s)
{
    if (s->type != ELF_STRTAB || s->offset > f->all.n || s->size > f->all.n - s->offset)
        return false;
    return memmem(f->all.at + s->offset, s->size, mark, sizeof mark);
}

static enum object_kind elf_kind(struct bytes b)
{
    struct elf f = {b, b.at[4] == 2, b.at[5] == 2};
    uint64_t type = number(&f, ELF_IDENT, 2);
    if (type != ELF_REL && type != ELF_DYN && type != ELF_EXEC)
        return OBJECT_UNKNOWN;
    uint64_t table = number(&f, f.wide ? 0x28 : 0x20, f.wide ? 8 : 4);
    uint64_t entry_size = number(&f, f.wide ? 0x3A : 0x2E, 2);
    uint64_t n = number(&f, f.wide ? 0x3C : 0x30, 2);
    if (!table || table > b.n || !entry_size)
        return OBJECT_UNKNOWN;
    if (!n) /* more than 65279 sections: their number is in the first one */
        n = section(&f, table, entry_size, 0).size;
    bool code = false;
    for (uint64_t i = 0; i < n && i < (b.n - table) / entry_size; i++) {
        struct section s = section(&f, table, entry_size, i);
        if (has_mark(&f, &s))
            return OBJECT_COUNTED;
        code |= s.flags & ELF_EXECINSTR && s.type != ELF_NOBITS && s.size;
    }
    return code ? OBJECT_BARE : OBJECT_DATA;
}

static bool begins(struct bytes b, const char *magic, size_t n)
{
    return b.n >= n && memcmp(b.at, magic, n) == 0;
}

enum { MAGIC = 8 };
static const char fat_magic[] = "!<arch>\n", thin_magic[] = "!<thin>\n";

enum object_kind object_kind(const char *bytes, size_t n)
{
    struct bytes b = {(const unsigned char *)bytes, n};
    if (begins(b, "\177ELF", 4) && n >= 64)
        return elf_kind(b);
    if (begins(b, "BC\xC0\xDE", 4) || begins(b, "\xDE\xC0\x17\x0B", 4))
        return OBJECT_BITCODE;
    if (begins(b, fat_magic, MAGIC) || begins(b, thin_magic, MAGIC))
        return OBJECT_ARCHIVE;
    return OBJECT_UNKNOWN;
}

/* ---- archives (System V and GNU, also thin; BSD's long names) ---- */

struct archive {
    struct bytes all;
    const char *path;
    bool thin;
    struct bytes names; /* the member "//" */
};
struct member {
    char *name; /* owned; NULL: a table of the archive */
    struct bytes content;
    size_t next; /* offset of the next member */
};
enum { HEADER = 60, NAME = 16, SIZE_AT = 48, SIZE = 10 };

static size_t decimal(const unsigned char *text, size_t n)
{
    size_t v = 0;
    for (size_t i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++)
        v = v * 10 + (size_t)(text[i] - '0');
    return v;
}

/* The name of a member. It ends at '/' (GNU) or with spaces. */
static char *member_name(const struct archive *a, const unsigned char *header, struct bytes *content)
{
    if (header[0] == '/' && header[1] >= '0' && header[1] <= '9') {
        size_t at = decimal(header + 1, NAME - 1), end = at;
        while (end < a->names.n && a->names.at[end] != '\n')
            end++;
        if (at >= a->names.n)
            return xstrdup("?");
        end -= end > at && a->names.at[end - 1] == '/';
        return xstrndup((const char *)a->names.at + at, end - at);
    }
    if (header[0] == '/' || memcmp(header, "__.SYMDEF", 9) == 0)
        return 0;
    if (memcmp(header, "#1/", 3) == 0) {
        size_t n = decimal(header + 3, NAME - 3);
        n = n < content->n ? n : content->n;
        char *name = xstrndup((const char *)content->at, n);
        *content = (struct bytes){content->at + n, content->n - n};
        return name;
    }
    size_t n = NAME;
    const unsigned char *slash = memchr(header, '/', NAME);
    if (slash)
        n = (size_t)(slash - header);
    while (n && header[n - 1] == ' ')
        n--;
    return xstrndup((const char *)header, n);
}

/* Reads the member at `offset`. Returns false at the end of the archive. */
static bool next_member(struct archive *a, size_t offset, struct member *m)
{
    if (offset > a->all.n || a->all.n - offset < HEADER)
        return false;
    const unsigned char *header = a->all.at + offset;
    size_t size = decimal(header + SIZE_AT, SIZE), start = offset + HEADER;
    bool table = header[0] == '/' && !(header[1] >= '0' && header[1] <= '9');
    size_t here = a->thin && !table ? 0 : size;
    if (here > a->all.n - start)
        return false;
    m->content = (struct bytes){a->all.at + start, here};
    m->next = start + here + (here & 1);
    if (header[0] == '/' && header[1] == '/')
        a->names = m->content;
    m->name = member_name(a, header, &m->content);
    return true;
}

static bool is_bare(enum object_kind kind)
{
    return kind == OBJECT_BARE || kind == OBJECT_BITCODE;
}

/* A thin archive only has paths, relative to its own folder. */
static enum object_kind thin_kind(const struct archive *a, const char *name)
{
    const char *slash = strrchr(a->path, '/');
    char *path = name[0] == '/' || !slash ? xstrdup(name) : xasprintf("%.*s/%s", (int)(slash - a->path), a->path, name);
    enum object_kind kind = object_look(path, 0);
    free(path);
    return kind;
}

static void look_at_members(struct archive *a, struct object_members *members)
{
    struct member m;
    for (size_t at = MAGIC; next_member(a, at, &m); at = m.next) {
        if (!m.name)
            continue;
        enum object_kind kind = a->thin ? thin_kind(a, m.name) : object_kind((const char *)m.content.at, m.content.n);
        if (is_bare(kind))
            vec_push(&members->all, (struct object_member){m.name, kind});
        else
            free(m.name);
    }
}

enum object_kind object_look(const char *path, struct object_members *members)
{
    struct str text = STR_INIT;
    struct error e = ERROR_INIT;
    enum object_kind kind = OBJECT_UNKNOWN;
    if (members)
        *members = (struct object_members){0};
    struct stat st;
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && !file_read(&text, path, FILE_LIMIT, &e))
        kind = object_kind(str_text(&text), text.len);
    if (kind == OBJECT_ARCHIVE && members) {
        struct archive a = {
            {(const unsigned char *)text.s, text.len}, path, memcmp(text.s, thin_magic, MAGIC) == 0, {0, 0}};
        look_at_members(&a, members);
    }
    error_release(&e);
    str_release(&text);
    return kind;
}

void object_members_release(struct object_members *m)
{
    for (size_t i = 0; i < m->all.n; i++)
        free(m->all.at[i].name);
    vec_release(&m->all);
}
