/* refs.h - pointers to numbers: what the interpreter knows of LLVM's objects. Zero-initialised is empty. */
#ifndef ORACLE_REFS_H
#define ORACLE_REFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct refs {
    struct ref {
        const void *key; /* NULL: free */
        uint64_t value;
    } * at;
    size_t n, size; /* size: a power of two, or 0 */
};

bool refs_get(const struct refs *r, const void *key, uint64_t *value);
void refs_put(struct refs *r, const void *key, uint64_t value); /* adds or replaces */
void refs_release(struct refs *r);

#endif
