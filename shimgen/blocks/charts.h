/*
 * charts.h - Stateflow charts in generated code. A chart's comment covers its code up to "End of Chart: ..." where
 * there is one. Within it other comments name states, transitions and events, or say what the chart itself does
 * ("Gateway: Chart", "During: Chart"); comments of blocks outside of it are about the expression after them. Internal
 * to blocks.
 */
#ifndef SHIMGEN_BLOCKS_CHARTS_H
#define SHIMGEN_BLOCKS_CHARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"

/* A comment of a chart. */
struct chart_mark {
    unsigned long line;
    char *name; /* owned */
    bool end;
};
struct chart_marks {
    VEC(struct chart_mark) all;
};
/* All charts' comments of a source; chart_marks_release. What cannot be read has none. */
void chart_marks_read(struct chart_marks *m, const char *text, size_t n);
/* Is the next comment about this chart, after that on the line, its end? */
bool chart_is_ended(const struct chart_marks *m, const char *name, unsigned long line);
void chart_marks_release(struct chart_marks *m);

/* Is a block of this type a chart? */
bool chart_type(const char *type);
/* Does the comment say what the chart itself does: "During: NAME"? */
bool chart_acts(const char *comment);
/* A block of this type calls nothing: what is called where it stands is called by what is around it. */
bool block_calls_nothing(const char *type);
/* "<S1>/Gain" and "<S1>/Sum" stand in one system. */
bool same_system(const char *name, const char *other);

#endif
