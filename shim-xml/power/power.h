/* power.h - operating points and power as a description says them (docs/formats/power.md). Private to shim-xml. */
#ifndef SHIMXML_POWER_POWER_H
#define SHIMXML_POWER_POWER_H

#include "base/map.h"
#include "base/str.h"
#include "shim-xml/document/doc.h"

/* Components that share a clock, and a voltage. */
struct power_domain {
    char *name, *of, *use; /* of: globs of components, spaces between, NULL: all cores; use: a point, NULL: not said */
    unsigned long line;
};
struct power_point {
    char *name, *domain; /* domain: NULL where there is only one */
    uint64_t hz, picovolts;
    bool has_voltage;
    unsigned long line;
};
struct power_value {
    char *point;
    uint64_t picowatts;
    unsigned long line;
};
/* What components take together at each point. */
struct power_set {
    char *name, *of; /* of: globs of components */
    VEC(struct power_value) values;
    unsigned long line;
};
struct power {
    const char *path; /* borrowed */
    VEC(struct power_domain) domains;
    VEC(struct power_point) points;
    VEC(struct power_set) sets;
};
/* ERR_INPUT, with file and line: an unknown section or key, an impossible value, a domain or a point that is not there.
 * Sections of a machine's description (machine.md) are passed over. power_free. */
enum status power_read(struct power **out, const char *path, struct error *e) MUST_CHECK;
void power_free(struct power *p);
/* Is it of the domain of this name? */
bool power_point_is_of(const struct power *p, const struct power_point *point, const struct power_domain *domain);

/* ---- of documents ---- */

/* Its OperatingPoints, and what PowerConsumerRefs may name (components, FunctionalUnits): each by id, else by name. */
struct power_index {
    struct map points, consumers; /* -> number in `nodes` */
    VEC(const struct shimxml_node *) nodes;
};
void power_index_init(struct power_index *x, const struct shimxml_doc *d); /* power_index_release */
void power_index_release(struct power_index *x);
const struct shimxml_node *power_point_called(const struct power_index *x, const char *name); /* NULL: there is none */
const struct shimxml_node *power_consumer_called(const struct power_index *x, const char *name);
/* "1.4 GHz, 1.2 V" */
void power_add_point(struct str *out, const struct shimxml_node *point);

#endif
