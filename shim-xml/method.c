/* method.c - what the values of a file are for: <?shimgen method="schedule"?> before the root. SHIM has no place for
 * it; an instruction for an application may stand in any XML document, whatever its schema (XML 1.0, 2.6). */
#include <stdlib.h>
#include <string.h>

#include "shim-xml/findings.h"
#include "shim-xml/text.h"
#include "shim-xml/units.h"

static const char target[] = "shimgen", key[] = "method";
static const char *const methods[] = {"operand", "schedule", "sum"}; /* the first: of files that do not say */

static bool is_ours(const struct shimxml_node *n)
{
    return n->type == NODE_PI && strcmp(n->name->local, target) == 0;
}

/* The first before the root, or NULL. */
static struct shimxml_node *find(const struct shimxml_doc *d)
{
    for (struct shimxml_node *n = d->top.first; n && n->type != NODE_ELEMENT; n = n->next)
        if (is_ours(n))
            return n;
    return 0;
}

/* Behind `method =` and its opening quote; *n: how long until the closing one. NULL: it does not say. */
static const char *value_in(const char *text, size_t *n)
{
    for (const char *p = text; (p = strstr(p, key)); p += strlen(key)) {
        if (p != text && !strchr(BLANKS, p[-1]))
            continue;
        const char *q = p + strlen(key);
        q += strspn(q, BLANKS);
        if (*q++ != '=')
            continue;
        q += strspn(q, BLANKS);
        const char *end = *q == '"' || *q == '\'' ? strchr(q + 1, *q) : 0;
        if (!end)
            continue;
        *n = (size_t)(end - q - 1);
        return q + 1;
    }
    return 0;
}

/* One of `methods`, or NULL. */
static const char *method_of(const struct shimxml_node *n)
{
    size_t length;
    const char *value = value_in(n->u.text, &length);
    for (size_t i = 0; value && i < sizeof methods / sizeof *methods; i++)
        if (strlen(methods[i]) == length && strncmp(value, methods[i], length) == 0)
            return methods[i];
    return 0;
}

#define EXPECTED "expected <?shimgen method=\"schedule\"?>, or \"operand\", or \"sum\""

const char *method_of_doc(const struct shimxml_doc *d)
{
    const struct shimxml_node *n = find(d);
    return n ? method_of(n) : methods[0];
}

enum status shimxml_method(const char **method, const struct shimxml_doc *d, struct error *e)
{
    *method = method_of_doc(d);
    if (*method)
        return OK;
    const struct shimxml_node *n = find(d);
    char *text = text_printable(n->u.text, 60);
    enum status s = error_set(e, ERR_INPUT, AT(d->path, n->line), "<?%s %s?> names no method of estimating: %s", target,
                              text, EXPECTED);
    free(text);
    return s;
}

bool shimxml_says_method(const struct shimxml_doc *d)
{
    return find(d) != 0;
}

void shimxml_set_method(struct shimxml_doc *d, const char *method)
{
    struct shimxml_node *n = find(d);
    if (!n) {
        n = node_insert(&d->top, d->top.first, NODE_PI);
        n->name = doc_name(d, target, 0, 0, false);
    }
    char *text = xasprintf("%s=\"%s\"", key, method);
    n->u.text = doc_text(d, text, strlen(text));
    free(text);
}

enum status method_of_values(struct shimxml_doc *d, const char *method, const struct shimxml_units *which, size_t units,
                             struct error *e)
{
    const char *before;
    enum status s = shimxml_method(&before, d, e);
    if (s)
        return s;
    size_t with_values = 0;
    for (struct shimxml_node *n = 0; (n = shimxml_following(shimxml_root(d), n, "MasterComponent"));)
        with_values += unit_is(n) && shimxml_child(shimxml_child(n, "CommonInstructionSet"), "Instruction");
    if (strcmp(before, method) != 0 && (with_values > units || which->only))
        return error_set(e, ERR_INPUT, AT_FILE(d->path),
                         "its values are for 'shimgen estimate --method %s', the new ones for --method %s: one file "
                         "has values for one method, so give all its cores new ones",
                         before, method);
    shimxml_set_method(d, method);
    return OK;
}

void check_method(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    const struct shimxml_node *first = find(d);
    for (const struct shimxml_node *n = d->top.first; n; n = n->next) {
        if (!is_ours(n))
            continue;
        if (!first)
            shimxml_finding_add(f, METHOD, n, "<?%s %.60s?> stands behind the root, where nobody looks for it", target,
                                n->u.text);
        else if (n != first)
            shimxml_finding_add(f, METHOD, n, "<?%s %.60s?> is the second: that of line %lu counts", target, n->u.text,
                                shimxml_line(first));
        else if (!method_of(n))
            shimxml_finding_add(f, METHOD, n, "<?%s %.60s?>: " EXPECTED, target, n->u.text);
    }
}
