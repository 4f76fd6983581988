/* power_make.c - writes a description's operating points into a SHIM 2.0 file, and its power into a file beside it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "shim-xml/convert/convert.h"
#include "shim-xml/document/clocks.h"
#include "shim-xml/document/machine.h"
#include "shim-xml/document/quantity.h"
#include "shim-xml/power/power.h"

/* A component that a domain names. */
struct member {
    struct shimxml_node *at;
    size_t domain;
    double hz; /* its original clock; 0: not known, or it is not a core */
};
struct making {
    const struct power *p;
    struct shimxml_doc *d;
    VEC(struct member) members; /* cores first */
};

static const char *const references[] = {"operatingPointRef", "frequencyDomainRef", "voltageDomainRef"};

/* ---- components ---- */

static bool is_component(const struct shimxml_node *n)
{
    return shimxml_is(n, "MasterComponent") || shimxml_is(n, "SlaveComponent") || shimxml_is(n, "Cache");
}

static const char *name_of(const struct shimxml_node *n)
{
    return shimxml_get(n, "name") ? shimxml_get(n, "name") : "";
}

static bool is_named(const char *globs, const struct shimxml_node *n)
{
    const char *name = shimxml_get(n, "name");
    return name && machine_is_named(globs, name);
}

/* Does it belong to `of`? A component does by its own name, a core also by that of a set around it. Without `of`, all
 * cores do. */
static bool belongs(const struct shimxml_node *n, const char *of)
{
    bool core = shimxml_is(n, "MasterComponent");
    if (!of)
        return core;
    for (; n; n = core ? shimxml_parent(n) : 0)
        if (is_named(of, n))
            return true;
    return false;
}

/* ---- choice of a point ---- */

static bool has_clock(const struct power_point *t, double hz)
{
    return fabs((double)t->hz - hz) <= 0.01 * hz;
}

/* Values in cycles belong to one clock, so a core with values works at the point with that clock. */
static enum status choose(const struct power_point **used, const struct making *m, const struct member *x,
                          struct error *e)
{
    const struct power_domain *domain = &m->p->domains.at[x->domain];
    const struct power_point *best = 0;
    for (size_t i = 0; i < m->p->points.n; i++) {
        const struct power_point *t = &m->p->points.at[i];
        if (!power_point_is_of(m->p, t, domain) || (domain->use && strcmp(t->name, domain->use) != 0) ||
            (x->hz > 0 && !has_clock(t, x->hz)))
            continue;
        best = best && best->hz >= t->hz ? best : t;
    }
    *used = best;
    return best ? OK
                : error_set(e, ERR_INPUT, AT(m->p->path, domain->line),
                            "[domain %.60s]: core '%.60s' has a clock of %g Hz, which its values in cycles are of; %s",
                            domain->name, name_of(x->at), x->hz,
                            domain->use ? "'use' names a point of another one" : "there is no point of this frequency");
}

/* ---- members of domains ---- */

static enum status add_member(struct making *m, struct map *taken, struct shimxml_node *n, size_t domain,
                              struct error *e)
{
    char *key = xasprintf("%p", (const void *)n);
    bool again = map_get(taken, key, 0);
    map_put(taken, key, 1);
    free(key);
    if (again)
        return error_set(e, ERR_INPUT, AT(m->p->path, m->p->domains.at[domain].line),
                         "[domain %.60s]: '%.60s' is in another domain, too", m->p->domains.at[domain].name,
                         name_of(n));
    vec_push(&m->members, ((struct member){n, domain, shimxml_is(n, "MasterComponent") ? clock_of(n) : 0}));
    return OK;
}

static enum status find_members(struct making *m, struct map *taken, size_t domain, struct error *e)
{
    const struct power_domain *x = &m->p->domains.at[domain];
    size_t before = m->members.n;
    enum status s = OK;
    for (int others = 0; others < 2; others++)
        for (struct shimxml_node *n = 0; !s && (n = shimxml_following(shimxml_root(m->d), n, 0));)
            if (is_component(n) && shimxml_is(n, "MasterComponent") != others && belongs(n, x->of))
                s = add_member(m, taken, n, domain, e);
    if (!s && m->members.n == before)
        s = error_set(e, ERR_INPUT, AT(m->p->path, x->line), "[domain %.60s]: of = %.60s names no component of %s",
                      x->name, x->of ? x->of : "", m->d->path);
    return s;
}

static enum status find_all_members(struct making *m, struct error *e)
{
    struct map taken = {0};
    enum status s = OK;
    for (size_t i = 0; !s && i < m->p->domains.n; i++)
        s = find_members(m, &taken, i, e);
    map_release(&taken);
    return s;
}

