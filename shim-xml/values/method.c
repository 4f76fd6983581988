/* method.c - which method of estimating the values of a file are for: the annotation method="schedule". */
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/annotation.h"
#include "shim-xml/check/findings.h"
#include "shim-xml/document/text.h"
#include "shim-xml/values/units.h"

static const char key[] = "method";
static const char *const methods[] = {"operand", "schedule", "sum"}; /* the first: of files that do not say */

/* One of `methods`, or NULL. */
static const char *method_of(const struct shimxml_node *n)
{
    char *value = annotation_value(n, key);
    const char *found = !value && annotation_known(n) ? methods[0] : 0;
    for (size_t i = 0; value && i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i], value) == 0)
            found = methods[i];
    free(value);
    return found;
}

#define EXPECTED "expected <?shimgen method=\"schedule\"?>, or \"operand\", or \"sum\""

const char *method_of_doc(const struct shimxml_doc *d)
{
    const struct shimxml_node *n = annotation_node(d);
    return n ? method_of(n) : methods[0];
}

enum status shimxml_method(const char **method, const struct shimxml_doc *d, struct error *e)
{
    *method = method_of_doc(d);
    if (*method)
        return OK;
    const struct shimxml_node *n = annotation_node(d);
    char *text = text_printable(n->u.text, 60);
    enum status s = error_set(e, ERR_INPUT, AT(d->path, n->line), "<?shimgen %s?> names no method of estimating: %s",
                              text, EXPECTED);
    free(text);
    return s;
}

bool shimxml_says_method(const struct shimxml_doc *d)
{
    char *value = shimxml_annotation(d, key);
    bool says = value;
    free(value);
    return says;
}

void shimxml_set_method(struct shimxml_doc *d, const char *method)
{
    shimxml_annotate(d, key, method);
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
    const struct shimxml_node *first = annotation_node(d);
    for (const struct shimxml_node *n = d->top.first; n; n = n->next) {
        if (!annotation_is(n))
            continue;
        if (!first)
            shimxml_finding_add(f, METHOD, n, "<?shimgen %.60s?> is after the root, where no reader looks for it",
                                n->u.text);
        else if (n != first)
            shimxml_finding_add(f, METHOD, n, "<?shimgen %.60s?> is the second: that of line %lu counts", n->u.text,
                                shimxml_line(first));
        else if (!method_of(n))
            shimxml_finding_add(f, METHOD, n, "<?shimgen %.60s?>: " EXPECTED, n->u.text);
    }
}
