/* cubex_writer.h - .cubex is written at the end, from what the sink has kept. */
#ifndef PERFXML_CUBEX_WRITER_H
#define PERFXML_CUBEX_WRITER_H

#include "perf-xml/document/writer.h"

/* Puts the file into w->text. ERR_INPUT: there is nothing that Cube could show. */
enum status cubex_finish(struct writer *w, struct error *e) MUST_CHECK;
void cubex_release(struct cubex_out *c); /* NULL is fine */

#endif
