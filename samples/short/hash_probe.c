/*
 * hash_probe - twelve identifiers entered into a table of 32 with open addressing, and looked up again.
 *
 * Truth: each is found with the value it was entered with.
 * Work: 24 times an identifier is multiplied and compared: 48.
 */
#include "../sample.h"

enum { N = 12, PLACES = 32 };
static uint32_t names[N], keys[PLACES];
static int values[PLACES], found[N];

static unsigned place_of(uint32_t name)
{
    unsigned place = name * 2654435769U >> 27;

    while (keys[place] && keys[place] != name)
        place = (place + 1) % PLACES;
    return place;
}

int main(void)
{
    int wrong = 0;

    memset(keys, 0, sizeof keys);
    for (uint32_t i = 0; i < N; i++)
        names[i] = 0x100 + i * i * 37;
    SHIM_KEEP(keys);
    SHIM_KEEP(names);
    shim_region_begin("hash_probe");
    for (int i = 0; i < N; i++) {
        unsigned place = place_of(names[i]);

        keys[place] = names[i];
        values[place] = i;
    }
    SHIM_KEEP(keys);
    for (int i = 0; i < N; i++)
        found[i] = values[place_of(names[i])];
    SHIM_KEEP(found);
    shim_region_end("hash_probe");
    for (int i = 0; i < N; i++)
        wrong += found[i] != i;
    return sample_verdict_int("lost", wrong, 0);
}
