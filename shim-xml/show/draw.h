/* draw.h - the block diagram of a document: blocks inside blocks (draw_blocks.c), who reaches which memory
 * (draw_reach.c), their places and the SVG (draw.c). Private to shim-xml. */
#ifndef SHIMXML_SHOW_DRAW_H
#define SHIMXML_SHOW_DRAW_H

#include "base/str.h"
#include "shim-xml/document/doc.h"

/* ---- measures [pixels] ---- */

#define WIDEST 1120.0 /* of the whole, unless one block is wider [pixels] */
#define BOX_W  236.0
#define BAR_H  36.0
#define PAD    12.0
#define GAP    12.0
#define HEAD   24.0
#define LINE   15.0
#define BUS    16.0 /* room for the line below a row */
#define TRUNK  14.0 /* and for the one at the left that ties the rows */
#define TITLE  13.0 /* letters */
#define SMALL  11.0
#define CUT    "\xe2\x80\xa6"
#define BOLD   1.15 /* of DejaVu Sans Bold: at most so much wider, a letter with the other */

enum block_kind {
    BLOCK_SET,   /* a ComponentSet, with a frame */
    BLOCK_GROUP, /* cores and the cache that they share, without one */
    BLOCK_CORE,
    BLOCK_CACHE,
    BLOCK_MEMORY
};
typedef VEC(struct block *) blocks_t;
struct block {
    enum block_kind kind;
    VEC(const struct shimxml_node *) nodes; /* that it stands for: several, where equal ones are folded */
    uint64_t shape;                         /* equal for what looks equal but for its names */
    VEC(char *) lines;                      /* the title first */
    blocks_t inner;                         /* of a set or group: sets, groups, cores; of a core: caches */
    blocks_t foot;                          /* of a set or group: caches below all of `inner` */
    blocks_t memories;                      /* of a set */
    bool marked, unbound, transfer;         /* `transfer`: a master that is no processing unit */
    double x, y, w, h;                      /* in the block that it stands in [pixels] */
    double bus;                             /* where the line below its row runs, likewise */
    bool reached;                           /* a line leads to it */
};

/* Who reaches a memory, and how. */
struct reach {
    VEC(const struct shimxml_node *) masters; /* each once, in the order of the file */
    size_t ranges;
    const struct shimxml_node *range; /* the first SubSpace */
    double least, greatest;           /* of the latencies that are typical [cycles]; NAN: none is given */
};
struct drawing {
    const struct shimxml_doc *d;
    const struct shimxml_drawing *how;
    struct shimxml_system *s;
    struct map numbers;                      /* of caches and masters, by address: the number in the system */
    size_t *parent;                          /* of each cache the one that refers to it; SIZE_MAX: none */
    size_t *first_cache, *next_cache;        /* of each core its first cache; after each cache the next of its core */
    VEC(const struct shimxml_node *) caches; /* by number */
    struct map reach_index;
    VEC(struct reach) reach; /* by id of the memory */
    bool fold;
};

size_t drawing_number(const struct drawing *w, const struct shimxml_node *n);
/* NULL: no master reaches it. */
const struct reach *drawing_reach(const struct drawing *w, const struct shimxml_node *memory);
/* draw_reach.c: fills `reach`; says of the blocks of a set which are reached, or reach a memory of the set. */
void drawing_find_reach(struct drawing *w);
void drawing_reach_release(struct drawing *w);
void drawing_mark_reached(const struct drawing *w, struct block *set);
/* draw_blocks.c: the tree below a ComponentSet. */
struct block *drawing_blocks(struct drawing *w, const struct shimxml_node *set);
void block_free(struct block *b);
/* draw_lines.c: what stands in a block. */
void block_write(const struct drawing *w, struct block *b);

/* draw_places.c: gives the block and all in it places and sizes; `room`: how wide it may be, if it can. */
void drawing_lay_out(const struct drawing *w, struct block *b, double room);
bool block_has_frame(const struct block *b);
bool blocks_any_reached(const blocks_t *list);
/* draw.c: of a text in letters of this size, in a wide font. */
double drawing_text_width(const char *text, double size);

#endif
