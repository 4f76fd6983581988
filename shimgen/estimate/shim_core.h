/* shim_core.h - which core of a SHIM file a command is about. */
#ifndef SHIMGEN_ESTIMATE_SHIM_CORE_H
#define SHIMGEN_ESTIMATE_SHIM_CORE_H

#include "base/error.h"
#include "shim-xml/shimxml.h"

/* name: name or id of a MasterComponent; NULL: the first processing unit that has an instruction set, else the first
 * processing unit: the same core for all commands. ERR_INPUT: no such core (the message names those there are). `path`
 * stands in messages. */
enum status shim_core(size_t *core, const struct shimxml_system *s, const char *path, const char *name,
                      struct error *e) MUST_CHECK;

/* Reads a SHIM file as a system. shimxml_system_free. ERR_INPUT: also, it says an unknown method of estimating. */
enum status shim_system(struct shimxml_system **out, const char *path, struct error *e) MUST_CHECK;

#endif
