/* power_read.c - parses a description of operating points and power. */
#include <stdlib.h>
#include <string.h>

#include "base/ini.h"
#include "shim-xml/document/quantity.h"
#include "shim-xml/power/power.h"

static enum status bad(const struct power *p, const struct ini_entry *x, const char *expected, struct error *e)
{
    return error_set(e, ERR_INPUT, AT(p->path, x->line), "%s = %.60s: %s is expected", x->key, x->value, expected);
}

static enum status unknown(const struct power *p, const struct ini_entry *x, const char *keys, struct error *e)
{
    return error_set(e, ERR_INPUT, AT(p->path, x->line), "[%.60s] has no key '%.60s'; there are %s", x->section, x->key,
                     keys);
}

static enum status take_text(char **out, const struct power *p, const struct ini_entry *x, struct error *e)
{
    if (!*x->value)
        return bad(p, x, "a text", e);
    *out = xstrdup(x->value);
    return OK;
}

/* Names become ids. */
static bool is_name(const char *text)
{
    return *text && !text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")];
}

/* In "point fast", the name after the word; NULL: another kind of section. */
static const char *named(const char *section, const char *word)
{
    size_t n = strlen(word);
    return strncmp(section, word, n) == 0 && section[n] == ' ' && is_name(section + n + 1) ? section + n + 1 : 0;
}

static bool is_of_machine(const char *section)
{
    return strcmp(section, "machine") == 0 || named(section, "cluster") || named(section, "cache") ||
           named(section, "memory");
}

/* ---- sections ---- */

static struct power_domain *domain(struct power *p, const char *name, unsigned long line)
{
    for (size_t i = 0; i < p->domains.n; i++)
        if (strcmp(p->domains.at[i].name, name) == 0)
            return &p->domains.at[i];
    vec_push(&p->domains, (struct power_domain){.name = xstrdup(name), .line = line});
    return &p->domains.at[p->domains.n - 1];
}

static struct power_point *point(struct power *p, const char *name, unsigned long line)
{
    for (size_t i = 0; i < p->points.n; i++)
        if (strcmp(p->points.at[i].name, name) == 0)
            return &p->points.at[i];
    vec_push(&p->points, (struct power_point){.name = xstrdup(name), .line = line});
    return &p->points.at[p->points.n - 1];
}

static struct power_set *set(struct power *p, const char *name, unsigned long line)
{
    for (size_t i = 0; i < p->sets.n; i++)
        if (strcmp(p->sets.at[i].name, name) == 0)
            return &p->sets.at[i];
    vec_push(&p->sets, (struct power_set){.name = xstrdup(name), .line = line});
    return &p->sets.at[p->sets.n - 1];
}

static enum status take_domain(struct power_domain *d, const struct power *p, const struct ini_entry *x,
                               struct error *e)
{
    if (strcmp(x->key, "of") == 0)
        return take_text(&d->of, p, x, e);
    if (strcmp(x->key, "use") == 0)
        return take_text(&d->use, p, x, e);
    return unknown(p, x, "of use", e);
}

static enum status take_point(struct power_point *t, const struct power *p, const struct ini_entry *x, struct error *e)
{
    if (strcmp(x->key, "domain") == 0)
        return take_text(&t->domain, p, x, e);
    if (strcmp(x->key, "frequency") == 0)
        return quantity_read(&quantity_frequency, &t->hz, x->value) && t->hz
                   ? OK
                   : bad(p, x, "a frequency above 0, such as 1.4 GHz, in whole Hz", e);
    if (strcmp(x->key, "voltage") != 0)
        return unknown(p, x, "domain frequency voltage", e);
    t->has_voltage = true;
    return quantity_read(&quantity_voltage, &t->picovolts, x->value) && t->picovolts
               ? OK
               : bad(p, x, "a voltage above 0, such as 900 mV", e);
}

static enum status take_power(struct power_set *s, const struct power *p, const struct ini_entry *x, struct error *e)
{
    if (strcmp(x->key, "of") == 0)
        return take_text(&s->of, p, x, e);
    struct power_value v = {.line = x->line};
    if (!quantity_read(&quantity_power, &v.picowatts, x->value) || !v.picowatts)
        return bad(p, x, "a power above 0, such as 350 mW,", e);
    v.point = xstrdup(x->key);
    vec_push(&s->values, v);
    return OK;
}

static enum status take(struct power *p, const struct ini_entry *x, struct error *e)
{
    const char *name;
    if ((name = named(x->section, "domain")))
        return take_domain(domain(p, name, x->line), p, x, e);
    if ((name = named(x->section, "point")))
        return take_point(point(p, name, x->line), p, x, e);
    if ((name = named(x->section, "power")))
        return take_power(set(p, name, x->line), p, x, e);
    return is_of_machine(x->section)
               ? OK
               : error_set(e, ERR_INPUT, AT(p->path, x->line),
                           "there is no section [%.60s]; there are [domain NAME], [point NAME], [power NAME], with "
                           "names of letters, digits and '_', and those of a machine's description",
                           x->section);
}

