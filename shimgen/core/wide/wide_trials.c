/* wide_trials.c - two kinds side by side; a kind among what takes slots only; what follows long waits. */
#include "shimgen/core/wide/wide_trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shimgen/core/wide/port_sets.h"

enum { WINDOW_SHORT = 2, WINDOW_LONG = 6, WINDOW_TRIPS = 32, SLOT_CYCLES = 2, MOST_WIDTH = 8, FILLERS = 32 };
#define LONGEST 8.0 /* cycles of an instruction in a stream, that pairs and slots are made with */
#define HIDDEN  0.8 /* of the latency: less means that the wait is hidden */
#define TELLING 0.6 /* of the latency: streams of both take less, so that a hidden wait would show */
#define SPARE   1.4 /* times the slots of a cycle: enough for slots to be what limits */

static double cycles(const struct core_trials *t, const struct core_kernel *k, const char *kind)
{
    char *class = core_class_name(k->class);
    double c = core_trials_cycles(t, "%s/%s", class, kind);
    free(class);
    return c;
}

/* ---- does it issue out of order? ---- */

/* By one kind of producer: its result, and an instruction of `consumer` that waits for it, four of them side by side. */
static enum wide_order order_by(const struct core_trials *t, unsigned producer, unsigned consumer, const char *need)
{
    const struct core_kernel *p = core_kernels_find(t->kernels, producer), *c = core_kernels_find(t->kernels, consumer);
    if (!p || !c)
        return WIDE_UNKNOWN;
    double chain = cycles(t, p, "chain"), streams = cycles(t, p, "stream") + cycles(t, c, "stream");
    double pair = core_trials_cycles(t, "%s to %s", iss_class_names[producer], need);
    if (!isfinite(pair) || !(streams < TELLING * chain))
        return WIDE_UNKNOWN;
    return pair < HIDDEN * chain ? WIDE_OUT_OF_ORDER : WIDE_IN_ORDER;
}

enum wide_order wide_order_of(const struct core_trials *t)
{
    const enum wide_order found[] = {
        order_by(t, ISS_FP_ADD, ISS_FP_ADD, "fp"), order_by(t, ISS_FP_MUL, ISS_FP_ADD, "fp"),
        order_by(t, ISS_MUL64, ISS_ALU, "operand"), order_by(t, ISS_LOAD, ISS_ALU, "operand")};
    int in = 0, out = 0;
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        in += found[i] == WIDE_IN_ORDER;
        out += found[i] == WIDE_OUT_OF_ORDER;
    }
    return out > in ? WIDE_OUT_OF_ORDER : in ? WIDE_IN_ORDER : WIDE_UNKNOWN;
}

/* ---- which kinds ---- */

bool wide_can_measure(const struct core_trials *t)
{
    return t->board->slot != NULL;
}

/* What renaming does alone has no ports: idioms of zero, and moves that a chain shows to take no time. The stream of what
 * passes flags on is a chain, and that of taken branches shows the fetch. */
bool wide_has_ports(const struct core_trials *t, const struct core_kernel *k)
{
    double stream = cycles(t, k, "stream"), chain = cycles(t, k, "chain");
    bool flags = k->kind->need && strcmp(k->kind->need, "flags") == 0;
    return isfinite(stream) && stream > 0 && strcmp(k->kind->unit, "none") != 0 && !(chain < 0.5) && !flags &&
           k->class != ISS_BRANCH;
}

static bool is_paired(const struct core_trials *t, const struct core_kernel *k)
{
    return wide_has_ports(t, k) && cycles(t, k, "stream") <= LONGEST;
}

static bool reads_memory(const struct core_kernel *k)
{
    return strcmp(k->kind->unit, "memory") == 0;
}

static bool divides(const struct core_kernel *k)
{
    return strcmp(k->kind->unit, "divide") == 0;
}

/* ---- pairs ---- */

char *wide_pair_name(const struct core_kernel *a, const struct core_kernel *b)
{
    char *one = core_class_name(a->class), *other = core_class_name(b->class);
    char *name = xasprintf("%s with %s", one, other);
    free(one);
    free(other);
    return name;
}

/* Sets what both need: a divisor, and an address. */
static void operands(const struct core_trials *t, struct core_trial *made, const struct core_kernel *a,
                     const struct core_kernel *b)
{
    core_trials_operands(t, made, reads_memory(a) || divides(a) ? a : b);
    if (reads_memory(a) || reads_memory(b))
        made->setup[CORE_X20] = CORE_PLACE; /* of a division: a divisor like any other */
}

