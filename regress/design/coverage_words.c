/*
 * coverage_words.c - how well the data determine each value, in a word and a sentence. Bounds:
 *
 *  15 %, 50 %    Largest standard error of a value that is well, or at least weakly, determined. Both are shares of
 *                the value, or of the cost of an average count where the value is less. Comparisons with hardware ask
 *                for 15 %. 50 % leaves a factor of about two open (two standard errors either way).
 *  0.5           One program brings more than half of what is known about the value.
 *  0.9           Correlation of two estimates from which on what one gains the other loses.
 *  0.99          Correlation of the counts of two keys from which on no fit can tell the keys apart.
 */
#include "regress/design/cover.h"
#include "regress/design/coverage.h"

#include <math.h>

#include "base/alloc.h"
#include "base/str.h"

#define WELL         0.15
#define WEAKLY       0.5
#define FEW_PROGRAMS 3
#define ONE_SIDED    0.5
#define ALIKE        0.9
#define ALIKE_KEYS   0.99

static void set(struct regress_covered *x, enum regress_standing standing, char *words)
{
    x->standing = standing;
    x->words = words;
}

/* What both kinds have in common. Returns false if it has no verdict yet. */
static bool judge_occurrence(struct regress_covered *x)
{
    if (x->groups == 0)
        set(x, REGRESS_ABSENT, xstrdup("no program executes it"));
    else if (x->groups == 1)
        set(x, REGRESS_ONE_PROGRAM,
            xasprintf("only %s has it: the value absorbs everything else that is special there", x->strongest_of));
    else
        return false;
    return true;
}

/* Is it known from few programs only, however well it fits these? */
static bool judge_balance(struct regress_covered *x)
{
    if (x->strongest > ONE_SIDED)
        set(x, REGRESS_WEAKLY,
            xasprintf("%s alone provides %.0f %% of the information about it", x->strongest_of, 100 * x->strongest));
    else if (x->effective < FEW_PROGRAMS)
        set(x, REGRESS_WEAKLY, xasprintf("its %zu programs are worth %.1f", x->groups, x->effective));
    else
        return false;
    return true;
}

void cover_judge_variable(struct regress_coverage *c, size_t j)
{
    struct regress_covered *x = &c->variables[j];
    double relative = x->error / fmax(fabs(x->value), c->unit);
    const char *like = x->like == REGRESS_NONE ? 0 : c->variables[x->like].name;
    if (judge_occurrence(x))
        return;
    if (isinf(x->error) && like)
        set(x, REGRESS_ALIKE,
            xasprintf("cannot be told apart from '%s': more of one and less of the other changes no row", like));
    else if (relative > WEAKLY && like && x->likeness > ALIKE)
        set(x, REGRESS_ALIKE,
            xasprintf("is nearly indistinguishable from '%s': what one gains the other loses (correlation %.2f)", like,
                      x->likeness));
    else if (relative > WEAKLY)
        set(x, REGRESS_NOT_DETERMINED, xasprintf("the scatter of the rows leaves +-%.0f %% open", 100 * relative));
    else if (isnan(relative))
        set(x, REGRESS_WEAKLY, xstrdup("as many values as rows: no rows are left to estimate errors"));
    else if (relative > WELL)
        set(x, REGRESS_WEAKLY, xasprintf("known within +-%.0f %%", 100 * relative));
    else if (!judge_balance(x))
        set(x, REGRESS_WELL, xasprintf("known within +-%.1f %%", 100 * relative));
}

void cover_judge_key(struct regress_coverage *c, size_t k)
{
    struct regress_covered *x = &c->keys[k];
    if (judge_occurrence(x))
        return;
    if (x->like != REGRESS_NONE && x->likeness > ALIKE_KEYS)
        set(x, REGRESS_ALIKE,
            xasprintf("occurs in proportion to '%s' everywhere: the two cannot be told apart", c->keys[x->like].name));
    else if (!judge_balance(x))
        set(x, REGRESS_WELL, xasprintf("in %zu programs, worth %.1f", x->groups, x->effective));
}

const char *regress_standing_text(enum regress_standing s)
{
    static const char *const texts[] = {"well", "weakly", "not determined", "alike", "one program", "absent"};
    return texts[s];
}
