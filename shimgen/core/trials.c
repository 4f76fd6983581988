/* trials.c - the list of trials for a board: chains, streams, waits, pairs, divisions by length. */
#include "shimgen/core/trials.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAITS = 4, PAIRS = 6, BESIDE = 7, DIVISION_BITS = 14, BITS_TRIPS = 16 };

static const struct core_board_kernels *const all[] = {&core_board_aarch64, &core_board_riscv64, &core_board_x86_64};

const struct core_board_kernels *core_board_kernels_of(const char *architecture)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->kernels->architecture, architecture) == 0)
            return all[i];
    return NULL;
}

char *core_board_kernels_list(void)
{
    struct str list = STR_INIT;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        str_addf(&list, "%s%s", i ? ", " : "", all[i]->kernels->architecture);
    return str_detach(&list);
}

/* ---- one trial ---- */

/* Number of lines that are instructions, neither labels nor directives. */
static unsigned instructions_of(const char *text)
{
    unsigned n = 0;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        n += length > 0 && line[0] != '.' && line[length - 1] != ':';
        line += length + (line[length] != 0);
    }
    return n ? n : 1;
}

struct core_trial *core_trials_add(struct core_trials *t, char *name, struct str *text, unsigned class, unsigned copies)
{
    struct core_trial one = {.name = name,
                             .text = str_detach(text),
                             .copies = copies,
                             .trips = t->board->trips,
                             .classes = {class},
                             .n_classes = 1,
                             .cycles = NAN,
                             .half_width = NAN,
                             .mispredicted = {NAN, NAN}};
    unsigned n = instructions_of(one.text), units = (t->board->least + n - 1) / n;
    units += units % 2;
    if (strstr(one.name, "register")) /* no more indirect branches than any predictor remembers */
        units = 2;
    one.units[0] = units < 2 ? 2 : units;
    one.units[1] = 3 * one.units[0];
    vec_push(&t->list, one);
    return &t->list.at[t->list.n - 1];
}

static void also_of(struct core_trial *t, unsigned class)
{
    t->classes[t->n_classes++] = class;
}

static bool is_division(unsigned class)
{
    return class == ISS_SDIV32 || class == ISS_UDIV32 || class == ISS_SDIV64 || class == ISS_UDIV64;
}

static bool is_memory(const struct core_kernel *k)
{
    return strcmp(k->kind->unit, "memory") == 0;
}

char core_result_file(const struct core_kernel *k)
{
    const char *d = strstr(k->text, "$d");
    if (!d)
        return strstr(k->text, "cmp") ? 'c' : 0;
    const char *open = strchr(k->text, '[');
    if (d == k->text || (open && open < d))
        return 0;
    return strchr("xwr", d[-1]) ? 'x' : 'f';
}

void core_trials_operands(const struct core_trials *t, struct core_trial *one, const struct core_kernel *k)
{
    const char *divided = t->board->divides_fixed ? "1" : "0"; /* that one divides by it; else quotient 0 */
    one->setup[CORE_X20] = is_division(k->class) ? divided : CORE_PLACE;
    one->setup[CORE_X21] = is_memory(k) ? "0" : "1";
    one->setup[CORE_X23] = CORE_PLACE;
    one->ones = true;
}

/* ---- streams and chains ---- */

static void add_stream(struct core_trials *t, const struct core_kernel *one)
{
    struct str text = STR_INIT;
    char *class = core_class_name(one->class);
    core_kernel_stream(&text, t->kernels, one->text);
    struct core_trial *made = core_trials_add(t, xasprintf("%s/stream", class), &text, one->class, t->kernels->turns);
    core_trials_operands(t, made, one);
    free(class);
}

static enum core_image image_of(unsigned class)
{
    return class == ISS_LOAD_WORD || class == ISS_LOAD_PAIR_WORD || class == ISS_LOAD_SMALL ? CORE_POINTERS_32
           : class == ISS_LOAD_SMALL_REG                                                    ? CORE_ZEROS
                                                                                            : CORE_POINTERS;
}

static void chain_setup(const struct core_trials *of, struct core_trial *t, const struct core_kernel *one)
{
    core_trials_operands(of, t, one);
    t->image = image_of(one->class);
    t->setup[CORE_CHAIN] = is_memory(one) && one->class != ISS_LOAD_SMALL_REG ? CORE_PLACE : "0";
    if (one->class == ISS_LOAD_SMALL_REG)
        t->setup[CORE_X21] = CORE_PLACE;
}

static void add_chain(struct core_trials *t, const struct core_kernel *one, const char *instruction, const char *kind)
{
    struct str text = STR_INIT;
    const struct core_kernels *k = t->kernels;
    const struct core_kernel *back = one->kind->back ? core_kernels_find(k, one->kind->back) : NULL;
    char *class = core_class_name(one->class);
    core_kernel_line(&text, k, instruction, k->first, k->first);
    if (back)
        core_kernel_line(&text, k, back->text, k->first, strstr(instruction, "$d") ? k->first : k->operand);
    struct core_trial *made = core_trials_add(t, xasprintf("%s/%s", class, kind), &text, one->class, 1);
    chain_setup(t, made, one);
    if (back)
        also_of(made, back->class);
    free(class);
}

