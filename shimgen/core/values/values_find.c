/* values_find.c - what machine instructions cost, by the IR's that become them, and when results are there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/target.h"
#include "shimgen/core/values/values.h"
#include "shimgen/estimate/shim_core.h"

const struct value_source core_value_sources[] = {
    {ISS_ALU, ISS_UNIT_ALU, "add.i64 add", NULL},
    {ISS_MOVE_IMM, ISS_UNIT_ALU, "add.i64 add", NULL},
    {ISS_COMPARE, ISS_UNIT_ALU, "add.i64 add", NULL},
    {ISS_COMPARE_IF, ISS_UNIT_ALU, "add.i64 add", NULL},
    {ISS_SHIFT_REG, ISS_UNIT_ALU, "shl.i64 shl", NULL},
    {ISS_MUL32, ISS_UNIT_MULTIPLY, "mul.i32 mul", NULL},
    {ISS_MADD32, ISS_UNIT_MULTIPLY, "mul.i32 mul", NULL},
    {ISS_MSUB32, ISS_UNIT_MULTIPLY, "mul.i32 mul", NULL},
    {ISS_MUL_WIDE, ISS_UNIT_MULTIPLY, "mul.i32 mul", NULL},
    {ISS_MUL64, ISS_UNIT_MULTIPLY, "mul.i64 mul", NULL},
    {ISS_MADD64, ISS_UNIT_MULTIPLY, "mul.i64 mul", NULL},
    {ISS_MSUB64, ISS_UNIT_MULTIPLY, "mul.i64 mul", NULL},
    {ISS_MNEG64, ISS_UNIT_MULTIPLY, "mul.i64 mul", NULL},
    {ISS_MUL_HIGH, ISS_UNIT_MULTIPLY, "mul.i128:high mul.i64 mul", NULL},
    {ISS_SDIV32, ISS_UNIT_DIVIDE, "sdiv.i32 sdiv", NULL},
    {ISS_UDIV32, ISS_UNIT_DIVIDE, "udiv.i32 udiv sdiv", NULL},
    {ISS_SDIV64, ISS_UNIT_DIVIDE, "sdiv.i64 sdiv", NULL},
    {ISS_UDIV64, ISS_UNIT_DIVIDE, "udiv.i64 udiv sdiv", NULL},
    {ISS_LOAD, ISS_UNIT_MEMORY, "load.ptr load.i64 load", NULL},
    {ISS_LOAD_WORD, ISS_UNIT_MEMORY, "load.i32 load", NULL},
    {ISS_LOAD_SMALL, ISS_UNIT_MEMORY, "load.i16 load.i8 load", NULL},
    {ISS_LOAD_PAIR, ISS_UNIT_MEMORY, "load.i128 load.ptr load", NULL},
    {ISS_STORE, ISS_UNIT_MEMORY, "store.i64 store", NULL},
    {ISS_STORE_PAIR, ISS_UNIT_MEMORY, "store.i128 store", NULL},
    {ISS_FP_LOAD, ISS_UNIT_MEMORY, "load.double load", NULL},
    {ISS_FP_LOAD_128, ISS_UNIT_MEMORY, "load.v4i32 load.i128 load", NULL},
    {ISS_FP_LOAD_PAIR, ISS_UNIT_MEMORY, "load.i128 load", NULL},
    {ISS_FP_STORE, ISS_UNIT_MEMORY, "store.double store", NULL},
    {ISS_FP_STORE_128, ISS_UNIT_MEMORY, "store.v4i32 store", NULL},
    {ISS_FP_MOVE, ISS_UNIT_FP, "select.double select", NULL},
    {ISS_FP_SELECT, ISS_UNIT_FP, "select.double select", NULL},
    {ISS_FP_FROM_INT, ISS_UNIT_FP, "bitcast.i64 bitcast", NULL},
    {ISS_FP_TO_INT, ISS_UNIT_FP, "bitcast.double bitcast", NULL},
    {ISS_FP_ADD, ISS_UNIT_FP, "fadd.double fadd", "fadd.float"},
    {ISS_FP_MUL, ISS_UNIT_FP, "fmul.double fmul", "fmul.float"},
    {ISS_FP_FMA, ISS_UNIT_FP, "call.llvm.fma.double call.llvm.fmuladd.double fmul",
     "call.llvm.fma.float call.llvm.fmuladd.float fmul.float"},
    {ISS_FP_COMPARE, ISS_UNIT_FP, "fcmp.double fcmp", NULL},
    {ISS_FP_CONVERT, ISS_UNIT_FP, "fpext", NULL},
    {ISS_FP_CONVERT_FROM_INT, ISS_UNIT_FP, "sitofp.i64 sitofp", NULL},
    {ISS_FP_CONVERT_TO_INT, ISS_UNIT_FP, "fptosi.double fptosi", NULL},
    {ISS_FP_LANE_FROM_INT, ISS_UNIT_FP, "insertelement.i64 insertelement", NULL},
    {ISS_FP_LANE_TO_INT, ISS_UNIT_FP, "extractelement.i64 extractelement", NULL},
    {ISS_FP_DIV32, ISS_UNIT_FP_DIVIDE, "fdiv.float fdiv", NULL},
    {ISS_FP_DIV64, ISS_UNIT_FP_DIVIDE, "fdiv.double fdiv", NULL},
    {ISS_FP_SQRT32, ISS_UNIT_FP_DIVIDE, "call.llvm.sqrt.float fdiv.float fdiv", NULL},
    {ISS_FP_SQRT64, ISS_UNIT_FP_DIVIDE, "call.llvm.sqrt.double fdiv", NULL},
    {ISS_SIMD_LOGIC_128, ISS_UNIT_FP, "and.v4i32 add.v4i32", NULL},
    {ISS_SIMD_128, ISS_UNIT_FP, "add.v4i32", NULL},
    {ISS_SIMD_MUL_128, ISS_UNIT_FP, "mul.v4i32 add.v4i32", NULL},
    {ISS_SIMD_FP_128, ISS_UNIT_FP, "fadd.v4f32 fadd", NULL},
    {ISS_SIMD_FMA_128, ISS_UNIT_FP, "call.llvm.fma.v4f32 call.llvm.fmuladd.v4f32 call.llvm.fma.double fmul", NULL},
    {ISS_SIMD_DIV, ISS_UNIT_FP_DIVIDE, "fdiv.v4f32 fdiv", NULL},
    {ISS_BRANCH, ISS_UNIT_BRANCH, "br", NULL},
};
const size_t core_value_sources_n = sizeof core_value_sources / sizeof *core_value_sources;

const struct core_likeness core_value_halves[VALUE_HALVES] = {
    {ISS_SIMD_LOGIC_64, ISS_SIMD_LOGIC_128}, {ISS_SIMD_64, ISS_SIMD_128},         {ISS_SIMD_MUL_64, ISS_SIMD_MUL_128},
    {ISS_SIMD_FP_64, ISS_SIMD_FP_128},       {ISS_SIMD_FMA_64, ISS_SIMD_FMA_128},
};

bool value_named(struct value *out, const struct values *v, const char *names)
{
    char **words = words_of(names, " ");
    size_t at, i = 0;
    while (words[i] && !map_get(&v->costs.names, words[i], &at))
        i++;
    bool found = words[i];
    if (found)
        *out = (struct value){v->costs.pitch[at].typical, v->costs.latency[at].typical};
    words_free(words);
    return found;
}

bool value_known(const struct values *v, unsigned class)
{
    return !isnan(v->of[class].latency) && !isnan(v->of[class].pitch);
}

/* ---- how soon results can be used ---- */