/* Branches go by a flag that all others clear, but for shifts: it would not always be predicted. */
static bool is_steered(const struct core_kernel *a, const struct core_kernel *b)
{
    const struct core_kernel *other = a->class == ISS_BRANCH_IF ? b : b->class == ISS_BRANCH_IF ? a : NULL;
    return other && (other->class == ISS_SHIFT || other->class == ISS_SHIFT_REG);
}

/* Evenly mixed. Registers take turns; where an instruction also reads the one that it writes, so often that each is written
 * equally often. */
static void add_pair(struct core_trials *t, const struct core_kernel *a, const struct core_kernel *b)
{
    unsigned na, nb, done_a = 0, done_b = 0;
    struct str text = STR_INIT;
    const struct core_kernels *k = t->kernels;
    port_pair_counts(cycles(t, a, "stream"), cycles(t, b, "stream"), &na, &nb);
    unsigned times = a->changes || b->changes ? k->turns : 1;
    for (unsigned i = 0; i < times * (na + nb); i++) {
        bool first = done_a * nb <= done_b * na && done_a < times * na;
        core_kernel_line(&text, k, first ? a->text : b->text, k->first + i % k->turns, k->operand);
        done_a += first;
        done_b += !first;
    }
    struct core_trial *made = core_trials_add(t, wide_pair_name(a, b), &text, a->class, times);
    operands(t, made, a, b);
    made->classes[made->n_classes++] = b->class;
}

/* ---- slots ---- */

static unsigned slot_copies(double stream)
{
    long n = lround(SLOT_CYCLES / stream);
    return n < 1 ? 1 : (unsigned)n;
}

/* Enough for slots to be what limits, whatever the width up to MOST_WIDTH. */
static unsigned slot_fillers(double stream)
{
    return (unsigned)ceil(SPARE * MOST_WIDTH * slot_copies(stream) * stream);
}

static void add_slots(struct core_trials *t, const struct core_kernel *k)
{
    double stream = cycles(t, k, "stream");
    unsigned n = slot_copies(stream), fillers = slot_fillers(stream), done = 0;
    struct str text = STR_INIT;
    for (unsigned i = 0; i < n; i++) {
        core_kernel_line(&text, t->kernels, k->text, t->kernels->first + i % t->kernels->turns, t->kernels->operand);
        for (; done * n < (i + 1) * fillers; done++)
            str_addf(&text, "%s\n", t->board->slot);
    }
    char *class = core_class_name(k->class);
    core_trials_operands(t, core_trials_add(t, xasprintf("%s/slots", class), &text, k->class, 1), k);
    free(class);
}

/* The fillers alone: cores may not fill all of their width with them. */
static void add_slot(struct core_trials *t)
{
    struct str text = STR_INIT;
    for (int i = 0; i < FILLERS; i++)
        str_addf(&text, "%s\n", t->board->slot);
    core_trials_add(t, xstrdup(WIDE_SLOTS_ALONE), &text, ISS_ZERO, 1);
}

/* ---- what is underway ---- */

static void add_window(struct core_trials *t, const char *what, const char *filler, const unsigned *sizes)
{
    for (; *sizes; sizes++) {
        struct str text = STR_INIT;
        str_addf(&text, "%s.rept %u\n%s\n.endr\n", t->board->wait, *sizes, filler);
        struct core_trial *made = core_trials_add(t, xasprintf("window/%s %u", what, *sizes), &text, 0, 1);
        made->units[0] = WINDOW_SHORT;
        made->units[1] = WINDOW_LONG;
        made->trips = WINDOW_TRIPS;
        made->setup[CORE_X20] = CORE_PLACE;
        made->ones = true;
    }
}

void wide_trials_add(struct core_trials *t)
{
    static const unsigned mixed[] = {24, 40, 56, 80, 112, 160, 220, 0}, waiting[] = {16, 32, 48, 64, 96, 128, 192, 0},
                          loads[] = {32, 64, 96, 128, 192, 256, 0}, stores[] = {16, 32, 48, 64, 96, 128, 0};
    const struct core_kernels *k = t->kernels;
    for (size_t i = 0; i < k->n; i++)
        for (size_t j = i + 1; j < k->n; j++)
            if (is_paired(t, &k->at[i]) && is_paired(t, &k->at[j]) && !is_steered(&k->at[i], &k->at[j]))
                add_pair(t, &k->at[i], &k->at[j]);
    for (size_t i = 0; i < k->n; i++)
        if (is_paired(t, &k->at[i]))
            add_slots(t, &k->at[i]);
    add_slot(t);
    add_window(t, "mixed", t->board->mixed, mixed);
    add_window(t, "waiting", t->board->waiting, waiting);
    add_window(t, "loads", t->board->loads, loads);
    add_window(t, "stores", t->board->stores, stores);
}
