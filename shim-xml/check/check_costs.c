/* check_costs.c - checks the costs of a core's instructions against each other and against what hardware can do. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/instructions.h"
#include "base/key.h"
#include "shim-xml/check/findings.h"
#include "shim-xml/check/nearest.h"
#include "shim-xml/document/instruction_widths.h"
#include "shim-xml/document/notes.h"

/* Measured values may contradict each other by this factor without a finding. */
#define TOLERANCE 0.9

enum { STARTS_MOST = 16 }; /* most instructions that any core starts in a cycle */

struct cost {
    const struct shimxml_node *at;
    const char *name;
    enum ir_opcode opcode; /* IR_NONE: not an instruction of LLVM */
    bool bare;             /* the name is only an opcode: "add", not "add.i32" */
    double pitch, latency; /* typical values; NAN: missing, or negative (which is another finding) */
};
typedef VEC(struct cost) costs_t;

/* ---- names ---- */

/* The opcode in "add", "add.i32" or "add.i32_d". */
static enum ir_opcode opcode_of(const char *name, bool *bare)
{
    size_t n = strcspn(name, "."), length = strlen(name);
    if (n == length)
        ir_dependent(name, &n);
    *bare = n == length;
    return ir_opcode(name, n);
}

static void check_name(const struct cost *c, struct shimxml_findings *f)
{
    char word[NEAREST_LONGEST + 1] = "", hint[NEAREST_LONGEST + 40];
    size_t n = strcspn(c->name, ".");
    if (n <= NEAREST_LONGEST)
        memcpy(word, c->name, n);
    word[n <= NEAREST_LONGEST ? n : 0] = 0;
    struct nearest near = nearest_to(word);
    for (size_t i = 0; i < IR_LISTED; i++)
        nearest_try(&near, ir_listed(i)->name);
    shimxml_finding_add(f, near.name ? UNKNOWN_INSTRUCTION : OTHER_INSTRUCTION, c->at,
                        "'%.40s' is not an instruction of LLVM%s", c->name, nearest_say(&near, hint, sizeof hint));
}

/* ---- instructions of a set ---- */

static double typical(const struct shimxml_node *instruction, const char *part)
{
    double v = shimxml_number(shimxml_child(shimxml_child(instruction, "Performance"), part), "typical");
    return v >= 0 ? v : (double)NAN;
}

/* Is it an entry that an estimate needs besides the costs of instructions (docs/formats/shim-file.md)? */
static bool is_for_estimates(const char *name)
{
    return note_is_name(name) || strncmp(name, SHIMXML_FITTED, strlen(SHIMXML_FITTED)) == 0 ||
           strncmp(name, SHIMXML_FACTOR, strlen(SHIMXML_FACTOR)) == 0;
}

static void collect(costs_t *all, const struct shimxml_node *set)
{
    for (const struct shimxml_node *i = 0; (i = shimxml_following(set, i, "Instruction"));) {
        struct cost c = {.at = i, .name = instruction_name(i)};
        if (!c.name || is_for_estimates(c.name))
            continue;
        c.opcode = opcode_of(c.name, &c.bare);
        c.pitch = typical(i, "Pitch");
        c.latency = typical(i, "Latency");
        vec_push(all, c);
    }
}

static size_t zeros(const costs_t *all, bool pitch)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += (pitch ? all->at[i].pitch : all->at[i].latency) == 0;
    return n;
}

/* ---- each by itself ---- */

/* Least number of cycles until the result can be used. Some cores execute additions of constants, and moves, while they
 * rename registers, so these take less than a cycle. 0: the class may make no code, or has no result. */
static double least_latency(enum ir_class class)
{
    switch (class) {
    case IR_CLASS_SUM:
    case IR_CLASS_LOGIC:
    case IR_CLASS_SHIFT:
        return 1.0 / STARTS_MOST;
    case IR_CLASS_PRODUCT:
    case IR_CLASS_DIVISION:
    case IR_CLASS_FSUM:
    case IR_CLASS_FPRODUCT:
    case IR_CLASS_FDIVISION:
    case IR_CLASS_CONVERSION:
    case IR_CLASS_LOAD:
    case IR_CLASS_ATOMIC:
        return 1;
    default:
        return 0;
    }
}

