/* annotation.c - what SHIM has no place for: named values, as notes among the Instructions (notes.h).
 *
 * Where no core has Instructions, and in older files, they are in one processing instruction before the root,
 * <?shimgen method="schedule"?>, which may stand in any XML document (XML 1.0, 2.6) but is lost when a reference tool
 * rewrites the file. */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "shim-xml/document/annotation.h"
#include "shim-xml/document/instruction_widths.h"
#include "shim-xml/document/notes.h"
#include "shim-xml/document/text.h"

static const char target[] = "shimgen";

bool annotation_is(const struct shimxml_node *n)
{
    return n->type == NODE_PI && strcmp(n->name->local, target) == 0;
}

struct shimxml_node *annotation_node(const struct shimxml_doc *d)
{
    for (struct shimxml_node *n = d->top.first; n && n->type != NODE_ELEMENT; n = n->next)
        if (annotation_is(n))
            return n;
    return 0;
}

/* A name="value" in the instruction's text, taken apart. */
struct pair {
    const char *name, *value, *end; /* end: after the closing quote */
    size_t name_length, value_length;
};

/* The next pair at or after `text`. Returns false if there is none. Other words are skipped. */
static bool next_pair(struct pair *p, const char *text)
{
    for (text += strspn(text, SPACES); *text; text += strspn(text, SPACES)) {
        p->name = text;
        p->name_length = strcspn(text, SPACES "=");
        text += p->name_length;
        const char *sign = text + strspn(text, SPACES);
        if (*sign != '=')
            continue;
        const char *quote = sign + 1 + strspn(sign + 1, SPACES);
        const char *end = *quote == '"' || *quote == '\'' ? strchr(quote + 1, *quote) : 0;
        text = quote;
        if (!end) {
            text += strcspn(text, SPACES);
            continue;
        }
        p->value = quote + 1;
        p->value_length = (size_t)(end - quote - 1);
        p->end = end + 1;
        return true;
    }
    return false;
}

static bool find(struct pair *p, const char *text, const char *name)
{
    while (next_pair(p, text)) {
        if (strlen(name) == p->name_length && strncmp(p->name, name, p->name_length) == 0)
            return true;
        text = p->end;
    }
    return false;
}

/* Names that are read or written anywhere. Any other name is a mistake of whoever edited the file. */
static const char *const names[] = {"method",     "predictor", "interval", "fitted-interval", "switches",
                                    "prefetcher", "policy",    "spills",   "target",          "compiled-interval"};

static bool is_known(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && strncmp(names[i], name, n) == 0)
            return true;
    return false;
}

bool annotation_known(const struct shimxml_node *n)
{
    struct pair p = {.end = n->u.text};
    bool any = false;
    for (; next_pair(&p, p.end); any = true)
        if (!is_known(p.name, p.name_length))
            return false;
    return any;
}

char *annotation_value(const struct shimxml_node *n, const char *name)
{
    struct pair p;
    return find(&p, n->u.text, name) ? xstrndup(p.value, p.value_length) : 0;
}

char *annotation_outside(const struct shimxml_doc *d, const char *name)
{
    const struct shimxml_node *n = annotation_node(d);
    return n ? annotation_value(n, name) : 0;
}

char *shimxml_annotation(const struct shimxml_doc *d, const char *name)
{
    char *value = notes_value(d, name);
    return value ? value : annotation_outside(d, name);
}

char *shimxml_core_annotation(const struct shimxml_doc *d, const char *core, const char *name)
{
    for (const struct shimxml_node *n = 0; core && (n = shimxml_following(shimxml_root(d), n, "MasterComponent"));) {
        const char *own_name = shimxml_get(n, "name"), *id = shimxml_get(n, "id");
        const struct shimxml_node *note = note_in(n, name);
        if (note && ((own_name && strcmp(own_name, core) == 0) || (id && strcmp(id, core) == 0)))
            return note_of(note, name);
    }
    return core ? annotation_outside(d, name) : shimxml_annotation(d, name);
}

