/* rt_branch.c - branch predictors. Instrumented code calls it if a prediction was wrong or weak; code that does not
 * predict in place calls it for each branch. */
#include "irprof/runtime/rt.h"
#include "irprof/runtime/rt_events.h"

static void add_one(uint64_t *counter, uint32_t flags)
{
#if __SIZEOF_POINTER__ >= 8
    if (flags & RT_ATOMIC) {
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
        return;
    }
#endif
    (void)flags;
    ++*counter;
}

/* What follows the table of targets. */
static void *rest(struct irprof_rt_predictor *p)
{
    return (uint64_t *)(p + 1) + p->targets;
}

static void on_learn(struct irprof_rt_predictor *p, uint32_t number, uint32_t taken, uint32_t flags, uint64_t *counter)
{
    if (sim_predictor_learn(rest(p), number, taken))
        add_one(counter, flags);
}

/* Used by code that does not predict in place. */
struct several {
    uint32_t n;
    uint32_t seen[RT_PREDICTORS_MAX];
    struct sim_predictor *at[RT_PREDICTORS_MAX];
};
enum { ALIGNMENT = 16 };

static size_t rounded(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void on_branch(struct irprof_rt_predictor *p, uint32_t number, uint32_t taken, uint32_t flags, uint64_t *counter)
{
    const struct several *s = rest(p);
    for (uint32_t i = 0; i < s->n; i++)
        if (sim_predictor_branch(s->at[i], number & s->seen[i], taken))
            add_one(counter + i, flags);
}

static size_t size_of(const struct irprof_rt_predictor_model *m)
{
    size_t head = sizeof(struct irprof_rt_predictor) + m->targets * sizeof(uint64_t);
    if (rt_predicts_in_place(m))
        return head + sim_predictor_size(&m->at[0].kind);
    size_t size = rounded(head + sizeof(struct several));
    for (uint32_t i = 0; i < m->n; i++)
        size += rounded(sim_predictor_size(&m->at[i].kind));
    return size;
}

static void init(void *state, const void *model)
{
    const struct irprof_rt_predictor_model *m = model;
    struct irprof_rt_predictor *p = state;
    uint64_t *last = (uint64_t *)(p + 1);
    p->targets = m->targets;
    for (uint32_t i = 0; i < m->targets; i++)
        last[i] = 0;
    if (rt_predicts_in_place(m)) {
        p->learn = on_learn;
        sim_predictor_init(rest(p), &m->at[0].kind);
        return;
    }
    struct several *s = rest(p);
    char *memory = (char *)state + rounded(sizeof *p + m->targets * sizeof *last + sizeof *s);
    p->learn = on_branch;
    s->n = m->n;
    for (uint32_t i = 0; i < m->n; i++) {
        s->seen[i] = m->at[i].seen;
        s->at[i] = sim_predictor_init(memory, &m->at[i].kind);
        memory += rounded(sim_predictor_size(&m->at[i].kind));
    }
}

struct irprof_rt_predictor *irprof_rt_predictor(const struct irprof_rt_predictor_model *model)
{
    /* as large as the largest predictor, since instrumented code looks into its table */
    static struct {
        struct irprof_rt_predictor head;
        uint64_t last[RT_TARGETS_MAX];
        uint32_t words[4];
        uint8_t counters[1 << SIM_TABLE_BITS_MAX];
    } nobody;
    void *state = rt_state(model, &(struct rt_state_kind){sizeof *model, size_of(model), model->cold != 0, init});
    return state ? state : &nobody.head;
}
