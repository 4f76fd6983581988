/* units.h - the processing units that a merge is for. Private to shim-xml. */
#ifndef SHIMXML_VALUES_UNITS_H
#define SHIMXML_VALUES_UNITS_H

#include "shim-xml/document/doc.h"

#define MERGE_MARK " Instruction values: " /* begins the comment that says where values come from */

bool unit_is(const struct shimxml_node *n); /* a MasterComponent of masterType PU with a name */
bool unit_is_wanted(const struct shimxml_node *unit, const struct shimxml_units *which);
/* The error that none is wanted; it names those that there are. */
enum status unit_none(const struct shimxml_doc *d, const struct shimxml_units *which, struct error *e);
/* Its instruction set, new where there is none. */
struct shimxml_node *unit_instructions(struct shimxml_node *unit);
/* Puts the comment at the head of an instruction set; that of an earlier merge goes, unless only a part was merged. */
void unit_comment(struct shimxml_node *set, const char *text, const struct shimxml_units *which);
/* The document has got instruction values for this method in `units` units. ERR_INPUT: it has others, for another. */
enum status method_of_values(struct shimxml_doc *d, const char *method, const struct shimxml_units *which, size_t units,
                             struct error *e) MUST_CHECK;
/* A core that has got another file's values: what that says of them is in no interval yet. */
void intervals_remove(struct shimxml_node *core);
/* The same of how sure estimates by the new values are: the text of the annotation "interval", and that of
 * "fitted-interval", for costs of counts beside times. NULL: not known. Where other units keep their values, it becomes what holds for both, or nothing. */
void intervals_of_values(struct shimxml_doc *d, const char *text, const char *text_of_fitted,
                         const struct shimxml_units *which, size_t units);
void intervals_of_model(struct shimxml_doc *d, const struct shimxml_interval *list, size_t n,
                        const struct shimxml_units *which, size_t units);
bool unit_part_is_wanted(const struct shimxml_units *which, const char *part); /* "Pitch", "Latency" */
/* Gives a Performance the values of another: best, typical and worst as they are written there, and none where none is.
 * Of a new one both parts, since the schema wants both. */
void unit_copy_values(struct shimxml_node *to, const struct shimxml_node *from, const struct shimxml_units *which);

#endif
