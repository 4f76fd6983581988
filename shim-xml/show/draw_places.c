/* draw_places.c - block diagram: computes places and sizes, from the inside out. */
#include <math.h>

#include "shim-xml/show/draw.h"

bool block_has_frame(const struct block *b)
{
    return b->kind == BLOCK_SET || (b->kind == BLOCK_GROUP && b->nodes.n > 1);
}

static double lines_height(const struct block *b)
{
    return b->lines.n ? LINE * (double)b->lines.n + 10 : 0;
}

/* Places blocks from left to right, in rows of at most `room`, with room for lines below each row. Returns the width
 * that was needed. */
static double place_row(blocks_t *list, double left, double room, double below, double *y)
{
    double x = left, widest = 0, height = 0;
    size_t row = 0;
    for (size_t i = 0; i < list->n; i++) {
        struct block *b = list->at[i];
        if (i > row && x + b->w > left + room) {
            for (; row < i; row++)
                list->at[row]->bus = *y + height + below / 2;
            *y += height + below + GAP;
            x = left;
            height = 0;
        }
        b->x = x;
        b->y = *y;
        x += b->w + GAP;
        widest = fmax(widest, x - GAP - left);
        height = fmax(height, b->h);
    }
    for (; row < list->n; row++)
        list->at[row]->bus = *y + height + below / 2;
    *y += list->n ? height + below + GAP : 0;
    return widest;
}

static void lay_out_box(const struct drawing *w, struct block *b)
{
    b->w = BOX_W;
    b->h = lines_height(b);
    for (size_t i = 0; i < b->inner.n; i++) {
        struct block *c = b->inner.at[i];
        block_write(w, c);
        *c = (struct block){.kind = c->kind,
                            .nodes = c->nodes,
                            .lines = c->lines,
                            .x = 8,
                            .y = b->h,
                            .w = BOX_W - (b->nodes.n > 1 ? 22 : 16),
                            .h = BAR_H};
        b->h += BAR_H + 6;
    }
}

static void lay_out_bars(const struct drawing *w, struct block *b, double left, double width, double *y)
{
    for (size_t i = 0; i < b->foot.n; i++) {
        struct block *c = b->foot.at[i];
        block_write(w, c);
        c->x = left;
        c->y = *y;
        c->w = width;
        c->h = BAR_H;
        *y += BAR_H + GAP;
    }
}

bool blocks_any_reached(const blocks_t *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i]->reached)
            return true;
    return false;
}

static void lay_out_all(const struct drawing *w, blocks_t *list, double room)
{
    for (size_t i = 0; i < list->n; i++)
        drawing_lay_out(w, list->at[i], room);
}

static void lay_out_container(const struct drawing *w, struct block *b, double room)
{
    double pad = block_has_frame(b) ? PAD : 0, y = block_has_frame(b) ? HEAD + 8 : 0;
    if (b->kind == BLOCK_SET)
        drawing_mark_reached(w, b);
    double trunk = blocks_any_reached(&b->memories) ? TRUNK : 0, left = pad + trunk;
    double inside = fmax(room - left - pad, BOX_W);
    lay_out_all(w, &b->inner, inside);
    lay_out_all(w, &b->memories, inside);
    double width = fmax(place_row(&b->inner, left, inside, trunk ? BUS : 0, &y), b->foot.n ? BOX_W : 0);
    for (size_t i = 0; block_has_frame(b) && i < b->lines.n; i++)
        width = fmax(width, fmin(drawing_text_width(b->lines.at[i], BOLD * TITLE), inside));
    double bars = y, unused = 0;
    width = fmax(width, place_row(&b->memories, left, inside, 0, &unused));
    lay_out_bars(w, b, left, width, &bars);
    y = bars + (trunk && b->memories.n ? BUS / 2 : 0);
    place_row(&b->memories, left, inside, 0, &y);
    b->w = left + width + pad;
    b->h = fmax(y - GAP + pad, HEAD + pad);
}

void drawing_lay_out(const struct drawing *w, struct block *b, double room)
{
    block_write(w, b);
    if (b->kind == BLOCK_SET || b->kind == BLOCK_GROUP)
        lay_out_container(w, b, room);
    else
        lay_out_box(w, b);
}