/* ---- writing ---- */

/* Sets an id that the file does not use yet. */
static void set_id(const struct making *m, struct shimxml_node *n, const char *kind, const char *name)
{
    char *id = xasprintf("%s_%s", kind, name);
    while (shimxml_by_id(m->d, id)) {
        char *longer = xasprintf("%s_", id);
        free(id);
        id = longer;
    }
    shimxml_set(n, "name", name);
    shimxml_set(n, "id", id);
    free(id);
}

static struct shimxml_node *add_point(const struct making *m, struct shimxml_node *points, const struct power_point *t)
{
    struct shimxml_node *n = shimxml_add(points, "OperatingPoint");
    set_id(m, n, "OP", t->name);
    quantity_set(&quantity_frequency, n, t->hz);
    if (t->has_voltage)
        quantity_set(&quantity_voltage, n, t->picovolts);
    return n;
}

static struct shimxml_node *point_in(struct shimxml_node *points, const char *name)
{
    struct shimxml_node *n = shimxml_child(points, "OperatingPoint");
    while (n && strcmp(shimxml_get(n, "name"), name) != 0)
        n = shimxml_next(n, "OperatingPoint");
    return n;
}

/* Makes all components of the domain refer to points: cores to the point that fits, others to that of the first
 * core. */
static enum status refer_all(const struct making *m, size_t domain, struct shimxml_node *frequency,
                             struct shimxml_node *voltage, struct shimxml_node *points, struct error *e)
{
    const struct power_point *used = 0;
    enum status s = OK;
    for (size_t i = 0; !s && i < m->members.n; i++) {
        const struct member *x = &m->members.at[i];
        if (x->domain != domain)
            continue;
        if (!used || shimxml_is(x->at, "MasterComponent"))
            s = choose(&used, m, x, e);
        if (s)
            break;
        const struct shimxml_node *const targets[] = {point_in(points, used->name), frequency, voltage};
        for (size_t k = 0; k < 3; k++)
            shimxml_set(x->at, references[k], targets[k] ? shimxml_get(targets[k], "id") : 0);
    }
    return s;
}

static bool has_voltages(const struct power *p, const struct power_domain *domain)
{
    for (size_t i = 0; i < p->points.n; i++)
        if (p->points.at[i].has_voltage && power_point_is_of(p, &p->points.at[i], domain))
            return true;
    return false;
}

static enum status add_domain(const struct making *m, struct shimxml_node *set, size_t number, struct error *e)
{
    const struct power_domain *domain = &m->p->domains.at[number];
    bool volts = has_voltages(m->p, domain);
    struct shimxml_node *frequency = shimxml_add(set, "FrequencyDomain"),
                        *voltage = volts ? shimxml_add(set, "VoltageDomain") : 0,
                        *points = shimxml_add(set, "OperatingPointSet");
    set_id(m, frequency, "FD", domain->name);
    if (voltage)
        set_id(m, voltage, "VD", domain->name);
    set_id(m, points, "OPS", domain->name);
    for (size_t i = 0; i < m->p->points.n; i++)
        if (power_point_is_of(m->p, &m->p->points.at[i], domain))
            add_point(m, points, &m->p->points.at[i]);
    return refer_all(m, number, frequency, voltage, points, e);
}

/* ---- points that nothing refers to any more ---- */

static void note_references(struct map *used, const struct shimxml_doc *d)
{
    struct power_index x;
    power_index_init(&x, d);
    for (const struct shimxml_node *n = 0; (n = shimxml_following(shimxml_root(d), n, 0));)
        for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
            const char *id = shimxml_get(n, references[i]);
            const struct shimxml_node *at = id ? power_point_called(&x, id) : 0;
            if (id)
                map_put(used, reference_id(id), 1);
            if (at && shimxml_get(shimxml_parent(at), "id")) /* and the set that contains the point */
                map_put(used, shimxml_get(shimxml_parent(at), "id"), 1);
        }
    power_index_release(&x);
}

static bool is_in(const struct map *ids, const struct shimxml_node *n)
{
    const char *id = shimxml_get(n, "id");
    return id && map_get(ids, id, 0);
}

static void remove_left(struct shimxml_node *set, const char *kind, const struct map *before, const struct map *after)
{
    for (struct shimxml_node *n = shimxml_child(set, kind), *next; n; n = next) {
        next = shimxml_next(n, kind);
        if (is_in(before, n) && !is_in(after, n))
            shimxml_remove(n);
    }
}

static bool says_nothing(const struct shimxml_node *points)
{
    for (const struct shimxml_node *n = shimxml_child(points, "OperatingPoint"); n;
         n = shimxml_next(n, "OperatingPoint"))
        if (clock_of(n) > 0)
            return false;
    return true;
}

