/* traffic.h - the data that instructions read and write, from their keys. Internal to blocks. */
#ifndef SHIMGEN_BLOCKS_TRAFFIC_H
#define SHIMGEN_BLOCKS_TRAFFIC_H

#include <stdbool.h>

struct traffic {
    unsigned read, written; /* [bytes] each time */
    bool copy;              /* moves data whose size the key does not say */
};
/* pointer: bytes of a pointer of the target. */
struct traffic traffic_of(const char *key, unsigned pointer);
/* Of a target triple: 8, or 4. */
unsigned traffic_pointer(const char *triple);

#endif