/* Sets a value; NULL removes it. The instruction stays if nothing is left in it. */
static void set_outside(struct shimxml_doc *d, struct shimxml_node *n, const char *name, const char *value)
{
    struct str text = STR_INIT;
    struct pair p;
    const char *rest = n->u.text;
    if (find(&p, rest, name)) {
        str_addn(&text, rest, (size_t)(p.name - rest));
        rest = p.end + (value ? 0 : strspn(p.end, SPACES));
        if (value)
            str_addf(&text, "%s=\"%s\"", name, value);
        str_add(&text, rest);
    } else {
        str_add(&text, rest);
        if (value)
            str_addf(&text, "%s%s=\"%s\"", text.len ? " " : "", name, value);
    }
    n->u.text = doc_text(d, str_text(&text), text.len);
    str_release(&text);
}

/* Moves what stands before the root into the cores, where the reference tools keep it. */
static void move_inside(struct shimxml_doc *d, struct shimxml_node *n)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *value = annotation_value(n, names[i]);
        if (value) {
            notes_set(d, names[i], value);
            set_outside(d, n, names[i], 0);
        }
        free(value);
    }
    if (!n->u.text[strspn(n->u.text, SPACES)])
        shimxml_remove(n);
}

void shimxml_annotate(struct shimxml_doc *d, const char *name, const char *value)
{
    if (!is_known(name, strlen(name)))
        BUG("no annotation is called '%s'", name);
    if (value && (strchr(value, '"') || strstr(value, "?>")))
        BUG("an annotation cannot hold '%s'", value);
    struct shimxml_node *n = annotation_node(d);
    bool inside = notes_have_place(d);
    if (n && inside)
        move_inside(d, n);
    if (inside) {
        notes_set(d, name, value);
        return;
    }
    if (!n && !value)
        return;
    if (!n) {
        n = node_insert(&d->top, d->top.first, NODE_PI);
        n->name = doc_name(d, target, 0, 0, false);
        n->u.text = "";
    }
    set_outside(d, n, name, value);
}

void shimxml_drop_instructions(struct shimxml_doc *d)
{
    char *values[sizeof names / sizeof *names];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        values[i] = shimxml_annotation(d, names[i]);
    for (struct shimxml_node *n = 0; (n = shimxml_following(shimxml_root(d), n, "MasterComponent"));)
        for (struct shimxml_node *i; (i = instruction_next(n, 0));)
            shimxml_remove(i);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        shimxml_annotate(d, names[i], values[i]);
        free(values[i]);
    }
}

/* ---- contradictions within a file ---- */

/* Must all cores agree on it? Estimates have one method and one list of intervals; predictor, prefetcher and the like
 * may differ between cores. */
static bool of_all_cores(const char *key)
{
    return strcmp(key, "method") == 0 || strcmp(key, "interval") == 0 || strcmp(key, "fitted-interval") == 0;
}

/* What another core, or the processing instruction, says for this key if that differs. The first one found is kept. */
static char *said_otherwise(struct map *said, const char *key, const char *value, const struct shimxml_doc *d)
{
    char *outside = annotation_outside(d, key), *other = 0;
    char *whole = xasprintf("%s=%s", key, value);
    size_t n = strlen(key) + 1;
    for (size_t k = 0; of_all_cores(key) && k < said->n && !other; k++)
        if (strncmp(said->keys[k], whole, n) == 0 && strcmp(said->keys[k], whole) != 0)
            other = xstrdup(said->keys[k] + n);
    if (!other && outside && strcmp(outside, value) != 0)
        other = xstrdup(outside);
    map_number(said, whole);
    free(whole);
    free(outside);
    return other;
}

const struct shimxml_node *annotations_contradiction(const struct shimxml_doc *d, char **other)
{
    struct map said = {0};
    const struct shimxml_node *found = 0;
    *other = 0;
    for (const struct shimxml_node *i = 0; !found && (i = shimxml_following(shimxml_root(d), i, "Instruction"));) {
        char *key, *value;
        if (!note_read(i, &key, &value))
            continue;
        if (strcmp(key, NOTE_SUM) != 0 && (*other = said_otherwise(&said, key, value, d)))
            found = i;
        free(key);
        free(value);
    }
    map_release(&said);
    return found;
}
