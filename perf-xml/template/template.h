/*
 * template.h - the items that a profile should have, as data: items.csv says category, unit and formula over general
 * events (CYCLES, INSTRUCTIONS ...), NAMES.csv which events of a source these are. In the order of use:
 *
 *     template_open(&t, e)                    all tables
 *     template_event(t, "PAPI_TOT_CYC", ...)  the events of a thread; template_clear before the next
 *     template_choose(t, "auto", e)           the names of this source
 *     template_item(t, i, &data)              the value of an item, and how it came about
 */
#ifndef PERFXML_TEMPLATE_H
#define PERFXML_TEMPLATE_H

#include "perf-xml/perfxml.h"

struct template;
#define TEMPLATE_NAMES "papi|perf|pfm|likwid|irprof|estimate"

enum status template_open(struct template **out, struct error *e) MUST_CHECK;
void template_free(struct template *t); /* NULL is fine */

void template_clear(struct template *t);
/* An event of the source. The part before "::" and modifiers such as ":u" may be missing in the tables. */
void template_event(struct template *t, const char *name, const struct perf_data *d);

/* Whose names the events are: one of TEMPLATE_NAMES, or "auto": those that most general events are found with, now. Returns
 * false if "auto" finds none. */
bool template_choose(struct template *t, const char *names);

struct template_item {
    const char *category, *group, *item, *unit; /* group: "" if the item is in none */
    const char *formula;
};
size_t template_items(const struct template *t);
const struct template_item *template_item_at(const struct template *t, size_t i);
/* PROCESS_TIME and PROCESS_INSTRUCTIONS: the greatest of the process's threads. */
struct template_most {
    double time, instructions;
};
/* The value of an item: measured, derived, or not available with the reason, which the next call overwrites. */
void template_value(struct template *t, size_t i, const struct template_most *most, struct perf_data *d);
/* A general event's value; false: not available. */
bool template_general(struct template *t, const char *event, double *value);

#endif
