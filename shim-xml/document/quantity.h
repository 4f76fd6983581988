/* quantity.h - numbers with a unit of their own: sizes, frequencies, voltages, powers. Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_QUANTITY_H
#define SHIMXML_DOCUMENT_QUANTITY_H

#include "shim-xml/document/doc.h"

struct quantity {
    const char *attribute, *unit; /* attributes of an element: the number, and its unit */
    const char *units[6];         /* from the smallest; ends with NULL */
    double step;                  /* from each to the next */
    double smallest;              /* the first of them [B, Hz, V, W] */
};
extern const struct quantity quantity_size, quantity_data_size, quantity_frequency, quantity_voltage, quantity_power;

/* The number of an element in the smallest unit; `number`: what its attribute says. NAN: it has no such unit. */
long double quantity_smallest(const struct quantity *q, const struct shimxml_node *n, long double number);
/* What an element says [B, Hz, V, W]; NAN: nothing, or no number. A frequency without a unit is one in Hz. */
double quantity_of(const struct quantity *q, const struct shimxml_node *n);
/* "1.4 GHz", "900mV": in the smallest unit, of which it must be a whole number. */
bool quantity_read(const struct quantity *q, uint64_t *smallest, const char *text);
/* In the largest unit of which it is a whole number. */
void quantity_set(const struct quantity *q, struct shimxml_node *n, uint64_t smallest);

#endif