/* ---- consistency ---- */

bool power_point_is_of(const struct power *p, const struct power_point *point, const struct power_domain *domain)
{
    return point->domain ? strcmp(point->domain, domain->name) == 0 : p->domains.n == 1;
}

static const struct power_point *find_point(const struct power *p, const char *name)
{
    for (size_t i = 0; i < p->points.n; i++)
        if (strcmp(p->points.at[i].name, name) == 0)
            return &p->points.at[i];
    return 0;
}

static enum status check_point(const struct power *p, const struct power_point *t, struct error *e)
{
    struct loc at = AT(p->path, t->line);
    if (!t->hz)
        return error_set(e, ERR_INPUT, at, "[point %.60s] has no 'frequency'", t->name);
    for (size_t i = 0; i < p->domains.n; i++)
        if (power_point_is_of(p, t, &p->domains.at[i]))
            return OK;
    return t->domain ? error_set(e, ERR_INPUT, at, "[point %.60s]: there is no [domain %.60s]", t->name, t->domain)
                     : error_set(e, ERR_INPUT, at, "[point %.60s] has no 'domain'", t->name);
}

static enum status check_domain(const struct power *p, const struct power_domain *d, struct error *e)
{
    const struct power_point *used = d->use ? find_point(p, d->use) : 0;
    size_t points = 0;
    for (size_t i = 0; i < p->points.n; i++)
        points += power_point_is_of(p, &p->points.at[i], d);
    if (!points)
        return error_set(e, ERR_INPUT, AT(p->path, d->line), "[domain %.60s] has no [point NAME]", d->name);
    if (d->use && (!used || !power_point_is_of(p, used, d)))
        return error_set(e, ERR_INPUT, AT(p->path, d->line), "[domain %.60s]: use = %.60s is none of its points",
                         d->name, d->use);
    return OK;
}

static enum status check_set(const struct power *p, const struct power_set *s, struct error *e)
{
    if (!s->of || !s->values.n)
        return error_set(e, ERR_INPUT, AT(p->path, s->line), "[power %.60s] has no '%s'", s->name,
                         s->of ? "POINT = POWER" : "of");
    for (size_t i = 0; i < s->values.n; i++)
        if (!find_point(p, s->values.at[i].point))
            return error_set(e, ERR_INPUT, AT(p->path, s->values.at[i].line),
                             "[power %.60s]: there is no [point %.60s]", s->name, s->values.at[i].point);
    return OK;
}

static enum status check_all(struct power *p, struct error *e)
{
    enum status s = p->points.n ? OK : error_set(e, ERR_INPUT, AT_FILE(p->path), "there is no [point NAME]");
    if (!s && !p->domains.n)
        domain(p, "cores", 0);
    for (size_t i = 0; !s && i < p->points.n; i++)
        s = check_point(p, &p->points.at[i], e);
    for (size_t i = 0; !s && i < p->domains.n; i++)
        s = check_domain(p, &p->domains.at[i], e);
    for (size_t i = 0; !s && i < p->sets.n; i++)
        s = check_set(p, &p->sets.at[i], e);
    return s;
}

/* ---- the whole file ---- */

enum status power_read(struct power **out, const char *path, struct error *e)
{
    struct ini *ini = 0;
    struct power *p = xcalloc(1, sizeof *p);
    p->path = path;
    enum status s = ini_read(&ini, path, e);
    for (size_t i = 0; !s && i < ini->n; i++)
        s = take(p, &ini->entries[i], e);
    if (!s)
        s = check_all(p, e);
    ini_free(ini);
    if (s)
        power_free(p);
    else
        *out = p;
    return s;
}

void power_free(struct power *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->domains.n; i++) {
        free(p->domains.at[i].name);
        free(p->domains.at[i].of);
        free(p->domains.at[i].use);
    }
    for (size_t i = 0; i < p->points.n; i++) {
        free(p->points.at[i].name);
        free(p->points.at[i].domain);
    }
    for (size_t i = 0; i < p->sets.n; i++) {
        for (size_t k = 0; k < p->sets.at[i].values.n; k++)
            free(p->sets.at[i].values.at[k].point);
        vec_release(&p->sets.at[i].values);
        free(p->sets.at[i].name);
        free(p->sets.at[i].of);
    }
    vec_release(&p->domains);
    vec_release(&p->points);
    vec_release(&p->sets);
    free(p);
}