/* A conversion makes a domain and a set of points of the system's own, and cores refer to that set's first point only.
 * Removes both if nothing refers to them any more. */
static void drop_left(struct shimxml_node *set, const struct shimxml_doc *d, const struct map *before)
{
    struct map after = {0};
    note_references(&after, d);
    struct shimxml_node *first = shimxml_child(set, "OperatingPointSet"), *own = shimxml_child(set, "FrequencyDomain");
    bool left = first && !is_in(&after, first) && (is_in(before, first) || says_nothing(first));
    if (left)
        shimxml_remove(first);
    if (left && own && !is_in(&after, own))
        shimxml_remove(own);
    remove_left(set, "OperatingPointSet", before, &after);
    remove_left(set, "FrequencyDomain", before, &after);
    remove_left(set, "VoltageDomain", before, &after);
    map_release(&after);
}

static void clear_references(const struct making *m)
{
    for (size_t i = 0; i < m->members.n; i++)
        for (size_t k = 0; k < sizeof references / sizeof *references; k++)
            shimxml_set(m->members.at[i].at, references[k], 0);
}

static enum status add_points(struct making *m, struct error *e)
{
    struct shimxml_node *set =
        shimxml_need(shimxml_child(shimxml_root(m->d), "SystemConfiguration"), "FrequencyVoltageSet");
    struct map before = {0};
    note_references(&before, m->d);
    enum status s = find_all_members(m, e);
    if (!s) {
        clear_references(m);
        drop_left(set, m->d, &before);
    }
    for (size_t i = 0; !s && i < m->p->domains.n; i++)
        s = add_domain(m, set, i, e);
    map_release(&before);
    return s;
}

/* ---- power ---- */

static enum status add_power(const struct making *m, const struct power_index *points,
                             struct shimxml_node *configuration, const struct power_set *set, struct error *e)
{
    struct shimxml_node *n = shimxml_add(configuration, "PowerConsumptionSet");
    shimxml_setf(n, "id", "PC_%s", set->name);
    shimxml_set(n, "name", set->name);
    for (const struct shimxml_node *c = 0; (c = shimxml_following(shimxml_root(m->d), c, 0));)
        if ((is_component(c) || shimxml_is(c, "ComponentSet")) && is_named(set->of, c) && shimxml_get(c, "id"))
            shimxml_set_text(shimxml_add(n, "PowerConsumerRef"), shimxml_get(c, "id"));
    if (!shimxml_child(n, "PowerConsumerRef"))
        return error_set(e, ERR_INPUT, AT(m->p->path, set->line), "[power %.60s]: of = %.60s names no component of %s",
                         set->name, set->of, m->d->path);
    for (size_t i = 0; i < set->values.n; i++) {
        const struct shimxml_node *point = power_point_called(points, set->values.at[i].point);
        struct shimxml_node *v = shimxml_add(n, "PowerConsumption");
        shimxml_set(v, "operatingPointRef", shimxml_get(point, "id"));
        quantity_set(&quantity_power, v, set->values.at[i].picowatts);
    }
    return OK;
}

static enum status make_power(const struct making *m, struct shimxml_doc **out, const char *system, struct error *e)
{
    struct converting c = {.from = m->d, .to = doc_make(m->p->path)};
    doc_set_schema(c.to, &schema2);
    struct shimxml_node *root = convert_root_of_two(&c, &c.to->top, shimxml_root(m->d));
    struct shimxml_node *configuration = shimxml_add(root, "PowerConfiguration");
    shimxml_set(configuration, "systemConfigurationSrc", system);
    enum status s = OK;
    struct power_index x;
    power_index_init(&x, m->d);
    for (size_t i = 0; !s && i < m->p->sets.n; i++)
        s = add_power(m, &x, configuration, &m->p->sets.at[i], e);
    power_index_release(&x);
    if (s)
        shimxml_free(c.to);
    else
        *out = c.to;
    return s;
}

enum status shimxml_power(struct shimxml_doc *d, struct shimxml_doc **power, const char *description,
                          const char *system, struct error *e)
{
    struct power *p = 0;
    *power = 0;
    if (!shimxml_child(shimxml_root(d), "SystemConfiguration"))
        return error_set(e, ERR_INPUT, AT_FILE(d->path),
                         "operating points need a SHIM 2.0 file that describes a system");
    enum status s = power_read(&p, description, e);
    struct making m = {.p = p, .d = d};
    if (!s)
        s = add_points(&m, e);
    if (!s && p->sets.n)
        s = make_power(&m, power, system, e);
    vec_release(&m.members);
    power_free(p);
    return s;
}
