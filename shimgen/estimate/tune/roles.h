/* roles.h - what the programs of a dataset are for, and which of them fits may see. */
#ifndef SHIMGEN_ESTIMATE_TUNE_ROLES_H
#define SHIMGEN_ESTIMATE_TUNE_ROLES_H

#include "regress/regress.h"

/* Domain and role of each row, where the data themselves do not say them: from domains.csv beside the dataset, or,
 * where there is none or `samples` names a folder of sets, from the manifests (NULL: the product's own). */
enum status roles_describe(struct regress_data *d, const char *samples, struct error *e) MUST_CHECK;
bool roles_test(const struct regress_data *d, size_t row);

#endif
