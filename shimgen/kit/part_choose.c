/* part_choose.c - counts the programs that fit, and chooses among them by design of experiments. */
#include "shimgen/kit/part_choose.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "regress/design/design.h"
#include "shimgen/units/count_units.h"

static struct unit copy_of(const struct unit *u)
{
    struct unit copy = *u;
    copy.name = xstrdup(u->name);
    copy.folder = xstrdup(u->folder);
    copy.counted = xstrdup(u->counted);
    copy.measured = xstrdup(u->measured);
    copy.profile = xstrdup(u->profile);
    return copy;
}

/* Copies of the units that fit, with texts of their own: those that cannot be counted are released while counting. */
static struct units units_that_fit(const struct part_fit *fit)
{
    struct units u = {xcalloc(fit->items.n + 1, sizeof *u.at), 0};
    for (size_t i = 0; i < fit->items.n; i++)
        if (!fit->items.at[i].why)
            u.at[u.n++] = copy_of(fit->items.at[i].unit);
    return u;
}

static enum status count(const struct part_fit *fit, const struct board *b, const struct part_choice *c,
                         const char *work, const char *table, struct error *e)
{
    struct losses losses = {.folder = work};
    const struct counting how = {.jobs = c->jobs, .losses = &losses};
    struct units u = units_that_fit(fit);
    struct board counted = *b;
    uint64_t tools = 0;
    counted.how = BOARD_IMPORT; /* no images, since nothing is measured here */
    enum status s = unit_tools_hash(&tools, &counted, work, e);
    if (!s)
        s = count_units(&u, &counted, work, tools, &how, e);
    if (!s)
        s = counts_write(&u, 0, table, e);
    units_release(&u);
    losses_release(&losses);
    return s;
}

/* Test programs only judge the model. They are included in proportion; the design is about training programs. */
static void mark(struct part_fit *fit, const struct regress_data *d, const struct regress_design *design)
{
    struct map chosen = {0};
    for (size_t k = 0; k < design->n; k++)
        map_put(&chosen, d->group_names[design->groups[k]], 0);
    for (size_t i = 0; i < fit->items.n; i++) {
        struct part_item *x = &fit->items.at[i];
        if (!x->why && !map_get(&chosen, x->unit->sample->name, 0))
            x->why = xstrdup("others determine the values better");
    }
    map_release(&chosen);
}

static enum status choose(struct part_fit *fit, const struct part_choice *c, const char *table, struct error *e)
{
    struct regress_data *d = 0;
    struct regress_classes *classes = 0;
    struct regress_design *design = 0;
    enum status s = regress_classes_load(&classes, c->classes, e);
    if (!s)
        s = regress_data_read(&d, table, e);
    if (!s) {
        const struct regress_table pool = {d, 0}, none = {0};
        s = regress_design(&design, &pool, &none, classes, c->n, 1, e);
    }
    if (!s)
        mark(fit, d, design);
    regress_design_free(design);
    regress_classes_free(classes);
    regress_data_free(d);
    return s;
}

enum status part_choose(struct part_fit *fit, const struct board *b, const struct part_choice *c, const char *work,
                        struct error *e)
{
    char *table = path_join(work, "counts.csv");
    enum status s = count(fit, b, c, work, table, e);
    if (!s)
        s = choose(fit, c, table, e);
    free(table);
    return s;
}
