/* values_core.c - writes a core's timing that was made of the values of a SHIM file. */
#include "shimgen/core/values/values_core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/target.h"
#include "samples/micro/micro.h"
#include "shimgen/core/values/values.h"
#include "shimgen/estimate/shim_core.h"

static const char *said(const struct core_figures *f, const char *section, const char *key)
{
    for (size_t i = 0; f && i < f->n; i++)
        if (strcmp(f->at[i].section, section) == 0 && strcmp(f->at[i].key, key) == 0)
            return f->at[i].value;
    return NULL;
}

static void add_figure(struct str *to, const struct values *v, const struct core_figures *figures, const char *section,
                       const char *key)
{
    const char *given = said(figures, section, key);
    double found = core_values_figure(v, section, key);
    if (!isnan(found))
        str_addf(to, "%s = %.0f\n", key, found);
    else
        str_addf(to, "%s = %s\n", key, given ? given : "unknown");
}

/* ---- the text ---- */

/* What keeps all copies of its unit busy takes all at once: halves of a wide unit. */
static void add_value(struct str *to, const struct values *v, const struct value *of, unsigned unit)
{
    int copies = v->copies[unit], busy = (int)fmax(1, round(of->pitch * copies));
    str_addf(to, "latency = %.0f\nunit = %s\n", fmax(0, round(of->latency)), iss_unit_names[unit]);
    if (copies > 1 && busy % copies == 0) {
        str_addf(to, "take = %d\n", copies);
        busy /= copies;
    }
    if (busy > 1)
        str_addf(to, "busy = %d\n", busy);
}

static void add_use(struct str *to, const struct values *v, unsigned class, unsigned need, int cycles)
{
    if (cycles != round(v->of[class].latency) + v->need[need])
        str_addf(to, "to_%s = %d\n", iss_need_names[need], cycles > 0 ? cycles : 0);
}

/* What is said of single classes beside latency and unit. */
static void add_uses(struct str *to, const struct values *v, unsigned class, unsigned unit)
{
    if (v->to_address[class])
        add_use(to, v, class, ISS_NEED_ADDRESS, v->to_address[class]);
    if (class == ISS_LOAD)
        add_use(to, v, class, ISS_NEED_DATA, v->load_to_data);
    if (class == ISS_FP_LOAD)
        add_use(to, v, class, ISS_NEED_FP_DATA, v->fp_load_to_data);
    if (unit == ISS_UNIT_ALU && v->late)
        str_addf(to, "late = %d\n", v->late);
    if (unit == ISS_UNIT_ALU && v->predicated)
        str_add(to, "predicated = 1\n");
}

/* A division's value with the quotient of a microbenchmark: "sdiv.i64:63". Returns its length, or 0: the file has none. */
static int value_of_length(struct value *out, const struct values *v, const char *key, const char *condition)
{
    int bits = micro_quotient_bits(key, condition);
    char *name = xasprintf("%s:%d", key, bits);
    bool known = value_named(out, v, name);
    free(name);
    return known ? bits : 0;
}

/* Divisions by the length of the quotient. Returns false if the file does not say. */
static bool add_division(struct str *to, const struct values *v, unsigned class)
{
    bool narrow = class == ISS_SDIV32 || class == ISS_UDIV32, is_signed = class == ISS_SDIV32 || class == ISS_SDIV64;
    const char *key = narrow ? is_signed ? "sdiv.i32" : "udiv.i32" : is_signed ? "sdiv.i64" : "udiv.i64";
    struct value least, most;
    int few = value_of_length(&least, v, key, "chain,small"), many = value_of_length(&most, v, key, "chain,large");
    int bits = narrow ? 32 : 64;
    if (!few || !many || most.latency <= least.latency + 1)
        return false;
    double rate = fmax(1, round((many - few) / (most.latency - least.latency)));
    double base = round(least.latency) - ceil(few / rate);
    double mean = base + ceil(bits / 6 / rate); /* the quotient of two numbers of any length */
    double busy = fmax(1, mean - round(least.latency - least.pitch));
    str_addf(to, "latency = %.0f\nunit = divide\nbusy = %.0f\n", mean, busy);
    str_addf(to, "divide_base = %.0f\ndivide_bits = %.0f\ndivide_max = %.0f\n", base, rate, round(most.latency));
    return true;
}

static void add_source(struct str *to, const struct values *v, const struct value_source *s)
{
    struct value narrow;
    str_addf(to, "\n[%s]\n; the first of: %s\n", iss_class_names[s->class], s->values);
    if (s->unit == ISS_UNIT_DIVIDE && add_division(to, v, s->class))
        return;
    add_value(to, v, &v->of[s->class], s->unit);
    add_uses(to, v, s->class, s->unit);
    if (!s->narrow || !value_named(&narrow, v, s->narrow))
        return;
    if (s->class == ISS_FP_FMA) /* as in values_find.c: streams of products wait for themselves */
        narrow.pitch = fmin(narrow.pitch, v->of[ISS_FP_FMA].pitch);
    str_addf(to, "\n[%s.32]\n; the first of: %s\n", iss_class_names[s->class], s->narrow);
    add_value(to, v, &narrow, s->unit);
}

