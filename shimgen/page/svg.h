/*
 * svg.h - axes and marks for drawings inside the page.
 *
 * Positions across a drawing are percentages and sizes of marks and letters are
 * pixels, so that a drawing follows the width of the window while its text stays
 * readable. Colours come from style.css by class; every kind of mark has a shape
 * of its own, so that colour is never the only difference.
 */
#ifndef SHIMGEN_PAGE_SVG_H
#define SHIMGEN_PAGE_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* How values become places: 0 is the low end of the axis, 1 the high end. */
struct scale {
    bool log;
    bool zero_slot; /* log only: the low end is a place for zero (and below), apart from the logarithmic part */
    double lo, hi;  /* lo < hi; log: both above 0 */
    size_t lines;   /* lanes: of lane_axis; 0 at first */
};

/* Widened so that the ends are sane places. lo > hi or not finite: 0 … 1. */
struct scale scale_linear(double lo, double hi);
/* Widened to 1, 2 or 5 times a power of ten; values at or below 0 are left to the zero slot. Never narrower than a
 * factor of ten. */
struct scale scale_log(double lo, double hi, bool zero_slot);
/* The place of a value; what is outside is put on the nearer end. */
double scale_at(const struct scale *s, double value);
/* True when the value lies on the axis itself. */
bool scale_holds(const struct scale *s, double value);

#define TICKS_MAX 64
struct tick {
    double value;
    bool labelled; /* the others are lines only */
};
/* Sane places on the axis, ascending, about `wanted` of them labelled (at most TICKS_MAX in all). Returns how many. */
size_t scale_ticks(const struct scale *s, int wanted, struct tick ticks[TICKS_MAX]);

/* Kinds of marks. */
enum mark { MARK_HELDOUT, MARK_TRAIN, MARK_TEST, MARK_VALUE, MARK_INHERITED };

/* The shapes, once at the start of the body; marks refer to them. */
void svg_shapes(struct str *out);

typedef void svg_figure(struct str *out, double value);

/* A plot with two axes. */
struct plot {
    const char *id;          /* for the names inside; unique on the page */
    const char *title;       /* what it shows, for those who cannot see it */
    const char *description; /* the longer sentence for them */
    const char *x_title, *y_title;
    struct scale x, y;
    svg_figure *x_figure, *y_figure;
    const char *size; /* class of the box: "square" or "flat" */
};
/* Opens figure and drawing: grid, ticks, titles. Marks follow, then plot_close with the caption (text). */
void plot_open(struct str *out, const struct plot *p);
void plot_close(struct str *out, const char *caption);
/* A filled area of corners (x0, y0, x1, y1, …) in values, clipped to the plot. */
void plot_area(struct str *out, const struct plot *p, const char *class, const double *corners, size_t n);
void plot_line(struct str *out, const struct plot *p, const char *class, double x0, double y0, double x1, double y1);
/* A mark with its tooltip (text). A value beyond the axis is drawn at its end as an arrow. */
void plot_mark(struct str *out, const struct plot *p, enum mark kind, double x, double y, const char *tooltip);

/* A legend line: marks and what they are. */
void legend_open(struct str *out);
void legend_mark(struct str *out, enum mark kind, const char *text);
void legend_swatch(struct str *out, const char *class, const char *text);
void legend_close(struct str *out);

/* Lanes: drawings in the cells of a table that share one horizontal axis. */
#define LANE_TICKS 6
/* For the header cell. Where there is no room for all labels, the style hides every second one. The lines of the scale
 * stand on the page once; lanes refer to them. */
void lane_axis(struct str *out, struct scale *s, svg_figure *figure);
void lane_open(struct str *out, const struct scale *s, int height); /* height in pixels */
void lane_range(struct str *out, const struct scale *s, const char *class, double lo, double hi, double y);
void lane_stroke(struct str *out, const struct scale *s, const char *class, double value, double y, double half);
void lane_mark(struct str *out, const struct scale *s, enum mark kind, double value, double y, const char *tooltip);
void lane_close(struct str *out);

/* Bars in a drawing that stands alone: places in pixels on a horizontal axis from 0 to `most`. */
struct bars {
    int left, width;
    double most;
};
double bars_at(const struct bars *b, double value);
/* Lines from `top` to `bottom`, with the figures at `text`. */
void bars_axis(struct str *out, const struct bars *b, double top, double bottom, double text);

/* A bar of parts that follow each other: lengths are fractions of the whole cell. */
void stack_open(struct str *out);
void stack_part(struct str *out, const char *class, double from, double length, const char *tooltip);
void stack_close(struct str *out);

#endif
