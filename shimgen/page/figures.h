/*
 * figures.h - numbers as people read them: grouped, rounded to what matters, with
 * their unit. Each appends plain text that needs no escaping (UTF-8: U+202F between
 * thousands and before units, U+2212 as minus). A number that is not known is "–".
 */
#ifndef SHIMGEN_PAGE_FIGURES_H
#define SHIMGEN_PAGE_FIGURES_H

#include <stdint.h>

#include "base/str.h"

#define FIGURE_UNKNOWN "\xe2\x80\x93"
#define THIN           "\xe2\x80\xaf"

void figure_count(struct str *out, double value);          /* "15 036 946": rounded to an integer */
void figure_value(struct str *out, double value);          /* three digits that count: "0.530", "18.7", "3 494" */
void figure_percent(struct str *out, double fraction);     /* 0.083 -> "8.3 %" */
void figure_error(struct str *out, double fraction);       /* with its sign: "+8.3 %", "−73.8 %" */
void figure_share(struct str *out, double fraction);       /* a part of a whole: "41 %", "0.4 %" */
void figure_bytes(struct str *out, uint64_t bytes);        /* "32 KiB" */
void figure_hertz(struct str *out, double hertz);          /* "1.4 GHz" */
void figure_short(struct str *out, double value);          /* for axes: "0.1", "20", "5 k", "10 M" */
void figure_short_percent(struct str *out, double value);  /* for axes: "5 %", "1 000 %" */
void figure_short_error(struct str *out, double fraction); /* for axes: "+20 %", "0" */

#endif
