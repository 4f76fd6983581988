/* notes.h - annotations as Instructions: <Instruction name="shimgen:method=schedule"> with a Performance of 0. In SHIM
 * 1.0 nothing but elements and attributes survives the reference tools, and a core's instruction set has no place for
 * anything but Instructions. Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_NOTES_H
#define SHIMXML_DOCUMENT_NOTES_H

#include "shim-xml/document/doc.h"

#define NOTE_SUM "values" /* key of the sum over a core's values (values/seal.h), which each core has its own of */

bool note_is(const struct shimxml_node *instruction);
bool note_is_name(const char *name); /* of an Instruction */
/* The value that this Instruction gives to `key`; NULL: it is no note, or one of another key. The caller frees it. */
char *note_of(const struct shimxml_node *instruction, const char *key);
/* The note of this key in a core's instruction set, or NULL. */
struct shimxml_node *note_in(const struct shimxml_node *core, const char *key);
/* The first core's. The caller frees it; NULL: no core has such a note. */
char *notes_value(const struct shimxml_doc *d, const char *key);
/* Cores with an instruction set, which notes can stand in. */
bool notes_have_place(const struct shimxml_doc *d);
void note_set(struct shimxml_node *core, const char *key, const char *value); /* NULL: removes it */
/* In all cores that have an instruction set. */
void notes_set(struct shimxml_doc *d, const char *key, const char *value);
/* Removes notes of the same key as this name's, but of another name, from a core's set. */
void note_make_way(struct shimxml_node *core, const char *name);
/* Key and value of a note, which the caller frees; false: the Instruction is none. */
bool note_read(const struct shimxml_node *instruction, char **key, char **value);

#endif
