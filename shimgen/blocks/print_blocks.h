/* print_blocks.h - blocks for people and for other tools. The formats: docs/formats/blocks.md. */
#ifndef SHIMGEN_BLOCKS_PRINT_BLOCKS_H
#define SHIMGEN_BLOCKS_PRINT_BLOCKS_H

#include <jansson.h>
#include <stdio.h>

#include "shimgen/blocks/blocks.h"
#include "shimgen/blocks/loads.h"
#include "shimgen/estimate/intervals/trust.h"

/* What the output says beside the blocks. Borrowed. */
struct blocks_print {
    const struct blocks *blocks;
    const char *shim; /* the SHIM file */
    const struct trust *trust;
    bool ranges; /* what the file's best and worst values make, too */
    /* For people: the whole run although there are steps; rows without cycles, too; so many rows at most, 0: all. */
    bool whole_run, all;
    size_t top;
    const struct blocks_loads *loads; /* of each rate; NULL or empty: not wanted */
    bool instances;                   /* text and CSV: instances of blocks, too, or (CSV) instead */
    bool mangled;                     /* functions have the names that the linker has, without readable ones */
};
void blocks_text(const struct blocks_print *p, FILE *f);
void blocks_csv(const struct blocks_print *p, FILE *f);
void blocks_instances_csv(const struct blocks_print *p, FILE *f);
/* One self-contained page; a drawing alone. */
void blocks_html(const struct blocks_print *p, FILE *f);
void blocks_svg(const struct blocks_print *p, FILE *f);
/* Atomic; NULL or "-": standard output. */
enum status blocks_json(const struct blocks_print *p, const char *path, struct error *e) MUST_CHECK;
/* Cycles by function and line, for KCachegrind. */
enum status blocks_callgrind(const struct blocks_print *p, FILE *f, struct error *e) MUST_CHECK;
/* Runnables with their ticks (docs/formats/amalthea.md). */
void blocks_amalthea(const struct blocks_print *p, FILE *f);

/* ---- shared by them ---- */

/* What the board's cycles lie between, for `cycles` of a part or of all, on that core; as trust_interval. */
double blocks_interval(double *low, double *high, const struct blocks_print *p, size_t core, double cycles);
/* All that the JSON has; the caller owns it. */
json_t *blocks_data(const struct blocks_print *p);
double blocks_share(const struct blocks *b, const struct blocks_row *row, size_t core); /* of the region, 0 ... 1 */
/* Of the mean step if there are steps, else of the region: what tables for people have. */
double blocks_shown_share(const struct blocks *b, const struct blocks_row *row, size_t core);
/* [us], NAN: the core's clock is not known. */
double blocks_us(const struct blocks *b, size_t core, double cycles);
/* The block that a state, transition, event ... belongs to, its name; NULL: to none. Borrowed. */
const char *blocks_parent(const struct blocks *b, const struct block *k);
/* "filter(int)" of a row whose name is the linker's; NULL: its name is the source's, or readable names are not wanted.
 * The caller frees. */
char *blocks_readable(const struct blocks_print *p, const struct blocks_row *row);
/* A row for people: blocks_title with its readable name. The caller frees. */
char *blocks_readable_name(const struct blocks_print *p, const struct blocks_row *row);
/* "merged 12 %, inlined 100 %, moved 3 %", "optimised away", or "". The caller frees. */
char *blocks_remark(const struct blocks_row *row);
const char *blocks_kind_name(enum block_kind kind);                   /* static */
const char *blocks_step_name(const struct blocks *b, size_t *length); /* of the function; NULL: none */

#endif
