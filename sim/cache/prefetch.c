/* prefetch.c - a model of a stream prefetcher. */
#include "sim/cache/prefetch.h"

const char *sim_prefetch_check(const struct sim_prefetch_kind *kind)
{
    if (!kind->streams)
        return 0;
    if (kind->streams > SIM_STREAMS_MAX)
        return "there must be 1 to 32 streams";
    if (kind->trigger < 1 || kind->trigger > SIM_TRIGGER_MAX)
        return "1 to 16 lines can start a stream";
    if (kind->ahead < 1 || kind->ahead > SIM_AHEAD_MAX)
        return "it can be 1 to 64 lines ahead";
    if (kind->stride < 1 || kind->stride > SIM_STRIDE_MAX)
        return "the stride can be 1 to 64 lines";
    return 0;
}

void sim_prefetcher_reset(struct sim_prefetcher *p)
{
    p->uses = 0;
    for (unsigned i = 0; i < SIM_STREAMS_MAX; i++)
        p->streams[i] = (struct sim_stream){0};
}

void sim_prefetcher_init(struct sim_prefetcher *p, const struct sim_prefetch_kind *kind, unsigned line_shift)
{
    p->kind = *kind;
    p->page_shift = line_shift < SIM_PAGE_SHIFT ? SIM_PAGE_SHIFT - line_shift : 0;
    sim_prefetcher_reset(p);
}

static bool expects(const struct sim_stream *s, uintptr_t line)
{
    return s->step && s->last + (uintptr_t)s->step == line;
}

bool sim_prefetcher_expects(const struct sim_prefetcher *p, uintptr_t line)
{
    for (unsigned i = 0; i < p->kind.streams; i++)
        if (expects(&p->streams[i], line))
            return true;
    return false;
}

/* A distance counts as fixed when it has come twice. For consecutive lines once is enough. */
static uint32_t trigger_of(const struct sim_prefetcher *p, const struct sim_stream *s)
{
    return s->step == 1 || p->kind.trigger > 3 ? p->kind.trigger : 3;
}

/* The stream has reached `line`. Returns the lines that must be fetched to be `ahead` lines further. */
static struct sim_fetch go_on(struct sim_prefetcher *p, struct sim_stream *s, uintptr_t line)
{
    s->last = line;
    s->run++;
    s->used = ++p->uses;
    s->asked -= s->asked > 0;
    struct sim_fetch f = {0, s->step, 0, s->step ? line + (uintptr_t)s->step : UINTPTR_MAX};
    if (s->run < trigger_of(p, s))
        return f;
    uintptr_t next = line + (uintptr_t)s->step * (s->asked + 1);
    for (f.line = next; s->asked < p->kind.ahead && next >> p->page_shift == line >> p->page_shift; f.n++) {
        s->asked++;
        next += (uintptr_t)s->step;
    }
    return f;
}

/* A new stream in place of the least recently used one. */
static struct sim_stream *begun(struct sim_prefetcher *p)
{
    struct sim_stream *oldest = &p->streams[0];
    for (unsigned i = 1; i < p->kind.streams; i++)
        if (p->streams[i].used < oldest->used)
            oldest = &p->streams[i];
    *oldest = (struct sim_stream){.step = p->kind.trigger == 1};
    return oldest;
}

/* The stream that expects `line`, or NULL. Any other stream that expects it too has run into the first one, and
 * ends. */
static struct sim_stream *expecting(struct sim_prefetcher *p, uintptr_t line)
{
    struct sim_stream *found = 0;
    for (unsigned i = 0; i < p->kind.streams; i++) {
        if (!expects(&p->streams[i], line))
            continue;
        if (found)
            p->streams[i] = (struct sim_stream){0};
        else
            found = &p->streams[i];
    }
    return found;
}

/* The stream whose second miss is `line`, so that its distance is known now, or NULL. */
static struct sim_stream *joined(struct sim_prefetcher *p, uintptr_t line)
{
    for (unsigned i = 0; i < p->kind.streams; i++) {
        struct sim_stream *s = &p->streams[i];
        intptr_t step = (intptr_t)(line - s->last);
        if (s->run != 1 || !step || step > p->kind.stride || step < -(intptr_t)p->kind.stride)
            continue;
        s->step = step;
        return s;
    }
    return 0;
}

struct sim_fetch sim_prefetcher_see(struct sim_prefetcher *p, uintptr_t line, bool missed)
{
    struct sim_stream *s = expecting(p, line);
    if (!s && missed && p->kind.streams) {
        s = joined(p, line);
        s = s ? s : begun(p);
    }
    return s ? go_on(p, s, line) : (struct sim_fetch){.expected = UINTPTR_MAX};
}
