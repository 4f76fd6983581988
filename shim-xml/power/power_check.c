/* power_check.c - checks operating points and power: values positive and in order, points and components existing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "shim-xml/check/findings.h"
#include "shim-xml/document/clocks.h"
#include "shim-xml/document/quantity.h"
#include "shim-xml/document/units_file.h"
#include "shim-xml/power/power.h"

static const char *label(const struct shimxml_node *n)
{
    const char *name = n ? shimxml_get(n, "name") : 0;
    return name ? name : "(no name)";
}

/* ---- each value ---- */

/* Limits: from less than any circuit to more than any machine. */
static void check_quantity(const struct quantity *q, const struct shimxml_node *n, double least, double most,
                           enum rule rule, struct shimxml_findings *f)
{
    const char *text = shimxml_get(n, q->attribute), *unit = shimxml_get(n, q->unit);
    double v = quantity_of(q, n);
    if (!text || isnan(shimxml_number(n, q->attribute)))
        return;
    if (!unit)
        shimxml_finding_add(f, rule, n, "%s/@%s %.60s has no %s", shimxml_name(n), q->attribute, text, q->unit);
    else if (v < least || v > most)
        shimxml_finding_add(f, rule, n, "%s/@%s is %.60s %.60s", shimxml_name(n), q->attribute, text, unit);
}

/* ---- order ---- */

struct level {
    const struct shimxml_node *at;
    double hz, volts, watts; /* NAN: not given */
};
typedef VEC(struct level) levels_t;

static int by_frequency(const void *a, const void *b)
{
    const struct level *x = a, *y = b;
    return (x->hz > y->hz) - (x->hz < y->hz);
}

/* Compares each voltage with the highest one of all lower frequencies. */
static void check_voltages(levels_t *all, struct shimxml_findings *f)
{
    const struct level *top = 0, *next = 0; /* of lower frequencies; of those up to this one */
    if (all->n)
        qsort(all->at, all->n, sizeof *all->at, by_frequency);
    for (size_t i = 0; i < all->n; i++) {
        const struct level *x = &all->at[i];
        if (i && x->hz > x[-1].hz)
            top = next;
        if (top && x->volts < top->volts)
            shimxml_finding_add(f, POINT_ORDER, x->at,
                                "'%.60s' has a higher frequency than '%.60s' and a lower voltage", label(x->at),
                                label(top->at));
        if (!isnan(x->volts) && (!next || x->volts > next->volts))
            next = x;
    }
}

static void check_points(const struct shimxml_node *set, struct shimxml_findings *f)
{
    levels_t all = {0};
    for (const struct shimxml_node *n = shimxml_child(set, "OperatingPoint"); n; n = shimxml_next(n, "OperatingPoint"))
        if (clock_of(n) > 0)
            vec_push(&all, ((struct level){n, clock_of(n), quantity_of(&quantity_voltage, n), NAN}));
    check_voltages(&all, f);
    vec_release(&all);
}

static void check_watts(levels_t *all, struct shimxml_findings *f)
{
    const struct level *top = 0; /* the one that takes most, up to here */
    if (all->n)
        qsort(all->at, all->n, sizeof *all->at, by_frequency);
    for (size_t i = 0; i < all->n; i++) {
        const struct level *x = &all->at[i];
        bool more = top && x->hz > top->hz && !(x->volts < top->volts);
        if (more && x->watts < top->watts)
            shimxml_finding_add(f, POWER_ORDER, x->at, "at '%.60s' it takes less than at '%.60s', which is slower",
                                shimxml_get(x->at, "operatingPointRef"), shimxml_get(top->at, "operatingPointRef"));
        if (!isnan(x->watts) && (!top || x->watts > top->watts))
            top = x;
    }
}

/* ---- references into the system's file ---- */

static void check_consumers(const struct shimxml_node *set, const struct power_index *system,
                            struct shimxml_findings *f)
{
    for (const struct shimxml_node *n = shimxml_child(set, "PowerConsumerRef"); n;
         n = shimxml_next(n, "PowerConsumerRef")) {
        char *id = shimxml_text(n);
        if (!power_consumer_called(system, id))
            shimxml_finding_add(f, POWER_REFERENCE, n,
                                "'%.60s' is neither a component nor a FunctionalUnit of the system", id);
        free(id);
    }
}

