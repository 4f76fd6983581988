/*
 * formula.h - the arithmetic of events: derived variables of classifications, items of performance data.
 *
 *   formula = term { ("+" | "-") term }
 *   term    = factor { ("*" | "/") factor }
 *   factor  = number | name | "[" any name "]" | "(" formula ")" | "-" factor
 *           | "min" "(" formula "," formula ")" | "max" "(" formula "," formula ")"
 *           | "sum" "(" glob { space glob } ")"
 *           | "optional" "(" name ")"
 *
 * A name is what the caller says: an earlier `let` or an event (capitals, digits, '_'); in brackets it may have any
 * other character but ']'. sum adds the counts of the keys that match one of
 * the globs. optional is the event's count, and 0 where the table does not have it. 0 / 0 is 0: a rate of something
 * that did not happen.
 */
#ifndef BASE_EVENTS_FORMULA_H
#define BASE_EVENTS_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

/* Where names get their values; each returns false when there is no such name. */
struct formula_scope {
    bool (*name)(void *context, const char *name, double *value);
    bool (*optional)(void *context, const char *name, double *value);         /* of an event; 0 where there is none */
    bool (*sum)(void *context, const char *glob, bool *taken, double *value); /* adds keys not yet taken */
    size_t n_keys;                                                            /* length of `taken` */
    void *context;
};

/* Evaluates. On a fault returns false and *why is a sentence (owned by the caller). */
bool formula_value(const char *text, const struct formula_scope *scope, double *value, char **why);

#endif
