/*
 * page.h - the sections of the page, in their order. Each appends one <section>;
 * one that has nothing to show says so in a sentence.
 */
#ifndef SHIMGEN_REPORT_PAGE_H
#define SHIMGEN_REPORT_PAGE_H

#include "shimgen/report/report.h"

typedef void page_section(const struct report *r, struct str *out);

page_section page_summary;      /* three sentences, three figures */
page_section page_findings;     /* what the reader must know before believing it */
page_section page_machine;      /* block diagram and facts */
page_section page_method;       /* how it was measured */
page_section page_accuracy;     /* predicted against measured */
page_section page_estimators;   /* what each method of estimating says of the programs */
page_section page_models;       /* every classification and solver */
page_section page_surprises;    /* the largest held-out errors, and what those programs are made of */
page_section page_accounting;   /* what each program's cycles went to */
page_section page_simulated;    /* simulated misses and mispredictions against measured ones */
page_section page_values;       /* what was fitted */
page_section page_coverage;     /* how far the programs determine it */
page_section page_instructions; /* what stands in the SHIM file */
page_section page_micro;        /* single instructions, measured one by one */
page_section page_memory;       /* what accesses to memory and messages between cores cost */
page_section page_quality;      /* the spread between runs */
page_section page_files;        /* what was written, and how to make it again */

void draw_breakdown(const struct report *r, struct str *out); /* in page_accuracy: the error by kind of program */

/* In page_estimators: of a method, all levels together. False: no program was left out of it. */
bool estimator_errors(struct report_errors *left_out, struct report_errors *test, const struct report *r,
                      const char *name);

#endif