static bool is_access(enum iss_class class)
{
    return class == ISS_LOAD || class == ISS_STORE || class == ISS_FP_STORE;
}

/* Cycles from the issue of a result to that of what needs it, of instructions that do both over and over (shape_use.c of
 * samples/micro). The last may issue together with the first of the next ones, if they take different units and there is
 * room. NAN: the file does not say, or one of the units is busy for as long anyway. */
static double distance(const struct values *v, const char *name, enum iss_class first, enum iss_class last)
{
    bool apart = v->width == 1 || (is_access(first) && is_access(last));
    double busy = round(fmax(v->of[first].pitch, v->of[last].pitch));
    struct value found;
    if (!value_named(&found, v, name) || (busy > 1 && round(found.pitch) <= busy))
        return NAN;
    return fmax(0, round(found.pitch) - apart);
}

/* Two distances tell when a loaded value is there, and how much sooner an addition may issue: to the addition; and
 * through it to an address, which an early issue does not make shorter. */
static void find_load(struct values *v)
{
    static const unsigned char loads[] = {ISS_LOAD, ISS_LOAD_WORD, ISS_LOAD_SMALL};
    double add_to_address = distance(v, "add.i64:load", ISS_ALU, ISS_LOAD);
    double there = fmax(1, distance(v, "load.i64:add+load", ISS_LOAD, ISS_LOAD) - add_to_address);
    for (size_t i = 0; i < sizeof loads; i++) {
        struct value *load = &v->of[loads[i]];
        v->to_address[loads[i]] = (int)fmax(1, round(load->latency)); /* as chains of loads have it */
        load->latency = there;
    }
    v->late = (int)fmax(0, there - distance(v, "load.i64:add", ISS_LOAD, ISS_ALU));
    v->need[ISS_NEED_ADDRESS] = (int)(add_to_address - round(v->of[ISS_ALU].latency));
}

