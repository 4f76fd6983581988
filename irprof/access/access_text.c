/*
 * Reads what LLVM's pass print<memoryssa-walker> prints: the IR, and before each instruction that touches memory a line
 * that names the nearest write which it may depend on. Matched by position: the n-th load or store of a function.
 *
 *     ; 1 = MemoryDef(3)->3 - clobbered by 3 = MemoryPhi({%4,liveOnEntry},{%8,1})
 *       store i32 %11, ptr %13, align 4
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/access/access.h"

enum { NONE = 0, ON_ENTRY = -1 }; /* in place of the number of a write, which starts at 1 */

/* The place of a write, by its number. */
struct write {
    bool known, phi;
    size_t block;
    size_t after; /* index of the first access after it */
};
/* An access that is read before all writes are known. */
struct access {
    long write;
    size_t block, first; /* first: index of the block's first access */
};
struct reader {
    struct access_functions *out;
    bool inside;             /* between `define` and `}` */
    bool code;               /* an instruction of the function has been read */
    size_t block, first;     /* as in access */
    long defined, clobbered; /* what the comment before the next instruction says */
    VEC(struct write) writes;
    VEC(struct access) accesses;
};

/* ---- numbers of writes ---- */

/* The number in front of " = Memory..."; NONE: there is none. */
static long read_number(const char *s)
{
    static const char entry[] = "liveOnEntry";
    char *end;
    if (strncmp(s, entry, strlen(entry)) == 0)
        return ON_ENTRY;
    if (!isdigit((unsigned char)*s))
        return NONE;
    long n = strtol(s, &end, 10);
    return strncmp(end, " = Memory", 9) == 0 && n > 0 && n < INT_MAX ? n : NONE;
}

/* Numbers are consecutive, so one far beyond the last is not from LLVM. */
static struct write *write_of(struct reader *r, long number)
{
    enum { FAR = 1 << 20 };
    if (number < 1 || (size_t)number > r->writes.n + FAR)
        return 0;
    while (r->writes.n < (size_t)number)
        vec_push(&r->writes, (struct write){0});
    return &r->writes.at[number - 1];
}

static void define(struct reader *r, long number, bool phi, size_t after)
{
    struct write *w = write_of(r, number);
    if (w)
        *w = (struct write){true, phi, r->block, after};
}

/* ---- lines ---- */

static void read_comment(struct reader *r, const char *line)
{
    static const char by[] = " - clobbered by ";
    const char *clobber = strstr(line, by);
    long number = read_number(line + 2);
    if (number > 0 && strstr(line, " = MemoryPhi(") && !clobber) {
        define(r, number, true, r->accesses.n);
    } else if (clobber) {
        r->defined = number;
        r->clobbered = read_number(clobber + strlen(by));
    } else if (number > 0) {
        r->defined = number;
    }
}

static bool is_access(const char *line)
{
    const char *s = line + 2;
    if (strncmp(s, "store ", 6) == 0)
        return true;
    if (*s++ != '%')
        return false;
    s += strspn(s, "0123456789");
    return strncmp(s, " = load ", 8) == 0;
}

static void read_instruction(struct reader *r, const char *line)
{
    r->code = true;
    if (is_access(line))
        vec_push(&r->accesses, (struct access){r->clobbered, r->block, r->first});
    if (r->defined > 0)
        define(r, r->defined, false, r->accesses.n);
    r->defined = r->clobbered = NONE;
}

/* The first block may have no label. */
static void read_label(struct reader *r)
{
    if (r->code) {
        r->block++;
        r->first = r->accesses.n;
    }
    r->defined = r->clobbered = NONE;
}

static struct access_order order_of(const struct reader *r, size_t i)
{
    const struct access *a = &r->accesses.at[i];
    struct access_order o = {IRPROF_WRITE_ENTRY, i - a->first, 0};
    if (a->write == ON_ENTRY)
        return o;
    const struct write *w = a->write > 0 && (size_t)a->write <= r->writes.n ? &r->writes.at[a->write - 1] : 0;
    if (!w || !w->known || (!w->phi && w->block == a->block && w->after > i))
        return (struct access_order){IRPROF_WRITE_UNKNOWN, 0, 0};
    o.block = w->block;
    o.write = w->phi ? IRPROF_WRITE_PHI : IRPROF_WRITE_BLOCK;
    if (o.write == IRPROF_WRITE_BLOCK && w->block == a->block)
        o.clear = i - w->after;
    return o;
}

static void end_function(struct reader *r)
{
    struct access_function *f = r->inside && r->out->list.n ? &r->out->list.at[r->out->list.n - 1] : 0;
    for (size_t i = 0; f && i < r->accesses.n; i++)
        vec_push(&f->orders, order_of(r, i));
    r->inside = r->code = false;
    r->block = r->first = 0;
    r->defined = r->clobbered = NONE;
    r->writes.n = r->accesses.n = 0;
}

static void read_line(struct reader *r, const char *line)
{
    static const char title[] = "MemorySSA (walker) for function: ";
    if (strncmp(line, title, strlen(title)) == 0) {
        r->inside = false; /* a function without an end counts for nothing */
        end_function(r);
        vec_push(&r->out->list, (struct access_function){.name = xstrdup(line + strlen(title))});
    } else if (strncmp(line, "define ", 7) == 0) {
        r->inside = r->out->list.n && !r->out->list.at[r->out->list.n - 1].orders.n;
    } else if (!r->inside) {
        return;
    } else if (strcmp(line, "}") == 0) {
        end_function(r);
    } else if (strncmp(line, "; ", 2) == 0) {
        read_comment(r, line);
    } else if (strncmp(line, "  ", 2) == 0) {
        read_instruction(r, line);
    } else if (*line) {
        read_label(r);
    }
}

void access_parse(struct access_functions *out, const char *text)
{
    struct reader r = {.out = out};
    while (*text) {
        size_t n = strcspn(text, "\n");
        char *line = xstrndup(text, n);
        read_line(&r, line);
        free(line);
        text += n + (text[n] == '\n');
    }
    vec_release(&r.writes);
    vec_release(&r.accesses);
}

void access_functions_release(struct access_functions *f)
{
    for (size_t i = 0; i < f->list.n; i++) {
        free(f->list.at[i].name);
        vec_release(&f->list.at[i].orders);
    }
    vec_release(&f->list);
}
