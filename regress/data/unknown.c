/* Columns that a classification was not made for: those that it has in its last drawer only. */
#include <string.h>

#include "regress/data/classes.h"
#include "regress/regress.h"

/* What keys begin with: the instructions of LLVM's IR. */
static const char *const instructions[] = {
    "add",         "addrspacecast", "alloca",         "and",           "ashr",        "atomicrmw",   "bitcast",
    "br",          "call",          "callbr",         "catchpad",      "catchret",    "catchswitch", "cleanuppad",
    "cleanupret",  "cmpxchg",       "extractelement", "extractvalue",  "fadd",        "fcmp",        "fdiv",
    "fence",       "fmul",          "fneg",           "fpext",         "fptosi",      "fptoui",      "fptrunc",
    "freeze",      "frem",          "fsub",           "getelementptr", "icmp",        "indirectbr",  "insertelement",
    "insertvalue", "inttoptr",      "invoke",         "landingpad",    "load",        "lshr",        "mul",
    "or",          "phi",           "ptrtoint",       "resume",        "ret",         "sdiv",        "select",
    "sext",        "shl",           "shufflevector",  "sitofp",        "srem",        "store",       "sub",
    "switch",      "trunc",         "udiv",           "uitofp",        "unreachable", "urem",        "xor",
    "zext"};

static bool is_instruction(const char *key)
{
    size_t n = strcspn(key, "._");
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        if (strlen(instructions[i]) == n && strncmp(instructions[i], key, n) == 0)
            return true;
    return false;
}

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
        if (rule == REGRESS_NONE || !takes_all(&c->rules[rule]) || is_instruction(d->names[j])) {
            out->recognised++;
        } else if (!out->n++) {
            out->first = d->names[j];
            out->variable = c->variables[c->rules[rule].variable].name;
        }
    }
}
