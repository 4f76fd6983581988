/* method.c - the estimation method that a file's values are for: the annotation "method", and what contradicts it. */
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/annotation.h"
#include "shim-xml/check/findings.h"
#include "shim-xml/document/instruction_widths.h"
#include "shim-xml/document/notes.h"
#include "shim-xml/document/text.h"
#include "shim-xml/values/units.h"

static const char key[] = "method";
/* the first one is that of files without the annotation */
static const char *const methods[] = {"operand", "schedule", "sum"};

/* One of `methods`, or NULL. */
static const char *known(const char *value)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i], value) == 0)
            return methods[i];
    return 0;
}

/* The method in the processing instruction. */
static const char *method_of(const struct shimxml_node *n)
{
    char *value = annotation_value(n, key);
    const char *found = value ? known(value) : annotation_known(n) ? methods[0] : 0;
    free(value);
    return found;
}

#define EXPECTED "expected <?shimgen method=\"schedule\"?>, or \"operand\", or \"sum\""

const char *method_of_doc(const struct shimxml_doc *d)
{
    const struct shimxml_node *n = annotation_node(d);
    char *value = notes_value(d, key);
    const char *found = value ? known(value) : n ? method_of(n) : methods[0];
    free(value);
    return found;
}

/* ---- contradictions within a file ---- */

static bool has_method_with_factors(const struct shimxml_doc *d, const struct shimxml_node **factor)
{
    const struct shimxml_node *n = 0, *i = 0;
    *factor = 0;
    while ((n = shimxml_following(shimxml_root(d), n, "MasterComponent")))
        for (i = 0; !*factor && (i = instruction_next(n, i));) {
            const char *name = instruction_name(i);
            if (name && strncmp(name, SHIMXML_FACTOR, strlen(SHIMXML_FACTOR)) == 0)
                *factor = i;
        }
    return *factor && shimxml_says_method(d);
}

/* Why the file contradicts itself, and where; NULL: it does not. The caller frees. */
static char *contradiction(const struct shimxml_doc *d, const struct shimxml_node **at)
{
    char *other, *text = 0;
    *at = annotations_contradiction(d, &other);
    if (*at) {
        char *says = text_printable(instruction_name(*at), 100), *instead = text_printable(other, 100);
        text = xasprintf("'%s' contradicts another core or the instruction before the root, which says '%s'", says,
                         instead);
        free(says);
        free(instead);
    } else if (!has_method_with_factors(d, at) && *at) {
        text = xasprintf(
            "it has factors of schedules ('%.60s'), but no Instruction 'shimgen:method=...' says which method "
            "its values are for",
            instruction_name(*at));
    }
    free(other);
    return text;
}

enum status shimxml_method(const char **method, const struct shimxml_doc *d, struct error *e)
{
    const struct shimxml_node *at;
    char *why = contradiction(d, &at), *value = 0;
    enum status s = OK;
    *method = method_of_doc(d);
    if (why)
        s = error_set(e, ERR_INPUT, AT(d->path, at->line), "the file contradicts itself: %s; build it again", why);
    else if (!*method && (value = notes_value(d, key)))
        s = error_set(
            e, ERR_INPUT, AT_FILE(d->path),
            "the Instruction 'shimgen:method=%.60s' names no method of estimating: expected operand, schedule or "
            "sum",
            value);
    if (!s && !*method) {
        const struct shimxml_node *n = annotation_node(d);
        char *text = text_printable(n->u.text, 60);
        s = error_set(e, ERR_INPUT, AT(d->path, n->line), "<?shimgen %s?> names no method of estimating: %s", text,
                      EXPECTED);
        free(text);
    }
    free(value);
    free(why);
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
    const struct shimxml_node *at;
    char *why = contradiction(d, &at), *value = notes_value(d, key);
    if (why)
        shimxml_finding_add(f, METHOD, at, "%s", why);
    else if (value && !known(value))
        shimxml_finding_add(f, METHOD, shimxml_root(d), "the Instruction 'shimgen:method=%.60s' names no method",
                            value);
    free(value);
    free(why);
}
