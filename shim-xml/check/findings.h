/* findings.h - the rules of check, and reporting against them. Private to shim-xml. */
#ifndef SHIMXML_CHECK_FINDINGS_H
#define SHIMXML_CHECK_FINDINGS_H

#include "shim-xml/document/doc.h"

enum rule {
#define RULE(id, severity, name, meaning, remedy) id,
#include "shim-xml/check/rules.def"
#undef RULE
    RULE_COUNT
};

/* A finding at a node. */
void shimxml_finding_add(struct shimxml_findings *f, enum rule rule, const struct shimxml_node *at, const char *fmt,
                         ...) __attribute__((format(printf, 4, 5)));

/* The passes, each over the whole document. */
/* False: it is no SHIM file, and what stands in it is not judged. */
bool check_schema(const struct shimxml_doc *d, struct shimxml_findings *f);
void check_references(const struct shimxml_doc *d, struct shimxml_findings *f);
void check_memory(const struct shimxml_doc *d, struct shimxml_findings *f);
void check_method(const struct shimxml_doc *d, struct shimxml_findings *f);
void check_intervals(const struct shimxml_doc *d, struct shimxml_findings *f);
void check_values(const struct shimxml_doc *d, struct shimxml_findings *f);
void check_power(const struct shimxml_doc *d, struct shimxml_findings *f);
/* The instructions of a CommonInstructionSet or a FunctionalUnitSet: what hardware allows. */
void check_costs(const struct shimxml_node *set, struct shimxml_findings *f);

#endif
