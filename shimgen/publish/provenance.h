/*
 * provenance.h - provenance.json in a build's folder: what its results were made of, written by the build itself. The
 * versions of the tools, and of each program that was measured the SHA-256 of its sources. docs/formats/pack.md.
 */
#ifndef SHIMGEN_PUBLISH_PROVENANCE_H
#define SHIMGEN_PUBLISH_PROVENANCE_H

#include "base/error.h"
#include "boards/boards.h"
#include "shimgen/units/unit.h"

/* Without dates and paths: the same build writes the same bytes. */
enum status provenance_write(const struct board *b, const struct units *u, const char *path,
                             struct error *e) MUST_CHECK;

#endif
