/* board_findings.h - findings of the commands: made, and printed. */
#ifndef SHIMGEN_BOARD_BOARD_FINDINGS_H
#define SHIMGEN_BOARD_BOARD_FINDINGS_H

#include "boards/boards.h"

/* Appends a finding; texts copied, id static. */
void finding_say(struct findings *f, enum finding_severity s, const char *id, const char *what, const char *consequence,
                 const char *remedy);
/* The same with what an error says. The error is released. */
void finding_say_error(struct findings *f, enum finding_severity s, const char *id, struct error *from,
                       const char *consequence, const char *remedy);
void findings_print(const struct findings *f);
enum status findings_print_json(const struct findings *f, struct error *e) MUST_CHECK;

#endif
