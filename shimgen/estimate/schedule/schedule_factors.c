/* schedule_factors.c - factors by which measured values are multiplied before blocks are scheduled: one for each kind
 * of instruction. */
#include "shimgen/estimate/schedule/schedule_factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"
#include "shim-xml/shimxml.h"
#include "shimgen/estimate/schedule/schedule.h"

/* What is multiplied. USE: not a measured value, but how soon a result is ready for its use. */
enum { PITCH = 1, LATENCY = 2, WORST = 4, USE = 8 };
enum { LOAD_USE = SCHEDULE_FACTORS - 2, ADDRESS_USE };
#define OF(class_) (1U << IR_CLASS_##class_)
#define SIMPLE                                                                                                         \
    (OF(SUM) | OF(LOGIC) | OF(SHIFT) | OF(COMPARE) | OF(SELECT) | OF(ADDRESS) | OF(EXTENSION) | OF(TRUNCATION))
#define FLOAT (OF(FSUM) | OF(FPRODUCT) | OF(FNEGATION) | OF(FCOMPARE))
_Static_assert(IR_CLASSES <= 32, "a bit for each class");
static const struct {
    const char *name, *key; /* as text; in a SHIM file after "factor." */
    unsigned classes;       /* of instructions; 0: only the one below */
    enum ir_opcode opcode;  /* IR_NONE: library functions */
    int what;
} factors[SCHEDULE_FACTORS] = {
    {"Latency of integer instructions", "integer-latency", SIMPLE, IR_NONE, LATENCY},
    {"Pitch of integer instructions", "integer-pitch", SIMPLE, IR_NONE, PITCH},
    {"Latency of load", "load-latency", 0, IR_LOAD, LATENCY},
    {"Pitch of load", "load-pitch", 0, IR_LOAD, PITCH},
    {"Pitch of store", "store-pitch", 0, IR_STORE, PITCH},
    {"values of mul", "multiplication", 0, IR_MUL, PITCH | LATENCY},
    {"values of integer divisions", "division", OF(DIVISION), IR_NONE, PITCH | LATENCY},
    {"Latency of fadd, fsub, fmul, fcmp", "float-latency", FLOAT, IR_NONE, LATENCY},
    {"Pitch of fadd, fsub, fmul, fcmp", "float-pitch", FLOAT, IR_NONE, PITCH},
    {"values of fdiv", "float-division", 0, IR_FDIV, PITCH | LATENCY},
    {"values of conversions", "conversion", OF(CONVERSION), IR_NONE, PITCH | LATENCY},
    {"values of br", "branch", 0, IR_BR, PITCH | LATENCY},
    {"values of call", "calls", 0, IR_CALL, PITCH | LATENCY},
    {"values of ret", "returns", 0, IR_RET, PITCH | LATENCY},
    {"values of vectors", "element", OF(VECTOR), IR_NONE, PITCH | LATENCY},
    {"values of functions of the library", "library", 0, IR_NONE, PITCH | LATENCY},
    {"what br takes at worst", "misprediction", 0, IR_BR, WORST},
    [LOAD_USE] = {"Latency of load to what is no address", "load-use", 0, IR_LOAD, USE},
    [ADDRESS_USE] = {"Latency of add to an address", "address-use", 0, IR_ADD, USE},
};

const char *schedule_factor_name(size_t i)
{
    return i < SCHEDULE_FACTORS ? factors[i].name : 0;
}

bool schedule_factor_measured(size_t i)
{
    return !(factors[i].what & USE);
}

char *schedule_factor_instruction(size_t i)
{
    return xasprintf(SHIMXML_FACTOR "%s", factors[i].key);
}

static void scale(struct cycles *c, double factor)
{
    *c = (struct cycles){c->best * factor, c->typical * factor, c->worst * factor};
}

/* Is the instruction of this kind? Calls of intrinsics and library functions do not count as calls. */
static bool is_key_of(const struct ir_key *k, size_t kind)
{
    if (k->opcode == IR_CALL && k->name)
        return k->form == IR_LIBRARY && !factors[kind].classes && factors[kind].opcode == IR_NONE;
    bool vector = k->type.lanes && k->type.kind == IR_TYPE_INTEGER && k->opcode != IR_LOAD && k->opcode != IR_STORE;
    if (vector) /* the vector unit has its own times */
        return factors[kind].classes == OF(VECTOR);
    if (factors[kind].classes)
        return k->opcode != IR_NONE && factors[kind].classes >> k->class & 1;
    return k->opcode != IR_NONE && k->opcode == factors[kind].opcode;
}

/* Is it a name of this kind: "mul.i64", "call.library.sin" or, in SHIM 2.0, a form by width, "mul:64>64*0"? */
static bool is_of(const char *name, size_t kind)
{
    char *plain = xstrndup(name, strcspn(name, ":"));
    struct ir_key k = ir_key(plain);
    bool is = is_key_of(&k, kind);
    free(plain);
    return is;
}

/* br's worst is the cost of a misprediction. It is scaled separately, and is never below typical. */
static void scale_kind(struct costs *c, size_t kind, double factor)
{
    for (size_t i = 0; i < c->names.n; i++) {
        if (!is_of(c->names.keys[i], kind))
            continue;
        if (factors[kind].what & PITCH)
            scale(&c->pitch[i], factor);
        if (factors[kind].what & LATENCY)
            scale(&c->latency[i], factor);
        if (factors[kind].what & WORST)
            c->latency[i].worst = fmax(c->latency[i].typical, c->latency[i].worst * factor);
    }
}

void schedule_scale(struct costs *to, const struct costs *from, const double *by)
{
    for (size_t i = 0; i < from->names.n; i++) {
        to->pitch[i] = from->pitch[i];
        to->latency[i] = from->latency[i];
    }
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++)
        scale_kind(to, k, by[k]);
    to->load_use = by[LOAD_USE];
    to->address_use = by[ADDRESS_USE];
}

/* If br's worst does not tell the cost of a misprediction, it is set to what the schedule assumes, so that it can be
 * fitted. */
void schedule_say_misprediction(struct costs *c)
{
    size_t i;
    if (costs_has(c, IR_BR, &i))
        c->latency[i].worst = c->latency[i].typical + schedule_misprediction(c);
}
