/*
 * LLVM's assembly says of each machine block in a comment which block of the IR it stands for:
 *
 *     .LBB0_3:                                // %b3x
 *     // %bb.4:                               // %b7x
 *
 * The second form is of blocks that nothing jumps to; a block without a name is the code generator's own.
 */
#include "shimgen/estimate/compiled/compiled_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "irprof/codegen/label.h"

struct labeller {
    struct str *out;
    unsigned module;
    size_t next;
    struct map targets; /* local labels that jump tables name */
};

/* The length of ".LBB0_3" at s; 0: something else. */
static size_t local_label(const char *s)
{
    return text_begins(s, ".LBB") ? 1 + strcspn(s + 1, " \t:-+),\n") : 0;
}

/* Reads entries of jump tables: ".word .LBB0_5-.LJTI0_0", ".byte (.LBB0_5-.LBB0_3)>>2", ".quad .LBB0_5". */
static void read_entry(struct labeller *l, const char *line, size_t n)
{
    const char *s = line + strspn(line, " \t");
    if (*s != '.' || text_begins(s, ".LBB"))
        return;
    s += strcspn(s, " \t\n");
    s += strspn(s, " \t(");
    size_t length = (size_t)(s - line) < n ? local_label(s) : 0;
    if (length) {
        char *name = xstrndup(s, length);
        map_put(&l->targets, name, 0);
        free(name);
    }
}

static void read_tables(struct labeller *l, const char *text)
{
    bool table = false;
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "\n");
        if (text_begins(s, ".LJTI"))
            table = true;
        else if (*s != ' ' && *s != '\t')
            table = false;
        else if (table)
            read_entry(l, s, n);
        s += n + (s[n] == '\n');
    }
}

/* The N of "%bNx" in a line, as text; "x": none. Code on an edge that the code generator has split
 * ("%b0x.b2x_crit_edge") has the name of the block that the edge leaves. */
static char *block_name(const char *line, size_t n)
{
    size_t block;
    for (const char *s = line; (s = memchr(s, '%', (size_t)(line + n - s))); s++)
        if (s[1] == 'b' && label_read(s + 1, 2 + strspn(s + 2, "0123456789"), LABEL_BLOCK, &block))
            return xasprintf("%zu", block);
    return xstrdup("x");
}

static bool begins_block(const char *line)
{
    return local_label(line) || text_begins(line, "// %bb.") || text_begins(line, "# %bb.") ||
           text_begins(line, "@ %bb.");
}

static void add_block(struct labeller *l, const char *line, size_t n)
{
    char *name = block_name(line, n), *label = xstrndup(line, local_label(line));
    const char *kind = *label && map_get(&l->targets, label, 0) ? COMPILED_TARGET : COMPILED_BLOCK;
    str_addf(l->out, "%s%u.%zu.%s:\n", kind, l->module, l->next++, name);
    free(label);
    free(name);
}

/* Reads "\t.loc\t1 12 0". */
static void add_place(struct labeller *l, const char *line)
{
    const char *s = line + strlen("\t.loc\t");
    s += strcspn(s, " \n");
    str_addf(l->out, COMPILED_PLACE "%u.%zu.%ld:\n", l->module, l->next++, strtol(s, 0, 10));
}

void compiled_text_label(struct str *out, const char *text, unsigned module)
{
    struct labeller l = {.out = out, .module = module};
    read_tables(&l, text);
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "\n");
        str_addn(out, s, n);
        str_addch(out, '\n');
        if (begins_block(s))
            add_block(&l, s, n);
        else if (text_begins(s, "\t.loc\t"))
            add_place(&l, s);
        s += n + (s[n] == '\n');
    }
    map_release(&l.targets);
}