static void check_cheap(const struct cost *c, bool pitches, bool latencies, struct shimxml_findings *f)
{
    enum ir_class class = c->opcode ? ir_instruction(c->opcode)->class : IR_CLASS_OTHER;
    double least = least_latency(class), start = least > 0 || class == IR_CLASS_STORE ? 1.0 / STARTS_MOST : 0;
    if (pitches && c->pitch < start)
        shimxml_finding_add(f, TOO_CHEAP, c->at, "'%.40s' has a Pitch of %g cycles, less than 1/%d", c->name, c->pitch,
                            STARTS_MOST);
    else if (latencies && c->latency < TOLERANCE * least)
        shimxml_finding_add(f, TOO_CHEAP, c->at, "'%.40s' has a Latency of %g cycles, less than %s", c->name,
                            c->latency, least < 1 ? "1/16" : "1");
}

/* Can something wait for it: a result, or another kind of end? */
static bool is_waited_for(enum ir_opcode opcode)
{
    switch (opcode ? ir_instruction(opcode)->class : IR_CLASS_OTHER) {
    case IR_CLASS_OTHER:
    case IR_CLASS_STORE:
    case IR_CLASS_JUMP:
    case IR_CLASS_CALL:
    case IR_CLASS_RETURN:
    case IR_CLASS_EXCEPTION:
    case IR_CLASS_NOTHING:
    case IR_CLASS_NAME:
        return false;
    default:
        return true;
    }
}

static void check_pitch(const struct cost *c, struct shimxml_findings *f)
{
    enum { SLACK_TENTHS = 5 }; /* cycles that the surrounding loop may add to the Pitch */
    if (c->opcode == IR_FREM)  /* a function, whose time depends on its arguments */
        return;
    if (is_waited_for(c->opcode) && TOLERANCE * c->pitch > c->latency + SLACK_TENTHS / 10.0)
        shimxml_finding_add(f, PITCH_ABOVE_LATENCY, c->at, "'%.40s' has a Pitch of %g and a Latency of %g cycles",
                            c->name, c->pitch, c->latency);
}

/* ---- against each other ---- */

/* The least latency of all forms of an opcode; NAN: none is given. */
static double least_of(const costs_t *all, enum ir_opcode opcode, const struct shimxml_node **at)
{
    double least = NAN;
    for (size_t i = 0; i < all->n; i++) {
        const struct cost *c = &all->at[i];
        if (c->opcode != opcode || !c->bare || least <= c->latency || isnan(c->latency))
            continue;
        least = c->latency;
        *at = c->at;
    }
    return least;
}

static void check_order(const costs_t *all, struct shimxml_findings *f)
{
    static const enum ir_opcode costly[][2] = {
        {IR_MUL, IR_ADD},   {IR_UDIV, IR_MUL}, {IR_SDIV, IR_MUL},     {IR_UREM, IR_MUL},
        {IR_SREM, IR_MUL},  {IR_FADD, IR_ADD}, {IR_FMUL, IR_ADD},     {IR_FDIV, IR_FMUL},
        {IR_FREM, IR_FMUL}, {IR_LOAD, IR_ADD}, {IR_CMPXCHG, IR_LOAD}, {IR_ATOMICRMW, IR_LOAD},
    };
    for (size_t i = 0; i < sizeof costly / sizeof *costly; i++) {
        const struct shimxml_node *at = 0, *other = 0;
        double a = least_of(all, costly[i][0], &at), b = least_of(all, costly[i][1], &other);
        if (a < TOLERANCE * b)
            shimxml_finding_add(f, COST_ORDER, at, "'%s' has a Latency of %g cycles, '%s' of %g",
                                ir_instruction(costly[i][0])->name, a, ir_instruction(costly[i][1])->name, b);
    }
}

