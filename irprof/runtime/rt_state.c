/*
 * rt_state.c - states of simulations. A thread has one for each model, which all its modules find. When the thread
 * ends, another may take it. Code that runs in a thread after its last destructors may then disturb the other's
 * simulation, but nothing else.
 */
#include "irprof/runtime/rt.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "irprof/runtime/rt_events.h"

struct rt_state {
    _Alignas(8) char model[RT_MODEL_SIZE];
    struct rt_state_kind kind;
    void *state;
    struct rt_state *next; /* of the same thread, or in the list of free ones */
};
static struct rt_state *free_states;
static _Thread_local struct rt_state *here;
static _Thread_local unsigned iterations; /* of destructors, in a thread that is ending */
static pthread_key_t key;
static int have_key;

static int is_of(const struct rt_state *s, const void *model, size_t model_size)
{
    return s->kind.model_size == model_size && memcmp(s->model, model, model_size) == 0;
}

/* Destructors of other keys may still count, so only the last iteration frees the states. */
static void on_thread_end(void *state)
{
    if (++iterations < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(key, state) == 0)
        return;
    rt_lock();
    for (struct rt_state *s = here, *next; s; s = next) {
        next = s->next;
        s->next = free_states;
        free_states = s;
    }
    here = 0;
    rt_unlock();
}

/* Takes a free state out of the list. */
static struct rt_state *take(const void *model, size_t model_size)
{
    for (struct rt_state **at = &free_states; *at; at = &(*at)->next) {
        struct rt_state *s = *at;
        if (!is_of(s, model, model_size))
            continue;
        *at = s->next;
        return s;
    }
    return 0;
}

static struct rt_state *make(const void *model, const struct rt_state_kind *kind)
{
    struct rt_state *s = rt_memory(sizeof *s);
    void *state = s ? rt_memory(kind->size) : 0;
    if (!state)
        return 0;
    memcpy(s->model, model, kind->model_size);
    s->kind = *kind;
    s->state = state;
    return s;
}

static void keep(struct rt_state *s)
{
    s->next = here;
    here = s;
    if (!have_key)
        have_key = pthread_key_create(&key, on_thread_end) == 0;
    if (have_key)
        pthread_setspecific(key, s);
}

void *rt_state(const void *model, const struct rt_state_kind *kind)
{
    static int said;
    if (rt_inside() || kind->model_size > RT_MODEL_SIZE)
        return 0;
    for (struct rt_state *s = here; s; s = s->next)
        if (is_of(s, model, kind->model_size))
            return s->state;
    rt_lock();
    struct rt_state *s = take(model, kind->model_size);
    if (!s)
        s = make(model, kind);
    if (s) {
        s->kind.init(s->state, s->model);
        keep(s);
    } else if (!said) {
        said = 1;
        rt_say("no memory: caches or branches of a thread are not simulated", "", "");
    }
    rt_unlock();
    return s ? s->state : 0;
}

void rt_states_cold(void)
{
    for (struct rt_state *s = here; s; s = s->next)
        if (s->kind.cold)
            s->kind.init(s->state, s->model);
}
