/* Branches: what instrumented code calls when a prediction was wrong, or not sure. */
#include "irprof/runtime/rt.h"
#include "irprof/runtime/rt_events.h"

static void on_learn(struct irprof_rt_predictor *p, uint32_t number, uint32_t taken, uint32_t flags, uint64_t *counter)
{
    if (!sim_predictor_learn((struct sim_predictor *)(p + 1), number, taken))
        return;
#if __SIZEOF_POINTER__ >= 8
    if (flags & RT_ATOMIC) {
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
        return;
    }
#endif
    (void)flags;
    ++*counter;
}

static void init(void *state, const void *model)
{
    struct irprof_rt_predictor *p = state;
    p->learn = on_learn;
    sim_predictor_init(p + 1, &((const struct irprof_rt_predictor_model *)model)->kind);
}

struct irprof_rt_predictor *irprof_rt_predictor(const struct irprof_rt_predictor_model *model)
{
    /* As large as the largest: instrumented code looks into its table. */
    static struct {
        struct irprof_rt_predictor head;
        uint32_t words[3];
        uint8_t counters[1 << SIM_TABLE_BITS_MAX];
    } nobody;
    size_t size = sizeof nobody.head + sim_predictor_size(&model->kind);
    void *state = rt_state(model, &(struct rt_state_kind){sizeof *model, size, model->cold != 0, init});
    return state ? state : &nobody.head;
}
