/* timing.c - computes latencies, needs, units and width of a core from the cycles of chains and streams. */
#include "shimgen/core/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void core_measured_init(struct core_measured *m, const struct core_kernels *k)
{
    *m = (struct core_measured){
        .kernels = k, .write_back = NAN, .width = NAN, .reorder = NAN, .scheduler = NAN, .loads = NAN, .stores = NAN};
    m->at = xcalloc(k->n, sizeof *m->at);
    m->waits = xcalloc(k->n_needs, sizeof *m->waits);
    m->free = xcalloc(k->n_needs, sizeof *m->free);
    for (size_t i = 0; i < k->n; i++)
        m->at[i] = (struct core_cycles){NAN, NAN, NAN, NAN, 0, {0}, NAN, NAN};
}

void core_measured_release(struct core_measured *m)
{
    free(m->at);
    free(m->waits);
    free(m->free);
    *m = (struct core_measured){0};
}

void core_timing_release(struct core_timing *t)
{
    free(t->classes);
    *t = (struct core_timing){0};
}

static size_t index_of(const struct core_kernels *k, unsigned class)
{
    const struct core_kernel *found = core_kernels_find(k, class);
    return found ? (size_t)(found - k->at) : k->n;
}

static double cycles_of(const struct core_measured *m, unsigned class, bool stream)
{
    size_t i = index_of(m->kernels, class);
    return i == m->kernels->n ? NAN : stream ? m->at[i].stream : m->at[i].chain;
}

/* ---- needs ---- */

int core_need_of(const char *name)
{
    for (int i = 0; name && i < ISS_NEED_N; i++)
        if (strcmp(iss_need_names[i], name) == 0)
            return i;
    return ISS_NEED_OPERAND;
}

/* So many instructions between two hide the second one's wait for the first one completely; -1: not known. */
static int hidden_by(const struct core_measured *m, size_t need)
{
    for (int k = 0; k < CORE_KNEE; k++)
        if (!isfinite(m->waits[need][k]) || !isfinite(m->free[need][k]))
            return -1;
        else if (m->waits[need][k] - m->free[need][k] < 0.05)
            return k;
    return CORE_KNEE;
}

/* Cycles from the producer's issue to its consumer's; -1: not known, at most one. The producers in between take `each`,
 * so the consumer would issue then anyway. */
static int wait_of(const struct core_measured *m, size_t need)
{
    int hidden = hidden_by(m, need);
    double each = cycles_of(m, m->kernels->needs[need].class, true);
    return hidden > 0 && isfinite(each) ? (int)((hidden + 1) * each + 0.01) : -1;
}

/* On a core in order, a wait shows however many instructions are in between; out of order it is hidden at once. */
static bool hides_all(const struct core_measured *m)
{
    for (size_t i = 0; i < m->kernels->n_needs; i++)
        if (m->kernels->needs[i].class == ISS_FP_ADD && cycles_of(m, ISS_FP_ADD, false) >= 2)
            return hidden_by(m, i) == 0;
    return false;
}

/* Needs of the core, measured with results of additions. For shifted operands, chains show it if there are both. */
static void find_needs(struct core_timing *t, const struct core_measured *m)
{
    const struct core_kernels *k = m->kernels;
    double addition = cycles_of(m, ISS_ALU, false);
    size_t shifted = index_of(k, ISS_ALU_SHIFTED);
    t->out_of_order = m->out_of_order || hides_all(m);
    for (size_t i = 0; i < k->n_needs && !t->out_of_order; i++)
        if (k->needs[i].class == ISS_ALU && wait_of(m, i) >= 0)
            t->need[core_need_of(k->needs[i].need)] = wait_of(m, i) - (int)lround(addition);
    if (shifted < k->n && isfinite(m->at[shifted].second) && isfinite(m->at[shifted].chain))
        t->need[ISS_NEED_SHIFTED] = (int)lround(m->at[shifted].chain - m->at[shifted].second);
}

/* Needs of classes that differ from the core's. */
static void find_own_waits(struct core_timing *t, const struct core_measured *m)
{
    const struct core_kernels *k = m->kernels;
    for (size_t i = 0; i < k->n_needs && !t->out_of_order; i++) {
        size_t at = index_of(k, k->needs[i].class);
        int need = core_need_of(k->needs[i].need), wait = wait_of(m, i);
        if (need == ISS_NEED_FP || at == k->n || k->needs[i].class == ISS_ALU || wait < 0)
            continue;
        if (wait != t->classes[at].latency + t->need[need])
            t->classes[at].to[need] = wait;
    }
}

/* ---- latencies ---- */

