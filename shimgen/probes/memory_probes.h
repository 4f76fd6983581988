/*
 * memory_probes.h - what the board's accesses to memory and the messages between its cores cost:
 * the step of `shimgen build` that writes memory.csv. docs/method/memory.md.
 */
#ifndef SHIMGEN_PROBES_MEMORY_PROBES_H
#define SHIMGEN_PROBES_MEMORY_PROBES_H

#include "base/error.h"
#include "boards/boards.h"
#include "boards/run/run.h"
#include "shimgen/units/losses.h"
#include "shimgen/units/outputs.h"

/* Measures with the probes of share/shimgen/memory, whose sizes come from the caches of the board's skeleton (without
 * one: of this machine), and writes o->memory; with o->memory there and nothing changed since it does nothing. A
 * simulated board times one core, so that nothing is measured there while other cores are busy, nor between cores. A
 * board whose measurements are imported is left alone. place: a connection to the board; NULL: each probe gets one.
 * What could not be measured is said as a note. The first core's failure is the whole's; another core that cannot be
 * measured, as where not all may be used, is noted in `losses` and tried again the next time. */
enum status memory_measure(const struct board *b, struct runner *place, const struct outputs *o, bool again,
                           struct losses *losses, struct error *e) MUST_CHECK;

#endif
