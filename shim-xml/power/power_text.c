/* power_text.c - describes a document's operating points and power in words, and finds them by name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/clocks.h"
#include "shim-xml/document/quantity.h"
#include "shim-xml/document/text.h"
#include "shim-xml/document/units_file.h"
#include "shim-xml/power/power.h"

/* ---- by name ---- */

static bool is_consumer(const struct shimxml_node *n)
{
    static const char *const kinds[] = {"ComponentSet", "MasterComponent", "SlaveComponent", "Cache", "FunctionalUnit"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (shimxml_is(n, kinds[i]))
            return true;
    return false;
}

static void add_to(struct power_index *x, struct map *list, const struct shimxml_node *n, const char *attribute)
{
    const char *key = shimxml_get(n, attribute);
    if (!key || map_get(list, key, 0))
        return;
    map_put(list, key, x->nodes.n);
    vec_push(&x->nodes, n);
}

void power_index_init(struct power_index *x, const struct shimxml_doc *d)
{
    static const char *const keys[] = {"id", "name"};
    *x = (struct power_index){0};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        for (const struct shimxml_node *n = 0; (n = shimxml_following(shimxml_root(d), n, 0));)
            if (shimxml_is(n, "OperatingPoint"))
                add_to(x, &x->points, n, keys[k]);
            else if (is_consumer(n))
                add_to(x, &x->consumers, n, keys[k]);
}

void power_index_release(struct power_index *x)
{
    map_release(&x->points);
    map_release(&x->consumers);
    vec_release(&x->nodes);
}

const struct shimxml_node *power_point_called(const struct power_index *x, const char *name)
{
    size_t i;
    return map_get(&x->points, reference_id(name), &i) ? x->nodes.at[i] : 0;
}

const struct shimxml_node *power_consumer_called(const struct power_index *x, const char *name)
{
    size_t i;
    return map_get(&x->consumers, reference_id(name), &i) ? x->nodes.at[i] : 0;
}

/* ---- in words ---- */

static void add_clean(struct str *out, const char *before, const char *text)
{
    char *clean = text_printable(text ? text : "", TEXT_LIMIT);
    str_addf(out, "%s%s", before, clean);
    free(clean);
}

void power_add_point(struct str *out, const struct shimxml_node *point)
{
    double volts = quantity_of(&quantity_voltage, point);
    text_hertz(out, clock_of(point));
    if (!isnan(volts))
        str_addf(out, ", %.4g V", volts);
}

/* The index of a point: its id's number in the index, or that of its name. */
static size_t number_of(const struct power_index *x, const struct shimxml_node *point)
{
    size_t i = 0;
    const char *id = shimxml_get(point, "id"), *name = shimxml_get(point, "name");
    if (!id || !map_get(&x->points, id, &i))
        map_get(&x->points, name ? name : "", &i);
    return i;
}

/* Counts the cores that work at each point. */
static void count_users(size_t *users, const struct power_index *x, const struct shimxml_doc *d)
{
    for (const struct shimxml_node *n = 0; (n = shimxml_following(shimxml_root(d), n, "MasterComponent"));) {
        const char *at = shimxml_get(n, "operatingPointRef");
        const struct shimxml_node *point = at ? power_point_called(x, at) : 0;
        if (point)
            users[number_of(x, point)]++;
    }
}

static void add_points(struct str *out, const struct shimxml_doc *d)
{
    struct power_index x;
    power_index_init(&x, d);
    size_t *users = xcalloc(x.nodes.n + 1, sizeof *users);
    count_users(users, &x, d);
    for (const struct shimxml_node *n = 0; (n = shimxml_following(shimxml_root(d), n, "OperatingPoint"));) {
        size_t cores = users[number_of(&x, n)];
        add_clean(out, "operating point ", shimxml_get(n, "name"));
        str_add(out, ": ");
        power_add_point(out, n);
        if (cores)
            str_addf(out, ", of %zu core%s", cores, cores == 1 ? "" : "s");
        str_addch(out, '\n');
    }
    free(users);
    power_index_release(&x);
}

/* `system`: of the file that the configuration names; empty: it cannot be read. */
static void add_value(struct str *out, const struct shimxml_node *n, const struct power_index *system)
{
    const char *id = shimxml_get(n, "operatingPointRef");
    const struct shimxml_node *point = id ? power_point_called(system, id) : 0;
    double watts = quantity_of(&quantity_power, n);
    add_clean(out, "    at ", point && shimxml_get(point, "name") ? shimxml_get(point, "name") : id);
    if (point) {
        str_add(out, " (");
        power_add_point(out, point);
        str_addch(out, ')');
    }
    str_addf(out, isnan(watts) ? ": not given\n" : ": %.6g W\n", watts);
}

static void add_set(struct str *out, const struct shimxml_node *set, const struct power_index *system)
{
    const char *before = " of ";
    add_clean(out, "power ", shimxml_get(set, "name"));
    for (const struct shimxml_node *n = shimxml_child(set, "PowerConsumerRef"); n;
         n = shimxml_next(n, "PowerConsumerRef"), before = ", ") {
        char *id = shimxml_text(n);
        const struct shimxml_node *consumer = power_consumer_called(system, id);
        const char *name = consumer ? shimxml_get(consumer, "name") : 0;
        add_clean(out, before, name ? name : id);
        free(id);
    }
    str_add(out, ":\n");
    for (const struct shimxml_node *n = shimxml_child(set, "PowerConsumption"); n;
         n = shimxml_next(n, "PowerConsumption"))
        add_value(out, n, system);
}

char *shimxml_power_text(const struct shimxml_doc *d)
{
    struct str out = STR_INIT;
    struct shimxml_doc *system = 0;
    struct error ignored = ERROR_INIT; /* `check` says why */
    const struct shimxml_node *configuration = shimxml_child(shimxml_root(d), "PowerConfiguration");
    struct power_index x = {0};
    add_points(&out, d);
    if (configuration && !system_file_read(&system, configuration, &ignored))
        power_index_init(&x, system);
    for (const struct shimxml_node *n = shimxml_child(configuration, "PowerConsumptionSet"); n;
         n = shimxml_next(n, "PowerConsumptionSet"))
        add_set(&out, n, &x);
    power_index_release(&x);
    shimxml_free(system);
    error_release(&ignored);
    return str_detach(&out);
}