/* Half a cycle is rounded down: two dependent instructions in a cycle mean no wait. */
static int rounded(double cycles)
{
    return cycles > 0.75 ? (int)lround(cycles) : 0;
}

/* Are these two a pair that goes there and back? Then only their sum can be seen. */
static bool is_pair(const struct core_kernels *k, size_t i, size_t *other)
{
    *other = k->at[i].kind->back ? index_of(k, k->at[i].kind->back) : k->n;
    return *other < k->n && k->at[*other].kind->back == k->at[i].class;
}

static int need_value(const struct core_timing *t, const char *need)
{
    return need ? t->need[core_need_of(need)] : 0;
}

static void latency_alone(struct core_timing *t, const struct core_measured *m, size_t i, int addition)
{
    const struct core_kernel *k = &m->kernels->at[i];
    const struct core_cycles *x = &m->at[i];
    struct core_class *c = &t->classes[i];
    int need = need_value(t, k->kind->need);
    c->latency = rounded(isfinite(x->use) ? x->use - addition - need : x->chain - need);
    c->latency = c->latency < 0 ? 0 : c->latency;
    if (rounded(x->chain) != c->latency + need)
        c->to[core_need_of(k->kind->need)] = rounded(x->chain);
}

static void latency_back(struct core_timing *t, const struct core_measured *m, size_t i)
{
    const struct core_kernel *k = &m->kernels->at[i];
    struct core_class *c = &t->classes[i];
    size_t other;
    if (is_pair(m->kernels, i, &other)) {
        int sum =
            rounded(m->at[i].chain) - need_value(t, k->kind->need) - need_value(t, m->kernels->at[other].kind->need);
        c->latency = i < other ? sum / 2 : sum - sum / 2;
        c->split = true;
        if (strcmp(k->kind->need, "fp") == 0 && t->need[ISS_NEED_ADDRESS])
            c->to[ISS_NEED_ADDRESS] = c->latency < 0 ? 0 : c->latency;
    } else if (other < m->kernels->n && t->classes[other].known) {
        c->latency = rounded(m->at[i].chain - t->classes[other].latency);
    } else {
        c->known = false;
    }
    c->latency = c->latency < 0 ? 0 : c->latency;
}

static void latency_second(struct core_timing *t, const struct core_measured *m, size_t i)
{
    const struct core_kernel *k = &m->kernels->at[i];
    struct core_class *c = &t->classes[i];
    double second = m->at[i].second;
    if (!k->second || !isfinite(second) || !c->known)
        return;
    if (strcmp(k->kind->second_need, "result") == 0) {
        c->latency2 = c->latency + (int)lround(second - m->at[i].chain);
    } else if (rounded(second) != c->latency + need_value(t, k->kind->second_need)) {
        c->to[core_need_of(k->kind->second_need)] = rounded(second);
    }
}

static void find_latencies(struct core_timing *t, const struct core_measured *m)
{
    const struct core_kernels *k = m->kernels;
    int addition = rounded(cycles_of(m, ISS_ALU, false));
    for (size_t i = 0; i < k->n; i++) {
        struct core_class *c = &t->classes[i];
        /* Scheduling models of compilers do not say how long the core waits for a special register. */
        bool known = isfinite(m->at[i].stream) && !core_kernel_holds(&k->at[i]);
        *c = (struct core_class){.known = known, .latency = k->at[i].class != ISS_ZERO, .latency2 = -1, .take = 1};
        for (int need = 0; need < ISS_NEED_N; need++)
            c->to[need] = -1;
        if (!k->at[i].kind->back && isfinite(m->at[i].chain))
            latency_alone(t, m, i, addition);
        else if (!k->at[i].kind->need && isfinite(m->at[i].latency))
            c->latency = (int)m->at[i].latency;
    }
    for (int pairs = 1; pairs >= 0; pairs--) /* pairs first, since other chains return through them */
        for (size_t i = 0; i < k->n; i++) {
            size_t other;
            if (k->at[i].kind->back && is_pair(k, i, &other) == pairs && isfinite(m->at[i].chain))
                latency_back(t, m, i);
        }
    for (size_t i = 0; i < k->n; i++)
        latency_second(t, m, i);
    find_own_waits(t, m);
    int address = t->need[ISS_NEED_ADDRESS];
    t->write_back = k->renames_stack ? 0 : isfinite(m->write_back) ? rounded(m->write_back - address) : addition;
}

/* ---- units ---- */

/* A unit is represented by the resources of its first kernel. */
static void first_resources(uint64_t *of, const struct core_measured *m)
{
    for (size_t i = 0; i < m->kernels->n; i++) {
        unsigned u = core_unit_of(m->kernels->at[i].kind->unit);
        if (!of[u] && isfinite(m->at[i].stream))
            of[u] = m->at[i].resources;
    }
}

