/* check_readers.c - rule by rule: can the reference tools work with a document? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/check/check_readers.h"
#include "shim-xml/document/text.h"

enum reader_rule {
#define READER(id, severity, name, wants, otherwise) id,
#include "shim-xml/check/readers.def"
#undef READER
    READERS
};

static const struct shimxml_verdict rules[READERS] = {
#define READER(id, severity, name, wants, otherwise) {name, severity, wants, otherwise, 0, 0, 0},
#include "shim-xml/check/readers.def"
#undef READER
};

void readers_break(struct shimxml_verdict *v, unsigned long line, const char *text)
{
    if (v->n++)
        return;
    v->line = line;
    v->text = text_printable(text, TEXT_LIMIT);
}

/* ---- what `check` finds anyway ---- */

static bool is_any(const char *rule, const char *words)
{
    const char *at = strstr(words, rule);
    size_t n = strlen(rule);
    return at && (at == words || at[-1] == ' ') && (!at[n] || at[n] == ' ');
}

void readers_take_findings(struct shimxml_verdict *v, size_t n, const char *const *known, const struct shimxml_doc *d)
{
    struct shimxml_findings f = {0};
    shimxml_check(d, &f);
    for (size_t i = 0; i < f.n; i++)
        for (size_t k = 0; k < n; k++)
            if (known[k] && is_any(f.at[i].rule, known[k]))
                readers_break(&v[k], f.at[i].line, f.at[i].text);
    shimxml_findings_release(&f);
}

static const char *const known[READERS] = {
    [READ_SCHEMA] = SCHEMA_RULES,  [READ_REFERENCES] = "dangling-reference",
    [READ_NAMES] = "unsafe-name",  [READ_UNIQUE] = "doubled-name",
    [READ_ACCESS] = "access-type", [READ_DOUBLED] = "doubled-instruction",
};

/* ---- counts of elements ---- */

static size_t performances_for(const struct shimxml_node *set, const char *access_type)
{
    size_t n = 0;
    for (const struct shimxml_node *p = shimxml_child(set, "Performance"); p; p = shimxml_next(p, "Performance")) {
        const char *ref = shimxml_get(p, "accessTypeRef");
        n += ref && strcmp(ref, access_type) == 0;
    }
    return n;
}

static void check_accessor(struct shimxml_verdict *v, const struct shimxml_node *n)
{
    const struct shimxml_node *master = shimxml_target(n, "masterComponentRef"),
                              *set = shimxml_child(n, "PerformanceSet"),
                              *t = shimxml_child(shimxml_child(master, "AccessTypeSet"), "AccessType");
    for (; t; t = shimxml_next(t, "AccessType")) {
        const char *id = shimxml_get(t, "id"), *name = shimxml_get(t, "name");
        size_t found = id ? performances_for(set, id) : 0;
        if (found == 1)
            continue;
        char *text = xasprintf("%zu Performances for AccessType '%.60s'", found, name ? name : "");
        readers_break(v, shimxml_line(n), text);
        free(text);
        return;
    }
}

static void check_address(struct shimxml_verdict *v, const struct shimxml_node *n)
{
    double start = shimxml_number(n, "start"), end = shimxml_number(n, "end");
    if (start < 0 || end < 0 || start > UINT32_MAX || end > (double)UINT32_MAX + 1)
        readers_break(v, shimxml_line(n), "the SubSpace does not lie in the lowest 4 GiB");
}

static void look(struct shimxml_verdict *v, const struct shimxml_node *n, bool *there)
{
    const char *type = shimxml_get(n, "masterType"), *rw = shimxml_get(n, "rwType");
    if (shimxml_is(n, "SlaveComponent"))
        there[READ_MEMORY] = true;
    else if (shimxml_is(n, "MasterComponent"))
        there[READ_UNIT] |= type && strcmp(type, "PU") == 0;
    else if (shimxml_is(n, "AddressSpaceSet"))
        there[READ_SPACE] = true;
    else if (shimxml_is(n, "SubSpace"))
        check_address(&v[READ_ADDRESS], n);
    else if (shimxml_is(n, "Accessor"))
        check_accessor(&v[READ_PERFORMANCE], n);
    else if (shimxml_is(n, "AccessType") && rw && strchr(rw, 'R') && strchr(rw, 'W'))
        readers_break(&v[READ_BOTH], shimxml_line(n), "an AccessType for reading and writing");
}

/* ---- everything together ---- */

static void check_one(const struct shimxml_doc *d, struct shimxml_verdicts *out)
{
    static const enum reader_rule needed[] = {READ_UNIT, READ_MEMORY, READ_SPACE};
    const struct shimxml_node *root = shimxml_root(d);
    bool there[READERS] = {false};
    *out = (struct shimxml_verdicts){.at = xmemdup(rules, sizeof rules), .n = READERS};
    readers_take_findings(out->at, READERS, known, d);
    for (const struct shimxml_node *n = root; n; n = shimxml_following(root, n, 0))
        look(out->at, n, there);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!there[needed[i]])
            readers_break(&out->at[needed[i]], shimxml_line(root), "there is none");
}

void shimxml_check_readers(const struct shimxml_doc *d, struct shimxml_verdicts *out)
{
    if (d->schema == &schema2)
        readers_check_two(d, out);
    else
        check_one(d, out);
    for (size_t i = 0; i < out->n; i++)
        out->broken += out->at[i].n && out->at[i].severity == SHIMXML_ERROR;
}

void shimxml_verdicts_release(struct shimxml_verdicts *v)
{
    for (size_t i = 0; i < v->n; i++)
        free(v->at[i].text);
    free(v->at);
    *v = (struct shimxml_verdicts){0};
}