static void check_values_of(const struct shimxml_node *set, const struct power_index *system,
                            struct shimxml_findings *f)
{
    levels_t all = {0};
    for (const struct shimxml_node *n = shimxml_child(set, "PowerConsumption"); n;
         n = shimxml_next(n, "PowerConsumption")) {
        const char *id = shimxml_get(n, "operatingPointRef");
        const struct shimxml_node *point = id ? power_point_called(system, id) : 0;
        if (id && !point)
            shimxml_finding_add(f, POWER_REFERENCE, n, "'%.60s' is no OperatingPoint of the system", id);
        else if (point && clock_of(point) > 0)
            vec_push(&all, ((struct level){n, clock_of(point), quantity_of(&quantity_voltage, point),
                                           quantity_of(&quantity_power, n)}));
    }
    check_watts(&all, f);
    vec_release(&all);
}

/* Finds a consumer that occurs twice at the same point. In a set with more pairs than any machine has, only the first
 * ones are compared, so that a file cannot keep its reader busy for ever. */
static void check_doubles(const struct shimxml_node *set, struct map *seen, struct shimxml_findings *f)
{
    enum { PAIRS_MOST = 1000000 };
    for (const struct shimxml_node *c = shimxml_child(set, "PowerConsumerRef"); c && seen->n < PAIRS_MOST;
         c = shimxml_next(c, "PowerConsumerRef")) {
        char *id = shimxml_text(c);
        for (const struct shimxml_node *n = shimxml_child(set, "PowerConsumption"); n;
             n = shimxml_next(n, "PowerConsumption")) {
            const char *point = shimxml_get(n, "operatingPointRef");
            char *key = xasprintf("%s\n%s", id, point ? point : "");
            if (map_get(seen, key, 0))
                shimxml_finding_add(f, DOUBLED_POWER, n, "the power of '%.60s' at '%.60s' is given before", id,
                                    point ? point : "");
            map_put(seen, key, 1);
            free(key);
        }
        free(id);
    }
}

static void say_file(const struct shimxml_node *n, const struct error *e, struct shimxml_findings *f)
{
    char *text = error_text(e);
    shimxml_finding_add(f, POWER_FILE, n, "%s", text);
    free(text);
}

static void check_configuration(const struct shimxml_node *n, struct shimxml_findings *f)
{
    struct shimxml_doc *system = 0;
    struct error e = ERROR_INIT;
    struct map seen = {0};
    struct power_index x = {0};
    if (system_file_read(&system, n, &e))
        say_file(n, &e, f);
    else
        power_index_init(&x, system);
    for (const struct shimxml_node *s = shimxml_child(n, "PowerConsumptionSet"); s;
         s = shimxml_next(s, "PowerConsumptionSet")) {
        check_doubles(s, &seen, f);
        if (!system)
            continue;
        check_consumers(s, &x, f);
        check_values_of(s, &x, f);
    }
    map_release(&seen);
    power_index_release(&x);
    shimxml_free(system);
    error_release(&e);
}

void check_power(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    const struct shimxml_node *root = shimxml_root(d), *configuration = shimxml_child(root, "PowerConfiguration");
    if (d->schema != &schema2)
        return;
    const struct shimxml_node *points =
        shimxml_child(shimxml_child(root, "SystemConfiguration"), "FrequencyVoltageSet");
    for (const struct shimxml_node *n = 0; (n = shimxml_following(points, n, 0));)
        if (shimxml_is(n, "OperatingPoint"))
            check_quantity(&quantity_voltage, n, 1e-3, 1e3, VOLTAGE_RANGE, f);
        else if (shimxml_is(n, "OperatingPointSet"))
            check_points(n, f);
    for (const struct shimxml_node *n = 0; (n = shimxml_following(configuration, n, "PowerConsumption"));)
        check_quantity(&quantity_power, n, 1e-12, 1e6, POWER_RANGE, f);
    if (configuration)
        check_configuration(configuration, f);
}
