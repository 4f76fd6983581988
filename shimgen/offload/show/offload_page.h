/* offload_page.h - what is worth an accelerator as one page that works offline. */
#ifndef SHIMGEN_OFFLOAD_SHOW_OFFLOAD_PAGE_H
#define SHIMGEN_OFFLOAD_SHOW_OFFLOAD_PAGE_H

#include <stdio.h>

#include "shimgen/offload/offload.h"

void offload_page(const struct offload_print *p, FILE *f);

#endif
