/* kit_images.h - the programs of a kit on as few images as hold them. */
#ifndef SHIMGEN_KIT_KIT_IMAGES_H
#define SHIMGEN_KIT_KIT_IMAGES_H

#include "shimgen/kit/part_fit.h"

struct kit_image {
    VEC(const struct part_item *) items; /* borrowed from the fit */
    size_t flash, ram;                   /* [bytes] of all of them */
};
struct kit_images {
    const struct part_fit *fit; /* borrowed */
    VEC(struct kit_image) at;
    size_t n_programs;
};
/* First fit, the largest first (Johnson 1973: at most 11/9 of the fewest, and 2/3 more): by RAM, then flash. Within an
 * image the programs are in the units' order. */
void kit_images_pack(struct kit_images *out, const struct part_fit *fit, const struct board *b);
void kit_images_release(struct kit_images *k);

#endif