/* Classes without a value of their own are like these. */
static const struct {
    uint8_t class, like;
    bool assumed; /* nothing was measured that is much like it */
} similar[] = {
    {ISS_ALU_SHIFTED, ISS_ALU, false},
    {ISS_ALU_CARRY, ISS_ALU, false},
    {ISS_MOVE, ISS_ALU, false},
    {ISS_ZERO, ISS_ALU, false},
    {ISS_NOP, ISS_ALU, false},
    {ISS_SELECT, ISS_ALU, false}, /* the value can be that of a branch, ... */
    {ISS_BITS, ISS_ALU, false},   /* ... or of several instructions */
    {ISS_SHIFT, ISS_ALU, false},
    {ISS_CRC, ISS_ALU, true},
    {ISS_COMPARE_SHIFTED, ISS_COMPARE, false},
    {ISS_LOAD_SMALL_REG, ISS_LOAD_SMALL, false},
    {ISS_LOAD_LITERAL, ISS_LOAD, false},
    {ISS_LOAD_EXCLUSIVE, ISS_LOAD, true},
    {ISS_LOAD_JUMP, ISS_LOAD, false},
    {ISS_LOAD_PAIR_WORD, ISS_LOAD_PAIR, false},
    {ISS_LOAD_MANY, ISS_LOAD_PAIR, true},
    {ISS_ATOMIC, ISS_LOAD, true},
    {ISS_PREFETCH, ISS_LOAD, false},
    {ISS_STORE_REG, ISS_STORE, false},
    {ISS_STORE_EXCLUSIVE, ISS_STORE, true},
    {ISS_STORE_MANY, ISS_STORE_PAIR, true},
    {ISS_FP_LOAD_MANY, ISS_FP_LOAD_128, true},
    {ISS_FP_LOAD_PAIR_128, ISS_FP_LOAD_128, false},
    {ISS_FP_STORE_PAIR, ISS_FP_STORE, false},
    {ISS_FP_STORE_PAIR_128, ISS_FP_STORE_128, false},
    {ISS_FP_STORE_MANY, ISS_FP_STORE_128, true},
    {ISS_FP_INT_PAIR, ISS_FP_FROM_INT, false},
    {ISS_FP_FLAGS, ISS_FP_TO_INT, false},
    {ISS_SIMD_SHUFFLE, ISS_SIMD_128, true},
    {ISS_CRYPTO, ISS_SIMD_MUL_128, true},
    {ISS_BRANCH_IF, ISS_BRANCH, false},
    {ISS_BRANCH_ZERO, ISS_BRANCH, false},
    {ISS_BRANCH_REG, ISS_BRANCH, false},
    {ISS_BRANCH_TABLE, ISS_BRANCH, false},
    {ISS_CALL, ISS_BRANCH, false},
    {ISS_CALL_REG, ISS_BRANCH, false},
    {ISS_RETURN, ISS_BRANCH, false},
};
enum { SIMILAR = sizeof similar / sizeof *similar };

static bool is_late(const struct values *v, unsigned class)
{
    return v->branch_late && (class == ISS_BRANCH_IF || class == ISS_BRANCH_ZERO);
}

static void add_similar(struct str *to, const struct values *v)
{
    str_add(to, "\n; These have no value of their own.\n");
    for (size_t i = 0; i < SIMILAR; i++) {
        if (!value_known(v, similar[i].like))
            continue;
        str_addf(to, "[%s]\nlike = %s\n", iss_class_names[similar[i].class], iss_class_names[similar[i].like]);
        if (is_late(v, similar[i].class))
            str_addf(to, "late = %d\n", v->branch_late);
        if (similar[i].assumed)
            str_add(to, "assumed = 1\n");
    }
    str_add(to, "[barrier]\nlatency = 1\nissue = alone\ndrains = 1\nassumed = 1\n"
                "[system]\nlatency = 1\nissue = alone\nassumed = 1\n[unknown]\nlike = alu\nassumed = 1\n");
}

static void add_classes(struct str *to, const struct values *v)
{
    for (size_t i = 0; i < core_value_sources_n; i++)
        if (value_known(v, core_value_sources[i].class))
            add_source(to, v, &core_value_sources[i]);
    for (size_t i = 0; i < VALUE_HALVES; i++)
        if (value_known(v, core_value_halves[i].class)) {
            str_addf(to, "\n[%s]\n; half of a vector of 128 bits\n", iss_class_names[core_value_halves[i].class]);
            add_value(to, v, &v->of[core_value_halves[i].class], ISS_UNIT_FP);
        }
    add_similar(to, v);
}

