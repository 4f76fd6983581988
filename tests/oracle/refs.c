/* Open addressing; never more than half full. */
#include "refs.h"

#include <stdlib.h>

#include "base/alloc.h"

static struct ref *place(const struct refs *r, const void *key)
{
    size_t i = ((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (r->size - 1);
    while (r->at[i].key && r->at[i].key != key)
        i = (i + 1) & (r->size - 1);
    return &r->at[i];
}

bool refs_get(const struct refs *r, const void *key, uint64_t *value)
{
    const struct ref *found = r->size ? place(r, key) : NULL;
    if (!found || !found->key)
        return false;
    *value = found->value;
    return true;
}

void refs_put(struct refs *r, const void *key, uint64_t value)
{
    struct ref *p;

    if (2 * (r->n + 1) > r->size) {
        struct refs old = *r;
        r->size = old.size ? 2 * old.size : 64;
        r->at = xcalloc(r->size, sizeof *r->at);
        for (size_t i = 0; i < old.size; i++)
            if (old.at[i].key)
                *place(r, old.at[i].key) = old.at[i];
        free(old.at);
    }
    p = place(r, key);
    r->n += p->key == NULL;
    p->key = key;
    p->value = value;
}

void refs_release(struct refs *r)
{
    free(r->at);
    *r = (struct refs){0, 0, 0};
}
