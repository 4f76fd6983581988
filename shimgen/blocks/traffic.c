/* traffic.c - bytes that loads and stores transfer, by their keys. */
#include "shimgen/blocks/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "base/target.h"

/* Size of a value in memory in bytes; 0: not known. */
static unsigned type_size(const struct ir_type *t, unsigned pointer)
{
    enum { WIDEST = 8192, MOST_LANES = 4096 };
    unsigned bytes = t->kind == IR_TYPE_POINTER ? pointer : 1;
    while (t->kind != IR_TYPE_POINTER && 8 * bytes < t->bits && bytes < WIDEST / 8)
        bytes *= 2;
    bool known = t->kind == IR_TYPE_POINTER || (t->bits && t->bits <= WIDEST);
    return !known || t->scalable || t->lanes > MOST_LANES ? 0 : bytes * (t->lanes ? t->lanes : 1);
}

struct traffic traffic_of(const char *key, unsigned pointer)
{
    struct ir_key k = ir_key(key);
    bool reads = k.class == IR_CLASS_LOAD || k.class == IR_CLASS_ATOMIC;
    bool writes = k.class == IR_CLASS_STORE || k.class == IR_CLASS_ATOMIC;
    if ((reads || writes) && k.type.kind != IR_TYPE_NONE) {
        unsigned size = type_size(&k.type, pointer);
        return (struct traffic){reads ? size : 0, writes ? size : 0, !size};
    }
    bool moves = k.form == IR_INTRINSIC && ir_intrinsic_moves_memory(k.name, k.n_name);
    return (struct traffic){0, 0, moves};
}

unsigned traffic_pointer(const char *triple)
{
    if (strstr(triple, "_ilp32") || strstr(triple, "gnux32"))
        return 4;
    return target_find(triple)->pointer;
}