/* ---- vectors against scalars ---- */

/* Widths of an instruction. SHIM 2.0 gives them; in SHIM 1.0 a name may be a key. */
static bool widths_of(struct shimxml_widths *w, const struct cost *c)
{
    *w = (struct shimxml_widths){0, 0, 0};
    if (doc_of(c->at)->schema == &schema1)
        return !c->bare && shimxml_widths_of(w, c->name);
    double in = shimxml_number(c->at, "inputBitWidth"), out = shimxml_number(c->at, "outputBitWidth"),
           lanes = shimxml_number(c->at, "SIMDWidth");
    if (!(in >= 0 && in < 1e6) || !(out >= 0 && out < 1e6))
        return false;
    *w = (struct shimxml_widths){(int)in, (int)out, lanes > 1 && lanes < 1e6 ? (int)lanes : 0};
    return true;
}

static char *lane_of(const struct cost *c, const struct shimxml_widths *w)
{
    int lanes = w->lanes ? w->lanes : 1;
    return xasprintf("%d %d %d", (int)c->opcode, w->input / lanes, w->output / lanes);
}

static void compare_vector(const struct cost *vector, const struct cost *scalar, int lanes, struct shimxml_findings *f)
{
    if (vector->latency < TOLERANCE * scalar->latency)
        shimxml_finding_add(f, VECTOR_CHEAPER, vector->at,
                            "'%.40s' on %d lanes has a Latency of %g cycles, on one (line %lu) of %g", vector->name,
                            lanes, vector->latency, shimxml_line(scalar->at), scalar->latency);
    else if (vector->pitch < TOLERANCE * scalar->pitch)
        shimxml_finding_add(f, VECTOR_CHEAPER, vector->at,
                            "'%.40s' on %d lanes has a Pitch of %g cycles, on one (line %lu) of %g", vector->name,
                            lanes, vector->pitch, shimxml_line(scalar->at), scalar->pitch);
}

static void check_vectors(const costs_t *all, struct shimxml_findings *f)
{
    struct map scalars = {0};
    for (int vectors = 0; vectors < 2; vectors++) {
        for (size_t i = 0; i < all->n; i++) {
            struct shimxml_widths w;
            size_t scalar;
            const struct cost *c = &all->at[i];
            if (!c->opcode || !widths_of(&w, c) || (w.lanes > 1) != vectors)
                continue;
            char *lane = lane_of(c, &w);
            if (!vectors)
                map_put(&scalars, lane, i);
            else if (map_get(&scalars, lane, &scalar))
                compare_vector(c, &all->at[scalar], w.lanes, f);
            free(lane);
        }
    }
    map_release(&scalars);
}

/* ---- everything together ---- */

/* One finding for one cause: if everything is 0, nothing else is reported. */
static void check_set(const costs_t *all, const struct shimxml_node *set, struct shimxml_findings *f)
{
    size_t pitches = zeros(all, true), latencies = zeros(all, false);
    bool no_pitch = all->n > 1 && pitches == all->n, no_latency = all->n > 1 && latencies == all->n;
    if (no_pitch || no_latency)
        shimxml_finding_add(f, ALL_ZERO, set, "all %zu instructions have a %s of 0 cycles", all->n,
                            !no_pitch    ? "Latency"
                            : no_latency ? "Pitch and Latency"
                                         : "Pitch");
    for (size_t i = 0; i < all->n; i++) {
        const struct cost *c = &all->at[i];
        if (!c->opcode)
            check_name(c, f);
        check_cheap(c, !no_pitch, !no_latency, f);
        if (!no_latency)
            check_pitch(c, f);
    }
    check_order(all, f);
    check_vectors(all, f);
}

void check_costs(const struct shimxml_node *set, struct shimxml_findings *f)
{
    costs_t all = {0};
    collect(&all, set);
    check_set(&all, set, f);
    vec_release(&all);
}
