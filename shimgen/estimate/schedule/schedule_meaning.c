/*
 * What is one instruction in the IR and several in code: intrinsics and switches, as the
 * instructions that a SHIM file has values for.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule/schedule.h"

/* How a key begins, and the instructions that do the same, one behind the other. Those that are not here and begin with
 * call.llvm cost what a call does: memcpy and the like. */
static const struct {
    const char *key, *meaning;
} meanings[] = {
    {"call.llvm.smax", "icmp select"},
    {"call.llvm.smin", "icmp select"},
    {"call.llvm.umax", "icmp select"},
    {"call.llvm.umin", "icmp select"},
    {"call.llvm.abs", "icmp select"},
    {"call.llvm.ucmp", "icmp select"},
    {"call.llvm.scmp", "icmp select"},
    {"call.llvm.fabs", "fneg"},
    {"call.llvm.copysign", "fneg"},
    {"call.llvm.maxnum", "fadd"},
    {"call.llvm.minnum", "fadd"},
    {"call.llvm.fmuladd", "fmul fadd"},
    {"call.llvm.fma", "fmul fadd"},
    {"call.llvm.sqrt", "fdiv"},
    {"call.llvm.floor", "fadd"},
    {"call.llvm.ceil", "fadd"},
    {"call.llvm.trunc", "fadd"},
    {"call.llvm.rint", "fadd"},
    {"call.llvm.nearbyint", "fadd"},
    {"call.llvm.round", "fadd"},
    {"call.llvm.fptosi.sat", "fptosi"},
    {"call.llvm.fptoui.sat", "fptoui"},
    {"call.llvm.lrint", "fptosi"},
    {"call.llvm.llrint", "fptosi"},
    {"call.llvm.fshl", "lshr"},
    {"call.llvm.fshr", "lshr"},
    {"call.llvm.bswap", "lshr"},
    {"call.llvm.bitreverse", "lshr"},
    {"call.llvm.ctlz", "lshr"},
    {"call.llvm.cttz", "lshr lshr"},
    {"call.llvm.ctpop", "lshr and add lshr and add lshr mul"},
    {"call.llvm.sadd.sat", "add icmp select"},
    {"call.llvm.ssub.sat", "add icmp select"},
    {"call.llvm.uadd.sat", "add select"},
    {"call.llvm.usub.sat", "add select"},
    {"call.llvm.sadd.with.overflow", "add icmp"},
    {"call.llvm.ssub.with.overflow", "add icmp"},
    {"call.llvm.uadd.with.overflow", "add icmp"},
    {"call.llvm.usub.with.overflow", "add icmp"},
    {"call.llvm.smul.with.overflow", "mul icmp"},
    {"call.llvm.umul.with.overflow", "mul icmp"},
    {"call.llvm.vector.reduce.fadd", "fadd fadd fadd fadd"},
    {"call.llvm.vector.reduce.fmul", "fmul fmul fmul fmul"},
    {"call.llvm.vector.reduce", "shufflevector add shufflevector add extractelement"},
    {"call.llvm.experimental.vector.reduce", "shufflevector add shufflevector add extractelement"},
    {"switch", "icmp getelementptr load add br"},
};

static bool is(const char *key, const char *word)
{
    size_t n = strlen(word);
    return strncmp(key, word, n) == 0 && (key[n] == '.' || key[n] == '_' || !key[n]);
}

/* The values of an instruction: the file's, or what stands for it. */
static void add_instruction(struct code *c, const struct schedule *s, const char *name, int which)
{
    struct cycles pitch, latency;
    costs_of_instruction(&pitch, &latency, s->est->costs, name);
    c->slots += (float)s->issue;
    c->pitch += (float)cycles_pick(&pitch, which);
    c->latency += (float)cycles_pick(&latency, which);
}

bool schedule_meaning(struct code *c, const struct schedule *s, const char *key, struct map *units, int which)
{
    size_t i = 0, n = sizeof meanings / sizeof *meanings;
    while (i < n && !is(key, meanings[i].key))
        i++;
    if (i == n)
        return false;
    c->slots = c->pitch = c->latency = 0;
    for (const char *at = meanings[i].meaning; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        char *name = xstrndup(at, length);
        add_instruction(c, s, name, which);
        if (at == meanings[i].meaning && is(key, "call"))
            c->unit = (uint32_t)map_number(units, name);
        free(name);
        at += length;
    }
    return true;
}
