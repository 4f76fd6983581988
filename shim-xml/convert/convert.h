/* convert.h - what both ways of conversion share: elements copied in the order of the other schema, ids, what is left
 * out. Private to shim-xml. */
#ifndef SHIMXML_CONVERT_CONVERT_H
#define SHIMXML_CONVERT_CONVERT_H

#include "base/str.h"
#include "shim-xml/values/merge_model.h"
#include "shim-xml/document/doc.h"

struct converting;
typedef void convert_copier(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from);

struct converting {
    const struct shimxml_doc *from;
    struct shimxml_doc *to;
    struct shimxml_left_out *left;
    struct map left_index;     /* what is left out -> its number in `left` */
    struct map new_ids;        /* element that has none and needs one, by address -> its number in `ids` */
    VEC(char *) ids;           /* owned */
    const struct model *model; /* widths and units; NULL: none */
    VEC(double) clocks;        /* to SHIM 2.0: of each domain [Hz] */
    struct map owner_of;       /* to SHIM 1.0: cache by address -> its number in `owners` */
    VEC(const struct shimxml_node *) owners; /* the only core that names it; NULL: there are several */
    const char *kind;                        /* of convert_tree_with */
    convert_copier *copy;
};

/* ---- elements; all are put after what is there ---- */

struct shimxml_node *convert_append(const struct converting *c, struct shimxml_node *parent, const char *name);
/* One of the same name, with the attributes that the other schema has. */
struct shimxml_node *convert_element(struct converting *c, struct shimxml_node *parent,
                                     const struct shimxml_node *from);
/* The same with all in it, in the other schema's order. */
void convert_tree(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from);
/* The same, but for elements of one kind in it, which have a copier of their own. */
void convert_tree_with(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from,
                       const char *kind, convert_copier *copy);
/* The children of one kind, and the comments before each; copy NULL: only those. kind NULL: what follows the last
 * element. */
void convert_children(struct converting *c, struct shimxml_node *to, const struct shimxml_node *from, const char *kind,
                      convert_copier *copy);
/* An element that names this one: bare, whatever the reference looked like. */
void convert_reference(struct converting *c, struct shimxml_node *parent, const char *name,
                       const struct shimxml_node *target);

/* ---- ids ---- */

/* What a document of the other version must have and this one has not. */
void convert_make_ids(struct converting *c);
/* The id of an element of `from` in `to`; NULL: it has none. */
const char *convert_id(const struct converting *c, const struct shimxml_node *n);

/* ---- what the other version cannot hold ---- */

/* A size of 32 bits, in a larger unit where it needs more. */
void convert_fit_size(struct shimxml_node *n);
void convert_leave_out(struct converting *c, const char *what);
void convert_leave_out_attribute(struct converting *c, const struct shimxml_node *n, const char *attribute);
void convert_leave_out_tree(struct converting *c, const struct shimxml_node *from); /* by the elements' names */

/* ---- the two ways ---- */

void convert_to_two(struct converting *c);
/* Parts of it: the root with the namespace and the name of `from`; a FrequencyVoltageSet of the clocks; the kind of
 * communication that stays. */
struct shimxml_node *convert_root_of_two(struct converting *c, struct shimxml_node *top,
                                         const struct shimxml_node *from);
void convert_add_frequencies(struct converting *c, struct shimxml_node *system);
void convert_communications(struct converting *c, struct shimxml_node *system, const struct shimxml_node *from);
/* SHIM 2.0 of whatever form in that of the schema. */
void convert_to_schema(struct converting *c);
/* SHIM 2.0 in the form of the schema, in place, as the Editor loads it. */
void convert_to_editors(struct converting *c);
void convert_to_one(struct converting *c);

#endif