/* Chains to an addition and back. A load of less than an address loads 0, which the addition turns into an address. */
static void add_use(struct core_trials *t, const struct core_kernel *one)
{
    struct str text = STR_INIT;
    char *class = core_class_name(one->class);
    core_kernel_line(&text, t->kernels, one->text, t->kernels->first, t->kernels->first);
    core_kernel_line(&text, t->kernels, t->kernels->use, t->kernels->first, t->kernels->first);
    struct core_trial *made = core_trials_add(t, xasprintf("%s/use", class), &text, one->class, 1);
    chain_setup(t, made, one);
    if (one->class == ISS_LOAD_SMALL) {
        made->image = CORE_ZEROS;
        made->setup[CORE_X21] = CORE_PLACE;
    } else if (!is_memory(one)) {
        made->setup[CORE_X21] = is_division(one->class) ? "1" : "0";
    }
    also_of(made, ISS_ALU);
    free(class);
}

static bool has_use(const struct core_kernel *one)
{
    return !one->kind->back && one->class != ISS_LOAD_SMALL_REG && one->class != ISS_ALU &&
           core_result_file(one) == 'x' && strcmp(one->kind->need, "flags") != 0 && !is_division(one->class);
}

static void add_kernel(struct core_trials *t, const struct core_board_kernels *b, const struct core_kernel *one)
{
    add_stream(t, one);
    if (!one->kind->need)
        return;
    add_chain(t, one, one->class == ISS_LOAD_SMALL ? b->small_chain : one->text, "chain");
    if (one->second)
        add_chain(t, one, one->second, "second");
    if (has_use(one))
        add_use(t, one);
}

/* ---- waits ---- */

/* Turns a kernel's result into an address, if the consumer cannot do that by addition. Returns false if nothing
 * does. */
static bool result_is_place(struct core_trial *t, unsigned class)
{
    switch (class) {
    case ISS_ALU_SHIFTED:
        t->setup[CORE_X20] = "0";
        t->setup[CORE_X21] = CORE_PLACE;
        return true;
    case ISS_MUL64:
    case ISS_MUL32:
        t->setup[CORE_X21] = "1";
        return true;
    case ISS_ALU:
    case ISS_SHIFT_REG:
    case ISS_LOAD:
    case ISS_LOAD_EXCLUSIVE:
    case ISS_ATOMIC:
        t->setup[CORE_X21] = "0";
        t->image = CORE_POINTERS;
        return true;
    default:
        return false;
    }
}

/* Makes results 0. A consumer that reads memory gets an address from them. Returns false if it cannot. */
static bool wait_setup(struct core_trial *t, const struct core_board_kernels *b, const struct core_kernel *producer,
                       const struct core_consumer *c)
{
    t->setup[CORE_X20] = is_memory(producer) ? CORE_PLACE : "0";
    t->setup[CORE_X21] = is_division(producer->class) ? "1" : "0";
    t->setup[CORE_X23] = CORE_OTHER;
    if (strcmp(c->need, "address") != 0)
        return true;
    if (b->indexed)
        return producer->class != ISS_MOVE_IMM && producer->class != ISS_STORE_EXCLUSIVE;
    t->setup[CORE_X20] = CORE_PLACE;
    return result_is_place(t, producer->class);
}

static void add_wait(struct core_trials *t, const struct core_board_kernels *b, const struct core_kernel *producer,
                     const struct core_consumer *c)
{
    struct core_trial setup = {0};
    if (!wait_setup(&setup, b, producer, c))
        return;
    struct str text = STR_INIT;
    unsigned first = t->kernels->first;
    for (unsigned i = 0; i < WAITS; i++) {
        core_kernel_line(&text, t->kernels, producer->text, first + i, t->kernels->operand);
        core_kernel_line(&text, t->kernels, c->text, first + t->kernels->turns / 2 + i, first + i);
    }
    char *class = core_class_name(producer->class);
    struct core_trial *made = core_trials_add(t, xasprintf("%s to %s", class, c->need), &text, producer->class, WAITS);
    memcpy(made->setup, setup.setup, sizeof setup.setup);
    made->image = setup.image;
    also_of(made, c->class);
    free(class);
}

static void add_waits(struct core_trials *t, const struct core_board_kernels *b)
{
    for (size_t i = 0; i < t->kernels->n; i++)
        for (size_t c = 0; c < b->n_consumers; c++)
            if (core_result_file(&t->kernels->at[i]) == b->consumers[c].file)
                add_wait(t, b, &t->kernels->at[i], &b->consumers[c]);
}

/* ---- pairs ---- */

static bool takes_long(unsigned class)
{
    return is_division(class) || class == ISS_FP_DIV64;
}

