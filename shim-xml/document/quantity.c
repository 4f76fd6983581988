/* quantity.c - reads, converts and writes numbers with a unit attribute. */
#include "shim-xml/document/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

const struct quantity quantity_size = {"size", "sizeUnit", {"B", "KiB", "MiB", "GiB", "TiB"}, 1024, 1};
const struct quantity quantity_data_size = {"dataSize", "dataSizeUnit", {"B", "KiB", "MiB", "GiB", "TiB"}, 1024, 1};
const struct quantity quantity_frequency = {"frequency", "frequencyUnit", {"Hz", "KHz", "MHz", "GHz"}, 1000, 1};
const struct quantity quantity_voltage = {"voltage", "voltageUnit", {"pV", "nV", "uV", "mV", "V"}, 1000, 1e-12};
const struct quantity quantity_power = {"power", "powerUnit", {"pW", "nW", "uW", "mW", "W"}, 1000, 1e-12};

/* The unit in terms of the smallest one; 0: there is no such unit. */
static double unit_called(const struct quantity *q, const char *name)
{
    double factor = 1;
    for (size_t i = 0; q->units[i]; i++, factor *= q->step)
        if (strcmp(q->units[i], name) == 0)
            return factor;
    return 0;
}

long double quantity_smallest(const struct quantity *q, const struct shimxml_node *n, long double number)
{
    const char *unit = shimxml_get(n, q->unit);
    double factor = unit ? unit_called(q, unit) : q == &quantity_frequency ? 1 : 0;
    return factor > 0 ? number * factor : (long double)NAN;
}

double quantity_of(const struct quantity *q, const struct shimxml_node *n)
{
    return (double)(quantity_smallest(q, n, shimxml_number(n, q->attribute)) * q->smallest);
}

bool quantity_read(const struct quantity *q, uint64_t *smallest, const char *text)
{
    static const double most = 1e18; /* 1 MV, 1 MW, 1e9 GHz; exact as a 64-bit integer */
    size_t digits = strspn(text, "0123456789.");
    char *number = xstrndup(text, digits);
    const char *unit = text + digits + strspn(text + digits, " ");
    double v = 0, factor = strcmp(unit, "kHz") == 0 ? unit_called(q, "KHz") : unit_called(q, unit);
    bool good = digits && parse_double(number, &v) && factor > 0 && v * factor <= most;
    free(number);
    if (!good || fabs(v * factor - round(v * factor)) > 1e-6 * fmax(1, v * factor * 1e-6))
        return false;
    *smallest = (uint64_t)round(v * factor);
    return true;
}

void quantity_set(const struct quantity *q, struct shimxml_node *n, uint64_t smallest)
{
    size_t i = 0;
    uint64_t step = (uint64_t)q->step;
    for (; smallest && smallest % step == 0 && q->units[i + 1]; i++)
        smallest /= step;
    shimxml_setf(n, q->attribute, "%" PRIu64, smallest);
    shimxml_set(n, q->unit, q->units[i]);
}
