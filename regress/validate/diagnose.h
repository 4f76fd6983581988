/* diagnose.h - between the files that diagnose. */
#ifndef REGRESS_VALIDATE_DIAGNOSE_H
#define REGRESS_VALIDATE_DIAGNOSE_H

#include "regress/solve/fitter.h"

/* The texts are taken over. */
void diagnose_find(struct regress_diagnosis *g, enum regress_severity severity, const char *id, char *subject,
                   char *text, char *remedy);
/* influence.c: what single programs do to the values, and how domains are estimated. A solver that cannot fit these
 * rows is a finding. */
enum status diagnose_influence(struct regress_diagnosis *g, struct fitter *f, struct error *e) MUST_CHECK;
enum status diagnose_domains(struct regress_diagnosis *g, struct fitter *f, struct error *e) MUST_CHECK;
void diagnose_release_influence(struct regress_diagnosis *g);

#endif
