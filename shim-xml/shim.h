/*
 * shim.h - a SHIM document in memory, of version 1.0 or 2.0 (IEEE 2804): every element, attribute, comment and
 * processing instruction, in order.
 *
 *     struct shimxml_doc *d;
 *     shimxml_read(&d, "board.shim.xml", e)                  any SHIM file; line numbers are kept
 *     shimxml_following(shimxml_root(d), 0, "Cache")         the first Cache of the document
 *     shimxml_get(cache, "cacheType"), shimxml_bytes(cache)  what it says
 *     shimxml_add(master, "ClockFrequency")                  a new element, where the schema wants it
 *     shimxml_write(d, "out.xml", e)
 *     shimxml_free(d)
 *
 * Elements and attributes go by the names of the official schemas (github.com/openshim/shim, schema/shim/shim.xsd, and
 * openshim/shim2, schema/shim20.xsd; docs/formats/shim.md); the root says which version it is. Nodes and texts belong
 * to their document; they live until it is freed or they are removed.
 */
#ifndef SHIMXML_SHIM_H
#define SHIMXML_SHIM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct shimxml_doc;
struct shimxml_node;

/* ---- files ---- */

/* Any well-formed XML file of at most 2 GiB; it need not be valid (see shimxml_check). It is read piece by piece, into
 * about as much memory as it is long. No network, no external entities; a DOCTYPE is refused, more than 256 levels and
 * texts over 10 MB too. ERR_INPUT: not XML, with the line. path "-": standard input. shimxml_free. */
enum status shimxml_read(struct shimxml_doc **out, const char *path, struct error *e) MUST_CHECK;
/* The same from memory; `name` stands in messages. */
enum status shimxml_parse(struct shimxml_doc **out, const char *text, size_t n, const char *name,
                          struct error *e) MUST_CHECK;
/* A document with nothing but this root. */
struct shimxml_doc *shimxml_doc_new(const char *root);
/* Atomic; four blanks a level, LF, the declaration of the official samples. path NULL or "-": standard output. */
enum status shimxml_write(const struct shimxml_doc *d, const char *path, struct error *e) MUST_CHECK;
void shimxml_free(struct shimxml_doc *d);
const char *shimxml_path(const struct shimxml_doc *d); /* as it was read */

/* ---- walking; where a name is asked for, NULL means any element ---- */

struct shimxml_node *shimxml_root(const struct shimxml_doc *d);
struct shimxml_node *shimxml_child(const struct shimxml_node *parent, const char *name); /* the first; of NULL: NULL */
struct shimxml_node *shimxml_next(const struct shimxml_node *n, const char *name);       /* sibling behind it */
struct shimxml_node *shimxml_parent(const struct shimxml_node *n);                       /* NULL: it is the root */
/* In document order, the first behind `n` that stands in `top`, at any depth; n NULL: the first, `top` included. */
struct shimxml_node *shimxml_following(const struct shimxml_node *top, const struct shimxml_node *n, const char *name);
/* The nearest element so called that `n` stands in, or NULL. */
struct shimxml_node *shimxml_owner(const struct shimxml_node *n, const char *name);
/* The element with this id, the first of several; NULL: there is none. */
struct shimxml_node *shimxml_by_id(const struct shimxml_doc *d, const char *id);
/* What an attribute that is a reference means (name NULL: the text of a cacheRef); NULL: nothing. */
struct shimxml_node *shimxml_target(const struct shimxml_node *n, const char *name);

/* ---- what an element says ---- */

const char *shimxml_name(const struct shimxml_node *n); /* of its kind: "Cache" */
bool shimxml_is(const struct shimxml_node *n, const char *name);
unsigned long shimxml_line(const struct shimxml_node *n); /* 0: it was made, not read */
/* An attribute's value; NULL: it has none. */
const char *shimxml_get(const struct shimxml_node *n, const char *attribute);
/* The i-th attribute, in the order of the file; NULL past the last. */
const char *shimxml_attribute(const struct shimxml_node *n, size_t i, const char **value);
/* As a number; NAN when absent or none, or without a node. */
double shimxml_number(const struct shimxml_node *n, const char *attribute);
/* size in sizeUnit [bytes]; 0 when absent or none. */
double shimxml_bytes(const struct shimxml_node *n);
/* Text content without blanks round it; the caller frees. */
char *shimxml_text(const struct shimxml_node *n);
/* "/SystemConfiguration/ComponentSet[2]/Cache[1]" as XPath writes it; the caller frees. */
char *shimxml_path_of(const struct shimxml_node *n);

/* ---- by path ---- */

/* Elements, and the attribute of them that is meant; NULL: they themselves. shimxml_selection_release. */
struct shimxml_selection {
    struct shimxml_node **at;
    size_t n;
    char *attribute;
};
/* The part of XPath that names elements: /SystemConfiguration//Cache[@name='L2'][1]/@size; steps / and //, names and *,
 * conditions [number] and [@attribute='value'], at the end /@attribute. ERR_INPUT: no such path, or nothing is there.
 */
enum status shimxml_select(struct shimxml_selection *out, const struct shimxml_doc *d, const char *path,
                           struct error *e) MUST_CHECK;
void shimxml_selection_release(struct shimxml_selection *s);
/* Gives all of them this value. ERR_INPUT, and nothing is changed: the schema does not allow it. */
enum status shimxml_assign(const struct shimxml_doc *d, const struct shimxml_selection *at, const char *value,
                           struct error *e) MUST_CHECK;

/* ---- changing ---- */

/* A new child at its place in the order of the schema, behind others of its kind. */
struct shimxml_node *shimxml_add(struct shimxml_node *parent, const char *name);
/* The first child so called, else a new one. */
struct shimxml_node *shimxml_need(struct shimxml_node *parent, const char *name);
/* NULL: takes the attribute away. A new one stands at its place in the order of the schema. */
void shimxml_set(struct shimxml_node *n, const char *attribute, const char *value);
void shimxml_setf(struct shimxml_node *n, const char *attribute, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* As xs:float, the shortest that reads back as the same single-precision value. */
void shimxml_set_number(struct shimxml_node *n, const char *attribute, double value);
void shimxml_set_text(struct shimxml_node *n, const char *text); /* instead of all that is in it */
void shimxml_remove(struct shimxml_node *n);                     /* with all in it; not the root */
void shimxml_clear(struct shimxml_node *n);                      /* all that is in it, comments too */
/* A comment in `parent` before its child `before`; NULL: behind all. What may not stand in a comment is replaced. */
void shimxml_comment(struct shimxml_node *parent, struct shimxml_node *before, const char *text);

#endif
