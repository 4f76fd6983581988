#include "shim-xml/findings.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "shim-xml/text.h"

static const struct {
    enum shimxml_severity severity;
    const char *name, *meaning, *remedy;
} rules[RULE_COUNT] = {
#define RULE(id, severity, name, meaning, remedy) {severity, name, meaning, remedy},
#include "shim-xml/rules.def"
#undef RULE
};

/* ---- where: a path as XPath writes it. The position of each element among its siblings of the same name is found once
 * for the whole document, since counting them for each finding would be quadratic. It is kept in the tree, in the
 * member that libxml2 leaves to its users; 0: the only one. ---- */

static void number_children(const xmlNode *parent)
{
    struct map seen = {0};
    for (xmlNode *n = node_child(parent, 0); n; n = node_next(n, 0)) {
        size_t before = 0;
        map_get(&seen, node_name(n), &before);
        map_put(&seen, node_name(n), before + 1);
        n->_private = (void *)(uintptr_t)(before + 1);
    }
    for (xmlNode *n = node_child(parent, 0); n; n = node_next(n, 0)) {
        size_t all = 0;
        if (map_get(&seen, node_name(n), &all) && all == 1)
            n->_private = 0;
    }
    map_release(&seen);
}

static void number_elements(xmlNode *root)
{
    root->_private = 0;
    for (const xmlNode *n = root; n; n = node_following(n, root))
        number_children(n);
}

static char *path_of(const xmlNode *n)
{
    VEC(const xmlNode *) way = {0};
    for (; n && n->type == XML_ELEMENT_NODE; n = n->parent)
        vec_push(&way, n);
    struct str path = STR_INIT;
    for (size_t i = way.n; i-- > 0;) {
        char *name = text_printable(node_name(way.at[i]), 60);
        str_addf(&path, "/%s", name);
        if (way.at[i]->_private)
            str_addf(&path, "[%zu]", (size_t)(uintptr_t)way.at[i]->_private);
        free(name);
    }
    vec_release(&way);
    return str_detach(&path);
}

/* ---- what ---- */

void shimxml_finding_add(struct shimxml_findings *f, enum rule rule, const xmlNode *at, const char *fmt, ...)
{
    f->errors += rules[rule].severity == SHIMXML_ERROR;
    f->warnings += rules[rule].severity == SHIMXML_WARNING;
    f->hints += rules[rule].severity == SHIMXML_HINT;
    if (!f->of_rule)
        f->of_rule = xcalloc(RULE_COUNT, sizeof *f->of_rule);
    if (f->of_rule[rule]++ >= SHIMXML_LISTED) {
        f->omitted++;
        return;
    }
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    f->at = xreallocarray(f->at, f->n + 1, sizeof *f->at);
    f->at[f->n++] = (struct shimxml_finding){
        rules[rule].severity, rules[rule].name,  node_line(at), path_of(at), text_printable(text, TEXT_LIMIT),
        rules[rule].meaning,  rules[rule].remedy};
    free(text);
}

static int by_line(const void *a, const void *b)
{
    const struct shimxml_finding *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    int order = strcmp(x->rule, y->rule);
    return order ? order : strcmp(x->text, y->text);
}

void shimxml_check(const struct shimxml_doc *d, struct shimxml_findings *out)
{
    size_t first = out->n;
    number_elements(xmlDocGetRootElement(d->xml));
    check_schema(d, out);
    check_references(d, out);
    check_values(d, out);
    if (out->n > first)
        qsort(out->at + first, out->n - first, sizeof *out->at, by_line);
}

void shimxml_findings_release(struct shimxml_findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->at[i].path);
        free(f->at[i].text);
    }
    free(f->at);
    free(f->of_rule);
    *f = (struct shimxml_findings){0};
}

const char *shimxml_severity_name(enum shimxml_severity s)
{
    static const char *const names[] = {"hint", "warning", "error"};
    return names[s];
}

const char *shimxml_rule(size_t i, enum shimxml_severity *severity, const char **meaning, const char **remedy)
{
    if (i >= RULE_COUNT)
        return 0;
    *severity = rules[i].severity;
    *meaning = rules[i].meaning;
    *remedy = rules[i].remedy;
    return rules[i].name;
}
