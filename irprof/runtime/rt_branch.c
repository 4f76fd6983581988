/* Branches: what instrumented code calls when a prediction was wrong, or not sure; or, where it does not predict by
 * itself, for each of them; and for each jump through a register. */
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

static void on_learn(struct irprof_rt_predictor *p, uint32_t number, uint32_t taken, uint32_t flags, uint64_t *counter)
{
    if (sim_predictor_learn((struct sim_predictor *)(p + 1), number, taken))
        add_one(counter, flags);
}

/* After the head, where code does not predict by itself. */
struct several {
    uint32_t n;
    uint32_t seen[RT_PREDICTORS_MAX];
    struct sim_predictor *at[RT_PREDICTORS_MAX];
    struct sim_indirect *indirect;
};
enum { ALIGNMENT = 16 };

static size_t rounded(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void on_branch(struct irprof_rt_predictor *p, uint32_t number, uint32_t taken, uint32_t flags, uint64_t *counter)
{
    const struct several *s = (const struct several *)(p + 1);
    for (uint32_t i = 0; i < s->n; i++)
        if (sim_predictor_branch(s->at[i], number & s->seen[i], taken))
            add_one(counter + i, flags);
}

static void jump(struct sim_indirect *t, uint32_t predictors, uint64_t number, uint64_t target, uint32_t flags,
                 uint64_t *counters)
{
    if (sim_indirect_jump(t, number, target))
        for (uint32_t i = 0; i < predictors; i++)
            add_one(counters + i, flags);
}

/* Bytes before the table of targets, which is the last of all. */
static size_t before_targets(uint32_t counters)
{
    return rounded(sizeof(struct irprof_rt_predictor) + sizeof(struct sim_predictor) + counters);
}

static void on_jump_of_one(struct irprof_rt_predictor *p, uint64_t number, uint64_t target, uint32_t flags,
                           uint64_t *counters)
{
    const struct sim_predictor *one = (const struct sim_predictor *)(p + 1);
    jump((struct sim_indirect *)(void *)((char *)p + before_targets(one->table_mask + 1)), 1, number, target, flags,
         counters);
}

static void on_jump(struct irprof_rt_predictor *p, uint64_t number, uint64_t target, uint32_t flags, uint64_t *counters)
{
    const struct several *s = (const struct several *)(p + 1);
    jump(s->indirect, s->n, number, target, flags, counters);
}

static size_t size_of(const struct irprof_rt_predictor_model *m)
{
    size_t targets = sim_indirect_size(m->targets);
    if (rt_predicts_in_place(m))
        return before_targets(UINT32_C(1) << m->at[0].kind.table_bits) + targets;
    size_t size = rounded(sizeof(struct irprof_rt_predictor) + sizeof(struct several));
    for (uint32_t i = 0; i < m->n; i++)
        size += rounded(sim_predictor_size(&m->at[i].kind));
    return size + targets;
}

static void init(void *state, const void *model)
{
    const struct irprof_rt_predictor_model *m = model;
    struct irprof_rt_predictor *p = state;
    if (rt_predicts_in_place(m)) {
        *p = (struct irprof_rt_predictor){on_learn, on_jump_of_one};
        const struct sim_predictor *one = sim_predictor_init(p + 1, &m->at[0].kind);
        sim_indirect_init((char *)state + before_targets(one->table_mask + 1), m->targets);
        return;
    }
    struct several *s = (struct several *)(p + 1);
    char *memory = (char *)state + rounded(sizeof *p + sizeof *s);
    *p = (struct irprof_rt_predictor){on_branch, on_jump};
    s->n = m->n;
    for (uint32_t i = 0; i < m->n; i++) {
        s->seen[i] = m->at[i].seen;
        s->at[i] = sim_predictor_init(memory, &m->at[i].kind);
        memory += rounded(sim_predictor_size(&m->at[i].kind));
    }
    s->indirect = sim_indirect_init(memory, m->targets);
}

struct irprof_rt_predictor *irprof_rt_predictor(const struct irprof_rt_predictor_model *model)
{
    /* As large as the largest: instrumented code looks into its table. */
    static struct {
        struct irprof_rt_predictor head;
        uint32_t words[4];
        uint8_t counters[1 << SIM_TABLE_BITS_MAX];
    } nobody;
    void *state = rt_state(model, &(struct rt_state_kind){sizeof *model, size_of(model), model->cold != 0, init});
    return state ? state : &nobody.head;
}