static void add_pair(struct core_trials *t, const struct core_kernel *a, const struct core_kernel *b)
{
    struct str text = STR_INIT;
    const struct core_kernels *k = t->kernels;
    bool beside = takes_long(b->class);
    if (beside)
        core_kernel_line(&text, k, b->text, k->first, k->operand);
    for (unsigned i = 0; i < (beside ? BESIDE : PAIRS); i++) {
        core_kernel_line(&text, k, a->text, k->first + (beside ? i + 1 : 2 * i), k->operand);
        if (!beside)
            core_kernel_line(&text, k, b->text, k->first + 2 * i + 1, k->operand);
    }
    char *one = core_class_name(a->class), *other = core_class_name(b->class);
    struct core_trial *made =
        core_trials_add(t, xasprintf("%s with %s", one, other), &text, a->class, beside ? 1 : PAIRS);
    core_trials_operands(t, made, is_memory(a) || is_memory(b) ? (is_memory(a) ? a : b) : a);
    if (is_division(a->class) || is_division(b->class)) {
        made->setup[CORE_X20] = is_memory(a) || is_memory(b) ? CORE_PLACE : "0";
        made->setup[CORE_X21] = "1048576";
    }
    also_of(made, b->class);
    free(one);
    free(other);
}

static void add_pairs(struct core_trials *t, const struct core_board_kernels *b)
{
    for (size_t i = 0; i < t->kernels->n; i++)
        for (const unsigned *p = b->partners; p && *p != ISS_NOP; p++)
            if (t->kernels->at[i].class != *p && core_kernels_find(t->kernels, *p))
                add_pair(t, &t->kernels->at[i], core_kernels_find(t->kernels, *p));
}

/* ---- divisions, and other special kinds ---- */

static void add_division(struct core_trials *t, const struct core_kernel *one, unsigned bits, const char *value,
                         bool chain)
{
    struct str text = STR_INIT;
    const struct core_kernels *k = t->kernels;
    if (chain)
        core_kernel_line(&text, k, one->text, k->first, k->first);
    else
        core_kernel_stream(&text, k, one->text);
    struct core_trial *made =
        core_trials_add(t, xasprintf("%s/%u bits/%s", iss_class_names[one->class], bits, chain ? "chain" : "stream"),
                        &text, one->class, chain ? 1 : k->turns);
    core_trials_operands(t, made, one);
    made->setup[CORE_CHAIN] = made->setup[CORE_X20] = value;
}

static void add_divisions(struct core_trials *t)
{
    static const struct {
        unsigned bits;
        const char *value;
    } lengths[DIVISION_BITS] = {{0, "0"},
                                {1, "1"},
                                {2, "3"},
                                {3, "7"},
                                {4, "15"},
                                {5, "31"},
                                {6, "63"},
                                {8, "255"},
                                {9, "511"},
                                {12, "4095"},
                                {16, "65535"},
                                {31, "2147483647"},
                                {48, "281474976710655"},
                                {63, "9223372036854775807"}};
    for (size_t i = 0; i < t->kernels->n; i++)
        for (size_t b = 0; b < DIVISION_BITS && is_division(t->kernels->at[i].class); b++) {
            const struct core_kernel *one = &t->kernels->at[i];
            if (lengths[b].bits > 31 && (one->class == ISS_SDIV32 || one->class == ISS_UDIV32))
                continue;
            add_division(t, one, lengths[b].bits, lengths[b].value, true);
            if (lengths[b].bits == 0 || lengths[b].bits == 16)
                add_division(t, one, lengths[b].bits, lengths[b].value, false);
        }
}

static void add_special(struct core_trials *t, const struct core_special *s)
{
    struct str text = STR_INIT;
    str_add(&text, s->text);
    struct core_trial *made = core_trials_add(t, xstrdup(s->name), &text, s->classes[0], 1);
    memcpy(made->setup, s->setup, sizeof s->setup);
    made->image = s->image;
    made->ones = true;
    if (made->image == CORE_BITS) /* a byte for each */
        made->trips = BITS_TRIPS;
    for (size_t i = 1; i < CORE_TOLD && s->classes[i]; i++)
        also_of(made, s->classes[i]);
}

void core_trials_make(struct core_trials *t, const struct core_kernels *k)
{
    const struct core_board_kernels *b = core_board_kernels_of(k->architecture);
    *t = (struct core_trials){.kernels = k, .board = b};
    for (size_t i = 0; i < k->n; i++)
        add_kernel(t, b, &k->at[i]);
    add_waits(t, b);
    add_pairs(t, b);
    if (!b->divides_fixed)
        add_divisions(t);
    for (size_t i = 0; i < b->n_specials; i++)
        add_special(t, &b->specials[i]);
}

void core_trials_release(struct core_trials *t)
{
    for (size_t i = 0; i < t->list.n; i++) {
        free(t->list.at[i].name);
        free(t->list.at[i].text);
    }
    vec_release(&t->list);
}

const struct core_trial *core_trials_find(const struct core_trials *t, const char *name)
{
    for (size_t i = 0; i < t->list.n; i++)
        if (strcmp(t->list.at[i].name, name) == 0)
            return &t->list.at[i];
    return NULL;
}

double core_trials_cycles(const struct core_trials *t, const char *format, ...)
{
    char name[160];
    va_list ap;
    va_start(ap, format);
    vsnprintf(name, sizeof name, format, ap);
    va_end(ap);
    const struct core_trial *one = core_trials_find(t, name);
    return one ? one->cycles / one->copies : NAN;
}
