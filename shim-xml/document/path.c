/* path.c - finds elements by a path: the part of XPath 1.0 (w3.org/TR/xpath) that findings use, and that people write
 * by hand. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shim-xml/document/doc.h"
#include "shim-xml/document/text.h"

enum { STEPS = 64, CONDITIONS = 8 };

struct condition {
    char *attribute, *value; /* [@name='Core_0']; attribute NULL: a position */
    size_t position;         /* [2] */
};
struct step {
    char *name; /* NULL: any name */
    bool deep;  /* after // */
    struct condition conditions[CONDITIONS];
    size_t n_conditions;
};
struct path {
    const char *text, *at; /* the whole path, and the place in it */
    struct step steps[STEPS];
    size_t n_steps;
    char *attribute; /* the attribute at its end; NULL: the path selects elements */
};

static void path_release(struct path *p)
{
    for (size_t i = 0; i < p->n_steps; i++) {
        free(p->steps[i].name);
        for (size_t k = 0; k < p->steps[i].n_conditions; k++) {
            free(p->steps[i].conditions[k].attribute);
            free(p->steps[i].conditions[k].value);
        }
    }
    free(p->attribute);
}

/* ---- reading a path ---- */

static enum status bad_path(const struct path *p, const char *what, struct error *e)
{
    return error_set(e, ERR_INPUT, NOWHERE, "path '%.200s': %s at character %zu", p->text, what,
                     (size_t)(p->at - p->text) + 1);
}

static char *take_name(struct path *p)
{
    size_t n = strcspn(p->at, "/[]@=' \"");
    char *name = n ? xstrndup(p->at, n) : 0;
    p->at += n;
    return name;
}

static enum status take_condition(struct path *p, struct condition *c, struct error *e)
{
    if (*p->at != '@') {
        char *end;
        c->position = strspn(p->at, "0123456789") ? strtoul(p->at, &end, 10) : 0;
        if (!c->position)
            return bad_path(p, "a number from 1, or @attribute='value', is expected", e);
        p->at = end;
    } else {
        p->at++;
        c->attribute = take_name(p);
        char quote = *p->at == '=' ? p->at[1] : 0;
        const char *end = quote == '\'' || quote == '"' ? strchr(p->at + 2, quote) : 0;
        if (!c->attribute || !end)
            return bad_path(p, "@attribute='value' is expected", e);
        c->value = xstrndup(p->at + 2, (size_t)(end - p->at - 2));
        p->at = end + 1;
    }
    if (*p->at != ']')
        return bad_path(p, "']' is expected", e);
    p->at++;
    return OK;
}

static enum status take_step(struct path *p, struct error *e)
{
    struct step *s = &p->steps[p->n_steps];
    if (p->n_steps == STEPS)
        return bad_path(p, "there are too many steps", e);
    *s = (struct step){.deep = p->at[1] == '/'};
    p->n_steps++;
    p->at += s->deep ? 2 : 1;
    s->name = take_name(p);
    if (!s->name)
        return bad_path(p, "an element's name, * or @attribute is expected", e);
    if (strcmp(s->name, "*") == 0) {
        free(s->name);
        s->name = 0;
    }
    enum status status = OK;
    while (!status && *p->at == '[') {
        p->at++;
        if (s->n_conditions == CONDITIONS)
            return bad_path(p, "there are too many conditions", e);
        s->conditions[s->n_conditions] = (struct condition){0};
        status = take_condition(p, &s->conditions[s->n_conditions++], e);
    }
    return status;
}

static enum status path_parse(struct path *p, const char *text, struct error *e)
{
    *p = (struct path){.text = text, .at = text};
    enum status s = *text == '/' ? OK : bad_path(p, "'/' is expected", e);
    while (!s && *p->at == '/' && p->at[1] != '@')
        s = take_step(p, e);
    if (!s && *p->at == '/' && p->n_steps) {
        p->at += 2;
        p->attribute = take_name(p);
        if (!p->attribute)
            s = bad_path(p, "an attribute's name is expected", e);
    }
    if (!s && (*p->at || !p->n_steps))
        s = bad_path(p, "'/' is expected", e);
    return s;
}

/* ---- following a path ---- */

typedef VEC(struct shimxml_node *) nodes_t;

static bool meets(const struct condition *c, const struct shimxml_node *n, size_t position)
{
    const char *value = c->attribute ? shimxml_get(n, c->attribute) : 0;
    return c->attribute ? value && strcmp(value, c->value) == 0 : position == c->position;
}

/* Selects children of one parent. Each condition counts among those that met the conditions before it. */
static void select_children(nodes_t *out, const struct step *s, const struct shimxml_node *parent)
{
    size_t seen[CONDITIONS] = {0};
    for (struct shimxml_node *n = shimxml_child(parent, s->name); n; n = shimxml_next(n, s->name)) {
        bool wanted = true;
        for (size_t i = 0; wanted && i < s->n_conditions; i++)
            wanted = meets(&s->conditions[i], n, ++seen[i]);
        if (wanted)
            vec_push(out, n);
    }
}

