/* The counters of the keys, and what regions make of them. */
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"

uint64_t *counters;

static struct map keys; /* key -> index of its counter - 1 */

struct region {
    const char *name;
    unsigned depth;
    uint64_t *start; /* the counters at the outermost begin */
    uint64_t *sum;
};
static VEC(struct region) regions;
static VEC(size_t) open_regions; /* the brackets */

unsigned counter_of(const char *key)
{
    return (unsigned)map_number(&keys, key) + 1;
}
void counters_ready(void)
{
    counters = xcalloc(keys.n + 1, sizeof *counters);
}

void region_begin(const char *name)
{
    size_t i = 0;
    struct region *r;

    while (i < regions.n && strcmp(regions.at[i].name, name) != 0)
        i++;
    if (i == regions.n)
        vec_push(&regions, (struct region){xstrdup(name), 0, xcalloc(keys.n + 1, sizeof *counters),
                                           xcalloc(keys.n + 1, sizeof *counters)});
    r = &regions.at[i];
    if (r->depth++ == 0)
        memcpy(r->start, counters, (keys.n + 1) * sizeof *counters);
    vec_push(&open_regions, i);
}

void region_end(const char *name)
{
    struct region *r;

    if (open_regions.n == 0)
        refuse("region '%s' is ended, but none is open", name);
    r = &regions.at[open_regions.at[open_regions.n - 1]];
    if (strcmp(r->name, name) != 0)
        refuse("region '%s' is ended while '%s' is open inside it", name, r->name);
    open_regions.n--;
    if (--r->depth == 0)
        for (size_t k = 1; k <= keys.n; k++)
            r->sum[k] += counters[k] - r->start[k];
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct region *)a)->name, ((const struct region *)b)->name);
}
static int by_key(const void *a, const void *b)
{
    return strcmp(keys.keys[*(const size_t *)a], keys.keys[*(const size_t *)b]);
}

static void region_write(FILE *out, const char *name, const uint64_t *sum, const size_t *order)
{
    for (size_t i = 0; i < keys.n; i++)
        if (sum[order[i] + 1])
            fprintf(out, "%s,%s,%llu\n", name, keys.keys[order[i]], (unsigned long long)sum[order[i] + 1]);
}

void counts_write(const char *path, bool total)
{
    FILE *out = path ? fopen(path, "w") : stdout;
    size_t *order = xcalloc(keys.n + 1, sizeof *order);

    if (!out)
        refuse("%s cannot be written", path);
    if (open_regions.n)
        refuse("the program ended inside region '%s'", regions.at[open_regions.at[open_regions.n - 1]].name);
    for (size_t i = 0; i < keys.n; i++)
        order[i] = i;
    qsort(order, keys.n, sizeof *order, by_key);
    if (regions.n)
        qsort(regions.at, regions.n, sizeof *regions.at, by_name);
    fprintf(out, "region,key,count\n");
    if (total || regions.n == 0)
        region_write(out, regions.n ? "(program)" : "main", counters, order);
    for (size_t i = 0; i < regions.n; i++)
        region_write(out, regions.at[i].name, regions.at[i].sum, order);
    if (fflush(out) || ferror(out) || (path && fclose(out)))
        refuse("%s: the counts could not be written", path ? path : "stdout");
    free(order);
}
