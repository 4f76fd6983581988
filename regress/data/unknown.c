/* unknown.c - columns that a classification was not made for: only its catch-all rule takes them. */
#include <string.h>

#include "base/key.h"
#include "regress/data/classes.h"
#include "regress/regress.h"

static bool takes_all(const struct regress_rule *r)
{
    return strcmp(r->glob, "*") == 0 && !r->each && r->variable != REGRESS_NONE;
}

void regress_unknown_columns(struct regress_unknown *out, const struct regress_classes *c, const struct regress_data *d)
{
    size_t particular = 0;
    *out = (struct regress_unknown){0};
    for (size_t i = 0; i < c->n_rules; i++)
        particular += !takes_all(&c->rules[i]);
    for (size_t j = 0; particular && j < d->cols; j++) {
        if (d->kinds[j] != REGRESS_KEY || !classes_see(c, d->names[j]))
            continue;
        size_t rule = regress_classes_rule(c, d->names[j]);
        if (rule == REGRESS_NONE || !takes_all(&c->rules[rule]) || ir_key(d->names[j]).opcode != IR_NONE) {
            out->recognised++;
        } else if (!out->n++) {
            out->first = d->names[j];
            out->variable = c->variables[c->rules[rule].variable].name;
        }
    }
}
