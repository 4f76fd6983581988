/* page_frame.h - what all pages begin and end with: a page is one file, works offline, and loads nothing. */
#ifndef SHIMGEN_PAGE_PAGE_FRAME_H
#define SHIMGEN_PAGE_PAGE_FRAME_H

#include <stddef.h>

#include "base/str.h"

struct page_head {
    const char *title;
    const char *version; /* of shimgen, for <meta name="generator">; NULL: none */
    const void *style;   /* further rules after the common ones; NULL: none */
    size_t style_size;   /* [bytes] */
    const char *body;    /* class of <body>; NULL: none */
};
/* Writes all up to <body>: a policy that forbids loading anything, and the style sheet. */
void page_begin(struct str *out, const struct page_head *h);
/* Data for the page's script, or for programs that read the page, as <script type="application/json">. */
void page_data_json(struct str *out, const char *id, const char *json);
/* Ends the page with a script. page_end: the one that all pages of shimgen share. */
void page_end(struct str *out);
void page_end_with(struct str *out, const void *script, size_t size);

#endif
