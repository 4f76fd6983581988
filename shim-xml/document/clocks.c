/* clocks.c - finds the clock of a core in SHIM 1.0 and 2.0. */
#include "shim-xml/document/clocks.h"

#include <math.h>
#include <string.h>

#include "shim-xml/document/doc.h"

static double positive(double v)
{
    return v > 0 && isfinite(v) ? v : 0;
}

static double frequency_of(const struct shimxml_node *point)
{
    static const char *const units[] = {"Hz", "KHz", "MHz", "GHz"};
    double hz = point ? positive(shimxml_number(point, "frequency")) : 0, factor = 1;
    const char *unit = hz > 0 ? shimxml_get(point, "frequencyUnit") : 0;
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++, factor *= 1000)
        if (strcmp(unit, units[i]) == 0)
            return hz * factor;
    return unit ? 0 : hz;
}

static const struct shimxml_node *point_called(const struct shimxml_doc *d, const char *name)
{
    const struct shimxml_node *n = shimxml_by_id(d, name), *set;
    if (shimxml_is(n, "OperatingPoint"))
        return n;
    if (shimxml_is(n, "OperatingPointSet"))
        return shimxml_child(n, "OperatingPoint");
    set = shimxml_child(shimxml_child(shimxml_root(d), "SystemConfiguration"), "FrequencyVoltageSet");
    for (n = 0; (n = shimxml_following(set, n, "OperatingPoint"));)
        if (shimxml_get(n, "name") && strcmp(shimxml_get(n, "name"), name) == 0)
            return n;
    return 0;
}

/* The component's own operating point, else that of the component around it. */
static const struct shimxml_node *point_of(const struct shimxml_doc *d, const struct shimxml_node *component)
{
    for (; shimxml_is(component, "MasterComponent") || shimxml_is(component, "ComponentSet");
         component = shimxml_parent(component)) {
        const char *name = shimxml_get(component, "operatingPointRef");
        if (name)
            return point_called(d, name);
    }
    return 0;
}

double clock_of(const struct shimxml_node *n)
{
    const struct shimxml_doc *d = doc_of(n);
    if (d->schema == &schema1)
        return positive(shimxml_number(shimxml_child(n, "ClockFrequency"), "clockValue"));
    if (shimxml_is(n, "OperatingPoint"))
        return frequency_of(n);
    if (shimxml_is(n, "MasterComponent"))
        return frequency_of(point_of(d, n));
    const struct shimxml_node *set = shimxml_child(shimxml_child(n, "SystemConfiguration"), "FrequencyVoltageSet");
    return frequency_of(shimxml_following(set, 0, "OperatingPoint"));
}