/* A need, by the distance from a load to it. */
static void find_need(struct values *v, unsigned need, double to_it, double late)
{
    if (!isnan(to_it))
        v->need[need] = (int)(to_it + late - v->of[ISS_LOAD].latency);
}

/* A store takes the unit of the load, so it never issues with it. So stored data may be needed even later than found. */
static void find_needs(struct values *v)
{
    double to_data = distance(v, "load.i64:store", ISS_LOAD, ISS_STORE);
    find_need(v, ISS_NEED_SHIFTED, distance(v, "load.i64:shl", ISS_LOAD, ISS_ALU), v->late);
    find_need(v, ISS_NEED_MULTIPLY, distance(v, "load.i64:mul", ISS_LOAD, ISS_MUL64), 0);
    find_need(v, ISS_NEED_DATA, to_data, 0);
    find_need(v, ISS_NEED_CONDITION, distance(v, "load.i64:br", ISS_LOAD, ISS_BRANCH), 0);
    v->load_to_data = isnan(to_data) ? (int)v->of[ISS_LOAD].latency : (int)to_data;
    if (v->late && v->need[ISS_NEED_CONDITION] < 0) { /* branches are late as additions are */
        v->branch_late = -v->need[ISS_NEED_CONDITION];
        v->need[ISS_NEED_CONDITION] = 0;
    }
}

/* A chain of products has their latency and what a factor needs beyond an addition's operand. */
static void take_off_needs(struct values *v)
{
    static const unsigned char products[] = {ISS_MUL32,  ISS_MADD32, ISS_MSUB32, ISS_MUL_WIDE, ISS_MUL64,
                                             ISS_MADD64, ISS_MSUB64, ISS_MNEG64, ISS_MUL_HIGH};
    for (size_t i = 0; i < sizeof products; i++)
        v->of[products[i]].latency = fmax(1, v->of[products[i]].latency - v->need[ISS_NEED_MULTIPLY]);
}

/* Sums of products: what a product is added to may come later than its factors. A chain as short as one of additions is
 * of additions, beside products. */
