/* event_names.h - names of events, in board.ini and by default. Private to boards. */
#ifndef BOARDS_DESCRIPTION_EVENT_NAMES_H
#define BOARDS_DESCRIPTION_EVENT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "boards/boards.h"

/* "hw:cycles", "cache:l1d.read.miss", "raw:0x11", "sw:task-clock", "pfm:skl::INST_RETIRED" into type and config. Else
 * *why says what to write; the caller frees. */
bool event_parse(const char *spec, uint32_t *type, uint64_t *config, char **why);
bool pfm_parse(const char *name, uint32_t *type, uint64_t *config, char **why); /* pfm.c: what follows "pfm:" */
/* SHIM_MEASURE_EVENTS for the board: its own list, or the default of the architecture and vendor ("" unknown). */
void events_spec(struct str *out, const struct board *b, const char *architecture, const char *vendor);

#endif