static void select_step(nodes_t *out, const struct step *s, const struct shimxml_node *from)
{
    select_children(out, s, from);
    if (!s->deep)
        return;
    const struct shimxml_node *n = shimxml_child(from, 0);
    for (const struct shimxml_node *top = n; top; top = n = shimxml_next(top, 0))
        for (; n; n = shimxml_following(top, n, 0))
            select_children(out, s, n);
}

static int by_address(const void *a, const void *b)
{
    const struct shimxml_node *x = *(struct shimxml_node *const *)a, *y = *(struct shimxml_node *const *)b;
    return (x > y) - (x < y);
}

/* For //, keeps only the outermost of nested elements, since they contain the others. */
static void keep_outermost(nodes_t *list)
{
    if (list->n < 2)
        return;
    size_t kept = 0;
    struct shimxml_node **all = xmemdup(list->at, list->n * sizeof(struct shimxml_node *));
    qsort(all, list->n, sizeof *all, by_address);
    for (size_t i = 0; i < list->n; i++) {
        const struct shimxml_node *outer = list->at[i]->parent;
        while (outer && !bsearch(&outer, all, list->n, sizeof(struct shimxml_node *), by_address))
            outer = outer->parent;
        if (!outer)
            list->at[kept++] = list->at[i];
    }
    list->n = kept;
    free(all);
}

enum status shimxml_select(struct shimxml_selection *out, const struct shimxml_doc *d, const char *path,
                           struct error *e)
{
    struct path p;
    *out = (struct shimxml_selection){0};
    enum status s = path_parse(&p, path, e);
    nodes_t now = {0};
    vec_push(&now, (struct shimxml_node *)&d->top);
    for (size_t i = 0; !s && i < p.n_steps; i++) {
        nodes_t next = {0};
        if (p.steps[i].deep)
            keep_outermost(&now);
        for (size_t k = 0; k < now.n; k++)
            select_step(&next, &p.steps[i], now.at[k]);
        vec_release(&now);
        now = next;
    }
    if (!s && !now.n)
        s = error_set(e, ERR_INPUT, AT_FILE(d->path), "there is nothing at '%.200s'; see 'shim-xml get --help'", path);
    if (s) {
        vec_release(&now);
    } else {
        *out = (struct shimxml_selection){now.at, now.n, p.attribute};
        p.attribute = 0;
    }
    path_release(&p);
    return s;
}

void shimxml_selection_release(struct shimxml_selection *s)
{
    free(s->at);
    free(s->attribute);
    *s = (struct shimxml_selection){0};
}

/* XML allows UTF-8, and no control characters except tabs and line ends. */
static bool is_xml_text(const char *value)
{
    char *plain = xstrdup(value);
    for (char *p = plain; (p = strpbrk(p, "\t\r\n"));)
        *p = ' ';
    char *clean = text_printable(plain, strlen(plain));
    bool same = strcmp(clean, plain) == 0;
    free(clean);
    free(plain);
    return same;
}

/* May this be the value of the element's attribute, or, without an attribute, its text? */
static enum status check_assigned(const struct shimxml_doc *d, const struct shimxml_node *n, const char *attribute,
                                  const char *value, struct error *e)
{
    const struct schema_element *spec = n->name->spec;
    struct loc place = AT(d->path, n->line);
    size_t rank = attribute ? schema_attribute_rank(spec, attribute) : SCHEMA_NO_RANK;
    if (attribute && rank == SCHEMA_NO_RANK)
        return error_set(e, ERR_INPUT, place, "%s has no attribute '%s'", shimxml_name(n), attribute);
    if (!attribute && (!spec || !spec->text))
        return error_set(e, ERR_INPUT, place, "%s holds no value; end the path with /@attribute", shimxml_name(n));
    const char *expected = schema_bad_value(attribute ? spec->attributes[rank].type : spec->text, value);
    if (!expected)
        return OK;
    return error_set(e, ERR_INPUT, place, "'%.60s' cannot stand in %s%s%s: expected %s", value, shimxml_name(n),
                     attribute ? "/@" : "", attribute ? attribute : "", expected);
}

enum status shimxml_assign(const struct shimxml_doc *d, const struct shimxml_selection *at, const char *value,
                           struct error *e)
{
    if (!is_xml_text(value))
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "the new value is not plain UTF-8, which is what XML holds");
    enum status s = OK;
    for (size_t i = 0; !s && i < at->n; i++)
        s = check_assigned(d, at->at[i], at->attribute, value, e);
    for (size_t i = 0; !s && i < at->n; i++) {
        if (at->attribute)
            shimxml_set(at->at[i], at->attribute, value);
        else
            shimxml_set_text(at->at[i], value);
    }
    return s;
}
