/* model_private.h - between the files of model packs only. */
#ifndef SHIMGEN_PUBLISH_MODEL_PRIVATE_H
#define SHIMGEN_PUBLISH_MODEL_PRIVATE_H

#include <jansson.h>

#include "boards/boards.h"
#include "shimgen/publish/model_pack.h"

#define MODEL_KIND       "model"
#define MODEL_PROVENANCE "provenance.json"
#define MODEL_SUMS       "checksums.csv"

/* A pack that was unpacked and whose index is of a model. */
struct model {
    json_t *index;
    json_t *provenance;
    char *folder; /* temporary */
    char *shim;   /* path of the SHIM file in it */
    struct measurements *measured;
};
/* ERR_INPUT: not a model's pack, or a file in it that every one has is missing or cannot be read. model_close in any
 * case. */
enum status model_open(struct model *m, const char *path, struct error *e) MUST_CHECK;
void model_close(struct model *m);

#endif
