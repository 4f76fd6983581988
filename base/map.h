/*
 * map.h - a map from strings to numbers that keeps the order of insertion: `keys[i]` has value `values[i]`. Used to
 * number things by name. All zeros is an empty map.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map {
    char **keys; /* owned; in order of insertion */
    size_t *values;
    size_t n;
    size_t cap;
    size_t *slots; /* open addressing: index + 1, 0 empty */
    size_t n_slots;
};

bool map_get(const struct map *m, const char *key, size_t *value); /* value may be NULL */
void map_put(struct map *m, const char *key, size_t value);        /* adds or replaces; key is copied */
/* The value of `key`. A new key is added with the value m->n, so that keys are numbered 0, 1, 2 ... */
size_t map_number(struct map *m, const char *key);
void map_release(struct map *m);

/* FNV-1a, 64 bit (Fowler, Noll, Vo; offset basis 0xcbf29ce484222325, prime 0x100000001b3). */
#define HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n);
uint64_t hash_text(uint64_t h, const char *text); /* includes the NUL, so that joined texts differ */

#endif
