/* map.c - a hash table from strings to numbers. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

uint64_t hash_text(uint64_t h, const char *text)
{
    return hash_bytes(h, text, strlen(text) + 1);
}

/* The slot that holds `key`, or the free slot where it belongs. n_slots is a power of two, and the table is never
 * full. */
static size_t *slot_of(const struct map *m, const char *key)
{
    size_t mask = m->n_slots - 1;
    size_t i = (size_t)hash_text(HASH_START, key) & mask;
    while (m->slots[i] && strcmp(m->keys[m->slots[i] - 1], key) != 0)
        i = (i + 1) & mask;
    return &m->slots[i];
}

static void grow_slots(struct map *m)
{
    m->n_slots = m->n_slots ? m->n_slots * 2 : 16;
    free(m->slots);
    m->slots = xcalloc(m->n_slots, sizeof *m->slots);
    for (size_t i = 0; i < m->n; i++)
        *slot_of(m, m->keys[i]) = i + 1;
}

bool map_get(const struct map *m, const char *key, size_t *value)
{
    if (!m->n)
        return false;
    size_t slot = *slot_of(m, key);
    if (slot && value)
        *value = m->values[slot - 1];
    return slot != 0;
}

void map_put(struct map *m, const char *key, size_t value)
{
    if ((m->n + 1) * 4 > m->n_slots * 3)
        grow_slots(m);
    size_t *slot = slot_of(m, key);
    if (*slot) {
        m->values[*slot - 1] = value;
        return;
    }
    size_t cap = m->cap;
    m->keys = vec_grow(m->keys, &cap, m->n + 1, sizeof *m->keys);
    m->values = vec_grow(m->values, &m->cap, m->n + 1, sizeof *m->values);
    m->keys[m->n] = xstrdup(key);
    m->values[m->n] = value;
    *slot = ++m->n;
}

size_t map_number(struct map *m, const char *key)
{
    size_t number = m->n;
    if (!map_get(m, key, &number))
        map_put(m, key, number);
    return number;
}

void map_release(struct map *m)
{
    for (size_t i = 0; i < m->n; i++)
        free(m->keys[i]);
    free(m->keys);
    free(m->values);
    free(m->slots);
    *m = (struct map){0};
}
