/*
 * model_pack.h - a board's model as one file for others: the SHIM file, what it was made from, and the evidence for it. Packs
 * are made (publish), checked (verify), and put as single cores into the SHIM file of a part (merge). docs/formats/pack.md.
 */
#ifndef SHIMGEN_PUBLISH_MODEL_PACK_H
#define SHIMGEN_PUBLISH_MODEL_PACK_H

#include "base/error.h"
#include "boards/boards.h"

/* Packs the results of a build in `folder`, and the board's description, as `path`. The same files give the same bytes.
 * ERR_INPUT: no finished build is there, or one of an earlier version, without provenance.json. */
enum status model_publish(const struct board *b, const char *folder, const char *path, struct error *e) MUST_CHECK;

/* Checks a pack and prints what it was made from, as text or JSON. `samples`: folder of sample sets to compare its
 * programs with; NULL: the product's own. ERR_INPUT: not such a pack; ERR_FOUND: it is one, and something in it is wrong,
 * which was printed. */
enum status model_verify(const char *path, const char *samples, bool json, struct error *e) MUST_CHECK;

/* Writes `skeleton`, a SHIM file of a part or its description (*.ini, docs/formats/machine.md), with the values of packs. An operand is PACK or CORES=PACK, where CORES is a
 * glob of names of cores. A pack's values go to the cores of its architecture that are named by the glob. ERR_INPUT: as
 * model_verify; a core of the part got no values; a pack fits no core; the result is not valid. */
enum status model_merge(const char *skeleton, char *const *operands, size_t n, const char *path,
                        struct error *e) MUST_CHECK;

#endif
