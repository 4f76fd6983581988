/*
 * shim.h - a SHIM document in memory, version 1.0 or 2.0 (IEEE 2804): all elements, attributes, comments and processing
 * instructions, in order.
 *
 *     struct shimxml_doc *d;
 *     shimxml_read(&d, "board.shim.xml", e)                  any SHIM file; keeps line numbers
 *     shimxml_following(shimxml_root(d), 0, "Cache")         the first Cache of the document
 *     shimxml_get(cache, "cacheType"), shimxml_bytes(cache)  its attributes
 *     shimxml_add(master, "ClockFrequency")                  a new element, at the place that the schema wants
 *     shimxml_write(d, "out.xml", e)
 *     shimxml_free(d)
 *
 * Elements and attributes have the names of the official schemas (github.com/openshim/shim, schema/shim/shim.xsd, and
 * openshim/shim2, schema/shim20.xsd; docs/formats/shim.md). The root tells the version. Nodes and texts belong to their
 * document: they are valid until they are removed or the document is freed.
 */
#ifndef SHIMXML_SHIM_H
#define SHIMXML_SHIM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct shimxml_doc;
struct shimxml_node;

/* ---- files ---- */

/* Reads any well-formed XML file of at most 2 GiB; it need not be valid (see shimxml_check). The file is read in pieces
 * and takes about as much memory as its length. Refused with ERR_INPUT and the line: not XML, a DOCTYPE, more than 256
 * levels, a text over 10 MB. The network and external entities are never used. path "-": standard input. Free *out with
 * shimxml_free. */
enum status shimxml_read(struct shimxml_doc **out, const char *path, struct error *e) MUST_CHECK;
/* The same from n bytes in memory; messages use `name`. */
enum status shimxml_parse(struct shimxml_doc **out, const char *text, size_t n, const char *name,
                          struct error *e) MUST_CHECK;
/* A new document with only a root element. Free with shimxml_free. */
struct shimxml_doc *shimxml_doc_new(const char *root);
/* Writes the file as a whole or not at all: four spaces per level, LF, the XML declaration of the official samples.
 * path NULL or "-": standard output. */
enum status shimxml_write(const struct shimxml_doc *d, const char *path, struct error *e) MUST_CHECK;
void shimxml_free(struct shimxml_doc *d);
const char *shimxml_path(const struct shimxml_doc *d); /* the path it was read from */

/* ---- navigation; as a name, NULL means any element ---- */

struct shimxml_node *shimxml_root(const struct shimxml_doc *d);
/* the first child; parent NULL: NULL */
struct shimxml_node *shimxml_child(const struct shimxml_node *parent, const char *name);
struct shimxml_node *shimxml_next(const struct shimxml_node *n, const char *name); /* the next sibling */
struct shimxml_node *shimxml_parent(const struct shimxml_node *n);                 /* NULL for the root */
/* The next element after `n` in document order, among `top` and everything below it. n NULL: the first, which may be
 * `top`. */
struct shimxml_node *shimxml_following(const struct shimxml_node *top, const struct shimxml_node *n, const char *name);
/* The nearest element with this name around `n`, or NULL. */
struct shimxml_node *shimxml_owner(const struct shimxml_node *n, const char *name);
/* The first element with this id; NULL: there is none. */
struct shimxml_node *shimxml_by_id(const struct shimxml_doc *d, const char *id);
/* The element that a reference means: attribute `name` of `n`, or n's text if name is NULL (cacheRef). NULL: there is
 * none. */
struct shimxml_node *shimxml_target(const struct shimxml_node *n, const char *name);

/* ---- content of an element ---- */

const char *shimxml_name(const struct shimxml_node *n); /* the element's name: "Cache" */
bool shimxml_is(const struct shimxml_node *n, const char *name);
unsigned long shimxml_line(const struct shimxml_node *n); /* 0: it was added, not read */
/* The value of an attribute; NULL: the element does not have it. */
const char *shimxml_get(const struct shimxml_node *n, const char *attribute);
/* The name and value of the i-th attribute, in the order of the file; NULL after the last. */
const char *shimxml_attribute(const struct shimxml_node *n, size_t i, const char **value);
/* The value as a number. NAN: no such attribute, not a number, or n is NULL. */
double shimxml_number(const struct shimxml_node *n, const char *attribute);
/* Attribute size in sizeUnit, converted to bytes; 0: absent or not a number. */
double shimxml_bytes(const struct shimxml_node *n);
/* The text content without surrounding spaces. The caller frees it. */
char *shimxml_text(const struct shimxml_node *n);
/* The XPath of the element: "/SystemConfiguration/ComponentSet[2]/Cache[1]". The caller frees it. */
char *shimxml_path_of(const struct shimxml_node *n);

/* ---- selection by path ---- */

/* The selected elements, and the attribute of them that the path names; NULL: the elements themselves. Free with
 * shimxml_selection_release. */
struct shimxml_selection {
    struct shimxml_node **at;
    size_t n;
    char *attribute;
};
/* Selects elements by a subset of XPath: /SystemConfiguration//Cache[@name='L2'][1]/@size. It has the steps / and //,
 * names and *, the conditions [number] and [@attribute='value'], and /@attribute at the end. ERR_INPUT: not such a
 * path, or it selects nothing. */
enum status shimxml_select(struct shimxml_selection *out, const struct shimxml_doc *d, const char *path,
                           struct error *e) MUST_CHECK;
void shimxml_selection_release(struct shimxml_selection *s);
/* Sets all selected attributes to `value`. ERR_INPUT: the schema does not allow it; then nothing is changed. */
enum status shimxml_assign(const struct shimxml_doc *d, const struct shimxml_selection *at, const char *value,
                           struct error *e) MUST_CHECK;

/* ---- editing ---- */

/* Adds a child at its place in the order of the schema, after others of its name. */
struct shimxml_node *shimxml_add(struct shimxml_node *parent, const char *name);
/* The first child with this name; it is added if there is none. */
struct shimxml_node *shimxml_need(struct shimxml_node *parent, const char *name);
/* Sets an attribute; a new one goes to its place in the order of the schema. value NULL: removes it. */
void shimxml_set(struct shimxml_node *n, const char *attribute, const char *value);
void shimxml_setf(struct shimxml_node *n, const char *attribute, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Writes an xs:float: the shortest text that reads back as the same single-precision value. */
void shimxml_set_number(struct shimxml_node *n, const char *attribute, double value);
void shimxml_set_text(struct shimxml_node *n, const char *text); /* replaces everything in the element */
/* removes the element and everything in it; not the root */
void shimxml_remove(struct shimxml_node *n);
void shimxml_clear(struct shimxml_node *n); /* removes everything in the element, comments too */
/* Adds a comment to `parent`, before its child `before`; NULL: at the end. Text that a comment cannot contain is
 * replaced. */
void shimxml_comment(struct shimxml_node *parent, struct shimxml_node *before, const char *text);

#ifdef __cplusplus
}
#endif

#endif