/* The unit that is usual for the class, unless it shares no resource with that and is exactly like another one. */
static unsigned unit_by_resources(const struct core_measured *m, size_t i, const uint64_t *of)
{
    unsigned own = core_unit_of(m->kernels->at[i].kind->unit);
    uint64_t here = m->at[i].resources;
    if (!own || !here || (here & of[own]))
        return own;
    for (unsigned u = 1; u < ISS_UNIT_N; u++)
        if (of[u] == here)
            return u;
    return own;
}

/* A unit with the resources of an earlier one is that unit. */
static unsigned same_as_earlier(const uint64_t *of, unsigned unit)
{
    for (unsigned u = 1; u < unit; u++)
        if (of[unit] && of[u] == of[unit])
            return u;
    return unit;
}

/* Cycles of an instruction in a stream. An instruction that passes flags on waits in any stream; it is treated like an
 * addition. */
static double stream_of(const struct core_measured *m, size_t i)
{
    const char *need = m->kernels->at[i].kind->need;
    return need && strcmp(need, "flags") == 0 ? cycles_of(m, ISS_ALU, true) : m->at[i].stream;
}

static void find_units(struct core_timing *t, const struct core_measured *m)
{
    uint64_t of[ISS_UNIT_N] = {0};
    first_resources(of, m);
    for (size_t i = 0; i < m->kernels->n; i++) {
        double stream = stream_of(m, i);
        if (!isfinite(stream) || !t->classes[i].known)
            continue;
        unsigned u = same_as_earlier(of, unit_by_resources(m, i, of));
        int copies = (int)lround(1 / stream);
        t->classes[i].unit = u;
        copies = copies < 1 ? 1 : copies > ISS_UNIT_COPIES ? ISS_UNIT_COPIES : copies;
        if (u && t->units[u] < copies)
            t->units[u] = copies;
    }
}

static void find_busy(struct core_timing *t, const struct core_measured *m)
{
    for (size_t i = 0; i < m->kernels->n; i++) {
        struct core_class *c = &t->classes[i];
        double stream = stream_of(m, i), copies = t->units[c->unit];
        if (!c->unit || !isfinite(stream))
            continue;
        int take = (int)(stream * copies + 0.25);
        c->take = (unsigned)(take < 1 ? 1 : take > copies ? copies : take);
        c->busy = (unsigned)(stream <= 1 ? 1 : rounded(stream));
    }
}

/* ---- ports ---- */

/* Ports that an instruction occupies for the same mean time are alternatives for one operation. */
static void find_ports(struct core_class *c, const struct core_cycles *x, const unsigned *kind)
{
    uint64_t left = 0;
    for (unsigned i = 0; i < ISS_PORTS; i++)
        left |= (uint64_t)(x->pressure[i] > 0.01) << i;
    while (left && c->n_uses < ISS_USES) {
        struct iss_use *use = &c->use[c->n_uses++];
        unsigned first = (unsigned)__builtin_ctzll(left);
        double share = x->pressure[first], sum = 0;
        for (unsigned i = 0; i < ISS_PORTS; i++)
            if ((left >> i & 1) && kind[i] == kind[first] && fabs(x->pressure[i] - share) < 0.1 * share) {
                use->ports |= UINT64_C(1) << i;
                sum += x->pressure[i];
            }
        use->busy = rounded(sum) > 1 ? rounded(sum) : 1;
        left &= ~use->ports;
    }
}

static void find_all_ports(struct core_timing *t, const struct core_measured *m)
{
    for (size_t i = 0; i < m->kernels->n; i++) {
        t->classes[i].slots = m->at[i].slots > 1 ? (unsigned)rounded(m->at[i].slots) : 1;
        if (t->classes[i].known)
            find_ports(&t->classes[i], &m->at[i], m->kind);
    }
}

void core_timing_find(struct core_timing *t, const struct core_measured *m)
{
    double nop = cycles_of(m, ISS_NOP, true);
    *t = (struct core_timing){.kernels = m->kernels};
    t->classes = xcalloc(m->kernels->n, sizeof *t->classes);
    t->width = isfinite(m->width) ? rounded(m->width) : isfinite(nop) ? rounded(1 / nop) : 1;
    t->width = t->width < 1 ? 1 : t->width > 16 ? 16 : t->width;
    find_needs(t, m);
    find_latencies(t, m);
    if (t->out_of_order) {
        find_all_ports(t, m);
    } else {
        find_units(t, m);
        find_busy(t, m);
    }
}
