/* estimate_causes.c - adds up cycles by cause, and makes their sum equal to the cycles to the last bit. */
#include "shimgen/estimate/estimate_causes.h"

#include <math.h>

const char *cause_name(enum estimate_cause c)
{
    static const char *const names[CAUSES] = {
#define X(id, name) [CAUSE_##id] = (name),
        ESTIMATE_CAUSES(X)
#undef X
    };
    return names[c];
}

enum estimate_cause cause_of_class(enum ir_class class)
{
    switch (class) {
    case IR_CLASS_LOAD:
    case IR_CLASS_STORE:
    case IR_CLASS_ATOMIC:
    case IR_CLASS_FENCE:
        return CAUSE_LOAD_STORE;
    case IR_CLASS_FSUM:
    case IR_CLASS_FNEGATION:
    case IR_CLASS_FCOMPARE:
    case IR_CLASS_FPRODUCT:
    case IR_CLASS_FDIVISION:
    case IR_CLASS_CONVERSION:
        return CAUSE_FP;
    case IR_CLASS_CALL:
        return CAUSE_CALLS;
    default:
        return CAUSE_INTEGER;
    }
}

void causes_charge(struct causes *c, struct cycles *sum, enum estimate_cause cause, enum bound bound, double cycles)
{
    cycles_charge(sum, bound, cycles);
    if (bound == BOUND_TYPICAL)
        c->at[cause] += cycles;
}

void causes_add(struct causes *c, struct cycles *sum, enum estimate_cause cause, const struct cycles *each,
                double times)
{
    cycles_add(sum, each, times);
    c->at[cause] += each->typical * times;
}

void causes_sum(struct causes *sum, const struct causes *c)
{
    for (int i = 0; i < CAUSES; i++)
        sum->at[i] += c->at[i];
}

void causes_exact(struct causes *c, double cycles, double step)
{
    double left = cycles;
    int most = CAUSE_ISSUE;
    for (int i = 0; i < CAUSES; i++) {
        double whole = rint(c->at[i] / step) * step;
        c->at[i] = left > 0 ? fmax(0, fmin(whole, left)) : 0;
        left -= c->at[i];
        most = c->at[i] > c->at[most] ? i : most;
    }
    c->at[most] += left;
}
