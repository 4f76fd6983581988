/*
 * kr_items.c - runs work-items one after the other in one thread. Without barriers each is a call. With barriers each
 * work-item of a group has a stack of its own (a context of ucontext.h), and runs until it waits or ends. When all of
 * them wait, all continue.
 */
#include "irprof/kernel/runtime/host.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK = 256 * 1024 }; /* bytes; the page below is protected */

enum state { READY, WAITING, ENDED };
struct fiber {
    struct host_item item;
    ucontext_t context;
    char *stack;
    enum state state;
};

const struct host_item *host_here;
static struct fiber *fibers;
static size_t n_fibers;
static struct fiber *running; /* NULL: work-items have no stacks of their own */
static ucontext_t scheduler;
static void *const *arguments_here;

static size_t in_group(const struct host_launch *l)
{
    return l->local[0] * l->local[1] * l->local[2];
}

/* Splits number `n` into indices; the first dimension varies fastest. */
static void indices(size_t n, const size_t *size, size_t *at)
{
    for (unsigned d = 0; d < HOST_DIMENSIONS; d++) {
        at[d] = n % size[d];
        n /= size[d];
    }
}

static void body(void)
{
    running->item.launch->call(arguments_here);
    running->state = ENDED;
}

void host_wait(void)
{
    if (!running)
        host_fail("calls barrier in a program that was made without");
    running->state = WAITING;
    swapcontext(&running->context, &scheduler);
}

static char *new_stack(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *p = mmap(0, STACK + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED || mprotect(p, page, PROT_NONE) != 0)
        host_fail("there is no memory for the stacks of its work-items: use smaller work-groups");
    return p + page;
}

static void make_fibers(size_t n)
{
    if (n <= n_fibers)
        return;
    fibers = realloc(fibers, n * sizeof *fibers);
    if (!fibers)
        host_fail("there is no memory for its work-items");
    for (; n_fibers < n; n_fibers++)
        fibers[n_fibers].stack = new_stack();
}

static void begin(struct fiber *f, const struct host_item *group, size_t number)
{
    f->item = *group;
    f->state = READY;
    indices(number, group->launch->local, f->item.local);
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = STACK;
    f->context.uc_link = &scheduler;
    makecontext(&f->context, body, 0);
}

/* Runs each work-item until it waits or ends. Returns how many wait. */
static size_t go_on(size_t n)
{
    size_t waiting = 0;
    for (size_t i = 0; i < n; i++) {
        running = &fibers[i];
        host_here = &running->item;
        swapcontext(&scheduler, &running->context);
        waiting += running->state == WAITING;
    }
    return waiting;
}

static uint64_t run_group_with_barriers(const struct host_item *group)
{
    size_t n = in_group(group->launch), waiting;
    uint64_t barriers = 0;
    make_fibers(n);
    for (size_t i = 0; i < n; i++)
        begin(&fibers[i], group, i);
    while ((waiting = go_on(n)) == n)
        barriers += n;
    if (waiting)
        host_fail("a barrier is not reached by all work-items of a work-group");
    running = 0;
    return barriers;
}

static void run_group(const struct host_item *group)
{
    static struct host_item item;
    size_t n = in_group(group->launch);
    item = *group;
    host_here = &item;
    for (size_t i = 0; i < n; i++) {
        indices(i, group->launch->local, item.local);
        group->launch->call(arguments_here);
    }
}

uint64_t host_run(const struct host_launch *l, void *const *arguments)
{
    size_t groups[HOST_DIMENSIONS], n = 1;
    uint64_t barriers = 0;
    arguments_here = arguments;
    for (unsigned d = 0; d < HOST_DIMENSIONS; d++)
        n *= groups[d] = l->global[d] / l->local[d];
    for (size_t g = 0; g < n; g++) {
        struct host_item group = {.launch = l};
        indices(g, groups, group.group);
        if (host_has_barriers)
            barriers += run_group_with_barriers(&group);
        else
            run_group(&group);
    }
    host_here = 0;
    return barriers;
}
