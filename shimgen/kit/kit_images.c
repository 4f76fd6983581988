/* kit_images.c - assigns programs to images. */
#include "shimgen/kit/kit_images.h"

#include <stdlib.h>

static int larger_first(const void *a, const void *b)
{
    const struct part_item *x = *(const struct part_item *const *)a, *y = *(const struct part_item *const *)b;
    if (x->ram != y->ram)
        return x->ram < y->ram ? 1 : -1;
    if (x->flash != y->flash)
        return x->flash < y->flash ? 1 : -1;
    return (x > y) - (x < y);
}

static int by_order(const void *a, const void *b)
{
    const struct part_item *x = *(const struct part_item *const *)a, *y = *(const struct part_item *const *)b;
    return (x > y) - (x < y);
}

/* Puts the program on the first image with room for it, or on a new one. */
static void put(struct kit_images *k, const struct part_item *x, size_t flash, size_t ram)
{
    size_t i = 0;
    while (i < k->at.n && (k->at.at[i].flash + x->flash > flash || k->at.at[i].ram + x->ram > ram))
        i++;
    if (i == k->at.n)
        vec_push(&k->at, (struct kit_image){.flash = 0});
    struct kit_image *image = &k->at.at[i];
    vec_push(&image->items, x);
    image->flash += x->flash;
    image->ram += x->ram;
}

void kit_images_pack(struct kit_images *out, const struct part_fit *fit, const struct board *b)
{
    /* a row of the table of programs, with its name */
    enum { ROW_BYTES = 64 };
    const size_t flash = part_room(b->part.flash, fit->kit_flash),
                 ram = part_room(b->part.ram, fit->kit_ram + b->part.stack);
    const struct part_item **fitting = xcalloc(fit->items.n + 1, sizeof *fitting);
    size_t rows = 0;
    *out = (struct kit_images){.fit = fit};
    for (size_t i = 0; i < fit->items.n; i++)
        if (!fit->items.at[i].why)
            fitting[out->n_programs++] = &fit->items.at[i];
    rows = out->n_programs * ROW_BYTES;
    if (out->n_programs)
        qsort(fitting, out->n_programs, sizeof *fitting, larger_first);
    for (size_t i = 0; i < out->n_programs; i++)
        put(out, fitting[i], flash > 2 * rows ? flash - rows : flash, ram);
    for (size_t i = 0; i < out->at.n; i++)
        qsort(out->at.at[i].items.at, out->at.at[i].items.n, sizeof(struct part_item *), by_order);
    free(fitting);
}

void kit_images_release(struct kit_images *k)
{
    for (size_t i = 0; i < k->at.n; i++)
        vec_release(&k->at.at[i].items);
    vec_release(&k->at);
}