static void find_sums(struct values *v)
{
    struct value narrow, wide, real;
    double addition = round(v->of[ISS_ALU].latency);
    if (value_named(&narrow, v, "mul.i32:accumulate") && round(narrow.latency) > addition)
        v->need[ISS_NEED_ACCUMULATE] = (int)(round(narrow.latency) - round(v->of[ISS_MADD32].latency));
    if (value_named(&wide, v, "mul.i64:accumulate") && round(wide.latency) > addition)
        v->of[ISS_MADD64] = v->of[ISS_MNEG64] = (struct value){wide.pitch, wide.latency - v->need[ISS_NEED_ACCUMULATE]};
    if (value_named(&real, v, "call.llvm.fma.double:accumulate")) {
        struct value *fma = &v->of[ISS_FP_FMA];
        v->need[ISS_NEED_FP_ACCUMULATE] = (int)(round(real.latency) - round(fma->latency));
        fma->pitch = fmin(real.pitch, fma->pitch); /* streams of products wait for themselves, those of sums less */
    }
}

/* The file's Latency of these loads is of chains of addresses, through integer registers: it tells nothing here. */
static void find_fp_loads(struct values *v)
{
    static const unsigned char loads[] = {ISS_FP_LOAD, ISS_FP_LOAD_128, ISS_FP_LOAD_PAIR};
    double to_add = distance(v, "load.double:fadd", ISS_LOAD, ISS_FP_ADD),
           to_data = distance(v, "load.double:store", ISS_LOAD, ISS_FP_STORE);
    double stored = distance(v, "fadd.double:store", ISS_FP_ADD, ISS_FP_STORE);
    double there = isnan(to_add) ? v->of[ISS_LOAD].latency : fmax(1, to_add);
    for (size_t i = 0; i < sizeof loads; i++)
        v->of[loads[i]].latency = there;
    if (!isnan(stored))
        v->need[ISS_NEED_FP_DATA] = (int)(stored - round(v->of[ISS_FP_ADD].latency));
    v->fp_load_to_data = (int)(isnan(to_data) ? there : to_data);
}

/* Branches that random numbers decide, across one instruction and across two: where that takes longer by more than the
 * instruction, the first are not mispredicted. */
static void find_predication(struct values *v)
{
    struct value near, far;
    v->predicated =
        value_named(&near, v, "br.cond:random") && value_named(&far, v, "br.cond:far") && far.pitch - near.pitch > 1;
}

static void find_uses(struct values *v)
{
    find_load(v);
    find_needs(v);
    take_off_needs(v);
    find_sums(v);
    find_fp_loads(v);
    find_predication(v);
    v->of[ISS_LOAD_PAIR].latency = v->of[ISS_LOAD].latency;
}

/* ---- values ---- */

/* A conversion was measured there and back, and has half of it: of an odd sum one way has the cycle more. */
static void part(struct values *v, unsigned one, unsigned other)
{
    double sum = round(v->of[one].latency + v->of[other].latency);
    v->of[one].latency = ceil(sum / 2);
    v->of[other].latency = sum - ceil(sum / 2);
}

static bool is_vector(unsigned class)
{
    return strncmp(iss_class_names[class], "simd", strlen("simd")) == 0;
}

static void find_classes(struct values *v, const struct target *target)
{
    for (size_t k = 0; k < ISS_CLASS_N; k++)
        v->of[k] = (struct value){NAN, NAN};
    for (size_t i = 0; i < core_value_sources_n; i++)
        if (!is_vector(core_value_sources[i].class) || target_has(target, TARGET_VECTORS))
            (void)value_named(&v->of[core_value_sources[i].class], v, core_value_sources[i].values);
}

