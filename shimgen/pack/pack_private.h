/* pack_private.h - between the files of packs only. */
#ifndef SHIMGEN_PACK_PACK_PRIVATE_H
#define SHIMGEN_PACK_PACK_PRIVATE_H

#include "shimgen/pack/pack.h"

#define PACK_FORMAT "shimgen-pack"
#define PACK_INDEX  "pack.json"
enum { PACK_VERSION = 1, PACK_LONGEST_NAME = 200 };

#endif
