/* formats.h - the formats of a report, each in a file of its own, and what they share. report.c calls them; report_branch.c and
 * report_loop.c know what these two reports have in their rows. */
#ifndef IRPROF_REPORT_FORMATS_H
#define IRPROF_REPORT_FORMATS_H

#include <stdio.h>

#include "base/json.h"
#include "irprof/report/section.h"

void report_text(const struct sections *s, FILE *f);
void report_csv(const struct sections *s, FILE *f);
/* ERR_INPUT: a name is not UTF-8. */
enum status sections_json(const struct sections *s, FILE *f, struct error *e) MUST_CHECK;

/* An event's column in text is as wide as its name, or as a count. */
int event_width(const char *name);
/* Cells of CSV rows: "program,region"; ",text"; ",line", where unknown is an empty cell; the events of all programs, of
 * which `counts` has those of the section's. */
void csv_start(const struct section *s, FILE *f);
void csv_text(FILE *f, const char *text);
void csv_line(FILE *f, uint32_t line);
void csv_events(const struct sections *all, const struct section *s, const uint64_t *counts, FILE *f);
/* The last column of rows that have a function: section_readable. */
void csv_readable(const struct section *s, uint32_t function, FILE *f);
/* function, and readable where there is one, into an object. */
void json_function(json_t *o, const struct section *s, uint32_t function);
/* file and line, where known, into an object; the section's events, if it has any. */
void json_place(json_t *o, const struct section *s, uint32_t file, uint32_t line);
void json_events(json_t *o, const struct section *s, const uint64_t *counts);
json_t *json_count(uint64_t n);

/* ---- conditional branches and switches: a row for a branch, and for each edge of a switch ---- */

void branches_text(const struct section *s, FILE *f);
void branches_csv_header(const struct sections *all, FILE *f); /* after "program,region", no end of line */
void branches_csv(const struct sections *all, const struct section *s, FILE *f);
json_t *branches_json(const struct section *s);

/* ---- loops, with the events inside ---- */

void loops_text(const struct section *s, FILE *f);
void loops_csv_header(FILE *f); /* the events follow it */
void loops_csv(const struct sections *all, const struct section *s, FILE *f);
json_t *loops_json(const struct section *s);

#endif
