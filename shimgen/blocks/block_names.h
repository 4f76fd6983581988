/*
 * block_names.h - the systems of a model: its name, and what "<S1>" stands for. Generated headers say it in a comment:
 * "Here is the system hierarchy for this model  '<Root>' : 'controller'  '<S1>' : 'controller/Speed'".
 */
#ifndef SHIMGEN_BLOCKS_BLOCK_NAMES_H
#define SHIMGEN_BLOCKS_BLOCK_NAMES_H

#include "shimgen/blocks/block_tree.h"

/* The model that a file's first comment says it is generated for, or NULL; the caller frees. */
char *system_model(const char *comment);
/* Takes the hierarchy from a comment, if it has one. *going, false at first: the comments before were part of one, so
 * that comments of the form // each have a line of it. */
void system_read(struct tree *t, const char *model, const char *comment, bool *going);
/* Looks for it in the headers beside a source: MODEL.h, and that of the source's own name. None there: nothing happens.
 */
void system_headers(struct tree *t, const char *source, const char *model);
/* Looks for it in a header that the program's debug information names, for the model that the header says it is of, else
 * the one that has the header's name. */
void system_header(struct tree *t, const char *path);
/* A sentence for each model whose systems have numbers and no names, into the tree's findings. */
void system_note_unnamed(struct tree *t);
/* Gives each block the name of its system: "<S1>/Gain" is in "controller/Speed", else in "<S1>". After all sources and
 * headers were read, once. */
void systems_name(struct tree *t);

#endif