/* An annotation of the core; NULL: the file has none. The caller frees it. */
static enum status annotation_of(char **value, const char *shim, const char *core, const char *name, struct error *e)
{
    struct shimxml_doc *d = NULL;
    struct shimxml_system *system = NULL;
    size_t at;
    *value = NULL;
    enum status s = shimxml_read(&d, shim, e);
    if (!s)
        s = shimxml_system(&system, d, e);
    if (!s)
        s = shim_core(&at, system, shim, core, e);
    if (!s)
        *value = shimxml_core_annotation(d, system->cores[at].id, name);
    shimxml_system_free(system);
    shimxml_free(d);
    return s;
}

enum status values_core_target(char **target, char **cpu, const char *shim, const char *core, struct error *e)
{
    char *both;
    *target = *cpu = NULL;
    enum status s = annotation_of(&both, shim, core, "target", e);
    char *space = both ? strchr(both, ' ') : NULL;
    if (space) {
        *target = xstrndup(both, (size_t)(space - both));
        *cpu = xstrdup(space + 1);
    }
    free(both);
    return s;
}

/* Values that another tool has changed have no interval, nor has code for another processor. */
static enum status add_intervals(struct str *to, const struct values *v, const struct values_core *of, struct error *e)
{
    struct shimxml_interval *list = NULL;
    size_t n = 0;
    char *text = NULL, *target = NULL, *cpu = NULL;
    enum status s = annotation_of(&text, of->shim, of->core, "compiled-interval", e);
    if (!s)
        s = values_core_target(&target, &cpu, of->shim, of->core, e);
    bool same = target && strcmp(target, of->target) == 0 && strcmp(cpu, of->cpu) == 0;
    if (!s && text && same && !v->costs.warning && shimxml_intervals_read(&list, &n, text))
        for (size_t i = 0; i < n; i++)
            if (list[i].code != SHIMXML_ANY_CODE && isfinite(list[i].high))
                str_addf(to, "interval_%s = %g %.4g %.4g\n",
                         list[i].code == SHIMXML_OPTIMISED ? "optimised" : "unoptimised", list[i].level,
                         fmin(1, list[i].low), fmax(1, list[i].high));
    free(list);
    free(text);
    free(target);
    free(cpu);
    return s;
}

static enum status add_head(struct str *to, const struct values *v, const struct values_core *of, struct error *e)
{
    const char *name = v->costs.core;
    str_addf(to,
             "; The timing of core %s, from the instruction values of %s. 'shimgen core' wrote it.\n"
             "; docs/formats/iss-model.md explains every key. Times in core cycles unless a key says otherwise.\n\n"
             "[model]\nname = %s\narchitecture = %s\n",
             name, of->shim, name, target_find(of->target)->name);
    add_figure(to, v, of->figures, "model", "clock_hz");
    str_addf(to, "\n[origin]\nvalues = %s\norder = in\n", of->shim);
    if (of->figures && of->figures->from)
        str_addf(to, "filled = what the values do not tell: %s\n", of->figures->from);
    str_addf(to, "target = %s\ncpu = %s\n", of->target, of->cpu);
    enum status s = add_intervals(to, v, of, e);
    str_addf(to, "\n[issue]\nwidth = %d\nwrite_back = 1\n", v->width);
    return s;
}

static void add_figures(struct str *to, const struct values *v, const struct core_figures *figures)
{
    const char *last = "model", *section;
    for (size_t i = 0; i < iss_model_figures(); i++) {
        const char *key = iss_model_figure(i, &section);
        if (strcmp(section, "model") == 0)
            continue;
        if (strcmp(section, last) != 0)
            str_addf(to, "\n[%s]\n", section);
        add_figure(to, v, figures, section, key);
        last = section;
    }
}

/* 32-bit Arm: cores that stop while they load, which no value tells; x86-64: none issues in order any more. */
static enum status check_target(const struct target *t, const char *triple, struct error *e)
{
    if (t && (strcmp(t->name, "aarch64") == 0 || strcmp(t->name, "riscv64") == 0))
        return OK;
    return error_set(
        e, ERR_UNSUPPORTED, NOWHERE,
        "target %s: cores are made of a SHIM file's values for aarch64 and riscv64; use --method schedule, "
        "which takes the values as they are",
        triple);
}

enum status values_core_text(struct str *text, const struct values_core *of, struct error *e)
{
    const struct target *target = target_find(of->target);
    struct values v = {0};
    enum status s = check_target(target, of->target, e);
    if (!s)
        s = core_values_read(&v, of->shim, of->core, target, e);
    if (!s)
        s = add_head(text, &v, of, e);
    if (!s) {
        add_figures(text, &v, of->figures);
        core_units_add(text, v.copies, v.need);
        add_classes(text, &v);
    }
    core_values_release(&v);
    return s;
}
