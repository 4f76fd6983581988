/* amalthea_names.h - names and references of AMALTHEA models (docs/formats/amalthea.md). */
#ifndef SHIMGEN_BLOCKS_AMALTHEA_NAMES_H
#define SHIMGEN_BLOCKS_AMALTHEA_NAMES_H

#include "base/map.h"
#include "base/str.h"

/* What a model begins and ends with. */
void amalthea_begin(struct str *out);
void amalthea_end(struct str *out);
/* ' attribute="NAME?type=TYPE"', the name encoded as java.net.URLEncoder does. */
void amalthea_reference(struct str *out, const char *attribute, const char *name, const char *type);
/* A name that nothing of this type has yet: the name, else "NAME (2)". taken: of all so far. The caller frees. */
char *amalthea_own_name(struct map *taken, const char *type, const char *name);

#endif
