/* cases_control.c - branches, switch, phi, calls, values of structures. */
#include "samples/micro/private.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void branches(struct list *l)
{
    static const struct {
        const char *condition;
        enum pattern pattern;
        bool typical;
        unsigned flags;
    } ways[] = {{"stream,taken", TAKEN, false, 0},        {"stream,taken,far", TAKEN, false, FAR},
                {"stream,not-taken", NOT_TAKEN, true, 0}, {"stream,alternating", ALTERNATING, false, 0},
                {"stream,random", RANDOM, false, 0},      {"stream,random,far", RANDOM, false, FAR}};
    bool again = target_has(l->target, TARGET_FLAGS_ONCE);
    for (size_t i = 0; i < COUNT(ways); i++) {
        struct draft d = {.key = "br.cond",
                          .condition = ways[i].condition,
                          .quantity = MICRO_PITCH,
                          .trips = 512,
                          .typical = ways[i].typical,
                          .recipe = {.shape = &shape_branch, .pattern = ways[i].pattern, .flags = ways[i].flags}};
        if (again) {
            d.with = ways[i].pattern == RANDOM ? "lshr.i32 and.i32" : "icmp.i32";
            d.share = MICRO_MINUS;
            d.recipe.flags |= AGAIN;
        }
        add_case(l, &d);
    }
    struct draft d = {.key = "br.uncond",
                      .condition = "stream",
                      .quantity = MICRO_PITCH,
                      .typical = true,
                      .recipe = {.shape = &shape_fallthrough}};
    add_case(l, &d);
    d.condition = "stream,jump";
    d.typical = false;
    d.with = again ? "br.cond icmp.i32" : "br.cond";
    d.share = MICRO_MINUS;
    d.recipe = (struct micro_recipe){.shape = &shape_jump, .pattern = NOT_TAKEN, .flags = again ? AGAIN : 0};
    add_case(l, &d);
}

static void switches(struct list *l)
{
    static const enum type types[] = {I8, I16, I32, I64};
    for (size_t i = 0; i < COUNT(types); i++)
        for (unsigned w = 0; w < 4; w++) {
            bool random = w % 2, many = w / 2;
            static const char *const conditions[] = {"stream,same,ways=4", "stream,random,ways=4",
                                                     "stream,same,ways=16", "stream,random,ways=16"};
            struct draft d = {.condition = conditions[w],
                              .quantity = MICRO_PITCH,
                              .step = 4,
                              .trips = random ? 512 : 256,
                              .typical = !random && many,
                              .recipe = {.shape = &shape_switch,
                                         .type = types[i],
                                         .size = many ? 16 : 4,
                                         .pattern = random ? RANDOM : NOT_TAKEN}};
            add_typed(l, d, "switch", types[i]);
        }
}

static void calls(struct list *l)
{
    static const struct {
        const char *condition;
        enum micro_quantity quantity;
        unsigned arguments;
        bool typical;
    } ways[] = {{"stream", MICRO_PITCH, 0, false},
                {"chain", MICRO_LATENCY, 1, true},
                {"stream,arguments=1", MICRO_PITCH, 1, true},
                {"stream,arguments=6", MICRO_PITCH, 6, false}};
    static const char *const keys[] = {"call.direct", "call.indirect", "ret"};
    for (size_t k = 0; k < COUNT(keys); k++)
        for (size_t i = 0; i < COUNT(ways); i++) {
            struct draft d = {.key = keys[k],
                              .condition = ways[i].condition,
                              .quantity = ways[i].quantity,
                              .with = k < 2 ? "ret" : "call.direct",
                              .share = MICRO_HALF,
                              .typical = ways[i].typical,
                              .recipe = {.shape = &shape_call,
                                         .size = ways[i].arguments,
                                         .op = k == 1,
                                         .streams = ways[i].quantity == MICRO_PITCH && ways[i].arguments ? 4 : 1}};
            add_case(l, &d);
        }
    struct draft d = {.key = "call.direct",
                      .condition = "chain,recursion",
                      .with = word_of(l) == I32 ? "ret br.cond sub.i32 add.i32" : "ret br.cond sub.i64 add.i64",
                      .share = MICRO_MINUS,
                      .apart = true,
                      .trips = 64,
                      .recipe = {.shape = &shape_recursion}};
    add_case(l, &d);
}

static void phis(struct list *l)
{
    static const enum type types[] = {I8, I16, I32, I64, PTR, F32, F64, I128};
    for (size_t i = 0; i < COUNT(types); i++)
        for (unsigned circle = 0; circle < (streams_of(l, types[i]) < STREAMS ? 1 : 2); circle++) {
            struct draft d = {.condition = circle ? "stream,circle" : "stream",
                              .quantity = MICRO_PITCH,
                              .step = 2,
                              .typical = !circle,
                              .recipe = {.shape = &shape_phi, .type = types[i], .size = circle}};
            add_typed(l, d, "phi", types[i]);
        }
}

static void structures(struct list *l)
{
    static const enum type types[] = {I8, I16, I32, I64, PTR, F32, F64};
    for (size_t i = 0; i < COUNT(types); i++)
        for (unsigned insert = 0; insert < 2; insert++) {
            struct draft d = {.condition = "stream",
                              .quantity = MICRO_PITCH,
                              .typical = true,
                              .share = MICRO_HALF,
                              .recipe = {.shape = &shape_value, .type = types[i], .start = {1, 1}, .streams = STREAMS}};
            d.with = "insertvalue.agg";
            if (!insert) {
                add_typed(l, d, "extractvalue", types[i]);
            } else if (types[i] == I32) {
                d.key = "insertvalue.agg";
                d.with = "extractvalue.i32";
                add_case(l, &d);
            }
        }
}

void cases_control(struct list *l)
{
    branches(l);
    switches(l);
    calls(l);
    phis(l);
    structures(l);
}