static void find_values(struct values *v)
{
    static const unsigned char stores[] = {ISS_STORE, ISS_STORE_PAIR, ISS_FP_STORE, ISS_FP_STORE_128};
    find_uses(v);
    part(v, ISS_FP_CONVERT_FROM_INT, ISS_FP_CONVERT_TO_INT);
    part(v, ISS_FP_LANE_FROM_INT, ISS_FP_LANE_TO_INT);
    for (size_t i = 0; i < sizeof stores; i++)
        v->of[stores[i]].latency = 1; /* the file's includes the load that follows */
    v->of[ISS_BRANCH].latency = 1;
    for (size_t i = 0; i < VALUE_HALVES; i++) {
        const struct value *whole = &v->of[core_value_halves[i].like];
        v->of[core_value_halves[i].class] = (struct value){fmax(v->issue, whole->pitch / 2), whole->latency};
    }
}

/* A unit has as many copies as its fastest class needs. */
static void find_copies(struct values *v)
{
    for (size_t i = 0; i < core_value_sources_n; i++) {
        double pitch = v->of[core_value_sources[i].class].pitch;
        int *copies = &v->copies[core_value_sources[i].unit];
        int n = isnan(pitch) ? 1 : pitch * v->width <= 1.2 ? v->width : (int)fmax(1, floor(1.05 / pitch));
        *copies = n > *copies ? n : *copies;
    }
}

/* ---- the core ---- */

static enum status check_values(const struct values *v, const char *shim, struct error *e)
{
    static const unsigned char needed[] = {ISS_ALU, ISS_LOAD, ISS_STORE, ISS_BRANCH};
    static const char *const uses[] = {"load.i64:add", "load.i64:add+load", "add.i64:load"};
    struct value unused;
    for (size_t i = 0; i < sizeof needed; i++)
        if (!value_known(v, needed[i]))
            return error_set(e, ERR_INPUT, AT_FILE(shim),
                             "core '%s' has no Latency and Pitch of add, load, store and br, without which no code can "
                             "be timed",
                             v->costs.core);
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (!value_named(&unused, v, uses[i]))
            return error_set(
                e, ERR_INPUT, AT_FILE(shim),
                "core '%s' has no '%s': the file does not say how soon a loaded value can be used. That of "
                "'shimgen build BOARD' does, without --quick",
                v->costs.core, uses[i]);
    return OK;
}

/* In order, a load, an addition and a load from the sum take at least what the first load does. A core that issues out of
 * order hides that, and has a window, which no value tells. */
static enum status check_order(const struct values *v, const char *shim, struct error *e)
{
    struct value through = {0, 0};
    double load = v->of[ISS_LOAD].latency;
    (void)value_named(&through, v, "load.i64:add+load");
    if (through.pitch >= 0.9 * load)
        return OK;
    return error_set(
        e, ERR_INPUT, AT_FILE(shim),
        "core '%s' issues out of order: a load, an addition and a load from the sum take %.1f cycles, less "
        "than a load's Latency of %.1f. A SHIM file does not tell how far such a core looks ahead; "
        "'shimgen core llvm:CPU' makes a model of one",
        v->costs.core, through.pitch, load);
}

/* As many instructions as additions, or additions and loads, issue in a cycle. */
static void find_width(struct values *v)
{
    struct value pair;
    v->issue = costs_issue(&v->costs);
    if (value_named(&pair, v, "add.i32:pair") && pair.pitch > 0)
        v->issue = fmin(v->issue, pair.pitch / 2);
    v->width = v->issue > 0 ? (int)fmax(1, round(1 / v->issue)) : 1;
}

enum status core_values_read(struct values *v, const char *shim, const char *core, const struct target *target,
                             struct error *e)
{
    *v = (struct values){0};
    enum status s = costs_from_shim(&v->costs, shim, core, COSTS_AS_MEASURED, e);
    if (!s)
        s = shim_system(&v->system, shim, e);
    if (!s)
        s = shim_core(&v->core, v->system, shim, core, e);
    if (s)
        return s;
    find_width(v);
    find_classes(v, target);
    s = check_values(v, shim, e);
    if (!s)
        s = check_order(v, shim, e);
    if (!s) {
        find_values(v);
        find_copies(v);
    }
    return s;
}

void core_values_release(struct values *v)
{
    shimxml_system_free(v->system);
    costs_release(&v->costs);
}
